"""Arrays in another shape: no element is touched."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, check_size, memory
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.arrays.shape import expand_dims, reshape, shape, squeeze
from runtime.ops.records.shape_rules import normalized_axes, normalized_axis

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


@lowers(reshape)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    dims, value = operation.outputs[0].shape.dims, operands[0]
    if dims is None:
        raise Refused(operation, "the number of its axes is known to the run alone")
    if None not in dims or isinstance(value, Number):
        return _in_shape(build, operation, value, tuple(["1" if d is None else str(d) for d in dims]))
    return _in_shape(build, operation, value, _open_dims(build, value, memory(operation, operands[1]), dims))


@lowers(expand_dims)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    value = operands[0]
    dims = list(value.dims) if isinstance(value, Memory) else []
    dims.insert(normalized_axis(operation.attributes["axis"], len(dims) + 1), "1")
    return _in_shape(build, operation, value, tuple(dims))


@lowers(squeeze)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    value, axis = operands[0], operation.attributes["axis"]
    given = value.dims if isinstance(value, Memory) else ()
    if axis in (None, ()):
        if not all(dim.isdecimal() for dim in given):
            raise Refused(operation, "the number of its axes is known to the run alone")
        return _in_shape(build, operation, value, tuple([dim for dim in given if dim != "1"]))
    axes = normalized_axes(axis, len(given))
    for place in axes:
        if given[place] != "1":
            build.w.fail_unless(build.w.let(f"icmp eq i64 {given[place]}, 1"))
    return _in_shape(build, operation, value, tuple([dim for place, dim in enumerate(given) if place not in axes]))


def _in_shape(build: Build, operation: Operation, value: NativeValue, dims: tuple[str, ...]) -> NativeValue:
    """The elements under other lengths; a number of elements that does not fit makes the region give up."""
    if isinstance(value, Number):
        if not dims:
            return value
        made = build.new(dims, value.dtype)
        build.store(made.data, "0", value)
        return made
    count = build.elements(value)
    wanted = build.elements(Memory("", "", dims, value.dtype))
    if count != wanted and sorted(d for d in dims if d != "1") != sorted(d for d in value.dims if d != "1"):
        build.w.fail_unless(build.w.let(f"icmp eq i64 {count}, {wanted}"))
    if not dims:
        return build.load(value.data, "0", value)
    held = build.take(operation.inputs[0], operation, scattered=True)
    return dataclasses.replace(held, dims=dims)


def _open_dims(build: Build, value: Memory, given: Memory, dims: Sequence[int | None]) -> tuple[str, ...]:
    """The lengths of the axes where the graph does not know all of them: one that is -1 stands for what is left."""
    w, left_out = build.w, "0"
    texts, rests = list[str](), dict[int, str]()
    for place, dim in enumerate(dims):
        text = str(dim)
        if dim is None:
            asked = as_int64(build, build.load(given.data, str(place), given))
            w.fail_if(w.let(f"icmp slt i64 {asked}, -1"))
            rests[place] = w.let(f"icmp eq i64 {asked}, -1")
            left_out = w.let(f"add i64 {left_out}, {w.let(f'zext i1 {rests[place]} to i64')}")
            text = w.let(f"select i1 {rests[place]}, i64 1, i64 {asked}")
        texts.append(text)
    w.fail_if(w.let(f"icmp ugt i64 {left_out}, 1"))
    check_size(build, texts)
    known = build.elements(Memory("", "", tuple(texts), value.dtype))
    none = w.let(f"icmp eq i64 {known}, 0")
    w.fail_if(w.let(f"and i1 {none}, {w.let(f'icmp ne i64 {left_out}, 0')}"))
    rest = w.let(f"udiv i64 {build.elements(value)}, {w.let(f'select i1 {none}, i64 1, i64 {known}')}")
    for place, is_rest in rests.items():
        texts[place] = w.let(f"select i1 {is_rest}, i64 {rest}, i64 {texts[place]}")
    return tuple(texts)
