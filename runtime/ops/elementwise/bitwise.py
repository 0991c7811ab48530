"""Bits of integers: & | ^ ~. On bool tensors these are the logical operations, as Python's operators are.

>>> runtime.bitwise.bitwise_and(6, 3)
<tf.Tensor: shape=(), dtype=int32, numpy=2>
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.dtypes import BOOLS, INTEGERS
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.records.raises import OF_INTEGERS
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, binary, by_element, unary
from runtime.ops.records.shape_rules import broadcast, same_shape

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

MISUSED = (
    Failure((np.ones((2, 3), np.int32), np.ones(4, np.int32)), ShapeMismatchError, ("(2, 3)", "(4,)")),
    Failure((np.ones(2, np.float32), np.ones(2, np.float32)), DtypeMismatchError, ("float32",)),
)


@op(
    shape=broadcast, dtypes=INTEGERS | BOOLS, ufunc=np.bitwise_and, scalar="{0} & {1}",
    samples=binary(-100, 100), reference=by_element(operator.and_), errors=MISUSED,
)  # fmt: skip
def bitwise_and(x: Array, y: Array) -> Any:
    """x & y. x, y: integer or bool tensors of one dtype."""
    return np.bitwise_and(x, y)


@op(
    shape=broadcast, dtypes=INTEGERS | BOOLS, ufunc=np.bitwise_or, scalar="{0} | {1}",
    samples=binary(-100, 100), reference=by_element(operator.or_), errors=MISUSED,
)  # fmt: skip
def bitwise_or(x: Array, y: Array) -> Any:
    """x | y. x, y: integer or bool tensors of one dtype."""
    return np.bitwise_or(x, y)


@op(
    shape=broadcast, dtypes=INTEGERS | BOOLS, ufunc=np.bitwise_xor, scalar="{0} ^ {1}",
    samples=binary(-100, 100), reference=by_element(operator.xor), errors=MISUSED,
)  # fmt: skip
def bitwise_xor(x: Array, y: Array) -> Any:
    """x ^ y. x, y: integer or bool tensors of one dtype."""
    return np.bitwise_xor(x, y)


@op(
    shape=same_shape, dtypes=INTEGERS | BOOLS, ufunc=np.invert, int_scalar="~{0}",
    samples=unary(-100, 100), reference=by_element(lambda x: (not x) if isinstance(x, bool) else ~x),
    errors=[Failure((np.ones(2, np.float32),), DtypeMismatchError, ("float32",))],
)  # fmt: skip
def invert(x: Array) -> Any:
    """~x: every bit flipped; on bool tensors the opposite. x: integer or bool tensor."""
    return np.invert(x)


@op(
    wraps=True,
    raises=OF_INTEGERS, elementwise=True,
    shape=broadcast, dtypes=INTEGERS, ufunc=np.left_shift,
    samples=binary(-3, 3, right=(0, 4)), reference=by_element(operator.lshift), errors=MISUSED,
)  # fmt: skip
def left_shift(x: Array, y: Array) -> Any:
    """x shifted to the left by y bits (0 <= y < width); bits beyond the width are lost. x, y: integers, one dtype."""
    return np.left_shift(x, y)


@op(
    raises=OF_INTEGERS, elementwise=True,
    shape=broadcast, dtypes=INTEGERS, ufunc=np.right_shift,
    samples=binary(-100, 100, right=(0, 4)), reference=by_element(operator.rshift), errors=MISUSED,
)  # fmt: skip
def right_shift(x: Array, y: Array) -> Any:
    """x shifted to the right by y bits (0 <= y < width), keeping its sign. x, y: integer tensors of one dtype."""
    return np.right_shift(x, y)
