"""Whether tensors are equal as wholes: one bool, whatever their shapes.

same_values([x], [y])           # False for shapes [2] and [3], where `x == y` is an error
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops.records.gradients import ops

__all__ = ["same_values"]


def same_values(ours: Sequence[Any], theirs: Sequence[Any]) -> Any:
    """A bool tensor: all that correspond have one shape and equal elements. False if shapes or dtypes exclude it."""
    pairs = list(zip(ours, theirs, strict=True))
    if not all(a.dtype is b.dtype and a.shape.is_compatible_with(b.shape) for a, b in pairs):
        return False
    return ops.reduce_all(ops.stack([_same(a, b) for a, b in pairs])) if pairs else True


def _same(a: Any, b: Any) -> Any:
    if a.shape.is_fully_defined() and b.shape.is_fully_defined():
        return ops.reduce_all(ops.equal(a, b))
    alike = _same_vectors(ops.shape(a), ops.shape(b))  # both are as long as their ranks, which may differ
    return ops.logical_and(alike, _same_vectors(ops.reshape(a, [-1]), ops.reshape(b, [-1])))


def _same_vectors(a: Any, b: Any) -> Any:
    """Whether two vectors have one length and equal elements."""
    sizes = ops.size(a), ops.size(b)
    least = ops.minimum(*sizes)
    return ops.logical_and(ops.equal(*sizes), ops.reduce_all(ops.equal(a[:least], b[:least])))
