"""`runtime.gather` and `gather_nd` with ragged tensors: rows, places within rows, and both at once in batches.

    gather(rows, [2, 0])                                    # two rows
    gather(rows, [0], axis=1)                               # the first value of each row
    gather(rows, [[0], [1]], batch_dims=1)                  # value 0 of row 0, value 1 of row 1
    gather_nd(rows, [[0, 2], [1, 0]])                       # values by row and place

An index that a row has not is an InvalidArgumentError that names the row.
"""

from __future__ import annotations

from typing import Any

from runtime.composite.ragged_calls import outer_splits, rule
from runtime.composite.ragged_index import gather_rows, item
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import int32
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.rows.items import row_item_places
from runtime.ops.rows.values import repeat_rows, same_rows
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.dispatch import integer_of

__all__ = ["gather", "gather_nd"]


def gather(params: Any, indices: Any, axis: int | None = None, batch_dims: int = 0) -> Any:
    """As `runtime.gather`, where params or indices is a RaggedTensor."""
    params = params if isinstance(params, RaggedTensor) else convert_to_tensor(params)
    indices = indices if isinstance(indices, RaggedTensor) else convert_to_tensor(indices, dtype_hint=int32)
    batch_dims = integer_of("gather", "batch_dims", batch_dims)
    axis = None if axis is None else integer_of("gather", "axis", axis)
    rank, depth = params.shape.rank, indices.shape.rank
    if batch_dims < 0 or (axis is not None and axis < 0):
        if rank is None or depth is None:
            raise InvalidArgumentError("gather: axes that count from the end need known ranks")
        batch_dims += depth if batch_dims < 0 else 0
        axis = axis + rank if axis is not None and axis < 0 else axis
    place = batch_dims if axis is None else axis
    too_deep = (rank is not None and place >= rank) or (depth is not None and batch_dims > depth)
    if too_deep or not 0 <= batch_dims <= place:
        raise ShapeMismatchError(
            f"gather: batch_dims={batch_dims} and axis={axis} do not fit the shapes {params.shape} and {indices.shape}"
        )
    return _in_batches(params, indices, place, batch_dims) if batch_dims else _along(params, indices, place)


def _along(params: Any, indices: Any, axis: int) -> Any:
    """The same indices for all rows of an axis."""
    if axis == 0:
        return _items(params, indices)
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return ops.gather(params, indices, axis=axis)
    rows = _ragged(params, indices)
    if axis > 1:
        return rows._with(_along(rows.values, indices, axis - 1))
    if isinstance(indices, RaggedTensor):
        return _for_each_row(rows, indices)
    return _items(rows.values, _places(rows, _numbers(rows.nrows()), ops.expand_dims(indices, axis=0)))


def _numbers(count: Any) -> Any:
    """From 0 to count - 1."""
    return ops.range(ops.cast(0, count.dtype), count, 1)


def _for_each_row(rows: RaggedTensor, indices: RaggedTensor) -> Any:
    """The items of each row at the same ragged indices."""
    dtype = rows.row_splits.dtype
    each = ops.cast(indices.nrows(), dtype)
    numbers = _numbers(rows.nrows() * each)
    divisor = ops.maximum(each, ops.cast(1, dtype))  # there may be no rows of indices, and no numbers then
    repeated = gather_rows(indices, ops.floormod(numbers, divisor))
    owners = repeat_rows(ops.floordiv(numbers, divisor), outer_splits(repeated))
    items = _items(rows.values, _places(rows, owners, repeated.flat_values))
    return RaggedTensor(repeated._with_flat(items), _numbers(rows.nrows() + 1) * each, internal=True)


def _items(values: Any, places: Any) -> Any:
    """The items at places along the first axis: tensors and ragged tensors, each in the shape of the places."""
    if isinstance(places, RaggedTensor):
        return places._with_flat(_items(values, places.flat_values))
    if not isinstance(values, RaggedTensor):
        return ops.gather(values, places)
    rank = places.shape.rank
    if rank == 0:
        return item(gather_rows(values, ops.reshape(places, [1])), 0)
    if rank == 1 or rank is None:
        return gather_rows(values, places)
    nested = RaggedTensor.from_tensor(places, ragged_rank=rank - 1, row_splits_dtype=values.row_splits.dtype)
    return nested._with_flat(gather_rows(values, nested.flat_values))


def _places(params: RaggedTensor, rows: Any, items: Any) -> Any:
    """The places among the values of params of items that count within rows. rows: a vector, one for each of items."""
    for _ in range((items.shape.rank or 1) - 1):
        rows = ops.expand_dims(rows, axis=-1)
    return row_item_places(params.row_splits, rows, items)


def _in_batches(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    """Each row has indices of its own; `batch_dims` axes both share."""
    rows = _ragged(params, indices)
    if batch_dims > 1:
        others = _ragged(indices, params)
        checked = same_rows(others.flat_values, ops.cast(others.row_splits, rows.row_splits.dtype), rows.row_splits)
        inner = others._with_flat(checked).values
        return rows._with(_in_batches(rows.values, inner, axis - 1, batch_dims - 1))
    if axis > 1:
        own = _items(indices, rows.value_rowids())
        return rows._with(_in_batches(rows.values, own, axis - 1, 1))
    if not isinstance(indices, RaggedTensor):
        _check_count(rows, ops.shape(indices, out_type=rows.row_splits.dtype)[0])
        return _items(rows.values, _places(rows, _numbers(rows.nrows()), indices))
    _check_count(rows, ops.cast(indices.nrows(), rows.row_splits.dtype))
    numbers = repeat_rows(_numbers(rows.nrows()), outer_splits(indices))
    return indices._with_flat(_items(rows.values, _places(rows, numbers, indices.flat_values)))


def _ragged(value: Any, other: Any) -> RaggedTensor:
    """The value with a ragged axis 1, with row_splits of the dtype of the other, if that is ragged."""
    if isinstance(value, RaggedTensor):
        return value
    dtype = other.row_splits.dtype if isinstance(other, RaggedTensor) else "int64"
    made: RaggedTensor = RaggedTensor.from_tensor(value, row_splits_dtype=dtype)
    return made


def _check_count(rows: RaggedTensor, count: Any) -> None:
    found = [rows.nrows(), count]
    ops.check(ops.equal(*found), found, message="gather: one row of indices for each row is needed: ")


@rule("gather")
def _gather(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    return gather(operands["params"], operands["indices"], attributes.get("axis") or 0)


@rule("gather_nd")
def _gather_nd(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    if attributes.get("batch_dims"):
        raise ShapeMismatchError("gather_nd: of a RaggedTensor, batch_dims is 0; gather takes places in batches")
    return gather_nd(operands["params"], operands["indices"])


def gather_nd(params: Any, indices: Any) -> Any:
    """Slices of params at positions, the rows of indices: [..., k] for items k axes deep."""
    if isinstance(indices, RaggedTensor):
        return indices._with_flat(gather_nd(params, indices.flat_values))
    indices = convert_to_tensor(indices, dtype_hint=int32)
    width = indices.shape[-1] if indices.shape.rank else None
    if width is None:
        raise ShapeMismatchError(
            f"gather_nd: how many axes the indices count is not known; their shape is {indices.shape}"
        )
    if not isinstance(params, RaggedTensor):
        return ops.gather_nd(params, indices)
    if width == 0:
        raise ShapeMismatchError("gather_nd: of a RaggedTensor, indices count an axis at least")
    rows = indices[..., 0]
    if width == 1:
        return _items(params, rows)
    places = row_item_places(params.row_splits, rows, indices[..., 1])
    rest = indices[..., 2:]
    return gather_nd(params.values, ops.concat([ops.expand_dims(places, -1), ops.cast(rest, places.dtype)], axis=-1))
