"""Order statistics: `np.median`, `np.percentile`, `np.quantile`, and the same without nan.

    np.quantile(x, 0.5, axis=0)     ->     the elements of sort(x) beside the place 0.5 * (n - 1), and what is between

A line of n elements is sorted once; the place of a quantile in it is a number from 0 to n - 1, of which each method
has its own formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.lines import as_lines, with_ones
from runtime.tensor.numpy_calls.operands import (
    Table,
    call,
    checked,
    floating,
    operand,
    rank_of,
    size_of,
    tensor,
    to,
)
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()

Places = Callable[[Any, Any], Any]


def _between(alpha: float, beta: float) -> Places:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _observed(n: Any, q: Any) -> Any:
    """The nearest one; of two the one with the even number, from 1."""
    place = n * q - 1.5
    low = np.floor(place)
    return low + 1 - to(np.logical_and(np.equal(place, low), np.equal(np.remainder(low, 2), 1)), np.float64)


_WHOLE: Final[Mapping[str, Places]] = {
    "inverted_cdf": lambda n, q: np.ceil(n * q - 1),
    "closest_observation": _observed,
    "lower": lambda n, q: np.floor((n - 1) * q),
    "higher": lambda n, q: np.ceil((n - 1) * q),
    "nearest": lambda n, q: np.rint((n - 1) * q),
}
"""Methods that take one of the elements: its place."""

_MIXED: Final[Mapping[str, Places]] = {
    "linear": lambda n, q: (n - 1) * q,
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "median_unbiased": _between(1 / 3, 1 / 3),
    "normal_unbiased": _between(3 / 8, 3 / 8),
    "midpoint": lambda n, q: 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q)),
    "averaged_inverted_cdf": lambda n, q: 0.5 * (np.ceil(n * q - 1) + np.floor(n * q)),
}
"""Methods that mix the elements before and after a place that need be no whole number."""


def _checked(q: Any) -> Any:
    """The quantiles as float64. Raises ValueError for one that is not in [0, 1]."""
    wide = to(q, np.float64)
    fits = call("reduce_all", call("logical_and", call("greater_equal", wide, 0), call("less_equal", wide, 1)))
    call("check", fits, [wide], message="Quantiles must be in the range [0, 1]: ", exception="ValueError")
    return wide


def _result_dtype(x: Any, q: Any, whole: bool) -> Any:
    """A Python number among the quantiles is weak."""
    if whole:
        return x.dtype.numpy
    if not isinstance(q, Tensor) and type(q) in (int, float):
        return np.result_type(x.dtype.numpy, 0.5)
    return np.result_type(x.dtype.numpy, q.dtype.numpy if isinstance(q, Tensor) else np.asarray(q).dtype, 0.5)


def _quantiles(a: Any, q: Any, axis: Any, method: str, keepdims: bool, without_nan: bool) -> Any:
    x = tensor(a)
    if method not in _WHOLE and method not in _MIXED:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join([*_WHOLE, *_MIXED])}")
    if x.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    if x.dtype.is_bool and method in _MIXED:
        raise TypeError("np.quantile: there is nothing between bools. Use x.astype(int), or method='nearest'")
    dtype = _result_dtype(x, q, method in _WHOLE)
    wanted = _checked(q)
    lines, axes = as_lines(x, axis, "quantile")
    ordered = call("sort", to(lines, np.uint8) if x.dtype.is_bool else lines, -1)
    asked = call("reshape", wanted, [-1])
    found = to(_at_places(ordered, asked, method, dtype, without_nan and x.dtype.is_floating), dtype)
    return _arranged(found, wanted, axes if keepdims else None, x)


def _arranged(found: Any, wanted: Any, axes: Any, x: Any) -> Any:
    """The result: the quantiles, which are the last axis of what was found, in their shape in front of the lines.

    axes: those of x that stay, with size 1, if they do.
    """
    rank = rank_of(found, "quantile")
    found = call("transpose", found, [rank - 1, *range(rank - 1)])
    if axes is not None:
        found = with_ones(found, [axis + 1 for axis in axes], rank_of(x, "quantile") + 1)
    if rank_of(wanted, "quantile") < 2:
        return found if rank_of(wanted, "quantile") else found[0]
    return call("reshape", found, call("concat", [call("shape", wanted), call("shape", found)[1:]], axis=0))


def _at_places(ordered: Any, q: Any, method: str, kind: Any, without_nan: bool) -> Any:
    """The elements of sorted lines at each quantile, as a new last axis. kind: the dtype in which they are mixed."""
    size = size_of(ordered, -1)
    if without_nan:
        count = call("count_nonzero", call("logical_not", call("is_nan", ordered)), -1, True)
    else:
        count = to(size, np.int64)
    last = call("maximum", call("subtract", count, 1), 0)
    places = (_WHOLE.get(method) or _MIXED[method])(to(count, np.float64), q)
    places = np.minimum(np.maximum(places, 0), to(last, np.float64))
    low = call("floor", places)
    below = _elements(ordered, to(low, np.int64), without_nan)
    if method in _WHOLE:
        found = below
    else:
        above = _elements(ordered, to(call("ceil", places), np.int64), without_nan)
        found = _mixed(below, above, to(call("subtract", places, low), kind), kind)
    if not ordered.dtype.is_floating or without_nan:
        return found
    final = ordered[..., -1:]
    return call("where", call("is_nan", final), to(final, found.dtype.numpy), found)


def _mixed(below: Any, above: Any, part: Any, kind: Any) -> Any:
    """What is between two elements, from the nearer one; what is between them is taken in their own dtype, in which
    integers wrap around, as NumPy does."""
    rise = to(call("subtract", above, below), kind)
    same, below, above = call("equal", above, below), to(below, kind), to(above, kind)
    low = call("add", below, call("multiply", rise, part))
    high = call("subtract", above, call("multiply", rise, call("subtract", 1, part)))
    return call("where", same, below, call("where", call("less", part, 0.5), low, high))


def _elements(ordered: Any, places: Any, each: bool) -> Any:
    """The elements at places, which are those of all lines, or each line has its own."""
    if not each:
        return call("gather", ordered, places, rank_of(ordered, "quantile") - 1)
    return call("take_along_axis", ordered, places, -1)


def _family(scale: float, without_nan: bool) -> Callable[..., Any]:
    def function(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
        keepdims: bool = False, *, weights: Any = None,
    ) -> Any:  # fmt: skip
        q = operand(q)
        share = q if scale == 1 else q / scale if type(q) in (int, float) else np.true_divide(q, scale)
        if weights is None:
            return _quantiles(a, share, axis, method, keepdims, without_nan)
        if method != "inverted_cdf":
            raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
        return _weighted(a, share, axis, keepdims, weights, without_nan)

    return function


def _weighted(a: Any, q: Any, axis: Any, keepdims: bool, weights: Any, without_nan: bool) -> Any:
    """The first elements up to which a line has the share q of its weight; a line of nothing but nan has nan."""
    x, heavy = tensor(a), to(tensor(weights), np.float64)
    wanted = _checked(q)
    lines, axes = as_lines(x, axis, "quantile")
    heavy = _beside_lines(heavy, x, axis, lines)
    without_nan, empty = without_nan and x.dtype.is_floating, None
    if without_nan:
        is_nan = call("is_nan", lines)
        empty = call("reduce_all", is_nan, -1, True)
        lines = call("where", is_nan, to(np.inf, x.dtype.numpy), lines)  # which are the last ones then
        heavy = call("where", empty, 1.0, call("where", is_nan, 0.0, heavy))
    checked(call("reduce_all", call("greater_equal", heavy, 0)), "Weights must be non-negative.")
    order = call("argsort", lines, -1)
    ordered = call("take_along_axis", lines, order, -1)
    summed = call("cumsum", call("take_along_axis", heavy, order, -1), -1)
    share = call("divide", summed, summed[..., -1:])
    fits = call("logical_not", call("reduce_any", call("is_nan", share[..., -1])))
    checked(fits, "Weights included NaN, inf or were all zero.")
    share = call("where", call("equal", share, 0), -1, share)  # what has no weight is no quantile
    if isinstance(q, Tensor | np.ndarray | np.generic) and np.dtype(getattr(q.dtype, "numpy", q.dtype)).kind == "f":
        share = to(to(share, getattr(q.dtype, "numpy", q.dtype)), np.float64)
    asked = call("reshape", wanted, [-1, 1])
    places = call("count_nonzero", call("less", call("expand_dims", share, axis=-2), asked), -1)
    last = call("subtract", to(size_of(ordered, -1), np.int64), 1)
    found = call("take_along_axis", ordered, call("minimum", places, last), -1)
    if x.dtype.is_floating:
        final = ordered[..., -1:]
        found = call("where", call("is_nan", final), final, found)
    if without_nan:
        found = call("where", empty, to(np.nan, x.dtype.numpy), found)
    return _arranged(found, wanted, axes if keepdims else None, x)


def _beside_lines(weights: Any, x: Any, axis: Any, lines: Any) -> Any:
    """The weights of the elements of lines: there are as many as elements, or as many as along one axis."""
    if rank_of(weights, "quantile") == rank_of(x, "quantile"):
        if not weights.shape.is_compatible_with(x.shape):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        return as_lines(weights, axis, "quantile")[0]
    if not isinstance(axis, int) or rank_of(weights, "quantile") != 1:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    return call("broadcast_to", weights, call("shape", lines))


def _complex_median(x: Any, axis: Any, keepdims: bool, without_nan: bool) -> Any:
    lines, axes = as_lines(x, axis, "median")
    ordered = np.sort(lines, axis=-1)  # nan last
    if without_nan:
        size = call("count_nonzero", call("equal", ordered, ordered), -1, True)
    else:
        size = call("reshape", to(size_of(ordered, -1), np.int64), [1])
    places = [call("floordiv", n, 2) for n in (call("maximum", call("subtract", size, 1), 0), size)]
    below, above = (_elements(ordered, place, without_nan) for place in places)
    found = call("where", call("equal", *places), below, call("divide", call("add", below, above), 2))
    if not without_nan:
        final = ordered[..., -1:]
        found = call("where", call("not_equal", final, final), final, found)
    return _arranged(found, tensor(0.5), axes if keepdims else None, x)


def _median(without_nan: bool) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
    ) -> Any:
        x = floating(a)
        if x.dtype.is_complex:
            return _complex_median(x, axis, keepdims, without_nan)
        found = _quantiles(x, 0.5, axis, "linear", keepdims, without_nan)
        return to(found, x.dtype.numpy)

    return function


TABLE.update(
    {
        np.median: _median(False), np.nanmedian: _median(True),
        np.quantile: _family(1, False), np.nanquantile: _family(1, True),
        np.percentile: _family(100, False), np.nanpercentile: _family(100, True),
    }
)  # fmt: skip
