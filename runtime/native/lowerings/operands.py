"""What the rules of several families ask of their operands.

    x, y = numbers(operation, operands)
    write(build, "fneg {t} {0}", float64, x)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import DType
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.rules import Refused
from runtime.native.types import in_register
from runtime.native.values import Memory, Number

__all__ = [
    "as_int64", "check_size", "declared", "is_signed", "lengths", "memory", "moved", "numbers", "total_of", "write",
]  # fmt: skip

MOST: Final = 2.0**44
"""More elements than there is memory for."""


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


def declared(build: Build, name: str, dtype: DType) -> str:
    """The name of a function from a float to the same float that processors have, such as `sqrt`."""
    kind = in_register(dtype)
    full = f"llvm.{name}.{_SUFFIXES[kind]}"
    build.module.declare(full, f"declare {kind} @{full}({kind})")
    return full


_SUFFIXES: Final = {"half": "f16", "float": "f32", "double": "f64"}


def is_signed(dtype: DType) -> bool:
    return dtype.is_integer and not dtype.is_unsigned


def as_int64(build: Build, number: Number) -> str:
    """An integer with 64 bits."""
    kind = in_register(number.dtype)
    if kind == "i64" or number.text.lstrip("-").isdecimal():
        return number.text
    return build.w.let(f"{'sext' if is_signed(number.dtype) else 'zext'} {kind} {number.text} to i64")


def moved(build: Build, place: str, by: str) -> str:
    """The sum of two counts."""
    if place == "0" or by == "0":
        return place if by == "0" else by
    return str(int(place) + int(by)) if _are_known(place, by) else build.w.let(f"add i64 {place}, {by}")


def total_of(build: Build, x: str, y: str) -> str:
    """The product of two counts."""
    if x == "1" or y == "1":
        return x if y == "1" else y
    return str(int(x) * int(y)) if _are_known(x, y) else build.w.let(f"mul i64 {x}, {y}")


def _are_known(*texts: str) -> bool:
    return all(text.lstrip("-").isdecimal() for text in texts)


def lengths(build: Build, operation: Operation, value: Any, known: bool = True) -> tuple[str, ...]:
    """Lengths that an operand has as its elements; negative ones make the region give up. known: they are those of the
    result, which the graph knows in part."""
    array, count = memory(operation, value), build.elements(value)
    dims = operation.outputs[0].shape.dims if known else (None,) * int(count if count.isdecimal() else 0)
    if dims is None or not count.isdecimal():
        raise Refused(operation, "how many axes it has is known to the run alone")
    found = []
    for place, dim in enumerate(dims):
        text = str(dim) if dim is not None else as_int64(build, build.load(array.data, str(place), array))
        if dim is None:
            build.w.fail_if(build.w.let(f"icmp slt i64 {text}, 0"))
        found.append(text)
    return tuple(found)


def check_size(build: Build, factors: Sequence[str]) -> None:
    """Gives up where the product of numbers, which may be any, is more than the elements that an array can have."""
    w, total = build.w, "1.0"
    for factor in factors:
        total = w.let(f"fmul double {total}, {w.let(f'uitofp i64 {factor} to double')}")
    w.fail_unless(w.let(f"fcmp ole double {total}, {MOST}"))
