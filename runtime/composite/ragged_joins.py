"""Ragged tensors put together and taken apart: concat, stack, expand_dims, merge_dims, masks.

    runtime.concat([rows, others], axis=1)        # each row of the one followed by that of the other
    stack([[1, 2], [3]])                          # tensors of different lengths as rows
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.composite.ragged_calls import rule
from runtime.composite.ragged_index import gather_rows
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.errors import ShapeMismatchError, of_the_trace
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.rows.rows import lengths_to_row_splits
from runtime.ops.rows.values import same_rows
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor

__all__ = ["boolean_mask", "merge_dims", "stack_rows"]


def _alike(name: str, values: Sequence[Any]) -> list[RaggedTensor]:
    """All values as ragged tensors of one ragged_rank. Raises ShapeMismatchError."""
    depth = max(v.ragged_rank for v in values if isinstance(v, RaggedTensor))
    model = next(v for v in values if isinstance(v, RaggedTensor))
    dtype = model.row_splits.dtype
    made = []
    for value in values:
        if not isinstance(value, RaggedTensor):
            dense = value if hasattr(value, "dtype") else convert_to_tensor(value, model.dtype)
            value = RaggedTensor.from_tensor(dense, ragged_rank=depth, row_splits_dtype=dtype)
        if value.ragged_rank != depth:
            raise ShapeMismatchError(f"{name}: ragged tensors of ragged_rank {depth} and {value.ragged_rank} are mixed")
        made.append(value if value.row_splits.dtype is dtype else value.with_row_splits_dtype(dtype))
    return made


def _axis(name: str, rows: RaggedTensor, axis: Any, more: int = 0) -> int:
    rank = rows.shape.rank
    if rank is None:
        if axis < 0:
            raise ShapeMismatchError(f"{name}: a negative axis needs a RaggedTensor of known rank")
        return int(axis)
    try:
        return normalized_axis(int(axis), rank + more)
    except ValueError as error:
        raise ShapeMismatchError(f"{name}: {error}") from None


@rule("concat")
def _concat(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    rows = _alike("concat", operands["values"])
    return concat_rows(rows, _axis("concat", rows[0], attributes["axis"]))


def concat_rows(rows: Sequence[RaggedTensor], axis: int) -> RaggedTensor:
    """Ragged tensors of one ragged_rank one after the other along an axis."""
    if axis == 0:
        splits = [rows[0].row_splits]
        end = splits[0][-1]
        for other in rows[1:]:
            splits.append(ops.add(other.row_splits[1:], end))
            end = ops.add(end, other.row_splits[-1])
        values = ops.concat([r.values for r in rows], axis=0)
        return RaggedTensor(values, ops.concat(splits, axis=0), internal=True)
    first = rows[0]
    checked = [first, *[_with_rows_like(other, first, axis) for other in rows[1:]]]
    if axis > 1:
        values = [r.values for r in checked]
        inner = concat_rows(values, axis - 1) if isinstance(values[0], RaggedTensor) else ops.concat(values, axis - 1)
        return first._with(inner)
    count, number = len(checked), first.nrows()
    dtype = number.dtype
    one, zero = ops.cast(1, dtype), ops.cast(0, dtype)
    order = ops.range(zero, ops.multiply(number, count), one)
    by_row = ops.reshape(ops.transpose(ops.reshape(order, ops.stack([ops.cast(count, dtype), number]))), [-1])
    mixed = gather_rows(concat_rows(checked, 0), by_row)
    return RaggedTensor(mixed.values, mixed.row_splits[::count], internal=True)


def _with_rows_like(rows: RaggedTensor, model: RaggedTensor, axis: int) -> RaggedTensor:
    """The rows, once there are as many as in `model` and, for a deeper axis, of the same lengths."""
    if axis == 1:
        mine, theirs = (ops.range(ops.cast(0, s.dtype), ops.cast(ops.shape(s)[0], s.dtype), 1)
                        for s in (rows.row_splits, model.row_splits))  # fmt: skip
        return rows._with_flat(same_rows(rows.flat_values, mine, theirs))
    return rows._with_flat(same_rows(rows.flat_values, rows.row_splits, model.row_splits))


@rule("reverse")
def _reverse(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    axis = attributes["axis"]
    axes = {_axis("reverse", rows, a) for a in (axis if isinstance(axis, list | tuple) else [axis])}
    return rows[tuple(slice(None, None, -1 if i in axes else None) for i in range(max(axes, default=-1) + 1))]


@rule("tile")
def _tile(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    rows, multiples = operands.values()
    counts = multiples.numpy().tolist() if isinstance(multiples, EagerTensor) else multiples
    if not isinstance(counts, list | tuple) or len(counts) != rows.shape.rank or not all(c >= 1 for c in counts):
        raise of_the_trace(ShapeMismatchError(
            f"tile: of a RaggedTensor of shape {rows.shape}, multiples are positive numbers that are known while the"
            f" function is traced, one for each axis; got {multiples!r}"
        ))
    for axis, count in enumerate(counts):
        rows = concat_rows([rows] * count, axis) if count > 1 else rows
    return rows


# -- new axes, and axes that go ------------------------------------------------------------------------------------


@rule("stack")
def _stack(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    rows = _alike("stack", operands["values"])
    axis = _axis("stack", rows[0], attributes["axis"], 1)
    return concat_rows([expanded(r, axis) for r in rows], axis)


@rule("expand_dims")
def _expand(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    rows = operands["input"]
    return expanded(rows, _axis("expand_dims", rows, attributes["axis"], 1))


def expanded(rows: Any, axis: int) -> Any:
    """The rows with a new axis of size 1."""
    if not isinstance(rows, RaggedTensor):
        return ops.expand_dims(rows, axis=axis)
    dtype = rows.row_splits.dtype
    if axis == 0:
        splits = ops.stack([ops.cast(0, dtype), rows.nrows()])
        return RaggedTensor(rows, splits, internal=True, uniform=rows._static_rows())
    if axis == 1:
        numbers = ops.range(ops.cast(0, dtype), ops.add(rows.nrows(), 1), 1)
        return RaggedTensor(rows, numbers, internal=True, uniform=1)
    return rows._with(expanded(rows.values, axis - 1))


@rule("squeeze")
def _squeeze(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    rows, axis = operands["input"], attributes.get("axis")
    if axis is None:
        raise ShapeMismatchError("squeeze: of a RaggedTensor, the axis must be given")
    made: Any = rows
    axes = {_axis("squeeze", rows, a) for a in (axis if isinstance(axis, list | tuple) else [axis])}
    for a in sorted(axes, reverse=True):
        made = _without(made, a)
    return made


def _without(rows: Any, axis: int) -> Any:
    """The rows without an axis whose size is 1."""
    if not isinstance(rows, RaggedTensor):
        return ops.squeeze(rows, axis=[axis])
    if axis > 1:
        return rows._with(_without(rows.values, axis - 1))
    sizes = ops.reshape(rows.nrows(), [1]) if axis == 0 else rows.row_lengths()
    one = ops.reduce_all(ops.equal(sizes, ops.cast(1, sizes.dtype)))
    ops.check(one, [sizes], message=f"squeeze: axis {axis} of a RaggedTensor has not the size 1, but ")
    return rows.values


def stack_rows(values: Sequence[Any], axis: int) -> Any:
    """`runtime.ragged.stack`: tensors or ragged tensors of one rank, whose shapes may differ, along a new axis."""
    parts = [v if isinstance(v, RaggedTensor) else convert_to_tensor(v) for v in values]
    if not parts:
        raise ValueError("ragged.stack needs at least one tensor")
    rank = parts[0].shape.rank
    if rank is None or any(p.shape.rank != rank for p in parts):
        raise ShapeMismatchError(f"ragged.stack: tensors of one known rank are needed; got {[p.shape for p in parts]}")
    place = normalized_axis(axis, rank + 1)
    if rank == 0:
        return ops.stack(parts)
    if rank == 1:
        if place != 0:
            return ops.stack(parts, axis=place)
        lengths = ops.stack([ops.shape(p, out_type="int64")[0] for p in parts])
        return RaggedTensor(ops.concat(parts, axis=0), lengths_to_row_splits(lengths), internal=True)
    rows = [p if isinstance(p, RaggedTensor) else RaggedTensor.from_tensor(p) for p in parts]
    return concat_rows([expanded(r, place) for r in _alike("stack", rows)], place)


def merge_dims(rows: RaggedTensor, outer_axis: int, inner_axis: int) -> Any:
    """See RaggedTensor.merge_dims."""
    outer, inner = (_axis("merge_dims", rows, a) for a in (outer_axis, inner_axis))
    if outer > inner:
        raise ValueError(f"merge_dims: outer_axis comes before inner_axis; got {outer_axis} and {inner_axis}")
    if outer == inner:
        return rows
    return _merged(rows, outer, inner)


def _merged(rows: Any, outer: int, inner: int) -> Any:
    if not isinstance(rows, RaggedTensor):
        shape = ops.shape(rows)
        merged = ops.reduce_prod(shape[outer : inner + 1], keepdims=True)
        return ops.reshape(rows, ops.concat([shape[:outer], merged, shape[inner + 1 :]], axis=0))
    if outer > 1:
        return rows._with(_merged(rows.values, outer - 1, inner - 1))
    if outer == 1:
        return _rows_of_rows(rows, inner)
    return rows.values if inner == 1 else _merged(rows.values, 0, inner - 1)


def _rows_of_rows(rows: RaggedTensor, inner: int) -> RaggedTensor:
    """Axes 1 to `inner` as the one ragged axis 1."""
    values, splits = rows.values, rows.row_splits
    for _ in range(inner - 1):
        if isinstance(values, RaggedTensor):
            splits, values = ops.gather(values.row_splits, splits), values.values
        else:
            shape = ops.shape(values)
            splits = ops.multiply(splits, ops.cast(shape[1], splits.dtype))
            values = ops.reshape(values, ops.concat([ops.reshape(shape[0] * shape[1], [1]), shape[2:]], axis=0))
    return RaggedTensor(values, splits, internal=True)


# -- masks ---------------------------------------------------------------------------------------------------------


@rule("boolean_mask")
def _boolean_mask(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    if attributes.get("axis") not in (None, 0):
        raise ShapeMismatchError(f"boolean_mask: of a RaggedTensor, axis is 0; got {attributes['axis']}")
    return boolean_mask(operands["tensor"], operands["mask"])


def boolean_mask(data: Any, mask: Any) -> Any:
    """`runtime.ragged.boolean_mask`: the values for which the mask is true, in their rows.

    A mask of fewer axes chooses rows.
    """
    if not isinstance(mask, RaggedTensor):
        chosen: Any = convert_to_tensor(mask, "bool")
        if chosen.shape.rank == 1:
            if isinstance(data, RaggedTensor):
                counts = [ops.shape(chosen)[0], data.nrows(out_type="int32")]
                ops.check(ops.equal(*counts), counts, message="boolean_mask: one bool for each row is needed: ")
            kept = ops.reshape(ops.argwhere(chosen), [-1])
            return gather_rows(data, kept) if isinstance(data, RaggedTensor) else ops.boolean_mask(data, chosen)
        mask = RaggedTensor.from_tensor(chosen, ragged_rank=max(chosen.shape.rank - 1, 1))
    rows = data if isinstance(data, RaggedTensor) else RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank)
    if mask.ragged_rank > rows.ragged_rank:
        raise ShapeMismatchError("boolean_mask: the mask has more ragged axes than the data")
    return _masked(rows, mask)


def _masked(rows: RaggedTensor, mask: RaggedTensor) -> RaggedTensor:
    dtype = rows.row_splits.dtype
    checked = mask._with_flat(same_rows(mask.flat_values, ops.cast(mask.row_splits, dtype), rows.row_splits))
    if isinstance(checked.values, RaggedTensor):
        return rows._with(_masked(rows.values, checked.values))
    chosen = checked.values
    before = ops.concat([ops.cast([0], dtype), ops.cumsum(ops.cast(chosen, dtype))], axis=0)
    return RaggedTensor(_chosen(rows.values, chosen), ops.gather(before, rows.row_splits), internal=True)


def _chosen(values: Any, chosen: Any) -> Any:
    if isinstance(values, RaggedTensor):
        return gather_rows(values, ops.reshape(ops.argwhere(chosen), [-1]))
    return ops.boolean_mask(values, chosen)

