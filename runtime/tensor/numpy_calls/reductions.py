"""Sums, means, extremes and their like: `np.sum(x, axis=0)`, `np.nanmean(x)`, `np.median(x)`, `np.cumsum(x)`.

    np.sum(i)       int32   ->   reduce_sum(cast(i, int64))
    np.mean(i)      int32   ->   reduce_mean(cast(i, float64))

Each entry has numpy's own parameters, as far as there are operations for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    count_of,
    floating,
    rank_of,
    size_of,
    tensor,
    to,
)  # fmt: skip

__all__ = ["TABLE"]

TABLE: Final = Table()

_WIDE: Final = {"b": np.int64, "i": np.int64, "u": np.uint64}


def flat(x: Any) -> Any:
    return call("reshape", x, [-1])


def _summed(a: Any, dtype: Any) -> Any:
    """What a sum works in: integers are as wide as they can be."""
    x = tensor(a)
    return to(x, _WIDE.get(x.dtype.numpy.kind, x.dtype.numpy) if dtype is None else dtype)


def _sum_like(name: str) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return call(name, _summed(a, dtype), axis, keepdims)

    return reduction


def _extreme(name: str, of_bools: str) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        x = tensor(a)
        count = count_of(x, axis)
        if isinstance(count, int) and not count:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return call(of_bools if x.dtype.is_bool else name, x, axis, keepdims)

    return reduction


def _truth(name: str) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return call(name, to(tensor(a), np.bool_), axis, keepdims)

    return reduction


TABLE.update(
    {
        np.sum: _sum_like("reduce_sum"), np.prod: _sum_like("reduce_prod"),
        np.max: _extreme("reduce_max", "reduce_any"), np.min: _extreme("reduce_min", "reduce_all"),
        np.amax: _extreme("reduce_max", "reduce_any"), np.amin: _extreme("reduce_min", "reduce_all"),
        np.all: _truth("reduce_all"), np.any: _truth("reduce_any"),
    }
)  # fmt: skip


@TABLE.of(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return call("count_nonzero", tensor(a), axis, keepdims)


@TABLE.of(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    return call("reduce_mean", floating(a, dtype), axis, keepdims)


@TABLE.of(np.var)
def _var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    correction: Any = None,
) -> Any:  # fmt: skip
    x = floating(a, dtype)
    freedom = ddof if correction is None else correction
    return _variance(x, x, count_of(x, axis), axis, freedom, keepdims)


@TABLE.of(np.std)
def _std(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    correction: Any = None,
) -> Any:  # fmt: skip
    return call("sqrt", _var(a, axis, dtype, None, ddof, keepdims, correction=correction))


def _variance(x: Any, counted: Any, count: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    if isinstance(ddof, int | float) and ddof == 0 and counted is x:
        return call("reduce_variance", x, axis, keepdims)
    centred = call("subtract", x, call("reduce_mean", x, axis, True))
    total = call("reduce_sum", call("square", centred), axis, keepdims)
    left = call("maximum", to(tensor(count), np.float64) - ddof, 0)
    return call("divide", total, to(left, x.dtype.numpy))


@TABLE.of(np.ptp)
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    x = tensor(a)
    return call("subtract", call("reduce_max", x, axis, keepdims), call("reduce_min", x, axis, keepdims))


@TABLE.of(np.average)
def _average(a: Any, axis: Any = None, weights: Any = None, *, keepdims: bool = False) -> Any:
    if weights is None:
        return _mean(a, axis, keepdims=keepdims)
    x, w = tensor(a), tensor(weights)
    if x.dtype.kind in ("int", "uint", "bool"):
        x = to(x, np.float64)
    dtype = np.result_type(x.dtype.numpy, w.dtype.numpy)
    x, w = to(x, dtype), to(w, dtype)
    if w.shape.rank == 1 and axis is not None:
        place = axis_of(x, axis, "average")
        w = call("reshape", w, [-1 if i == place else 1 for i in range(rank_of(x, "average"))])
    elif w.shape.rank != x.shape.rank:
        raise NotCovered("weights of another number of dimensions need an axis and one dimension")
    total = call("reduce_sum", call("multiply", x, w), axis, keepdims)
    whole = call("reduce_sum", call("broadcast_to", w, call("shape", x)), axis, keepdims)
    return call("divide", total, whole)


# -- positions and running sums --------------------------------------------------------------------------------------


def _position(name: str) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        x = tensor(a)
        found = call(name, flat(x), 0) if axis is None else call(name, x, axis)
        if not keepdims:
            return found
        return call("expand_dims", found, axis=axis) if axis is not None else _with_ones(found, rank_of(x, name))

    return reduction


def _with_ones(x: Any, rank: int) -> Any:
    return call("reshape", x, [1] * rank)


def _running(name: str) -> Callable[..., Any]:
    def accumulation(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        x = _summed(a, dtype)
        return call(name, flat(x), 0) if axis is None else call(name, x, axis)

    return accumulation


TABLE.update(
    {
        np.argmax: _position("argmax"), np.argmin: _position("argmin"),
        np.cumsum: _running("cumsum"), np.cumprod: _running("cumprod"),
    }
)  # fmt: skip

# -- without nan -----------------------------------------------------------------------------------------------------


def _filled(a: Any, value: Any) -> tuple[Any, Any]:
    """The tensor with a number in the place of nan, and where its numbers are; None for all."""
    x = tensor(a)
    if not x.dtype.is_floating:
        return x, None
    return call("where", call("is_nan", x), value, x), call("logical_not", call("is_nan", x))


def _without_nan(function: Any, value: int) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return TABLE[function](_filled(a, value)[0], axis, dtype, None, keepdims)

    return reduction


def _running_without_nan(function: Any, value: int) -> Callable[..., Any]:
    def accumulation(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return TABLE[function](_filled(a, value)[0], axis, dtype)

    return accumulation


def _extreme_number(function: Any, worst: float) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        x, known = _filled(a, worst)
        found = TABLE[function](x, axis, None, keepdims)
        return found if known is None else call("where", call("reduce_any", known, axis, keepdims), found, np.nan)

    return reduction


TABLE.update(
    {
        np.nansum: _without_nan(np.sum, 0), np.nanprod: _without_nan(np.prod, 1),
        np.nancumsum: _running_without_nan(np.cumsum, 0), np.nancumprod: _running_without_nan(np.cumprod, 1),
        np.nanmax: _extreme_number(np.max, -np.inf), np.nanmin: _extreme_number(np.min, np.inf),
    }
)  # fmt: skip


@TABLE.of(np.nanmean)
def _nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    x, known = _filled(floating(a, dtype), 0)
    count = to(call("count_nonzero", known, axis, keepdims), x.dtype.numpy)
    return call("divide", call("reduce_sum", x, axis, keepdims), count)


@TABLE.of(np.nanvar)
def _nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False
) -> Any:
    x, known = _filled(floating(a, dtype), 0)
    mean = _nanmean(floating(a, dtype), axis, keepdims=True)
    centred = call("where", known, call("subtract", x, mean), 0)
    count = to(call("count_nonzero", known, axis, keepdims), x.dtype.numpy)
    left = call("subtract", count, ddof)
    result = call("divide", call("reduce_sum", call("square", centred), axis, keepdims), left)
    return call("where", call("greater", left, 0), result, np.nan)


@TABLE.of(np.nanstd)
def _nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False
) -> Any:
    return call("sqrt", _nanvar(a, axis, dtype, None, ddof, keepdims))


@TABLE.of(np.median)
def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    x = floating(a)
    rank = rank_of(x, "median")
    if isinstance(axis, tuple | list):
        raise NotCovered("its axis is one integer or None")
    place = 0 if axis is None else axis_of(x, axis, "median")
    line = flat(x) if axis is None else x
    ordered = call("sort", line, place)
    n = size_of(ordered, place)
    low, high, last = (call("gather", ordered, i, place) for i in ((n - 1) // 2, n // 2, n - 1))
    middle = call("where", call("is_nan", last), np.nan, call("divide", call("add", low, high), 2))
    if not keepdims:
        return middle
    return _with_ones(middle, rank) if axis is None else call("expand_dims", middle, axis=place)
