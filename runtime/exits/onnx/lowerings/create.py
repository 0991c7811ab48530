"""Constants and new tensors: zeros, ones, fill, eye, range, one_hot, ..."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import DType, bool_, int64, variant
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.lowerings.arrays import blank
from runtime.exits.onnx.lowerings.lists import emptied, with_element
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.create import eye, fill, one_hot, ones, ones_like, range_, zeros, zeros_like
from runtime.ops.flow.core import constant_node
from runtime.ops.kernels.list_value import ListValue, unboxed
from runtime.ops.records.record import Array

__all__: list[str] = []


@lowers(constant_node)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    value = operation.attributes["value"]
    return build.constant(value) if operation.outputs[0].dtype is not variant else _list(build, operation, value)


def _list(build: Build, operation: Operation, value: Array) -> Value:
    """A list that is known, as one without elements often is before a loop."""
    items: Any = unboxed(value)
    kind = build.kinds.get(id(operation.outputs[0]))
    if kind is None or not isinstance(items, ListValue) or any(isinstance(item, ListValue) for item in items):
        raise Refused("nothing says what is in this list, or lists are in it")
    made = emptied(build, kind[0])
    for item in items:
        made = with_element(build, made, blank(build, *kind) if item is None else build.constant(item, kind[0]))
    return made


def _filled(build: Build, shape: Value, dtype: DType, number: int) -> Value:
    value = np.array([number], dtype.numpy)
    return build.node("ConstantOfShape", build.cast(shape, int64), dtype=dtype, value=value)


@lowers(zeros, ones)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return _filled(build, operands[0], operation.outputs[0].dtype, int(operation.op is ones))


@lowers(zeros_like, ones_like)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return _filled(build, build.shape(operands[0]), operation.outputs[0].dtype, int(operation.op is ones_like))


@lowers(fill)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Expand", operands[1], build.cast(operands[0], int64), typed=(0,))


@lowers(eye)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    rows, columns = (_counted(build, build.cast(v, int64)) for v in operands)
    rows = build.node("Unsqueeze", rows, build.integers([1]))
    return build.cast(build.node("Equal", rows, columns, dtype=bool_), operation.outputs[0].dtype)


def _counted(build: Build, count: Value) -> Value:
    return build.node("Range", build.integers(0), count, build.integers(1))


@lowers(range_)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Floats are computed from whole numbers, so that no error adds up."""
    start, limit, delta = operands
    if not start.dtype.is_floating:
        return build.node("Range", start, limit, delta)
    steps = build.node("Ceil", build.node("Div", build.node("Sub", limit, start), delta))
    numbers = build.cast(_counted(build, build.cast(steps, int64)), start.dtype)
    return build.node("Add", start, build.node("Mul", numbers, delta))


@lowers(one_hot)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    indices, depth, on, off = operands
    axis, rank = operation.attributes["axis"], operation.inputs[0].shape.rank
    if axis < 0 and rank is not None:
        axis += rank + 1
    if axis < 0 and axis != -1:
        raise Refused("the number of dimensions is not known")
    numbers = build.cast(_counted(build, build.cast(depth, int64)), int64)
    if axis >= 0:
        if rank is None:
            raise Refused("the number of dimensions is not known")
        numbers = build.reshape(numbers, [-1] + [1] * (rank - axis))
    hit = build.node("Equal", build.node("Unsqueeze", build.cast(indices, int64), build.integers([axis])), numbers,
                     dtype=bool_)  # fmt: skip
    return build.where(hit, on, off)
