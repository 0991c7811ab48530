"""Tensors put together or made like others: `np.concatenate`, `np.hstack`, `np.meshgrid`, `np.zeros_like`, ...

    np.concatenate([i, f])    int32, float32   ->   concat([cast(i, float64), cast(f, float64)], 0)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import as_dtype
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    default_dtype,
    floating,
    operand,
    rank_of,
    shape_of,
    tensor,
    to,
    together,
    wanted_shape,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import at_least
from runtime.tensor.tensor import Tensor

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
    parts = _alike(arrays, dtype)
    return call("concat", parts, axis) if axis is not None else call("concat", [flat(part) for part in parts], 0)


@TABLE.of(np.stack)
def _stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    return call("stack", _alike(arrays, dtype), axis)


@TABLE.of(np.vstack)
def _vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    return call("concat", [at_least(part, 2) for part in _alike(tup, dtype)], 0)


@TABLE.of(np.hstack)
def _hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    parts = [at_least(part, 1) for part in _alike(tup, dtype)]
    return call("concat", parts, 0 if rank_of(parts[0], "hstack") == 1 else 1)


@TABLE.of(np.dstack)
def _dstack(tup: Any) -> Any:
    parts = [at_least(part, 2) for part in _alike(tup, None)]
    return call("concat", [p if rank_of(p, "dstack") > 2 else call("expand_dims", p, axis=2) for p in parts], 2)


@TABLE.of(np.column_stack)
def _column_stack(tup: Any) -> Any:
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
    value = to(operand(fill_value), x.dtype.numpy if dtype is None else as_dtype(dtype).numpy)
    dims = call("shape", x) if shape is None else wanted_shape(shape)
    return call("broadcast_to", value, dims)


TABLE.update({np.zeros_like: _like(0), np.ones_like: _like(1), np.empty_like: _like(0)})


@TABLE.of(np.linspace)
def _linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    first, last = together(start, stop)
    if first.dtype.kind not in ("float", "complex"):
        first, last = floating(first), floating(last)
    if retstep or axis != 0 or (first.shape.rank, last.shape.rank) != (0, 0):
        raise NotCovered("start and stop are scalars, without retstep and axis")
    if not endpoint:
        steps = to(tensor(num), first.dtype.numpy)
        last = call("subtract", last, call("divide", call("subtract", last, first), steps))
    count = to(num, np.int64) if isinstance(num, Tensor) and num.dtype.is_integer else num
    return to(call("linspace", first, last, count), first.dtype.numpy if dtype is None else dtype)


@TABLE.of(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    x = flat(tensor(arr)) if axis is None else tensor(arr)
    if np.ndim(obj):
        raise NotCovered("obj is one position; join slices with np.concatenate")
    place = axis_of(x, 0 if axis is None else axis, "insert")
    rest = list(shape_of(x, "insert"))
    rest[place] = 1
    part = call("broadcast_to", to(operand(values), x.dtype.numpy), rest)
    before = [slice(None)] * place
    return call("concat", [x[(*before, slice(None, obj))], part, x[(*before, slice(obj, None))]], place)
