"""Activation functions of neural networks, element by element: relu, elu, gelu, swish, softplus, ...

>>> runtime.nn.relu([-1.0, 2.0])
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>

They take float tensors, relu and relu6 also integers. Where a function has a kink, its gradient there is 0 (relu) or
that of the left side.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS, REALS
from runtime.errors import DtypeMismatchError
from runtime.ops.elementwise.error_functions import erfc, erfc_to_round
from runtime.ops.elementwise.functions import INTEGERS_REFUSED, sigmoid
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, by_element, each, unary
from runtime.ops.records.shape_rules import same_shape

__all__ = [
    "elu", "gelu", "leaky_relu", "log_sigmoid", "relu", "relu6", "selu", "softplus", "softsign", "swish",
]  # fmt: skip

NO_BOOL: Final = Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))

activation = functools.partial(op, shape=same_shape, dtypes=FLOATS, errors=INTEGERS_REFUSED)
"""The record of an activation of floats, but for what differs."""

SELU_SCALE: Final = 1.0507009873554804934193349852946
SELU_ALPHA: Final = 1.6732632423543772848170429916717
"""The constants of Klambauer et al., "Self-Normalizing Neural Networks" (2017): mean 0 and variance 1 are kept."""

GELU_SLOPE: Final = math.sqrt(2 / math.pi)
GELU_CUBIC: Final = 0.044715
"""The approximation by tanh of Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016)."""


@op(
    shape=same_shape, dtypes=REALS, samples=unary(), reference=by_element(lambda x: x if x > 0 else 0),
    errors=[NO_BOOL],
)  # fmt: skip
def relu(features: Array) -> Any:
    """max(x, 0), element by element; nan stays nan. features: real tensor."""
    return np.maximum(features, features.dtype.type(0))


@relu.gradient
def _(upstream: Any, features: Any) -> Any:
    return ops.where(features > 0, upstream, 0)


@op(
    shape=same_shape, dtypes=REALS, samples=unary(-3, 9), reference=by_element(lambda x: min(max(x, 0), 6)),
    errors=[NO_BOOL],
)  # fmt: skip
def relu6(features: Array) -> Any:
    """min(max(x, 0), 6), element by element; nan stays nan. features: real tensor."""
    number = features.dtype.type
    return np.minimum(np.maximum(features, number(0)), number(6))


@relu6.gradient
def _(upstream: Any, features: Any) -> Any:
    return ops.where(ops.logical_and(features > 0, features < 6), upstream, 0)


@activation(
    samples=each(unary(), alpha=(0.2, 0.0, 1.5)), reference=by_element(lambda x, alpha: x if x > 0 else alpha * x)
)
def leaky_relu(features: Array, alpha: float = 0.2) -> Any:
    """x where it is positive, else alpha * x. features: float tensor; alpha: a Python number."""
    return np.where(np.greater(features, 0), features, features * features.dtype.type(alpha))


@leaky_relu.gradient
def _(upstream: Any, features: Any, alpha: float) -> Any:
    return ops.where(features > 0, upstream, upstream * alpha)


def _exponential(features: Array, alpha: float) -> Array:
    """x, or alpha * (exp(x) - 1) where x is not positive; large x do not overflow on the way."""
    low = np.expm1(np.minimum(features, features.dtype.type(0)))
    return np.where(np.greater(features, 0), features, low * features.dtype.type(alpha))


@activation(samples=unary(), reference=by_element(lambda x: x if x > 0 else math.expm1(x)))
def elu(features: Array) -> Any:
    """x where it is positive, else exp(x) - 1. features: float tensor."""
    return _exponential(features, 1)


@elu.gradient
def _(upstream: Any, result: Any, features: Any) -> Any:
    return ops.where(features > 0, upstream, upstream * (result + 1))


@activation(
    samples=unary(), reference=by_element(lambda x: SELU_SCALE * (x if x > 0 else SELU_ALPHA * math.expm1(x)))
)
def selu(features: Array) -> Any:
    """1.0507 x where it is positive, else 1.7581 (exp(x) - 1), which keeps mean 0 and variance 1.

    features: float tensor. Source: Klambauer et al., "Self-Normalizing Neural Networks" (2017).
    """
    return _exponential(features, SELU_ALPHA) * features.dtype.type(SELU_SCALE)


@selu.gradient
def _(upstream: Any, result: Any, features: Any) -> Any:
    return upstream * ops.where(features >= 0, SELU_SCALE, result + SELU_SCALE * SELU_ALPHA)


def _gelu(x: float, approximate: bool) -> float:
    if approximate:
        return 0.5 * x * (1 + math.tanh(GELU_SLOPE * (x + GELU_CUBIC * x**3)))
    return 0.5 * x * math.erfc(-x / math.sqrt(2))


@activation(samples=each(unary(-3, 3), approximate=(False, True)), reference=by_element(_gelu))
def gelu(features: Array, approximate: bool = False) -> Any:
    """x times the probability that a standard normal number is below x. features: float tensor.

    approximate: by tanh, see Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
    """
    number = features.dtype.type
    if approximate:
        inner = number(GELU_SLOPE) * (features + number(GELU_CUBIC) * features * features * features)
        return number(0.5) * features * (1 + np.tanh(inner))
    # Where x is far below 0, erfc(-x / sqrt(2)) is small and exact; 1 + erf(x / sqrt(2)) would have lost its digits.
    wide = np.asarray(features, np.float64)
    twice = (erfc.kernel if features.dtype == np.float64 else erfc_to_round)(wide * -math.sqrt(0.5))
    return (0.5 * wide * twice).astype(features.dtype)


@gelu.gradient
def _(upstream: Any, features: Any, approximate: bool) -> Any:
    x = features
    if approximate:
        curve = ops.tanh(GELU_SLOPE * (x + GELU_CUBIC * x * x * x))
        steepness = GELU_SLOPE * (1 + 3 * GELU_CUBIC * x * x)
        return upstream * (0.5 * (1 + curve) + 0.5 * x * (1 - curve * curve) * steepness)
    density = ops.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    return upstream * (0.5 * ops.erfc(x * -math.sqrt(0.5)) + x * density)


@activation(
    samples=each(unary(-9, 9), beta=(1.0, 0.5)), reference=by_element(lambda x, beta: x / (1 + math.exp(-beta * x)))
)
def swish(features: Array, beta: float = 1.0) -> Any:
    """x * sigmoid(beta * x), also known as SiLU for beta 1. features: float tensor; beta: a Python number."""
    return features * sigmoid.kernel(features * features.dtype.type(beta))


@swish.gradient
def _(upstream: Any, features: Any, beta: float) -> Any:
    gate = ops.sigmoid(features * beta)
    return upstream * gate * (1 + features * beta * (1 - gate))


@activation(samples=unary(), reference=by_element(lambda x: x / (1 + abs(x))))
def softsign(features: Array) -> Any:
    """x / (1 + |x|). features: float tensor."""
    return features / (1 + np.abs(features))


@softsign.gradient
def _(upstream: Any, features: Any) -> Any:
    return upstream / ops.square(1 + ops.abs(features))


@activation(samples=unary(-30, 8), reference=by_element(lambda x: math.log1p(math.exp(x))))
def softplus(features: Array) -> Any:
    """log(1 + exp(x)), without overflow. features: float tensor."""
    return np.logaddexp(features, features.dtype.type(0))


@softplus.gradient
def _(upstream: Any, features: Any) -> Any:
    return upstream * ops.sigmoid(features)


@activation(samples=unary(-30, 8), reference=by_element(lambda x: -math.log1p(math.exp(-x))))
def log_sigmoid(x: Array) -> Any:
    """The logarithm of sigmoid, exact also where sigmoid would be 0. x: float tensor."""
    return np.negative(np.logaddexp(np.negative(x), x.dtype.type(0)))


@log_sigmoid.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * ops.sigmoid(-x)
