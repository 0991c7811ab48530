"""What the attribute `spec` of getitem and setitem means: an index as numpy takes it, with places for operands.

    x[1, ..., ::2, i, rows]    ->    spec=(1, "...", (None, None, 2), "at", "array"), operands i, rows

"at" (also as an end of a slice) stands for the next operand, an integer scalar; "array" for the next operand, an array
of integers (positions) or of bool (a mask).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from runtime.errors import OutOfRangeError
from runtime.ops.records.record import Operand
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["ARRAY", "AT", "filled", "item_shape", "numpy_index", "shown", "used_axes"]

AT: Final = "at"
ARRAY: Final = "array"

FULL: Final = (None, None, None)

_ONE_ARRAY: Final = (ARRAY,)


def filled(spec: tuple[Any, ...], indices: Iterable[Any]) -> list[Any]:
    """The entries of a spec with the operands in the places that wait for them: int, None, "...", a slice triple, or
    what stands for an array."""
    values = iter(indices)
    return [
        tuple(next(values) if part == AT else part for part in entry) if isinstance(entry, tuple)
        else next(values) if entry in (AT, ARRAY) else entry
        for entry in spec
    ]  # fmt: skip


def numpy_index(spec: tuple[Any, ...], indices: Sequence[Any]) -> tuple[Any, ...]:
    """The index that numpy takes. Raises ValueError or TypeError for an array in the place of a scalar."""
    if not indices:
        return _without_operands(spec)
    if spec == _ONE_ARRAY and _rank(indices[0]):
        return (indices[0],)
    given = iter(indices)
    return tuple([_entry(entry, given) for entry in spec])


def _entry(entry: Any, given: Iterator[Any]) -> Any:
    """One entry of a spec as numpy takes it."""
    if entry == ARRAY:
        index = next(given)
        return index if _rank(index) else int(index)
    if entry == AT:
        return _integer(next(given))
    if isinstance(entry, tuple):
        return slice(*[_integer(next(given)) if part == AT else part for part in entry])
    return ... if _is_dots(entry) else entry


def _integer(index: Any) -> int:
    if _rank(index):
        raise ValueError("an index must be a scalar")
    return int(index)


def _rank(index: Any) -> int:
    return index.ndim if type(index) is np.ndarray else np.ndim(index)


@lru_cache(maxsize=1024)
def _without_operands(spec: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(slice(*e) if isinstance(e, tuple) else ... if e == "..." else e for e in spec)


def _is_dots(entry: Any) -> bool:
    return isinstance(entry, str) and entry == "..."


def shown(key: tuple[Any, ...]) -> str:
    """An index as the user would write it; arrays by their shape."""

    def part(value: Any) -> str:
        if isinstance(value, slice):
            ends = [value.start, value.stop] if value.step is None else [value.start, value.stop, value.step]
            return ":".join("" if e is None else str(e) for e in ends)
        if isinstance(value, np.ndarray):
            return str(value.tolist()) if value.size <= 8 else f"array of shape {value.shape}"
        return "..." if value is ... else "newaxis" if value is None else str(value)

    return f"[{', '.join(map(part, key))}]"


def used_axes(entry: Any) -> int | None:
    """How many axes of the tensor an entry (after `filled`) stands for; None where only the run will tell."""
    if entry is None:
        return 0
    if _is_mask(entry):
        return entry.shape.rank if isinstance(entry, Operand) else np.ndim(entry)
    return 1


def _is_mask(entry: Any) -> bool:
    if isinstance(entry, Operand):
        return entry.dtype.is_bool
    return isinstance(entry, np.ndarray) and entry.dtype == np.bool_


def _spread(spec: list[Any], rank: int) -> list[Any] | None:
    """The entries with the ellipsis (or the missing end) written as full slices. Raises IndexError if too many."""
    axes = [0 if _is_dots(e) else used_axes(e) for e in spec]
    if None in axes:
        return None
    used = sum(a for a in axes if a is not None)
    if used > rank:
        raise IndexError(f"{used} indices are too many for rank {rank}")
    full: list[Any] = [FULL] * (rank - used)
    place = next((i for i, e in enumerate(spec) if _is_dots(e)), None)
    return spec + full if place is None else spec[:place] + full + spec[place + 1 :]


def _known(value: Any) -> Any:
    """A part of a spec: a Python integer, None, or an Operand, whose value is taken where it is known."""
    if isinstance(value, Operand):
        return value if value.value is None else int(value.value.reshape(-1)[0])
    return value


def item_shape(x: Operand, *indices: Operand, spec: tuple[Any, ...], what: str = "getitem") -> TensorShape:
    """The shape of x[...]. Raises ValueError for an index that cannot fit, OutOfRangeError for one that is too far."""
    entries = filled(spec, indices)
    arrays = [e for e, kind in zip(entries, spec, strict=True) if isinstance(kind, str) and kind == ARRAY]
    scalars = [i for i in indices if not any(i is a for a in arrays)]
    if any(i.shape.rank not in (0, None) for i in scalars):
        raise ValueError("an index must be a scalar")
    if x.shape.dims is None or (full := _spread(entries, len(x.shape.dims))) is None:
        return TensorShape(None)
    dims: list[int | None] = []
    sizes = list(x.shape.dims)
    axis = 0
    places: list[int] = []  # where the entries that numpy joins into one (arrays and integers) stand among all
    front = None
    for place, entry in enumerate(full):
        if entry is None:
            dims.append(1)
        elif isinstance(entry, tuple):
            dims.append(_slice_size(tuple(map(_known, entry)), sizes[axis]))
            axis += 1
        else:
            front = len(dims) if front is None else front
            places.append(place)
            _check_entry(x, entry, axis, arrays, what)
            axis += used_axes(entry) or 0
    if not arrays:
        return TensorShape(dims)
    joined = _joined(arrays)
    if joined.dims is None:
        return TensorShape(None)
    together = places == list(range(places[0], places[-1] + 1))
    at = front if together and front is not None else 0
    return TensorShape([*dims[:at], *joined.dims, *dims[at:]])


def _check_entry(x: Operand, entry: Any, axis: int, arrays: Sequence[Operand], what: str) -> None:
    """An integer must lie in the shape, a mask must have the shape of the axes that it stands for."""
    dims = x.shape.dims
    assert dims is not None
    if any(entry is a for a in arrays):
        if _is_mask(entry) and not entry.shape.is_compatible_with(dims[axis : axis + entry.shape.rank]):
            raise IndexError(f"the mask {entry.shape} does not fit the shape {x.shape} from axis {axis} on")
        positions = [] if _is_mask(entry) or entry.value is None else entry.value.reshape(-1).tolist()
    else:
        positions = [_known(entry)]
    size = dims[axis] if axis < len(dims) else None
    for position in positions:
        if size is not None and isinstance(position, int) and not -size <= position < size:
            raise OutOfRangeError(f"{what}: index {position} is out of range for axis {axis} of the shape {x.shape}")


def _joined(arrays: Sequence[Operand]) -> TensorShape:
    """The shape of the positions together; how many a mask picks is known only when it runs."""
    try:
        return broadcast_shapes(*(TensorShape([None]) if _is_mask(a) else a.shape for a in arrays))
    except ValueError as error:
        raise IndexError(str(error)) from None


def _slice_size(parts: tuple[Any, ...], size: int | None) -> int | None:
    if parts[2] == 0:
        raise ValueError("the step of a slice must not be 0")
    if size is None or any(isinstance(p, Operand) for p in parts):
        return None
    return len(range(*slice(*parts).indices(size)))
