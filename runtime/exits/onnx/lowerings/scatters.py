"""Values put at positions, one after the other as they stand: `ScatterElements` on elements that lie in one row.

Where positions repeat, sums have all of them and a replacement is the last one. The node `ScatterND` promises neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import bool_, float16, float32, int64
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.lowerings.arithmetic import with_nans
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.adjoints import add_along_axis
from runtime.ops.arrays.scatter import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_update,
)
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.reduce import highest, lowest
from runtime.ops.reductions.segments import (
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sum,
)

__all__: list[str] = []


@lowers(add_along_axis)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    x, positions, values = operands
    axis = normalized_axis(operation.attributes["axis"], rank_of(operation))
    return _put(build, x, build.cast(positions, int64), values, "add", axis)


def _put(build: Build, x: Value, places: Value, values: Value, how: str, axis: int = 0) -> Value:
    """how: "none" for a replacement, or what becomes of both. (Of float16 there is no sum.)"""
    given: dict[str, Any] = {} if how == "none" else {"reduction": how}
    if given and x.dtype is float16:
        made = _put(build, build.cast(x, float32), places, build.cast(values, float32), how, axis)
        return build.cast(made, float16)
    return build.node("ScatterElements", x, places, values, typed=(0, 2), axis=axis, **given)


_TENSORS: Final[dict[Op, str]] = {
    tensor_scatter_nd_update: "none", tensor_scatter_nd_add: "add", tensor_scatter_nd_max: "max",
    tensor_scatter_nd_min: "min",
}  # fmt: skip


@lowers(*_TENSORS)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    tensor, indices, updates = operands
    depth = operation.inputs[1].shape[-1] if operation.inputs[1].shape.rank else None
    if depth is None:
        raise Refused("the last dimension of the indices is not known")
    flat = build.reshape(tensor, build.reshape(build.node("Size", tensor, dtype=int64), [1]))
    places = _places(build, tensor, build.cast(indices, int64), depth)
    values = build.reshape(updates, build.shape(places))
    how = _TENSORS[operation.op]
    if how in ("max", "min") and tensor.dtype.is_floating:
        made = _with_nans(build, flat, places, values, how)
    else:
        made = _put(build, flat, places, values, how)
    return build.reshape(made, build.shape(tensor))


def _with_nans(build: Build, x: Value, places: Value, values: Value, how: str) -> Value:
    """An extreme in which NaN counts: its places get NaN by a sum of zeros."""
    made = _put(build, x, places, values, how)
    nothing = build.node("ConstantOfShape", build.shape(x), dtype=x.dtype, value=np.zeros(1, x.dtype.numpy))
    is_nan = build.node("IsNaN", values, dtype=bool_)
    marks = build.where(is_nan, build.number(x, np.nan), build.number(x, 0))
    found = _put(build, nothing, places, marks, "add")
    return with_nans(build, made, found, x)


def _places(build: Build, tensor: Value, indices: Value, depth: int) -> Value:
    """For each element that is put somewhere, its place among the elements of the tensor."""
    shape = build.shape(tensor)
    total: Value | None = None
    for axis in range(depth):
        index = build.node("Gather", indices, build.integers(axis), typed=(0,), axis=-1)
        size = build.node("Gather", shape, build.integers(axis), typed=(0,))
        index = build.where(
            build.node("Less", index, build.integers(0), dtype=bool_), build.node("Add", index, size), index
        )
        total = index if total is None else build.node("Add", build.node("Mul", total, size), index)
    rest = build.node("Slice", shape, build.integers([depth]), build.integers([2**31]))
    width = build.node("ReduceProd", rest, keepdims=0)
    if total is None:
        count = build.node("ReduceProd", build.node("Slice", build.shape(indices), build.integers([0]),
                                                    build.integers([-1])), keepdims=0)  # fmt: skip
        total = build.node("Expand", build.integers([0]), build.reshape(count, [1]))
    starts = build.node("Mul", total, width)
    count = build.reshape(build.node("Size", starts, dtype=int64), [1])
    rows = build.reshape(starts, build.concat([count, build.integers([1])]))
    columns = build.node("Range", build.integers(0), width, build.integers(1))
    places = build.node("Add", rows, columns)
    return build.reshape(places, build.reshape(build.node("Size", places, dtype=int64), [1]))


_SEGMENTS: Final[dict[Op, tuple[str, Any]]] = {
    unsorted_segment_sum: ("add", lambda dtype: 0), unsorted_segment_prod: ("mul", lambda dtype: 1),
    unsorted_segment_max: ("max", lambda dtype: np.finfo(dtype).min if dtype.kind == "f" else lowest(dtype)),
    unsorted_segment_min: ("min", lambda dtype: np.finfo(dtype).max if dtype.kind == "f" else highest(dtype)),
}  # fmt: skip


@lowers(*_SEGMENTS)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """One row more takes what has a negative id."""
    data, ids, count = operands
    how, start = _SEGMENTS[operation.op]
    before = rank_of(operation.inputs[1])
    ids, count = build.cast(ids, int64), build.reshape(build.cast(count, int64), [1])
    rest = build.node("Slice", build.shape(data), build.integers([before]), build.integers([2**31]))
    width = build.reshape(build.node("ReduceProd", rest, keepdims=0), [1])
    rows = build.reshape(build.node("Size", ids, dtype=int64), [1])
    matrix = build.reshape(data, build.concat([rows, width]))
    ids = build.reshape(ids, build.concat([rows, build.integers([1])]))
    ids = build.where(build.node("Less", ids, build.integers(0), dtype=bool_), count, ids)
    places = build.node("Expand", ids, build.concat([rows, width]))
    filled = build.number(data, start(data.dtype.numpy))
    more = build.node("Add", count, build.integers([1]))
    empty = build.node("Expand", build.reshape(filled, [1, 1]), build.concat([more, width]))
    flat = build.reshape(empty, build.reshape(build.node("Size", empty, dtype=int64), [1]))
    line = build.node("Add", build.node("Mul", places, width),
                      build.node("Range", build.integers(0), build.reshape(width, []), build.integers(1)))  # fmt: skip
    size = build.reshape(build.node("Size", line, dtype=int64), [1])
    line, values = build.reshape(line, size), build.reshape(matrix, size)
    if how in ("max", "min") and data.dtype.is_floating:
        made = _with_nans(build, flat, line, values, how)
    else:
        made = _put(build, flat, line, values, how)
    made = build.node("Slice", build.reshape(made, build.concat([more, width])), build.integers([0]), count,
                      build.integers([0]), typed=(0,))  # fmt: skip
    return build.reshape(made, build.concat([count, rest]))
