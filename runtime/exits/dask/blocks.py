"""`map_blocks`: a function of tensors on each block of dask arrays; traces say what comes out, workers run graphs.

    map_blocks(normalized, images)              # a dask array, with dtype and chunks as the function gives them

Blocks of different shapes have traces of their own. All of them are made before anything is sent.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import from_numpy
from runtime.errors import ShapeMismatchError
from runtime.exits.dask.sent import Sent, sent
from runtime.exits.traces import as_function
from runtime.extras import extra
from runtime.function.function import Function
from runtime.ops.records.record import Array
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["map_blocks"]

WHAT: Final = "map_blocks"

Shape = tuple[int | None, ...]


def map_blocks(
    function: Any, *arrays: Any, drop_axis: int | Sequence[int] = (), new_axis: int | Sequence[int] = (), **kwargs: Any
) -> Any:
    """A dask array of what a function gives for each block of dask arrays of one shape, which are cut alike.

    function: a Function or a Python function of tensors, which returns one tensor; kwargs: its other arguments, the
    same for all blocks. Its dtype and the sizes of its blocks are those of its traces. drop_axis, new_axis: the axes
    that the result has not, or has besides, as for `dask.array.map_blocks`; an axis that is dropped is in one block.

    Variables have the values of now. Raises NotExportableError for a function with effects, ShapeMismatchError for
    blocks that do not fit together, before anything is sent; ImportError without the extra `dask`.
    """
    library = extra("dask.array", "dask", f"{WHAT} needs")
    first, *others = _checked(library, arrays)
    given = [first, *(one.rechunk(first.chunks) for one in others)]
    made = _Mapping(as_function(WHAT, function), given, kwargs, _axes(drop_axis, first.ndim), _list(new_axis))
    chunks = made.chunks()
    block = _Block({shape: trace.frozen() for shape, (trace, _) in made.traces.items()}, kwargs)
    dtype = made.dtype.numpy
    return library.map_blocks(
        block, *given, dtype=dtype, chunks=chunks, drop_axis=list(made.dropped), new_axis=list(made.added),
        meta=np.empty((0,) * len(chunks), dtype),
    )  # fmt: skip


@dataclass(frozen=True)
class _Block:
    """What runs on a worker: the trace that fits the shape of the block."""

    traces: Mapping[Shape, Sent]
    kwargs: Mapping[str, Any]
    __name__ = "block"

    def __call__(self, *blocks: Array) -> Array:
        shape = blocks[0].shape
        known = self.traces.get(shape)
        if known is None:
            fits = (t for s, t in self.traces.items() if all(a in (None, b) for a, b in zip(s, shape, strict=True)))
            known = next(fits)
        found: Array = known.trace(*blocks, **self.kwargs).numpy()
        return found


class _Mapping:
    """The traces for all shapes of blocks, and what they say of the result."""

    def __init__(
        self, function: Function[..., Any], arrays: Sequence[Any], kwargs: Mapping[str, Any], dropped: Sequence[int],
        added: Sequence[int],
    ) -> None:  # fmt: skip
        self.dropped, self.added = dropped, added
        self._sizes = [[None if size != size else int(size) for size in axis] for axis in arrays[0].chunks]
        self.traces: dict[Shape, tuple[Sent, SymbolicTensor]] = {}
        for shape in itertools.product(*(dict.fromkeys(axis) for axis in self._sizes)):
            specs = [TensorSpec(shape, from_numpy(array.dtype)) for array in arrays]
            trace = function.get_concrete_function(*specs, **kwargs)
            result = trace.structured_outputs
            if not isinstance(result, SymbolicTensor) or result.shape.rank is None:
                raise TypeError(f"{WHAT}: {trace.header} returns one tensor of a known rank; it returns {result!r}")
            self.traces[shape] = sent(WHAT, trace), result
            self._header, self.dtype, self._rank = trace.header, result.dtype, result.shape.rank
        self._check()

    def _check(self) -> None:
        kinds = {(result.dtype.name, result.shape.rank) for _, result in self.traces.values()}
        if len(kinds) > 1:
            raise ShapeMismatchError(f"{WHAT}: {self._header} gives blocks that do not fit together: {sorted(kinds)}")
        expected = len(self._sizes) - len(self.dropped) + len(self.added)
        if self._rank != expected:
            raise ShapeMismatchError(
                f"{WHAT}: {self._header} gives {self._rank} axes of {len(self._sizes)}, {expected} were expected; say"
                " which with drop_axis and new_axis"
            )
        for axis in self.dropped:
            if len(self._sizes[axis]) > 1:
                raise ShapeMismatchError(
                    f"{WHAT}: axis {axis} is dropped, and in {len(self._sizes[axis])} blocks; rechunk({{{axis}: -1}})"
                )

    def chunks(self) -> tuple[tuple[float, ...], ...]:
        """The sizes of the blocks of the result, axis by axis; NaN where only the run knows them."""
        kept = [axis for axis in range(len(self._sizes)) if axis not in self.dropped]
        sources: list[int | None] = [*kept]
        for place in sorted(self.added):
            sources.insert(place, None)
        return tuple(self._sizes_of(place, source) for place, source in enumerate(sources))

    def _sizes_of(self, place: int, source: int | None) -> tuple[float, ...]:
        """Along one axis of the result, which comes from that axis of the blocks, or from none."""
        found: dict[int | None, int | None] = {}
        for shape, (_, result) in self.traces.items():
            size, key = result.shape[place], None if source is None else shape[source]
            if found.setdefault(key, size) != size:
                raise ShapeMismatchError(
                    f"{WHAT}: {self._header} gives blocks that do not fit together: along axis {place} they have"
                    f" {found[key]} and {size} rows beside each other; cut the array otherwise"
                )
        keys = [None] if source is None else self._sizes[source]
        return tuple(float("nan") if (size := found[key]) is None else size for key in keys)


def _checked(library: Any, arrays: Sequence[Any]) -> Sequence[Any]:
    if not arrays or not all(isinstance(array, library.Array) for array in arrays):
        raise TypeError(f"{WHAT} takes a function and dask arrays; got {arrays!r}")
    for array in arrays:
        if from_numpy(array.dtype) is None:
            raise TypeError(f"{WHAT}: {array!r} is of {array.dtype}, which no tensor has")
        if array.ndim != arrays[0].ndim or _text(array.shape) != _text(arrays[0].shape):
            shapes = ", ".join(str(one.shape) for one in arrays)
            raise ShapeMismatchError(f"{WHAT}: the arrays have one shape; they have {shapes}; use broadcast_to")
    return arrays


def _text(shape: Sequence[Any]) -> str:
    """Sizes that Dask does not know are NaN, which is not equal to itself."""
    return str(tuple(shape))


def _list(axes: int | Sequence[int]) -> list[int]:
    return [axes] if isinstance(axes, int) else list(axes)


def _axes(axes: int | Sequence[int], rank: int) -> list[int]:
    found = [axis + rank if axis < 0 else axis for axis in _list(axes)]
    if any(not 0 <= axis < rank for axis in found):
        raise ShapeMismatchError(f"{WHAT}: the arrays have {rank} axes; drop_axis is {axes!r}")
    return found
