"""Static shape rules that several operations share.

>>> broadcast(Operand(float32, TensorShape([2, 1])), Operand(float32, TensorShape([3])))
TensorShape([2, 3])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.records.record import Operand
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = [
    "broadcast", "known_integers", "known_parts", "merged", "normalized_axes", "normalized_axis", "reduced",
    "same_shape", "scalar_shape", "shape_from", "vector_of_rank",
]  # fmt: skip


def same_shape(x: Operand, *others: Operand, **attributes: Any) -> TensorShape:
    """The shape of the first operand."""
    return x.shape


def scalar_shape(*operands: Operand, **attributes: Any) -> TensorShape:
    """A scalar."""
    return TensorShape([])


def broadcast(*operands: Operand, **attributes: Any) -> TensorShape:
    """The operands broadcast together by numpy's rules. Raises ValueError if they cannot."""
    return broadcast_shapes(*(operand.shape for operand in operands))


def vector_of_rank(x: Operand, **attributes: Any) -> TensorShape:
    """A vector with one element a dimension of x."""
    return TensorShape([x.shape.rank])


def normalized_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """Axes as a sorted tuple of non-negative integers; None means all. Raises numpy's AxisError."""
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    result = sorted(normalized_axis(a, rank) for a in axes)
    if len(set(result)) != len(result):
        raise ValueError(f"an axis is given twice: {axis}")
    return tuple(result)


def normalized_axis(axis: int, rank: int) -> int:
    """The axis as a non-negative integer. Raises numpy's AxisError when it is out of range."""
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(f"axis {axis} is out of range for rank {rank}")
    return axis % rank


def reduced(x: Operand, axis: Any = None, keepdims: bool = False, **attributes: Any) -> TensorShape:
    """x without the axes that are reduced (or with size 1 in their place)."""
    if x.shape.dims is None:
        return TensorShape([]) if axis is None and not keepdims else TensorShape(None)
    axes = normalized_axes(axis, len(x.shape.dims))
    if keepdims:
        return TensorShape([1 if i in axes else d for i, d in enumerate(x.shape.dims)])
    return TensorShape([d for i, d in enumerate(x.shape.dims) if i not in axes])


def merged(*operands: Operand, **attributes: Any) -> TensorShape:
    """What is known when all operands have one shape. Raises ValueError if there is none or they differ."""
    if not operands:
        raise ValueError("at least one tensor is needed")
    result = operands[0].shape
    for other in operands[1:]:
        result = result.merge_with(other.shape)
    return result


def known_integers(x: Operand) -> tuple[int, ...] | None:
    """The elements of an integer operand (a shape, a list of axes) where they are known."""
    return None if x.value is None else tuple(x.value.reshape(-1).tolist())


def known_parts(x: Operand) -> tuple[int | None, ...] | None:
    """The elements of an integer vector (or scalar), None for each that is unknown; None if even their number is."""
    if x.value is not None:
        return known_integers(x)
    if x.parts is not None:
        return x.parts
    length = 1 if x.shape.rank == 0 else x.shape[0] if x.shape.rank == 1 else None
    return None if length is None else (None,) * length


def shape_from(x: Operand) -> TensorShape:
    """The static shape that an operand holds the dimensions of. Raises ValueError for a negative dimension."""
    return TensorShape(known_parts(x))
