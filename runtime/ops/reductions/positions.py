"""Where the extremes are along an axis: argmax, argmin.

>>> runtime.argmax([3, 9, 5])
<tf.Tensor: shape=(), dtype=int64, numpy=1>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import BOOLS, REALS, DType, int32, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import normalized_axis, reduced
from runtime.ops.reductions.reduce import BAD_AXIS, by_slices
from runtime.shapes import TensorShape

__all__ = ["argmax", "argmin"]


def _position_shape(input: Operand, axis: Any, output_type: DType) -> TensorShape:
    return reduced(input, 0 if axis is None else axis)


def _position_dtype(input: Operand, axis: Any, output_type: DType) -> DType:
    if output_type not in (int32, int64):
        raise DtypeMismatchError(f"output_type must be int32 or int64; got {output_type.name}")
    return output_type


def _positions(which: str, x: Array, axis: Any, output_type: DType) -> Any:
    axis = 0 if axis is None else axis
    if not x.shape[normalized_axis(axis, x.ndim)]:
        raise InvalidArgumentError(f"{which}: axis {axis} of the shape {show_shape(x)} is empty")
    found = getattr(x, which)(axis)  # numpy's function takes twice as long
    return found if found.dtype == output_type.numpy else found.astype(output_type.numpy)


POSITIONS = each(
    calls(lambda x: [(x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(6)[::-2],)]),
    axis=(0, -1, None), output_type=(int64, int32),
)  # fmt: skip
EMPTY_AXIS = Failure((np.ones((2, 0), np.float32), 1), InvalidArgumentError, ("empty", "(2, 0)"))
NO_RANK = Failure((np.float32(1),), ShapeMismatchError, ("axis 0", "rank 0"))


def _first(choose: Any) -> Any:
    def reference(x: Array, axis: Any, output_type: Any) -> Any:
        return by_slices(lambda items: items.index(choose(items)))(x, axis or 0)

    return reference


@op(
    raises=VALUES,
    shape=_position_shape, dtypes=REALS | BOOLS, result=_position_dtype,
    samples=POSITIONS, reference=_first(max), errors=(BAD_AXIS, EMPTY_AXIS, NO_RANK),
)  # fmt: skip
def argmax(input: Array, axis: int | None = None, output_type: DType = int64) -> Any:
    """The position of the largest element along one axis (default: the first), the lowest position among equals.

    input: real or bool tensor of rank >= 1. output_type: int64 or int32.
    """
    return _positions("argmax", input, axis, output_type)


@op(
    raises=VALUES,
    shape=_position_shape, dtypes=REALS | BOOLS, result=_position_dtype,
    samples=POSITIONS, reference=_first(min), errors=(BAD_AXIS, EMPTY_AXIS, NO_RANK),
)  # fmt: skip
def argmin(input: Array, axis: int | None = None, output_type: DType = int64) -> Any:
    """The position of the smallest element along one axis (default: the first), the lowest position among equals.

    input: real or bool tensor of rank >= 1. output_type: int64 or int32.
    """
    return _positions("argmin", input, axis, output_type)
