"""`runtime.linalg`: linear algebra.

>>> runtime.linalg.norm([3.0, 4.0])
<tf.Tensor: shape=(), dtype=float32, numpy=5.0>
"""

from runtime.arrays import einsum, eye
from runtime.ops.linalg import matmul, norm, tensordot
from runtime.ops.matrix import cholesky
from runtime.ops.matrix import matrix_determinant as det
from runtime.ops.matrix import matrix_inverse as inv
from runtime.ops.matrix import matrix_solve as solve

__all__ = ["cholesky", "det", "einsum", "eye", "inv", "matmul", "norm", "solve", "tensordot"]
