"""Elements in other places: the axes in another order, arrays one after the other, and what arrays of indices pick.

    concat(x, y, axis=1)        # a loop over the places of x, one over those of y
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.operands import memory
from runtime.native.lowerings.picks import Pick
from runtime.native.lowerings.places import flat_number
from runtime.native.rules import lowers
from runtime.native.values import Memory, NativeValue
from runtime.ops.index import gather
from runtime.ops.join import concat, stack
from runtime.ops.shape import transpose
from runtime.ops.shape_rules import normalized_axis

__all__: list[str] = []

Dims = tuple[str, ...]


@lowers(transpose, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = operands[0]
    if not isinstance(array, Memory):
        return array  # type: ignore[no-any-return]
    rank = len(array.dims)
    order = [axis % rank for axis in operation.attributes["perm"] or range(rank - 1, -1, -1)]
    result = build.new([array.dims[axis] for axis in order], array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        source = flat_number(build, array.dims, [places[order.index(axis)] for axis in range(rank)])
        build.store(result.data, number, build.load(array.data, source, array))

    over_places(build, result.dims, one)
    result.scattered = order != sorted(order)
    return result


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
        total = _sum(build, total, own[axis])
    result = build.new((*first[:axis], total, *first[axis + 1 :]), values[0].dtype)
    for value, own, start in zip(values, dims, starts, strict=True):
        _put(build, result, value, own, axis, start)
    return result


def _put(build: Build, result: Memory, value: NativeValue, dims: Dims, axis: int, start: str) -> None:
    """Writes the elements of one value from a position on the axis on."""

    def one(places: Sequence[str], number: str) -> None:
        moved = [_sum(build, start, place) if here == axis else place for here, place in enumerate(places)]
        element = build.load(value.data, number, value) if isinstance(value, Memory) else value
        build.store(result.data, flat_number(build, result.dims, moved), element)

    over_places(build, dims, one)


def _sum(build: Build, x: str, y: str) -> str:
    if x == "0" or y == "0":
        return x if y == "0" else y
    return str(int(x) + int(y)) if x.isdecimal() and y.isdecimal() else build.w.let(f"add i64 {x}, {y}")


@lowers(gather, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = memory(operation, operands[0])
    axis = normalized_axis(operation.attributes["axis"] or 0, len(array.dims))
    pick = Pick(build, array, operands[1], axis, from_end=False)
    if not pick.dims:
        return build.load(array.data, pick.number(()), array)
    result = build.new(pick.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        build.store(result.data, number, build.load(array.data, pick.number(places), array))

    over_places(build, pick.dims, one)
    return result
