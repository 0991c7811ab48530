"""Shapes, and the same elements in other ones: reshape, transpose, concat, split, tile, pad, ..."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from runtime.dtypes import int64
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.join import concat, split, stack, unstack
from runtime.ops.arrays.padding import pad
from runtime.ops.arrays.repeating import broadcast_to, tile
from runtime.ops.arrays.shape import expand_dims, rank, reshape, shape, size, squeeze, transpose
from runtime.ops.arrays.slices import ensure_shape
from runtime.ops.records.shape_rules import normalized_axes, normalized_axis

__all__ = ["sliced"]


@lowers(shape)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.cast(build.shape(operands[0]), operation.outputs[0].dtype)


@lowers(size)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.cast(build.node("Size", operands[0], dtype=int64), operation.outputs[0].dtype)


@lowers(rank)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    dtype = operation.outputs[0].dtype
    if operation.inputs[0].shape.rank is not None:
        return build.number(dtype, operation.inputs[0].shape.rank)
    return build.cast(build.node("Size", build.shape(operands[0]), dtype=int64), dtype)


@lowers(reshape)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.reshape(*operands)


@lowers(transpose)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    perm = operation.attributes["perm"]
    given: dict[str, Any] = {} if perm is None else {"perm": list(perm)}
    return build.node("Transpose", operands[0], **given)


@lowers(expand_dims)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Unsqueeze", operands[0], build.integers([operation.attributes["axis"]]), typed=(0,))


@lowers(squeeze)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    axis = operation.attributes["axis"]
    if axis in (None, ()):
        return build.node("Squeeze", operands[0], typed=(0,))
    axes = list(axis) if isinstance(axis, tuple) else [axis]
    return build.node("Squeeze", operands[0], build.integers(axes), typed=(0,))


@lowers(ensure_shape)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """What is known is reshaped to, which fails where it is something else."""
    wanted = operation.attributes["shape"]
    if wanted.is_fully_defined() and not operation.inputs[0].shape.is_fully_defined():
        return build.reshape(operands[0], wanted.as_tuple())
    return operands[0]


@lowers(concat)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.concat(operands, operation.attributes["axis"])


@lowers(stack)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    axis = normalized_axis(operation.attributes["axis"], rank_of(operation) + 1)
    return build.concat([build.node("Unsqueeze", v, build.integers([axis]), typed=(0,)) for v in operands], axis)


@lowers(unstack)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Any:
    axis = normalized_axis(operation.attributes["axis"], rank_of(operation))
    return tuple(
        build.node("Gather", operands[0], build.integers(i), typed=(0,), axis=axis)
        for i in range(len(operation.outputs))
    )


@lowers(split)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Any:
    parts, axis = operation.attributes["num_or_size_splits"], operation.attributes["axis"]
    axis, count = normalized_axis(axis, rank_of(operation)), len(operation.outputs)
    if not count:
        return ()
    if isinstance(parts, int):
        if count == 1:
            return build.node("Identity", operands[0])
        known = operation.inputs[0].shape[axis]
        if known is None:  # the node would give a shorter last part, where this is an error
            return tuple(build.nodes("Split", operands, [None] * count, (0,), axis=axis, num_outputs=count))
        parts = (known // count,) * count
    sizes = [build.integers([n]) for n in parts]
    if -1 in parts:
        whole = build.node("Slice", build.shape(operands[0]), *(build.integers([n]) for n in (axis, axis + 1)))
        others = build.integers([sum(n for n in parts if n != -1)])
        sizes[parts.index(-1)] = build.node("Sub", whole, others)
    lengths = build.integers(parts) if -1 not in parts else build.concat(sizes)
    if operation.inputs[0].shape.num_elements() == 0 or 0 in parts:
        return _pieces(build, operands[0], parts, axis)
    return tuple(build.nodes("Split", [operands[0], lengths], [None] * count, (0,), axis=axis))


def _pieces(build: Build, value: Value, parts: Sequence[int], axis: int) -> Any:
    """The parts one by one, where some have no elements."""
    if -1 in parts:
        raise Refused("a part that takes the rest stands beside one without elements")
    ends = np.cumsum([0, *parts]).tolist()
    return tuple(sliced(build, value, axis, a, b) for a, b in pairwise(ends))


def sliced(build: Build, value: Value, axis: int, start: int, stop: int, step: int = 1) -> Value:
    """The elements from start up to stop along an axis."""
    bounds = (build.integers([n]) for n in (start, stop, axis, step))
    return build.node("Slice", value, *bounds, typed=(0,))


@lowers(tile)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Tile", operands[0], build.cast(operands[1], int64), typed=(0,))


@lowers(broadcast_to)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Expand", operands[0], build.cast(operands[1], int64), typed=(0,))


@lowers(pad)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    tensor, paddings, filled = operands
    mode, count = operation.attributes["mode"], rank_of(operation)
    amounts = build.reshape(build.node("Transpose", build.cast(paddings, int64), perm=[1, 0]), [-1])
    if not count:
        return tensor
    if mode == "CONSTANT":
        return build.node("Pad", tensor, amounts, filled, typed=(0, 2), mode="constant")
    if mode == "REFLECT":
        return build.node("Pad", tensor, amounts, typed=(0,), mode="reflect")
    for axis in normalized_axes(None, count):
        tensor = _mirrored(build, tensor, amounts, axis, count)
    return tensor


def _mirrored(build: Build, value: Value, amounts: Value, axis: int, count: int) -> Value:
    """Both sides of an axis mirrored with their edges."""
    place, back = build.integers([axis]), build.integers([-1])
    before, after = (
        build.node("Slice", amounts, *(build.integers([n]) for n in (i, i + 1))) for i in (axis, count + axis)
    )
    size = build.node("Slice", build.shape(value), build.integers([axis]), build.integers([axis + 1]))
    far = build.integers([-(2**62)])
    zero = build.integers([0])
    head = build.node("Slice", value, zero, before, place, typed=(0,))
    tail = build.node("Slice", value, build.node("Sub", size, after), size, place, typed=(0,))
    flipped = [build.node("Slice", v, back, far, place, back, typed=(0,)) for v in (head, tail)]
    return build.concat([flipped[0], value, flipped[1]], axis)
