"""For each row the product of the other rows of its segment: what the gradient of a product of segments is made of.

>>> segment_others([2.0, 3.0, 0.0, 5.0], [0, 0, 0, 1])
<tf.Tensor: shape=(4,), dtype=float32, numpy=array([0., 0., 6., 1.], dtype=float32)>

No division by a row that may be 0: the others are those before a row times those behind it. The gradient goes back
through the two running products, so that derivatives of every order are right where rows are 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS
from runtime.errors import ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.shapes import TensorShape

__all__ = ["segment_others"]


def _ids(*items: Any) -> Array:
    return np.array(items, np.int32)


def _like_data(data: Operand, segment_ids: Operand) -> TensorShape:
    dims, ids = data.shape.dims, segment_ids.shape.dims
    fits = dims is None or ids is None or TensorShape(ids).is_compatible_with(dims[: len(ids)])
    if not fits:
        raise ValueError(f"the ids {segment_ids.shape} do not fit the data {data.shape}: one id for each row is needed")
    return data.shape


def _by_rows(data: Array, segment_ids: Array) -> Array:
    result = np.empty(data.shape, object)
    places = list(np.ndindex(segment_ids.shape))
    for i in places:
        others = [j for j in places if segment_ids[j] == segment_ids[i] and j != i]
        for rest in np.ndindex(data.shape[segment_ids.ndim :]):
            result[(*i, *rest)] = math.prod([data[(*j, *rest)].item() for j in others])
    return result


@op(
    shape=_like_data, dtypes={"data": FLOATS | COMPLEX, "segment_ids": INDEXES}, reference=_by_rows,
    samples=calls(lambda x: [
        (x(4), _ids(0, 0, 1, 1)), (x(5, 2), _ids(3, 1, 1, 3, 3)), (x(0), _ids()), (x(2, 3).T, np.array([1, 1, 2])),
        (x(6)[::-2], _ids(0, 0, -1)), (x(2, 2, 3), _ids([1, 0], [1, 1])), (x(), np.array(1)),
        (x(4) * np.array([1, 0, 0, 1], x().dtype), _ids(0, 0, 0, 0)),
        (x(5) * np.array([1, 0, 1, 1, 1], x().dtype), _ids(0, 0, 0, 1, 1)),
    ]),
    errors=[Failure((np.ones(2, np.float32), [0, 0, 0]), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def segment_others(data: Array, segment_ids: Array) -> Any:
    """The product of the other rows with the same id, for each row. data: float or complex; segment_ids: integers,
    whose shape begins that of data."""
    data, ids = elements(data), elements(segment_ids)
    if ids.shape != data.shape[: ids.ndim]:
        raise ShapeMismatchError(f"segment_others: the ids {ids.shape} do not fit the data {data.shape}")
    rows = data.reshape(ids.size, *data.shape[ids.ndim :])
    order = np.argsort(ids.reshape(-1), kind="stable")
    ordered, numbers = rows[order], ids.reshape(-1)[order]
    new = np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(numbers)]
    result = np.empty_like(rows)
    result[order] = _running(ordered, new) * _running(ordered[::-1], np.roll(new, -1)[::-1])[::-1]
    return result.reshape(data.shape)


def _running(rows: Array, new: Array) -> Array:
    """For each row the product of those before it in its segment, whose first rows `new` tells. Segments of one length
    are taken together, so that long ones and many ones are both fast."""
    result = np.ones_like(rows)
    starts = np.flatnonzero(new)
    lengths = np.diff(np.append(starts, len(rows)))
    for length in np.unique(lengths):
        places = starts[lengths == length][:, None] + np.arange(length)
        result[places[:, 1:]] = np.multiply.accumulate(rows[places[:, :-1]], axis=1, dtype=rows.dtype)
    return result


@segment_others.gradient
def _(upstream: Any, data: Any, segment_ids: Any) -> Any:
    """In the order of the ids, row i has the product y[i] of the rows before it and z[i] of those behind it, where
    y[i] = x[i - 1] y[i - 1] inside of a segment, and 1 where it begins."""
    ids = ops.reshape(segment_ids, [-1])
    order = ops.argsort(ids)
    numbers = ops.gather(ids, order)
    rest = ops.shape(data)[ops.rank(segment_ids) :]
    flat = ops.concat([ops.shape(ids), rest], axis=0)
    rows, given = (ops.gather(ops.reshape(x, flat), order) for x in (data, upstream))
    follows = ops.concat([[False], ops.equal(numbers[1:], numbers[:-1])], axis=0)[: ops.shape(ids)[0]]
    inside = ops.reshape(follows, ops.concat([ops.shape(ids), ops.ones_like(rest)], axis=0))
    before, behind = (_products(rows, inside, reverse) for reverse in (False, True))
    found = _back(given * conjugated(behind), rows, inside, before, False)
    found = found + _back(given * conjugated(before), rows, inside, behind, True)
    return ops.reshape(ops.gather(found, ops.argsort(order)), ops.shape(data)), None


def _factors(rows: Any, inside: Any, reverse: bool) -> Any:
    """The row before each one, or behind it, and 0 where its segment begins (or ends)."""
    if reverse:
        return ops.roll(ops.where(inside, rows, ops.zeros_like(rows)), shift=-1, axis=0)
    return ops.where(inside, ops.roll(rows, shift=1, axis=0), ops.zeros_like(rows))


def _products(rows: Any, inside: Any, reverse: bool) -> Any:
    """The product of the rows before each one (or behind it) in its segment."""
    linked = ops.roll(inside, shift=-1, axis=0) if reverse else inside
    start = ops.where(linked, ops.zeros_like(rows), ops.ones_like(rows))
    return ops.linear_recurrence(_factors(rows, inside, reverse), start, 0, reverse)


def _back(upstream: Any, rows: Any, inside: Any, result: Any, reverse: bool) -> Any:
    """The gradient of the rows through those products: the recurrence from the other end."""
    step = 1 if reverse else -1
    factors = ops.roll(_factors(rows, inside, reverse), shift=step, axis=0)
    found = ops.linear_recurrence(conjugated(factors), upstream, 0, not reverse)
    linked = inside if reverse else ops.roll(inside, shift=-1, axis=0)
    moved = ops.roll(found, shift=step, axis=0)
    return ops.where(linked, moved * conjugated(result), ops.zeros_like(rows))
