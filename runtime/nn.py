"""`runtime.nn`: functions of neural networks.

>>> runtime.nn.top_k([3, 9, 5], k=2).indices
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
"""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.ops import index, order
from runtime.ops.elementwise import sigmoid, tanh
from runtime.ops.nn import log_softmax, relu, softmax, softplus

__all__ = ["TopK", "embedding_lookup", "log_softmax", "relu", "sigmoid", "softmax", "softplus", "tanh", "top_k"]


class TopK(NamedTuple):
    """What `top_k` returns."""

    values: Any
    indices: Any


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> TopK:
    """The k largest elements of each row and their positions (int32), the lower position first among equals.

    input: real tensor of rank >= 1. sorted: the elements come in descending order in any case.
    """
    return TopK(*order.top_k(input, k, name=name))


def embedding_lookup(params: Any, ids: Any, name: str | None = None) -> Any:
    """The rows of params at ids. ids: integers of any shape, each within [0, rows)."""
    return index.gather(params, ids, name=name)
