"""Matrices as products: the QR, singular value and eigenvalue decompositions, also in batches.

>>> runtime.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([4., 3.], dtype=float32)>

The factors are unique up to signs, which are those of LAPACK. Gradients: QR after Seeger et al., "Auto-Differentiating
Linear Algebra" (2017), for wide matrices Roberts and Roberts (2020); SVD after Townsend, "Differentiating the Singular
Value Decomposition" (2016); eigenvalues after Giles (2008). They are not defined where singular values or eigenvalues
are equal; the parts that would be infinite are then left out.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.gradients import ops
from runtime.ops.matrix import FULL, NO_HALF, NOT_SQUARE, checked, square_shape, transposed
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["eigh", "eigvalsh", "qr", "svd", "svdvals"]

of_matrix = functools.partial(op, dtypes=FULL)
FLAT = Failure((np.ones(3, np.float32),), ShapeMismatchError, ("rank", "(3,)"))
NO_INTEGERS = Failure(([[1, 2], [3, 4]],), DtypeMismatchError, ("int32", "runtime.cast"))
WRONG, WRONG_SQUARE = (FLAT, NO_HALF, NO_INTEGERS), (NOT_SQUARE, NO_HALF, NO_INTEGERS)


def _sizes(shape: TensorShape) -> tuple[TensorShape, int | None, int | None, int | None]:
    """The batch, the rows, the columns, and the smaller of them. Raises ValueError unless the rank is 2 or more."""
    if shape.dims is None:
        return TensorShape(None), None, None, None
    if len(shape.dims) < 2:
        raise ValueError("matrices are needed: the rank must be 2 or more")
    rows, columns = shape.dims[-2:]
    least = None if rows is None or columns is None else min(rows, columns)
    return TensorShape(shape.dims[:-2]), rows, columns, least


def _qr_shapes(input: Operand, full_matrices: bool) -> tuple[TensorShape, TensorShape]:
    batch, rows, columns, least = _sizes(input.shape)
    middle = rows if full_matrices else least
    return batch.concatenate([rows, middle]), batch.concatenate([middle, columns])


def _all_alike(count: int) -> Any:
    """The rule for several results of the operand's dtype."""
    return lambda x, **attributes: (x.dtype,) * count


def _matrices(dtype: DType) -> Any:
    """Square, tall and wide, in batches, in every layout. Their singular values differ."""
    for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1)):
        yield Sample((values(dtype, shape, -2, 2, 3),))
    yield Sample((values(dtype, (3, 4), -2, 2, 3).T,))
    yield Sample((values(dtype, (4, 6), -2, 2, 3)[::-2, ::2],))


def _each(compute: Any) -> Any:
    """A reference that works on one matrix after the other; each of the results is stacked."""

    def reference(matrix: Array, **attributes: Any) -> Any:
        found = [compute(matrix[i], **attributes) for i in np.ndindex(matrix.shape[:-2])]
        parts = list(zip(*found, strict=True))
        return tuple(np.array(p).reshape(*matrix.shape[:-2], *np.shape(p[0])) for p in parts)

    return reference


def _householder(matrix: Array, full_matrices: bool = False) -> tuple[Array, Array]:
    """QR by reflections, one column after the other (Golub and Van Loan, algorithm 5.2.1)."""
    rows, columns = matrix.shape
    q, r = np.eye(rows), matrix.astype(np.float64)
    for j in range(min(rows - 1, columns)):
        x = r[j:, j]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        if v @ v:
            h = np.eye(rows)
            h[j:, j:] -= 2 * np.outer(v, v) / (v @ v)
            q, r = q @ h, h @ r
    middle = rows if full_matrices else min(rows, columns)
    return q[:, :middle], np.triu(r[:middle])


@of_matrix(
    shape=_qr_shapes, outputs=2, result=_all_alike(2), reference=_each(_householder), errors=WRONG,
    samples=lambda dtype: [Sample(s.operands, {"full_matrices": f}) for s in _matrices(dtype) for f in (False, True)],
)  # fmt: skip
def qr(input: Array, full_matrices: bool = False) -> Any:
    """Q with orthonormal columns and the upper triangular R whose product is the input.

    input: float32 or float64, [..., m, n]; Q is [..., m, k] and R [..., k, n], where k = min(m, n), or m with
    full_matrices.
    """
    found = checked("qr", lambda x: np.linalg.qr(x, "complete" if full_matrices else "reduced"), input)
    return found.Q, found.R


@qr.gradient
def _(upstream: Any, result: Any, input: Any, full_matrices: bool) -> Any:
    (q, r), (by_q, by_r) = result, upstream
    rows, columns = input.shape.dims[-2:] if input.shape.dims is not None else (None, None)
    if rows is None or columns is None:
        raise InvalidArgumentError("qr: the gradient needs to know the numbers of rows and columns while it is built")
    if full_matrices and rows > columns:
        raise InvalidArgumentError("qr: there is no gradient with full_matrices=True for more rows than columns")
    if rows >= columns:
        return _tall(q, r, by_q, by_r)
    left, right = r[..., :rows], by_r[..., rows:]
    by_q = by_q + ops.matmul(input[..., rows:], right, transpose_b=True)
    return ops.concat([_tall(q, left, by_q, by_r[..., :rows]), ops.matmul(q, right)], axis=-1)


def _tall(q: Any, r: Any, by_q: Any, by_r: Any) -> Any:
    middle = ops.matmul(r, by_r, transpose_b=True) - ops.matmul(by_q, q, transpose_a=True)
    low = ops.matrix_band_part(middle, -1, 0)
    both = low + transposed(low - ops.matrix_band_part(low, 0, 0))
    return transposed(ops.matrix_solve(r, transposed(by_q + ops.matmul(q, both))))


def _svd_shapes(tensor: Operand, full_matrices: bool) -> tuple[TensorShape, TensorShape, TensorShape]:
    batch, rows, columns, least = _sizes(tensor.shape)
    left, right = (rows, columns) if full_matrices else (least, least)
    return batch.concatenate([least]), batch.concatenate([rows, left]), batch.concatenate([columns, right])


def _values_and_vectors(matrix: Array, full_matrices: bool = False) -> tuple[Array, Array, Array]:
    """By the eigenvectors of the smaller product with the transpose; the signs are those of LAPACK."""
    turned = matrix.shape[0] < matrix.shape[1]
    x = (matrix.T if turned else matrix).astype(np.float64)
    squares, v = _by_rotations(x.T @ x)
    s, v = np.sqrt(squares[::-1]), v[:, ::-1]
    u, v = (v, x @ v / s) if turned else (x @ v / s, v)
    signs = np.sign(np.sum(u * np.linalg.svd(matrix, full_matrices=False)[0], 0))
    return s, u * signs, v * signs


@of_matrix(
    shape=_svd_shapes, outputs=3, result=_all_alike(3), reference=_each(_values_and_vectors), errors=WRONG,
    samples=lambda dtype: [Sample(s.operands, {"full_matrices": f}) for s in _matrices(dtype) for f in (False, True)
                           if not f or s.operands[0].shape[-1] == s.operands[0].shape[-2]],
)  # fmt: skip
def svd(tensor: Array, full_matrices: bool = False) -> Any:
    """The singular values s in descending order, and u and v with orthonormal columns: u @ diag(s) @ transpose(v).

    tensor: float32 or float64, [..., m, n]; s is [..., k], u [..., m, k] and v [..., n, k], where k = min(m, n); with
    full_matrices u is [..., m, m] and v [..., n, n].
    """
    u, s, vh = checked("svd", lambda x: np.linalg.svd(x, full_matrices), tensor)
    return s, u, np.swapaxes(vh, -1, -2)


@svd.gradient
def _(upstream: Any, result: Any, tensor: Any, full_matrices: bool) -> Any:
    (s, u, v), (by_s, by_u, by_v) = result, upstream
    if full_matrices and not u.shape.is_compatible_with(v.shape):
        raise InvalidArgumentError("svd: there is no gradient with full_matrices=True for matrices that are not square")
    squares = s * s
    gaps = _inverse_gaps(squares)
    row = ops.expand_dims(s, axis=-2)  # as a factor of columns
    by_left, by_right = ops.matmul(u, by_u, transpose_a=True), ops.matmul(v, by_v, transpose_a=True)
    middle = gaps * (by_left - transposed(by_left)) * row
    middle = middle + ops.expand_dims(s, axis=-1) * gaps * (by_right - transposed(by_right)) + ops.matrix_diag(by_s, 0)
    found = ops.matmul(ops.matmul(u, middle), v, transpose_b=True)
    outside_u = (by_u - ops.matmul(u, by_left)) / row
    outside_v = (by_v - ops.matmul(v, by_right)) / row
    return found + ops.matmul(outside_u, v, transpose_b=True) + ops.matmul(u, outside_v, transpose_b=True)


def _inverse_gaps(numbers: Any) -> Any:
    """1 / (x[j] - x[i]) at the place i, j; 0 where they are equal."""
    gaps = ops.expand_dims(numbers, axis=-2) - ops.expand_dims(numbers, axis=-1)
    return ops.divide_no_nan(ops.ones_like(gaps), gaps)


@of_matrix(
    shape=lambda tensor: _svd_shapes(tensor, False)[0], errors=WRONG, samples=_matrices,
    reference=lambda tensor: np.sqrt(np.maximum(_by_products(tensor.astype(np.float64)), 0)),
)  # fmt: skip
def svdvals(tensor: Array) -> Any:
    """The singular values in descending order. tensor: float32 or float64, [..., m, n]; returns [..., min(m, n)]."""
    return checked("svdvals", lambda x: np.linalg.svd(x, compute_uv=False), tensor)


def _by_products(x: Array) -> Any:
    """The squares of the singular values, as the eigenvalues of the smaller product with the transpose."""
    turned = np.swapaxes(x, -1, -2)
    product = x @ turned if x.shape[-2] <= x.shape[-1] else turned @ x
    return np.linalg.eigvalsh(product)[..., ::-1]


@svdvals.gradient
def _(upstream: Any, tensor: Any) -> Any:
    _, u, v = svd(tensor)
    return ops.matmul(u * ops.expand_dims(upstream, axis=-2), v, transpose_b=True)


def _eigen_shapes(tensor: Operand) -> tuple[TensorShape, TensorShape]:
    shape = square_shape(tensor.shape)
    return (TensorShape(None) if shape.dims is None else TensorShape(shape.dims[:-1])), shape


def _symmetric(dtype: DType) -> Any:
    for shape in ((3, 3), (1, 1), (2, 4, 4), (2, 2)):
        x = values(dtype, shape, -2, 2, 3)
        yield Sample(((x + np.swapaxes(x, -1, -2)).astype(dtype.numpy),))


def _by_rotations(matrix: Array) -> tuple[Array, Array]:
    """Jacobi's method: rotations until nothing is left beside the diagonal; then signs as LAPACK's."""
    n, a, v = len(matrix), matrix.astype(np.float64), np.eye(len(matrix))
    for _ in range(60):
        for i in range(n):
            for j in range(i + 1, n):
                angle = 0.5 * np.arctan2(2 * a[i, j], a[j, j] - a[i, i])
                turn = np.eye(n)
                turn[i, i] = turn[j, j] = np.cos(angle)
                turn[i, j], turn[j, i] = np.sin(angle), -np.sin(angle)
                a, v = turn.T @ a @ turn, v @ turn
    order = np.argsort(np.diag(a))
    found = v[:, order]
    signs = np.sign(np.sum(found * np.linalg.eigh(matrix)[1], 0))
    return np.diag(a)[order], found * signs


@of_matrix(
    shape=_eigen_shapes, outputs=2, result=_all_alike(2), errors=WRONG_SQUARE, samples=_symmetric,
    reference=_each(_by_rotations),
)  # fmt: skip
def eigh(tensor: Array) -> Any:
    """The eigenvalues of symmetric matrices in ascending order, and their eigenvectors as columns.

    tensor: float32 or float64, [..., n, n], of which only the lower triangle is read.
    """
    found = checked("eigh", np.linalg.eigh, tensor)
    return found.eigenvalues, found.eigenvectors


@eigh.gradient
def _(upstream: Any, result: Any) -> Any:
    (w, v), (by_w, by_v) = result, upstream
    middle = ops.matrix_diag(by_w, 0) + _inverse_gaps(w) * ops.matmul(v, by_v, transpose_a=True)
    return _of_lower(ops.matmul(ops.matmul(v, middle), v, transpose_b=True))


def _of_lower(x: Any) -> Any:
    """The gradient of what only the lower triangle decides."""
    low = ops.matrix_band_part(x + transposed(x), -1, 0)
    return low - ops.matrix_band_part(x, 0, 0)


@of_matrix(
    shape=lambda tensor: _eigen_shapes(tensor)[0], errors=WRONG_SQUARE, samples=_symmetric,
    reference=lambda tensor: _each(_by_rotations)(tensor)[0],
)  # fmt: skip
def eigvalsh(tensor: Array) -> Any:
    """The eigenvalues of symmetric matrices in ascending order. tensor: float32 or float64, [..., n, n], of which only
    the lower triangle is read; returns [..., n]."""
    return checked("eigvalsh", np.linalg.eigvalsh, tensor)


@eigvalsh.gradient
def _(upstream: Any, tensor: Any) -> Any:
    _, v = eigh(tensor)
    return _of_lower(ops.matmul(v * ops.expand_dims(upstream, axis=-2), v, transpose_b=True))
