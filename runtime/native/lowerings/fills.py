"""Arrays of one value, ranges, and arrays that are larger than what they are made of: fill, broadcast_to, tile, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import DType, bool_, float64, int64, uint64, variant
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import over_places, place_of
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import as_int64, check_size, lengths, memory, moved, total_of, write
from runtime.native.lowerings.places import flat_number
from runtime.native.rules import Refused, lowers
from runtime.native.types import is_supported, literal
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.arrays.create import fill, ones, ones_like, range_, zeros, zeros_like
from runtime.ops.arrays.padding import pad
from runtime.ops.arrays.repeating import broadcast_to, tile

__all__: list[str] = []


def _filled(build: Build, dims: Sequence[str], value: Number) -> NativeValue:
    if not dims:
        return value
    check_size(build, dims)
    result = build.new(dims, value.dtype)
    with build.each(build.elements(result)) as number:
        build.store(result.data, number, value)
    return result


def _known(operation: Operation, dtype: DType, value: int) -> Number:
    if not is_supported(dtype) or dtype is variant:
        raise Refused(operation, f"values of {dtype.name} are not compiled")
    return Number(literal(bool(value) if dtype is bool_ else value, dtype), dtype)


@lowers(zeros_like, ones_like, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    (like,) = operands
    value = _known(operation, operation.outputs[0].dtype, int(operation.op is ones_like))
    return _filled(build, like.dims if isinstance(like, Memory) else (), value)


@lowers(zeros, ones, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    value = _known(operation, operation.outputs[0].dtype, int(operation.op is ones))
    return _filled(build, lengths(build, operation, operands[0]), value)


@lowers(fill, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    dims, value = operands
    if not isinstance(value, Number):
        raise Refused(operation, "the value is an array")
    return _filled(build, lengths(build, operation, dims), value)


@lowers(broadcast_to, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    value, dims = operands[0], lengths(build, operation, operands[1])
    if isinstance(value, Number):
        return _filled(build, dims, value)
    for own, wanted in zip(value.dims, dims[len(dims) - len(value.dims) :], strict=True):
        if own not in ("1", wanted):
            build.w.fail_unless(build.w.let(f"icmp eq i64 {own}, {wanted}"))
    check_size(build, dims)
    result = build.new(dims, value.dtype)

    def one(places: Sequence[str], number: str) -> None:
        source = place_of(build, value, dims, places, number)
        build.store(result.data, number, build.load(value.data, source, value))

    over_places(build, dims, one)
    return result.lies_as(value, gaps=True)


@lowers(tile, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, w = memory(operation, operands[0]), build.w
    times = lengths(build, operation, operands[1], known=False)
    check_size(build, (*array.dims, *times))
    result = build.new([total_of(build, n, m) for n, m in zip(array.dims, times, strict=True)], array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        within = [w.let(f"urem i64 {p}, {dim}") for p, dim in zip(places, array.dims, strict=True)]
        build.store(result.data, number, build.load(array.data, flat_number(build, array.dims, within), array))

    over_places(build, result.dims, one)
    return result.lies_as(array)


@lowers(pad, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array, (paddings, value) = memory(operation, operands[0]), operands[1:]
    if operation.attributes["mode"].upper() != "CONSTANT" or not isinstance(value, Number):
        raise Refused(operation, "only numbers around an array are compiled")
    around = lengths(build, operation, paddings, known=False)
    before, after = around[::2], around[1::2]
    dims = [
        moved(build, moved(build, b, n), a) for b, n, a in zip(before, array.dims, after, strict=True)
    ]  # fmt: skip
    result = _filled(build, dims, value)
    assert isinstance(result, Memory)

    def one(places: Sequence[str], number: str) -> None:
        target = [moved(build, place, b) for place, b in zip(places, before, strict=True)]
        build.store(result.data, flat_number(build, dims, target), build.load(array.data, number, array))

    over_places(build, array.dims, one)
    return result


@lowers(range_, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    """Floats as numpy computes them: the start and a product, each rounded."""
    dtype = operation.outputs[0].dtype
    start, limit, step = (o if isinstance(o, Number) else None for o in operands)
    if start is None or limit is None or step is None or dtype is uint64:
        raise Refused(operation, f"ranges of {dtype.name} by such limits are left to numpy")
    count = (_float_steps if dtype.is_floating else _integer_steps)(build, start, limit, step)
    (known,), kind = operation.outputs[0].shape.dims or (None,), "f" if dtype.is_floating else ""
    result = build.new((count if known is None else str(known),), dtype)
    with build.each(result.dims[0]) as number:
        turn = convert(build, Number(number, int64), dtype)
        moved_by = write(build, f"{kind}mul {{t}} {{0}}, {{1}}", dtype, turn, step)
        build.store(result.data, number, write(build, f"{kind}add {{t}} {{0}}, {{1}}", dtype, start, moved_by))
    return result


def _integer_steps(build: Build, start: Number, limit: Number, step: Number) -> str:
    """How many steps of integers come before the limit: -((start - limit) // step), or none."""
    w = build.w
    first, last, by = (as_int64(build, number) for number in (start, limit, step))
    w.fail_if(w.let(f"icmp eq i64 {by}, 0"))
    build.module.declare("llvm.ssub.with.overflow.i64", "declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)")
    pair = w.let(f"call {{i64, i1}} @llvm.ssub.with.overflow.i64(i64 {first}, i64 {last})")
    w.fail_if(w.let(f"extractvalue {{i64, i1}} {pair}, 1"))
    gap = w.let(f"extractvalue {{i64, i1}} {pair}, 0")
    w.fail_if(w.let(f"icmp eq i64 {gap}, {-(2**63)}"))
    whole, rest = w.let(f"sdiv i64 {gap}, {by}"), w.let(f"srem i64 {gap}, {by}")
    apart = w.let(f"icmp slt i64 {w.let(f'xor i64 {rest}, {by}')}, 0")
    below = w.let(f"and i1 {apart}, {w.let(f'icmp ne i64 {rest}, 0')}")
    count = w.let(f"sub i64 {w.let(f'zext i1 {below} to i64')}, {whole}")
    return _not_negative(build, count)


def _float_steps(build: Build, start: Number, limit: Number, step: Number) -> str:
    w = build.w
    first, last, by = (convert(build, number, float64).text for number in (start, limit, step))
    for number in (first, last, by):
        w.fail_if(w.let(f"fcmp uno double {w.let(f'fsub double {number}, {number}')}, 0.0"))
    w.fail_if(w.let(f"fcmp oeq double {by}, 0.0"))
    build.module.declare("llvm.ceil.f64", "declare double @llvm.ceil.f64(double)")
    steps = w.let(f"fdiv double {w.let(f'fsub double {last}, {first}')}, {by}")
    w.fail_unless(w.let(f"fcmp olt double {w.let(f'call double @llvm.fabs.f64(double {steps})')}, {2.0**62}"))
    build.module.declare("llvm.fabs.f64", "declare double @llvm.fabs.f64(double)")
    return _not_negative(build, w.let(f"fptosi double {w.let(f'call double @llvm.ceil.f64(double {steps})')} to i64"))


def _not_negative(build: Build, count: str) -> str:
    below = build.w.let(f"icmp slt i64 {count}, 0")
    found = build.w.let(f"select i1 {below}, i64 0, i64 {count}")
    check_size(build, (found,))
    return found
