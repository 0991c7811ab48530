"""Whole numbers of Python in 64 bits: what leaves them raises, where a tensor's integers wrap around.

    v1 = v1 * v0
    if not -9223372036854775808 <= v1 <= 9223372036854775807: too_large(v1)      # scalars: runtime.engine.scalars
    v2 = pow(v0, v1)                   # arrays: a kernel of `checked`, which estimates the result with floats before

`runtime.config.check_overflow` says of which integers that is true: by default of those that the program computes from
its own numbers, which are weak.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np

from runtime import config
from runtime.errors import IntegerRangeError
from runtime.graph.operation import Operation
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["checked", "is_checked", "leaves_dtype", "may_leave", "too_large"]

_SHOWN_BITS: Final = 128

_SHIFTED: Final[Callable[..., Any]] = lambda x, y: x * np.power(np.asarray(2, x.dtype), y)


def is_checked(tensor: SymbolicTensor) -> bool:
    """Whether it holds integers that must not wrap around."""
    checks = config.overflow_checks()
    return tensor.dtype.is_integer and (tensor.weak if checks is None else checks)


def may_leave(operation: Operation) -> bool:
    """Whether the kernel of an operation gives integers that must not wrap around, and may."""
    return operation.op.facts.wraps and any(map(is_checked, operation.outputs))


def too_large(number: int, dtype: str = "int64") -> NoReturn:
    """Raises IntegerRangeError."""
    shown = str(number) if number.bit_length() <= _SHOWN_BITS else f"an integer of {number.bit_length()} bits"
    raise IntegerRangeError(
        f"{shown} does not fit {dtype}, in which a graph computes whole numbers; use a float, or"
        f" runtime.config.check_overflow(False), with which they wrap around"
    )


@functools.lru_cache(maxsize=1024)
def checked(op: Op) -> Callable[..., Any]:
    """The kernel of an operation on integers, which raises IntegerRangeError where a result leaves their dtype."""

    def kernel(*arrays: Any, **attributes: Any) -> Any:
        if leaves_dtype(op, arrays, attributes):
            raise IntegerRangeError(f"{op.name}: the result does not fit {np.asarray(arrays[0]).dtype}")
        return op.kernel(*arrays, **attributes)

    return kernel


def leaves_dtype(op: Op, arrays: Any, attributes: Any) -> bool:
    """Whether the results of an operation on integers leave their dtype.

    Floats tell, but near the limits, where Python's integers do.
    """
    limits = np.iinfo(np.asarray(arrays[0]).dtype)
    compute = _SHIFTED if op.name == "left_shift" else op.kernel
    with np.errstate(all="ignore"):
        try:
            estimate = np.asarray(compute(*[np.asarray(array, np.float64) for array in arrays], **attributes))
        except (TypeError, ValueError):
            return False  # the kernel itself will say why
    if bool(np.all((estimate > limits.min * _SURE) & (estimate < limits.max * _SURE))):
        return False
    if bool(np.any((estimate * _SURE < limits.min) | (estimate * _SURE > limits.max))):
        return True
    exact = np.asarray(compute(*[np.asarray(array, object) for array in arrays], **attributes), object)
    return any(not limits.min <= number <= limits.max for number in exact.flat)


_SURE: Final = 1 - 1e-6
"""What is nearer to the limits than that may lie on either side: estimates have errors."""
