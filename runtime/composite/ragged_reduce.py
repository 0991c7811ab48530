"""Sums, means, extremes of ragged tensors: over all values, along the rows, along axes that are not ragged.

    runtime.reduce_sum(rows, axis=1)        # one number for each row; of rows of rows, a RaggedTensor
    runtime.reduce_sum(rows, axis=0)        # one number for each column that some row has

An empty row gives what the sum, the product, ... of nothing is (the mean: nan). The innermost ragged axis can be
reduced, alone or together with those before it, or the one before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.composite.ragged_calls import rule
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.errors import ShapeMismatchError
from runtime.ops.gradients import ops
from runtime.ops.record import Op
from runtime.ops.row_values import repeat_rows
from runtime.ops.rows import lengths_to_row_splits
from runtime.ops.shape_rules import normalized_axis

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

_ALL_AT_ONCE: Final = frozenset({"reduce_mean", "reduce_variance", "reduce_std"})
"""A mean of means is another number: several axes are merged first."""


@rule(*SEGMENTS)
def _reduce(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    (rows,) = operands.values()
    axis, keepdims = attributes.get("axis"), bool(attributes.get("keepdims"))
    others = {k: v for k, v in attributes.items() if k not in ("axis", "keepdims")}
    if axis is None:
        if keepdims:
            raise ShapeMismatchError(f"{op.name}: keepdims of a RaggedTensor needs an axis")
        return op(rows.flat_values, **others)
    rank = rows.shape.rank
    given = axis if isinstance(axis, list | tuple) else [axis]
    if rank is None and min(given) < 0:
        raise ShapeMismatchError(f"{op.name}: a negative axis needs a RaggedTensor of known rank")
    try:
        axes = sorted({a if rank is None else normalized_axis(int(a), rank) for a in given}, reverse=True)
    except ValueError as error:
        raise ShapeMismatchError(f"{op.name}: {error}") from None
    if op.name in _ALL_AT_ONCE and len(axes) > 1:
        return _merged(op, rows, axes, keepdims, others)
    made: Any = rows
    for a in axes:
        ragged = isinstance(made, RaggedTensor)
        made = _along(op, made, a, keepdims, others) if ragged else op(made, axis=a, keepdims=keepdims, **others)
    return made


def _along(op: Op, rows: RaggedTensor, axis: int, keepdims: bool, others: dict[str, Any]) -> Any:
    depth = rows.ragged_rank
    if axis > depth:
        return rows._with_flat(op(rows.flat_values, axis=axis - depth, keepdims=keepdims, **others))
    segments = SEGMENTS[op.name]
    levels = rows._levels()
    if axis == 0 and depth == 1:
        made = _by_column(segments, rows)
        return ops.expand_dims(made, axis=0) if keepdims else made
    if axis == depth:
        inner = levels[-1]
        made = _of_rows(segments(rows.flat_values, inner.value_rowids(), inner.nrows()), inner)
        outer = levels[:-1]
    elif axis == depth - 1:
        made, outer = _by_place(segments, levels[-2], levels[-1]), levels[:-2]
    else:
        raise ShapeMismatchError(
            f"{op.name}: of the ragged axes 0 to {depth}, the innermost one can be reduced (axis={depth}), alone or"
            f" with those before it, or the one before it; got axis {axis}. Convert with to_tensor() for others"
        )
    for level in reversed(outer):
        made = level._with(made)
    return ops.expand_dims(made, axis=axis) if keepdims else made


def _by_place(segments: Segments, rows: RaggedTensor, inner: RaggedTensor) -> RaggedTensor:
    """The values of each row of rows by their places in the inner rows, as many as its longest row has values."""
    splits = inner.row_splits
    row, lengths = inner.value_rowids(), inner.row_lengths()
    numbers = ops.range(ops.cast(0, splits.dtype), splits[-1], ops.cast(1, splits.dtype))
    places = ops.subtract(numbers, ops.gather(splits[:-1], row))
    group = rows.value_rowids()
    longest = ops.unsorted_segment_max(lengths, group, rows.nrows())
    made = lengths_to_row_splits(ops.maximum(longest, ops.cast(0, splits.dtype)))
    cells = ops.add(ops.gather(made, ops.gather(group, row)), places)
    return RaggedTensor(segments(inner.values, cells, made[-1]), made, internal=True)


def _of_rows(made: Any, level: RaggedTensor) -> Any:
    """The result, of which the number of rows may be known while the graph is built."""
    shape = made.shape
    if hasattr(made, "set_shape") and shape.rank is not None:
        made.set_shape([level._static_rows(), *shape[1:]])
    return made


def _by_column(segments: Segments, rows: RaggedTensor) -> Any:
    splits = rows.row_splits
    count = ops.cast(splits[-1], splits.dtype)
    zero = ops.cast(0, splits.dtype)
    places = ops.subtract(ops.range(zero, count, ops.cast(1, splits.dtype)), repeat_rows(splits[:-1], splits))
    return segments(rows.flat_values, places, rows.bounding_shape(axis=1))


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
