"""Classes and their probabilities: cross-entropies on logits, the best of a row, rows of a table.

>>> runtime.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[0.0, 0.0]])
<tf.Tensor: shape=(1,), dtype=float32, numpy=array([0.6931472], dtype=float32)>
"""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.dtypes import as_dtype, int32
from runtime.library.clipping import clip_by_norm
from runtime.ops.arrays import index, shape
from runtime.ops.arrays.join import concat
from runtime.ops.networks import activations
from runtime.ops.networks import softmax as records
from runtime.ops.reductions import order
from runtime.ops.reductions.reduce import reduce_prod
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "TopK", "embedding_lookup", "in_top_k", "sigmoid_cross_entropy_with_logits", "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits", "top_k", "weighted_cross_entropy_with_logits",
]  # fmt: skip


class TopK(NamedTuple):
    """What `top_k` returns."""

    values: Tensor
    indices: Tensor


@switches
def top_k(input: Any, k: int = 1, sorted: bool = True, index_type: Any = int32, name: str | None = None) -> TopK:
    """The k largest elements of each row and their positions, the lower position first among equals.

    input: real tensor of rank >= 1. sorted: the elements come in descending order in any case. index_type: the dtype of
    the positions, int16, int32 or int64.
    """
    values, indices = order.top_k(input, k, name=name)
    return TopK(values, indices if as_dtype(index_type) is int32 else shape.cast(indices, index_type))


def in_top_k(targets: Any, predictions: Any, k: int, name: str | None = None) -> Tensor:
    """Whether each target is among the k classes of the largest predictions, all that equal the k-th included.

    targets: int32 or int64, [n]; predictions: float tensor, [n, classes].
    """
    return records.in_top_k(targets, predictions, k=k, name=name)


def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Tensor:
    """The rows of params at ids. ids: integers of any shape, each within [0, rows).

    max_norm: rows are scaled down to that euclidean norm where theirs is larger.
    """
    rows = index.gather(params, ids, name=name)
    if max_norm is None:
        return rows
    ids, params = convert_to_tensor(ids), convert_to_tensor(params)
    if None not in (ids.shape.rank, rows.shape.rank):
        return clip_by_norm(rows, max_norm, list(range(ids.shape.rank, rows.shape.rank)))
    width = reduce_prod(shape.shape(params)[1:], keepdims=True)
    flat = shape.reshape(rows, concat([shape.shape(ids), width], 0))
    return shape.reshape(clip_by_norm(flat, max_norm, [-1]), shape.shape(rows))


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)), element by element, without overflow.

    labels: probabilities; logits: float tensor; of one dtype and one shape.
    """
    _both(labels, logits)
    return records.sigmoid_cross_entropy_with_logits(labels, logits, name=name)


def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Tensor:
    """As sigmoid_cross_entropy_with_logits, with the part of the labels themselves times pos_weight.

    labels: probabilities; logits: float tensor; of one dtype and one shape. pos_weight: broadcasts to them.
    """
    logits = convert_to_tensor(logits)
    # (1 - y) x + (1 + (w - 1) y) log(1 + exp(-x)), where the logarithm is that of a softplus.
    labels = convert_to_tensor(labels, logits.dtype)
    records.sigmoid_cross_entropy_with_logits(labels, logits)  # for its check of the shapes
    return (1 - labels) * logits + (1 + (pos_weight - 1) * labels) * activations.softplus(-logits)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """-sum(labels * log_softmax(logits)) along an axis, which the result does not have.

    labels: a probability for each class, real; logits: float tensor of that shape.
    """
    _both(labels, logits)
    logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
    if labels.dtype is not logits.dtype:
        labels = shape.cast(labels, logits.dtype)
    return records.softmax_cross_entropy_with_logits(labels, logits, axis, name=name)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """-log_softmax(logits)[label] for each label: the cross-entropy where one class is certain.

    labels: int32 or int64, positions of classes; logits: float tensor with one axis more, the classes. Raises
    InvalidArgumentError for a label that is no class.
    """
    _both(labels, logits)
    return records.sparse_softmax_cross_entropy_with_logits(labels, logits, name=name)


def _both(labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError("both labels and logits must be given")
