"""More of linear equations, also in batches: triangular systems, and the logarithm of the determinant.

>>> runtime.linalg.slogdet([[2.0, 0.0], [0.0, -3.0]]).log_abs_determinant
<tf.Tensor: shape=(), dtype=float32, numpy=1.7917594909667969>
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from runtime.array_errors import LinAlgError, MatrixShapeError
from runtime.dtypes import DType
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.linear.square import (
    FULL,
    NO_HALF,
    NOT_SQUARE,
    adjoint,
    batch_shape,
    checked,
    determinants,
    each_matrix,
    regular,
    solved_shape,
    square_matrices,
    times,
)
from runtime.ops.records.gradients import conjugated, ops, sum_to_shape
from runtime.ops.records.raises import OF_MATRICES, REGULAR
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["slogdet", "triangular_solve"]


def _log_shapes(input: Operand) -> tuple[TensorShape, TensorShape]:
    return batch_shape(input), batch_shape(input)


def _log_of(input: Array) -> tuple[Array, Array]:
    found = determinants(input)
    return found / np.abs(found), np.log(np.abs(found))


@op(
    raises=OF_MATRICES, shape=_log_shapes, dtypes=FULL, outputs=2, result=lambda input: (input.dtype, input.dtype),
    samples=square_matrices, reference=_log_of, errors=[NOT_SQUARE, NO_HALF],
)  # fmt: skip
def slogdet(input: Array) -> Any:
    """The sign of the determinant of each matrix and the logarithm of its absolute value, which does not overflow.

    input: float32, float64 or complex, [..., n, n]; both results are [...], of its dtype. Of a singular matrix: 0 and
    -inf.
    """
    found = checked("slogdet", np.linalg.slogdet, input)
    return found.sign, found.logabsdet.astype(input.dtype, copy=False)


@slogdet.gradient
def _(upstream: Any, result: Any, input: Any) -> Any:
    """The logarithm is real; the sign of complex matrices turns with the imaginary part of the trace of inv(m) dm."""
    by_sign, by_log = upstream
    if input.dtype.is_complex:
        by_log = ops.complex(ops.real(by_log), ops.imag(by_sign * conjugated(result[0])))
    wide = ops.reshape(by_log, ops.concat([ops.shape(by_log), [1, 1]], axis=0))
    return wide * adjoint(ops.matrix_inverse(input))


def _triangles(dtype: DType) -> Any:
    for a, b in (((2, 2), (2, 1)), ((3, 3), (3, 4)), ((2, 3, 3), (2, 3, 1)), ((2, 2, 2), (2, 3)), ((1, 1), (1, 1))):
        for lower, turned in itertools.product((True, False), (False, True)):
            matrix, right = regular(dtype, a), values(dtype, b, -3, 3, 1)
            yield Sample((matrix, right), {"lower": lower, "adjoint": turned})
    yield Sample((regular(dtype, (3, 3)).T, values(dtype, (4, 3), -3, 3, 1).T))


def _system_shape(matrix: Operand, rhs: Operand, lower: bool, adjoint: bool) -> TensorShape:
    return solved_shape(matrix, rhs)


def _by_substitution(matrix: Array, rhs: Array) -> Array:
    """Lower triangular systems, one row after the other."""
    result = np.zeros_like(rhs)
    for i in range(len(matrix)):
        result[i] = (rhs[i] - matrix[i, :i] @ result[:i]) / matrix[i, i]
    return result


def _substituted(matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False) -> Any:
    matrix = np.tril(matrix) if lower else np.triu(matrix)
    matrix = np.conj(np.swapaxes(matrix, -1, -2)) if adjoint else matrix
    if lower != adjoint:
        return each_matrix(_by_substitution)(matrix, rhs)
    return each_matrix(_by_substitution)(matrix[..., ::-1, ::-1], rhs[..., ::-1, :])[..., ::-1, :]


@op(
    raises=REGULAR,
    shape=_system_shape, dtypes=FULL, samples=_triangles, reference=_substituted,
    errors=[Failure((np.ones((2, 3), np.float32), np.ones((2, 1), np.float32)), MatrixShapeError, ("(2, 3)",)),
            Failure((np.eye(2, dtype=np.float32), np.ones((3, 1), np.float32)), ShapeMismatchError, ("(3, 1)",)),
            Failure(([[1.0, 2.0], [3.0, 0.0]], [[1.0], [1.0]]), LinAlgError, ("singular",)),
            Failure((np.ones((1, 1), np.float16), np.ones((1, 1), np.float16)), DtypeMismatchError, ("float16",))],
)  # fmt: skip
def triangular_solve(matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False) -> Any:
    """x with matrix @ x = rhs for triangular matrices; the other triangle is not read.

    matrix: float32, float64 or complex, [..., n, n]; rhs: [..., n, k]; their batches broadcast. lower: the lower
    triangle is meant; adjoint: its conjugate transpose is solved for. A zero on the diagonal raises
    LinAlgError.
    """
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise MatrixShapeError(f"triangular_solve: square matrices are needed; got the shape {show_shape(matrix)}")
    if np.any(np.diagonal(matrix, 0, -2, -1) == 0):
        raise LinAlgError(f"triangular_solve: a matrix of {matrix.shape} is singular: 0 on its diagonal")
    half = np.tril(matrix) if lower else np.triu(matrix)
    return checked("triangular_solve", np.linalg.solve, np.conj(np.swapaxes(half, -1, -2)) if adjoint else half, rhs)


@triangular_solve.gradient
def _(upstream: Any, result: Any, matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    by_right = triangular_solve(matrix, upstream, lower=lower, adjoint=not adjoint)
    left, right = (result, by_right) if adjoint else (by_right, result)
    full = -times(left, right, False, True)
    half = ops.matrix_band_part(full, *((-1, 0) if lower else (0, -1)))
    return sum_to_shape(half, matrix), sum_to_shape(by_right, rhs)
