"""Activations by name: what layers take as `activation`.

    get("relu") is runtime.nn.relu
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime import nn
from runtime.ops.elementwise import exp

__all__ = ["get", "linear"]

Activation = Callable[[Any], Any]


def linear(x: Any) -> Any:
    """x itself."""
    return x


BY_NAME: Final[dict[str, Activation]] = {
    "elu": nn.elu,
    "exponential": exp,
    "gelu": nn.gelu,
    "leaky_relu": nn.leaky_relu,
    "linear": linear,
    "log_softmax": nn.log_softmax,
    "relu": nn.relu,
    "relu6": nn.relu6,
    "selu": nn.selu,
    "sigmoid": nn.sigmoid,
    "silu": nn.silu,
    "softmax": nn.softmax,
    "softplus": nn.softplus,
    "softsign": nn.softsign,
    "swish": nn.swish,
    "tanh": nn.tanh,
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
