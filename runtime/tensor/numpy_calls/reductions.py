"""Sums, means, extremes and their like: `np.sum(x, axis=0)`, `np.nanmean(x)`, `np.median(x)`, `np.cumsum(x)`.

    np.sum(i)       int32   ->   reduce_sum(cast(i, int64))
    np.mean(i)      int32   ->   reduce_mean(cast(i, float64))

Each entry has numpy's own parameters, as far as there are operations for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.masked import ABSENT, both, count, extreme, filled, mask_of, started
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    checked,
    count_of,
    floating,
    rank_of,
    tensor,
    to,
)  # fmt: skip

__all__ = ["TABLE", "WIDE"]

TABLE: Final = Table()

WIDE: Final = {"b": np.int64, "i": np.int64, "u": np.uint64}
"""What sums and products of integers and bools are of, by the kind of the dtype."""


def flat(x: Any) -> Any:
    return call("reshape", x, [-1])


def _summed(a: Any, dtype: Any) -> Any:
    """What a sum works in: integers are as wide as they can be."""
    x = tensor(a)
    return to(x, WIDE.get(x.dtype.numpy.kind, x.dtype.numpy) if dtype is None else dtype)


def _sum_like(name: str, combine: str, identity: int) -> Callable[..., Any]:
    def reduction(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = ABSENT,
        where: Any = True,
    ) -> Any:  # fmt: skip
        x = _summed(a, dtype)
        return started(call(name, filled(x, mask_of(x, where), identity), axis, keepdims), combine, initial)

    return reduction


def _extreme(name: str, of_two: str, bools: tuple[str, str]) -> Callable[..., Any]:
    def reduction(
        a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = ABSENT, where: Any = True
    ) -> Any:
        x = tensor(a)
        if x.dtype.is_complex:
            started_with = {} if initial is ABSENT or initial is None else {"initial": initial}
            return getattr(np, of_two).reduce(x, axis=axis, keepdims=keepdims, where=where, **started_with)
        names = bools if x.dtype.is_bool else (name, of_two)
        if initial is not ABSENT and initial is not None:
            return extreme(names, filled(x, mask_of(x, where), initial), axis, keepdims, initial)
        if where is not True:
            raise ValueError(f"{of_two} has no identity, so with a mask in `where` it needs an `initial` value")
        elements = count_of(x, axis)
        message = f"zero-size array to reduction operation {of_two} which has no identity"
        if not isinstance(elements, int):
            call("check", call("greater", elements, 0), message=message, exception="ValueError")
        elif not elements:
            raise ValueError(message)
        return call(names[0], x, axis, keepdims)

    return reduction


def _truth(name: str, identity: bool) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Any:
        x = to(tensor(a), np.bool_)
        return call(name, filled(x, mask_of(x, where), identity), axis, keepdims)

    return reduction


_max = _extreme("reduce_max", "maximum", ("reduce_any", "logical_or"))
_min = _extreme("reduce_min", "minimum", ("reduce_all", "logical_and"))

TABLE.update(
    {
        np.sum: _sum_like("reduce_sum", "add", 0), np.prod: _sum_like("reduce_prod", "multiply", 1),
        np.max: _max, np.amax: _max, np.min: _min, np.amin: _min,
        np.all: _truth("reduce_all", True), np.any: _truth("reduce_any", False),
    }
)  # fmt: skip


@TABLE.of(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return call("count_nonzero", tensor(a), axis, keepdims)


@TABLE.of(np.mean)
def _mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x = floating(a, dtype)
    return _mean_of(x, mask_of(x, where), axis, keepdims)


def _mean_of(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    """The mean of the elements that count; a mask of None stands for all."""
    if mask is None:
        return call("reduce_mean", x, axis, keepdims)
    total = call("reduce_sum", filled(x, mask, 0), axis, keepdims)
    return call("divide", total, to(count(x, mask, axis, keepdims), x.dtype.numpy))


@TABLE.of(np.var)
def _var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    where: Any = True, mean: Any = ABSENT, correction: Any = None,
) -> Any:  # fmt: skip
    x = floating(a, dtype)
    mask, freedom = mask_of(x, where), ddof if correction is None else correction
    is_whole = mask is None and mean is ABSENT and isinstance(freedom, int | float) and freedom == 0
    if is_whole and not x.dtype.is_complex:
        return call("reduce_variance", x, axis, keepdims)
    middle = _mean_of(x, mask, axis, True) if mean is ABSENT else to(tensor(mean), x.dtype.numpy)
    total = _squares(x, middle, mask, axis, keepdims)
    left = call("maximum", to(tensor(count(x, mask, axis, keepdims)), np.float64) - freedom, 0)
    return call("divide", total, to(left, total.dtype.numpy))


def _squares(x: Any, middle: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    """The sum of the squares of what the elements that count differ by from their mean; reals in any case."""
    apart = call("subtract", x, middle)
    if apart.dtype.is_complex:
        sides = (call("square", call(part, apart)) for part in ("real", "imag"))
        return call("reduce_sum", filled(call("add", *sides), mask, 0), axis, keepdims)
    return call("reduce_sum", filled(call("square", apart), mask, 0), axis, keepdims)


@TABLE.of(np.std)
def _std(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    where: Any = True, mean: Any = ABSENT, correction: Any = None,
) -> Any:  # fmt: skip
    return call("sqrt", _var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction))


@TABLE.of(np.ptp)
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    return np.subtract(np.max(tensor(a), axis=axis, keepdims=keepdims), np.min(tensor(a), axis=axis, keepdims=keepdims))


@TABLE.of(np.average)
def _average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    if weights is None:
        mean = _mean(a, axis, keepdims=keepdims)
        number = to(tensor(count_of(tensor(a), axis)), mean.dtype.numpy)
        return (mean, call("broadcast_to", number, call("shape", mean))) if returned else mean
    x, w = tensor(a), tensor(weights)
    if x.dtype.family in ("int", "uint", "bool"):
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
    is_some = call("reduce_all", call("not_equal", whole, to(0, whole.dtype.numpy)))
    checked(is_some, "Weights sum to zero, can't be normalized", "ZeroDivisionError")
    mean = call("divide", total, whole)
    return (mean, call("broadcast_to", whole, call("shape", mean))) if returned else mean


# -- positions and running sums --------------------------------------------------------------------------------------


def _position(name: str) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        x = tensor(a)
        first = "argmax" if x.dtype.is_complex else name
        x = _extremes(x, axis, name) if x.dtype.is_complex else x
        found = call(first, flat(x), 0) if axis is None else call(first, x, axis)
        if not keepdims:
            return found
        return call("expand_dims", found, axis=axis) if axis is not None else _with_ones(found, rank_of(x, name))

    return reduction


def _extremes(x: Any, axis: Any, name: str) -> Any:
    """1 where complex numbers are the greatest, or nan; else 0."""
    best = (np.max if name == "argmax" else np.min)(x, axis=axis, keepdims=True)
    return to(call("logical_or", call("equal", x, best), call("is_nan", x)), np.uint8)


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



def _cumulative(running: Any, first: int) -> Callable[..., Any]:
    def accumulation(
        x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None, include_initial: bool = False
    ) -> Any:
        values = tensor(x)
        if axis is None and rank_of(values, "cumulative_sum") > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        place = 0 if axis is None else axis_of(values, axis, "cumulative_sum")
        found = TABLE[running](values, place, dtype)
        if not include_initial:
            return found
        around = [[int(i == place), 0] for i in range(rank_of(found, "cumulative_sum"))]
        return call("pad", found, around, to(first, found.dtype.numpy))

    return accumulation


if hasattr(np, "cumulative_sum"):  # since numpy 2.1
    TABLE.update({np.cumulative_sum: _cumulative(np.cumsum, 0), np.cumulative_prod: _cumulative(np.cumprod, 1)})

# -- without nan -----------------------------------------------------------------------------------------------------


def _numbers(x: Any) -> Any:
    """Where the tensor is not nan; None if it is so nowhere."""
    return call("logical_not", call("is_nan", x)) if x.dtype.is_floating or x.dtype.is_complex else None


def _without_nan(function: Any, value: int) -> Callable[..., Any]:
    def reduction(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = ABSENT,
        where: Any = True,
    ) -> Any:  # fmt: skip
        x = tensor(a)
        return TABLE[function](filled(x, _numbers(x), value), axis, dtype, None, keepdims, initial, where)

    return reduction


def _running_without_nan(function: Any, value: int) -> Callable[..., Any]:
    def accumulation(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        x = tensor(a)
        return TABLE[function](filled(x, _numbers(x), value), axis, dtype)

    return accumulation


def _extreme_number(function: Any, worst: float, best: str) -> Callable[..., Any]:
    def reduction(
        a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = ABSENT, where: Any = True
    ) -> Any:
        x = tensor(a)
        if x.dtype.is_complex:
            return getattr(np, best).reduce(x, axis=axis, keepdims=keepdims, where=where)
        known = _numbers(x)
        found = TABLE[function](filled(x, known, worst), axis, None, keepdims, initial, where)
        if known is None or not (initial is ABSENT or initial is None):
            return found
        return call("where", call("reduce_any", known, axis, keepdims), found, np.nan)

    return reduction


TABLE.update(
    {
        np.nansum: _without_nan(np.sum, 0), np.nanprod: _without_nan(np.prod, 1),
        np.nancumsum: _running_without_nan(np.cumsum, 0), np.nancumprod: _running_without_nan(np.cumprod, 1),
        np.nanmax: _extreme_number(np.max, -np.inf, "fmax"), np.nanmin: _extreme_number(np.min, np.inf, "fmin"),
    }
)  # fmt: skip


def _position_of_number(name: Any, worst: float) -> Callable[..., Any]:
    def reduction(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        x = tensor(a)
        known = _numbers(x)
        if known is not None:
            there = call("reduce_all", call("reduce_any", known, axis))
            call("check", there, [], message="All-NaN slice encountered", exception="ValueError")
        return TABLE[name](filled(x, known, worst), axis, keepdims=keepdims)

    return reduction


TABLE.update(
    {
        np.nanargmax: _position_of_number(np.argmax, -np.inf), np.nanargmin: _position_of_number(np.argmin, np.inf),
    }
)  # fmt: skip


@TABLE.of(np.nanmean)
def _nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x = floating(a, dtype)
    return _mean_of(x, both(_numbers(x), mask_of(x, where)), axis, keepdims)


@TABLE.of(np.nanvar)
def _nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    where: Any = True, mean: Any = ABSENT, correction: Any = None,
) -> Any:  # fmt: skip
    x = floating(a, dtype)
    known, freedom = both(_numbers(x), mask_of(x, where)), ddof if correction is None else correction
    middle = _mean_of(x, known, axis, True) if mean is ABSENT else to(tensor(mean), x.dtype.numpy)
    total = _squares(x, middle, known, axis, keepdims)
    left = call("subtract", to(tensor(count(x, known, axis, keepdims)), total.dtype.numpy), freedom)
    result = call("divide", total, left)
    return call("where", call("greater", left, 0), result, np.nan)


@TABLE.of(np.nanstd)
def _nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *,
    where: Any = True, mean: Any = ABSENT, correction: Any = None,
) -> Any:  # fmt: skip
    return call("sqrt", _nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction))
