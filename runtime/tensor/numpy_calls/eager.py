"""Common calls of numpy on tensors that have their values: numpy itself, on the arrays. The short way.

    >>> np.add(constant([1, 2]), 1)          # np.add of the array, as a tensor
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([2, 3], dtype=int32)>

These give what the operations give that stand for them, and dtypes are numpy's own either way. Whatever is special or
wrong is left to the operations, and so is everything while somebody looks at them (tapes, checks of numbers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import BOOLS, NUMERIC, bfloat16
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.records.record import carried_out_by
from runtime.tensor.dispatch import dispatch
from runtime.tensor.eager import EagerTensor

__all__ = ["called_on_arrays"]

SAME: Final = frozenset(
    {
        np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.absolute, np.sign, np.square, np.sqrt,
        np.exp, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan,
        np.arctan2, np.sinh, np.cosh, np.tanh, np.hypot, np.floor, np.ceil, np.trunc, np.rint, np.maximum, np.minimum,
        np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and, np.logical_or,
        np.logical_not, np.logical_xor, np.isnan, np.isinf, np.isfinite, np.matmul,
        np.sum, np.prod, np.mean, np.max, np.min, np.any, np.all,
    }
)  # fmt: skip
"""What raises nothing of its own for any value (as integer division does), and returns an array of its own."""

_NUMBERS: Final = frozenset({int, float, bool, type(None), tuple, type})
_DTYPES: Final = frozenset(d.numpy for d in (NUMERIC | BOOLS) - {bfloat16})


def called_on_arrays(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> EagerTensor | None:
    """The result of a simple call, or None: it has to go the long way."""
    if function not in SAME or current_recorder() is not None or not carried_out_by(dispatch):
        return None
    arrays = []
    for value in args:
        kind = type(value)
        if kind is EagerTensor:
            value = value._array
            if value.dtype not in _DTYPES:
                return None
        elif kind is np.ndarray:
            if value.dtype not in _DTYPES:
                return None
        elif kind not in _NUMBERS:
            return None
        arrays.append(value)
    if kwargs and ("out" in kwargs or not all(type(value) in _NUMBERS for value in kwargs.values())):
        return None
    token = silence()
    try:
        result = function(*arrays, **kwargs)
    except Exception:
        return None  # it fails again on the long way, with a message
    finally:
        restore(token)
    if type(result) is not np.ndarray:
        result = np.asarray(result)
    return EagerTensor(result) if result.dtype in _DTYPES else None
