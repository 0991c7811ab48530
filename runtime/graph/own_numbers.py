"""Operators of Python on numbers that the program computes from its own: they raise where Python's do.

    for i in range(n): s += 1 / i      # ZeroDivisionError for i = 0, where a tensor's division gives inf

Such numbers are weak scalars. Their plans hold Python's own numbers, so the operator is Python's own; what it would
give as a complex number is a NotRealError.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.dtypes import complex128, float64
from runtime.errors import NotRealError
from runtime.graph.operation import Operation
from runtime.ops.elementwise.arithmetic import abs_, divide, floordiv, floormod, pow_
from runtime.ops.elementwise.bitwise import left_shift, right_shift
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import Op

__all__ = [
    "compute_numbers", "is_of_numbers", "is_shift", "power", "raised_by_numbers", "refuse_shift", "value_of_numbers",
]  # fmt: skip


def power(base: complex, exponent: complex) -> complex:
    """`base ** exponent` of Python. Raises NotRealError for a complex result of real numbers, beside what Python
    raises."""
    result: Any = base**exponent
    if isinstance(result, complex) and not isinstance(base, complex):
        raise NotRealError(
            f"{base!r} ** {exponent!r} is a complex number in Python, and a float in a graph; write"
            f" complex({base!r}) ** {exponent!r}, or test the sign before"
        )
    return result if isinstance(result, complex) else float(result)


_OPERATORS: Final[Mapping[Op, Callable[..., Any]]] = {
    divide: operator.truediv, floordiv: operator.floordiv, floormod: operator.mod, pow_: power, abs_: operator.abs,
}  # fmt: skip


def is_of_numbers(operation: Operation) -> bool:
    """Whether the operation is a division or a power of Python's own numbers, with a float or a complex number as its
    result, or the size of a complex one."""
    if operation.op not in _OPERATORS or (operation.op is abs_ and operation.inputs[0].dtype is not complex128):
        return False
    result = operation.outputs[0]
    return result.weak and result.dtype in (float64, complex128) and result.shape.rank == 0


def is_shift(operation: Operation) -> bool:
    """Whether it is a shift of Python's own integers by a number of bits that is not known."""
    if operation.op not in (left_shift, right_shift):
        return False
    result, bits = operation.outputs[0], operation.inputs[1]
    return result.weak and result.shape.rank == 0 and (bits.value is None or int(bits.value) < 0)


def refuse_shift(bits: int) -> None:
    """Raises ValueError for a negative number of bits, as Python does."""
    if bits < 0:
        raise ValueError("negative shift count")


def raised_by_numbers(operation: Operation) -> tuple[type[BaseException], ...]:
    """What such an operation raises that one of tensors does not."""
    if is_shift(operation):
        return (ValueError,)
    if not is_of_numbers(operation):
        return ()
    if operation.op is abs_:
        return (OverflowError,)
    if operation.op is pow_:
        return (ZeroDivisionError, OverflowError, NotRealError)
    divisor = operation.inputs[1].op
    known = divisor.op is constant_node and bool(divisor.attributes["value"].all())
    return () if known else (ZeroDivisionError,)


def compute_numbers(operation: Operation, arrays: list[Any]) -> complex:
    """The result of such an operation. Raises what Python raises."""
    result: Any = _OPERATORS[operation.op](*[array.item() for array in arrays])
    return result if isinstance(result, complex) else float(result)


def value_of_numbers(operation: Operation, arrays: list[Any]) -> complex | None:
    """The result of known numbers; None where it raises when it runs."""
    try:
        return compute_numbers(operation, arrays)
    except (ArithmeticError, NotRealError):
        return None
