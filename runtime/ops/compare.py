"""Comparison, element by element, with broadcasting; the result is bool.

>>> runtime.less(runtime.constant([1, 5]), 3)
<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>

Both operands have one dtype. A comparison with nan is False (`not_equal`: True).
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.dtypes import ANY, REALS, bool_
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.record import Array, op
from runtime.ops.samples import Failure, binary, by_element
from runtime.ops.shape_rules import broadcast
from runtime.ops.values import elements

__all__ = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]

MISMATCHED = (Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)")),)
UNORDERED = (*MISMATCHED, Failure((np.ones(2, np.bool_), np.ones(2, np.bool_)), DtypeMismatchError, ("bool",)))


@op(
    shape=broadcast, dtypes=ANY, result=bool_, ufunc=np.equal, scalar="{0} == {1}",
    samples=binary(-1, 1), reference=by_element(operator.eq), errors=MISMATCHED,
)  # fmt: skip
def equal(x: Any, y: Any) -> Any:
    """x == y. x, y: tensors of one dtype, of any kind; strings are compared byte by byte."""
    if isinstance(x, bytes) or isinstance(y, bytes):
        x, y = elements(x), elements(y)
    return np.equal(x, y)


@op(
    shape=broadcast, dtypes=ANY, result=bool_, ufunc=np.not_equal, scalar="{0} != {1}",
    samples=binary(-1, 1), reference=by_element(operator.ne), errors=MISMATCHED,
)  # fmt: skip
def not_equal(x: Any, y: Any) -> Any:
    """x != y. x, y: tensors of one dtype, of any kind."""
    if isinstance(x, bytes) or isinstance(y, bytes):
        x, y = elements(x), elements(y)
    return np.not_equal(x, y)


@op(
    shape=broadcast, dtypes=REALS, result=bool_, ufunc=np.less, scalar="{0} < {1}",
    samples=binary(-1, 1), reference=by_element(operator.lt), errors=UNORDERED,
)  # fmt: skip
def less(x: Array, y: Array) -> Any:
    """x < y. x, y: real tensors of one dtype."""
    return np.less(x, y)


@op(
    shape=broadcast, dtypes=REALS, result=bool_, ufunc=np.less_equal, scalar="{0} <= {1}",
    samples=binary(-1, 1), reference=by_element(operator.le), errors=UNORDERED,
)  # fmt: skip
def less_equal(x: Array, y: Array) -> Any:
    """x <= y. x, y: real tensors of one dtype."""
    return np.less_equal(x, y)


@op(
    shape=broadcast, dtypes=REALS, result=bool_, ufunc=np.greater, scalar="{0} > {1}",
    samples=binary(-1, 1), reference=by_element(operator.gt), errors=UNORDERED,
)  # fmt: skip
def greater(x: Array, y: Array) -> Any:
    """x > y. x, y: real tensors of one dtype."""
    return np.greater(x, y)


@op(
    shape=broadcast, dtypes=REALS, result=bool_, ufunc=np.greater_equal, scalar="{0} >= {1}",
    samples=binary(-1, 1), reference=by_element(operator.ge), errors=UNORDERED,
)  # fmt: skip
def greater_equal(x: Array, y: Array) -> Any:
    """x >= y. x, y: real tensors of one dtype."""
    return np.greater_equal(x, y)
