"""TensorArrays as sequences. What is not written yet is zeros, where the shape of the elements is known; an element
without elements stands for it elsewhere, which fits no other one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import DType, int64
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.lowerings.lists import at, each, emptied, length, stacked, with_element
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.lists.tensor_array import (
    array_concat,
    array_gather,
    array_new,
    array_read,
    array_scatter,
    array_split,
    array_stack,
    array_write,
)
from runtime.shapes import TensorShape

__all__ = ["blank"]


def blank(build: Build, dtype: DType, shape: TensorShape) -> Value:
    dims = shape.as_tuple() if shape.is_fully_defined() else (0,)
    return build.node("Expand", build.number(dtype, 0), build.integers(dims))


@lowers(array_new)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    kind = build.kinds.get(id(operation.outputs[0]))
    if kind is None:
        raise Refused("nothing says what its elements are")
    empty = blank(build, *kind)
    return each(build, build.cast(operands[0], int64), emptied(build, kind[0]),
                lambda i, made: with_element(build, made, empty))  # fmt: skip


def _written(build: Build, operation: Operation, items: Value, index: Value, element: Value) -> Value:
    given = operation.attributes
    if given["dynamic_size"]:
        kind = build.kinds.get(id(operation.outputs[0]), (given["element_dtype"], given["element_shape"]))
        empty = blank(build, *kind)
        missing = build.node("Sub", build.node("Add", index, build.integers(1)), length(build, items))
        missing = build.node("Max", missing, build.integers(0))
        items = each(build, missing, items, lambda i, made: with_element(build, made, empty))
    return with_element(build, build.list_node("SequenceErase", [items, index], items.dtype), element, index)


@lowers(array_write)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, index, element = operands
    return _written(build, operation, items, build.cast(index, int64), element)


@lowers(array_read)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return at(build, operands[0], build.cast(operands[1], int64))


@lowers(array_stack)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return stacked(build, operands[0], operation.attributes["element_shape"])


@lowers(array_gather)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    rows = stacked(build, operands[0], operation.attributes["element_shape"])
    return build.node("Gather", rows, build.cast(operands[1], int64), typed=(0,), axis=0)


@lowers(array_concat)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, shape = operands[0], operation.attributes["element_shape"]
    if shape.rank and shape[1:].is_fully_defined():  # of no elements: it has the shape all the same
        nothing = build.node("Expand", build.number(items.dtype, 0), build.integers((0, *shape[1:].as_tuple())))
        items = with_element(build, items, nothing)
    return build.node("ConcatFromSequence", items, dtype=items.dtype, typed=(), axis=0, new_axis=0)


@lowers(array_scatter)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    items, positions, rows = operands
    places = build.cast(positions, int64)

    def step(i: Value, made: Value) -> Value:
        row = build.node("Gather", rows, i, typed=(0,), axis=0)
        return _written(build, operation, made, build.node("Gather", places, i, typed=(0,)), row)

    return each(build, build.node("Size", places, dtype=int64), items, step)


@lowers(array_split)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Any:
    items, rows, lengths = operands
    sizes = build.cast(lengths, int64)
    ends = build.node("CumSum", sizes, build.integers(0), typed=(0,))
    starts = build.node("Sub", ends, sizes)

    def step(i: Value, made: Value) -> Value:
        bounds = (build.reshape(build.node("Gather", v, i, typed=(0,)), [1]) for v in (starts, ends))
        piece = build.node("Slice", rows, *bounds, build.integers([0]), typed=(0,))
        return _written(build, operation, made, i, piece)

    return each(build, build.node("Size", sizes, dtype=int64), items, step)
