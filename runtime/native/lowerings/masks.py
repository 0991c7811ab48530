"""What is where a mask is true: boolean_mask, argwhere, how many are not zero, and how often integers occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.dtypes import bool_, int64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import as_int64, memory
from runtime.native.lowerings.places import flat_number
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_memory
from runtime.native.values import Memory, Number
from runtime.ops.arrays.index import boolean_mask
from runtime.ops.elementwise.logic import argwhere
from runtime.ops.reductions.reduce import count_nonzero
from runtime.ops.reductions.search import bincount

__all__ = ["Masked", "masked", "trues"]


@lowers(boolean_mask, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array, mask = (memory(operation, operand) for operand in operands)
    return masked(build, array, mask, operation.attributes["axis"] or 0)


class Masked:
    """The places of an array for which a mask says yes or no, from one axis on."""

    def __init__(self, build: Build, array: Memory, mask: Memory, first: int) -> None:
        self.build, self.mask = build, mask
        last = first + len(mask.dims)
        self.before, self.after = array.dims[:first], array.dims[last:]
        for own, wanted in zip(mask.dims, array.dims[first:last], strict=True):
            if own != wanted:
                build.w.fail_unless(build.w.let(f"icmp eq i64 {own}, {wanted}"))

    def dims(self, count: str) -> tuple[str, ...]:
        """Those of what is picked."""
        return (*self.before, count, *self.after)

    def each(self, one: Callable[[str, str, Sequence[str]], None]) -> None:
        """`one` gets whether an element is picked, its number in the array, and its place among what is picked."""
        build, w, filled = self.build, self.build.w, self.build.w.slot("i64")
        picked, inner = (build.elements(Memory("", "", dims, bool_)) for dims in (self.mask.dims, self.after))

        def block(before: Sequence[str], number: str) -> None:
            w.do(f"store i64 0, ptr {filled}")
            with build.each(picked) as place:
                test = build.load(self.mask.data, place, self.mask).text
                line = w.let(f"add i64 {w.let(f'mul i64 {number}, {picked}')}, {place}")
                start, here = w.let(f"mul i64 {line}, {inner}"), w.let(f"load i64, ptr {filled}")

                def element(after: Sequence[str], offset: str) -> None:
                    one(test, w.let(f"add i64 {start}, {offset}"), (*before, here, *after))

                over_places(build, self.after, element)
                w.do(f"store i64 {w.let(f'add i64 {here}, {_as_count(build, test)}')}, ptr {filled}")

        over_places(build, self.before, block)


def masked(build: Build, array: Memory, mask: Memory, first: int) -> Memory:
    """What a mask picks. Elements are written in any case, those that are left out to a place that nobody reads: so no
    jump is foreseen wrongly."""
    w, where = build.w, Masked(build, array, mask, first)
    result = build.new(where.dims(trues(build, mask)), array.dtype)
    nowhere = w.slot(in_memory(array.dtype))

    def one(test: str, source: str, places: Sequence[str]) -> None:
        there = build.address(result.data, flat_number(build, result.dims, places), array.dtype)
        target = w.let(f"select i1 {test}, ptr {there}, ptr {nowhere}")
        build.store(target, "0", build.load(array.data, source, array))

    where.each(one)
    return result.lies_as(array, turned=first > 0)


def _as_count(build: Build, test: str) -> str:
    return build.w.let(f"zext i1 {test} to i64")


def trues(build: Build, array: Memory) -> str:
    """How many elements are not zero."""
    w, total = build.w, build.w.slot("i64")
    w.do(f"store i64 0, ptr {total}")
    with build.each(build.elements(array)) as number:
        test = convert(build, build.load(array.data, number, array), bool_).text
        so_far = w.let(f"load i64, ptr {total}")
        w.do(f"store i64 {w.let(f'add i64 {so_far}, {_as_count(build, test)}')}, ptr {total}")
    return w.let(f"load i64, ptr {total}")


@lowers(count_nonzero, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    array = operands[0]
    if isinstance(array, Number):
        return Number(_as_count(build, convert(build, array, bool_).text), int64)
    if operation.outputs[0].shape.rank != 0:
        raise Refused(operation, "counts over some of the axes are left to numpy")
    return Number(trues(build, array), int64)


@lowers(argwhere, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array, w = memory(operation, operands[0]), build.w
    result = build.new((trues(build, array), str(len(array.dims))), int64)
    filled = w.slot("i64")
    w.do(f"store i64 0, ptr {filled}")

    def one(places: Sequence[str], number: str) -> None:
        found, onward = w.label("found"), w.label("onward")
        w.branch(convert(build, build.load(array.data, number, array), bool_).text, found, onward)
        w.block(found)
        here = w.let(f"load i64, ptr {filled}")
        for axis, place in enumerate(places):
            build.store(result.data, w.let(f"add i64 {here}, {axis}"), Number(place, int64))
        w.do(f"store i64 {w.let(f'add i64 {here}, {len(places)}')}, ptr {filled}")
        w.jump(onward)
        w.block(onward)

    over_places(build, array.dims, one)
    return result.lies_as(array, turned=len(array.dims) > 1)  # numpy's is a transpose


@lowers(bincount, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    """Gives up for negative ones, and for what would not fit into memory."""
    array, least, w = memory(operation, operands[0]), operands[1], build.w
    if len(array.dims) != 1:
        raise Refused(operation, "it takes vectors")
    most, total = w.slot("i64"), build.elements(array)
    build.module.declare("llvm.umax.i64", "declare i64 @llvm.umax.i64(i64, i64)")

    def place(number: str) -> str:
        return as_int64(build, build.load(array.data, number, array))

    minimum = as_int64(build, least)
    w.fail_if(w.let(f"icmp slt i64 {minimum}, 0"))
    w.do(f"store i64 {minimum}, ptr {most}")
    with build.each(total) as number:
        beyond = w.let(f"add i64 {place(number)}, 1")
        w.fail_if(w.let(f"icmp slt i64 {beyond}, 1"))
        so_far = w.let(f"load i64, ptr {most}")
        w.do(f"store i64 {w.let(f'call i64 @llvm.umax.i64(i64 {so_far}, i64 {beyond})')}, ptr {most}")
    count = w.let(f"load i64, ptr {most}")
    w.fail_unless(w.let(f"icmp ult i64 {count}, {1 << 40}"))
    result = build.new((count,), int64)
    with build.each(count) as number:
        build.store(result.data, number, Number("0", int64))
    with build.each(total) as number:
        here = place(number)
        so_far = build.load(result.data, here, result).text
        build.store(result.data, here, Number(w.let(f"add i64 {so_far}, 1"), int64))
    return result
