"""Arithmetic of numbers, bits and comparisons. Integers wrap around in files, as tensors' do here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtime.dtypes import DType, bool_, uint8, uint16, uint32, uint64
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers, writes
from runtime.graph.operation import Operation
from runtime.ops.arrays.shape import cast, stop_gradient
from runtime.ops.elementwise.arithmetic import (
    abs_,
    add,
    divide,
    floordiv,
    floormod,
    multiply,
    negative,
    pow_,
    round_,
    sign,
    subtract,
)
from runtime.ops.elementwise.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.limits import clip_by_value, maximum, minimum
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or, logical_xor, where
from runtime.ops.flow.core import identity
from runtime.ops.records.families import find
from runtime.ops.records.record import Op

__all__: list[str] = []

writes(
    {
        add: "Add", subtract: "Sub", multiply: "Mul", negative: "Neg", abs_: "Abs", pow_: "Pow",
        logical_and: "And", logical_or: "Or", logical_xor: "Xor", logical_not: "Not",
        stop_gradient: "Identity",
    }
)  # fmt: skip


@lowers(identity)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return operands[0]


@lowers(divide)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    dtype = operation.outputs[0].dtype
    return build.node("Div", *(build.cast(v, dtype) for v in operands))


@lowers(sign)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,) = operands
    found = build.node("Sign", x)
    return build.where(build.node("IsNaN", x, dtype=bool_), x, found) if x.dtype.is_floating else found


@lowers(round_)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Round", operands[0]) if operands[0].dtype.is_floating else operands[0]


_COMPARISONS: Final[dict[Op, str]] = {
    equal: "Equal", less: "Less", less_equal: "LessOrEqual", greater: "Greater", greater_equal: "GreaterOrEqual",
}  # fmt: skip


@lowers(*_COMPARISONS)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    if operation.op is not equal and operands[0].dtype is bool_:
        operands = [build.cast(v, uint8) for v in operands]
    return build.node(_COMPARISONS[operation.op], *operands, dtype=bool_)


@lowers(not_equal)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Not", build.node("Equal", *operands, dtype=bool_))


@lowers(maximum, minimum)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """NaN of either: the node leaves open which of the two it gives."""
    x, y = operands
    found = build.node("Max" if operation.op is maximum else "Min", x, y)
    return with_nans(build, found, x, y)


def with_nans(build: Build, found: Value, x: Value, y: Value) -> Value:
    """What was found, and NaN where one of the operands is."""
    if not x.dtype.is_floating:
        return found
    total = build.node("Add", x, y)
    for part in (y, x):
        found = build.where(build.node("IsNaN", part, dtype=bool_), total, found)
    return found


@lowers(clip_by_value)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    x, low, high = operands
    found = with_nans(build, build.node("Max", x, low), x, low)
    return with_nans(build, build.node("Min", found, high), found, high)


@lowers(where)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    if operands[1].is_list:
        raise Refused("it picks one of two lists; write an `if`")
    return build.where(*operands)


@lowers(cast)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,), dtype = operands, operation.outputs[0].dtype
    if dtype is bool_ and x.dtype is not bool_:
        return build.node("Not", build.node("Equal", x, build.number(x, 0), dtype=bool_))
    return build.cast(x, dtype)


@lowers(floordiv)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Of integers: the node truncates. (Floats have an expansion.)"""
    x, y = operands
    quotient = build.node("Div", x, y)
    if x.dtype.is_unsigned:
        return quotient
    rest = build.node("Sub", x, build.node("Mul", quotient, y))
    zero = build.number(x, 0)
    is_off = build.node("Not", build.node("Equal", rest, zero, dtype=bool_))
    signs = build.node("Xor", *(build.node("Less", v, zero, dtype=bool_) for v in (rest, y)))
    return build.node("Sub", quotient, build.cast(build.node("And", is_off, signs), x.dtype))


@lowers(floormod)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Mod", *operands)


_fmod = find("fmod")
assert _fmod is not None


@lowers(_fmod)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Mod", *operands, fmod=1)


# -- bits -----------------------------------------------------------------------------------------------------------

_BITS: Final[dict[Op, tuple[str, str]]] = {
    bitwise_and: ("BitwiseAnd", "And"), bitwise_or: ("BitwiseOr", "Or"), bitwise_xor: ("BitwiseXor", "Xor"),
    invert: ("BitwiseNot", "Not"),
}  # fmt: skip


@lowers(*_BITS)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    of_integers, of_bools = _BITS[operation.op]
    return build.node(of_bools if operands[0].dtype is bool_ else of_integers, *operands)


_UNSIGNED: Final[dict[int, DType]] = {1: uint8, 2: uint16, 4: uint32, 8: uint64}


def shifted(build: Build, x: Value, y: Value, direction: str) -> Value:
    """Bits of an unsigned integer moved; none is left where they are moved by the whole width, or further."""
    fits = build.node("Less", y, build.number(y, 8 * x.dtype.size), dtype=bool_)
    safe = build.where(fits, y, build.number(y, 0))
    return build.where(fits, build.node("BitShift", x, safe, direction=direction), build.number(x, 0))


@lowers(left_shift)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    unsigned = _UNSIGNED[operands[0].dtype.size]
    x, y = (build.cast(v, unsigned) for v in operands)
    return build.cast(shifted(build, x, y, "LEFT"), operands[0].dtype)


@lowers(right_shift)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Of a negative number the bits are flipped before and after, so that ones come in."""
    x, y = operands
    unsigned = _UNSIGNED[x.dtype.size]
    if x.dtype.is_unsigned:
        return shifted(build, x, y, "RIGHT")
    negative = build.node("Less", x, build.number(x, 0), dtype=bool_)
    flipped = build.where(negative, build.node("BitwiseNot", x), x)
    moved = build.cast(shifted(build, build.cast(flipped, unsigned), build.cast(y, unsigned), "RIGHT"), x.dtype)
    return build.where(negative, build.node("BitwiseNot", moved), moved)


