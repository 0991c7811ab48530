"""Sums, products and extremes over axes, in numpy's own order: by the loops of `add`, `multiply`, `maximum`, ...

Over all axes, over the last one, or over the first one of several; others are left to the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import DType, bool_
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.loops import call_loop, loop_of
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_memory
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.record import Op
from runtime.ops.reduce import reduce_all, reduce_any, reduce_max, reduce_min, reduce_prod, reduce_sum
from runtime.ops.shape_rules import normalized_axes

__all__: list[str] = []

_UFUNCS: Final[dict[Op, tuple[str, int | None]]] = {
    reduce_sum: ("add", 0), reduce_prod: ("multiply", 1), reduce_max: ("maximum", None), reduce_min: ("minimum", None),
    reduce_any: ("logical_or", 0), reduce_all: ("logical_and", 1),
}  # fmt: skip
"""By the operation its ufunc, and what it begins with; None: with the first element."""


@lowers(*_UFUNCS, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (array,), dtype = operands, operation.outputs[0].dtype
    name, first = _UFUNCS[operation.op]
    if not isinstance(array, Memory):
        raise Refused(operation, "it takes a single number")
    if is_checked(operation.outputs[0]) or loop_of(name, dtype.numpy.char) is None:
        raise Refused(operation, f"{dtype.name} is left to numpy")
    build.side_by_side(array, operation)
    rank, axis = len(array.dims), operation.attributes["axis"]
    axes = tuple(range(rank)) if axis is None else tuple(sorted(normalized_axes(axis, rank)))
    keeps = operation.attributes["keepdims"]
    if axes == tuple(range(rank)):
        place = build.w.slot(in_memory(dtype))
        _reduce(build, name, first, array, "0", build.elements(array), place)
        number = build.load(place, "0", Memory(place, "null", (), dtype))
        return _alone(build, number, rank) if keeps else number
    if axes == (rank - 1,):
        return _rows(build, name, first, array, keeps)
    if axes == (0,) and first is not None:
        return _columns(build, name, first, array, keeps)
    raise Refused(operation, f"over the axes {axes} it is left to numpy")


def _alone(build: Build, number: Number, rank: int) -> Memory:
    """An array of one element."""
    made = build.new(("1",) * rank, number.dtype)
    build.store(made.data, "0", number)
    return made


def _start(first: int, dtype: DType) -> Number:
    text = ("true" if first else "false") if dtype is bool_ else f"{first}.0" if dtype.is_floating else str(first)
    return Number(text, dtype)


def _reduce(
    build: Build, name: str, first: int | None, array: Memory, place: str, count: str, target: str
) -> None:
    """Writes what elements side by side, from one place on, come to."""
    w, dtype, size = build.w, array.dtype, str(array.dtype.size)
    if first is None:
        w.fail_if(w.let(f"icmp eq i64 {count}, 0"))
        build.store(target, "0", build.load(array.data, place, array))
        place = w.let(f"add i64 {place}, 1")
        count = w.let(f"sub i64 {count}, 1")
    else:
        build.store(target, "0", _start(first, dtype))
    source = build.address(array.data, place, dtype)
    call_loop(build, name, dtype.numpy.char, [count], [target, source, target], ["0", size, "0"])


def _rows(build: Build, name: str, first: int | None, array: Memory, keeps: bool) -> Memory:
    dims = array.dims[:-1]
    result = build.new((*dims, "1") if keeps else dims, array.dtype)
    with build.each(build.elements(result)) as number:
        place = build.w.let(f"mul i64 {number}, {array.dims[-1]}")
        target = build.address(result.data, number, result.dtype)
        _reduce(build, name, first, array, place, array.dims[-1], target)
    return result


def _columns(build: Build, name: str, first: int, array: Memory, keeps: bool) -> Memory:
    """One row after the other, as numpy does it where rows lie side by side."""
    dims, size = array.dims[1:], str(array.dtype.size)
    result = build.new(("1", *dims) if keeps else dims, array.dtype)
    count = build.elements(result)
    with build.each(count) as number:
        build.store(result.data, number, _start(first, array.dtype))
    with build.each(array.dims[0]) as row:
        source = build.address(array.data, build.w.let(f"mul i64 {row}, {count}"), array.dtype)
        given = [result.data, source, result.data]
        call_loop(build, name, array.dtype.numpy.char, [count], given, [size, size, size])
    return result
