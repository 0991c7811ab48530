"""Numbers from one limit to another: `np.linspace`, `np.logspace`, `np.geomspace`.

    np.linspace(a, b, 3)     ->     a, (a + b) / 2, b, along a new axis where a and b are arrays
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import Table, call, floating, operand, rank_of, tensor, to, together
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import steps
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


def _limits(start: Any, stop: Any) -> list[Any]:
    first, last = together(start, stop)
    return [first, last] if first.dtype.family in ("float", "complex") else [floating(first), floating(last)]


def _count(num: Any) -> Any:
    num = operand(num)
    return to(num, np.int64) if isinstance(num, Tensor) and num.dtype.is_integer else num


@TABLE.of(np.linspace)
def _linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: int = 0,
) -> Any:  # fmt: skip
    first, last = _limits(start, stop)
    count = _count(num)
    kind = first.dtype.numpy
    parts = to(call("subtract", to(count, np.int64), int(endpoint)), kind)
    step = call("divide", call("subtract", last, first), parts)
    if (first.shape.rank, last.shape.rank) == (0, 0) and first.dtype.is_floating:
        end = last if endpoint else call("subtract", last, step)
        found = call("linspace", first, end, count)
    else:
        found = _between(first, last, count, step, endpoint)
    if dtype is not None:
        wanted = np.dtype(dtype)
        found = to(call("floor", found) if wanted.kind in "iu" and first.dtype.is_floating else found, wanted)
    found = SHAPES[np.moveaxis](found, 0, axis) if axis else found
    return (found, step) if retstep else found


def _between(first: Any, last: Any, count: Any, step: Any, endpoint: bool) -> Any:
    """Along a new first axis; the last one is the limit itself."""
    kind, rank = step.dtype.numpy, rank_of(step, "linspace")
    numbers = call("reshape", to(steps(count), kind), [-1, *[1] * rank])
    single = call("equal", to(count, np.int64), 1)
    width = call("where", single, call("zeros_like", step), step) if endpoint else step
    found = call("add", call("multiply", numbers, width), first)
    if not endpoint:
        return found
    final = call("equal", numbers, call("subtract", to(count, kind), 1))
    return call("where", call("logical_and", final, call("logical_not", single)), last, found)


@TABLE.of(np.logspace)
def _logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    found = np.power(base, _linspace(start, stop, num, endpoint, axis=axis))
    return found if dtype is None else to(found, np.dtype(dtype))


@TABLE.of(np.geomspace)
def _geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    first, last = _limits(tensor(start), tensor(stop))  # numbers count as arrays here
    if first.dtype.is_complex:
        sign = call("divide", first, to(call("abs", first), first.dtype.numpy))
    else:
        sign = call("sign", first)
    low, high = call("divide", first, sign), call("divide", last, sign)
    powers = _linspace(call("log10", low), call("log10", high), num, endpoint) if not first.dtype.is_complex else (
        _linspace(call("log", low) / np.log(10), call("log", high) / np.log(10), num, endpoint)
    )
    found = call("multiply", np.power(10.0, powers), sign)
    numbers = call("reshape", steps(_count(num)), [-1, *[1] * (rank_of(found, "geomspace") - 1)])
    found = call("where", call("equal", numbers, 0), first, found)
    if endpoint:
        final = call("subtract", to(_count(num), np.int64), 1)
        found = call("where", call("logical_and", call("equal", numbers, final), final > 0), last, found)
    found = SHAPES[np.moveaxis](found, 0, axis) if axis else found
    return found if dtype is None else to(tensor(found), np.dtype(dtype))
