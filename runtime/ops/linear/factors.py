"""Matrices as products: the QR, singular value and eigenvalue decompositions, also in batches.

>>> runtime.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([4., 3.], dtype=float32)>

The factors are unique up to signs, which are those of LAPACK. Gradients: QR after Seeger et al., "Auto-Differentiating
Linear Algebra" (2017), for wide matrices Roberts and Roberts (2020); SVD after Townsend, "Differentiating the Singular
Value Decomposition" (2016), of complex matrices after Wan and Zhang (2019); eigenvalues after Giles (2008). They are
not defined where singular values or eigenvalues are equal; the parts that would be infinite are then left out. Complex
eigenvectors and singular vectors are unique up to phases: the gradients are for functions that do not see these.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from runtime.array_errors import MatrixShapeError
from runtime.dtypes import DType
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.elementwise.arithmetic import part_dtype
from runtime.ops.linear.square import FULL, NO_HALF, NOT_SQUARE, adjoint, checked, square_shape, times, wide
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import OF_MATRICES, REGULAR
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["eigh", "eigvalsh", "qr", "svd", "svdvals"]

of_matrix = functools.partial(op, dtypes=FULL)
FLAT = Failure((np.ones(3, np.float32),), MatrixShapeError, ("rank", "(3,)"))
NO_INTEGERS = Failure(([[1, 2], [3, 4]],), DtypeMismatchError, ("int32", "runtime.cast"))
WRONG, WRONG_SQUARE = (FLAT, NO_HALF, NO_INTEGERS), (NOT_SQUARE, NO_HALF, NO_INTEGERS)


def _sizes(shape: TensorShape) -> tuple[TensorShape, int | None, int | None, int | None]:
    """The batch, the rows, the columns, and the smaller of them. Raises ValueError unless the rank is 2 or more."""
    if shape.dims is None:
        return TensorShape(None), None, None, None
    if len(shape.dims) < 2:
        raise np.linalg.LinAlgError("matrices are needed: the rank must be 2 or more")
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
    """QR by reflections, one column after the other (Golub and Van Loan, algorithm 5.2.1), which make the diagonal of R
    real."""
    rows, columns = matrix.shape
    q, r = np.eye(rows), matrix.astype(wide(matrix))
    for j in range(min(rows, columns)):
        x = r[j:, j]
        if not np.any(x[1:]) and not x[0].imag:
            continue
        length = -np.copysign(np.linalg.norm(x), x[0].real)
        v = x / (x[0] - length)
        v[0] = 1
        h = np.eye(rows, dtype=r.dtype)
        h[j:, j:] -= (length - x[0]) / length * np.outer(v, np.conj(v))
        q, r = q @ h, np.conj(h.T) @ r
    middle = rows if full_matrices else min(rows, columns)
    return q[:, :middle], np.triu(r[:middle])


@of_matrix(
    raises=OF_MATRICES,
    shape=_qr_shapes, outputs=2, result=_all_alike(2), reference=_each(_householder), errors=WRONG,
    samples=lambda dtype: [Sample(s.operands, {"full_matrices": f}) for s in _matrices(dtype) for f in (False, True)],
)  # fmt: skip
def qr(input: Array, full_matrices: bool = False) -> Any:
    """Q with orthonormal columns and the upper triangular R whose product is the input.

    input: float32, float64 or complex, [..., m, n]; Q is [..., m, k] and R [..., k, n], where k = min(m, n), or m with
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
    by_q = by_q + times(input[..., rows:], right, False, True)
    return ops.concat([_tall(q, left, by_q, by_r[..., :rows]), ops.matmul(q, right)], axis=-1)


def _tall(q: Any, r: Any, by_q: Any, by_r: Any) -> Any:
    """Only the real part of the diagonal counts: that of R is real."""
    middle = times(r, by_r, False, True) - times(by_q, q, True)
    low = ops.matrix_band_part(middle, -1, 0) - 0.5 * ops.matrix_band_part(middle, 0, 0)
    return adjoint(ops.matrix_solve(r, adjoint(by_q + ops.matmul(q, low + adjoint(low)))))


def _svd_shapes(tensor: Operand, full_matrices: bool) -> tuple[TensorShape, TensorShape, TensorShape]:
    batch, rows, columns, least = _sizes(tensor.shape)
    left, right = (rows, columns) if full_matrices else (least, least)
    return batch.concatenate([least]), batch.concatenate([rows, left]), batch.concatenate([columns, right])


def _values_and_vectors(matrix: Array, full_matrices: bool = False) -> tuple[Array, Array, Array]:
    """By the eigenvectors of the smaller product with the adjoint; the signs are those of LAPACK."""
    turned = matrix.shape[0] < matrix.shape[1]
    x = (np.conj(matrix.T) if turned else matrix).astype(wide(matrix))
    squares, v = _by_rotations(np.conj(x.T) @ x)
    s, v = np.sqrt(squares[::-1].real), v[:, ::-1]
    u, v = (v, x @ v / s) if turned else (x @ v / s, v)
    signs = _signs(u, np.linalg.svd(matrix, full_matrices=False)[0])
    return s, u * signs, v * signs


def _signs(found: Array, wanted: Array) -> Any:
    """The signs (or phases) of columns beside those of LAPACK."""
    return np.sign(np.sum(np.conj(found) * wanted, 0))


def _parts_and_vectors(tensor: Operand, full_matrices: bool) -> tuple[DType, DType, DType]:
    return part_dtype(tensor), tensor.dtype, tensor.dtype


@of_matrix(
    raises=REGULAR,
    shape=_svd_shapes, outputs=3, result=_parts_and_vectors, reference=_each(_values_and_vectors), errors=WRONG,
    samples=lambda dtype: [Sample(s.operands, {"full_matrices": f}) for s in _matrices(dtype) for f in (False, True)
                           if not f or s.operands[0].shape[-1] == s.operands[0].shape[-2]],
)  # fmt: skip
def svd(tensor: Array, full_matrices: bool = False) -> Any:
    """The singular values s in descending order, and u and v with orthonormal columns: u @ diag(s) @ adjoint(v).

    tensor: float32, float64 or complex, [..., m, n]; s, of floats, is [..., k], u [..., m, k] and v [..., n, k], where
    k = min(m, n); with full_matrices u is [..., m, m] and v [..., n, n].
    """
    u, s, vh = checked("svd", lambda x: np.linalg.svd(x, full_matrices), tensor)
    return s, u, np.conj(np.swapaxes(vh, -1, -2)) if vh.dtype.kind == "c" else np.swapaxes(vh, -1, -2)


@svd.gradient
def _(upstream: Any, result: Any, tensor: Any, full_matrices: bool) -> Any:
    (s, u, v), (by_s, by_u, by_v) = result, upstream
    if full_matrices and not u.shape.is_compatible_with(v.shape):
        raise InvalidArgumentError("svd: there is no gradient with full_matrices=True for matrices that are not square")
    gaps, size, by_size = (ops.cast(x, u.dtype) for x in (_inverse_gaps(s * s), s, by_s))
    row = ops.expand_dims(size, axis=-2)  # as a factor of columns
    by_left, by_right = times(u, by_u, True), times(v, by_v, True)
    if u.dtype.is_complex:
        turn = ops.matrix_diag_part(by_left)
        by_size = by_size + (turn - ops.conj(turn)) / (2 * size)
    middle = gaps * (by_left - adjoint(by_left)) * row + ops.matrix_diag(by_size, 0)
    middle = middle + ops.expand_dims(size, axis=-1) * gaps * (by_right - adjoint(by_right))
    found = times(ops.matmul(u, middle), v, False, True)
    outside_u = (by_u - ops.matmul(u, by_left)) / row
    outside_v = (by_v - ops.matmul(v, by_right)) / row
    return found + times(outside_u, v, False, True) + times(u, outside_v, False, True)


def _inverse_gaps(numbers: Any) -> Any:
    """1 / (x[j] - x[i]) at the place i, j; 0 where they are equal."""
    gaps = ops.expand_dims(numbers, axis=-2) - ops.expand_dims(numbers, axis=-1)
    return ops.divide_no_nan(ops.ones_like(gaps), gaps)


@of_matrix(
    raises=REGULAR,
    shape=lambda tensor: _svd_shapes(tensor, False)[0], errors=WRONG, samples=_matrices, result=part_dtype,
    reference=lambda tensor: np.sqrt(np.maximum(_by_products(tensor.astype(wide(tensor))), 0)),
)  # fmt: skip
def svdvals(tensor: Array) -> Any:
    """The singular values in descending order. tensor: float32, float64 or complex, [..., m, n]; returns
    [..., min(m, n)], float."""
    return checked("svdvals", lambda x: np.linalg.svd(x, compute_uv=False), tensor)


def _by_products(x: Array) -> Any:
    """The squares of the singular values, as the eigenvalues of the smaller product with the transpose."""
    turned = np.conj(np.swapaxes(x, -1, -2))
    product = x @ turned if x.shape[-2] <= x.shape[-1] else turned @ x
    return np.linalg.eigvalsh(product)[..., ::-1]


@svdvals.gradient
def _(upstream: Any, tensor: Any) -> Any:
    _, u, v = svd(tensor)
    return times(u * ops.expand_dims(ops.cast(upstream, u.dtype), axis=-2), v, False, True)


def _eigen_shapes(tensor: Operand) -> tuple[TensorShape, TensorShape]:
    shape = square_shape(tensor.shape)
    return (TensorShape(None) if shape.dims is None else TensorShape(shape.dims[:-1])), shape


def _symmetric(dtype: DType) -> Any:
    for shape in ((3, 3), (1, 1), (2, 4, 4), (2, 2)):
        x = values(dtype, shape, -2, 2, 3)
        yield Sample(((x + np.conj(np.swapaxes(x, -1, -2))).astype(dtype.numpy),))


def _by_rotations(matrix: Array) -> tuple[Array, Array]:
    """Jacobi's method: rotations until nothing is left beside the diagonal; then signs as LAPACK's."""
    n, a, v = len(matrix), matrix.astype(wide(matrix)), np.eye(len(matrix))
    for _ in range(60):
        for i in range(n):
            for j in range(i + 1, n):
                phase = np.sign(a[i, j]) if a[i, j].imag else 1.0
                angle = 0.5 * np.arctan2(2 * (a[i, j] / phase).real, (a[j, j] - a[i, i]).real)
                turn = np.eye(n, dtype=a.dtype)
                turn[i, i] = turn[j, j] = np.cos(angle)
                turn[i, j], turn[j, i] = phase * np.sin(angle), -np.conj(phase) * np.sin(angle)
                a, v = np.conj(turn.T) @ a @ turn, v @ turn
    squares = np.real(np.diag(a))
    order = np.argsort(squares)
    found = v[:, order]
    return squares[order], found * _signs(found, np.linalg.eigh(matrix)[1])


@of_matrix(
    raises=REGULAR,
    shape=_eigen_shapes, outputs=2, result=_all_alike(2), errors=WRONG_SQUARE, samples=_symmetric,
    reference=_each(_by_rotations),
)  # fmt: skip
def eigh(tensor: Array) -> Any:
    """The eigenvalues of symmetric (Hermitian) matrices in ascending order, and their eigenvectors as columns.

    tensor: float32, float64 or complex, [..., n, n], of which only the lower triangle is read; both have its dtype.
    """
    found = checked("eigh", np.linalg.eigh, tensor)
    return found.eigenvalues.astype(tensor.dtype, copy=False), found.eigenvectors


@eigh.gradient
def _(upstream: Any, result: Any) -> Any:
    (w, v), (by_w, by_v) = result, upstream
    middle = ops.matrix_diag(by_w, 0) + _inverse_gaps(w) * times(v, by_v, True)
    return _of_lower(times(ops.matmul(v, middle), v, False, True))


def _of_lower(x: Any) -> Any:
    """The gradient of what only the lower triangle decides."""
    low = ops.matrix_band_part(x + adjoint(x), -1, 0)
    return low - 0.5 * ops.matrix_band_part(low, 0, 0)


@of_matrix(
    raises=REGULAR,
    shape=lambda tensor: _eigen_shapes(tensor)[0], errors=WRONG_SQUARE, samples=_symmetric,
    reference=lambda tensor: _each(_by_rotations)(tensor)[0],
)  # fmt: skip
def eigvalsh(tensor: Array) -> Any:
    """The eigenvalues of symmetric (Hermitian) matrices in ascending order. tensor: float32, float64 or complex,
    [..., n, n], of which only the lower triangle is read; returns [..., n], of its dtype."""
    return checked("eigvalsh", np.linalg.eigvalsh, tensor).astype(tensor.dtype, copy=False)


@eigvalsh.gradient
def _(upstream: Any, tensor: Any) -> Any:
    _, v = eigh(tensor)
    return _of_lower(times(v * ops.expand_dims(upstream, axis=-2), v, False, True))
