"""Elements around a tensor: pad.

>>> runtime.pad(runtime.constant([1, 2]), [[1, 0]])
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([0, 1, 2], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.shapes import TensorShape

__all__ = ["MODES", "pad"]

MODES = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


def _padded(tensor: Operand, paddings: Operand, constant_values: Operand, mode: str) -> TensorShape:
    if mode.upper() not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}; got {mode!r}")
    dims, amounts = tensor.shape.dims, paddings.value
    if dims is None:
        return TensorShape(None)
    if not paddings.shape.is_compatible_with([len(dims), 2]):
        raise ValueError(f"paddings must have the shape ({len(dims)}, 2): before and after, for each dimension")
    if amounts is None:
        return TensorShape([None] * len(dims))
    if amounts.size and amounts.min() < 0:
        raise ValueError("paddings has a negative entry")
    return TensorShape([None if d is None else d + int(b) + int(a) for d, (b, a) in zip(dims, amounts, strict=True)])


def _around(before: int, after: int) -> Array:
    return np.array([[before, after]], np.int32)


def _pad_reference(tensor: Array, paddings: Array, constant_values: Array, mode: str) -> Array:
    """Each element found by its position in the original, reflected where it lies outside."""
    result = np.empty([n + b + a for n, (b, a) in zip(tensor.shape, paddings.tolist(), strict=True)], object)
    edge = {"REFLECT": 0, "SYMMETRIC": 1}.get(mode)
    for index in np.ndindex(result.shape):
        source = [i - b for i, (b, _) in zip(index, paddings.tolist(), strict=True)]
        if edge is not None:
            source = [-i - edge if i < 0 else 2 * n - 2 + edge - i if i >= n else i
                      for i, n in zip(source, tensor.shape, strict=True)]  # fmt: skip
        inside = all(0 <= i < n for i, n in zip(source, tensor.shape, strict=True))
        result[index] = tensor[tuple(source)] if inside else constant_values[()]
    return result


@op(
    raises=VALUES, shape=_padded, dtypes={("tensor", "constant_values"): ANY, "paddings": INDEXES},
    samples=calls(lambda x: [((x(3), _around(1, 2), x()), {"mode": "CONSTANT"}),
                             ((x(0), _around(2, 0), x()), {"mode": "CONSTANT"}),
                             ((x(3)[::-1], _around(2, 1), x()), {"mode": "REFLECT"}),
                             ((x(3), _around(2, 1), x()), {"mode": "SYMMETRIC"}),
                             ((x(2, 3), np.array([[0, 1], [1, 0]], np.int64), x()), {"mode": "CONSTANT"})]),
    reference=_pad_reference,
    errors=[Failure((np.ones((2, 3), np.float32), [[1, 1]], 0.0), ShapeMismatchError, ("(2, 3)", "(2, 2)")),
            Failure((np.ones(2, np.float32), [[-1, 1]], 0.0), ShapeMismatchError, ("negative",)),
            Failure((np.ones(2, np.float32), [[1, 1]], 0.0), ShapeMismatchError, ("WRAP",), {"mode": "WRAP"})],
)  # fmt: skip
def pad(tensor: Array, paddings: Array, constant_values: Array, mode: str = "CONSTANT") -> Any:
    """The tensor with elements added around it: paddings[i] = (before, after) for axis i, integers >= 0.

    mode: CONSTANT (constant_values, a scalar of the tensor's dtype), REFLECT (mirrored without the edge) or SYMMETRIC
    (mirrored with the edge).
    """
    tensor, paddings = elements(tensor), elements(paddings)
    if mode.upper() not in MODES or paddings.shape != (tensor.ndim, 2) or np.any(paddings < 0):
        raise ShapeMismatchError(
            f"pad: the paddings {paddings.tolist()} do not fit the shape {tensor.shape} in mode {mode}"
        )
    if mode.upper() != "CONSTANT":
        _refuse_too_wide(tensor, paddings, mode.upper())
        return np.pad(tensor, paddings, mode=MODES[mode.upper()])  # type: ignore[call-overload]
    inner = tuple(slice(b, b + n) for n, (b, _) in zip(tensor.shape, paddings.tolist(), strict=True))
    result = np.full([n + b + a for n, (b, a) in zip(tensor.shape, paddings.tolist(), strict=True)],
                     elements(constant_values), tensor.dtype)  # fmt: skip
    result[inner] = tensor
    return result


@pad.gradient
def _(upstream: Any, paddings: Any, mode: str, needed: Any) -> Any:
    inner = ops.fold_padding(upstream, paddings, mode=mode.upper())
    around = None
    if needed[2] and mode.upper() == "CONSTANT":
        around = ops.reduce_sum(upstream) - ops.reduce_sum(inner)
    return inner, None, around


def _refuse_too_wide(tensor: Array, paddings: Array, mode: str) -> None:
    allowed = [n - (mode == "REFLECT") for n in tensor.shape]
    if any(max(pair) > limit for pair, limit in zip(paddings.tolist(), allowed, strict=True)):
        raise InvalidArgumentError(f"pad: {mode} of the shape {tensor.shape} allows at most {allowed} elements a side")
