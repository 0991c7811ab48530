"""How often values occur, and which ones there are: count_values, unique_in_order, search_rows, set_order.

>>> runtime.math.bincount([1, 1, 3])
<tf.Tensor: shape=(4,), dtype=int32, numpy=array([0, 2, 0, 1], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import INTEGERS, NUMERIC, REALS, DType, float32, int32, int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, scalar, show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, calls, each, values
from runtime.ops.records.shape_rules import known_integers
from runtime.shapes import TensorShape

__all__ = ["count_values", "search_rows", "set_order", "unique_in_order"]

SIDES = ("left", "right")


def _counted_shape(arr: Operand, weights: Operand, size: Operand) -> TensorShape:
    if not arr.shape.is_compatible_with(weights.shape):
        raise ValueError("the weights must have the shape of the values")
    if arr.shape.rank not in (1, 2, None):
        raise ValueError("values of rank 1 or 2 are counted")
    if size.shape.rank not in (0, None):
        raise ValueError(f"a scalar is needed for the size; the shape is {size.shape}")
    length = known_integers(size)
    if arr.shape.dims is None:
        return TensorShape(None)
    return TensorShape([*arr.shape.dims[:-1], None if length is None else length[0]])


def _counted_dtype(arr: Operand, weights: Operand, size: Operand) -> DType:
    return weights.dtype


def _counts(dtype: DType) -> Any:
    for shape, size in (((8,), 6), ((0,), 2), ((2, 5), 3), ((3,), 0)):
        for wanted in (int32, int64, float32):
            arr = values(dtype, shape, 0, 5)
            yield Sample((arr, values(wanted, shape, 1, 4, 1), np.array(size, np.int32)))
    yield Sample((values(dtype, (4, 2), 0, 3).T, values(float32, (4, 2), 0, 1).T, np.array(4)))


def _by_comparing(arr: Array, weights: Array, size: Array) -> Array:
    places = np.equal(arr[..., None], np.arange(int(size)))
    return np.asarray(np.sum(np.where(places, weights[..., None], 0), axis=-2))


@op(
    raises=Raises((*SHAPES, ), shapes=True),
    shape=_counted_shape, dtypes={"arr": INTEGERS, "weights": NUMERIC, "size": INDEXES}, result=_counted_dtype,
    samples=_counts, reference=_by_comparing,
    errors=[Failure(([1, -2], [1, 1], 3), InvalidArgumentError, ("-2",)),
            Failure(([1, 2], [1], 3), ShapeMismatchError, ("(2,)", "(1,)")),
            Failure(([[[1]]], [[[1]]], 3), ShapeMismatchError, ("rank",)),
            Failure(([1], [1], [3]), ShapeMismatchError, ("scalar", "(1,)")),
            Failure(([1], [1], -3), ShapeMismatchError, ("-3",)),
            Failure(([0.5], [1], 3), DtypeMismatchError, ("arr", "float32"))],
)  # fmt: skip
def count_values(arr: Array, weights: Array, size: Array) -> Any:
    """For each i below `size` the sum of the weights where arr is i; of each row if arr is a matrix.

    arr: integers >= 0, a vector or matrix; weights: numeric, of its shape; the result has their dtype. size: an
    integer; larger values are not counted.
    """
    arr, weights, length = elements(arr), elements(weights), scalar(size, "count_values")
    if arr.shape != weights.shape or arr.ndim not in (1, 2):
        raise ShapeMismatchError(
            f"count_values: vectors or matrices of one shape (rank 1 or 2) are counted; got {arr.shape} and"
            f" {weights.shape}"
        )
    if length < 0:
        raise ShapeMismatchError(f"count_values: a size is not negative; got {length}")
    if arr.size and arr.min() < 0:
        raise InvalidArgumentError(f"count_values: values are not negative; got {arr.min()}")
    rows = np.reshape(arr, (1 if arr.ndim == 1 else len(arr), arr.shape[-1]))
    result = np.zeros((len(rows), length), weights.dtype)
    kept = rows < length
    np.add.at(result, (np.broadcast_to(np.arange(len(rows))[:, None], rows.shape)[kept], rows[kept]),
              np.reshape(weights, rows.shape)[kept])  # fmt: skip
    return result.reshape(*arr.shape[:-1], length)


@count_values.gradient
def _(upstream: Any, arr: Any, size: Any) -> Any:
    length = ops.cast(size, arr.dtype)
    nothing = ops.zeros(ops.concat([ops.shape(upstream)[:-1], [1]], axis=0), dtype=upstream.dtype)
    with_nothing = ops.concat([upstream, nothing], axis=-1)
    return None, ops.take_along_axis(with_nothing, ops.where(arr < length, arr, length), -1), None


def _unique_shapes(x: Operand, out_idx: DType) -> tuple[TensorShape, TensorShape, TensorShape]:
    if x.shape.rank not in (1, None):
        raise ValueError("x must be a vector")
    return TensorShape([None]), TensorShape([x.shape.num_elements()]), TensorShape([None])


def _unique_dtypes(x: Operand, out_idx: DType) -> tuple[DType, DType, DType]:
    if out_idx not in INDEXES:
        raise DtypeMismatchError(f"out_idx must be int32 or int64; got {out_idx.name}")
    return x.dtype, out_idx, out_idx


def _first_seen(x: Array, out_idx: DType) -> tuple[Any, Any, Any]:
    items = x.tolist()
    found = list(dict.fromkeys(items))
    result = np.empty(len(found), object)
    result[:] = found
    return result, np.array([found.index(v) for v in items], object), np.array([items.count(v) for v in found], object)


@op(
    shape=_unique_shapes, outputs=3, result=_unique_dtypes, reference=_first_seen,
    no_gradient="which elements there are changes by jumps",
    samples=each(calls(lambda x: [(np.round(x(9).real).astype(x().dtype) if x().dtype != object else x(9),), (x(0),),
                                  (x(6)[::-2],), (x(1),)]), out_idx=(int32, int64)),
    errors=[Failure((np.ones((2, 2), np.float32),), ShapeMismatchError, ("vector", "(2, 2)"))],
)  # fmt: skip
def unique_in_order(x: Array, out_idx: DType = int32) -> Any:
    """The different elements in the order of their first appearance; the place among them of each element of x; and
    how often each occurs. x: any vector; out_idx: int32 or int64, the dtype of the places and counts."""
    x = elements(x)
    if x.ndim != 1:
        raise ShapeMismatchError(f"unique_in_order: x must be a vector; got the shape {show_shape(x)}")
    found, first, places, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    rank = np.empty(len(order), out_idx.numpy)
    rank[order] = np.arange(len(order))
    return found[order], rank[places.reshape(-1)], counts[order].astype(out_idx.numpy)


def _searched_shape(sorted_sequence: Operand, values: Operand, side: str, out_type: DType) -> TensorShape:
    if side not in SIDES:
        raise InvalidArgumentError(f"search_rows: side is one of {', '.join(map(repr, SIDES))}; got {side!r}")
    lines, wanted = sorted_sequence.shape.dims, values.shape.dims
    if lines is not None and wanted is not None:
        if not lines or len(lines) != len(wanted):
            raise ValueError("both must have one rank, at least 1")
        if not TensorShape(lines[:-1]).is_compatible_with(wanted[:-1]):
            raise ValueError("all axes but the last must be equal")
    return values.shape


def _searched_dtype(sorted_sequence: Operand, values: Operand, side: str, out_type: DType) -> DType:
    return out_type


def _searched(dtype: DType) -> Any:
    for lines, wanted in (((5,), (3,)), ((0,), (2,)), ((2, 6), (2, 4)), ((2, 1, 3), (2, 1, 0)), ((1,), (4,))):
        for side in SIDES:
            line = np.sort(values(dtype, lines))
            yield Sample((line, values(dtype, wanted, seed=1)), {"side": side, "out_type": int64})
            yield Sample((line, values(dtype, wanted, seed=2)), {"side": side})


def _by_counting(sorted_sequence: Array, values: Array, side: str, out_type: DType = int32) -> Array:
    line, wanted = sorted_sequence[..., None, :], values[..., None]
    return np.asarray(np.sum(line < wanted if side == "left" else line <= wanted, axis=-1))


@op(
    shape=_searched_shape, dtypes=REALS, result=_searched_dtype, samples=_searched, reference=_by_counting,
    errors=[Failure((np.ones((2, 2), np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("rank", "(2, 2)")),
            Failure((np.ones((2, 2), np.float32), np.ones((3, 2), np.float32)), ShapeMismatchError, ("(3, 2)",)),
            Failure((np.ones(2, np.float32), np.ones(2, np.float32)), InvalidArgumentError, ("'up'",), {"side": "up"})],
)  # fmt: skip
def search_rows(sorted_sequence: Array, values: Array, side: str = "left", out_type: DType = int32) -> Any:
    """Where each value would go in its row: before its equals (left) or after them (right).

    sorted_sequence: real, [..., n], each row in ascending order; values: of its dtype, [..., m]; out_type: int32 or
    int64, the dtype of the result.
    """
    lines, wanted = elements(sorted_sequence), elements(values)
    if not lines.ndim or lines.ndim != wanted.ndim or lines.shape[:-1] != wanted.shape[:-1]:
        raise ShapeMismatchError(
            f"search_rows: both must have one rank, at least 1, and equal axes but the last; got {lines.shape} and"
            f" {wanted.shape}"
        )
    result = np.empty(wanted.shape, out_type.numpy)
    for row in np.ndindex(lines.shape[:-1]):
        result[row] = np.searchsorted(lines[row], wanted[row], side)  # type: ignore[call-overload]
    return result


def _order_shape(x: Operand) -> TensorShape:
    if x.shape.rank not in (1, 2, None):
        raise ValueError("x must be a vector or a matrix")
    return TensorShape([None if x.shape.dims is None else x.shape.dims[0]])


def _distinct(dtype: DType) -> Any:
    for items in ([7, 1, 5, 3, 2], [], [1], [0], [64, 0, 8, 32, 16, 40]):
        if dtype is string:
            yield Sample((np.array([f"item {item}".encode() for item in items], object),))
        elif not dtype.is_bool or len(items) < 2:
            yield Sample((np.array(items).astype(dtype.numpy),))
            yield Sample((np.array([[item, 1] for item in items]).astype(dtype.numpy).reshape(-1, 2),))


def _as_members(x: Array) -> list[Any]:
    if x.ndim == 2:
        return [tuple(row) for row in x.tolist()]
    return [item.decode("utf-8", "surrogateescape") if isinstance(item, bytes) else item for item in x.tolist()]


def _by_searching(x: Array) -> Array:
    members = _as_members(x)
    return np.array([members.index(member) for member in set(members)], np.int32)


@op(
    shape=_order_shape, result=lambda x: int32, samples=_distinct, reference=_by_searching,
    no_gradient="the order of elements changes by jumps",
    errors=[Failure((np.ones((2, 2, 1), np.float32),), ShapeMismatchError, ("vector", "(2, 2, 1)"))],
)  # fmt: skip
def set_order(x: Array) -> Any:
    """The positions of the elements in the order in which Python goes through a set that was made of them, one after
    the other. x: a vector of any dtype, no element twice, or a matrix whose rows are tuples; returns int32. Texts have
    another order in each process."""
    items = elements(x)
    if items.ndim not in (1, 2):
        raise ShapeMismatchError(f"set_order: x must be a vector or a matrix; got the shape {show_shape(items)}")
    members = _as_members(items)
    places = {member: place for place, member in enumerate(members)}
    made = set()
    for member in members:
        made.add(member)
    return np.array([places[member] for member in made], np.int32)
