"""numpy's functions that write to an array that they are given, on traced arrays.

    np.copyto(a, b, where=mask)      a = where(mask, b, a), in place
    np.put(a, [0, 2], v)             a.flat[[0, 2]] = v
    np.add.at(a, [0, 0], 1)          each position as often as it comes
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np

from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import TracedArray, as_value
from runtime.ndarrays.views import flat
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.indexing import index_tensor
from runtime.tensor.numpy_calls.operands import Table, call, operand, to
from runtime.tensor.tensor import Operators

__all__ = ["METHODS", "WRITES"]



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


def _target(name: str, target: Any) -> TracedArray:
    return target if isinstance(target, TracedArray) else _refuse(name, target)


def _tensor(value: Any) -> Any:
    value = operand(value)
    return value if isinstance(value, Operators) else convert_to_tensor(value)


@WRITES.of(np.copyto)
def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    dst = _target("copyto", dst)
    given = operand(src)
    dtype = given.dtype.numpy if isinstance(given, Operators) else given
    if not np.can_cast(np.result_type(dtype) if not np.isscalar(dtype) else np.min_scalar_type(dtype),
                       dst.dtype.numpy, casting):  # type: ignore[arg-type]  # fmt: skip
        raise TypeError(f"Cannot cast array data to dtype({dst.dtype.name!r}) according to the rule {casting!r}")
    if where is True:
        dst.write(src)
    else:
        dst.write(call("where", _tensor(where), as_value(src, dst.dtype), dst.value()))


@WRITES.of(np.place)
def _place(arr: Any, mask: Any, vals: Any) -> None:
    arr = _target("place", arr)
    chosen = call("reshape", to(_tensor(mask), np.bool_), [-1])
    values = call("reshape", as_value(vals, arr.dtype), [-1])
    numbers = call("subtract", call("cumsum", to(chosen, np.int64)), 1)
    taken = call("gather", values, call("floormod", call("maximum", numbers, 0), call("size", values, np.int64)))
    board = flat(arr)
    board.write(call("where", chosen, taken, board.value()))


@WRITES.of(np.putmask)
def _putmask(a: Any, mask: Any, values: Any) -> None:
    a = _target("putmask", a)
    board = flat(a)
    given = call("reshape", as_value(values, a.dtype), [-1])
    size = call("size", a.value(), np.int64)
    numbers = call("floormod", _counted(size), call("size", given, np.int64))
    chosen = call("reshape", to(_tensor(mask), np.bool_), [-1])
    board.write(call("where", chosen, call("gather", given, numbers), board.value()))


def _counted(size: Any) -> Any:
    return call("range", to(0, np.int64), size, to(1, np.int64))


@WRITES.of(np.put)
def _put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    a = _target("put", a)
    places = call("reshape", to(_tensor(ind), np.int64), [-1])
    size = call("size", a.value(), np.int64)
    if mode == "wrap":
        places = call("floormod", places, size)
    elif mode == "clip":
        places = call("clip_by_value", places, to(0, np.int64), call("subtract", size, to(1, np.int64)))
    values = call("reshape", as_value(v, a.dtype), [-1])
    many = call("floormod", _counted(call("size", places, np.int64)), call("size", values, np.int64))
    flat(a)[places] = call("gather", values, many)


@WRITES.of(np.fill_diagonal)
def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    a = _target("fill_diagonal", a)
    if a.layout is None:
        raise TypeError("np.fill_diagonal needs to know the shape: fix it with set_shape")
    numbers = np.arange(a.layout.size).reshape(a.layout.shape)
    marks = np.zeros(a.layout.shape, np.bool_)
    np.fill_diagonal(marks, True, wrap=wrap)
    board, places = flat(a), numbers[marks]
    if np.ndim(val) == 0 and not (isinstance(val, Operators) and val.shape.rank != 0):
        board[places] = val
    else:
        _put(a, places, val)


@WRITES.of(np.put_along_axis)
def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    arr = _target("put_along_axis", arr)
    if axis is None:
        flat(arr)[_tensor(indices)] = values
        return
    positions = _tensor(indices)
    if arr.layout is None or not positions.shape.is_fully_defined():
        raise TypeError("np.put_along_axis needs to know the shapes: fix them with set_shape")
    rank, dims = arr.layout.ndim, positions.shape.as_tuple()
    key = [np.arange(dims[n]).reshape([-1 if i == n else 1 for i in range(rank)]) for n in range(rank)]
    arr[tuple(positions if n == axis % rank else part for n, part in enumerate(key))] = values


# -- ufunc.at

_SCATTERED: Final = {
    np.add: "tensor_scatter_nd_add", np.subtract: "tensor_scatter_nd_sub", np.maximum: "tensor_scatter_nd_max",
    np.minimum: "tensor_scatter_nd_min",
}  # fmt: skip


@WRITES.of(np.ufunc.at)
def _at(ufunc: np.ufunc, a: Any, indices: Any, b: Any = None) -> None:
    a = _target(f"{ufunc.__name__}.at", a)
    if a.layout is None:
        raise TypeError(f"np.{ufunc.__name__}.at needs to know the shape: fix it with set_shape")
    if b is None:
        raise TypeError(f"np.{ufunc.__name__}.at with one operand has no operation; write a[i] = np.{ufunc.__name__}")
    if ufunc not in _SCATTERED:
        raise TypeError(f"np.{ufunc.__name__}.at has no operation: write the loop over the positions")
    numbers = convert_to_tensor(np.arange(a.layout.size).reshape(a.layout.shape))
    places = index_tensor(numbers, indices)
    values = call("broadcast_to", as_value(b, a.dtype), call("shape", places))
    flat_places = call("reshape", places, [-1, 1])
    board = flat(a)
    board.write(call(_SCATTERED[ufunc], board.value(), flat_places, call("reshape", values, [-1])))


# -- methods


def _fill(self: TracedArray, value: Any) -> None:
    self.write(value)


def _sort(self: TracedArray, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
    self.write(np.sort(self.value(), axis=axis))


def _partition(self: TracedArray, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    self.write(np.sort(self.value(), axis=axis))


def _resize(self: TracedArray, *shape: Any, refcheck: bool = True) -> NoReturn:
    raise TypeError("a.resize(...) would move the memory of an array that a graph works on: take np.resize(a, shape)")


def _byteswap(self: TracedArray, inplace: bool = False) -> NoReturn:
    raise TypeError("a.byteswap() has no operation: change the bytes before the graph")


def _copied(self: TracedArray, order: str = "C") -> TracedArray:
    return self.__copy__()


def _astype(
    self: TracedArray, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    made = self.value().astype(dtype, order, casting)
    if made is self.value() and not copy:
        return self
    return TracedArray(Buffer(made))


def _flattened(self: TracedArray, order: str = "C") -> Any:
    rows: Any = np.transpose(self) if order == "F" else self
    return TracedArray(Buffer(call("reshape", rows.value(), [-1])))


METHODS: Final[dict[str, Callable[..., Any]]] = {
    "fill": _fill,
    "sort": _sort,
    "partition": _partition,
    "put": lambda self, indices, values, mode="raise": _put(self, indices, values, mode),
    "resize": _resize,
    "byteswap": _byteswap,
    "copy": _copied,
    "flatten": _flattened,
    "astype": _astype,
}
"""The methods of arrays that write, or that copy."""
