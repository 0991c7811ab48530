"""`runtime.linalg`: linear algebra.

>>> runtime.linalg.norm([3.0, 4.0])
<tf.Tensor: shape=(), dtype=float32, numpy=5.0>
"""

from runtime.arrays import einsum, eye, matmul
from runtime.clipping import global_norm
from runtime.elsewhere import explain
from runtime.matrices import (
    adjoint,
    cholesky_solve,
    cross,
    diag,
    diag_part,
    eigh,
    inv,
    logdet,
    lstsq,
    matrix_rank,
    matrix_transpose,
    matvec,
    normalize,
    pinv,
    qr,
    set_diag,
    slogdet,
    solve,
    svd,
    trace,
    triangular_solve,
)
from runtime.ops.diagonals import matrix_band_part as band_part
from runtime.ops.eigen import eig, eigvals
from runtime.ops.factors import eigvalsh
from runtime.ops.linalg import norm, tensordot
from runtime.ops.matrix import cholesky
from runtime.ops.matrix import matrix_determinant as det

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part", "eig", "eigh", "eigvals",
    "eigvalsh",
    "einsum", "eye", "global_norm", "inv", "logdet", "lstsq", "matmul", "matrix_rank", "matrix_transpose", "matvec",
    "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "svd", "tensordot", "trace", "triangular_solve",
]  # fmt: skip

explain(__name__)
