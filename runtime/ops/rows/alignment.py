"""Where the items of another value stand beside the items of rows, axis by axis: how ragged tensors broadcast.

    row_places_beside([0, 1, 3], [0, 1], [0, 1, 3])                   # [0, 1, 2]: rows of the same lengths
    row_places_beside([0, 1, 3], [0, 1], [0, 1, 2], uniform=True)     # [0, 1, 1]: one item for each row
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.errors import InvalidArgumentError
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.rows.rows import SPLITS, as_vector, vector_size
from runtime.shapes import TensorShape

__all__ = ["row_places_beside"]


def _shape(row_splits: Operand, parents: Operand, others: Operand, uniform: bool, axis: int) -> TensorShape:
    size, count = vector_size(row_splits, "row_splits"), vector_size(parents, "parents")
    vector_size(others, "others")
    if size is not None and count is not None and size != count + 1:
        raise ValueError(f"there are {size - 1} rows and {count} parents")
    return TensorShape([None])


def _samples(dtype: DType) -> Any:
    kind = dtype.numpy
    for splits, parents, others, uniform in (
        ([0, 1, 3], [0, 1], [0, 1, 3], False), ([0, 1, 3], [0, 1], [0, 1, 2], True), ([0, 2], [1], [0, 3, 5], False),
        ([0, 2, 4], [0, 0], [0, 2], True), ([0, 0, 2], [0, 1], [0, 0, 2], False), ([0], [], [0, 1], True),
    ):  # fmt: skip
        yield Sample(tuple(np.array(v, kind) for v in (splits, parents, others)), {"uniform": uniform})


def _reference(row_splits: Array, parents: Array, others: Array, uniform: bool = False) -> Array:
    found = []
    for row, parent in enumerate(parents.tolist()):
        items = range(int(others[parent]), int(others[parent + 1]))
        count = int(row_splits[row + 1] - row_splits[row])
        found += list(items) * count if uniform and len(items) == 1 else list(items)[:count]
    return np.array(found, row_splits.dtype)


@op(
    raises=VALUES,
    shape=_shape, dtypes={("row_splits", "parents", "others"): SPLITS}, samples=_samples, reference=_reference,
    errors=[Failure(([0, 1, 3], [0, 1], [0, 1, 2]), InvalidArgumentError, ("row 1", "2 values", "1 value")),
            Failure(([0, 2], [0], [0, 3]), InvalidArgumentError, ("row 0", "2 values", "3 values"), {"uniform": True}),
            Failure(([0, 2], [0], [0, 3]), InvalidArgumentError, ("2 rows", "3 rows"), {"axis": 0})],
)  # fmt: skip
def row_places_beside(row_splits: Any, parents: Any, others: Any, uniform: bool = False, axis: int = 1) -> Array:
    """For each item of rows the place of the item beside it, in another value with the same rows.

    row_splits: integer vector, the rows; parents: for each row the number of the row beside it; others: the row_splits
    of those. uniform: they all have one length, and the one item of rows of length 1 stands beside all items. axis:
    that along which the rows lie, for the words of errors; 0 is that of the whole, which is one row.
    """
    mine = as_vector("row_places_beside", "row_splits", row_splits)
    theirs = as_vector("row_places_beside", "others", others)
    numbers = np.asarray(parents)
    lengths, beside = np.diff(mine), theirs[numbers + 1] - theirs[numbers]
    spread = (beside == 1) & uniform
    wrong = np.flatnonzero((lengths != beside) & ~spread)
    if wrong.size:
        row = int(wrong[0])
        where, what = (f"row {row} along axis {axis} of the ragged tensor", "value") if axis else ("it", "row")
        first, second = (f"{n} {what}{'' if n == 1 else 's'}" for n in (int(lengths[row]), int(beside[row])))
        raise InvalidArgumentError(
            f"row_places_beside: what stands beside a ragged tensor must fit its rows: {where} has {first}, and"
            f" {second} beside it"
        )
    rows = np.repeat(np.arange(lengths.size), lengths)
    within = np.arange(rows.size) - mine[:-1][rows]
    places: Array = theirs[numbers][rows] + within * ~spread[rows]
    return places.astype(mine.dtype)
