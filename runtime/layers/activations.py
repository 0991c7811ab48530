"""Activations by name: what layers take as `activation`.

    get("relu") is runtime.nn.relu
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.nn import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    softsign,
    swish,
    tanh,
)
from runtime.ops.elementwise import exp as exponential

__all__ = [
    "elu", "exponential", "gelu", "get", "leaky_relu", "linear", "log_softmax", "relu", "relu6", "selu", "sigmoid",
    "silu", "softmax", "softplus", "softsign", "swish", "tanh",
]  # fmt: skip

Activation = Callable[[Any], Any]


def linear(x: Any) -> Any:
    """x itself."""
    return x


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


def get(activation: str | Activation | None) -> Activation:
    """The activation of a name; a function as it is; `linear` for None. Raises ValueError for an unknown name."""
    if activation is None:
        return linear
    if isinstance(activation, str):
        if activation not in BY_NAME:
            raise ValueError(f"there is no activation {activation!r}; there are {', '.join(BY_NAME)}")
        return BY_NAME[activation]
    if not callable(activation):
        raise TypeError(f"an activation is a name or a function of a tensor; got {activation!r}")
    return activation
