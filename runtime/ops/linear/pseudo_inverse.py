"""The pseudo-inverse of matrices of any shape and rank.

>>> runtime.linalg.pinv([[2.0, 0.0], [0.0, 0.0]])
<tf.Tensor: shape=(2, 2), dtype=float32, numpy=array([[0.5, 0. ],
       [0. , 0. ]], dtype=float32)>

Gradient: Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems" (1973), for
matrices whose rank stays; unlike that of the singular vectors it is defined where singular values are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.array_errors import MatrixShapeError
from runtime.dtypes import DType, float32, float64
from runtime.ops.linear.square import FULL, NO_HALF, adjoint, checked, regular
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import REGULAR
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["pseudo_inverse"]


def _turned_shape(matrix: Operand, rcond: Operand) -> TensorShape:
    dims = matrix.shape.dims
    if dims is None:
        return TensorShape(None)
    if len(dims) < 2:
        raise np.linalg.LinAlgError("matrices are needed: the rank must be 2 or more")
    return TensorShape([*dims[:-2], dims[-1], dims[-2]])


def _samples(dtype: DType) -> Any:
    part = values(dtype, (), 1, 2).real.dtype
    for shape in ((4, 2), (2, 3), (2, 3, 2), (1, 1)):
        yield Sample((values(dtype, shape, -2, 2, 3), np.array(1e-5, part)))
    yield Sample((2 * np.eye(3, dtype=dtype.numpy), np.array(1e-5, part)))
    yield Sample((regular(dtype, (3, 3)), np.array(1e-5, part)))
    yield Sample((values(dtype, (3, 4), -2, 2, 3).T, np.array(1e-5, part)))
    flat = np.asarray(np.outer(values(dtype, (3,), 1, 2), values(dtype, (2,), 1, 2)))
    yield Sample((flat, np.array(1e-4, part)))


def _by_elimination(matrix: Array) -> Array:
    """Some columns and the rows that make the matrix of them, by Gauss and Jordan: A = C F has the pseudo-inverse
    F* inverse(C* A F*) C*."""
    rows = matrix.astype(np.result_type(matrix.dtype, np.float64))
    columns: list[int] = []
    for j in range(rows.shape[1]):
        place = len(columns)
        below = np.abs(rows[place:, j])
        if not below.size or below.max() < 1e-5:
            continue
        rows[[place, place + below.argmax()]] = rows[[place + below.argmax(), place]]
        rows[place] /= rows[place, j]
        for i in range(len(rows)):
            if i != place:
                rows[i] -= rows[i, j] * rows[place]
        columns.append(j)
    c, f = np.conj(matrix[:, columns].T), np.conj(rows[: len(columns)].T)
    return np.asarray(f @ np.linalg.inv(c @ matrix @ f) @ c)


def _each(matrix: Array, rcond: Array) -> Array:
    found = [_by_elimination(matrix[i]) for i in np.ndindex(matrix.shape[:-2])]
    return np.array(found).reshape(*matrix.shape[:-2], *found[0].shape)


NO_VECTOR = Failure((np.ones(3, np.float32), np.float32(0.1)), MatrixShapeError, ("rank", "(3,)"))


@op(
    raises=REGULAR,
    shape=_turned_shape, dtypes={"matrix": FULL, "rcond": frozenset({float32, float64})}, samples=_samples,
    reference=_each,
    errors=[NO_VECTOR, Failure((*NO_HALF.arguments, np.float32(0.1)), NO_HALF.error, NO_HALF.words)],
)  # fmt: skip
def pseudo_inverse(matrix: Array, rcond: Array) -> Any:
    """The pseudo-inverse of each matrix, by its singular values; those up to rcond times the largest count as zero.

    matrix: float32, float64 or complex, [..., m, n]; rcond: floats, which broadcast to [...]; returns [..., n, m].
    """
    return checked("pseudo_inverse", lambda x: np.linalg.pinv(x, rcond), matrix)


@pseudo_inverse.gradient
def _(upstream: Any, result: Any, matrix: Any) -> Any:
    inverse, turned = adjoint(result), adjoint(upstream)
    left = ops.matmul(inverse, ops.matmul(upstream, inverse))
    rest = turned - ops.matmul(matrix, ops.matmul(result, turned))
    below = ops.matmul(rest, ops.matmul(result, inverse))
    rest = turned - ops.matmul(ops.matmul(turned, result), matrix)
    beside = ops.matmul(ops.matmul(inverse, result), rest)
    return below + beside - left, None
