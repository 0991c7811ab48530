"""Complex numbers: made of two parts, taken apart, conjugated.

>>> runtime.math.imag(runtime.complex(1.0, 2.0))
<tf.Tensor: shape=(), dtype=float32, numpy=2.0>

float32 parts make complex64, float64 parts complex128. Gradients of complex tensors are conjugated, as in
TensorFlow: that of f(z) for a real f is df/d(real) + i df/d(imag), the direction in which f rises fastest.
"""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS, NUMERIC, DType, complex64, complex128, float32, float64
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.elementwise.arithmetic import part_dtype
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, binary, by_element, unary
from runtime.ops.records.shape_rules import broadcast, same_shape

__all__ = ["angle", "complex_", "conj", "imag", "real"]

PARTS = frozenset({float32, float64})
"""The dtypes of the parts of a complex number."""

NO_STRING = Failure(("a",), DtypeMismatchError, ("string",))


def _whole_dtype(real: Operand, imag: Operand) -> DType:
    return complex64 if real.dtype is float32 else complex128


@op(
    shape=broadcast, dtypes=PARTS, result=_whole_dtype, samples=binary(), reference=by_element(complex),
    errors=[Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)")),
            Failure((1, 2), DtypeMismatchError, ("int32", "runtime.cast"))],
)  # fmt: skip
def complex_(real: Array, imag: Array) -> Any:
    """real + i imag. real, imag: float32 tensors (the result is complex64) or float64 (complex128); they broadcast."""
    wide = np.complex64 if real.dtype == np.float32 else np.complex128
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), wide)
    result.real, result.imag = real, imag
    return result


@complex_.gradient
def _(upstream: Any) -> Any:
    return real(upstream), imag(upstream)


@op(
    numpy_view=True,
    shape=same_shape, dtypes=NUMERIC, result=part_dtype, view=True, samples=unary(),
    reference=by_element(lambda x: x.real), errors=[NO_STRING],
)  # fmt: skip
def real(input: Array) -> Any:
    """The real part. input: numeric tensor; complex64 gives float32, complex128 float64, others themselves."""
    return input.real


@real.gradient
def _(upstream: Any, input: Any) -> Any:
    return complex_(upstream, ops.zeros_like(upstream)) if input.dtype.is_complex else upstream


@op(
    numpy_view=True,
    shape=same_shape, dtypes=NUMERIC, result=part_dtype, samples=unary(),
    reference=by_element(lambda x: x.imag), errors=[NO_STRING],
)  # fmt: skip
def imag(input: Array) -> Any:
    """The imaginary part; 0 for real tensors. input: numeric tensor; the dtype is that of `real`."""
    return np.array(input.imag)


@imag.gradient
def _(upstream: Any, input: Any) -> Any:
    return complex_(ops.zeros_like(upstream), upstream) if input.dtype.is_complex else ops.zeros_like(upstream)


@op(
    shape=same_shape, dtypes=NUMERIC, ufunc=np.conjugate, view=True, samples=unary(),
    reference=by_element(lambda x: x.conjugate()), errors=[NO_STRING],
)  # fmt: skip
def conj(x: Array) -> Any:
    """The complex conjugate; real tensors as they are. x: numeric tensor; same shape and dtype."""
    return np.conjugate(x) if x.dtype.kind == "c" else x


@conj.gradient
def _(upstream: Any) -> Any:
    return conj(upstream)


@op(
    shape=same_shape, dtypes=FLOATS | COMPLEX, result=part_dtype, samples=unary(), reference=by_element(cmath.phase),
    errors=[NO_STRING, Failure((1,), DtypeMismatchError, ("int32", "runtime.cast"))],
)  # fmt: skip
def angle(input: Array) -> Any:
    """The angle of each number in the complex plane, in radians, in [-pi, pi]. input: float or complex tensor.

    That of a real number is 0, or pi if it is negative.
    """
    return np.angle(input).astype(input.real.dtype, copy=False)


@angle.gradient
def _(upstream: Any, input: Any) -> Any:
    if not input.dtype.is_complex:
        return ops.zeros_like(upstream)
    x, y = real(input), imag(input)
    scaled = upstream / (x * x + y * y)
    return complex_(-y * scaled, x * scaled)
