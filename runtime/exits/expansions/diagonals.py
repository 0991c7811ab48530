"""Diagonals of matrices: by the numbers of rows and columns, side by side."""

from __future__ import annotations

from typing import Any

from runtime.dtypes import int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.expansions.items import counted
from runtime.exits.rules import expands
from runtime.ops.linear.diagonals import matrix_band_part, matrix_diag, matrix_diag_part, matrix_set_diag, trace
from runtime.ops.records.gradients import ops

__all__: list[str] = []


def _numbers(rows: Any, columns: Any) -> tuple[Any, Any]:
    return ops.expand_dims(counted(rows), axis=1), ops.expand_dims(counted(columns), axis=0)


def _sizes(x: Any) -> tuple[Any, Any]:
    shape = ops.shape(x, out_type=int64)
    return shape[-2], shape[-1]


def _on_diagonal(diagonal: Any, others: Any, rows: Any, columns: Any, k: int) -> Any:
    """The elements of a diagonal in their places, the others elsewhere."""
    down, right = _numbers(rows, columns)
    hit = ops.equal(ops.subtract(right, down), constant(down, k))
    place = ops.minimum(ops.add(down, constant(down, min(k, 0))), ops.add(right, constant(down, -max(k, 0))))
    last = ops.subtract(ops.shape(diagonal, out_type=int64)[-1], constant(down, 1))
    place = ops.maximum(ops.minimum(place, last), constant(down, 0))
    return ops.where(hit, ops.gather(diagonal, place, axis=-1), others)


@expands(matrix_diag)
def _(diagonal: Any, padding_value: Any, k: int, num_rows: int, num_cols: int) -> Any:
    count = diagonal.shape[-1] if diagonal.shape.rank else None
    if not count:
        return NotImplemented
    least = count + max(-k, 0), count + max(k, 0)
    if num_rows == -1 and num_cols == -1:
        sizes = (max(least),) * 2
    else:
        sizes = (least[0] if num_rows == -1 else num_rows, least[1] if num_cols == -1 else num_cols)
    rows, columns = (diagonal.graph.constant(int64.numpy.type(n).reshape(())) for n in sizes)
    return _on_diagonal(diagonal, padding_value, rows, columns, k)


@expands(matrix_set_diag)
def _(input: Any, diagonal: Any, k: int) -> Any:
    return _on_diagonal(diagonal, input, *_sizes(input), k)


@expands(matrix_diag_part)
def _(input: Any, k: int) -> Any:
    rows, columns = _sizes(input)
    down, right = max(-k, 0), max(k, 0)
    count = ops.minimum(
        ops.subtract(rows, constant(rows, down)), ops.subtract(columns, constant(rows, right))
    )
    numbers = counted(count)
    places = ops.add(
        ops.multiply(ops.add(numbers, constant(rows, down)), columns), ops.add(numbers, constant(rows, right))
    )
    before = ops.shape(input, out_type=int64)[:-2]
    flat = ops.reshape(input, ops.concat([before, ops.reshape(ops.multiply(rows, columns), [1])], axis=0))
    return ops.gather(flat, places, axis=-1)


@expands(matrix_band_part)
def _(input: Any, num_lower: Any, num_upper: Any) -> Any:
    down, right = _numbers(*_sizes(input))
    kept = None
    for distance, bound in ((ops.subtract(down, right), num_lower), (ops.subtract(right, down), num_upper)):
        wide = ops.cast(bound, dtype=int64)
        inside = ops.logical_or(ops.less(wide, constant(wide, 0)), ops.less_equal(distance, wide))
        kept = inside if kept is None else ops.logical_and(kept, inside)
    return ops.where(kept, input, constant(input, 0))


@expands(trace)
def _(x: Any) -> Any:
    return ops.reduce_sum(ops.matrix_diag_part(x), axis=-1)
