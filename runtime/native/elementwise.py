"""Elementwise operations on whole arrays: the rule for single numbers in a loop over the elements.

Operands are aligned at their last axis, and an axis of length 1 is taken for all places, as numpy has it. Where only
the run knows the lengths, those that differ make the region give up: the plan knows whether they may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.graph.operation import Operation
from runtime.native.rules import ARRAY_RULES
from runtime.native.values import Memory, NativeValue, Number

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["broadcast_dims", "elementwise", "over_places", "place_of"]

Places = Sequence[str]


def elementwise(
    build: Build, operation: Operation, operands: Sequence[NativeValue], rule: Callable[..., Any]
) -> Memory:
    """The result of an operation, written with its rule for single numbers, or its own for arrays."""
    if (of_arrays := ARRAY_RULES.get(operation.op)) is not None and operation.inputs[0].dtype.is_floating:
        for operand in operands:
            build.side_by_side(operand, operation)
        made: Memory = of_arrays(build, operation, operands)
        return made
    result = build.new(broadcast_dims(build, operands), operation.outputs[0].dtype)

    def one(places: Places, number: str) -> None:
        given = [
            o if isinstance(o, Number) else build.load(o.data, place_of(build, o, result.dims, places, number), o)
            for o in operands
        ]
        build.store(result.data, number, rule(build, operation, given))

    if all(isinstance(o, Number) or o.dims == result.dims for o in operands):
        with build.each(build.elements(result)) as number:
            one((), number)
    else:
        over_places(build, result.dims, one)
    return result


def broadcast_dims(build: Build, operands: Sequence[NativeValue]) -> tuple[str, ...]:
    """The dims of what operands give together; lengths that do not fit make the region give up."""
    arrays = [o for o in operands if isinstance(o, Memory)]
    rank = max(len(o.dims) for o in arrays)
    dims = []
    for axis in range(-rank, 0):
        lengths = {o.dims[axis]: None for o in arrays if len(o.dims) >= -axis}
        others = [length for length in lengths if length != "1"]
        first = next((length for length in others if length.isdecimal()), others[0] if others else "1")
        for length in others:
            if length != first:
                build.w.fail_unless(build.w.let(f"icmp eq i64 {length}, {first}"))
        dims.append(first)
    return tuple(dims)


def over_places(build: Build, dims: Sequence[str], one: Callable[[Places, str], None]) -> None:
    """Writes loops over all places of an array, one in the other; `one` gets the place and its number in C order."""
    _nested(build, dims, (), "0", one)


def _nested(
    build: Build, dims: Sequence[str], places: tuple[str, ...], number: str, one: Callable[[Places, str], None]
) -> None:
    if not dims:
        one(places, number)
        return
    with build.each(dims[0]) as place:
        scaled = number if number == "0" else build.w.let(f"mul i64 {number}, {dims[0]}")
        following = place if scaled == "0" else build.w.let(f"add i64 {scaled}, {place}")
        _nested(build, dims[1:], (*places, place), following, one)


def place_of(build: Build, value: Memory, dims: Sequence[str], places: Places, number: str) -> str:
    """The number of the element of an operand that belongs to a place of the result."""
    if value.dims == tuple(dims):
        return number
    w, found = build.w, "0"
    for length, place in zip(value.dims, places[len(dims) - len(value.dims) :], strict=True):
        if length == "1":
            continue
        scaled = found if found == "0" else w.let(f"mul i64 {found}, {length}")
        found = place if scaled == "0" else w.let(f"add i64 {scaled}, {place}")
    return found
