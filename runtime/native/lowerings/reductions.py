"""Sums, products and extremes over axes, in numpy's own order: by the loops of `add`, `multiply`, `maximum`, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.dtypes import DType, bool_, float16
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.kernel_body import Step
from runtime.native.loops import call_loop, loop_of
from runtime.native.lowerings.operands import declared, memory, write
from runtime.native.lowerings.walks import Walk
from runtime.native.reducing import sum_of_kernel
from runtime.native.rules import KERNELS, RULES, SUMS, Refused, lowers
from runtime.native.types import in_memory, in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.linear.products import norm
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import normalized_axes
from runtime.ops.reductions.reduce import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
)

__all__: list[str] = []

_UFUNCS: Final[dict[Op, tuple[str, int | None]]] = {
    reduce_sum: ("add", 0), reduce_prod: ("multiply", 1), reduce_max: ("maximum", None), reduce_min: ("minimum", None),
    reduce_any: ("logical_or", 0), reduce_all: ("logical_and", 1),
}  # fmt: skip
"""By the operation its ufunc, and what it begins with; None: with the first element."""


@lowers(*_UFUNCS, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (array,), dtype = operands, operation.outputs[0].dtype
    name, first = _UFUNCS.get(operation.op, _UFUNCS[reduce_sum])
    if isinstance(array, Number):
        if dtype.is_floating and first is not None:
            raise Refused(operation, "it takes a single number")
        return array
    if is_checked(operation.outputs[0]) or loop_of(name, dtype.numpy.char) is None:
        raise Refused(operation, f"{dtype.name} is left to numpy")
    if len(array.dims) > 1 or first is None:  # sums along one axis are the same with gaps
        build.side_by_side(array, operation)
    return _reduced(build, operation, array, name, first, operation.attributes["keepdims"])


def _reduced(
    build: Build, operation: Operation, array: Memory, name: str, first: int | None, keeps: bool
) -> NativeValue:
    rank, axes, dtype = len(array.dims), _axes(operation, array), array.dtype
    if build.fusion.is_pending(array):
        found = _of_kernel(build, operation, array, name, keeps)
        if found is not None:
            return found
        build.fusion.close(build)
    if axes == tuple(range(rank)):
        place = build.w.slot(in_memory(dtype))
        _reduce(build, name, first, array, "0", build.elements(array), place)
        number = build.load(place, "0", Memory(place, "null", (), dtype))
        return _alone(build, number, rank) if keeps else number
    return _along(build, name, first, array, axes, keeps)


def _of_kernel(build: Build, operation: Operation, array: Memory, name: str, keeps: bool) -> NativeValue | None:
    """The sum of what a kernel computes that is not written yet; None if it needs the array."""
    if name != "add":
        return None
    (operand,) = operation.inputs
    read_later = build.values.get(id(operand)) is array and id(operand) not in build.dying
    return sum_of_kernel(build, array, _axes(operation, array), keeps, read_later)


SUMS.update({reduce_mean, reduce_sum})
KERNELS.update({norm, reduce_std, reduce_variance})


@lowers(reduce_mean, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (array,), dtype = operands, operation.outputs[0].dtype
    if not dtype.is_floating or dtype is float16:  # which numpy adds up in float32
        raise Refused(operation, f"{dtype.name} is left to numpy")
    total = RULES[reduce_sum](build, operation, operands)
    return _divided(build, operation, array, total)


def _divided(build: Build, operation: Operation, array: Memory, total: NativeValue) -> NativeValue:
    """A sum over axes by the number of elements that were summed."""
    dtype = array.dtype
    count = build.elements(Memory("", "", tuple([array.dims[axis] for axis in _axes(operation, array)]), dtype))
    number = Number(build.w.let(f"uitofp i64 {count} to {in_register(dtype)}"), dtype)
    return _each(build, total, lambda x: write(build, "fdiv {t} {0}, {1}", dtype, x, number))


@lowers(reduce_variance, reduce_std, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    """The mean of the squares of what is left without the mean, each of them in an array, as numpy has it."""
    array = memory(operation, operands[0])
    if array.dtype is float16:
        raise Refused(operation, "float16 is left to numpy")
    if len(array.dims) > 1:
        build.side_by_side(array, operation)
    alone = _axes(operation, array) == tuple(range(len(array.dims)))
    mean = _divided(build, operation, array, _reduced(build, operation, array, "add", 0, not alone))
    gaps = _step(build, operation, "fsub {t} {0}, {1}", array, mean)
    squares = _step(build, operation, "fmul {t} {0}, {0}", gaps)
    build.release(gaps)
    total = _reduced(build, operation, squares, "add", 0, operation.attributes["keepdims"])
    for made in (mean, squares):
        build.release(made)
    result = _divided(build, operation, array, total)
    return result if operation.op is reduce_variance else _root(build, result)


@lowers(norm, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    """The root of the sum of squares, or the sum or maximum of sizes, which numpy puts into an array first."""
    array, dtype, order = memory(operation, operands[0]), operation.outputs[0].dtype, operation.attributes["ord"]
    of_squares, keeps = order in ("euclidean", "fro"), operation.attributes["keepdims"]
    of_vectors = operation.attributes["axis"] is None or isinstance(operation.attributes["axis"], int)
    if not dtype.is_floating or dtype is float16 or not (of_squares or (order in (1, math.inf) and of_vectors)):
        raise Refused(operation, f"the norm {order!r} of {dtype.name} is left to numpy")
    if len(array.dims) > 1:
        build.side_by_side(array, operation)
    size = "fmul {t} {0}, {0}" if of_squares else f"call {{t}} @{declared(build, 'fabs', dtype)}({{t}} {{0}})"
    sizes = _step(build, operation, size, array)
    name, first = ("maximum", None) if order == math.inf else ("add", 0)
    total = _reduced(build, operation, sizes, name, first, keeps)
    build.release(sizes)
    return _root(build, total) if of_squares else total


def _root(build: Build, value: NativeValue) -> NativeValue:
    return _each(build, value, lambda x: _function(build, "sqrt", x))


def _step(build: Build, operation: Operation, text: str, *operands: NativeValue) -> Memory:
    """An instruction for each element, in a kernel that is still to be written."""

    def rule(inner: Build, _: Operation, given: Sequence[Any]) -> Number:
        return write(inner, text, given[0].dtype, *given)

    return build.fusion.add(build, Step(operation, rule, None, list(operands)))


def _function(build: Build, name: str, x: Number) -> Number:
    """One of the functions of floats that are instructions."""
    return write(build, f"call {{t}} @{declared(build, name, x.dtype)}({{t}} {{0}})", x.dtype, x)


def _each(build: Build, value: NativeValue, one: Callable[[Number], Number]) -> NativeValue:
    """A number, or each element of a new array, which is written to in place, as another one."""
    if isinstance(value, Number):
        return one(value)
    with build.each(build.elements(value)) as number:
        build.store(value.data, number, one(build.load(value.data, number, value)))
    return value


def _axes(operation: Operation, array: Memory) -> tuple[int, ...]:
    axis, rank = operation.attributes["axis"], len(array.dims)
    return tuple(range(rank)) if axis is None else tuple(sorted(normalized_axes(axis, rank)))


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


def _along(
    build: Build, name: str, first: int | None, array: Memory, axes: Sequence[int], keeps: bool
) -> Memory:
    """Over some of the axes. What lies side by side is handed to numpy's loop at once: rows that are summed, or sums
    to which a row is added."""
    kept = [dim for axis, dim in enumerate(array.dims) if axis not in axes]
    dims = ["1" if axis in axes else dim for axis, dim in enumerate(array.dims)] if keeps else kept
    result = build.new(dims, array.dtype)
    walk = Walk(build, array, axes)
    if first is None:
        for length in walk.lengths(reduced=True):
            build.w.fail_if(build.w.let(f"icmp eq i64 {length}, 0"))

    def begin(source: str, target: str, later: str) -> None:
        number = build.load(array.data, source, array) if first is None else _start(first, array.dtype)
        build.store(result.data, target, number)

    def add(source: str, target: str, later: str) -> None:
        w, size, (count, step, begun) = build.w, str(array.dtype.size), walk.row
        if first is None:  # the first ones are there already
            skipped = w.let(f"select i1 {later}, i64 0, i64 {begun}")
            source, count = w.let(f"add i64 {source}, {skipped}"), w.let(f"sub i64 {count}, {skipped}")
        row, total = (build.address(*of, array.dtype) for of in ((array.data, source), (result.data, target)))
        call_loop(build, name, array.dtype.numpy.char, [count], [total, row, total], [step, size, step])

    walk.over_sums(begin)
    walk.over_rows(add)
    return result
