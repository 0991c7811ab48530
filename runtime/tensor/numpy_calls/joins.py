"""Tensors put together or made like others: `np.concatenate`, `np.hstack`, `np.meshgrid`, `np.zeros_like`, ...

    np.concatenate([i, f])    int32, float32   ->   concat([cast(i, float64), cast(f, float64)], 0)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    Table,
    call,
    default_dtype,
    operand,
    rank_of,
    shape_of,
    size_of,
    tensor,
    to,
    wanted_shape,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import at_least

__all__ = ["TABLE"]

TABLE: Final = Table()


def _alike(arrays: Any, dtype: Any) -> list[Any]:
    """The tensors of a list (or the rows of one tensor), in one dtype. numpy takes Python numbers for arrays here."""
    parts = [operand(a) for a in (arrays if isinstance(arrays, list | tuple) else tensor(arrays))]
    wanted = np.result_type(*map(default_dtype, parts)) if dtype is None else np.dtype(dtype)
    return [to(part, wanted) for part in parts]


@TABLE.of(np.concatenate)
def _concatenate(
    arrays: Any, /, axis: int | None = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    if (rows := _many(arrays, dtype)) is not None:
        return flat(rows) if axis is None else _after_each_other(rows, axis)
    parts = _alike(arrays, dtype)
    return call("concat", parts, axis) if axis is not None else call("concat", [flat(part) for part in parts], 0)


def _many(arrays: Any, dtype: Any) -> Any:
    """The rows of a tensor of which only the run knows how many there are; else None."""
    if isinstance(arrays, list | tuple):
        return None
    rows = tensor(arrays)
    if rank_of(rows, "concatenate") and isinstance(size_of(rows, 0), int):
        return None
    return rows if dtype is None else to(rows, np.dtype(dtype))


def _after_each_other(rows: Any, axis: int) -> Any:
    rank = rank_of(rows, "concatenate")
    if rank < 2:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    place = axis + rank - 1 if axis < 0 else axis
    order = [*range(1, place + 1), 0, *range(place + 1, rank)]
    sizes = list(shape_of(call("transpose", rows, order), "concatenate"))
    sizes[place : place + 2] = [sizes[place] * sizes[place + 1]]
    return call("reshape", call("transpose", rows, order), sizes)


@TABLE.of(np.stack)
def _stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    if (rows := _many(arrays, dtype)) is not None:
        return SHAPES[np.moveaxis](rows, 0, axis)
    return call("stack", _alike(arrays, dtype), axis)


@TABLE.of(np.vstack)
def _vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    if (rows := _many(tup, dtype)) is not None:
        return call("reshape", rows, [-1, 1]) if rank_of(rows, "vstack") == 1 else (
            rows if rank_of(rows, "vstack") == 2 else _after_each_other(rows, 0)
        )
    return call("concat", [at_least(part, 2) for part in _alike(tup, dtype)], 0)


@TABLE.of(np.hstack)
def _hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    if (rows := _many(tup, dtype)) is not None:
        return flat(rows) if rank_of(rows, "hstack") < 3 else _after_each_other(rows, 1)
    parts = [at_least(part, 1) for part in _alike(tup, dtype)]
    return call("concat", parts, 0 if rank_of(parts[0], "hstack") == 1 else 1)


@TABLE.of(np.dstack)
def _dstack(tup: Any) -> Any:
    parts = [at_least(part, 2) for part in _alike(tup, None)]
    return call("concat", [p if rank_of(p, "dstack") > 2 else call("expand_dims", p, axis=2) for p in parts], 2)


@TABLE.of(np.column_stack)
def _column_stack(tup: Any) -> Any:
    if (rows := _many(tup, None)) is not None:
        rank = rank_of(rows, "column_stack")
        if rank < 2:
            return at_least(rows, 2)
        return call("transpose", rows) if rank == 2 else _after_each_other(rows, 1)
    parts = [at_least(part, 1) for part in _alike(tup, None)]
    return call("concat", [p if rank_of(p, "column_stack") > 1 else call("expand_dims", p, axis=1) for p in parts], 1)


@TABLE.of(np.append)
def _append(arr: Any, values: Any, axis: int | None = None) -> Any:
    return _concatenate([arr, values], axis)


@TABLE.of(np.broadcast_arrays)
def _broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    parts = [tensor(a) for a in args]
    shape = _common_shape(parts)
    return tuple(call("broadcast_to", part, shape) for part in parts)


def _common_shape(parts: Sequence[Any]) -> Any:
    """The shape of all tensors broadcast together, as a tensor."""
    empty = [call("cast", call("zeros_like", part), np.float32) for part in parts]
    whole = empty[0]
    for other in empty[1:]:
        whole = call("add", whole, other)
    return call("shape", whole)


@TABLE.of(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Any, ...]:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    count = len(xi)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[0], order[1] = 1, 0
    grids = []
    for place, x in zip(order, xi, strict=True):
        grids.append(call("reshape", tensor(x), [-1 if i == place else 1 for i in range(count)]))
    return tuple(grids) if sparse else _broadcast_arrays(*grids)


# -- new tensors -----------------------------------------------------------------------------------------------------


def _like(value: int) -> Callable[..., Any]:
    def function(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
        return _full_like(a, value, dtype, order, subok, shape)

    return function


@TABLE.of(np.full_like)
def _full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    x = tensor(a)
    value = to(operand(fill_value), x.dtype.numpy if dtype is None else np.dtype(getattr(dtype, "numpy", dtype)))
    dims = call("shape", x) if shape is None else wanted_shape(shape)
    return call("broadcast_to", value, dims)


TABLE.update({np.zeros_like: _like(0), np.ones_like: _like(1), np.empty_like: _like(0)})
