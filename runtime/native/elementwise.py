"""Elementwise operations on whole arrays: the rule for single numbers in a loop over the elements.

Operands are aligned at their last axis, and an axis of length 1 is taken for all places, as numpy has it. Where only
the run knows the lengths, those that differ make the region give up: the plan knows whether they may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from runtime.native.values import Memory, NativeValue

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["broadcast_dims", "over_places", "place_of"]

Places = Sequence[str]


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
