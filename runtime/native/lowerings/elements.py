"""Elements and parts of arrays: reading and writing one, a row, or a slice, and what an array says of itself.

An index out of range makes the region give up. Writing is in place where nobody else holds the array. What is read is a
view where it lies in one piece, else a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places, place_of
from runtime.native.lowerings.masks import Masked, masked, trues
from runtime.native.lowerings.operands import memory, write
from runtime.native.lowerings.picks import Pick, has_arrays, mask_of, picked_by
from runtime.native.lowerings.places import Axis, axes_of, flat_number, source_of
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.arrays.adjoints import add_item
from runtime.ops.arrays.index import getitem
from runtime.ops.arrays.item_update import setitem
from runtime.ops.arrays.shape import size

__all__: list[str] = []


@lowers(getitem)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = memory(operation, operands[0])
    if has_arrays(operation):
        found = mask_of(operation, array, operands[1:])
        if found is not None:
            return masked(build, array, *found)
        return _picked(build, array, picked_by(build, operation, array, operands[1:]))
    axes = axes_of(build, operation, array, operands[1:])
    dims = [axis.length for axis in axes if axis.length is not None]
    if not dims:
        return build.load(array.data, flat_number(build, array.dims, [axis.start for axis in axes]), array)
    if not (array.fixed or array.scattered) and _in_one_piece(axes):
        held = build.take(operation.inputs[0], operation)
        number = flat_number(build, array.dims, [axis.start for axis in axes if not axis.is_new])
        return Memory(build.address(held.data, number, held.dtype), held.header, tuple(dims), held.dtype, True)
    result = build.new(dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        source = flat_number(build, array.dims, _sources(build, axes, places))
        build.store(result.data, number, build.load(array.data, source, array))

    over_places(build, result.dims, one)
    return result.lies_as(array, gaps=array.scattered or not _in_one_piece(axes))


def _picked(build: Build, array: Memory, pick: Pick) -> Memory:
    result = build.new(pick.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        build.store(result.data, number, build.load(array.data, pick.number(places), array))

    over_places(build, pick.dims, one)
    return result.lies_as(array, turned=pick.at > 0)  # numpy puts the axes of the index first in memory


def _in_one_piece(axes: Sequence[Axis]) -> bool:
    """Whether the elements lie side by side: integers, then one slice without steps, then whole axes."""
    kept = [axis for axis in axes if not axis.is_new]
    if any(axis.step != 1 for axis in kept):
        return False
    after = next((i for i, axis in enumerate(kept) if axis.length is not None), len(kept))
    return all(axis.whole for axis in kept[after + 1 :])


def _sources(build: Build, axes: Sequence[Axis], places: Sequence[str]) -> list[str]:
    """The position on each axis of the array for a place in the part that was picked."""
    given, found = iter(places), []
    for axis in axes:
        if axis.is_new:
            next(given)
        else:
            found.append(source_of(build, axis, given))
    return found


@lowers(setitem, add_item)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array, value = memory(operation, operands[0]), operands[1]
    pick = None
    if has_arrays(operation):
        found = mask_of(operation, array, operands[2:])
        if found is not None:
            return _write_masked(build, operation, array, value, *found)
        pick = picked_by(build, operation, array, operands[2:])
    axes = axes_of(build, operation, array, operands[2:]) if pick is None else []
    dims = [axis.length for axis in axes if axis.length is not None] if pick is None else list(pick.dims)
    if isinstance(value, Memory):
        _check_fits(build, operation, value, dims)
    mine = build.unique(build.take(operation.inputs[0], operation, scattered=True))
    put = _putting(build, operation, mine)

    if not dims:
        put(flat_number(build, mine.dims, [axis.start for axis in axes]), _single(value, build))
        return mine

    def one(places: Sequence[str], number: str) -> None:
        if pick is None:
            target = flat_number(build, mine.dims, _sources(build, axes, places))
        else:
            target = pick.number(places)
        put(target, value if isinstance(value, Number) else _element(build, value, dims, places, number))

    over_places(build, dims, one)
    return mine


def _putting(build: Build, operation: Operation, mine: Memory) -> Callable[[str, Number], None]:
    """What writes a number to a place of an array, or adds it there."""

    def put(place: str, given: Number) -> None:
        if operation.op is add_item:
            there, kind = build.load(mine.data, place, mine), "add" if given.dtype.is_integer else "fadd"
            given = write(build, f"{kind} {{t}} {{0}}, {{1}}", given.dtype, there, given)
        build.store(mine.data, place, given)

    return put


def _write_masked(
    build: Build, operation: Operation, array: Memory, value: NativeValue, mask: Memory, first: int
) -> Memory:
    """Where a mask is true; a number by a choice at each place, so that no jump is foreseen wrongly."""
    w = build.w
    where = Masked(build, array, mask, first)
    if isinstance(value, Memory):
        _check_fits(build, operation, value, where.dims(trues(build, mask)))
    mine = build.unique(build.take(operation.inputs[0], operation, scattered=True))
    put = _putting(build, operation, mine)

    def choose(test: str, target: str, places: Sequence[str]) -> None:
        assert isinstance(value, Number)
        there = build.load(mine.data, target, mine)
        kind = in_register(value.dtype)
        text = w.let(f"select i1 {test}, {kind} {value.text}, {kind} {there.text}")
        build.store(mine.data, target, Number(text, value.dtype))

    def jump(test: str, target: str, places: Sequence[str]) -> None:
        then, onward = w.label("there"), w.label("onward")
        w.branch(test, then, onward)
        w.block(then)
        put(target, value if isinstance(value, Number) else _of_mask(build, value, places))
        w.jump(onward)
        w.block(onward)

    where.each(choose if isinstance(value, Number) and operation.op is setitem else jump)
    return mine


def _of_mask(build: Build, value: Memory, places: Sequence[str]) -> Number:
    """The element of what is written, of which an axis of length 1 is taken for all places."""
    own = [
        "0" if dim == "1" else place
        for dim, place in zip(value.dims, places[len(places) - len(value.dims) :], strict=True)
    ]
    return build.load(value.data, flat_number(build, value.dims, own), value)


def _single(value: NativeValue, build: Build) -> Number:
    return value if isinstance(value, Number) else build.load(value.data, "0", value)


def _element(build: Build, value: Memory, dims: Sequence[str], places: Sequence[str], number: str) -> Number:
    return build.load(value.data, place_of(build, value, dims, places, number), value)


def _check_fits(build: Build, operation: Operation, value: Memory, dims: Sequence[str]) -> None:
    """Gives up where an array has not the shape of the place that it is written to, but for axes of length 1."""
    if len(value.dims) > len(dims):
        raise Refused(operation, "what is written has more axes than its place")
    for length, wanted in zip(value.dims, dims[len(dims) - len(value.dims) :], strict=True):
        if length not in (wanted, "1"):
            build.w.fail_unless(build.w.let(f"icmp eq i64 {length}, {wanted}"))


@lowers(size)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    array, dtype = memory(operation, operands[0]), operation.outputs[0].dtype
    total = build.elements(array)
    if dtype.size < 8 and not total.isdecimal():
        total = build.w.let(f"trunc i64 {total} to i{8 * dtype.size}")
    return Number(total, dtype)
