"""`runtime.linalg`: linear algebra.

>>> runtime.linalg.norm([3.0, 4.0])
<tf.Tensor: shape=(), dtype=float32, numpy=5.0>
"""

from runtime.arrays import einsum, eye
from runtime.ops.linalg import matmul, norm, tensordot

__all__ = ["einsum", "eye", "matmul", "norm", "tensordot"]
