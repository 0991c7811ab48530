"""Sums, products, extremes and means over axes, and running sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_, int64, uint8, uint64
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.sum_to import sum_to
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import normalized_axes
from runtime.ops.reductions.reduce import (
    count_nonzero,
    highest,
    lowest,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.ops.reductions.scan import cumsum

__all__ = ["in_order", "out_of_order"]


def reduced(build: Build, type: str, value: Value, attributes: Any, dtype: DType | None = None) -> Value:
    """A reduction; over no axes it is the value itself."""
    axis, keeps = attributes["axis"], int(attributes["keepdims"])
    if axis == ():
        return value
    if axis is None:
        return build.node(type, value, typed=(0,), dtype=dtype, keepdims=keeps)
    axes = list(axis) if isinstance(axis, tuple) else [axis]
    return build.node(type, value, build.integers(axes), typed=(0,), dtype=dtype, keepdims=keeps)


@lowers(reduce_sum)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    if operands[0].dtype.is_integer:
        return _whole_sum(build, operands[0], operation.attributes, rank_of(operation))
    return reduced(build, "ReduceSum", operands[0], operation.attributes)


def _whole_sum(build: Build, value: Value, attributes: Any, rank: int) -> Value:
    """The sum of integers, by the last of their running sums: onnxruntime's own goes by floats, and loses digits."""
    dtype, axes = value.dtype, normalized_axes(attributes["axis"], rank)
    value = build.cast(value, int64)
    for axis in axes:
        amounts, place = build.integers([0, 1]), build.integers([axis])
        value = build.node("Pad", value, amounts, build.integers(0), place, typed=(0, 2), mode="constant")
        value = build.node("CumSum", value, build.integers(axis), typed=(0,))
        last = build.integers([-1]), build.integers([2**62])
        value = build.node("Slice", value, *last, place, typed=(0,))
    if axes and not attributes["keepdims"]:
        value = build.node("Squeeze", value, build.integers(axes), typed=(0,))
    return build.cast(value, dtype)


@lowers(reduce_prod)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return reduced(build, "ReduceProd", operands[0], operation.attributes)


@lowers(reduce_mean)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Of integers it is cut off, and summed in 64 bits."""
    (x,), attributes = operands, operation.attributes
    if attributes["axis"] == ():
        return x
    if x.dtype.is_floating and operation.inputs[0].shape.num_elements():
        return reduced(build, "ReduceMean", x, attributes)
    if x.dtype.is_floating:  # the node gives 0 of nothing
        total = reduced(build, "ReduceSum", x, attributes)
        ones = build.node("ConstantOfShape", build.shape(x), dtype=x.dtype, value=np.ones(1, x.dtype.numpy))
        return build.node("Div", total, reduced(build, "ReduceSum", ones, attributes))
    wide = uint64 if x.dtype is uint64 else int64
    total = _whole_sum(build, build.cast(x, wide), attributes, rank_of(operation))
    ones = build.cast(build.node("ConstantOfShape", build.shape(x), dtype=int64, value=np.ones(1, np.int64)), wide)
    return build.cast(build.node("Div", total, reduced(build, "ReduceSum", ones, attributes)), x.dtype)


_EXTREMES: Final[dict[Op, tuple[str, Any]]] = {reduce_max: ("ReduceMax", lowest), reduce_min: ("ReduceMin", highest)}
_FLIP: Final = 1 << 63


def in_order(build: Build, value: Value) -> Value:
    """A value in a dtype that nodes can order: uint64 as int64 with another first bit."""
    if value.dtype is not uint64:
        return value
    return build.cast(build.node("BitwiseXor", value, build.number(value, _FLIP)), int64)


def out_of_order(build: Build, value: Value, dtype: DType) -> Value:
    """What `in_order` has made, as it was."""
    if dtype is not uint64:
        return value
    value = build.cast(value, uint64)
    return build.node("BitwiseXor", value, build.number(value, _FLIP))


@lowers(*_EXTREMES)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """NaN if there is one, which the node does not promise; of nothing the value that never wins."""
    (x,), (type, never), attributes = operands, _EXTREMES[operation.op], operation.attributes
    if attributes["axis"] == ():
        return x
    ordered = in_order(build, x)
    if operation.inputs[0].shape.is_fully_defined() and operation.inputs[0].shape.num_elements():
        found = reduced(build, type, ordered, attributes)
    else:
        found = _of_nothing(build, type, ordered, attributes, never(ordered.dtype.numpy))
    if x.dtype.is_floating:
        nan = reduced(build, "ReduceMax", build.cast(build.node("IsNaN", x, dtype=bool_), uint8), attributes)
        if not operation.inputs[0].shape.num_elements():
            ones = build.cast(build.node("IsNaN", x, dtype=bool_), int64)
            nan = reduced(build, "ReduceSum", ones, attributes)
        found = build.where(build.cast(nan, bool_), build.number(x, np.nan), found)
    return out_of_order(build, found, x.dtype)


def _of_nothing(build: Build, type: str, value: Value, attributes: Any, never: Any) -> Value:
    """An extreme with one more element, which never wins, along each axis that is reduced."""
    axis = attributes["axis"]
    filled = build.number(value, never)
    if axis is None:
        shape = build.shape(value)
        flat = build.concat([build.reshape(value, [-1]), build.reshape(filled, [1])])
        found = build.node(type, flat, typed=(0,), keepdims=0)
        if not attributes["keepdims"]:
            return found
        ones = build.node("ConstantOfShape", build.shape(shape), dtype=int64, value=np.ones(1, np.int64))
        return build.reshape(found, ones)
    for one in axis if isinstance(axis, tuple) else (axis,):
        amounts = build.integers([0, 1])
        value = build.node("Pad", value, amounts, filled, build.integers([one]), typed=(0, 2), mode="constant")
    return reduced(build, type, value, attributes)


@lowers(reduce_all, reduce_any)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Whether one is true; whether none is false."""
    (x,), attributes = operands, operation.attributes
    asked = x if operation.op is reduce_any else build.node("Not", x)
    count = reduced(build, "ReduceSum", build.cast(asked, int64), attributes)
    none = build.node("Equal", count, build.integers(0), dtype=bool_)
    return build.node("Not", none) if operation.op is reduce_any else none


@lowers(count_nonzero)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,) = operands
    if x.dtype is not bool_:
        x = build.node("Not", build.node("Equal", x, build.number(x, 0), dtype=bool_))
    return reduced(build, "ReduceSum", build.cast(x, int64), operation.attributes)


@lowers(cumsum)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    given = operation.attributes
    axis = build.integers(given["axis"])
    return build.node("CumSum", operands[0], axis, typed=(0,), exclusive=int(given["exclusive"]),
                      reverse=int(given["reverse"]))  # fmt: skip


@lowers(sum_to)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Over the axes in which the shapes differ, which only the run may know. (Integers have an expansion.)"""
    x, target = operands[0], build.cast(operands[1], int64)
    shape = build.shape(x)
    rank, wanted = (build.node("Size", v, dtype=int64) for v in (shape, target))
    missing = build.reshape(build.node("Sub", rank, wanted), [1])
    ones = build.node("ConstantOfShape", missing, dtype=int64, value=np.ones(1, np.int64))
    same = build.node("Equal", shape, build.concat([ones, target]), dtype=bool_)
    axes = build.reshape(build.node("NonZero", build.node("Not", same), dtype=int64), [-1])
    total = build.node("ReduceSum", x, axes, typed=(0,), keepdims=1, noop_with_empty_axes=1)
    return build.reshape(total, target)
