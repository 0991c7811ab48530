"""`runtime.split` of ragged tensors: into rows that follow each other, or along an axis whose size is known.

split(rows, [1, 3])                 # the first row, and the three after it
split(rows, 2, axis=2)              # halves of values that are vectors
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from runtime.composite.ragged_calls import rule
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.errors import ShapeMismatchError
from runtime.ops.records.attributes import checked
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.tensor.dispatch import freeze

__all__: list[str] = []


@rule("split")
def _split(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> tuple[Any, ...]:
    rows = operands["value"]
    sizes, axis = (
        checked(op.name, name, freeze(attributes.get(name, 0), f"split: {name}"), op.kinds[name])
        for name in ("num_or_size_splits", "axis")
    )
    rank = rows.shape.rank
    if axis < 0 if rank is None else not -rank <= axis < rank:
        raise ShapeMismatchError(f"split: axis {axis} is no axis of a RaggedTensor of shape {rows.shape}")
    axis += rank if axis < 0 else 0
    return tuple(_parts(op, rows, sizes, axis))


def _parts(op: Op, rows: Any, sizes: Any, axis: int) -> list[Any]:
    if not isinstance(rows, RaggedTensor):
        return list(op(rows, num_or_size_splits=sizes, axis=axis))
    if axis == 0:
        bounds = _bounds(sizes, rows.nrows(), f"{rows._static_rows() or 'the'} rows", rows._static_rows())
        return [rows[a:b] for a, b in itertools.pairwise(bounds)]
    if axis == 1 and rows._uniform is not None:
        bounds = _bounds(sizes, None, f"rows of length {rows._uniform}", rows._uniform)
        return [rows[:, a:b] for a, b in itertools.pairwise(bounds)]
    if axis == 1 and sizes == 1:
        return [rows]
    if axis > 1:
        return [rows._with(part) for part in _parts(op, rows.values, sizes, axis - 1)]
    raise ShapeMismatchError(
        f"split: axis 1 of a RaggedTensor of shape {rows.shape} has another length in each row; take slices"
        " (rows[:, a:b]), or split along axis 0"
    )


def _bounds(sizes: Any, count: Any, what: str, known: int | None) -> Sequence[Any]:
    """Where the parts begin, and where the last one ends. count: how many there are to share, a scalar tensor."""
    if isinstance(sizes, tuple):
        return _of_sizes(sizes, count, what, known)
    if sizes < 1:
        raise ShapeMismatchError(f"split: {sizes} equal parts cannot be made of {what}")
    if known is not None:
        if known % sizes:
            raise ShapeMismatchError(f"split: {what} cannot be split into {sizes} equal parts")
        return [known // sizes * i for i in range(sizes + 1)]
    whole = ops.equal(ops.floormod(count, sizes), 0)
    ops.check(whole, [count], message=f"split: rows cannot be split into {sizes} equal parts; there are ")
    size = ops.floordiv(count, sizes)
    return [size * i for i in range(sizes + 1)]


def _of_sizes(sizes: tuple[int, ...], count: Any, what: str, known: int | None) -> Sequence[Any]:
    rest, total = sizes.count(-1), sum(size for size in sizes if size != -1)
    wrong = rest > 1 or any(size < -1 for size in sizes)
    if wrong or (known is not None and (total > known if rest else total != known)):
        raise ShapeMismatchError(f"split: {what} cannot be split into parts of the sizes {list(sizes)}")
    if known is None:
        fits = ops.less_equal(total, count) if rest else ops.equal(total, count)
        words = f"split: rows cannot be split into parts of the sizes {list(sizes)}; there are "
        ops.check(fits, [count], message=words)
    left = count - total if known is None else known - total
    return list(itertools.accumulate((left if size == -1 else size for size in sizes), initial=0))
