"""numpy's functions that write to an array that they are given, on traced arrays.

    np.copyto(a, b, where=mask)      a = where(mask, b, a), in place
    np.put(a, [0, 2], v)             a.flat[[0, 2]] = v
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np

from runtime.ndarrays.layout import known_layout, needs_shape
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import TracedArray, as_value, fresh
from runtime.ndarrays.views import flat
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.numpy_calls.operands import Table, call, operand, to
from runtime.tensor.tensor import Operators

__all__ = ["METHODS", "WRITES", "counted", "target_of", "tensor_of"]


class _Writes(Table):
    """The table of functions that write to their first argument."""

    def targets(self, function: Any, args: Any, kwargs: Any) -> list[TracedArray]:
        """The traced arrays that a call writes to."""
        first = list(args[:1]) if function in self or getattr(function, "__name__", "") == "at" else []
        out = kwargs.get("out")
        found = [*first, *(out if isinstance(out, tuple) else (out,))]
        return [target for target in found if isinstance(target, TracedArray)]


WRITES: Final = _Writes()


def _refuse(name: str, target: Any) -> NoReturn:
    restart(target)
    raise TypeError(
        f"np.{name} would write what only the graph knows to {type(target).__name__}: tensors never change. Write to an"
        " array, or take a function that returns a new one, as np.where"
    )


def target_of(name: str, target: Any) -> TracedArray:
    """What a function of this name writes to. Raises TypeError for what is no traced array."""
    return target if isinstance(target, TracedArray) else _refuse(name, target)


def tensor_of(value: Any) -> Any:
    """An operand of numpy as a tensor."""
    value = operand(value)
    return value if isinstance(value, Operators) else convert_to_tensor(value)


@WRITES.of(np.copyto)
def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    dst = target_of("copyto", dst)
    given = operand(src)
    dtype = given.dtype.numpy if isinstance(given, Operators) else given
    if not np.can_cast(np.result_type(dtype) if not np.isscalar(dtype) else np.min_scalar_type(dtype),
                       dst.dtype.numpy, casting):  # type: ignore[arg-type]  # fmt: skip
        raise TypeError(f"Cannot cast array data to dtype({dst.dtype.name!r}) according to the rule {casting!r}")
    if where is True:
        dst.write(src)
    else:
        dst.write(call("where", tensor_of(where), as_value(src, dst.dtype), dst.value()))


@WRITES.of(np.place)
def _place(arr: Any, mask: Any, vals: Any) -> None:
    arr = target_of("place", arr)
    chosen = call("reshape", to(tensor_of(mask), np.bool_), [-1])
    values = call("reshape", as_value(vals, arr.dtype), [-1])
    numbers = call("subtract", call("cumsum", to(chosen, np.int64)), 1)
    taken = call("gather", values, call("floormod", call("maximum", numbers, 0), call("size", values, np.int64)))
    board = flat(arr)
    board.write(call("where", chosen, taken, board.value()))


@WRITES.of(np.putmask)
def _putmask(a: Any, mask: Any, values: Any) -> None:
    a = target_of("putmask", a)
    board = flat(a)
    given = call("reshape", as_value(values, a.dtype), [-1])
    size = call("size", a.value(), np.int64)
    numbers = call("floormod", counted(size), call("size", given, np.int64))
    chosen = call("reshape", to(tensor_of(mask), np.bool_), [-1])
    board.write(call("where", chosen, call("gather", given, numbers), board.value()))


def counted(size: Any) -> Any:
    """The numbers from 0 on, so many. size: an int64 tensor."""
    return call("range", to(0, np.int64), size, to(1, np.int64))


@WRITES.of(np.put)
def _put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    a = target_of("put", a)
    places = call("reshape", to(tensor_of(ind), np.int64), [-1])
    size = call("size", a.value(), np.int64)
    if mode == "wrap":
        places = call("floormod", places, size)
    elif mode == "clip":
        places = call("clip_by_value", places, to(0, np.int64), call("subtract", size, to(1, np.int64)))
    values = call("reshape", as_value(v, a.dtype), [-1])
    many = call("floormod", counted(call("size", places, np.int64)), call("size", values, np.int64))
    flat(a)[places] = call("gather", values, many)


@WRITES.of(np.fill_diagonal)
def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    a = target_of("fill_diagonal", a)
    layout = known_layout(a, "np.fill_diagonal")
    numbers = np.arange(layout.size).reshape(layout.shape)
    marks = np.zeros(layout.shape, np.bool_)
    np.fill_diagonal(marks, True, wrap=wrap)
    board, places = flat(a), numbers[marks]
    if np.ndim(val) == 0 and not (isinstance(val, Operators) and val.shape.rank != 0):
        board[places] = val
    else:
        _put(a, places, val)


@WRITES.of(np.put_along_axis)
def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    arr = target_of("put_along_axis", arr)
    if axis is None:
        flat(arr)[tensor_of(indices)] = values
        return
    positions = tensor_of(indices)
    if not positions.shape.is_fully_defined():
        raise needs_shape("np.put_along_axis")
    rank, dims = known_layout(arr, "np.put_along_axis").ndim, positions.shape.as_tuple()
    key = [np.arange(dims[n]).reshape([-1 if i == n else 1 for i in range(rank)]) for n in range(rank)]
    arr[tuple(positions if n == axis % rank else part for n, part in enumerate(key))] = values


# -- methods


def _sort(self: TracedArray, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
    self.write(np.sort(self.value(), axis=axis))


def _partition(self: TracedArray, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    self.write(np.sort(self.value(), axis=axis))


def _astype(
    self: TracedArray, dtype: Any, order: Any = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    array = self.known()
    if array is not None:
        found = array.astype(getattr(dtype, "numpy", dtype), order, casting, True, copy)
        return self if found is array else fresh(found)
    made = self.value().astype(dtype, order, casting, copy=False)
    if made is self.value() and not copy:
        return self
    return fresh(made, None if self.layout is None else np.empty_like(self.layout, order=order))


def _flattened(self: Any, order: Any = "C") -> Any:
    made: Any = np.ravel(self, order=order)
    return made if {*made.buffers}.isdisjoint(self.buffers) else made.__copy__()


METHODS: Final[dict[str, Callable[..., Any]]] = {
    "fill": lambda self, value: self.write(value),
    "sort": _sort,
    "partition": _partition,
    "put": lambda self, indices, values, mode="raise": _put(self, indices, values, mode),
    "copy": TracedArray.__copy__,
    "item": lambda self, *position: self.shown().item(*position),
    "flatten": _flattened,
    "astype": _astype,
    **dict.fromkeys(("conj", "conjugate"), lambda self: np.conjugate(self) if self.dtype.is_complex else self),
}
"""The methods of arrays that write, or that copy."""
