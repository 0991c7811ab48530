"""Square matrices, also in batches: inverse, determinant, solution of linear equations, Cholesky factor.

>>> runtime.linalg.det([[2.0, 0.0], [0.0, 3.0]])
<tf.Tensor: shape=(), dtype=float32, numpy=6.0>

A matrix that has no inverse (or is not positive definite) raises LinAlgError when the operation runs.
Gradients of complex matrices are conjugated, as in `runtime.ops.elementwise.complex_numbers`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.array_errors import LinAlgError, MatrixShapeError
from runtime.dtypes import COMPLEX, DType, float32, float64
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import conjugated, ops, sum_to_shape
from runtime.ops.records.raises import OF_MATRICES, REGULAR
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = [
    "FULL", "adjoint", "batch_shape", "checked", "cholesky", "cofactors", "determinants", "each_matrix",
    "matrix_determinant", "matrix_inverse", "matrix_solve", "regular", "solved_shape", "square_matrices",
    "square_shape", "times", "transposed", "wide",
]  # fmt: skip

FULL = frozenset({float32, float64}) | COMPLEX
"""The dtypes that the algorithms of LAPACK have."""

NOT_SQUARE = Failure((np.ones((2, 3), np.float32),), MatrixShapeError, ("square", "(2, 3)"))
NO_HALF = Failure((np.ones((2, 2), np.float16),), DtypeMismatchError, ("float16",))
SINGULAR = Failure((np.zeros((2, 2), np.float32),), LinAlgError, ("singular",))


def square_shape(shape: TensorShape) -> TensorShape:
    """The shape of square matrices. Raises numpy's LinAlgError for others."""
    dims = shape.dims
    if dims is None:
        return shape
    if len(dims) < 2 or not TensorShape([dims[-1]]).is_compatible_with([dims[-2]]):
        raise np.linalg.LinAlgError("the last two dimensions must be those of square matrices")
    return shape


def same_square(matrix: Operand, **_: Any) -> TensorShape:
    return square_shape(matrix.shape)


def batch_shape(matrix: Operand) -> TensorShape:
    shape = square_shape(matrix.shape)
    return TensorShape(None) if shape.dims is None else TensorShape(shape.dims[:-2])


def solved_shape(matrix: Operand, rhs: Operand) -> TensorShape:
    a, b = square_shape(matrix.shape), rhs.shape
    if b.rank is not None and b.rank < 2:
        raise ValueError("the right sides must be matrices")
    if a.dims is None or b.dims is None:
        return TensorShape(None)
    if not TensorShape([a.dims[-1]]).is_compatible_with([b.dims[-2]]):
        raise ValueError(f"matrices of {a.dims[-1]} rows do not fit right sides of {b.dims[-2]}")
    batch = broadcast_shapes(TensorShape(a.dims[:-2]), TensorShape(b.dims[:-2]))
    return batch.concatenate([b.dims[-2] if a.dims[-1] is None else a.dims[-1], b.dims[-1]])


def regular(dtype: DType, shape: tuple[int, ...], seed: int = 0) -> Array:
    """Matrices that are far from singular."""
    far = np.eye(shape[-1], dtype=dtype.numpy) * dtype.numpy.type(shape[-1])
    return np.asarray(values(dtype, shape, -1, 1, seed) + far)


def square_matrices(dtype: DType) -> Any:
    for shape in ((1, 1), (3, 3), (2, 4, 4), (0, 2, 2), (5, 5)):
        yield Sample((regular(dtype, shape),))
        yield Sample((np.swapaxes(regular(dtype, shape, 1), -1, -2),))


def _positive_matrices(dtype: DType) -> Any:
    for shape in ((1, 1), (3, 3), (2, 4, 4), (2, 3, 2, 2)):
        m = values(dtype, shape, -1, 1)
        yield Sample((m @ np.conj(np.swapaxes(m, -1, -2)) + np.eye(shape[-1], dtype=dtype.numpy),))


def _systems(dtype: DType) -> Any:
    for a, b in (((2, 2), (2, 1)), ((3, 3), (3, 4)), ((2, 3, 3), (2, 3, 1)), ((2, 2, 2), (2, 3))):
        yield Sample((regular(dtype, a), values(dtype, b, -3, 3, 1)))


def wide(matrix: Array) -> np.dtype[Any]:
    """float64, or complex128 for complex numbers."""
    return np.result_type(matrix.dtype, np.float64)


def each_matrix(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A reference that works on one matrix after the other, in float64 or complex128."""

    def reference(matrix: Array, *others: Array) -> Any:
        batch = np.broadcast_shapes(*(m.shape[:-2] for m in (matrix, *others)))
        parts = [np.broadcast_to(m, (*batch, *m.shape[-2:])).astype(wide(m)) for m in (matrix, *others)]
        found = [compute(*(p[index] for p in parts)) for index in np.ndindex(batch)]
        return np.array(found).reshape(*batch, *np.shape(found[0])) if found else matrix

    return reference


def _eliminated(matrix: Array, rhs: Array) -> Array:
    """Gauss' elimination of well-conditioned equations."""
    n = len(matrix)
    table = np.concatenate([matrix, rhs], 1)
    for i in range(n):
        table[i] /= table[i, i]
        for j in range(n):
            if j != i:
                table[j] -= table[i] * table[j, i]
    return np.asarray(table[:, n:])


def _by_elimination(matrix: Array) -> Any:
    table, product = matrix.copy(), 1.0
    for i in range(len(table)):
        product = product * table[i, i]
        for j in range(i + 1, len(table)):
            table[j] -= table[i] * (table[j, i] / table[i, i])
    return product


def _by_columns(matrix: Array) -> Array:
    result = np.zeros_like(matrix)
    for j in range(len(matrix)):
        for i in range(j, len(matrix)):
            rest = matrix[i, j] - result[i, :j] @ np.conj(result[j, :j])
            result[i, j] = np.sqrt(rest) if i == j else rest / result[j, j]
    return result


_SINGULAR: Final = "singular: it has no inverse"
_DEFECTS: Final = {
    "cholesky": "not positive definite", "matrix_inverse": _SINGULAR, "matrix_solve": _SINGULAR,
    "triangular_solve": _SINGULAR,
}  # fmt: skip
"""What is wrong with a matrix of the right shape for which there is no answer."""

_OF_ANY_SIZES: Final = frozenset({"qr", "svd", "svdvals"})


def checked(name: str, compute: Callable[..., Any], *matrices: Array) -> Any:
    """A function of numpy's with its errors in our classes."""
    try:
        return compute(*matrices)
    except (np.linalg.LinAlgError, ValueError) as error:
        shapes = " and ".join(map(show_shape, matrices))
        if not isinstance(error, np.linalg.LinAlgError):
            raise ShapeMismatchError(f"{name}: the shapes {shapes} do not fit each other") from None
        sizes = matrices[0].shape[-2:]
        if len(sizes) < 2 or (sizes[0] != sizes[1] and name not in _OF_ANY_SIZES):
            raise MatrixShapeError(f"{name}: square matrices are needed; got the shape {shapes}") from None
        what = _DEFECTS.get(name, "one for which no answer was found: does it hold nan or infinity?")
        raise LinAlgError(f"{name}: a matrix of {shapes} is {what}") from None


def transposed(x: Any) -> Any:
    """The matrices with rows and columns exchanged, whatever their rank."""
    rank = x.shape.rank
    if rank is None:
        return ops.einsum([x], equation="...ij->...ji")
    return ops.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def adjoint(x: Any) -> Any:
    """The conjugated matrices with rows and columns exchanged."""
    return transposed(conjugated(x))


def times(a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False) -> Any:
    """The matrix product, of the adjoint matrices where it is said."""
    left, right = (conjugated(a) if adjoint_a else a), (conjugated(b) if adjoint_b else b)
    return ops.matmul(left, right, transpose_a=adjoint_a, transpose_b=adjoint_b)


of_matrix = functools.partial(op, dtypes=FULL)


@of_matrix(
    raises=REGULAR,
    shape=same_square, samples=square_matrices, errors=[NOT_SQUARE, NO_HALF, SINGULAR],
    reference=each_matrix(lambda m: _eliminated(m, np.eye(len(m)))),
)  # fmt: skip
def matrix_inverse(matrix: Array) -> Any:
    """The inverse of each square matrix. matrix: float32, float64 or complex, of shape [..., n, n]."""
    return checked("matrix_inverse", np.linalg.inv, matrix)


@matrix_inverse.gradient
def _(upstream: Any, result: Any) -> Any:
    return -times(times(result, upstream, True), result, False, True)


def determinants(matrix: Array) -> Any:
    batch = matrix.shape[:-2]
    return np.array([_by_elimination(matrix[i].astype(wide(matrix))) for i in np.ndindex(batch)]).reshape(batch)


@of_matrix(
    raises=OF_MATRICES,
    shape=batch_shape, samples=square_matrices, errors=[NOT_SQUARE, NO_HALF], reference=determinants,
)  # fmt: skip
def matrix_determinant(input: Array) -> Any:
    """The determinant of each square matrix. input: float32, float64 or complex, [..., n, n]; returns [...]."""
    return checked("matrix_determinant", np.linalg.det, input)


@matrix_determinant.gradient
def _(upstream: Any, input: Any) -> Any:
    return ops.reshape(upstream, ops.concat([ops.shape(upstream), [1, 1]], axis=0)) * adjoint(cofactors(input))


def cofactors(matrix: Any) -> Any:
    """The adjugate, det(m) inverse(m), which singular matrices have as well: Stewart, "On the adjugate matrix" (1998),
    by the singular values, of which each place lacks one."""
    s, u, v = ops.svd(matrix)
    others = ops.cumprod(s, -1, exclusive=True) * ops.cumprod(s, -1, exclusive=True, reverse=True)
    sign = ops.sign(ops.matrix_determinant(u) * conjugated(ops.matrix_determinant(v)))
    factors = ops.cast(others, u.dtype) * ops.expand_dims(sign, axis=-1)
    return times(v * ops.expand_dims(factors, axis=-2), u, False, True)


@of_matrix(
    raises=REGULAR,
    shape=solved_shape, samples=_systems, reference=each_matrix(_eliminated),
    errors=[Failure((np.ones((2, 3), np.float32), np.ones((2, 1), np.float32)), MatrixShapeError, ("(2, 3)",)),
            Failure((np.eye(2, dtype=np.float32), np.ones((3, 1), np.float32)), ShapeMismatchError, ("(3, 1)",)),
            Failure((np.zeros((2, 2), np.float32), np.ones((2, 1), np.float32)), LinAlgError, ("singular",))],
)  # fmt: skip
def matrix_solve(matrix: Array, rhs: Array) -> Any:
    """x with matrix @ x = rhs. matrix: [..., n, n], rhs: [..., n, k], float32, float64 or complex; their batches
    broadcast."""
    return checked("matrix_solve", np.linalg.solve, matrix, rhs)


@matrix_solve.gradient
def _(upstream: Any, result: Any, matrix: Any, rhs: Any) -> Any:
    by_right = matrix_solve(adjoint(matrix), upstream)
    by_matrix = -times(by_right, result, False, True)
    return sum_to_shape(by_matrix, matrix), sum_to_shape(by_right, rhs)


@of_matrix(
    raises=REGULAR,
    shape=same_square, samples=_positive_matrices, reference=each_matrix(_by_columns),
    errors=[NOT_SQUARE, NO_HALF,
            Failure((-np.eye(2, dtype=np.float32),), LinAlgError, ("not positive definite",))],
)  # fmt: skip
def cholesky(input: Array) -> Any:
    """The lower triangular L with L @ adjoint(L) = input. input: symmetric (Hermitian) positive definite matrices,
    [..., n, n], float32, float64 or complex.

    Only the lower triangle is read.
    """
    return checked("cholesky", np.linalg.cholesky, input)


@cholesky.gradient
def _(upstream: Any, result: Any) -> Any:
    """Murray, "Differentiation of the Cholesky decomposition" (2016); shared between the two triangles."""
    middle = times(result, upstream, True)
    low = ops.matrix_band_part(middle, -1, 0) - 0.5 * ops.matrix_band_part(middle, 0, 0)
    half = matrix_solve(adjoint(result), adjoint(matrix_solve(adjoint(result), adjoint(low))))
    return 0.5 * (half + adjoint(half))
