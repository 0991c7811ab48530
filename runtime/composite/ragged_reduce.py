"""Sums, means, extremes of ragged tensors: over all values, along the rows, along axes that are not ragged.

    runtime.reduce_sum(rows, axis=1)        # one number for each row; of rows of rows, a RaggedTensor
    runtime.reduce_sum(rows, axis=0)        # one number for each column that some row has

An empty row gives what the sum, the product, ... of nothing is (the mean: nan). Along an axis before the last one,
values of the same place are put together, in rows as long as the longest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.composite.ragged_calls import rule
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import REGISTRY, Op
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.rows.rows import lengths_to_row_splits

__all__ = ["SEGMENTS"]

Segments = Callable[[Any, Any, Any], Any]


def _mean(values: Any, ids: Any, count: Any) -> Any:
    one = ops.ones_like(values)
    return ops.divide(ops.unsorted_segment_sum(values, ids, count), ops.unsorted_segment_sum(one, ids, count))


def _truth(name: str) -> Segments:
    """any and all: the largest and the least of 0 and 1."""
    return lambda values, ids, count: ops.greater(getattr(ops, name)(ops.cast(values, "int32"), ids, count), 0)


def _variance(values: Any, ids: Any, count: Any) -> Any:
    mean = ops.gather(_mean(values, ids, count), ids)
    return _mean(ops.square(ops.subtract(values, mean)), ids, count)


SEGMENTS: Final[dict[str, Segments]] = {
    "reduce_sum": lambda values, ids, count: ops.unsorted_segment_sum(values, ids, count),
    "reduce_prod": lambda values, ids, count: ops.unsorted_segment_prod(values, ids, count),
    "reduce_max": lambda values, ids, count: ops.unsorted_segment_max(values, ids, count),
    "reduce_min": lambda values, ids, count: ops.unsorted_segment_min(values, ids, count),
    "reduce_mean": _mean,
    "reduce_any": _truth("unsorted_segment_max"),
    "reduce_all": _truth("unsorted_segment_min"),
    "reduce_variance": _variance,
    "reduce_std": lambda values, ids, count: ops.sqrt(_variance(values, ids, count)),
}
"""What becomes of the values that have one number, by the name of the reduction."""

_ALL_AT_ONCE: Final = frozenset({"reduce_variance", "reduce_std"})
"""A variance of variances is another number: several axes are merged first."""


@rule(*SEGMENTS)
def _reduce(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    axis, keepdims = attributes.get("axis"), bool(attributes.get("keepdims"))
    others = {k: v for k, v in attributes.items() if k not in ("axis", "keepdims")}
    if axis is None:
        made = op(rows.flat_values, **others)
        if keepdims and rows.shape.rank is None:
            raise ShapeMismatchError(f"{op.name}: keepdims without an axis needs a RaggedTensor of known rank")
        return ops.reshape(made, [1] * rows.shape.rank) if keepdims else made
    rank = rows.shape.rank
    given = axis if isinstance(axis, list | tuple) else [axis]
    if rank is None and min(given) < 0:
        raise ShapeMismatchError(f"{op.name}: a negative axis needs a RaggedTensor of known rank")
    try:
        axes = sorted({a if rank is None else normalized_axis(int(a), rank) for a in given}, reverse=True)
    except ValueError as error:
        raise ShapeMismatchError(f"{op.name}: {error}") from None
    if op.name == "reduce_mean" and len(axes) > 1:
        sums = [_reduce(REGISTRY["reduce_sum"], {"x": v}, attributes) for v in (rows, ops.ones_like(rows))]
        return ops.divide(*sums)
    if op.name in _ALL_AT_ONCE and len(axes) > 1:
        return _merged(op, rows, axes, keepdims, others)
    made = rows
    for a in axes:
        ragged = isinstance(made, RaggedTensor)
        made = _along(op, made, a, keepdims, others) if ragged else op(made, axis=a, keepdims=keepdims, **others)
    return made


def _along(op: Op, rows: RaggedTensor, axis: int, keepdims: bool, others: dict[str, Any]) -> Any:
    depth = rows.ragged_rank
    if axis > depth:
        return rows._with_flat(op(rows.flat_values, axis=axis - depth, keepdims=keepdims, **others))
    segments = SEGMENTS[op.name]
    if axis < depth:
        made = _by_place(segments, rows, axis)
    else:
        *outer, inner = rows._levels()
        made = _of_rows(segments(rows.flat_values, inner.value_rowids(), inner.nrows()), inner)
        for level in reversed(outer):
            made = level._with(made)
    return ops.expand_dims(made, axis=axis) if keepdims else made


def _by_place(segments: Segments, rows: RaggedTensor, axis: int) -> Any:
    """What becomes of the values that differ in their place along `axis` alone.

    The rows along each later axis are as long as the longest of those that become one.
    """
    levels = rows._levels()
    dtype = rows.row_splits.dtype
    zero, one = ops.cast(0, dtype), ops.cast(1, dtype)
    if axis:
        groups, count = levels[axis - 1].value_rowids(), levels[axis - 1].nrows()
    else:
        groups, count = ops.zeros_like(rows.row_starts()), one
    nested = [level.row_splits for level in levels[: max(axis - 1, 0)]]
    for number, level in enumerate(levels[axis:]):
        parents = level.value_rowids()
        longest = ops.maximum(ops.unsorted_segment_max(level.row_lengths(), groups, count), zero)
        splits = lengths_to_row_splits(longest)
        places = ops.subtract(ops.range(zero, level.row_splits[-1], one), ops.gather(level.row_splits, parents))
        groups, count = ops.add(ops.gather(splits, ops.gather(groups, parents)), places), splits[-1]
        if axis or number:
            nested.append(splits)
    made = segments(rows.flat_values, groups, count)
    return RaggedTensor.from_nested_row_splits(made, nested, validate=False) if nested else made


def _of_rows(made: Any, level: RaggedTensor) -> Any:
    """The result, of which the number of rows may be known while the graph is built."""
    shape = made.shape
    if hasattr(made, "set_shape") and shape.rank is not None:
        made.set_shape([level._static_rows(), *shape[1:]])
    return made


def _merged(op: Op, rows: RaggedTensor, axes: list[int], keepdims: bool, others: dict[str, Any]) -> Any:
    """Axes that follow each other as one."""
    first, last = axes[-1], axes[0]
    if keepdims or axes != list(range(last, first - 1, -1)) or last > rows.ragged_rank:
        raise ShapeMismatchError(
            f"{op.name}: of a RaggedTensor, several ragged axes that follow each other can be reduced, without"
            f" keepdims; got {axes[::-1]}"
        )
    made = rows.merge_dims(first, last)
    return op(made, axis=first, **others)


@rule("cumsum", "cumprod")
def _accumulated(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    depth, flat = rows.ragged_rank, rows.flat_values
    if flat.shape.rank != 1 or attributes["axis"] not in (-1, depth):
        raise ShapeMismatchError(
            f"{op.name}: of a RaggedTensor, it goes along the rows (axis={depth}) of values that are numbers; got axis"
            f" {attributes['axis']}"
        )
    inner = rows._levels()[-1]
    box = inner.to_tensor(0 if op.name == "cumsum" else 1)  # so that no row knows of the others
    made = RaggedTensor.from_tensor(op(box, **{**attributes, "axis": 1}), inner.row_lengths())
    return rows._with_flat(made.flat_values)


@rule("argwhere")
def _coordinates(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    found = ops.reshape(op(rows.flat_values), [-1])
    return ops.gather(rows.to_sparse().indices, found)


@rule("string_reduce_join")
def _join(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    axis = attributes.get("axis")
    if axis is None:
        return op(rows.flat_values, **attributes)
    places = tuple(axis) if isinstance(axis, list | tuple) else (axis,)
    depth = rows.ragged_rank
    if rows.shape.rank != depth + 1 or places not in ((depth,), (-1,)):
        raise ShapeMismatchError(f"{op.name}: of a RaggedTensor, texts are joined along its rows (axis={depth})")
    levels = rows._levels()
    inner, separator = levels[-1], attributes["separator"]
    made = ops.string_segment_join(rows.flat_values, inner.value_rowids(), inner.nrows(), separator=separator)
    made = _of_rows(made, inner)
    for level in reversed(levels[:-1]):
        made = level._with(made)
    return ops.expand_dims(made, axis=depth) if attributes["keepdims"] else made


@rule("softmax", "log_softmax")
def _softmax(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    flat, depth = rows.flat_values, rows.ragged_rank
    axis = attributes.get("axis", -1)
    if flat.shape.rank != 1:
        if axis == -1 and flat.shape.rank is not None:
            return rows._with_flat(op(flat, axis=-1))
        raise ShapeMismatchError(f"{op.name}: of a RaggedTensor, axis is -1; got {axis}")
    if axis not in (-1, depth):
        raise ShapeMismatchError(f"{op.name}: of a RaggedTensor, it is taken along the rows (axis={depth})")
    inner = rows._levels()[-1]
    ids, count = inner.value_rowids(), inner.nrows()
    largest = ops.stop_gradient(ops.unsorted_segment_max(flat, ids, count))
    shifted = ops.subtract(flat, ops.gather(largest, ids))
    powers = ops.exp(shifted)
    total = ops.gather(ops.unsorted_segment_sum(powers, ids, count), ids)
    made = ops.divide(powers, total) if op.name == "softmax" else ops.subtract(shifted, ops.log(total))
    return rows._with_flat(made)
