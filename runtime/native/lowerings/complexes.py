"""Complex numbers: two floats in one register of two, which sums, differences and choices take as they are.

Only `complex128`, as Python has it. Products are written out, as Python does it; for arrays, and for quotients and
functions, NumPy's loops are called, which round in their own way. What only moves elements does so for these, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import bool_, complex128, float64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.functions import call_ufunc
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import numbers, write
from runtime.native.rules import MOVES, Refused, lowers_complex
from runtime.native.types import in_register
from runtime.native.values import Number
from runtime.ops.arrays.create import fill, ones, ones_like, zeros, zeros_like
from runtime.ops.arrays.index import getitem
from runtime.ops.arrays.item_update import setitem
from runtime.ops.arrays.shape import cast, expand_dims, reshape, shape, size, squeeze, stop_gradient, transpose
from runtime.ops.elementwise.arithmetic import abs_, add, divide, multiply, negative, square, subtract
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
    call_node, cond_node, expand_dims, fill, getitem, identity, list_concat, list_extend, list_get, list_insert,
    list_length, list_new, list_pop, list_push, list_set, list_slice, ones, ones_like, reshape, setitem, shape, size,
    squeeze, stop_gradient, switch_node, transpose, where, while_node, zeros, zeros_like,
})  # fmt: skip

_PAIR: Final = in_register(complex128)
_SUMS: Final[dict[Op, str]] = {add: "fadd", subtract: "fsub"}


def _parts(build: Build, x: Number) -> tuple[Number, Number]:
    """The real and the imaginary part."""
    if x.dtype is not complex128:
        return convert(build, x, float64), Number("0.0", float64)
    first, second = (build.w.let(f"extractelement {_PAIR} {x.text}, i32 {i}") for i in (0, 1))
    return Number(first, float64), Number(second, float64)


def _pair(build: Build, first: Number, second: Number) -> Number:
    half = build.w.let(f"insertelement {_PAIR} poison, double {first.text}, i32 0")
    return Number(build.w.let(f"insertelement {_PAIR} {half}, double {second.text}, i32 1"), complex128)


@lowers_complex(*_SUMS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    return write(build, f"{_SUMS[operation.op]} {{t}} {{0}}, {{1}}", complex128, x, y)


@lowers_complex(negative)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    return write(build, "fneg {t} {0}", complex128, *numbers(operation, operands))


@lowers_complex(multiply, square)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x = numbers(operation, operands)
    (a, b), (c, d) = _parts(build, x[0]), _parts(build, x[-1])
    ac, bd, ad, bc = (write(build, "fmul {t} {0}, {1}", float64, *pair) for pair in ((a, c), (b, d), (a, d), (b, c)))
    second = write(build, "fadd {t} {0}, {1}", float64, ad, bc)
    return _pair(build, write(build, "fsub {t} {0}, {1}", float64, ac, bd), second)


@lowers_complex(divide)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    return call_ufunc(build, operation, "divide", *numbers(operation, operands))


@lowers_complex(abs_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    if build.module.exact and operation.outputs[0].shape.rank != 0:
        raise Refused(operation, "numpy rounds it in another way for arrays")
    return call_ufunc(build, operation, "hypot", *_parts(build, *numbers(operation, operands)))


@lowers_complex(complex_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    x, y = numbers(operation, operands)
    if x.dtype is not float64:
        raise Refused(operation, "values of complex64 are not compiled")
    return _pair(build, x, y)


@lowers_complex(real, imag)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    return _parts(build, *numbers(operation, operands))[operation.op is imag]


@lowers_complex(conj)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    first, second = _parts(build, *numbers(operation, operands))
    return _pair(build, first, write(build, "fneg {t} {0}", float64, second))


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
    if target is complex128:
        return x if x.dtype is complex128 else _pair(build, *_parts(build, x))
    if target is not float64 or operation.attributes["exact"]:
        raise Refused(operation, "a complex number becomes another one")
    return _parts(build, x)[0]
