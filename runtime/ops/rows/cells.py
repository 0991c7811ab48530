"""Cells of a tensor by their indices, one row each: the integer work behind sparse tensors and sets.

    cells_in_order([[0, 1], [1, 2]], [2, 3])            # the indices, once they are found to be in order
    distinct_cells([[1, 0], [0, 2], [1, 0]])            # ([[0, 2], [1, 0]], ids [1, 0, 1])

An error names the position of the row of indices that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import INTEGERS, STRINGS, DType, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.parts import object_vector
from runtime.shapes import TensorShape

__all__ = ["SET_OPERATIONS", "cell_order", "cells_in_order", "cells_in_range", "distinct_cells", "set_operation"]

INDEX: Final = frozenset({int32, int64})


def _rows(indices: Operand) -> TensorShape:
    if indices.shape.rank not in (2, None):
        raise ValueError(f"indices are a matrix with one row for each value; the shape is {indices.shape}")
    return TensorShape([None, None]).merge_with(indices.shape)


def _matrix(name: str, indices: Any) -> Array:
    array = np.asarray(indices)
    if array.ndim != 2:
        raise ShapeMismatchError(f"{name}: indices are a matrix with one row for each value; got {array.shape}")
    return array


def _checked_shape(indices: Operand, dense_shape: Operand) -> TensorShape:
    rows = _rows(indices)
    size = dense_shape.shape
    if size.rank not in (1, None):
        raise ValueError(f"dense_shape is a vector; its shape is {size}")
    rows[1:].merge_with(TensorShape([None]) if size.rank is None else size)
    return rows


def _check_range(name: str, indices: Array, dense_shape: Array) -> Array:
    found, sizes = _matrix(name, indices), np.asarray(dense_shape)
    if sizes.shape != (found.shape[1],):
        raise ShapeMismatchError(
            f"{name}: indices of shape {found.shape} have {found.shape[1]} columns, dense_shape has shape {sizes.shape}"
        )
    if (sizes < 0).any():
        raise InvalidArgumentError(f"{name}: no size of dense_shape is negative; got {sizes.tolist()}")
    outside = np.flatnonzero(((found < 0) | (found >= sizes)).any(axis=1))
    if outside.size:
        i = int(outside[0])
        raise InvalidArgumentError(
            f"{name}: indices[{i}] = {found[i].tolist()} is out of bounds: 0 <= index < {sizes.tolist()} is needed"
        )
    return found


def _int(value: Any) -> Array:
    return np.array(value, np.int64)


def _in_range_samples(dtype: DType) -> Any:
    yield Sample((_int([[0, 1], [1, 2]]), _int([2, 3])))
    yield Sample((_int([[3], [0], [3]]), _int([4])))
    yield Sample((np.zeros((0, 2), np.int64), _int([0, 3])))
    yield Sample((np.zeros((1, 0), np.int64), np.zeros(0, np.int64)))


_RANGE_ERRORS: Final = (
    Failure(([[0, 1], [0, 5]], [2, 3]), InvalidArgumentError, ("indices[1] = [0, 5]", "[2, 3]")),
    Failure(([[-1]], [2]), InvalidArgumentError, ("indices[0] = [-1]",)),
    Failure(([[0, 1]], [2]), ShapeMismatchError, ()),
    Failure(([0, 1], [2]), ShapeMismatchError, ("matrix", "(2,)")),
)


@op(
    raises=VALUES,
    shape=_checked_shape, dtypes={("indices", "dense_shape"): INDEX}, view=True,
    samples=_in_range_samples, reference=lambda indices, dense_shape: indices, errors=_RANGE_ERRORS,
)  # fmt: skip
def cells_in_range(indices: Any, dense_shape: Any) -> Array:
    """indices, an integer matrix, once each row is found to lie within dense_shape, an integer vector."""
    return _check_range("cells_in_range", indices, dense_shape)


def _ordered_samples(dtype: DType) -> Any:
    yield Sample((_int([[0, 1], [1, 0], [1, 2]]), _int([2, 3])))
    yield Sample((_int([[0], [2], [3]]), _int([4])))
    yield Sample((np.zeros((0, 2), np.int64), _int([0, 3])))
    yield Sample((np.zeros((1, 0), np.int64), np.zeros(0, np.int64)))


@op(
    raises=VALUES,
    shape=_checked_shape, dtypes={("indices", "dense_shape"): INDEX}, view=True,
    samples=_ordered_samples, reference=lambda indices, dense_shape: indices,
    errors=[*_RANGE_ERRORS,
            Failure(([[1, 2], [0, 1]], [2, 3]), InvalidArgumentError, ("indices[1] = [0, 1]", "out of order")),
            Failure(([[0], [2], [2]], [3]), InvalidArgumentError, ("indices[2] = [2]", "repeated"))],
)  # fmt: skip
def cells_in_order(indices: Any, dense_shape: Any) -> Array:
    """indices, an integer matrix, once its rows are found to lie within dense_shape and to ascend, none repeated."""
    found = _check_range("cells_in_order", indices, dense_shape)
    before, after = found[:-1], found[1:]
    differs = before != after
    repeated = ~differs.any(axis=1)
    first = differs.argmax(axis=1) if found.shape[1] else np.zeros(len(after), np.int64)
    places = np.arange(len(after))
    wrong = repeated if not found.shape[1] else repeated | (after[places, first] < before[places, first])
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        why = "repeated" if repeated[i] else "out of order; runtime.sparse.reorder brings indices into order"
        raise InvalidArgumentError(f"cells_in_order: indices[{i + 1}] = {found[i + 1].tolist()} is {why}")
    return found


# -- order ---------------------------------------------------------------------------------------------------------


def _order_samples(dtype: DType) -> Any:
    for x in ([[1, 2], [0, 1], [1, 0]], [[2], [0], [2]], [[0, 0, 1]]):
        yield Sample((_int(x),))
    yield Sample((np.zeros((0, 2), np.int64),))


@op(
    shape=lambda indices: _rows(indices)[:1], dtypes=INDEX, result=int64, samples=_order_samples,
    reference=lambda indices: np.array(sorted(range(len(indices)), key=lambda i: indices[i].tolist()), np.int64),
    errors=[Failure(([0],), ShapeMismatchError, ("matrix", "(1,)"))],
)  # fmt: skip
def cell_order(indices: Any) -> Array:
    """The order in which the rows of indices, an integer matrix, ascend; equal rows stay in their order."""
    found = _matrix("cell_order", indices)
    if not found.shape[1]:
        return np.arange(len(found))
    return np.lexsort(found.T[::-1])


def _distinct_reference(indices: Array) -> tuple[Array, Array]:
    rows = sorted({tuple(row) for row in indices.tolist()})
    ids = [rows.index(tuple(row)) for row in indices.tolist()]
    return np.array(rows, np.int64).reshape(-1, indices.shape[1]), np.array(ids, np.int64)


@op(
    shape=lambda indices: (TensorShape([None]).concatenate(_rows(indices)[1:]), _rows(indices)[:1]), dtypes=INDEX,
    result=lambda indices: (indices.dtype, int64), outputs=2, samples=_order_samples, reference=_distinct_reference,
    errors=[Failure(([0],), ShapeMismatchError, ("matrix", "(1,)"))],
)  # fmt: skip
def distinct_cells(indices: Any) -> tuple[Array, Array]:
    """The rows of indices, an integer matrix, in ascending order, each once; and for each row which of them it is."""
    found = _matrix("distinct_cells", indices)
    if not found.shape[1]:
        return found[:1], np.zeros(len(found), np.int64)
    rows, ids = np.unique(found, axis=0, return_inverse=True)
    return rows, ids.reshape(-1).astype(np.int64)


# -- sets ----------------------------------------------------------------------------------------------------------

SET_OPERATIONS: Final[dict[str, Callable[[set[Any], set[Any]], set[Any]]]] = {
    "union": lambda a, b: a | b,
    "intersection": lambda a, b: a & b,
    "difference": lambda a, b: a - b,
}


def _set_shapes(a: Operand, b: Operand, a_groups: Operand, b_groups: Operand, *, operation: str) -> Any:
    if operation not in SET_OPERATIONS:
        raise InvalidArgumentError(
            f"set_operation: operation is {', '.join(map(repr, SET_OPERATIONS))}; got {operation!r}"
        )
    for values, groups in ((a, a_groups), (b, b_groups)):
        if values.shape.rank not in (1, None) or not values.shape.is_compatible_with(groups.shape):
            raise ValueError("the values are vectors, with the number of its set for each")
    return (TensorShape([None]),) * 3


def _set_samples(dtype: DType) -> Any:
    def vector(*items: int) -> Array:
        if dtype.family == "string":
            return object_vector([b"t%d" % i for i in items])
        return np.array(items, dtype.numpy)

    for operation in SET_OPERATIONS:
        attributes = {"operation": operation}
        yield Sample((vector(3, 1, 1, 2), vector(2, 9, 3), _int([0, 0, 0, 1]), _int([1, 1, 0])), attributes)
        yield Sample((vector(), vector(1), _int([]), _int([4])), attributes)


def _set_reference(a: Array, b: Array, a_groups: Array, b_groups: Array, operation: str) -> tuple[Array, Array, Array]:
    values, groups, places = [], [], []
    for group in sorted({*a_groups.tolist(), *b_groups.tolist()}):
        left, right = set(a[a_groups == group].tolist()), set(b[b_groups == group].tolist())
        kept = {"union": left.union, "intersection": left.intersection, "difference": left.difference}[operation](right)
        for place, value in enumerate(sorted(kept)):
            values.append(value)
            groups.append(group)
            places.append(place)
    return np.array([*values, None], object)[:-1], _int(groups), _int(places)


@op(
    shape=_set_shapes, dtypes={("a", "b"): INTEGERS | STRINGS, ("a_groups", "b_groups"): INDEX}, outputs=3,
    result=lambda a, *others, operation: (a.dtype, int64, int64), samples=_set_samples, reference=_set_reference,
    errors=[Failure(([1], [2], [0], [0]), InvalidArgumentError, ("'xor'",), {"operation": "xor"}),
            Failure(([1], [2], [0, 1], [0]), ShapeMismatchError, ("number of its set",), {"operation": "union"})],
)  # fmt: skip
def set_operation(
    a: Any, b: Any, a_groups: Any, b_groups: Any, *, operation: str
) -> tuple[Array, Array, Array]:
    """'union', 'intersection' or 'difference' of sets: the values in order, the number of the set of each, its place.

    a, b: vectors of integers or texts; a_groups, b_groups: integer vectors, the number of the set of each value.
    """
    left, right = elements(a), elements(b)
    if operation not in SET_OPERATIONS:
        known = ", ".join(map(repr, SET_OPERATIONS))
        raise InvalidArgumentError(f"set_operation: operation is {known}; got {operation!r}")
    if left.shape != np.shape(a_groups) or right.shape != np.shape(b_groups):
        raise ShapeMismatchError("set_operation: the values are vectors, with the number of its set for each")
    sets: dict[int, tuple[set[Any], set[Any]]] = {}
    for side, values, groups in ((0, left, a_groups), (1, right, b_groups)):
        for value, group in zip(values.tolist(), np.asarray(groups).tolist(), strict=True):
            sets.setdefault(group, (set(), set()))[side].add(value)
    combine = SET_OPERATIONS[operation]
    kept: list[tuple[int, Sequence[Any]]] = [(group, sorted(combine(*sets[group]))) for group in sorted(sets)]
    flat = [value for _, row in kept for value in row]
    made = object_vector(flat) if left.dtype == object else np.array(flat, left.dtype)
    numbers = np.repeat(_int([group for group, _ in kept]), [len(row) for _, row in kept])
    places = np.concatenate([np.zeros(0, np.int64), *[np.arange(len(row)) for _, row in kept]])
    return made, numbers, places.astype(np.int64)
