"""The gamma function, its logarithm and the derivatives of that, in float64 whatever the dtype."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from runtime.exits.expansions.arithmetic import constant
from runtime.exits.expansions.special import in_float64
from runtime.exits.rules import expands
from runtime.ops.elementwise.gamma import digamma, lgamma
from runtime.ops.elementwise.number_calls import gamma
from runtime.ops.records.gradients import ops

__all__: list[str] = []

SERIES: Final = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
"""Of Stirling's series: the terms in 1/x, 1/x³, 1/x⁵, ... of the logarithm of gamma."""
SLOPES: Final = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""Of digamma: what is taken away in 1/x², 1/x⁴, ..."""
STEPS: Final = 10
"""So far an argument is moved away from 0, where the series is short."""


def _polynomial(x: Any, factors: tuple[float, ...]) -> Any:
    total = constant(x, factors[-1])
    for factor in factors[-2::-1]:
        total = ops.add(ops.multiply(total, x), constant(x, factor))
    return total


def _log_of_positive(x: Any) -> Any:
    """The logarithm of gamma(x) for x >= 0.5: of gamma(x + 10), less that of the product of ten steps."""
    product = x
    for step in range(1, STEPS):
        product = ops.multiply(product, ops.add(x, constant(x, step)))
    is_far = ops.greater(x, constant(x, 1e6))
    product = ops.where(is_far, constant(x, 1), product)
    z = ops.where(is_far, x, ops.add(x, constant(x, STEPS)))
    inverse = ops.reciprocal(z)
    series = ops.multiply(_polynomial(ops.square(inverse), SERIES), inverse)
    log = ops.log(z)
    main = ops.subtract(ops.multiply(ops.subtract(z, constant(x, 0.5)), log), z)
    total = ops.add(main, ops.add(series, constant(x, 0.5 * math.log(2 * math.pi))))
    return ops.where(ops.is_inf(x), x, ops.subtract(total, ops.log(product)))


def _sine_of_turns(x: Any) -> Any:
    """sin(pi x), exact at whole numbers."""
    whole = ops.round(x)
    is_odd = ops.not_equal(ops.floormod(whole, constant(x, 2)), constant(x, 0))
    sine = ops.sin(ops.multiply(ops.subtract(x, whole), constant(x, math.pi)))
    return ops.where(is_odd, ops.negative(sine), sine)


@expands(lgamma)
def _(x: Any) -> Any:
    return in_float64(x, _lgamma)


def _lgamma(x: Any) -> Any:
    low = ops.less(x, constant(x, 0.5))
    positive = _log_of_positive(ops.where(low, ops.subtract(constant(x, 1), x), x))
    reflected = ops.subtract(constant(x, math.log(math.pi)), ops.log(ops.abs(_sine_of_turns(x))))
    found = ops.where(low, ops.subtract(reflected, positive), positive)
    return ops.where(ops.equal(x, constant(x, -np.inf)), constant(x, np.inf), found)


@expands(gamma)
def _(x: Any) -> Any:
    return in_float64(x, _gamma)


def _gamma(x: Any) -> Any:
    one = constant(x, 1)
    low = ops.less(x, constant(x, 0.5))
    positive = ops.exp(_log_of_positive(ops.where(low, ops.subtract(one, x), x)))
    reflected = ops.divide(ops.divide(constant(x, math.pi), _sine_of_turns(x)), positive)
    found = ops.where(low, reflected, positive)
    is_pole = ops.logical_and(ops.less(x, constant(x, 0)), ops.equal(x, ops.floor(x)))
    found = ops.where(ops.equal(x, constant(x, 0)), ops.reciprocal(x), found)
    return ops.where(is_pole, constant(x, np.nan), found)


@expands(digamma)
def _(x: Any) -> Any:
    return in_float64(x, _digamma)


def _digamma(x: Any) -> Any:
    zero, one = constant(x, 0), constant(x, 1)
    low = ops.less(x, constant(x, 0.5))
    z = ops.where(low, ops.subtract(one, x), x)
    lost = ops.multiply(zero, z)
    for step in range(STEPS):
        lost = ops.add(lost, ops.reciprocal(ops.add(z, constant(x, step))))
    far = ops.add(z, constant(x, STEPS))
    inverse = ops.reciprocal(far)
    squared = ops.square(inverse)
    series = ops.multiply(_polynomial(squared, SLOPES), squared)
    total = ops.subtract(ops.subtract(ops.log(far), ops.multiply(inverse, constant(x, 0.5))), series)
    positive = ops.where(ops.is_inf(z), z, ops.subtract(total, lost))
    turns = ops.multiply(ops.subtract(x, ops.round(x)), constant(x, math.pi))
    reflected = ops.subtract(positive, ops.divide(constant(x, math.pi), ops.tan(turns)))
    is_pole = ops.logical_and(ops.less_equal(x, zero), ops.equal(x, ops.floor(x)))
    return ops.where(is_pole, constant(x, np.nan), ops.where(low, reflected, positive))
