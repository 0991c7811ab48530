"""Arithmetic, element by element, with broadcasting: add, subtract, multiply, divide, floordiv, floormod, pow, ...

>>> runtime.divide(runtime.constant([7, 8]), 2)
<tf.Tensor: shape=(2,), dtype=float64, numpy=array([3.5, 4. ])>

Both operands have one dtype, which is that of the result; only `divide` of integers gives floats. Integers wrap around
at their width; floats follow IEEE 754 (x / 0 is inf or nan). Integer division by zero raises DivisionByZeroError.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC, REALS, SIGNED, STRINGS, DType, float32, float64
from runtime.errors import (
    DivisionByZeroError,
    DtypeMismatchError,
    IntegerRangeError,
    InvalidArgumentError,
    ShapeMismatchError,
)
from runtime.ops.kernels.values import elements, refuse_zero, show_shape
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.raises import DIVISION, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, binary, by_element, calls, unary
from runtime.ops.records.shape_rules import broadcast, merged, same_shape
from runtime.shapes import TensorShape

__all__ = [
    "abs_", "add", "add_n", "divide", "divide_no_nan", "floordiv", "floormod", "multiply", "negative", "pow_",
    "round_", "sign", "square", "squared_difference", "subtract",
]  # fmt: skip

STEPS = "it is constant between its steps"

MISMATCHED = (
    Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)")),
    Failure((np.ones(2, np.bool_), np.ones(2, np.bool_)), DtypeMismatchError, ("bool",)),
)


@op(
    commutes=True,
    wraps=True, tame=True,
    shape=broadcast, dtypes=NUMERIC | STRINGS, ufunc=np.add, scalar="{0} + {1}",
    samples=binary(), reference=by_element(operator.add), errors=MISMATCHED,
)  # fmt: skip
def add(x: Any, y: Any) -> Any:
    """x + y with broadcasting. x, y: numeric tensors of one dtype, or strings, which are concatenated."""
    if isinstance(x, bytes) or isinstance(y, bytes):
        x, y = elements(x), elements(y)
    return np.add(x, y)


@add.gradient
def _(upstream: Any) -> Any:
    return upstream, upstream


@op(
    wraps=True, tame=True,
    shape=broadcast, dtypes=NUMERIC, ufunc=np.subtract, scalar="{0} - {1}",
    samples=binary(), reference=by_element(operator.sub), errors=MISMATCHED,
)  # fmt: skip
def subtract(x: Array, y: Array) -> Any:
    """x - y with broadcasting. x, y: numeric tensors of one dtype."""
    return np.subtract(x, y)


@subtract.gradient
def _(upstream: Any, needed: Any) -> Any:
    return upstream, -upstream if needed[1] else None


@op(
    commutes=True,
    wraps=True,
    shape=broadcast, dtypes=NUMERIC, ufunc=np.multiply, scalar="{0} * {1}",
    samples=binary(), reference=by_element(operator.mul), errors=MISMATCHED,
)  # fmt: skip
def multiply(x: Array, y: Array) -> Any:
    """x * y with broadcasting. x, y: numeric tensors of one dtype."""
    is_complex = x.dtype.kind == "c" and x.ndim == y.ndim == 0
    return x[()] * y[()] if is_complex else np.multiply(x, y)  # numpy's loops over arrays round such once less


@multiply.gradient
def _(upstream: Any, x: Any, y: Any, needed: Any) -> Any:
    return upstream * conjugated(y) if needed[0] else None, upstream * conjugated(x) if needed[1] else None


def quotient_dtype(x: Operand, y: Operand | None = None, **attributes: Any) -> DType:
    """Floats keep their dtype; 8- and 16-bit integers give float32, wider ones float64 (as Python's / does)."""
    if not x.dtype.is_integer:
        return x.dtype
    return float32 if x.dtype.size <= 2 else float64


@op(
    elementwise=True,
    shape=broadcast, dtypes=NUMERIC, result=quotient_dtype, float_ufunc=np.true_divide, scalar="{0} / {1}",
    samples=binary(nonzero=True), reference=by_element(operator.truediv), errors=MISMATCHED,
)  # fmt: skip
def divide(x: Array, y: Array) -> Any:
    """x / y with broadcasting. x, y: numeric tensors of one dtype; integers give float32 (8, 16 bits) or float64.

    x / 0 is inf, -inf or nan, for integers too.
    """
    if x.dtype.kind in "iu" and x.dtype.itemsize <= 2:
        return np.true_divide(x, y, dtype=np.float32)
    return np.true_divide(x, y)


@divide.gradient
def _(upstream: Any, result: Any, y: Any, needed: Any) -> Any:
    scaled = upstream / conjugated(y)
    return scaled, -scaled * conjugated(result) if needed[1] else None


DIVISION_BY_ZERO = (
    Failure((np.array([1, 2], np.int32), np.array([1, 0], np.int32)), DivisionByZeroError, ("division by zero", "1")),
    Failure((np.array(1, np.int32), np.array(0, np.int32)), DivisionByZeroError, ("division by zero",)),
)


@op(
    raises=DIVISION, elementwise=True,
    shape=broadcast, dtypes=REALS, float_ufunc=np.floor_divide, int_scalar="{0} // {1}", no_gradient=STEPS,
    samples=binary(nonzero=True), reference=by_element(operator.floordiv), errors=(*MISMATCHED, *DIVISION_BY_ZERO),
)  # fmt: skip
def floordiv(x: Array, y: Array) -> Any:
    """The largest whole number <= x / y, as Python's //. x, y: real tensors of one dtype.

    Integers divided by zero raise DivisionByZeroError; floats give inf or nan.
    """
    if y.dtype.kind in "iu":
        refuse_zero(y, "floordiv")
    return np.floor_divide(x, y)


@op(
    raises=DIVISION, elementwise=True,
    shape=broadcast, dtypes=REALS, float_ufunc=np.remainder, int_scalar="{0} % {1}",
    samples=binary(nonzero=True), reference=by_element(operator.mod), errors=(*MISMATCHED, *DIVISION_BY_ZERO),
)  # fmt: skip
def floormod(x: Array, y: Array) -> Any:
    """The rest of `floordiv`, with the sign of y, as Python's %. x, y: real tensors of one dtype.

    Integers with a zero in y raise DivisionByZeroError; floats give nan.
    """
    if y.dtype.kind in "iu":
        refuse_zero(y, "floormod")
    return np.remainder(x, y)


@floormod.gradient
def _(upstream: Any, x: Any, y: Any, needed: Any) -> Any:
    return upstream, -upstream * floordiv(x, y) if needed[1] else None


@op(
    wraps=True,
    raises=Raises((IntegerRangeError,), shapes=True, integers=True), elementwise=True,
    shape=broadcast, dtypes=NUMERIC, float_ufunc=np.power,
    samples=binary(0.5, 3, right=(0, 3)), reference=by_element(operator.pow),
    errors=(*MISMATCHED, Failure((np.array([2, 3], np.int32), np.array([1, -1], np.int32)), IntegerRangeError,
                                 ("negative", "runtime.cast"))),
)  # fmt: skip
def pow_(x: Array, y: Array) -> Any:
    """x to the power y. x, y: numeric tensors of one dtype, which the result keeps.

    An integer to a negative integer power is no integer: IntegerRangeError. A negative float to a fraction is nan.
    """
    if y.dtype.kind == "i" and np.any(np.less(y, 0)):
        raise IntegerRangeError(
            "pow: an integer to a negative integer power is not an integer; use runtime.cast(x, runtime.float32)"
        )
    return np.power(x, y)


@pow_.gradient
def _(upstream: Any, result: Any, x: Any, y: Any, needed: Any) -> Any:
    by_x = by_y = None
    if needed[0]:  # with the exponent 0 the power is constant, where x is 0 too
        by_x = upstream * conjugated(y * x ** ops.where(ops.equal(y, 0), ops.ones_like(y), y - 1))
    if needed[1]:  # where x is not positive the power is no function of real y: 0, as usual
        has_log = ops.not_equal(x, 0) if x.dtype.is_complex else x > 0
        log_x = ops.where(has_log, ops.log(ops.where(has_log, x, ops.ones_like(x))), ops.zeros_like(x))
        by_y = upstream * conjugated(result * log_x)
    return by_x, by_y


@op(
    wraps=True, tame=True,
    shape=same_shape, dtypes=SIGNED, ufunc=np.negative, scalar="-{0}",
    samples=unary(), reference=by_element(operator.neg),
    errors=[Failure((np.ones(2, np.uint8),), DtypeMismatchError, ("uint8",))],
)  # fmt: skip
def negative(x: Array) -> Any:
    """-x. x: numeric tensor of a signed dtype (unsigned dtypes have no negative values: they are refused)."""
    return np.negative(x)


@negative.gradient
def _(upstream: Any) -> Any:
    return -upstream


def part_dtype(x: Operand, *_: Any, **attributes: Any) -> DType:
    """The dtype of the parts of a complex tensor, and of its size; that of a real one itself."""
    return x.dtype if not x.dtype.is_complex else float32 if x.dtype.name == "complex64" else float64


@op(
    wraps=True,
    shape=same_shape, dtypes=NUMERIC, result=part_dtype, ufunc=np.absolute, scalar="abs({0})",
    samples=unary(), reference=by_element(abs),
    errors=[Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def abs_(x: Array) -> Any:
    """The absolute value. x: numeric tensor; complex dtypes give the float dtype of their parts."""
    return np.absolute(x) if x.ndim or x.dtype.kind != "c" else abs(x[()])  # as of Python's and numpy's numbers


@abs_.gradient
def _(upstream: Any, result: Any, x: Any) -> Any:
    if x.dtype.is_complex:
        return ops.cast(upstream, x.dtype) * divide_no_nan(x, ops.cast(result, x.dtype))
    return upstream * sign(x)


def _sign(x: Any) -> Any:
    if isinstance(x, complex):
        return x / abs(x) if x else 0
    return x if x != x else (x > 0) - (x < 0)


@op(
    shape=same_shape, dtypes=NUMERIC, ufunc=np.sign, samples=unary(), reference=by_element(_sign),
    errors=[Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def sign(x: Array) -> Any:
    """-1, 0 or 1, as x is negative, zero or positive; nan stays nan. x: numeric tensor; same shape and dtype.

    Of a complex number it is x / abs(x), and 0 at 0.
    """
    return np.sign(x)


@sign.gradient
def _(upstream: Any, result: Any, x: Any) -> Any:
    if not x.dtype.is_complex:
        return ops.zeros_like(upstream)
    across = ops.imag(upstream * conjugated(result))  # only what turns the number changes the result
    turned = ops.complex(ops.zeros_like(across), divide_no_nan(across, abs_(x)))
    return turned * result


@op(
    wraps=True,
    shape=same_shape, dtypes=NUMERIC, ufunc=np.square, scalar="{0} * {0}",
    samples=unary(), reference=by_element(lambda x: x * x),
)  # fmt: skip
def square(x: Array) -> Any:
    """x * x. x: numeric tensor; same shape and dtype."""
    return np.square(x) if x.ndim or x.dtype.kind != "c" else x[()] * x[()]  # as `multiply`


@square.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * 2 * conjugated(x)


@op(
    shape=broadcast, dtypes=NUMERIC,
    samples=binary(), reference=by_element(lambda x, y: abs(x - y) ** 2), errors=MISMATCHED[:1],
)  # fmt: skip
def squared_difference(x: Array, y: Array) -> Any:
    """|x - y|² with broadcasting, for real operands (x - y)². x, y: numeric tensors of one dtype."""
    difference = np.subtract(x, y)
    return np.multiply(difference, np.conjugate(difference) if difference.dtype.kind == "c" else difference)


@squared_difference.gradient
def _(upstream: Any, x: Any, y: Any, needed: Any) -> Any:
    scaled = (upstream + conjugated(upstream)) * (x - y)
    return scaled, -scaled if needed[1] else None


@op(
    shape=broadcast, dtypes=NUMERIC, result=quotient_dtype,
    samples=binary(right=(-1, 1)), reference=by_element(lambda x, y: x / y if y else 0), errors=MISMATCHED,
)  # fmt: skip
def divide_no_nan(x: Array, y: Array) -> Any:
    """x / y, and 0 where y is 0. x, y: numeric tensors of one dtype; the dtype of the result is that of `divide`."""
    zero = np.equal(y, 0)
    found = divide.kernel(x, np.where(zero, np.ones((), y.dtype), y))
    return np.where(zero, found.dtype.type(0), found)


@divide_no_nan.gradient
def _(upstream: Any, result: Any, y: Any, needed: Any) -> Any:
    scaled = divide_no_nan(upstream, conjugated(y))
    return scaled, -scaled * conjugated(result) if needed[1] else None


@op(
    shape=same_shape, dtypes=REALS, view=True, no_gradient=STEPS,
    samples=unary(-4, 4), reference=by_element(round),
)  # fmt: skip
def round_(x: Array) -> Any:
    """The nearest whole number, halves to the even one: 0.5 -> 0, 1.5 -> 2. x: real tensor; same shape and dtype."""
    return np.rint(x) if x.dtype.kind == "f" else x


def _common_shape(*inputs: Operand, **attributes: Any) -> TensorShape:
    return merged(*inputs)


@op(
    wraps=True,
    shape=_common_shape, dtypes=NUMERIC, view=True,
    samples=calls(lambda x: [(x(3),), (x(), x()), (x(2, 3), x(2, 3), x(2, 3)), (x(0), x(0))]),
    reference=by_element(lambda *parts: sum(parts)),
    errors=[
        Failure(([np.ones((2, 3), np.float32), np.ones(3, np.float32)],), ShapeMismatchError, ("(2, 3)", "(3,)")),
        Failure(([],), InvalidArgumentError, ("at least one",)),
    ],
)  # fmt: skip
def add_n(*inputs: Array) -> Any:
    """The sum of a list of numeric tensors of one dtype and one shape (no broadcasting), added from left to right."""
    if not inputs:
        raise InvalidArgumentError("add_n: at least one tensor is needed")
    total = inputs[0]
    for other in inputs[1:]:
        if np.shape(other) != np.shape(total):
            raise ShapeMismatchError(
                f"add_n: all inputs must have one shape; got {show_shape(total)} and {show_shape(other)}"
            )
        total = np.add(total, other)
    return total


@add_n.gradient
def _(upstream: Any, inputs: Any) -> Any:
    return ([upstream] * len(inputs),)
