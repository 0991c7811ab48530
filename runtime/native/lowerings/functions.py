"""Functions of floats by the very loops that numpy has for them, so that the results are numpy's to the last bit; the
greater and the smaller one of two numbers.

What is one instruction of the processor stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import DType, bool_, int64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.loops import call_loop, loop_of
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import declared, is_signed, numbers, write
from runtime.native.rules import EXTREMES, NUMPY_LOOPS, Refused, lowers, lowers_ufuncs
from runtime.native.types import in_register
from runtime.native.values import Number
from runtime.ops.elementwise.arithmetic import floordiv, floormod, pow_, round_
from runtime.ops.elementwise.functions import ceil, floor, is_finite, is_inf, is_nan, sqrt
from runtime.ops.elementwise.limits import maximum, minimum
from runtime.ops.elementwise.number_calls import in_domain, integer_call
from runtime.ops.records.record import Op

__all__ = ["call_ufunc", "extreme_float"]

_INSTRUCTIONS: Final[dict[Op, str]] = {ceil: "ceil", floor: "floor", round_: "rint", sqrt: "sqrt"}


@lowers(*_INSTRUCTIONS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if not x.dtype.is_floating:
        return x
    name = declared(build, _INSTRUCTIONS[operation.op], x.dtype)
    return write(build, f"call {{t}} @{name}({{t}} {{0}})", x.dtype, x)


@lowers(is_nan, is_inf, is_finite)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if operation.op is is_nan:
        return write(build, "fcmp uno {t} {0}, {0}", bool_, x)
    gap = write(build, "fsub {t} {0}, {0}", x.dtype, x)  # 0 for finite numbers, else nan
    if operation.op is is_finite:
        return write(build, "fcmp ord {t} {0}, {0}", bool_, gap)
    lost = write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text
    real = write(build, "fcmp ord {t} {0}, {0}", bool_, x).text
    return Number(build.w.let(f"and i1 {lost}, {real}"), bool_)


@lowers(in_domain)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    result = numbers(operation, operands)[0]
    gap = write(build, "fsub {t} {0}, {0}", result.dtype, result)
    build.w.fail_if(write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text)
    return result


@lowers(maximum, minimum)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    if x.dtype.is_floating:
        if build.module.exact:
            return call_ufunc(build, operation, operation.op.name, x, y)
        return extreme_float(build, operation.op is maximum, x, y)
    side = "gt" if operation.op is maximum else "lt"
    first = write(build, f"icmp {'s' if is_signed(x.dtype) else 'u'}{side} {{t}} {{0}}, {{1}}", bool_, x, y)
    kind = in_register(x.dtype)
    return Number(build.w.let(f"select i1 {first.text}, {kind} {x.text}, {kind} {y.text}"), x.dtype)


def extreme_float(build: Build, greatest: bool, x: Number, y: Number) -> Number:
    """The greater or the smaller one of two floats, or the first that is no number. Of two zeros numpy gives one or the
    other, by how it was made and by where they lie."""
    first = write(build, f"fcmp o{'ge' if greatest else 'le'} {{t}} {{0}}, {{1}}", bool_, x, y)
    is_nan = write(build, "fcmp uno {t} {0}, {0}", bool_, x)
    kind, mine = in_register(x.dtype), build.w.let(f"or i1 {first.text}, {is_nan.text}")
    return Number(build.w.let(f"select i1 {mine}, {kind} {x.text}, {kind} {y.text}"), x.dtype)


NUMPY_LOOPS.update({floordiv: "floor_divide", floormod: "remainder", pow_: "power"})
NUMPY_LOOPS.update({maximum: "maximum", minimum: "minimum"})
EXTREMES.update({maximum, minimum})


@lowers_ufuncs
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    """By numpy's loop."""
    ufunc = operation.op.float_ufunc
    assert ufunc is not None
    return call_ufunc(build, operation, ufunc.__name__, *numbers(operation, operands))


def call_ufunc(build: Build, operation: Operation, name: str, *operands: Number) -> Number:
    """A ufunc from single floats to the same float, by numpy's own loop.

    As numpy has it for single numbers, operands have strides of 0: some loops go ways of their own for them.
    """
    dtype = operands[0].dtype
    _check_loop(operation, name, dtype)
    w, kind = build.w, in_register(dtype)
    places = [w.slot(kind) for _ in (*operands, None)]
    for place, operand in zip(places, operands, strict=False):
        w.do(f"store {kind} {operand.text}, ptr {place}")
    strides = [*("0" for _ in operands), str(dtype.size)]
    call_loop(build, name, dtype.numpy.char, ["1"], places, strides)
    return Number(w.let(f"load {kind}, ptr {places[-1]}"), dtype)


def _check_loop(operation: Operation, name: str, dtype: DType) -> None:
    if not (dtype.is_floating or dtype.is_complex) or loop_of(name, dtype.numpy.char) is None:
        raise Refused(operation, f"numpy has no loop of it for {dtype.name}")


_ROUNDED: Final = {"ceil": "ceil", "floor": "floor", "round": "rint", "trunc": "trunc"}


@lowers(integer_call)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    call = operation.attributes["call"]
    if call not in _ROUNDED or len(operands) != 1:
        raise Refused(operation, f"{call} is Python's own")
    (x,) = numbers(operation, operands)
    if not x.dtype.is_floating:
        return convert(build, x, int64)
    name = declared(build, _ROUNDED[call], x.dtype)
    return convert(build, write(build, f"call {{t}} @{name}({{t}} {{0}})", x.dtype, x), int64)
