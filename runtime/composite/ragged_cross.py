"""`runtime.ragged.cross`: in each row all combinations of the values of several tensors, as text.

    cross([[["a"], ["b", "c"]], [["d"], ["e"]]])        # [["a_X_d"], ["b_X_e", "c_X_e"]], of ragged tensors
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor
from runtime.dtypes import int64, string
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.rows.places import ragged_range
from runtime.ops.rows.rows import row_ids
from runtime.tensor.convert import convert_to_tensor

__all__ = ["cross"]

BETWEEN: Final = "_X_"


def cross(inputs: Sequence[Any], name: str | None = None) -> Any:
    """For each row the combinations of one value of each input, joined by "_X_"; the last input varies fastest.

    inputs: tensors of rank 2, ragged and sparse ones, of strings or integers (which are written as text), with as many
    rows each. Returns a RaggedTensor of strings. Raises ShapeMismatchError, and ValueError for other dtypes.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"ragged.cross: inputs are a list of tensors; got {inputs!r}")
    rows = [_texts(value, f"inputs[{i}]") for i, value in enumerate(inputs)]
    if not rows:
        return RaggedTensor.from_row_splits(convert_to_tensor([], string), [0])
    made = rows[0]
    for other in rows[1:]:
        made = _combined(made, other)
    return made


def _texts(value: Any, which: str) -> RaggedTensor:
    """An input as rows of texts."""
    rows: Any = value
    if isinstance(value, SparseTensor):
        if value.shape.rank not in (2, None):
            raise ShapeMismatchError(f"ragged.cross: {which} must have rank 2; its shape is {value.shape}")
        rows = RaggedTensor.from_value_rowids(value.values, value.indices[:, 0], nrows=value.dense_shape[0])
    if not isinstance(rows, RaggedTensor):
        dense = convert_to_tensor(rows)
        if dense.shape.rank not in (2, None):
            raise ShapeMismatchError(f"ragged.cross: {which} must have rank 2; its shape is {dense.shape}")
        rows = RaggedTensor.from_tensor(dense)
    if rows.ragged_rank != 1 or rows.flat_values.shape.rank not in (1, None):
        raise ShapeMismatchError(f"ragged.cross: {which} must have rank 2; its shape is {rows.shape}")
    if rows.dtype is not string and not rows.dtype.is_integer:
        raise ValueError(f"ragged.cross: {which} must hold strings or integers; its dtype is {rows.dtype.name}")
    made: RaggedTensor = rows.with_row_splits_dtype(int64)
    return made if made.dtype is string else made._with(ops.as_string(made.values))


def _combined(first: RaggedTensor, second: RaggedTensor) -> RaggedTensor:
    """Each value of a row of the first with each one of that row of the second."""
    counts, known = [first.nrows(), second.nrows()], [first._static_rows(), second._static_rows()]
    words = "ragged.cross: the inputs must have as many rows each; there are"
    if None in known:
        ops.check(ops.equal(*counts), counts, message=f"{words} ")
    elif known[0] != known[1]:
        raise ShapeMismatchError(f"{words} {known[0]} and {known[1]}")
    owners = row_ids(first.row_splits)
    begins, ends = second.row_splits[:-1], second.row_splits[1:]
    places, splits = ragged_range(ops.gather(begins, owners), ops.gather(ends, owners), convert_to_tensor(1, int64))
    left = ops.gather(first.values, row_ids(splits))
    right = ops.gather(second.values, places)
    texts = ops.string_concat([left, right], separator=BETWEEN)
    return RaggedTensor(texts, ops.gather(splits, first.row_splits), internal=True)
