"""Discrete Fourier transforms along one axis: of complex numbers, of real ones, and back.

>>> runtime.signal.rfft([1.0, 0.0, 0.0, 0.0]).numpy().real.tolist()
[1.0, 1.0, 1.0]

The axis counts from the end. Gradients of complex tensors are conjugated, see
`runtime.ops.elementwise.complex_numbers`.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, INTEGERS, DType, complex64, complex128, float32, float64, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.elementwise.arithmetic import part_dtype
from runtime.ops.elementwise.complex_numbers import PARTS
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.ops.records.shape_rules import known_integers, normalized_axis
from runtime.shapes import TensorShape

__all__ = ["fft", "irfft", "rfft"]

BAD_AXIS = Failure((np.ones(3, np.complex64), 0), InvalidArgumentError, ("axis", "-1"))
NO_REAL = Failure((np.ones(3, np.float32),), DtypeMismatchError, ("float32",))
NO_ELEMENTS = Failure((np.ones((2, 0), np.complex64),), ShapeMismatchError, ("(2, 0)",))


def _from_end(name: str, axis: int) -> None:
    if axis >= 0:
        raise InvalidArgumentError(f"{name}: the axis counts from the end: -1 is the last one; got {axis}")


def _check(name: str, shape: TensorShape, axis: int) -> None:
    _from_end(name, axis)
    if shape.dims is not None:
        size = shape.dims[normalized_axis(axis, len(shape.dims))]
        if size == 0:
            raise ValueError("there is nothing to transform along the axis")


def _with_size(shape: TensorShape, axis: int, size: int | None) -> TensorShape:
    if shape.dims is None:
        return shape
    dims = list(shape.dims)
    dims[axis] = size
    return TensorShape(dims)


def _size(x: Operand, axis: int) -> int | None:
    return None if x.shape.dims is None else x.shape.dims[axis]


def _transformed(name: str, transform: Any, x: Array, size: int | None, axis: int) -> Any:
    _from_end(name, axis)
    try:
        return transform(x, size, axis)
    except ValueError:
        raise ShapeMismatchError(f"{name}: the shape {show_shape(x)} has nothing to transform") from None
    except IndexError:
        raise ShapeMismatchError(f"{name}: the shape {show_shape(x)} has no such axis") from None


def _shapes(dtype: DType) -> Any:
    for shape, axis in (((4,), -1), ((5,), -1), ((1,), -1), ((2, 3), -1), ((4, 2), -2), ((2, 3, 2), -2)):
        yield values(dtype, shape), axis
    yield values(dtype, (6, 4))[::-2, ::2].T, -1


def _samples(dtype: DType) -> Any:
    for (x, axis), inverse in itertools.product(_shapes(dtype), (False, True)):
        yield Sample((x,), {"axis": axis, "inverse": inverse})


def _waves(count: int, size: int, sign: int) -> Any:
    """exp(sign * 2 pi i j k / size), of the rows k < count."""
    return np.exp(sign * 2j * np.pi * np.outer(np.arange(count), np.arange(size)) / size)


def _by_sums(input: Array, axis: int, inverse: bool) -> Array:
    """The sum that defines it."""
    line, size = np.moveaxis(input, axis, -1), input.shape[axis]
    found = line @ _waves(size, size, 1 if inverse else -1).T / (size if inverse else 1)
    return np.moveaxis(found, -1, axis)


def _fft_shape(input: Operand, axis: int, inverse: bool) -> TensorShape:
    _check("fft", input.shape, axis)
    return input.shape


@op(
    shape=_fft_shape, dtypes=COMPLEX, samples=_samples, reference=_by_sums, errors=[BAD_AXIS, NO_REAL, NO_ELEMENTS],
)  # fmt: skip
def fft(input: Array, axis: int = -1, inverse: bool = False) -> Any:
    """The sums over j of input[j] exp(-2 pi i j k / n), for each k; with `inverse` of exp(2 pi i j k / n), over n.

    input: complex, of rank 1 or more; n is its size along the axis, which counts from the end. Same shape and dtype.
    """
    return _transformed("fft", np.fft.ifft if inverse else np.fft.fft, input, None, axis)


def _length(x: Any, axis: int) -> Any:
    """The size along an axis, as an int64 tensor."""
    return ops.cast(ops.shape(x)[axis], int64)


@fft.gradient
def _(upstream: Any, input: Any, axis: int, inverse: bool) -> Any:
    size = ops.cast(_length(input, axis), upstream.dtype)
    found = fft(upstream, axis=axis, inverse=not inverse)
    return found / size if inverse else found * size


def _rfft_shape(input: Operand, axis: int) -> TensorShape:
    _check("rfft", input.shape, axis)
    size = _size(input, axis)
    return _with_size(input.shape, axis, None if size is None else size // 2 + 1)


@op(
    shape=_rfft_shape, dtypes=PARTS, result=lambda input, axis: complex64 if input.dtype is float32 else complex128,
    samples=lambda dtype: (Sample((x,), {"axis": axis}) for x, axis in _shapes(dtype)),
    reference=lambda input, axis: np.moveaxis(
        np.moveaxis(input, axis, -1) @ _waves(input.shape[axis] // 2 + 1, input.shape[axis], -1).T, -1, axis),
    errors=[Failure((np.ones(3, np.float32), 0), InvalidArgumentError, ("axis",)),
            Failure((np.ones(3, np.complex64),), DtypeMismatchError, ("complex64",)),
            Failure((np.ones((2, 0), np.float32),), ShapeMismatchError, ("(2, 0)",))],
)  # fmt: skip
def rfft(input: Array, axis: int = -1) -> Any:
    """The first n // 2 + 1 sums of `fft`, of real numbers; the others are their conjugates.

    input: float32 or float64, of rank 1 or more; n is its size along the axis, which counts from the end. The result
    is complex.
    """
    return _transformed("rfft", np.fft.rfft, input, None, axis)


@rfft.gradient
def _(upstream: Any, input: Any, axis: int) -> Any:
    size = _length(input, axis)
    weights = _weights(size, axis, upstream.dtype, 0.5)
    return irfft(upstream * weights, size, axis=axis) * ops.cast(size, input.dtype)


def _weights(size: Any, axis: int, dtype: DType, inner: float) -> Any:
    """1 for the sums that have no conjugate among the rest of all, the first and of even sizes the last; else inner."""
    numbers = ops.range(0, size // 2 + 1, 1)
    alone = ops.logical_or(numbers == 0, 2 * numbers == size)
    line = ops.cast(ops.where(alone, ops.cast(1.0, float64), ops.cast(inner, float64)), dtype)
    return ops.reshape(line, [-1, *[1] * (-axis - 1)])


def _irfft_shape(input: Operand, length: Operand, axis: int) -> TensorShape:
    _check("irfft", input.shape, axis)
    known, columns = known_integers(length), _size(input, axis)
    if known is not None and columns is not None and columns != known[0] // 2 + 1:
        raise ValueError(f"a result of length {known[0]} takes {known[0] // 2 + 1} numbers along the axis")
    return _with_size(input.shape, axis, None if known is None else known[0])


def _half_samples(dtype: DType) -> Any:
    for x, axis in _shapes(dtype):
        for length in (2 * x.shape[axis] - 1, 2 * x.shape[axis] - 2):
            if length:
                yield Sample((x, np.array(length, np.int64)), {"axis": axis})


def _by_real_sums(input: Array, length: Array, axis: int) -> Array:
    """All n numbers, of which the missing are conjugates, by the sum that defines it."""
    line, n = np.moveaxis(input, axis, -1).astype(np.complex128), int(length)
    full = np.zeros((*line.shape[:-1], n), np.complex128)
    for k in range(n):
        full[..., k] = line[..., k] if k <= n // 2 else np.conj(line[..., n - k])
    for k in (0, n // 2) if n % 2 == 0 else (0,):
        full[..., k] = full[..., k].real
    return np.moveaxis((full @ _waves(n, n, 1).T).real / n, -1, axis)


@op(
    raises=VALUES, shape=_irfft_shape, dtypes={"input": COMPLEX, "length": INTEGERS},
    result=lambda input, length, axis: part_dtype(input), samples=_half_samples, reference=_by_real_sums,
    errors=[Failure((np.ones(3, np.complex64), 8), ShapeMismatchError, ("length 8", "(3,)")),
            Failure((np.ones(3, np.float32), 4), DtypeMismatchError, ("float32",)),
            Failure((np.ones(3, np.complex64), 4, 1), InvalidArgumentError, ("axis",))],
)  # fmt: skip
def irfft(input: Array, length: Array, axis: int = -1) -> Any:
    """The real numbers that `rfft` gives these sums of. length: how many, an integer scalar: odd or even.

    input: complex, of length // 2 + 1 numbers along the axis, which counts from the end. The imaginary parts of the
    first, and of even lengths the last, do not count.
    """
    _from_end("irfft", axis)
    if np.ndim(input) >= -axis and input.shape[axis] != int(length) // 2 + 1:
        raise ShapeMismatchError(f"irfft: a result of length {length} takes {int(length) // 2 + 1} numbers along the"
                                 f" axis; got the shape {show_shape(input)}")  # fmt: skip
    return _transformed("irfft", np.fft.irfft, input, int(length), axis)


@irfft.gradient
def _(upstream: Any, input: Any, length: Any, axis: int) -> Any:
    by_parts = rfft(upstream, axis=axis) * _weights(length, axis, input.dtype, 2.0)
    return by_parts / ops.cast(length, input.dtype), None
