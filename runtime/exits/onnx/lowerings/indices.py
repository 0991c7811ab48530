"""Elements by position: slices, indices that are numbers or vectors, masks. Arrays among several indices are expanded
to `gather_nd` (runtime.exits.expansions.items)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import bool_, int64
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.adjoints import take_along_axis
from runtime.ops.arrays.index import boolean_mask, gather, getitem, reverse
from runtime.ops.arrays.scatter import gather_nd
from runtime.ops.arrays.slices import slice_
from runtime.ops.elementwise.logic import argwhere
from runtime.ops.kernels.index_spec import ARRAY, filled
from runtime.ops.records.shape_rules import normalized_axes, normalized_axis

__all__: list[str] = []

FAR: Final = 2**62
"""Past the end of everything."""


@lowers(getitem)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Slices first, then numbers, the last one first, then new axes."""
    spec, value = operation.attributes["spec"], operands[0]
    if ARRAY in spec:
        raise Refused("arrays are among the indices, and the number of dimensions is not known")
    entries = filled(spec, operands[1:])
    place = next((i for i, e in enumerate(entries) if isinstance(e, str)), None)
    if place is not None:
        used = sum(1 for e in entries if e is not None) - 1
        missing = rank_of(operation) - used
        entries[place : place + 1] = [(None, None, None)] * missing
    axes = [i for i, e in enumerate(e for e in entries if e is not None)]
    kept = [e for e in entries if e is not None]
    value = _slices(build, value, [(axis, e) for axis, e in zip(axes, kept, strict=True) if isinstance(e, tuple)])
    for axis, entry in reversed(list(zip(axes, kept, strict=True))):
        if not isinstance(entry, tuple):
            index = build.integers(entry) if isinstance(entry, int) else build.cast(entry, int64)
            value = build.node("Gather", value, index, typed=(0,), axis=axis)
    left = [e for e in entries if e is None or isinstance(e, tuple)]
    new = [i for i, e in enumerate(left) if e is None]
    return build.node("Unsqueeze", value, build.integers(new), typed=(0,)) if new else value


def _slices(build: Build, value: Value, parts: Sequence[tuple[int, Any]]) -> Value:
    wanted = [(axis, e) for axis, e in parts if e not in ((None, None, None), (None, None, 1))]
    if not wanted:
        return value
    columns: list[list[Value]] = [[], [], []]
    for _, (start, stop, step) in wanted:
        is_back = isinstance(step, int) and step < 0
        if isinstance(step, Value):
            raise Refused("the step of a slice is not known")
        for column, bound, default in zip(
            columns, (start, stop, step), (FAR if is_back else 0, -FAR if is_back else FAR, 1), strict=True
        ):
            column.append(_bound(build, default if bound is None else bound))
    starts, stops, steps = (build.concat(column) for column in columns)
    return build.node("Slice", value, starts, stops, build.integers([axis for axis, _ in wanted]), steps, typed=(0,))


def _bound(build: Build, bound: int | Value) -> Value:
    if isinstance(bound, Value):
        return build.reshape(build.cast(bound, int64), [1])
    return build.integers([bound])


@lowers(gather)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    params, indices = operands
    return build.node("Gather", params, build.cast(indices, int64), typed=(0,), axis=operation.attributes["axis"] or 0)


@lowers(take_along_axis)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    x, positions = operands
    axis = normalized_axis(operation.attributes["axis"], rank_of(operation))
    return build.node("GatherElements", x, build.cast(positions, int64), typed=(0,), axis=axis)


@lowers(gather_nd)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    params, indices = operands
    return build.node(
        "GatherND", params, build.cast(indices, int64), typed=(0,), batch_dims=operation.attributes["batch_dims"]
    )


@lowers(boolean_mask)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """The axes of the mask become one."""
    tensor, mask = operands
    first, count = operation.attributes["axis"] or 0, rank_of(operation.inputs[1])
    if count != 1:
        rank = rank_of(operation)
        shape = build.shape(tensor)
        before, after = (
            build.node("Slice", shape, build.integers([a]), build.integers([b]))
            for a, b in ((0, first), (first + count, rank))
        )
        tensor = build.reshape(tensor, build.concat([before, build.reshape(_count(build, mask), [1]), after]))
        mask = build.reshape(mask, [-1])
    return build.node("Compress", tensor, mask, typed=(0,), axis=first)


def _count(build: Build, value: Value) -> Value:
    return build.node("Size", value, dtype=int64)


@lowers(argwhere)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,) = operands
    if x.dtype is not bool_:
        x = build.node("Not", build.node("Equal", x, build.number(x, 0), dtype=bool_))
    if not rank_of(operation):
        found = build.node("NonZero", build.reshape(x, [1]), dtype=int64)
        shape = build.concat([build.reshape(_count(build, found), [1]), build.integers([0])])
        return build.node("ConstantOfShape", shape, dtype=int64, value=np.zeros(1, np.int64))
    return build.node("Transpose", build.node("NonZero", x, dtype=int64), perm=[1, 0])


@lowers(reverse)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    axis = operation.attributes["axis"]
    axes = normalized_axes(axis, rank_of(operation))
    return _slices(build, operands[0], [(a, (None, None, -1)) for a in axes])


@lowers(slice_)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    x, begin, size = operands[0], *(build.cast(v, int64) for v in operands[1:])
    if not rank_of(operation):
        return x
    whole = build.node("Equal", size, build.integers(-1), dtype=bool_)
    end = build.where(whole, build.shape(x), build.node("Add", begin, size))
    return build.node("Slice", x, begin, end, typed=(0,))
