"""Eigenvalues and eigenvectors of square matrices that need not be symmetric, also in batches.

>>> runtime.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).numpy().imag.tolist()
[1.0, -1.0]

The results are complex, whatever the matrix. Gradients after Boeddeker et al., "On the computation of complex-valued
gradients with application to statistically optimum beamforming" (2017); they are not defined where eigenvalues are
equal, and those of vectors are for functions that do not see the length and phase of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType, complex64, complex128
from runtime.ops.linear.square import FULL, NO_HALF, NOT_SQUARE, adjoint, checked, square_shape, times
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import REGULAR
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Sample, values
from runtime.shapes import TensorShape

__all__ = ["eig", "eigvals"]


def _values_shape(tensor: Operand) -> TensorShape:
    shape = square_shape(tensor.shape)
    return TensorShape(None) if shape.dims is None else TensorShape(shape.dims[:-1])


def _complex(tensor: Operand) -> DType:
    return complex64 if tensor.dtype.name in ("float32", "complex64") else complex128


def _matrices(dtype: DType) -> Any:
    for shape in ((3, 3), (1, 1), (2, 4, 4), (2, 2)):
        yield Sample((values(dtype, shape, -2, 2, 5),))


def _roots(matrix: Array) -> Array:
    """The zeros of the characteristic polynomial: its coefficients by Faddeev and LeVerrier, then Weierstrass' method;
    in LAPACK's order."""
    n, a = len(matrix), matrix.astype(np.complex128)
    coefficients, power = [1.0 + 0j], np.eye(n, dtype=np.complex128)
    for k in range(1, n + 1):
        product = a @ power
        coefficients.append(-np.trace(product) / k)
        power = product + coefficients[-1] * np.eye(n)
    found = (0.4 + 0.9j) ** np.arange(n) * max(1.0, np.abs(a).sum())
    for _ in range(500):
        for i in range(n):
            others = np.prod([found[i] - found[j] for j in range(n) if j != i])
            found[i] -= sum(c * found[i] ** (n - k) for k, c in enumerate(coefficients)) / others
    order = [int(np.argmin(np.abs(found - w))) for w in np.linalg.eigvals(matrix)]
    return np.asarray(found[order])


def _vectors(matrix: Array) -> Array:
    """For each eigenvalue what the rest of the matrix maps to nothing; in LAPACK's phase."""
    wanted = np.linalg.eig(matrix)[1]
    found = []
    for w in _roots(matrix):
        found.append(np.conj(np.linalg.svd(matrix - w * np.eye(len(matrix)))[2][-1]))
    columns = np.array(found).T
    phases = np.sum(np.conj(columns) * wanted, 0)
    return np.asarray(columns * (phases / np.abs(phases)))


def _each(compute: Any) -> Any:
    def reference(tensor: Array) -> Array:
        rows = [compute(tensor[i]) for i in np.ndindex(tensor.shape[:-2])]
        return np.array(rows).reshape(*tensor.shape[:-2], *rows[0].shape)

    return reference


@op(
    raises=REGULAR,
    shape=lambda tensor: (_values_shape(tensor), square_shape(tensor.shape)), dtypes=FULL, outputs=2,
    result=lambda tensor: (_complex(tensor),) * 2, samples=_matrices, errors=[NOT_SQUARE, NO_HALF],
    reference=lambda tensor: (_each(_roots)(tensor), _each(_vectors)(tensor)),
)  # fmt: skip
def eig(tensor: Array) -> Any:
    """The eigenvalues of square matrices, in LAPACK's order, and their eigenvectors of length 1, as columns.

    tensor: float32, float64 or complex, [..., n, n]; both results are complex: [..., n] and [..., n, n].
    """
    found = checked("eig", np.linalg.eig, tensor)
    wide = np.result_type(tensor.dtype, np.complex64)
    return found.eigenvalues.astype(wide, copy=False), found.eigenvectors.astype(wide, copy=False)


@eig.gradient
def _(upstream: Any, result: Any, tensor: Any) -> Any:
    (w, v), (by_w, by_v) = result, upstream
    product = times(v, by_v, True)
    lengths = ops.cast(ops.real(ops.matrix_diag_part(product)), v.dtype)  # the vectors have length 1
    middle = product - times(v, v, True) * ops.expand_dims(lengths, axis=-2)
    gaps = ops.conj(ops.expand_dims(w, axis=-2) - ops.expand_dims(w, axis=-1))
    middle = ops.divide_no_nan(middle, gaps)
    return _through(v, middle - ops.matrix_diag(ops.matrix_diag_part(middle), 0) + ops.matrix_diag(by_w, 0), tensor)


def _through(v: Any, middle: Any, tensor: Any) -> Any:
    """inv(v)* @ middle @ v*, real where the matrix is."""
    turned = adjoint(v)
    found = ops.matrix_solve(turned, ops.matmul(middle, turned))
    return found if tensor.dtype.is_complex else ops.real(found)


@op(
    raises=REGULAR,
    shape=_values_shape, dtypes=FULL, result=_complex, samples=_matrices, errors=[NOT_SQUARE, NO_HALF],
    reference=_each(_roots),
)  # fmt: skip
def eigvals(tensor: Array) -> Any:
    """The eigenvalues of square matrices, in LAPACK's order. tensor: float32, float64 or complex, [..., n, n]; returns
    [..., n], complex."""
    return checked("eigvals", np.linalg.eigvals, tensor).astype(np.result_type(tensor.dtype, np.complex64), copy=False)


@eigvals.gradient
def _(upstream: Any, tensor: Any) -> Any:
    _, v = eig(tensor)
    return _through(v, ops.matrix_diag(upstream, 0), tensor)
