"""Sums, products, signs, comparisons, logic and bits of single numbers.

Integers wrap around at their width, those that must not (runtime.graph.overflow) make the region give up; floats follow
IEEE 754, one rounding for each operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import bool_
from runtime.engine.ranges import result_range, whole, within
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.lowerings.operands import declared, is_signed, numbers, write
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register
from runtime.native.values import Number
from runtime.ops.elementwise.arithmetic import abs_, add, add_n, multiply, negative, sign, square, subtract
from runtime.ops.elementwise.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or, logical_xor
from runtime.ops.elementwise.special import signbit
from runtime.ops.networks.bias import bias_add
from runtime.ops.records.record import Op

__all__: list[str] = []

_RING: Final[dict[Op, str]] = {add: "add", subtract: "sub", multiply: "mul"}


@lowers(add, subtract, multiply)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return _ring(build, operation, _RING[operation.op], x, y)


@lowers(bias_add, elementwise=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return _ring(build, operation, "add", x, y)


@lowers(add_n, elementwise=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    total, *others = numbers(operation, operands)
    if any(str(t.shape) != str(operation.inputs[0].shape) for t in operation.inputs):
        raise Refused(operation, "what the graph knows of the shapes differs")
    for other in others:
        total = _ring(build, operation, "add", total, other)
    return total


@lowers(square)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    return _ring(build, operation, "mul", x, x)


@lowers(negative)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if x.dtype.is_floating:
        return write(build, "fneg {t} {0}", x.dtype, x)
    return _ring(build, operation, "sub", Number("0", x.dtype), x)


@lowers(abs_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if x.dtype.is_floating:
        return write(build, f"call {{t}} @{declared(build, 'fabs', x.dtype)}({{t}} {{0}})", x.dtype, x)
    if not is_signed(x.dtype):
        return x
    least = Number(str(x.dtype.min), x.dtype)
    if is_checked(operation.outputs[0]):
        build.w.fail_if(write(build, "icmp eq {t} {0}, {1}", bool_, x, least).text)
    below = write(build, "icmp slt {t} {0}, 0", bool_, x)
    minus = write(build, "sub {t} 0, {0}", x.dtype, x)
    kind = in_register(x.dtype)
    return Number(build.w.let(f"select i1 {below.text}, {kind} {minus.text}, {kind} {x.text}"), x.dtype)


@lowers(sign)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    w, kind = build.w, in_register(x.dtype)
    if x.dtype.is_floating:
        above, below = (write(build, f"fcmp {test} {{t}} {{0}}, 0.0", bool_, x).text for test in ("ogt", "olt"))
        one, minus, zero = "1.0", "-1.0", "0.0"
        ordered = write(build, "fcmp ord {t} {0}, {0}", bool_, x).text
    else:
        test = "sgt" if is_signed(x.dtype) else "ugt"
        above, below = (write(build, f"icmp {t} {{t}} {{0}}, 0", bool_, x).text for t in (test, "slt"))
        one, minus, zero, ordered = "1", "-1", "0", "true"
        below = below if is_signed(x.dtype) else "false"
    lower = w.let(f"select i1 {below}, {kind} {minus}, {kind} {zero}")
    found = w.let(f"select i1 {above}, {kind} {one}, {kind} {lower}")
    return Number(w.let(f"select i1 {ordered}, {kind} {found}, {kind} {x.text}"), x.dtype)


def _ring(build: Build, operation: Operation, instruction: str, x: Number, y: Number) -> Number:
    w, kind = build.w, in_register(x.dtype)
    if x.dtype.is_floating:
        return write(build, f"f{instruction} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    found = result_range(operation.op.int_scalar or "", [x, y][-len(operation.inputs) :])
    if found is not None and within(found, whole(x.dtype)):
        return write(build, f"{instruction} {'nsw' if is_signed(x.dtype) else 'nuw'} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    if not is_checked(operation.outputs[0]):
        return write(build, f"{instruction} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    if instruction == "mul" and kind == "i64" and is_signed(x.dtype):
        for number, factor in ((x, y.constant), (y, x.constant)):
            if factor is not None and 1 < abs(factor) <= _SMALL:
                return _multiple(build, number, factor)
    name = f"llvm.{'s' if is_signed(x.dtype) else 'u'}{instruction}.with.overflow.{kind}"
    build.module.declare(name, f"declare {{{kind}, i1}} @{name}({kind}, {kind})")
    pair = w.let(f"call {{{kind}, i1}} @{name}({kind} {x.text}, {kind} {y.text})")
    w.fail_if(w.let(f"extractvalue {{{kind}, i1}} {pair}, 1"))
    least, most = whole(x.dtype)
    kept = None if found is None else (max(found[0], least), min(found[1], most))
    return Number(w.let(f"extractvalue {{{kind}, i1}} {pair}, 0"), x.dtype, kept)


_SMALL: Final = 1 << 10
"""Up to this factor a test of the operand takes the place of one of the product."""


def _multiple(build: Build, x: Number, factor: int) -> Number:
    """A multiple of an integer that is at most 2^62: then sums with it need no test, and nothing waits for one."""
    w, most = build.w, (1 << 62) // abs(factor)
    moved = w.let(f"add i64 {x.text}, {most}")
    w.fail_if(w.let(f"icmp ugt i64 {moved}, {2 * most}"))
    reach = most * abs(factor)
    return Number(w.let(f"mul nsw i64 {x.text}, {factor}"), x.dtype, (-reach, reach))


# -- comparisons and logic ----------------------------------------------------------------------------------------

_TESTS: Final[dict[Op, tuple[str, str]]] = {
    equal: ("eq", "oeq"), not_equal: ("ne", "une"), less: ("lt", "olt"), less_equal: ("le", "ole"),
    greater: ("gt", "ogt"), greater_equal: ("ge", "oge"),
}  # fmt: skip
"""By the operation the test of integers, without its sign, and that of floats."""


@lowers(*_TESTS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    of_integers, of_floats = _TESTS[operation.op]
    if x.dtype.is_floating:
        return write(build, f"fcmp {of_floats} {{t}} {{0}}, {{1}}", bool_, x, y)
    signs = "" if of_integers in ("eq", "ne") else "s" if is_signed(x.dtype) else "u"
    return write(build, f"icmp {signs}{of_integers} {{t}} {{0}}, {{1}}", bool_, x, y)


_BITS: Final[dict[Op, str]] = {
    logical_and: "and", logical_or: "or", logical_xor: "xor",
    bitwise_and: "and", bitwise_or: "or", bitwise_xor: "xor",
}  # fmt: skip


@lowers(*_BITS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return write(build, f"{_BITS[operation.op]} {{t}} {{0}}, {{1}}", x.dtype, x, y)


@lowers(logical_not, invert)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    return write(build, f"xor {{t}} {{0}}, {'true' if x.dtype is bool_ else '-1'}", x.dtype, x)


@lowers(left_shift, right_shift)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    bits = 8 * x.dtype.size
    build.w.fail_unless(write(build, f"icmp ult {{t}} {{0}}, {bits}", bool_, y).text)
    if operation.op is right_shift:
        return write(build, f"{'ashr' if is_signed(x.dtype) else 'lshr'} {{t}} {{0}}, {{1}}", x.dtype, x, y)
    result = write(build, "shl {t} {0}, {1}", x.dtype, x, y)
    if is_checked(operation.outputs[0]):
        back = write(build, f"{'ashr' if is_signed(x.dtype) else 'lshr'} {{t}} {{0}}, {{1}}", x.dtype, result, y)
        build.w.fail_unless(write(build, "icmp eq {t} {0}, {1}", bool_, x, back).text)
    return result


@lowers(signbit)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    kind = f"i{8 * x.dtype.size}"
    bits = write(build, f"bitcast {{t}} {{0}} to {kind}", x.dtype, x).text
    return Number(build.w.let(f"icmp slt {kind} {bits}, 0"), bool_)
