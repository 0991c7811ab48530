"""Elements in order: sort, argsort, top_k, and where values go in a vector that is in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.dtypes import DType, int64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.operands import memory
from runtime.native.lowerings.places import flat_number
from runtime.native.ordering import declared_less, pick_positions, sort_positions
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_memory, in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.order import argsort, sort, top_k
from runtime.ops.reductions.search import searchsorted

__all__: list[str] = []

FEW: Final = 64
"""How many of the greatest are kept in order beside the others, which are not sorted."""


class _Lines:
    """The lines of an array along one axis, each brought in order: its keys, and the positions in order."""

    def __init__(self, build: Build, array: Memory, axis: int, down: bool, most: int | None = None) -> None:
        """most: the positions of so many of the greatest are needed, and no others."""
        self.build, self.array, self.axis, self.down = build, array, axis, down
        self.most = most if most is not None and 0 < most <= FEW else None
        self.length = array.dims[axis]
        self.keys = build.new((self.length,), array.dtype)
        self.positions, self.spare = (build.new((self.length,), int64) for _ in range(2))

    def each(self, one: Callable[[Callable[[str], list[str]]], None]) -> None:
        """`one` writes what becomes of a line; it gets what makes of a position on the axis one in the array."""
        build = self.build
        around = (*self.array.dims[: self.axis], *self.array.dims[self.axis + 1 :])

        def line(places: Sequence[str], _: str) -> None:
            def at(position: str) -> list[str]:
                return [*places[: self.axis], position, *places[self.axis :]]

            with build.each(self.length) as number:
                source = flat_number(build, self.array.dims, at(number))
                build.store(self.keys.data, number, build.load(self.array.data, source, self.array))
            if self.most is None:
                sort_positions(build, self.keys, self.positions.data, self.spare.data, self.length, self.down)
            else:
                pick_positions(build, self.keys, self.positions.data, self.length, self.most)
            one(at)

        over_places(build, around, line)
        for made in (self.keys, self.positions, self.spare):
            build.drop(made)

    def position(self, number: str) -> Number:
        return self.build.load(self.positions.data, number, self.positions)

    def key(self, position: Number) -> Number:
        return self.build.load(self.keys.data, position.text, self.keys)


def _as(build: Build, position: Number, dtype: DType) -> Number:
    return Number(build.w.let(f"trunc i64 {position.text} to {in_register(dtype)}"), dtype)


@lowers(sort, argsort, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    """Values from the greatest to the smallest are those from the smallest on, read backwards; positions are not."""
    array, dtype = memory(operation, operands[0]), operation.outputs[0].dtype
    axis = normalized_axis(operation.attributes["axis"], len(array.dims))
    down, of_values = operation.attributes["direction"] != "ASCENDING", operation.op is sort
    lines = _Lines(build, array, axis, down and not of_values)
    result = build.new(array.dims, dtype)

    def one(at: Callable[[str], list[str]]) -> None:
        with build.each(lines.length) as number:
            position = lines.position(number)
            target = number
            if down and of_values:
                target = build.w.let(f"sub i64 {build.w.let(f'sub i64 {lines.length}, 1')}, {number}")
            found = lines.key(position) if of_values else _as(build, position, dtype)
            build.store(result.data, flat_number(build, array.dims, at(target)), found)

    lines.each(one)
    return result.lies_as(array, gaps=down)


@lowers(top_k, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> tuple[NativeValue, ...]:
    array, dtype = memory(operation, operands[0]), operation.outputs[1].dtype
    k, last = str(operation.attributes["k"]), len(array.dims) - 1
    length = array.dims[-1]
    if not (length.isdecimal() and int(k) <= int(length)):
        build.w.fail_unless(build.w.let(f"icmp ule i64 {k}, {length}"))
    dims = (*array.dims[:-1], k)
    lines = _Lines(build, array, last, True, int(k))
    values, places = build.new(dims, array.dtype), build.new(dims, dtype)

    def one(at: Callable[[str], list[str]]) -> None:
        with build.each(k) as number:
            position, target = lines.position(number), flat_number(build, dims, at(number))
            build.store(values.data, target, lines.key(position))
            build.store(places.data, target, _as(build, position, dtype))

    lines.each(one)
    return values.lies_as(array), places.lies_as(array)


@lowers(searchsorted, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, values = memory(operation, operands[0]), operands[1]
    if len(array.dims) != 1:
        raise Refused(operation, "it takes vectors")
    after = operation.attributes["side"] == "right"
    if isinstance(values, Number):
        return Number(_found(build, array, values, after), int64)
    result = build.new(values.dims, int64)
    with build.each(build.elements(values)) as number:
        value = build.load(values.data, number, values)
        build.store(result.data, number, Number(_found(build, array, value, after), int64))
    return result.lies_as(values)


def _found(build: Build, array: Memory, value: Number, after: bool) -> str:
    """Halves the part of the vector in which the place is."""
    kind = in_memory(array.dtype)
    less = declared_less(build, array)
    name = f"search.{less}{'.after' if after else ''}"
    test = f"call i1 @{less}({kind} %value, {kind} %item)" if after else f"call i1 @{less}({kind} %item, {kind} %value)"
    onward = "xor i1 %tested, true" if after else "or i1 %tested, false"
    text = f"""define internal i64 @{name}(ptr %items, i64 %n, {kind} %value) {{
entry:
  br label %test
test:
  %low = phi i64 [0, %entry], [%low_after, %half]
  %high = phi i64 [%n, %entry], [%high_after, %half]
  %more = icmp ult i64 %low, %high
  br i1 %more, label %half, label %end
half:
  %size = sub i64 %high, %low
  %part = lshr i64 %size, 1
  %mid = add i64 %low, %part
  %address = getelementptr {kind}, ptr %items, i64 %mid
  %item = load {kind}, ptr %address
  %tested = {test}
  %onward = {onward}
  %behind = add i64 %mid, 1
  %low_after = select i1 %onward, i64 %behind, i64 %low
  %high_after = select i1 %onward, i64 %high, i64 %mid
  br label %test
end:
  ret i64 %low
}}"""
    build.module.declare(name, text)
    return build.w.let(f"call i64 @{name}(ptr {array.data}, i64 {array.dims[0]}, {kind} {value.text})")
