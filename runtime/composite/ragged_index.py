"""ragged[...]: rows by number, slices of the rows, and of what is inside of them.

    rows[2], rows[-1, 0]        a row, a value
    rows[1:], rows[:, :2]       the rows from 1 on; the first two values of each row
    rows[..., 0]                of an axis that is not ragged

A ragged axis has no position that is there in all rows: `rows[:, 0]` is refused, unless all rows are known to have one
length; slices of it are those of each row.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import InvalidArgumentError, OutOfRangeError, of_the_trace
from runtime.ops.records.gradients import ops
from runtime.ops.rows.items import row_item_places
from runtime.ops.rows.places import ragged_range, row_bounds, row_slices
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["gather_rows", "item"]


def item(ragged: Any, key: Any) -> Any:
    """ragged[key]. Raises ValueError for a number on an inner ragged axis, TypeError for other kinds of index."""
    keys = _expanded(ragged, key if isinstance(key, tuple) else (key,))
    return _indexed(ragged, keys)


def _expanded(ragged: Any, keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index with whole slices in the place of an ellipsis."""
    places = [i for i, key in enumerate(keys) if key is Ellipsis]
    if not places:
        return keys
    rank = ragged.shape.rank
    if len(places) > 1 or rank is None:
        raise InvalidArgumentError("an index of a RaggedTensor of known rank can hold one ellipsis (...)")
    missing = rank - sum(key is not None for key in keys) + 1
    return (*keys[: places[0]], *[slice(None)] * missing, *keys[places[0] + 1 :])


def _indexed(rows: Any, keys: tuple[Any, ...]) -> Any:
    if not keys:
        return rows
    if not hasattr(rows, "row_splits"):
        return rows[keys]
    key, rest = keys[0], keys[1:]
    if key is None:
        return ops.expand_dims(_indexed(rows, rest), axis=0)
    if isinstance(key, slice):
        kept = rows if key == slice(None) else _some_rows(rows, key)
        return kept if not rest else _within_rows(kept, rest)
    return _indexed(_row(rows, key), rest)


def _whole(value: Any, what: str) -> Any:
    """An integer, or an integer scalar tensor."""
    if isinstance(value, Tensor):
        if value.dtype.is_integer:
            return value
    elif hasattr(value, "__index__") and not isinstance(value, bool):
        return value.__index__()
    raise TypeError(
        f"{what} of a RaggedTensor is an integer or a slice; got {value!r}. Rows by a list of numbers: runtime.gather;"
        " by a mask: runtime.ragged.boolean_mask"
    )


def _row(rows: Any, key: Any) -> Any:
    """One row: a tensor, or a RaggedTensor of one ragged axis less."""
    index = _whole(key, "an index")
    splits = rows.row_splits
    start, limit = row_bounds(splits, index)
    return rows.values[start:limit]


def _some_rows(rows: Any, key: slice) -> Any:
    """rows[a:b:c]."""
    whole = ops.stack([convert_to_tensor(0, rows.row_splits.dtype), rows.nrows()])
    return gather_rows(rows, _slice_of(whole, key)[0])


def _slice_of(splits: Any, key: slice) -> tuple[Any, Any]:
    """The positions of what a slice takes of each row, and the row_splits of that."""
    ends = [None if end is None else _whole(end, "the bound of a slice") for end in (key.start, key.stop)]
    step = 1 if key.step is None else _whole(key.step, "the step of a slice")
    if isinstance(step, Tensor):
        value = getattr(step, "value", None)
        if not hasattr(step, "_array") and value is None:
            raise of_the_trace(
                TypeError("the step of a slice of a RaggedTensor must be known while the function is traced")
            )
        step = int(step) if value is None else int(value)
    has_begin, has_end = (end is not None for end in ends)
    begin, end = (0 if end is None else end for end in ends)
    return row_slices(splits, begin, end, has_begin=has_begin, has_end=has_end, step=step)


def gather_rows(rows: Any, numbers: Any) -> Any:
    """The rows with these numbers, a vector of integers, as a RaggedTensor."""
    splits = rows.row_splits
    starts = ops.gather(splits[:-1], numbers)
    limits = ops.gather(splits[1:], numbers)
    positions, made = ragged_range(starts, limits, convert_to_tensor(1, splits.dtype))
    taken = _taken(rows.values, positions)
    return type(rows)(taken, ops.cast(made, splits.dtype), internal=True, uniform=rows._uniform)


def _taken(values: Any, positions: Any) -> Any:
    return gather_rows(values, positions) if hasattr(values, "row_splits") else ops.gather(values, positions)


def _within_rows(rows: Any, keys: tuple[Any, ...]) -> Any:
    """rows[:, *keys]."""
    key, rest = keys[0], keys[1:]
    if key is None:
        return ops.expand_dims(_within_rows(rows, rest) if rest else rows, axis=1)
    if not isinstance(key, slice):
        place = _whole(key, "an index")
        if rows._uniform is not None:
            return _column(rows, place, rest)
        raise ValueError(
            "Cannot index into an inner ragged dimension: not all rows have a value at one position. Take a slice"
            " (rows[:, 0:1]), or convert with to_tensor()"
        )
    if key != slice(None):
        positions, splits = _slice_of(rows.row_splits, key)
        known = _length(rows._uniform, key)
        rows = type(rows)(_taken(rows.values, positions), splits, internal=True, uniform=known)
    if not rest:
        return rows
    values = rows.values
    inner = _within_rows(values, rest) if hasattr(values, "row_splits") else values[(slice(None), *rest)]
    return rows._with(inner)


def _length(size: int | None, key: slice) -> int | None:
    """How many items a slice takes of rows of this length, where that is known."""
    known = size is not None and not any(isinstance(part, Tensor) for part in (key.start, key.stop, key.step))
    return len(range(size)[key]) if known else None  # type: ignore[arg-type]


def _column(rows: Any, place: Any, rest: tuple[Any, ...]) -> Any:
    """rows[:, place, *rest] of rows of one known length."""
    size = rows._uniform
    if isinstance(place, Tensor):
        count = ops.cast(place, rows.row_splits.dtype)
        place = ops.where(count < 0, count + size, count)
    elif not -size <= place < size:
        raise OutOfRangeError(f"index {place} is out of range for axis 1 of a RaggedTensor of shape {rows.shape}")
    else:
        place = place % size
    numbers = ops.range(convert_to_tensor(0, rows.row_splits.dtype), rows.nrows(), 1)
    items = _taken(rows.values, row_item_places(rows.row_splits, numbers, place))
    return _indexed(items, (slice(None), *rest)) if rest else items
