"""Order: positions of extremes, sorting, different elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.dtypes import bool_, int8, int64, uint8
from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.lowerings.reductions import in_order
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import lowers
from runtime.graph.operation import Operation
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.order import argsort
from runtime.ops.reductions.positions import argmax, argmin

__all__: list[str] = []


@lowers(argmax, argmin)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """The first NaN, if there is one."""
    (x,), axis = operands, operation.attributes["axis"] or 0
    type = "ArgMax" if operation.op is argmax else "ArgMin"
    ordered = build.cast(x, uint8) if x.dtype is bool_ else in_order(build, x)
    found = build.node(type, ordered, dtype=int64, axis=axis, keepdims=0)
    if x.dtype.is_floating:
        nan = build.cast(build.node("IsNaN", x, dtype=bool_), uint8)
        first = build.node("ArgMax", nan, dtype=int64, axis=axis, keepdims=0)
        some = build.cast(build.node("ReduceMax", nan, build.integers([axis]), typed=(0,), keepdims=0), bool_)
        found = build.where(some, first, found)
    return build.cast(found, operation.outputs[0].dtype)


@lowers(argsort)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    """Equals stay in their order; NaN is ordered by a second sort, behind (or before) all others."""
    (x,), down = operands, operation.attributes["direction"] != "ASCENDING"
    axis = normalized_axis(operation.attributes["axis"], rank_of(operation))
    key = in_order(build, x)
    if not x.dtype.is_floating:
        return build.cast(_positions(build, key, axis, down), operation.outputs[0].dtype)
    nan = build.node("IsNaN", x, dtype=bool_)
    found = _positions(build, build.where(nan, build.number(x, np.inf), x), axis, down)
    flags = build.node("GatherElements", build.cast(nan, int8), found, typed=(0,), axis=axis)
    found = build.node("GatherElements", found, _positions(build, flags, axis, down), typed=(0,), axis=axis)
    return build.cast(found, operation.outputs[0].dtype)


def _positions(build: Build, key: Value, axis: int, down: bool) -> Value:
    count = build.node("Slice", build.shape(key), build.integers([axis]), build.integers([axis + 1]))
    return build.nodes("TopK", [key, count], [None, int64], (0,), axis=axis, largest=int(down), sorted=1)[1]


