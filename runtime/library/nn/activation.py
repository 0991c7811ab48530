"""Activations whose public form takes other arguments than the record.

>>> runtime.nn.softmax([[0.0, 0.0]], axis=None)
<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[0.5, 0.5]], dtype=float32)>
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import float32
from runtime.ops.arrays import join, shape
from runtime.ops.elementwise.arithmetic import negative
from runtime.ops.networks import activations
from runtime.ops.networks import softmax as records
from runtime.tensor.composites import is_tensor
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["crelu", "leaky_relu", "log_softmax", "silu", "softmax", "swish"]


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis (the last), without overflow. logits: float tensor of rank >= 1."""
    return records.softmax(logits, -1 if axis is None else axis, name=name)


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """The logarithm of softmax along an axis (the last), exact also where softmax would be 0. logits: float tensor."""
    return records.log_softmax(logits, -1 if axis is None else axis, name=name)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x where it is positive, else alpha * x. features: real tensor; integers become float32."""
    features = features if is_tensor(features) else convert_to_tensor(features)
    if features.dtype.is_integer:
        features = shape.cast(features, float32)
    return activations.leaky_relu(features, alpha, name=name)


def swish(features: Any, beta: float = 1.0, name: str | None = None) -> Tensor:
    """x * sigmoid(beta * x), also known as SiLU for beta 1. features: float tensor; beta: a Python number."""
    return activations.swish(features, beta, name=name)


silu = swish


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """relu(x) and relu(-x), one after the other along an axis, which is twice as long. features: real tensor."""
    features = convert_to_tensor(features)
    return activations.relu(join.concat([features, negative(features)], axis), name=name)
