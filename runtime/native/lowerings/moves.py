"""Elements in other places: the axes in another order, arrays one after the other, and what arrays of indices pick.

    concat(x, y, axis=1)        # a loop over the places of x, one over those of y
    reverse(x, axis=0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.operands import memory, moved
from runtime.native.lowerings.picks import Pick
from runtime.native.lowerings.places import Axis, flat_number
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, NativeValue
from runtime.ops.arrays.index import gather, reverse, roll
from runtime.ops.arrays.join import concat, stack, unstack
from runtime.ops.arrays.shape import transpose
from runtime.ops.records.shape_rules import normalized_axes, normalized_axis

__all__: list[str] = []

Dims = tuple[str, ...]


@lowers(transpose, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = operands[0]
    if not isinstance(array, Memory):
        return array
    rank = len(array.dims)
    order = [axis % rank for axis in operation.attributes["perm"] or range(rank - 1, -1, -1)]
    if id(operation.outputs[0]) in build.spared:
        return Memory("null", "null", array.dims[::-1], array.dtype)
    result = build.new([array.dims[axis] for axis in order], array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        source = flat_number(build, array.dims, [places[order.index(axis)] for axis in range(rank)])
        build.store(result.data, number, build.load(array.data, source, array))

    over_places(build, result.dims, one)
    turned = order != sorted(order)
    return result.lies_as(array, gaps=array.scattered or turned, turned=turned)


@lowers(concat, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    arrays = [memory(operation, operand) for operand in operands]
    axis = normalized_axis(operation.attributes["axis"], len(arrays[0].dims))
    return _joined(build, arrays, [array.dims for array in arrays], axis)


@lowers(stack, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    """Numbers as arrays of one element, too."""
    rank = max(len(value.dims) if isinstance(value, Memory) else 0 for value in operands)
    axis = normalized_axis(operation.attributes["axis"], rank + 1)
    dims = [value.dims if isinstance(value, Memory) else () for value in operands]
    return _joined(build, operands, [(*own[:axis], "1", *own[axis:]) for own in dims], axis)


def _joined(build: Build, values: Sequence[NativeValue], dims: Sequence[Dims], axis: int) -> Memory:
    """The elements of values, which are taken to have these dims, one after the other along an axis."""
    first, starts, total = dims[0], list[str](), "0"
    for own in dims:
        for here, (length, wanted) in enumerate(zip(own, first, strict=True)):
            if here != axis and length != wanted:
                build.w.fail_unless(build.w.let(f"icmp eq i64 {length}, {wanted}"))
        starts.append(total)
        total = moved(build, total, own[axis])
    result = build.new((*first[:axis], total, *first[axis + 1 :]), values[0].dtype)
    for value, own, start in zip(values, dims, starts, strict=True):
        _put(build, result, value, own, axis, start)
        if isinstance(value, Memory) and value.turned:
            result.lies_as(value)
    return result


def _put(build: Build, result: Memory, value: NativeValue, dims: Dims, axis: int, start: str) -> None:
    """Writes the elements of one value from a position on the axis on."""

    def one(places: Sequence[str], number: str) -> None:
        there = [moved(build, start, place) if here == axis else place for here, place in enumerate(places)]
        element = build.load(value.data, number, value) if isinstance(value, Memory) else value
        build.store(result.data, flat_number(build, result.dims, there), element)

    over_places(build, dims, one)


@lowers(gather, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = memory(operation, operands[0])
    axis = normalized_axis(operation.attributes["axis"] or 0, len(array.dims))
    entries: list[Any] = [Axis("0", dim, whole=True) for dim in array.dims]
    entries[axis] = operands[1]
    pick = Pick(build, array, entries, from_end=False)
    if not pick.dims:
        return build.load(array.data, pick.number(()), array)
    result = build.new(pick.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        build.store(result.data, number, build.load(array.data, pick.number(places), array))

    over_places(build, pick.dims, one)
    return result


@lowers(reverse, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, w = operands[0], build.w
    if not isinstance(array, Memory):
        return array
    axes = normalized_axes(operation.attributes["axis"], len(array.dims))
    result = build.new(array.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        there = list(places)
        for axis in axes:
            there[axis] = w.let(f"sub i64 {w.let(f'sub i64 {array.dims[axis]}, 1')}, {places[axis]}")
        build.store(result.data, number, build.load(array.data, flat_number(build, array.dims, there), array))

    over_places(build, result.dims, one)
    return result.lies_as(array, gaps=array.scattered or bool(axes))


@lowers(roll, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    """Each element is put where it comes to be, so that no remainder is taken of negative numbers."""
    array, w = memory(operation, operands[0]), build.w
    shifts, axes = operation.attributes["shift"], operation.attributes["axis"]
    pairs = zip(shifts, axes, strict=True) if isinstance(axes, tuple) else [(shifts, axes)]
    by = dict[int, int]()
    for shift, axis in pairs:
        place = normalized_axis(axis, len(array.dims))
        by[place] = by.get(place, 0) + shift
    starts = {axis: _wrapped(build, shift, array.dims[axis]) for axis, shift in by.items()}
    result = build.new(array.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        there = list(places)
        for axis, start in starts.items():
            added = w.let(f"add i64 {places[axis]}, {start}")
            beyond = w.let(f"icmp uge i64 {added}, {array.dims[axis]}")
            there[axis] = w.let(f"select i1 {beyond}, i64 {w.let(f'sub i64 {added}, {array.dims[axis]}')}, i64 {added}")
        build.store(result.data, flat_number(build, array.dims, there), build.load(array.data, number, array))

    over_places(build, array.dims, one)
    return result.lies_as(array)


def _wrapped(build: Build, shift: int, dim: str) -> str:
    """The shift as a number below the length of the axis; of an axis without elements anything."""
    w = build.w
    if dim.isdecimal():
        return str(shift % max(int(dim), 1))
    length = w.let(f"call i64 @llvm.umax.i64(i64 {dim}, i64 1)")
    build.module.declare("llvm.umax.i64", "declare i64 @llvm.umax.i64(i64, i64)")
    rest = w.let(f"srem i64 {shift}, {length}")
    below = w.let(f"icmp slt i64 {rest}, 0")
    return w.let(f"select i1 {below}, i64 {w.let(f'add i64 {rest}, {length}')}, i64 {rest}")


@lowers(unstack, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> tuple[NativeValue, ...]:
    array = memory(operation, operands[0])
    if not operation.outputs:
        raise Refused(operation, "it gives nothing")
    axis = normalized_axis(operation.attributes["axis"], len(array.dims))
    count = str(len(operation.outputs))
    if array.dims[axis] != count:
        build.w.fail_unless(build.w.let(f"icmp eq i64 {array.dims[axis]}, {count}"))
    return tuple([_part(build, array, axis, str(number)) for number in range(len(operation.outputs))])


def _part(build: Build, array: Memory, axis: int, position: str) -> NativeValue:
    """A copy of what stands at one position of an axis."""
    dims = (*array.dims[:axis], *array.dims[axis + 1 :])
    if not dims:
        return build.load(array.data, position, array)
    result = build.new(dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        source = flat_number(build, array.dims, [*places[:axis], position, *places[axis:]])
        build.store(result.data, number, build.load(array.data, source, array))

    over_places(build, dims, one)
    return result.lies_as(array, gaps=array.scattered or axis > 0)
