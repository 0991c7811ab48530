"""Where the extremes are along an axis: the first of equal ones, and the first nan, as numpy has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.operands import is_signed, memory
from runtime.native.lowerings.places import flat_number
from runtime.native.rules import lowers
from runtime.native.types import in_memory, in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.positions import argmax, argmin

__all__: list[str] = []


@lowers(argmax, argmin, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, dtype = memory(operation, operands[0]), operation.outputs[0].dtype
    w, axis = build.w, normalized_axis(operation.attributes["axis"] or 0, len(array.dims))
    length = array.dims[axis]
    if not length.isdecimal() or length == "0":
        w.fail_if(w.let(f"icmp eq i64 {length}, 0"))
    best = Memory(w.slot(in_memory(array.dtype)), "null", (), array.dtype)
    place = w.slot("i64")

    def search(around: Sequence[str]) -> Number:
        at = [*around[:axis], "0", *around[axis:]]
        build.store(best.data, "0", build.load(array.data, flat_number(build, array.dims, at), array))
        w.do(f"store i64 0, ptr {place}")
        with build.each(length) as number:
            at = [*around[:axis], number, *around[axis:]]
            here = build.load(array.data, flat_number(build, array.dims, at), array)
            better, onward = w.label("better"), w.label("onward")
            w.branch(_is_better(build, here, build.load(best.data, "0", best), operation.op is argmax), better, onward)
            w.block(better)
            build.store(best.data, "0", here)
            w.do(f"store i64 {number}, ptr {place}")
            w.jump(onward)
            w.block(onward)
        found = w.let(f"load i64, ptr {place}")
        return Number(found if dtype.size == 8 else w.let(f"trunc i64 {found} to {in_register(dtype)}"), dtype)

    dims = (*array.dims[:axis], *array.dims[axis + 1 :])
    if not dims:
        return search(())
    result = build.new(dims, dtype)
    over_places(build, dims, lambda places, number: build.store(result.data, number, search(places)))
    return result


def _is_better(build: Build, here: Number, best: Number, greatest: bool) -> str:
    w, kind = build.w, in_register(here.dtype)
    order = "gt" if greatest else "lt"
    if not here.dtype.is_floating:
        return w.let(f"icmp {'s' if is_signed(here.dtype) else 'u'}{order} {kind} {here.text}, {best.text}")
    beyond = w.let(f"fcmp o{order} {kind} {here.text}, {best.text}")
    is_nan = w.let(f"fcmp uno {kind} {here.text}, {here.text}")
    was_number = w.let(f"fcmp ord {kind} {best.text}, {best.text}")
    return w.let(f"or i1 {beyond}, {w.let(f'and i1 {is_nan}, {was_number}')}")
