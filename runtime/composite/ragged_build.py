"""The ways in which a RaggedTensor is made: from values and row_splits, lengths, starts, limits or row numbers.

    RaggedTensor.from_row_lengths([3, 1, 4], [2, 0, 1])       # [[3, 1], [], [4]]
    RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0)      # [[1, 2], [3]]

The functions are class methods of RaggedTensor (`cls`). What does not fit is an InvalidArgumentError that names the
position, at once or, where it is only known in a graph, when that runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.dtypes import as_dtype, int32, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.rows.places import ragged_range
from runtime.ops.rows.rows import lengths_to_row_splits, row_ids_to_splits, row_splits_checked
from runtime.tensor.convert import convert_to_tensor

if TYPE_CHECKING:
    from runtime.composite.ragged_tensor import RaggedTensor

__all__ = [
    "as_values", "count_of", "from_nested_row_lengths", "from_nested_row_splits", "from_nested_value_rowids",
    "from_row_lengths", "from_row_limits", "from_row_splits", "from_row_starts", "from_tensor",
    "from_uniform_row_length", "from_value_rowids",
]  # fmt: skip


def as_values(value: Any) -> Any:
    """Values of rows: a tensor, or a composite as it is. Raises ShapeMismatchError for a scalar."""
    if hasattr(type(value), "_nest_parts") and hasattr(value, "row_splits"):
        return value
    values = convert_to_tensor(value)
    if values.shape.rank == 0:
        raise ShapeMismatchError("the values of a RaggedTensor are a tensor of rank 1 or more; got a scalar")
    return values


def _positions(value: Any, what: str) -> Any:
    """An integer vector of int32 or int64; Python's numbers become int64."""
    is_array = hasattr(value, "shape") and hasattr(value, "dtype")
    tensor = convert_to_tensor(value, None if is_array else int64)
    if tensor.dtype not in (int32, int64):
        raise DtypeMismatchError(f"{what} must be int32 or int64; got {tensor.dtype.name}")
    return tensor


def count_of(values: Any, dtype: Any) -> Any:
    """How many values there are."""
    if hasattr(values, "row_splits"):
        return values.nrows(out_type=dtype)
    known = values.shape[0]
    return convert_to_tensor(known, dtype) if known is not None else ops.shape(values, out_type=dtype)[0]


def from_row_splits(
    cls: Any, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """Row i is values[row_splits[i]:row_splits[i + 1]].

    row_splits: int32 or int64, from 0 to the number of values, never falling. validate: False believes that.
    """
    rows, splits = as_values(values), _positions(row_splits, "row_splits")
    if splits.shape.rank == 1 and splits.shape[0] == 0:
        raise InvalidArgumentError("row_splits has at least one element, the 0 at its beginning")
    if validate:
        splits = row_splits_checked(splits, count_of(rows, splits.dtype), name=name)
    return cls(rows, splits, internal=True)


def from_row_lengths(
    cls: Any, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """Row i has the next row_lengths[i] values; the lengths add up to the number of values."""
    splits = lengths_to_row_splits(_positions(row_lengths, "row_lengths"), name=name)
    return from_row_splits(cls, values, splits, validate=validate)


def from_row_starts(
    cls: Any, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """Row i begins at position row_starts[i] of the values, and ends where the next one begins."""
    rows, starts = as_values(values), _positions(row_starts, "row_starts")
    end = ops.reshape(count_of(rows, starts.dtype), [1])
    return from_row_splits(cls, rows, ops.concat([starts, end], axis=0, name=name), validate=validate)


def from_row_limits(
    cls: Any, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """Row i ends before position row_limits[i] of the values; the next one begins there."""
    limits = _positions(row_limits, "row_limits")
    start = convert_to_tensor([0], limits.dtype)
    return from_row_splits(cls, values, ops.concat([start, limits], axis=0, name=name), validate=validate)


def from_value_rowids(
    cls: Any, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """Value i is in row value_rowids[i], which never fall. nrows: how many rows; by default up to the last number."""
    rows, ids = as_values(values), _positions(value_rowids, "value_rowids")
    if nrows is None:
        zero = convert_to_tensor([-1], ids.dtype)
        nrows = ops.concat([zero, ids], axis=0)[-1] + 1
    count = nrows if hasattr(nrows, "dtype") else convert_to_tensor(nrows, ids.dtype)
    splits = row_ids_to_splits(ids, ops.cast(count, ids.dtype), name=name)
    return from_row_splits(cls, rows, splits, validate=validate)


def from_uniform_row_length(
    cls: Any, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: str | None = None
) -> RaggedTensor:
    """All rows have one length. nrows: how many there are, needed where that length is 0."""
    rows, length = as_values(values), _positions(uniform_row_length, "uniform_row_length")
    if nrows is None:
        one = convert_to_tensor(1, length.dtype)
        nrows = ops.floordiv(count_of(rows, length.dtype), ops.maximum(length, one))
    count = convert_to_tensor(nrows) if hasattr(nrows, "dtype") else convert_to_tensor(nrows, length.dtype)
    numbers = ops.range(convert_to_tensor(0, length.dtype), ops.cast(count, length.dtype) + 1, 1)
    made = from_row_splits(cls, rows, ops.multiply(numbers, length, name=name), validate=validate)
    return cls(made.values, made.row_splits, internal=True, uniform=_known(length))


def _known(size: Any) -> int | None:
    """The value of an integer scalar, where it is known."""
    value = getattr(size, "_array", getattr(size, "value", None))
    return None if value is None else int(value)


# -- several ragged axes -------------------------------------------------------------------------------------------


def from_nested_row_splits(
    cls: Any, flat_values: Any, nested_row_splits: Sequence[Any], name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """The rows of rows of a tensor; the row_splits of the outermost axis come first."""
    made = flat_values
    for splits in reversed(list(nested_row_splits)):
        made = from_row_splits(cls, made, splits, name, validate)
    return made


def from_nested_row_lengths(
    cls: Any, flat_values: Any, nested_row_lengths: Sequence[Any], name: str | None = None, validate: bool = True
) -> RaggedTensor:
    """As `from_nested_row_splits`, from lengths."""
    made = flat_values
    for lengths in reversed(list(nested_row_lengths)):
        made = from_row_lengths(cls, made, lengths, name, validate)
    return made


def from_nested_value_rowids(
    cls: Any,
    flat_values: Any,
    nested_value_rowids: Sequence[Any],
    nested_nrows: Sequence[Any] | None = None,
    name: str | None = None,
    validate: bool = True,
) -> RaggedTensor:
    """As `from_nested_row_splits`, from the number of the row of each value."""
    ids = list(nested_value_rowids)
    counts = [None] * len(ids) if nested_nrows is None else list(nested_nrows)
    made = flat_values
    for numbers, nrows in zip(reversed(ids), reversed(counts), strict=True):
        made = from_value_rowids(cls, made, numbers, nrows, name, validate)
    return made


# -- from a tensor -------------------------------------------------------------------------------------------------


def from_tensor(
    cls: Any,
    tensor: Any,
    lengths: Any = None,
    padding: Any = None,
    ragged_rank: int = 1,
    name: str | None = None,
    row_splits_dtype: Any = int64,
) -> RaggedTensor:
    """The rows of a tensor of rank 2 or more, its second axis (or the next `ragged_rank` ones) as ragged axes.

    lengths: how much of each row is kept. padding: a value that is left out where it stands at the end of a row.
    """
    dense, splits_dtype = convert_to_tensor(tensor), as_dtype(row_splits_dtype)
    rank = dense.shape.rank
    if rank is None or not 1 <= ragged_rank < rank:
        raise ShapeMismatchError(
            f"from_tensor: ragged_rank is 1 or more, and less than the rank of the tensor; got {ragged_rank} for a"
            f" tensor of shape {dense.shape}"
        )
    if lengths is not None and padding is not None:
        raise ValueError("from_tensor takes lengths or padding, not both")
    if lengths is None and padding is None:
        return _uniform(cls, dense, ragged_rank, splits_dtype)
    if ragged_rank > 1:
        raise ValueError("from_tensor: lengths and padding belong to one ragged axis (ragged_rank=1)")
    if lengths is None:
        lengths = _unpadded(dense, padding)
    counts = ops.cast(_positions(lengths, "lengths"), splits_dtype)
    return _cut(cls, dense, counts)


def _size(tensor: Any, axis: int, dtype: Any) -> Any:
    known = tensor.shape[axis]
    return convert_to_tensor(known, dtype) if known is not None else ops.shape(tensor, out_type=dtype)[axis]


def _uniform(cls: Any, dense: Any, ragged_rank: int, dtype: Any) -> Any:
    sizes = [_size(dense, axis, dtype) for axis in range(ragged_rank + 1)]
    inner = list(dense.shape[ragged_rank + 1 :])
    shape = ops.shape(dense, out_type=dtype)[ragged_rank + 1 :] if None in inner else None
    tail = convert_to_tensor(inner, dtype) if shape is None else shape
    count = sizes[0]
    nested = []
    for axis, size in enumerate(sizes[1:], 1):
        nested.append((ops.range(convert_to_tensor(0, dtype), count + 1, 1) * size, dense.shape[axis]))
        count = count * size
    made = ops.reshape(dense, ops.concat([ops.reshape(count, [1]), tail], axis=0))
    for splits, known in reversed(nested):
        made = cls(made, splits, internal=True, uniform=known)
    return made


def _unpadded(dense: Any, padding: Any) -> Any:
    """The lengths of rows without the padding at their ends."""
    value = convert_to_tensor(padding, dense.dtype)
    inner = dense.shape[2:]
    if not value.shape.is_compatible_with(inner):
        raise ShapeMismatchError(f"from_tensor: the padding has shape {value.shape}, the values of the rows {inner}")
    differs = ops.not_equal(dense, value)
    if inner.rank:
        differs = ops.reduce_any(differs, axis=list(range(2, 2 + inner.rank)))
    places = ops.range(convert_to_tensor(1, int64), _size(dense, 1, int64) + 1, 1)
    zeros = convert_to_tensor(0, int64)
    last = ops.concat([_zero_column(dense), ops.where(differs, places, zeros)], axis=1)
    return ops.reduce_max(last, axis=1)


def _zero_column(dense: Any) -> Any:
    shape = ops.stack([_size(dense, 0, int64), convert_to_tensor(1, int64)])
    return ops.fill(shape, convert_to_tensor(0, int64))


def _cut(cls: Any, dense: Any, counts: Any) -> Any:
    """The first counts[i] values of row i, as many as there are."""
    rows, width = _size(dense, 0, counts.dtype), _size(dense, 1, counts.dtype)
    kept = ops.minimum(counts, width)
    starts = ops.range(convert_to_tensor(0, counts.dtype), rows, 1) * width
    positions, _ = ragged_range(starts, starts + kept, convert_to_tensor(1, counts.dtype))
    whole = _uniform(cls, dense, 1, counts.dtype)
    splits = lengths_to_row_splits(kept)
    return from_row_splits(cls, ops.gather(whole.values, positions), splits)
