"""Lists that grow, and TensorArrays: the rules of their operations (see `runtime.native.lists`).

A list is written to in place where nobody else holds it, and has room for twice its elements whenever it must move. A
position outside of it makes the region give up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, memory
from runtime.native.lowerings.places import position
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.lists.lists import list_get, list_length, list_new, list_pop, list_push, list_set, list_stack
from runtime.ops.lists.tensor_array import array_new, array_read, array_stack, array_write

__all__ = ["bytes_of", "of_length", "put", "start_of", "with_room"]

_MOST: Final = (1 << 31) - 1
"""The most elements: what is larger is left to the plan, which counts them in int32."""


@lowers(list_new, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    type_ = build.module.types.of(operation.outputs[0])
    made = build.new((str(len(operands)), *map(str, type_.element_dims)), type_.dtype)
    for number, operand in enumerate(operands):
        put(build, operation, made, str(number), operand)
    return made


@lowers(array_new)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    type_ = build.module.types.of(operation.outputs[0])
    size, w = as_int64(build, operands[0]), build.w
    w.fail_if(w.let(f"icmp ugt i64 {size}, {_MOST}"))
    made = build.new((size, *map(str, type_.element_dims)), type_.dtype)
    build.module.declare("llvm.memset", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    count = bytes_of(build, size, made)
    w.do(f"call void @llvm.memset.p0.i64(ptr {made.data}, i8 0, i64 {count}, i1 false)")
    return made


@lowers(list_length)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    w, length = build.w, memory(operation, operands[0]).dims[0]
    w.fail_if(w.let(f"icmp ugt i64 {length}, {_MOST}"))
    return Number(w.let(f"trunc i64 {length} to i32"), operation.outputs[0].dtype, (0, _MOST))


@lowers(list_push)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    held = build.take(operation.inputs[0], operation)
    grown = with_room(build, held, held.dims[0], "1")
    put(build, operation, grown, held.dims[0], operands[1])
    return of_length(grown, build.w.let(f"add nuw nsw i64 {held.dims[0]}, 1"))


@lowers(list_set)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    place = position(build, operands[1], memory(operation, operands[0]).dims[0])
    mine = build.unique(build.take(operation.inputs[0], operation))
    put(build, operation, mine, place, operands[2])
    return mine


@lowers(array_write)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    w, place = build.w, as_int64(build, operands[1])
    length = memory(operation, operands[0]).dims[0]
    if not operation.attributes["dynamic_size"]:
        w.fail_unless(w.let(f"icmp ult i64 {place}, {length}"))
        mine = build.unique(build.take(operation.inputs[0], operation))
        put(build, operation, mine, place, operands[2])
        return mine
    w.fail_if(w.let(f"icmp ugt i64 {place}, {length}"))
    held = build.take(operation.inputs[0], operation)
    at_end = w.let(f"icmp eq i64 {place}, {length}")
    more = w.let(f"zext i1 {at_end} to i64")
    grown = with_room(build, held, length, more)
    put(build, operation, grown, place, operands[2])
    return of_length(grown, w.let(f"add nuw nsw i64 {length}, {more}"))


@lowers(list_get, array_read)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, w = memory(operation, operands[0]), build.w
    if operation.op is list_get:
        return _element(build, operation, position(build, operands[1], array.dims[0]))
    place = as_int64(build, operands[1])
    w.fail_unless(w.let(f"icmp ult i64 {place}, {array.dims[0]}"))
    return _element(build, operation, place)


@lowers(list_pop)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> tuple[NativeValue, ...]:
    w, length = build.w, memory(operation, operands[0]).dims[0]
    place = position(build, operands[1], length)
    left = w.let(f"sub nsw i64 {length}, 1")
    element = _element(build, operation, place, keep=True)
    rest = build.take(operation.inputs[0], operation)
    if operands[1].constant != -1:
        rest = build.unique(rest)
        target, source = (build.address(rest.data, start_of(build, rest, p), rest.dtype) for p in (
            place, w.let(f"add nsw i64 {place}, 1")))  # fmt: skip
        size = bytes_of(build, w.let(f"sub nsw i64 {left}, {place}"), rest)
        w.do(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")
    return of_length(rest, left), element


@lowers(list_stack, array_stack)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    return build.take(operation.inputs[0], operation)


def of_length(array: Memory, length: str) -> Memory:
    return Memory(array.data, array.header, (length, *array.dims[1:]), array.dtype, True)


def bytes_of(build: Build, count: str, array: Memory) -> str:
    """The bytes of so many elements of a list."""
    size = array.dtype.size
    for dim in array.dims[1:]:
        size *= int(dim)
    return str(int(count) * size) if count.isdecimal() else build.w.let(f"mul nuw nsw i64 {count}, {size}")


def with_room(build: Build, held: Memory, length: str, count: str) -> Memory:
    """The list as one that nobody else holds, with room for so many more behind its elements."""
    w, used, more = build.w, bytes_of(build, length, held), bytes_of(build, count, held)
    given = f"ptr %context, ptr {held.data}, ptr {held.header}, i64 {used}, i64 {more}"
    pair = w.let(f"call {{ptr, ptr}} @with_room({given})")
    data, header = (w.let(f"extractvalue {{ptr, ptr}} {pair}, {i}") for i in (0, 1))
    w.fail_if(w.let(f"icmp eq ptr {data}, null"))
    return Memory(data, header, held.dims, held.dtype, True)


def start_of(build: Build, array: Memory, place: str) -> str:
    """The number of the first element of a row."""
    count = 1
    for dim in array.dims[1:]:
        count *= int(dim)
    return place if count == 1 else build.w.let(f"mul nuw nsw i64 {place}, {count}")


def put(build: Build, operation: Operation, array: Memory, place: str, value: NativeValue) -> None:
    """Writes an element, which must have the shape of the others. A list of NumPy's holds a view as it is."""
    build.side_by_side(value, operation)
    if value.dtype is not array.dtype or isinstance(value, Number) is not (len(array.dims) == 1):
        raise Refused(operation, "the element is not of the type of the list")
    if isinstance(value, Number):
        build.store(array.data, place, value)
        return
    for dim, wanted in zip(value.dims, array.dims[1:], strict=True):
        if dim != wanted:
            build.w.fail_unless(build.w.let(f"icmp eq i64 {dim}, {wanted}"))
    target = build.address(array.data, start_of(build, array, place), array.dtype)
    size = bytes_of(build, "1", array)
    build.w.do(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {value.data}, i64 {size}, i1 false)")


def _element(build: Build, operation: Operation, place: str, keep: bool = False) -> NativeValue:
    """An element: a number, or a view of a row; a copy where the list is written to in place, or is to be kept."""
    array = memory(operation, build.values[id(operation.inputs[0])])
    if len(array.dims) == 1:
        return build.load(array.data, place, array)
    if not array.fixed and not keep:
        held = build.take(operation.inputs[0], operation)
        data = build.address(held.data, start_of(build, array, place), held.dtype)
        return Memory(data, held.header, array.dims[1:], held.dtype, True)
    made = build.new(array.dims[1:], array.dtype)
    source = build.address(array.data, start_of(build, array, place), array.dtype)
    size = bytes_of(build, "1", array)
    build.w.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {made.data}, ptr {source}, i64 {size}, i1 false)")
    return made
