"""Quotients, remainders and powers of single numbers, rounded and signed as Python and numpy have them.

Integers by zero, and the least integer by -1, make the region give up: the plan knows what becomes of them. So do
Python's own floats where its operators raise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import bool_, float64
from runtime.engine.ranges import range_of
from runtime.errors import DivisionByZeroError
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.graph.own_numbers import is_of_numbers
from runtime.native.build import Build
from runtime.native.lowerings.functions import call_ufunc
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import is_signed, numbers, write
from runtime.native.objects import addresses
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register
from runtime.native.values import Number
from runtime.ops.elementwise.arithmetic import divide, floordiv, floormod, pow_

__all__: list[str] = []

_EXACT_IN_FLOAT64 = 1 << 53


@lowers(divide)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    target = operation.outputs[0].dtype
    if x.dtype.is_integer and target is float64:
        for number in (x, y):
            if number.dtype.size == 8 and not number.text.lstrip("-").isdecimal():
                _refuse_large(build, number)
    low, high = (0, 0) if y.dtype.is_floating else range_of(y)
    if x.dtype.is_integer:
        x, y = (convert(build, number, target) for number in (x, y))
    if low <= 0 <= high:
        _refuse_zero(build, operation, y)
    return write(build, "fdiv {t} {0}, {1}", target, x, y)


def _refuse_zero(build: Build, operation: Operation, y: Number) -> None:
    """Python divides its own floats by no zero."""
    known = operation.inputs[1].value
    if is_of_numbers(operation) and (known is None or known.item() == 0):
        build.w.fail_if(write(build, "fcmp oeq {t} {0}, 0.0", bool_, y).text, build.handler(ZeroDivisionError))


def _refuse_large(build: Build, number: Number) -> None:
    """Python divides integers that no float holds exactly in a way of its own."""
    below = _EXACT_IN_FLOAT64 if is_signed(number.dtype) else 0
    moved = write(build, f"add {{t}} {{0}}, {below}", number.dtype, number)
    most = below + _EXACT_IN_FLOAT64
    build.w.fail_if(write(build, f"icmp ugt {{t}} {{0}}, {most}", bool_, moved).text)


@lowers(floordiv, floormod)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    if x.dtype.is_floating:
        _refuse_zero(build, operation, y)
        return call_ufunc(build, operation, "floor_divide" if operation.op is floordiv else "remainder", x, y)
    w, kind, quotient = build.w, in_register(x.dtype), operation.op is floordiv
    (least, _), (low, high) = range_of(x), range_of(y)
    known = low > 0 or high < -1
    if not known:
        w.fail_if(write(build, "icmp eq {t} {0}, 0", bool_, y).text, build.handler(DivisionByZeroError))
    if least >= 0 and low > 0:
        return write(build, f"{'udiv' if quotient else 'urem'} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    if low == high and low & (low - 1) == 0 < low:  # floors by itself
        if quotient:
            return write(build, f"ashr {{t}} {{0}}, {low.bit_length() - 1}", x.dtype, x)
        return write(build, f"and {{t}} {{0}}, {low - 1}", x.dtype, x)
    if not is_signed(x.dtype):
        return write(build, f"{'udiv' if quotient else 'urem'} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    if not known:
        least_one = write(build, f"icmp eq {{t}} {{0}}, {-1 << (8 * x.dtype.size - 1)}", bool_, x).text
        w.fail_if(w.let(f"and i1 {least_one}, {write(build, 'icmp eq {t} {0}, -1', bool_, y).text}"))
    rest = write(build, "srem {t} {0}, {1}", x.dtype, x, y)
    nonzero = write(build, "icmp ne {t} {0}, 0", bool_, rest).text
    mixed = write(build, "xor {t} {0}, {1}", x.dtype, rest, y)
    signs = write(build, "icmp slt {t} {0}, 0", bool_, mixed).text
    apart = w.let(f"and i1 {nonzero}, {signs}")
    if quotient:
        whole = write(build, "sdiv {t} {0}, {1}", x.dtype, x, y)
        lower = write(build, "sub {t} {0}, 1", x.dtype, whole)
        return Number(w.let(f"select i1 {apart}, {kind} {lower.text}, {kind} {whole.text}"), x.dtype)
    moved = write(build, "add {t} {0}, {1}", x.dtype, rest, y)
    return Number(w.let(f"select i1 {apart}, {kind} {moved.text}, {kind} {rest.text}"), x.dtype)


@lowers(pow_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    if is_of_numbers(operation):
        return _power_of_python(build, operation, x, y)
    if x.dtype.is_floating:
        return call_ufunc(build, operation, "power", x, y)
    if is_signed(y.dtype):
        build.w.fail_if(write(build, "icmp slt {t} {0}, 0", bool_, y).text)
    return _integer_power(build, x, y, is_checked(operation.outputs[0]))


def _power_of_python(build: Build, operation: Operation, x: Number, y: Number) -> Number:
    """By the function of the C library that Python calls. What is no finite number is left to Python, which raises."""
    if "python.pow" not in addresses():
        raise Refused(operation, "the C library of this Python is not known")
    x, y = (convert(build, number, float64) for number in (x, y))
    build.module.declare("python.pow", "declare double @python.pow(double, double)")
    result = write(build, f"call {{t}} @python.pow({{t}} {{0}}, {{t}} {y.text})", float64, x)
    gap = write(build, "fsub {t} {0}, {0}", float64, result)
    build.w.fail_if(write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text)
    return result


def _integer_power(build: Build, x: Number, y: Number, checked: bool) -> Number:
    """By squaring. Where integers must not wrap around, a square that would makes the region give up."""
    w, kind = build.w, in_register(x.dtype)
    total, base, left = (w.slot(kind) for _ in range(3))
    for slot, text in ((total, "1"), (base, x.text), (left, y.text)):
        w.do(f"store {kind} {text}, ptr {slot}")
    test, turn, more, square, end = (w.label(hint) for hint in ("test", "turn", "more", "square", "end"))
    w.jump(test)
    w.block(test)
    exponent = w.let(f"load {kind}, ptr {left}")
    w.branch(w.let(f"icmp eq {kind} {exponent}, 0"), end, turn)
    w.block(turn)
    odd = w.let(f"trunc {kind} {exponent} to i1")
    rest = w.let(f"lshr {kind} {exponent}, 1")
    w.do(f"store {kind} {rest}, ptr {left}")
    w.branch(odd, more, square)
    w.block(more)
    product = _product(build, w.let(f"load {kind}, ptr {total}"), w.let(f"load {kind}, ptr {base}"), x, checked)
    w.do(f"store {kind} {product}, ptr {total}")
    w.jump(square)
    w.block(square)
    last = w.let(f"icmp eq {kind} {rest}, 0")
    again = w.label("again")
    w.branch(last, end, again)
    w.block(again)
    factor = w.let(f"load {kind}, ptr {base}")
    w.do(f"store {kind} {_product(build, factor, factor, x, checked)}, ptr {base}")
    w.jump(test)
    w.block(end)
    return Number(w.let(f"load {kind}, ptr {total}"), x.dtype)


def _product(build: Build, x: str, y: str, like: Number, checked: bool) -> str:
    w, kind = build.w, in_register(like.dtype)
    if not checked:
        return w.let(f"mul {kind} {x}, {y}")
    name = f"llvm.{'s' if is_signed(like.dtype) else 'u'}mul.with.overflow.{kind}"
    build.module.declare(name, f"declare {{{kind}, i1}} @{name}({kind}, {kind})")
    pair = w.let(f"call {{{kind}, i1}} @{name}({kind} {x}, {kind} {y})")
    w.fail_if(w.let(f"extractvalue {{{kind}, i1}} {pair}, 1"))
    return w.let(f"extractvalue {{{kind}, i1}} {pair}, 0")
