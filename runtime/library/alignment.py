"""What is true, and weights, beside predictions: of one rank, or an error that says both shapes.

    y_true = aligned(y_true, y_pred)        # [batch] and [batch, 1] are the same numbers
    loss = losses * weights_for(sample_weight, losses)

Broadcasting would take labels of shape [n] and predictions of shape [n, 1] for a table of n x n pairs. What the static
shapes leave open is decided, and checked, when the graph runs.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeMismatchError
from runtime.library.places import broadcast_dynamic_shape
from runtime.ops.arrays import create, join, shape
from runtime.ops.elementwise import compare, limits, logic
from runtime.ops.flow import check
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor

__all__ = ["aligned", "same_shape", "weights_for"]


def aligned(x: Any, like: Any) -> Any:
    """x with a last axis of size 1 left out or added, where its rank then is that of `like`; else x as it is."""
    ranks = x.shape.rank, like.shape.rank
    if None not in ranks:
        if abs(ranks[0] - ranks[1]) != 1:
            return x
        last = (x if ranks[0] > ranks[1] else like).shape[-1]
        if last is not None:
            if last != 1:
                return x
            return shape.squeeze(x, [-1]) if ranks[0] > ranks[1] else shape.expand_dims(x, -1)
    return shape.reshape(x, _aligned_sizes(shape.shape(x), shape.shape(like), most_added=1))


def _aligned_sizes(sizes: Any, like: Any, most_added: int | None) -> Any:
    """The sizes of what is aligned, from run-time shapes. most_added: as many axes of size 1 may be added."""
    rank, wanted = shape.size(sizes), shape.size(like)
    dropped = shape.cast(logic.logical_and(compare.equal(rank, wanted + 1), _is_one(sizes)), "int32")
    missing = limits.maximum(wanted - rank, 0)
    if most_added is None:
        added = compare.greater(rank, 0)
    else:
        added = logic.logical_and(compare.less_equal(missing, most_added), _is_one(like))
    missing = missing * shape.cast(added, "int32")
    return join.concat([sizes[: rank - dropped], create.fill(shape.reshape(missing, [1]), 1)], 0)


def _is_one(sizes: Any) -> Any:
    """Whether there is a last size, and it is 1."""
    return logic.logical_and(compare.greater(shape.size(sizes), 0), reduce.reduce_all(compare.equal(sizes[-1:], 1)))


def same_shape(y_true: Any, y_pred: Any, what: str) -> Any:
    """What is true. Raises ShapeMismatchError unless it has the shape of the predictions. what: for the error."""
    if not y_true.shape.is_compatible_with(y_pred.shape):
        found = f"what is true has the shape {y_true.shape}, the predictions have {y_pred.shape}"
        raise ShapeMismatchError(f"{what}: {found}")
    if not (y_true.shape.is_fully_defined() and y_pred.shape.is_fully_defined()):
        shapes = shape.shape(y_true), shape.shape(y_pred)
        text = f"{what}: what is true and the predictions must have one shape; they have: "
        _check(_equal_sizes(*shapes), shapes, text)
    return y_true


def weights_for(sample_weight: Any, values: Any) -> Any:
    """Weights in the dtype of what they weight; a last axis of size 1 too many is left out, missing ones are added.

    Raises ShapeMismatchError unless they then broadcast to the values.
    """
    weight = convert_to_tensor(sample_weight)
    weight = weight if weight.dtype is values.dtype else shape.cast(weight, values.dtype)
    given, ranks = weight.shape, (weight.shape.rank, values.shape.rank)
    if None in ranks or (ranks[0] == ranks[1] + 1 and weight.shape[-1] is None):
        weight = shape.reshape(weight, _aligned_sizes(shape.shape(weight), shape.shape(values), most_added=None))
    elif ranks[0] == ranks[1] + 1 and weight.shape[-1] == 1:
        weight = shape.squeeze(weight, [-1])
    else:
        for _ in range(ranks[1] - ranks[0] if ranks[0] else 0):
            weight = shape.expand_dims(weight, -1)
    return _broadcasting(weight, values, given)


def _broadcasting(weight: Any, values: Any, given: Any) -> Any:
    text = f"the weights have the shape {given}, what they weight has the shape {values.shape}"
    if None not in (weight.shape.rank, values.shape.rank):
        sizes = list(zip(weight.shape.dims, values.shape.dims, strict=False))
        fits = len(weight.shape.dims) in (0, len(values.shape.dims))
        if not fits or any(None not in pair and pair[0] not in (1, pair[1]) for pair in sizes):
            raise ShapeMismatchError(text)
        if all(w == 1 or None not in (w, v) for w, v in sizes):
            return weight
    shapes = shape.shape(weight), shape.shape(values)
    joint = broadcast_dynamic_shape(*shapes)
    _check(_equal_sizes(joint, shapes[1]), shapes, f"{text}: ")
    return weight


def _equal_sizes(a: Any, b: Any) -> Any:
    """Whether two run-time shapes are the same."""
    swapped = compare.equal(join.concat([a, b], 0), join.concat([b, a], 0))
    return logic.logical_and(compare.equal(shape.size(a), shape.size(b)), reduce.reduce_all(swapped))


def _check(holds: Any, values: Any, text: str) -> None:
    check.check(holds, list(values), message=text, exception="ShapeMismatchError")
