"""Tensors made shorter: `clip_by_norm`, `clip_by_global_norm`.

>>> runtime.clip_by_norm([3.0, 4.0], 1.0)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([0.6, 0.8], dtype=float32)>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.errors import InvalidArgumentError
from runtime.ops.arrays import create
from runtime.ops.elementwise import arithmetic, limits, logic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.reductions import reduce
from runtime.state.slices import IndexedSlices
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["clip_by_global_norm", "clip_by_norm", "global_norm"]


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """t scaled so that its length sqrt(sum(t²)) is at most clip_norm; a shorter t stays as it is.

    t: float tensor. axes: the length is that over these axes, for each of the others.
    """
    t = convert_to_tensor(t)
    length = _root(reduce.reduce_sum(arithmetic.multiply(t, t), axes, True))
    return arithmetic.divide(t * clip_norm, limits.maximum(length, clip_norm), name=name)


def _root(squares: Any) -> Any:
    """The square root, with the gradient 0 at 0: the root of a 1 stands there in its place."""
    positive = squares > 0
    return logic.where(positive, elementwise.sqrt(logic.where(positive, squares, create.ones_like(squares))), squares)


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor:
    """sqrt of the sum of the squares of all elements of a list of float tensors; None entries do not count."""
    return elementwise.sqrt(_sum_of_squares(t_list), name=name)


def _sum_of_squares(t_list: Any) -> Any:
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"global_norm: t_list is a list of tensors; got {t_list!r}")
    values = [t.values if isinstance(t, IndexedSlices) else t for t in t_list if t is not None]
    if not values:
        raise InvalidArgumentError("global_norm: the list has no tensor")
    return arithmetic.add_n([reduce.reduce_sum(arithmetic.square(v)) for v in values])


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """All tensors of a list scaled by one factor, so that their `global_norm` is at most clip_norm; and that norm.

    t_list: float tensors, None or IndexedSlices. use_norm: the norm, if it is known. With a norm that is infinite or
    nan all elements become nan.
    """
    if use_norm is None:
        squares = _sum_of_squares(t_list)
        length, smooth = elementwise.sqrt(squares), _root(squares)
    else:
        length = smooth = convert_to_tensor(use_norm)
    scale = clip_norm / limits.maximum(smooth, convert_to_tensor(clip_norm, length.dtype))
    wrong = logic.logical_not(elementwise.is_finite(length))
    nan = convert_to_tensor(np.array(np.nan, length.dtype.numpy))  # a constant: no gradient comes from it
    scale = logic.where(wrong, nan, scale)
    return [_scaled(t, scale) for t in t_list], length


def _scaled(t: Any, scale: Any) -> Any:
    if isinstance(t, IndexedSlices):
        return IndexedSlices(t.values * scale, t.indices, t.dense_shape)
    return None if t is None else arithmetic.multiply(t, scale)
