"""Where items of rows are among all values: `row_item_places`, for indices that count within rows.

    row_item_places([0, 2, 2, 5], [0, 2], [1, 0])         # [1, 2]: item 1 of row 0, item 0 of row 2
    row_item_places([0, 2, 2, 5], [0, 2], [2, 0])         # InvalidArgumentError: row 0 has 2 values
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import INTEGERS, DType
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.rows.rows import SPLITS, as_vector, vector_size
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["row_item_places"]


def _shape(row_splits: Operand, rows: Operand, items: Operand) -> TensorShape:
    vector_size(row_splits, "row_splits")
    return broadcast_shapes(rows.shape, items.shape)


def _samples(dtype: DType) -> Any:
    splits = np.array([0, 2, 2, 5], dtype.numpy)
    for rows, items in (
        ([0, 2], [1, 0]), ([[0], [2]], [1, 0]), (2, [[0, 1], [2, 2]]), (np.zeros((0, 3)), [0, 1, 0]), (0, 1),
    ):  # fmt: skip
        yield Sample((splits, np.array(rows, np.int32), np.array(items, np.int64)))


def _reference(row_splits: Array, rows: Array, items: Array) -> Array:
    pairs = np.broadcast(rows, items)
    return np.array([row_splits[int(r)] + i for r, i in pairs]).reshape(pairs.shape)


@op(
    raises=VALUES,
    shape=_shape, dtypes={"row_splits": SPLITS, "rows": INTEGERS, "items": INTEGERS},
    result=lambda row_splits, rows, items: row_splits.dtype,
    samples=_samples, reference=_reference,
    errors=[Failure(([0, 2, 2], [0, 1], [1, 0]), InvalidArgumentError, ("(1,)", "item 0 of row 1", "[0, 0)")),
            Failure(([0, 2, 2], [0], [-1]), InvalidArgumentError, ("item -1 of row 0", "[0, 2)")),
            Failure(([0, 2, 2], [2], [0]), InvalidArgumentError, ("row 2", "[0, 2)")),
            Failure(([0, 2, 2], [0, 1], [0, 0, 0]), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def row_item_places(row_splits: Any, rows: Any, items: Any) -> Array:
    """The place among all values of each item, which is given by its row and its place there. Both broadcast.

    row_splits: integer vector; rows, items: integers >= 0 of any shape. What is out of range raises
    InvalidArgumentError.
    """
    splits = as_vector("row_item_places", "row_splits", row_splits)
    numbers, places = np.asarray(rows), np.asarray(items)
    try:
        numbers, places = np.broadcast_arrays(numbers, places)
    except ValueError:
        raise ShapeMismatchError(
            f"row_item_places: rows and items have the shapes {numbers.shape} and {places.shape}"
        ) from None
    count = splits.size - 1
    wrong = (numbers < 0) | (numbers >= count)
    if wrong.any():
        where = np.argwhere(wrong)[0].tolist()
        raise InvalidArgumentError(
            f"row_item_places: row {numbers[tuple(where)]}, at {_index(where)}, is not in [0, {count})"
        )
    lengths = np.diff(splits)[numbers]
    wrong = (places < 0) | (places >= lengths)
    if wrong.any():
        where = np.argwhere(wrong)[0].tolist()
        at = tuple(where)
        raise InvalidArgumentError(
            f"row_item_places: item {places[at]} of row {numbers[at]}, at {_index(where)}, is not in [0, {lengths[at]})"
        )
    made: Array = (splits[:-1][numbers] + places).astype(splits.dtype)
    return made


def _index(where: list[int]) -> str:
    return str(tuple(where))
