"""Static shape rules that several operations share.

>>> broadcast(Operand(float32, TensorShape([2, 1])), Operand(float32, TensorShape([3])))
TensorShape([2, 3])
"""

from __future__ import annotations

from typing import Any

from runtime.ops.record import Operand
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["broadcast", "reduced", "same_shape", "scalar_shape", "vector_of_rank"]


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
    """Axes as a sorted tuple of non-negative integers; None means all. Raises ValueError when one is out of range."""
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for a in axes:
        if not -rank <= a < rank:
            raise ValueError(f"axis {a} is out of range for rank {rank}")
    return tuple(sorted({a % rank for a in axes})) if rank else ()


def reduced(x: Operand, axis: Any = None, keepdims: bool = False, **attributes: Any) -> TensorShape:
    """x without the axes that are reduced (or with size 1 in their place)."""
    if x.shape.dims is None:
        return TensorShape([]) if axis is None and not keepdims else TensorShape(None)
    axes = normalized_axes(axis, len(x.shape.dims))
    if keepdims:
        return TensorShape([1 if i in axes else d for i, d in enumerate(x.shape.dims)])
    return TensorShape([d for i, d in enumerate(x.shape.dims) if i not in axes])
