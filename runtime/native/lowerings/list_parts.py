"""Lists that change by more than one element at their end: insert, slices, sums of two, rows of an array at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.lists import bytes_of, of_length, put, start_of, with_room
from runtime.native.lowerings.operands import as_int64, memory
from runtime.native.lowerings.places import slice_of
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory
from runtime.ops.kernels.index_spec import AT
from runtime.ops.lists.lists import list_concat, list_extend, list_insert, list_slice

__all__: list[str] = []


@lowers(list_insert)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    w, length = build.w, memory(operation, operands[0]).dims[0]
    given = as_int64(build, operands[1])
    from_end = w.let(f"icmp slt i64 {given}, 0")
    place = w.let(f"select i1 {from_end}, i64 {w.let(f'add i64 {given}, {length}')}, i64 {given}")
    for side, limit in (("slt", "0"), ("sgt", length)):
        place = w.let(f"select i1 {w.let(f'icmp {side} i64 {place}, {limit}')}, i64 {limit}, i64 {place}")
    grown = with_room(build, build.take(operation.inputs[0], operation), length, "1")
    _move(build, grown, w.let(f"add i64 {place}, 1"), grown, place, w.let(f"sub i64 {length}, {place}"))
    put(build, operation, grown, place, operands[2])
    return of_length(grown, w.let(f"add nuw nsw i64 {length}, 1"))


@lowers(list_slice, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array, (start, stop, step) = memory(operation, operands[0]), operands[1:]
    if step.constant == 0:
        raise Refused(operation, "its step is zero")
    ends = [AT if operation.attributes[name] else None for name in ("has_start", "has_stop")]
    given = [value for value, end in zip((start, stop), ends, strict=True) if end is not None]
    known = step.constant
    axis = slice_of(
        build, operation, (*ends, AT if known is None else known), iter([*given, step]), array.dims[0]
    )
    made = build.new((axis.length or "0", *array.dims[1:]), array.dtype)
    with build.each(made.dims[0]) as number:
        moved = build.w.let(f"mul i64 {number}, {axis.step}")
        _move(build, made, number, array, build.w.let(f"add i64 {axis.start}, {moved}"), "1")
    return made


@lowers(list_concat, list_extend)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    first, second = (memory(operation, value) for value in operands)
    build.side_by_side(second, operation)
    if second.dtype is not first.dtype or len(second.dims) != len(first.dims):
        raise Refused(operation, "the elements are not of the type of the list")
    for dim, wanted in zip(second.dims[1:], first.dims[1:], strict=True):
        if dim != wanted:
            build.w.fail_unless(build.w.let(f"icmp eq i64 {dim}, {wanted}"))
    length, count = first.dims[0], second.dims[0]
    grown = with_room(build, build.take(operation.inputs[0], operation), length, count)
    _move(build, grown, length, second, "0", count)
    return of_length(grown, build.w.let(f"add nuw nsw i64 {length}, {count}"))


def _move(build: Build, target: Memory, to: str, source: Memory, place: str, count: str) -> None:
    """Puts so many elements of a list to another place, also of the same list."""
    into = build.address(target.data, start_of(build, target, to), target.dtype)
    given = build.address(source.data, start_of(build, source, place), source.dtype)
    size = bytes_of(build, count, target)
    build.w.do(f"call void @llvm.memmove.p0.p0.i64(ptr {into}, ptr {given}, i64 {size}, i1 false)")
