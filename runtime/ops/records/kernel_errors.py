"""What numpy raises inside a kernel, as one of our errors: nothing raw reaches the user.

    eye([1, 2], 3)                  # int() of an array: numpy's TypeError
    ShapeMismatchError: eye: a scalar is needed; the shape is (2,) (operand shapes: (2,), ())

The kernels check what they are given where numpy would go on with something else. Where numpy stops by itself, its
error becomes what the shape and dtype rules say of the operands; if they say nothing, InvalidArgumentError with numpy's
words and the operands. Operations that run code of the user (calls, branches, `py_function`) are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.array_errors import LinAlgError
from runtime.errors import InvalidArgumentError, OpError, ResourceExhaustedError
from runtime.ops.flow.core import operand_of
from runtime.ops.records.record import Array, Op, Operand

__all__ = ["RAW", "as_ours", "is_raw"]

RAW: Final = (ValueError, TypeError, IndexError, OverflowError, MemoryError)
"""What numpy and Python raise for arguments that they cannot take."""

_DRAWS: Final = ("runtime.ops.random.random", "runtime.ops.random.stateless")
"""Kernels without samples, as their results are random."""


def is_raw(op: Op, error: Exception) -> bool:
    """Whether numpy raised the error inside a kernel of ours."""
    kernel_is_ours = op.samples is not None or op.kernel.__module__ in _DRAWS
    return kernel_is_ours and isinstance(error, RAW) and not isinstance(error, OpError)


def _shown(operand: Operand) -> str:
    """The dtype and the shape, and the value of a few integers: such as the shape that was too large."""
    value = operand.value
    few = value is not None and operand.dtype.is_integer and value.size <= 8
    return f"{operand.dtype.name} {operand.shape}" + (f" {np.asarray(value).tolist()}" if few else "")


def as_ours(op: Op, error: Exception, arrays: Sequence[Array], attributes: Mapping[str, Any]) -> OpError:
    """The error to raise in its place. arrays: the operands, none if they are not known."""
    operands = [operand_of(a) for a in arrays]
    shown = ", ".join(map(_shown, operands))
    given = f" (operands: {shown})" if shown else ""
    if isinstance(error, MemoryError):
        return ResourceExhaustedError(f"{op.name}: there is not enough memory: {error}{given}")
    if operands:
        try:
            op.infer(operands, attributes)  # the rules have the better message
        except OpError as better:
            return better
    kind = LinAlgError if isinstance(error, np.linalg.LinAlgError) else InvalidArgumentError
    return kind(f"{op.name}: {error}{given}")
