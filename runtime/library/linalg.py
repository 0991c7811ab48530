"""`runtime.linalg`: linear algebra.

>>> runtime.linalg.norm([3.0, 4.0])
<tf.Tensor: shape=(), dtype=float32, numpy=5.0>
"""

from runtime.library.arrays import einsum, eye, matmul
from runtime.library.clipping import global_norm
from runtime.library.matrices import (
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
from runtime.names.elsewhere import explain
from runtime.ops.linear.diagonals import matrix_band_part as band_part
from runtime.ops.linear.eigen import eig, eigvals
from runtime.ops.linear.factors import eigvalsh
from runtime.ops.linear.products import norm, tensordot
from runtime.ops.linear.square import cholesky
from runtime.ops.linear.square import matrix_determinant as det

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part", "eig", "eigh", "eigvals",
    "eigvalsh",
    "einsum", "eye", "global_norm", "inv", "logdet", "lstsq", "matmul", "matrix_rank", "matrix_transpose", "matvec",
    "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "svd", "tensordot", "trace", "triangular_solve",
]  # fmt: skip

explain(__name__)
