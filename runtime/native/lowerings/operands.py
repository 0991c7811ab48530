"""What the rules of several families ask of their operands.

    x, y = numbers(operation, operands)
    write(build, "fneg {t} {0}", float64, x)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import DType
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.rules import Refused
from runtime.native.types import in_register
from runtime.native.values import Memory, Number

__all__ = ["as_int64", "is_signed", "memory", "numbers", "write"]


def numbers(operation: Operation, operands: Sequence[Any]) -> list[Number]:
    """The operands, which must all be scalars."""
    if any(isinstance(value, Memory) for value in operands):
        raise Refused(operation, "whole arrays are computed by numpy")
    return list(operands)


def memory(operation: Operation, value: Any) -> Memory:
    """An operand that must be an array."""
    if not isinstance(value, Memory):
        raise Refused(operation, "it takes a scalar as an array")
    return value


def write(build: Build, text: str, dtype: DType, *operands: Number) -> Number:
    """An instruction, whose text has `{0}`, `{1}` for operands and `{t}` for the type of the first of them."""
    kind = in_register(operands[0].dtype)
    return Number(build.w.let(text.format(*(o.text for o in operands), t=kind)), dtype)


def is_signed(dtype: DType) -> bool:
    return dtype.is_integer and not dtype.is_unsigned


def as_int64(build: Build, number: Number) -> str:
    """An integer with 64 bits."""
    kind = in_register(number.dtype)
    if kind == "i64" or number.text.lstrip("-").isdecimal():
        return number.text
    return build.w.let(f"{'sext' if is_signed(number.dtype) else 'zext'} {kind} {number.text} to i64")
