"""Public forms of operations on matrices: what `runtime.linalg` has beside the records themselves.

    runtime.linalg.svd(x, compute_uv=False)         two records, by what is asked for
    runtime.linalg.lstsq(a, b)                      made of others
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from runtime.dtypes import int32
from runtime.errors import InvalidArgumentError, of_the_trace
from runtime.ops.arrays import create, join, shape
from runtime.ops.elementwise import arithmetic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.linear import diagonals, factors, solving
from runtime.ops.linear import products as linalg
from runtime.ops.linear import square as matrix
from runtime.ops.linear.pseudo_inverse import pseudo_inverse
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "Qr", "SlogDet", "adjoint", "cholesky_solve", "cross", "diag", "diag_part", "eigh", "inv", "logdet", "lstsq",
    "matrix_rank", "matrix_transpose", "matvec", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "svd",
    "trace", "triangular_solve",
]  # fmt: skip


class Qr(NamedTuple):
    """What `qr` returns."""

    q: Any
    r: Any


class SlogDet(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    log_abs_determinant: Any


@switches
def matrix_transpose(a: Any, conjugate: bool = False, name: str | None = None) -> Tensor:
    """The matrices with rows and columns exchanged. a: any tensor, [..., m, n]; conjugate: and conjugated."""
    a = convert_to_tensor(a)
    if a.shape.rank is not None and a.shape.rank < 2:
        raise InvalidArgumentError(f"matrix_transpose: matrices are needed: rank 2 or more; got the shape {a.shape}")
    found = matrix.transposed(a)
    return conj(found, name=name) if conjugate and a.dtype.is_complex else found


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The conjugated matrices with rows and columns exchanged. matrix: any tensor, [..., m, n]."""
    return matrix_transpose(matrix, conjugate=True, name=name)


@switches
def matvec(
    a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The product of matrices and vectors. a: [..., n, k], b: [..., k], numeric, of one dtype; their batches broadcast.

    a_is_sparse, b_is_sparse: taken and not needed.
    """
    if adjoint_a:
        a, transpose_a = conj(a), True
    return shape.squeeze(linalg.matmul(a, shape.expand_dims(b, axis=-1), transpose_a), -1, name=name)


def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The vector product of vectors of 3 elements. a, b: numeric, [..., 3], of one dtype and one shape."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    for vectors in (a, b):
        if vectors.shape.rank is not None and (vectors.shape.rank == 0 or vectors.shape[-1] not in (3, None)):
            raise InvalidArgumentError(f"cross: vectors of 3 elements are needed; got the shape {vectors.shape}")
    (a0, a1, a2), (b0, b1, b2) = (join.unstack(v, 3, -1) for v in (a, b))
    return join.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1, name=name)


def diag(
    diagonal: Any, name: str | None = None, k: int = 0, num_rows: int = -1, num_cols: int = -1, padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:  # fmt: skip
    """Matrices with these diagonals and padding_value elsewhere. diagonal: any tensor, [..., n]; k: which diagonal, one
    integer. num_rows, num_cols: their size; square if none is given, else the other one is the smallest that fits.
    align: of one diagonal it says nothing."""
    return diagonals.matrix_diag(diagonal, padding_value, _one(k), num_rows, num_cols, name=name)


def diag_part(
    input: Any, name: str | None = None, k: int = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """The elements on the diagonal k (one integer) of each matrix. input: any tensor, [..., m, n]."""
    return diagonals.matrix_diag_part(input, _one(k), name=name)


def set_diag(input: Any, diagonal: Any, name: str | None = None, k: int = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """The matrices with other elements on their diagonal k (one integer). input: any tensor, [..., m, n]."""
    return diagonals.matrix_set_diag(input, diagonal, _one(k), name=name)


def _one(k: Any) -> int:
    """The number of a diagonal. Raises InvalidArgumentError for a band of several."""
    if isinstance(k, tuple | list):
        if len(k) != 1 and (len(k) != 2 or k[0] != k[1]):
            raise InvalidArgumentError(f"k names one diagonal; got the band {tuple(k)}: take one after the other")
        k = k[0]
    return integer_of("diag", "k", k)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix. x: numeric, [..., m, n]."""
    return diagonals.trace(x, name=name)


def _maybe_adjoint(matrices: Any, adjoint: bool) -> Any:
    return matrix_transpose(matrices, conjugate=True) if adjoint else matrices


@switches
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each matrix, or of its adjoint if that is asked for. input: float or complex, [..., n, n].

    A singular matrix raises InvalidArgumentError.
    """
    return matrix.matrix_inverse(_maybe_adjoint(input, adjoint), name=name)


@switches
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """x with matrix @ x = rhs, or adjoint(matrix) @ x = rhs with `adjoint`. matrix: [..., n, n], rhs: [..., n, k].

    A singular matrix raises InvalidArgumentError.
    """
    return _solve(_maybe_adjoint(matrix, adjoint), rhs, name=name)


_solve = matrix.matrix_solve
_times = matrix.times


@switches
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """x with matrix @ x = rhs for triangular matrices, [..., n, n]. lower: which triangle is read; adjoint: its
    conjugate transpose is solved for. rhs: [..., n, k]. A zero on the diagonal raises InvalidArgumentError."""
    return solving.triangular_solve(matrix, rhs, lower, adjoint, name=name)


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """x with a @ x = rhs, where chol is the Cholesky factor of a. chol: [..., n, n]; rhs: [..., n, k]."""
    half = solving.triangular_solve(chol, rhs)
    return solving.triangular_solve(chol, half, True, True, name=name)


def slogdet(input: Any, name: str | None = None) -> SlogDet:
    """The sign of each determinant and the logarithm of its absolute value. input: float or complex, [..., n, n]."""
    return SlogDet(*solving.slogdet(input, name=name))


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of symmetric (Hermitian) positive definite matrices, [..., n, n], as floats."""
    factor = arithmetic.abs_(diagonals.matrix_diag_part(_cholesky(matrix)))  # it is real, and positive
    return 2.0 * reduce.reduce_sum(elementwise.log(factor), -1, name=name)


_cholesky = matrix.cholesky


@switches
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Q with orthonormal columns and the upper triangular R whose product is the input, [..., m, n]."""
    return Qr(*factors.qr(input, full_matrices, name=name))


@overload
def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: Literal[True] = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def svd(tensor: Any, full_matrices: bool = False, *, compute_uv: Literal[False], name: str | None = None) -> Tensor: ...
@overload
def svd(tensor: Any, full_matrices: bool, compute_uv: Literal[False], name: str | None = None) -> Tensor: ...
@switches
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """s, u, v with tensor = u @ diag(s) @ adjoint(v); only s without compute_uv. tensor: float or complex, [..., m, n].

    The singular values come in descending order. full_matrices: u and v are square.
    """
    return factors.svd(tensor, full_matrices, name=name) if compute_uv else factors.svdvals(tensor, name=name)


def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues in ascending order and the eigenvectors, as columns, of symmetric matrices, [..., n, n]."""
    return factors.eigh(tensor, name=name)


@switches
def lstsq(
    matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None
) -> Tensor:
    """x for which the length of matrix @ x - rhs is least; of several such x, for wide matrices, the shortest.

    matrix: [..., m, n] of full rank, m and n known; rhs: [..., m, k]. l2_regularizer: l for which the sum of
    |matrix @ x - rhs|² and l |x|² is least, then. fast: both ways it is solved by a QR decomposition.
    """
    a, b = convert_to_tensor(matrix), convert_to_tensor(rhs)
    if a.shape.rank is not None and a.shape.rank < 2:
        raise InvalidArgumentError(f"lstsq: matrices are needed: rank 2 or more; got the shape {a.shape}")
    rows, columns = (None, None) if a.shape.dims is None else a.shape.dims[-2:]
    if rows is None or columns is None:
        raise of_the_trace(InvalidArgumentError(
            f"lstsq: the numbers of rows and columns must be known while the graph is built; got the shape {a.shape};"
            " use runtime.ensure_shape"
        ))
    if l2_regularizer:
        a, b = _regularized(a, b, columns, float(l2_regularizer) ** 0.5)
        rows += columns
    if rows >= columns:
        q, r = factors.qr(a)
        return solving.triangular_solve(r, _times(q, b, True), False, name=name)
    q, r = factors.qr(adjoint(a))
    return linalg.matmul(q, solving.triangular_solve(r, b, False, True), name=name)


def _regularized(a: Any, b: Any, columns: int, weight: float) -> tuple[Any, Any]:
    """The equations with weight * x = 0 below them."""
    batch = shape.shape(a)[:-2]
    below = arithmetic.multiply(create.eye(columns, columns, dtype=a.dtype), weight)
    below = below + create.zeros(join.concat([batch, [columns, columns]], axis=0), dtype=a.dtype)
    zeros = create.zeros(join.concat([shape.shape(b)[:-2], [columns], shape.shape(b)[-1:]], axis=0), dtype=b.dtype)
    return join.concat([a, below], axis=-2), join.concat([b, zeros], axis=-2)


@switches
def pinv(a: Any, rcond: float | None = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse of each matrix, by its singular values; those below rcond times the largest count as zero.

    a: float or complex, [..., m, n]; rcond: 10 * max(m, n) * the distance of 1 to the next float, unless given.
    """
    a = convert_to_tensor(a)
    limit = 10 * _precision(a) if rcond is None else rcond
    return pseudo_inverse(a, shape.cast(limit, arithmetic.part_dtype(a)), name=name)


def _precision(a: Any) -> Any:
    """What relative size of a singular value is not told from zero: max(m, n) times the distance of 1 to the next."""
    rows, columns = (a.shape.dims or (None, None))[-2:]
    step = float(np.finfo(a.dtype.numpy).eps)
    if rows is not None and columns is not None:
        return max(rows, columns) * step
    return step * shape.cast(reduce.reduce_max(shape.shape(a)[-2:]), arithmetic.part_dtype(a))


@switches
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """How many singular values of each matrix are larger than tol, as int32. a: float or complex, [..., m, n].

    tol: max(m, n) * the distance of 1 to the next float * the largest singular value, unless given.
    """
    a = convert_to_tensor(a)
    s = factors.svdvals(a)
    limit = reduce.reduce_max(s, -1, True) * _precision(a) if tol is None else tol
    return reduce.reduce_sum(shape.cast(s > limit, int32), -1, name=name)


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """The tensor divided by its norm along the axes, and that norm, with size 1 in their place. tensor: float,
    or complex."""
    tensor = convert_to_tensor(tensor)
    length = linalg.norm(tensor, ord, axis, True)
    return arithmetic.divide(tensor, shape.cast(length, tensor.dtype), name=name), length
