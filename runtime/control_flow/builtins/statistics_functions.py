"""Python's `statistics` in converted code: `statistics.mean(values)` of tensors, of lists of them, or of a vector.

    statistics.stdev([a, b, 3])        # float64 where a and b are integers, else their dtype

What Python gives as an integer (the mean of [1, 3]) is a float of the same value here.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.control_flow.builtins.number_items import adapting, as_float, floats, items_in, row_of
from runtime.control_flow.loops.iteration import length_of
from runtime.control_flow.optional.flags import ensure, equal
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["FUNCTIONS"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def _row(name: str, data: Any, least: int) -> tuple[Any, Any, bool]:
    """The numbers as a vector of floats, how many they are as such a float, and whether what is made of them adapts."""
    row, adapts = row_of(name, data)
    count = length_of(row)
    _ensure_count(name, count, least)
    return row, as_float(count, row.dtype, name), adapts


def _ensure_count(name: str, count: Any, least: int) -> None:
    number = "one data point" if least == 1 else "two data points"
    ensure(count >= least, statistics.StatisticsError(f"{name} requires at least {number}"))


def _mean(data: Any) -> Any:
    row, count, adapts = _row("mean", data, 1)
    return adapting(ops.reduce_sum(row) / count, adapts)


def _weighted_mean(data: Any, weights: Any = None) -> Any:
    if weights is None:
        return _mean(data)
    (row, weight), adapts = _pair("fmean", data, weights, 1, "data and weights must be the same length")
    total = ops.reduce_sum(weight)
    ops.check(ops.not_equal(total, 0), message="sum of weights must be non-zero", exception="ValueError")
    return adapting(ops.reduce_sum(row * weight) / total, adapts)


def _pair(name: str, x: Any, y: Any, least: int, message: str) -> tuple[tuple[Any, Any], bool]:
    """Two vectors of as many floats of one dtype each."""
    (first, first_adapts), (second, second_adapts) = row_of(name, x), row_of(name, y)
    count = length_of(first)
    ensure(equal(count, length_of(second)), statistics.StatisticsError(message))
    _ensure_count(name, count, least)
    wide = max(first.dtype, second.dtype, key=lambda dtype: dtype.size)
    return (as_float(first, wide, name), as_float(second, wide, name)), first_adapts and second_adapts


def _deviations(name: str, x: Any, y: Any) -> tuple[Any, Any, Any, Any, bool]:
    message = f"{name.replace('_', ' ')} requires that both inputs have same number of data points"
    rows, adapts = _pair(name.replace("_", " "), x, y, 2, message)
    means = [ops.reduce_sum(row) / as_float(length_of(row), row.dtype, name) for row in rows]
    return rows[0] - means[0], rows[1] - means[1], *means, adapts


def _covariance(x: Any, y: Any, /) -> Any:
    a, b, *_, adapts = _deviations("covariance", x, y)
    return adapting(ops.reduce_sum(a * b) / as_float(length_of(a) - 1, a.dtype, "covariance"), adapts)


def _correlation(x: Any, y: Any, /) -> Any:
    a, b, *_, adapts = _deviations("correlation", x, y)
    sizes = ops.reduce_sum(ops.square(a)), ops.reduce_sum(ops.square(b))
    varies = ops.not_equal(sizes[0] * sizes[1], 0)
    ops.check(varies, message="at least one of the inputs is constant", exception="ValueError")
    return adapting(ops.reduce_sum(a * b) / ops.sqrt(sizes[0] * sizes[1]), adapts)


def _linear_regression(x: Any, y: Any, /, *, proportional: bool = False) -> Any:
    a, b, mean_x, mean_y, adapts = _deviations("linear_regression", x, y)
    if proportional:
        a, b = a + mean_x, b + mean_y
    size = ops.reduce_sum(ops.square(a))
    ops.check(ops.not_equal(size, 0), message="x is constant", exception="ValueError")
    slope = ops.reduce_sum(a * b) / size
    intercept = ops.zeros_like(slope) if proportional else mean_y - slope * mean_x
    return statistics.LinearRegression(adapting(slope, adapts), adapting(intercept, adapts))


def _geometric_mean(data: Any) -> Any:
    row, count, adapts = _row("geometric_mean", data, 1)
    is_positive = ops.reduce_all(row > 0)
    message = "geometric mean requires a non-empty dataset containing positive numbers"
    ops.check(is_positive, message=message, exception="ValueError")
    return adapting(ops.exp(ops.reduce_sum(ops.log(row)) / count), adapts)


def _harmonic_mean(data: Any, weights: Any = None) -> Any:
    if weights is None:
        row, total, adapts = _row("harmonic_mean", data, 1)
        parts: Any = 1 / row
    else:
        (row, weight), adapts = _pair("harmonic_mean", data, weights, 1, "Number of weights does not match data size")
        total, parts = ops.reduce_sum(weight), weight / row
    is_positive = ops.reduce_all(row >= 0)
    ops.check(is_positive, message="harmonic mean does not support negative values", exception="ValueError")
    return adapting(total / ops.reduce_sum(parts), adapts)


def _spread(name: str, given: str, of_sample: bool, root: bool) -> Callable[..., Any]:
    """The variance of a sample or of a population, or its root; `given` is the mean, if it is known."""

    def staged(data: Any, center: Any = None, **named: Any) -> Any:
        center = named.pop(given, center)
        if named:
            raise TypeError(f"{name}() got an unexpected keyword argument {next(iter(named))!r}")
        row, count, adapts = _row(name, data, 2 if of_sample else 1)
        if center is None:
            middle = ops.reduce_sum(row) / count
        else:
            (middle,), _ = floats(name, [center])
            middle = as_float(middle, row.dtype, name)
        total = ops.reduce_sum(ops.square(row - middle)) / (count - 1 if of_sample else count)
        return adapting(ops.sqrt(total) if root else total, adapts)

    return staged


def _median(name: str) -> Callable[..., Any]:
    """The middle one in order; of two, `name` says which, or their mean."""

    def staged(data: Any) -> Any:
        values = convert_to_tensor(items_in(data))
        count = length_of(values)
        ensure(count > 0, statistics.StatisticsError("no median for empty data"))
        in_order = ops.sort(values)
        low, high = in_order[(count - 1) // 2], in_order[count // 2]
        if name == "median_low" or (name == "median" and isinstance(count, int) and count % 2):
            return low
        return high if name == "median_high" else low / 2 + high / 2

    return staged


FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    statistics.mean: _mean,
    statistics.fmean: _weighted_mean,
    statistics.correlation: _correlation,
    statistics.covariance: _covariance,
    statistics.geometric_mean: _geometric_mean,
    statistics.harmonic_mean: _harmonic_mean,
    statistics.linear_regression: _linear_regression,
    **{getattr(statistics, name): _median(name) for name in ("median", "median_high", "median_low")},
    statistics.pstdev: _spread("pstdev", "mu", of_sample=False, root=True),
    statistics.pvariance: _spread("pvariance", "mu", of_sample=False, root=False),
    statistics.stdev: _spread("stdev", "xbar", of_sample=True, root=True),
    statistics.variance: _spread("variance", "xbar", of_sample=True, root=False),
}
"""Functions of `statistics`, and how each is staged."""
