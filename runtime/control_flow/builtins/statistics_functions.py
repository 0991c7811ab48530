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
from runtime.ops.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["FUNCTIONS"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def _row(name: str, data: Any, least: int) -> tuple[Any, Any, bool]:
    """The numbers as a vector of floats, how many they are as such a float, and whether what is made of them adapts."""
    row, adapts = row_of(name, data)
    count = length_of(row)
    _check_count(name, count, least)
    return row, as_float(count, row.dtype, name), adapts


def _check_count(name: str, count: Any, least: int) -> None:
    number = "one data point" if least == 1 else "two data points"
    message = f"{name} requires at least {number}"
    if isinstance(count, int):
        if count < least:
            raise statistics.StatisticsError(message)
        return
    ops.check(count >= least, message=message, exception="ValueError")


def _mean(data: Any) -> Any:
    row, count, adapts = _row("mean", data, 1)
    return adapting(ops.reduce_sum(row) / count, adapts)


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
        if isinstance(count, int) and not count:
            raise statistics.StatisticsError("no median for empty data")
        if not isinstance(count, int):
            ops.check(count > 0, message="no median for empty data", exception="ValueError")
        in_order = ops.sort(values)
        low, high = in_order[(count - 1) // 2], in_order[count // 2]
        if name == "median_low" or (name == "median" and isinstance(count, int) and count % 2):
            return low
        return high if name == "median_high" else low / 2 + high / 2

    return staged


FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    statistics.mean: _mean,
    statistics.fmean: _mean,
    **{getattr(statistics, name): _median(name) for name in ("median", "median_high", "median_low")},
    statistics.pstdev: _spread("pstdev", "mu", of_sample=False, root=True),
    statistics.pvariance: _spread("pvariance", "mu", of_sample=False, root=False),
    statistics.stdev: _spread("stdev", "xbar", of_sample=True, root=True),
    statistics.variance: _spread("variance", "xbar", of_sample=True, root=False),
}
"""Functions of `statistics`, and how each is staged."""
