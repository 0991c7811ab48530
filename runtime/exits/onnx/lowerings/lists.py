"""Growing lists and TensorArrays as sequences: each operation makes a new one, as it does here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.dtypes import DType, bool_, int64, variant
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Subgraph, Value, type_of
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.lists.blocks import swap_first_axes
from runtime.ops.lists.lists import (
    list_cast,
    list_concat,
    list_extend,
    list_get,
    list_insert,
    list_length,
    list_new,
    list_pop,
    list_push,
    list_set,
    list_slice,
    list_stack,
)
from runtime.shapes import TensorShape

__all__ = ["at", "each", "emptied", "length", "stacked", "with_element"]


def _element(operation: Operation) -> DType:
    dtype: DType = operation.attributes["element_dtype"]
    if dtype is variant:
        raise Refused("it is of lists in a list, which ONNX has not")
    return dtype


def emptied(build: Build, dtype: DType) -> Value:
    return build.list_node("SequenceEmpty", [], dtype, dtype=type_of(dtype))


def length(build: Build, items: Value) -> Value:
    return build.node("SequenceLength", items, dtype=int64, typed=())


def at(build: Build, items: Value, index: Value) -> Value:
    return build.node("SequenceAt", items, index, dtype=items.dtype, typed=())


def with_element(build: Build, items: Value, element: Value, *index: Value) -> Value:
    return build.list_node("SequenceInsert", [items, element, *index], items.dtype)


def _less_one(build: Build, items: Value, index: Value) -> Value:
    return build.list_node("SequenceErase", [items, index], items.dtype)


def each(build: Build, count: Value, start: Value, step: Callable[[Value, Value], Value]) -> Value:
    """A list after step(number, list) for the numbers before count."""
    scope = Subgraph(build.unique("each"))
    turn, again = Value(build.unique("turn"), int64), Value(build.unique("goes_on"), bool_)
    inner = Value(build.unique("items"), start.dtype, True)
    scope.inputs = [turn, again, inner]
    with build.inside(scope):
        made = step(turn, inner)
        scope.outputs = [build.node("Identity", again), build.list_node("Identity", [made], made.dtype)]
    return build.list_node("Loop", [count, build.constant(True), start], made.dtype, body=scope)


@lowers(list_new)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    dtype = _element(operation)
    return build.list_node("SequenceConstruct", operands, dtype) if operands else emptied(build, dtype)


@lowers(list_push)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    _element(operation)
    return with_element(build, *operands)


@lowers(list_extend)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, rows = operands
    shape = build.shape(rows)
    count = build.node("Gather", shape, build.integers(0), typed=(0,))
    return each(build, count, items, lambda i, made: with_element(
        build, made, build.node("Gather", rows, i, typed=(0,), axis=0)))  # fmt: skip


@lowers(list_concat)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, others = operands
    return each(build, length(build, others), items, lambda i, made: with_element(build, made, at(build, others, i)))


def _position(build: Build, items: Value, index: Value) -> Value:
    """A position that counts from the start."""
    index = build.cast(index, int64)
    is_negative = build.node("Less", index, build.integers(0), dtype=bool_)
    return build.where(is_negative, build.node("Add", index, length(build, items)), index)


@lowers(list_set)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, index, element = operands
    _element(operation)
    place = _position(build, items, index)
    return with_element(build, _less_one(build, items, place), element, place)


@lowers(list_insert)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, index, element = operands
    _element(operation)
    place = build.node("Max", _position(build, items, index), build.integers(0))
    return with_element(build, items, element, build.node("Min", place, length(build, items)))


@lowers(list_length)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.cast(length(build, operands[0]), operation.outputs[0].dtype)


@lowers(list_get)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    _element(operation)
    return at(build, operands[0], build.cast(operands[1], int64))


@lowers(list_pop)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Any:
    items, index = operands[0], build.cast(operands[1], int64)
    _element(operation)
    return _less_one(build, items, index), at(build, items, index)


@lowers(list_slice)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """The numbers of all elements are sliced, and those elements taken."""
    items, *bounds = operands
    given = operation.attributes
    step = operation.inputs[3].value
    if step is None:
        raise Refused("the step of a slice is not known")
    is_back = int(step) < 0
    far = 2**62
    start, stop, by = (build.reshape(build.cast(v, int64), [1]) for v in bounds)
    start = start if given["has_start"] else build.integers([far if is_back else 0])
    stop = stop if given["has_stop"] else build.integers([-far if is_back else far])
    numbers = build.node("Range", build.integers(0), length(build, items), build.integers(1))
    places = build.node("Slice", numbers, start, stop, build.integers([0]), by, typed=(0,))
    count = build.node("Size", places, dtype=int64)
    return each(build, count, emptied(build, items.dtype), lambda i, made: with_element(
        build, made, at(build, items, build.node("Gather", places, i, typed=(0,)))))  # fmt: skip


def stacked(build: Build, items: Value, shape: TensorShape) -> Value:
    """The elements side by side. Of none it is empty, where their shape is known: a row goes in, and out again."""
    if not shape.is_fully_defined():
        return build.node("ConcatFromSequence", items, dtype=items.dtype, typed=(), axis=0, new_axis=1)
    zeros = build.node("Expand", build.number(items.dtype, 0), build.integers(shape.as_tuple()))
    longer = with_element(build, items, zeros)
    made = build.node("ConcatFromSequence", longer, dtype=items.dtype, typed=(), axis=0, new_axis=1)
    bounds = build.integers([0]), build.integers([-1]), build.integers([0])
    return build.node("Slice", made, *bounds, typed=(0,))


@lowers(list_stack)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    _element(operation)
    return stacked(build, operands[0], operation.attributes["element_shape"])


@lowers(list_cast)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (items,), dtype = operands, _element(operation)
    return each(build, length(build, items), emptied(build, dtype), lambda i, made: with_element(
        build, made, build.cast(at(build, items, i), dtype)))  # fmt: skip


@lowers(swap_first_axes)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Transpose", operands[0], perm=[1, 0, *range(2, rank_of(operation))])
