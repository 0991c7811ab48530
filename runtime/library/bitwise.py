"""`runtime.bitwise`: the bits of integers.

>>> runtime.bitwise.left_shift(1, 4)
<tf.Tensor: shape=(), dtype=int32, numpy=16>
"""

from runtime.ops.elementwise.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]
