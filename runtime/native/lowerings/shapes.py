"""Arrays in another shape: no element is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import memory
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.shape import expand_dims, reshape, shape, squeeze

__all__: list[str] = []


@lowers(shape, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array, dtype = memory(operation, operands[0]), operation.outputs[0].dtype
    made = build.new((str(len(array.dims)),), dtype)
    for number, dim in enumerate(array.dims):
        narrow = dtype.size < 8 and not dim.isdecimal()
        text = build.w.let(f"trunc i64 {dim} to i{8 * dtype.size}") if narrow else dim
        build.store(made.data, str(number), Number(text, dtype))
    return made


@lowers(reshape, expand_dims, squeeze)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    dims = operation.outputs[0].shape.dims
    if dims is None or None in dims:
        raise Refused(operation, "the shape of its result is known to the run alone")
    texts = tuple(map(str, dims))
    value = operands[0]
    if isinstance(value, Number):
        if not dims:
            return value
        made = build.new(texts, value.dtype)
        build.store(made.data, "0", value)
        return made
    count = build.elements(value)
    wanted = build.elements(Memory("", "", texts, value.dtype))
    if count != wanted:
        build.w.fail_unless(build.w.let(f"icmp eq i64 {count}, {wanted}"))
    if not dims:
        return build.load(value.data, "0", value)
    held = build.take(operation.inputs[0], operation)
    return Memory(held.data, held.header, texts, held.dtype, True)
