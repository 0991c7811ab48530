"""Comparison, element by element, with broadcasting; the result is bool.

>>> runtime.less(runtime.constant([1, 5]), 3)
<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>

Both operands have one dtype. A comparison with nan is False (`not_equal`: True).
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.dtypes import ANY, REALS, STRINGS, bool_
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.record import op
from runtime.ops.records.samples import Failure, binary, by_element
from runtime.ops.records.shape_rules import broadcast

__all__ = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]

ORDERED = REALS | STRINGS

MISMATCHED = (Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)")),)
UNORDERED = (*MISMATCHED, Failure((np.ones(2, np.bool_), np.ones(2, np.bool_)), DtypeMismatchError, ("bool",)))


def _arrays(x: Any, y: Any) -> tuple[Any, Any]:
    """The operands; a text as an array of one object, for numpy has an idea of its own of bytes."""
    return (elements(x), elements(y)) if isinstance(x, bytes) or isinstance(y, bytes) else (x, y)


@op(
    tame=True,
    shape=broadcast, dtypes=ANY, result=bool_, ufunc=np.equal, scalar="{0} == {1}",
    samples=binary(-1, 1), reference=by_element(operator.eq), errors=MISMATCHED,
)  # fmt: skip
def equal(x: Any, y: Any) -> Any:
    """x == y. x, y: tensors of one dtype, of any kind; strings are compared byte by byte."""
    return np.equal(*_arrays(x, y))


@op(
    tame=True,
    shape=broadcast, dtypes=ANY, result=bool_, ufunc=np.not_equal, scalar="{0} != {1}",
    samples=binary(-1, 1), reference=by_element(operator.ne), errors=MISMATCHED,
)  # fmt: skip
def not_equal(x: Any, y: Any) -> Any:
    """x != y. x, y: tensors of one dtype, of any kind."""
    return np.not_equal(*_arrays(x, y))


@op(
    tame=True,
    shape=broadcast, dtypes=ORDERED, result=bool_, ufunc=np.less, scalar="{0} < {1}",
    samples=binary(-1, 1), reference=by_element(operator.lt), errors=UNORDERED,
)  # fmt: skip
def less(x: Any, y: Any) -> Any:
    """x < y. x, y: tensors of one dtype, of real numbers or of strings, which are in order byte by byte."""
    return np.less(*_arrays(x, y))


@op(
    tame=True,
    shape=broadcast, dtypes=ORDERED, result=bool_, ufunc=np.less_equal, scalar="{0} <= {1}",
    samples=binary(-1, 1), reference=by_element(operator.le), errors=UNORDERED,
)  # fmt: skip
def less_equal(x: Any, y: Any) -> Any:
    """x <= y. x, y: tensors of one dtype, of real numbers or of strings, which are in order byte by byte."""
    return np.less_equal(*_arrays(x, y))


@op(
    tame=True,
    shape=broadcast, dtypes=ORDERED, result=bool_, ufunc=np.greater, scalar="{0} > {1}",
    samples=binary(-1, 1), reference=by_element(operator.gt), errors=UNORDERED,
)  # fmt: skip
def greater(x: Any, y: Any) -> Any:
    """x > y. x, y: tensors of one dtype, of real numbers or of strings, which are in order byte by byte."""
    return np.greater(*_arrays(x, y))


@op(
    tame=True,
    shape=broadcast, dtypes=ORDERED, result=bool_, ufunc=np.greater_equal, scalar="{0} >= {1}",
    samples=binary(-1, 1), reference=by_element(operator.ge), errors=UNORDERED,
)  # fmt: skip
def greater_equal(x: Any, y: Any) -> Any:
    """x >= y. x, y: tensors of one dtype, of real numbers or of strings, which are in order byte by byte."""
    return np.greater_equal(*_arrays(x, y))
