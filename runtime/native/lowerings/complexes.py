"""Complex numbers: two floats in one register of two, which sums, differences and choices take as they are.

Products of `complex128` are written out, as Python does it, and so are quotients and small powers of Python's own
numbers; for arrays, for `complex64`, and for other quotients and functions, NumPy's loops are called, which round in
their own way. What only moves elements does so for these, too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import DType, bool_, complex64, complex128, float32, float64
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import is_of_numbers
from runtime.native.build import Build
from runtime.native.loops import call_loop, loop_of
from runtime.native.lowerings.functions import call_ufunc
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import declared, numbers, write
from runtime.native.rules import MOVES, Refused, lowers_complex
from runtime.native.types import in_register, literal, part_of
from runtime.native.values import Number
from runtime.ops.arrays.adjoints import add_item
from runtime.ops.arrays.create import fill, ones, ones_like, zeros, zeros_like
from runtime.ops.arrays.index import gather, getitem, reverse, roll
from runtime.ops.arrays.item_update import setitem
from runtime.ops.arrays.join import concat, stack, unstack
from runtime.ops.arrays.repeating import tile
from runtime.ops.arrays.shape import cast, expand_dims, reshape, shape, size, squeeze, stop_gradient, transpose
from runtime.ops.elementwise.arithmetic import abs_, add, divide, multiply, negative, pow_, square, subtract
from runtime.ops.elementwise.compare import equal, not_equal
from runtime.ops.elementwise.complex_numbers import complex_, conj, imag, real
from runtime.ops.elementwise.logic import where
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import identity
from runtime.ops.lists.lists import (
    list_concat,
    list_extend,
    list_get,
    list_insert,
    list_length,
    list_new,
    list_pop,
    list_push,
    list_set,
    list_slice,
)
from runtime.ops.records.record import Op

__all__: list[str] = []

MOVES.update({
    add_item, call_node, concat, cond_node, expand_dims, fill, gather, getitem, identity, list_concat, list_extend,
    list_get, list_insert, list_length, list_new, list_pop, list_push, list_set, list_slice, ones, ones_like,
    reshape, reverse, roll, setitem, shape, size, squeeze, stack, stop_gradient, switch_node, tile,
    transpose, unstack, where, while_node, zeros, zeros_like,
})  # fmt: skip

_SUMS: Final[dict[Op, str]] = {add: "fadd", subtract: "fsub"}


def _parts(build: Build, x: Number, part: DType = float64) -> tuple[Number, Number]:
    """The real and the imaginary part; part: the dtype of those of a real number."""
    if not x.dtype.is_complex:
        return convert(build, x, part), Number("0.0", part)
    kind, part = in_register(x.dtype), part_of(x.dtype)
    first, second = (build.w.let(f"extractelement {kind} {x.text}, i32 {i}") for i in (0, 1))
    return Number(first, part), Number(second, part)


def _pair(build: Build, first: Number, second: Number) -> Number:
    dtype = complex64 if first.dtype is float32 else complex128
    pair, kind = in_register(dtype), in_register(first.dtype)
    half = build.w.let(f"insertelement {pair} poison, {kind} {first.text}, i32 0")
    return Number(build.w.let(f"insertelement {pair} {half}, {kind} {second.text}, i32 1"), dtype)


@lowers_complex(*_SUMS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return write(build, f"{_SUMS[operation.op]} {{t}} {{0}}, {{1}}", x.dtype, x, y)


@lowers_complex(negative)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    return write(build, "fneg {t} {0}", x.dtype, x)


@lowers_complex(multiply, square)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x = numbers(operation, operands)
    if x[0].dtype is complex64 and build.module.exact:  # numpy rounds it in another way, for single ones, too
        return call_ufunc(build, operation, operation.op.name, *x)
    return _product(build, x[0], x[-1])


def _product(build: Build, x: Number, y: Number) -> Number:
    (a, b), (c, d) = _parts(build, x), _parts(build, y)
    part = a.dtype
    ac, bd, ad, bc = (write(build, "fmul {t} {0}, {1}", part, *pair) for pair in ((a, c), (b, d), (a, d), (b, c)))
    second = write(build, "fadd {t} {0}, {1}", part, ad, bc)
    return _pair(build, write(build, "fsub {t} {0}, {1}", part, ac, bd), second)


@lowers_complex(divide)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return _quotient(build, x, y) if is_of_numbers(operation) else call_ufunc(build, operation, "divide", x, y)


def _quotient(build: Build, x: Number, y: Number) -> Number:
    """As Python divides: by the larger part of the divisor first. What is no number is left to Python."""
    (a, b), (c, d) = _parts(build, x), _parts(build, y)
    sizes = [write(build, f"call {{t}} @{declared(build, 'fabs', float64)}({{t}} {{0}})", float64, p) for p in (c, d)]
    first = write(build, "fcmp oge {t} {0}, {1}", bool_, *sizes)

    def chosen(one: Number, other: Number) -> Number:
        return Number(build.w.let(f"select i1 {first.text}, double {one.text}, double {other.text}"), float64)

    def done(instruction: str, one: Number, other: Number) -> Number:
        return write(build, f"{instruction} {{t}} {{0}}, {{1}}", float64, one, other)

    large = chosen(c, d)
    build.w.fail_if(write(build, "fcmp oeq {t} {0}, 0.0", bool_, large).text)
    ratio = done("fdiv", chosen(d, c), large)
    below = done("fadd", large, done("fmul", chosen(d, c), ratio))
    upper = done("fadd", chosen(a, b), done("fmul", chosen(b, a), ratio))
    second = done("fsub", chosen(b, done("fmul", b, ratio)), chosen(done("fmul", a, ratio), a))
    parts = done("fdiv", upper, below), done("fdiv", second, below)
    build.w.fail_if(write(build, "fcmp uno {t} {0}, {1}", bool_, *parts).text)
    return _pair(build, *parts)


@lowers_complex(pow_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    if not is_of_numbers(operation):
        return call_ufunc(build, operation, "power", x, y)
    known = operation.inputs[1].value
    exponent = 0j if known is None else known.item()
    if exponent not in range(2, 101) or sys.version_info >= (3, 14):
        raise Refused(operation, "this power of numbers of Python's is Python's own")
    return _small_power(build, x, int(exponent.real))


def _small_power(build: Build, x: Number, exponent: int) -> Number:
    """By squaring, with 1 as the first factor, as Python has it. What is not finite is left to Python."""
    total, factor = Number(literal(1.0, complex128), complex128), x
    for bit in range(exponent.bit_length()):
        factor = _product(build, factor, factor) if bit else x
        total = _product(build, total, factor) if exponent >> bit & 1 else total
    gap = write(build, "fsub {t} {0}, {0}", complex128, total)
    build.w.fail_if(write(build, "fcmp uno {t} {0}, {1}", bool_, *_parts(build, gap)).text)
    return total


@lowers_complex(abs_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if not build.module.exact or (operation.outputs[0].shape.rank == 0 and x.dtype is complex128):
        size = call_ufunc(build, operation, "hypot", *_parts(build, x))
        if is_of_numbers(operation):
            infinity = "0x7FF0000000000000"
            build.w.fail_if(write(build, f"fcmp oeq {{t}} {{0}}, {infinity}", bool_, size).text)
        return size
    if operation.outputs[0].shape.rank != 0 or loop_of("absolute", x.dtype.numpy.char) is None:
        raise Refused(operation, "numpy rounds it in another way for arrays")
    kind, part = in_register(x.dtype), part_of(x.dtype)
    given, place = build.w.slot(kind), build.w.slot(in_register(part))
    build.w.do(f"store {kind} {x.text}, ptr {given}")
    call_loop(build, "absolute", x.dtype.numpy.char, ["1"], [given, place], ["0", str(part.size)])
    return Number(build.w.let(f"load {in_register(part)}, ptr {place}"), part)


@lowers_complex(complex_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    return _pair(build, *numbers(operation, operands))


@lowers_complex(real, imag)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    return _parts(build, x)[operation.op is imag]


@lowers_complex(conj)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    first, second = _parts(build, x)
    return _pair(build, first, write(build, "fneg {t} {0}", second.dtype, second))


@lowers_complex(equal, not_equal)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    pairs = zip(*(_parts(build, x) for x in numbers(operation, operands)), strict=True)
    first, second = (write(build, "fcmp oeq {t} {0}, {1}", bool_, *pair).text for pair in pairs)
    same = build.w.let(f"and i1 {first}, {second}")
    return Number(same if operation.op is equal else build.w.let(f"xor i1 {same}, true"), bool_)


@lowers_complex(cast)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    target = operation.outputs[0].dtype
    if x.dtype is target:
        return x
    if target.is_complex:
        part = part_of(target)
        first, second = _parts(build, x, part)
        return _pair(build, convert(build, first, part), convert(build, second, part))
    if target not in (float32, float64) or operation.attributes["exact"]:
        raise Refused(operation, "a complex number becomes another one")
    return convert(build, _parts(build, x)[0], target)
