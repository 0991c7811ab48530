"""Logic on bool tensors, and the choice between two tensors.

>>> runtime.where(runtime.constant([True, False]), 1, 2)
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>

The logical operations take bool only: numbers have to be compared first (`x != 0`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import ANY, BOOLS, EVERY, DType, int64, variant
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, binary, by_element, calls, unary
from runtime.ops.records.shape_rules import broadcast, same_shape
from runtime.shapes import TensorShape

__all__ = ["argwhere", "logical_and", "logical_not", "logical_or", "logical_xor", "where"]

MISUSED = (
    Failure((np.ones((2, 3), np.bool_), np.ones(4, np.bool_)), ShapeMismatchError, ("(2, 3)", "(4,)")),
    Failure((np.ones(2, np.int32), np.ones(2, np.int32)), DtypeMismatchError, ("bool", "int32")),
)


@op(
    commutes=True,
    tame=True,
    shape=broadcast, dtypes=BOOLS, ufunc=np.logical_and, scalar="{0} and {1}",
    samples=binary(), reference=by_element(lambda x, y: x and y), errors=MISUSED,
)  # fmt: skip
def logical_and(x: Array, y: Array) -> Any:
    """Whether both are true. x, y: bool tensors."""
    return np.logical_and(x, y)


@op(
    commutes=True,
    tame=True,
    shape=broadcast, dtypes=BOOLS, ufunc=np.logical_or, scalar="{0} or {1}",
    samples=binary(), reference=by_element(lambda x, y: x or y), errors=MISUSED,
)  # fmt: skip
def logical_or(x: Array, y: Array) -> Any:
    """Whether at least one is true. x, y: bool tensors."""
    return np.logical_or(x, y)


@op(
    shape=broadcast, dtypes=BOOLS, ufunc=np.logical_xor, scalar="{0} != {1}",
    samples=binary(), reference=by_element(lambda x, y: x is not y), errors=MISUSED,
)  # fmt: skip
def logical_xor(x: Array, y: Array) -> Any:
    """Whether exactly one is true. x, y: bool tensors."""
    return np.logical_xor(x, y)


@op(
    tame=True,
    shape=same_shape, dtypes=BOOLS, ufunc=np.logical_not, scalar="not {0}",
    samples=unary(), reference=by_element(lambda x: not x),
    errors=[Failure((np.ones(2, np.int32),), DtypeMismatchError, ("bool", "int32"))],
)  # fmt: skip
def logical_not(x: Array) -> Any:
    """The opposite. x: bool tensor."""
    return np.logical_not(x)


def _chosen_dtype(condition: Operand, x: Operand, y: Operand) -> DType:
    return x.dtype


def _some_bools(*shape: int) -> Array:
    return np.equal(np.arange(math.prod(shape)).reshape(shape) % 2, 0)


@op(
    tame=True,
    shape=broadcast, dtypes={("x", "y"): EVERY, "condition": BOOLS}, result=_chosen_dtype,
    scalar="{1} if {0} else {2}",
    samples=calls(lambda x: [(_some_bools(2, 3), x(2, 3), x(2, 3)), (_some_bools(3), x(2, 1), x()),
                             (np.bool_(True), x(), x()), (np.array(False), x(2), x(2)), (_some_bools(0), x(1), x(0)),
                             (_some_bools(4), x(4)[::-1], x())]),
    reference=by_element(lambda c, x, y: x if c else y),
    errors=[Failure((np.ones((2, 3), np.bool_), np.ones(4, np.float32), 1.0), ShapeMismatchError, ("(2, 3)", "(4,)")),
            Failure((np.ones(2, np.int32), 1.0, 2.0), DtypeMismatchError, ("condition", "bool", "int32"))],
)  # fmt: skip
def where(condition: Array, x: Any, y: Any) -> Any:
    """x where condition is true, else y, element by element with broadcasting (`runtime.where` alone: argwhere).

    condition: bool tensor; x, y: tensors of one dtype, which the result has.
    """
    if isinstance(x, bytes) or isinstance(y, bytes):
        x, y = elements(x), elements(y)
    return np.where(condition, x, y)


@where.gradient
def _(upstream: Any, condition: Any, needed: Any) -> Any:
    nothing = ops.list_new([]) if upstream.dtype is variant else ops.zeros_like(upstream)
    return (None, where(condition, upstream, nothing) if needed[1] else None,
            where(condition, nothing, upstream) if needed[2] else None)  # fmt: skip


def _coordinates_shape(condition: Operand) -> TensorShape:
    rank = condition.shape.rank
    return TensorShape([None, rank])


def _true_positions(condition: Array) -> Array:
    found = [index for index in np.ndindex(condition.shape) if condition[index]]
    return np.array(found, np.int64).reshape(len(found), condition.ndim)


@op(
    shape=_coordinates_shape, dtypes=ANY - {d for d in ANY if d.family == "string"}, result=int64,
    samples=unary(-1, 1),
    reference=_true_positions,
)  # fmt: skip
def argwhere(condition: Array) -> Any:
    """The coordinates of the elements that are true (or not zero), in row-major order: int64 of shape [n, rank].

    `runtime.where` with one argument. condition: any tensor but strings. n is known only when it runs.
    """
    condition = elements(condition)
    if not condition.ndim:
        return np.argwhere(condition).astype(np.int64, copy=False)
    if condition.ndim > 1:
        return np.array(condition.nonzero(), np.int64).T
    (found,) = condition.nonzero()  # several times faster
    return found.astype(np.int64, copy=False)[:, None]
