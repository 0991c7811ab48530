"""Activations by name: what layers take as `activation`, with the parameters that Keras gives them.

    get("relu")(x)                                       # runtime.nn.relu(x)
    relu(x, negative_slope=0.1, max_value=6.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.library import nn
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.elementwise.compare import greater_equal
from runtime.ops.elementwise.limits import minimum
from runtime.ops.elementwise.logic import where
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches

__all__ = [
    "elu", "exponential", "gelu", "get", "leaky_relu", "linear", "log_softmax", "relu", "relu6", "selu", "sigmoid",
    "silu", "softmax", "softplus", "softsign", "swish", "tanh",
]  # fmt: skip

Activation = Callable[[Any], Any]


def linear(x: Any) -> Any:
    """x itself."""
    return x


def relu(x: Any, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Any:
    """x from the threshold on, at most max_value; below it negative_slope (x - threshold). x: real tensor."""
    if not (negative_slope or threshold) and max_value is None:
        return nn.relu(x)
    x = convert_to_tensor(x)
    kept = x if max_value is None else minimum(x, max_value)
    return where(greater_equal(x, threshold), kept, (x - threshold) * negative_slope)


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Any:
    """x, times negative_slope where it is negative. x: real tensor."""
    return nn.leaky_relu(x, negative_slope)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """x where it is positive, else alpha (exp(x) - 1). x: float tensor."""
    x = convert_to_tensor(x)
    return nn.elu(x) if alpha == 1 else where(x > 0, x, alpha * nn.elu(x))


@switches
def gelu(x: Any, approximate: bool = False) -> Any:
    """x times the share of a normal distribution below it. x: float tensor; approximate: by a tanh."""
    return nn.gelu(x, approximate)


def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x) divided by its sum along an axis. x: float tensor."""
    return nn.softmax(x, axis)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """The logarithm of `softmax`. x: float tensor."""
    return nn.log_softmax(x, axis)


def relu6(x: Any) -> Any:
    """x between 0 and 6. x: real tensor."""
    return nn.relu6(x)


def selu(x: Any) -> Any:
    """See `runtime.nn.selu`. x: float tensor."""
    return nn.selu(x)


def silu(x: Any) -> Any:
    """x sigmoid(x). x: float tensor."""
    return nn.silu(x)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)). x: float tensor."""
    return nn.sigmoid(x)


def softplus(x: Any) -> Any:
    """log(1 + exp(x)). x: float tensor."""
    return nn.softplus(x)


def softsign(x: Any) -> Any:
    """x / (1 + |x|). x: float tensor."""
    return nn.softsign(x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent. x: float tensor."""
    return nn.tanh(x)


def exponential(x: Any) -> Any:
    """exp(x). x: float tensor."""
    return elementwise.exp(x)


swish = silu

BY_NAME: Final[dict[str, Activation]] = {
    "elu": elu,
    "exponential": exponential,
    "gelu": gelu,
    "leaky_relu": leaky_relu,
    "linear": linear,
    "log_softmax": log_softmax,
    "relu": relu,
    "relu6": relu6,
    "selu": selu,
    "sigmoid": sigmoid,
    "silu": silu,
    "softmax": softmax,
    "softplus": softplus,
    "softsign": softsign,
    "swish": swish,
    "tanh": tanh,
}


def get(identifier: str | Activation | None) -> Activation:
    """The activation of a name; a function as it is; `linear` for None. Raises ValueError for an unknown name."""
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        if identifier not in BY_NAME:
            raise ValueError(f"there is no activation {identifier!r}; there are {', '.join(BY_NAME)}")
        return BY_NAME[identifier]
    if not callable(identifier):
        raise TypeError(f"an activation is a name or a function of a tensor; got {identifier!r}")
    return identifier
