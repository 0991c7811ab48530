"""Order along an axis: sort, argsort, top_k.

>>> runtime.sort([3, 1, 2], direction="DESCENDING")
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([3, 2, 1], dtype=int32)>

Sorting is stable: among equal elements the lower position comes first, in both directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import REALS, STRINGS, DType, int32
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import ops, zeros_for
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import normalized_axis
from runtime.shapes import TensorShape

__all__ = ["argsort", "sort", "top_k"]

DIRECTIONS = ("ASCENDING", "DESCENDING")


def _refuse_unknown(direction: str) -> None:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be one of {', '.join(DIRECTIONS)}; got {direction!r}")


def _sorted_shape(values: Operand, axis: int, direction: str, stable: bool = True) -> TensorShape:
    _refuse_unknown(direction)
    if values.shape.rank is not None:
        normalized_axis(axis, values.shape.rank)
    return values.shape


def positions_in_order(values: Array, axis: int, direction: str) -> Array:
    """Where each element of the sorted tensor comes from. Raises ValueError for an unknown direction."""
    _refuse_unknown(direction)
    axis = normalized_axis(axis, np.ndim(values))
    if direction == "ASCENDING":
        return np.argsort(values, axis=axis, kind="stable")
    last = values.shape[axis] - 1
    return np.flip(last - np.argsort(np.flip(values, axis), axis=axis, kind="stable"), axis)


FEW: Final = 16
"""How many times longer than `k` a row must be, for `top_k` not to sort it."""


def _first_greatest(values: Array, k: int) -> Array:
    return positions_in_order(values, -1, "DESCENDING")[..., :k]


def _greatest(values: Array, k: int) -> Array:
    """The positions of the k greatest elements of each row, from the greatest on, without sorting the others: those
    above the k-th greatest, and the first ones that are equal to it."""
    bound = np.partition(values, -k, axis=-1)[..., -k, None]
    with np.errstate(invalid="ignore"):
        above, equal = values > bound, values == bound
    if values.dtype.kind == "f":
        above, equal = above | (np.isnan(values) & ~np.isnan(bound)), equal | (np.isnan(values) & np.isnan(bound))
    left = k - np.count_nonzero(above, axis=-1)[..., None]
    chosen = above | (equal & (np.cumsum(equal, axis=-1) <= left))
    positions = np.nonzero(chosen)[-1].reshape(*values.shape[:-1], k)
    ranks = _first_greatest(np.take_along_axis(values, positions, -1), k)
    return np.take_along_axis(positions, ranks, -1)


def _lines(make: Any) -> Any:
    """A reference that applies `make` to the list of each line along the axis."""

    def reference(values: Array, axis: int, direction: str) -> Array:
        moved = np.moveaxis(values, axis, -1)
        result = np.empty(moved.shape, object)
        for index in np.ndindex(moved.shape[:-1]):
            result[index] = make(moved[index].tolist(), direction == "DESCENDING")
        return np.moveaxis(result, -1, axis)

    return reference


def _positions_by_hand(items: Sequence[Any], down: bool) -> list[int]:
    """Each element's position is how many stand before it: smaller (or larger) ones, and earlier equals."""
    places = range(len(items))
    before = [
        sum((x > y if down else x < y) or (x == y and i < j) for i, x in enumerate(items))
        for j, y in enumerate(items)
    ]
    return sorted(places, key=before.__getitem__)


TIED = calls(lambda x: [(x(7),), (x(2, 9),), (x(9, 2).T,), (x(0),), (x(3, 4, 2)[::-1],)])
SAMPLES = each(TIED, axis=(-1, 0), direction=DIRECTIONS)
MISUSED = (
    Failure((np.float32(1),), ShapeMismatchError, ("axis -1", "rank 0")),
    Failure((np.ones((2, 3), np.float32), 2), ShapeMismatchError, ("axis 2", "(2, 3)")),
    Failure((np.ones(2, np.float32),), InvalidArgumentError, ("direction", "UP"), {"direction": "UP"}),
)


@op(
    shape=_sorted_shape, dtypes=REALS, errors=MISUSED, samples=SAMPLES,
    reference=_lines(lambda items, down: sorted(items, reverse=down)),
)  # fmt: skip
def sort(values: Array, axis: int = -1, direction: str = "ASCENDING") -> Any:
    """The elements in order along an axis. values: real tensor; direction: ASCENDING or DESCENDING; nan counts as the
    largest."""
    _refuse_unknown(direction)
    ordered = np.sort(values, axis=axis, kind="stable")
    return ordered if direction == "ASCENDING" else np.flip(ordered, axis)


@sort.gradient
def _(upstream: Any, values: Any, axis: int, direction: str) -> Any:
    positions = argsort(values, axis, direction)
    return ops.add_along_axis(zeros_for(values), positions, upstream, axis)


@op(
    shape=_sorted_shape, dtypes=REALS | STRINGS, result=int32, errors=MISUSED, samples=SAMPLES,
    reference=_lines(_positions_by_hand),
)  # fmt: skip
def argsort(values: Array, axis: int = -1, direction: str = "ASCENDING", stable: bool = True) -> Any:
    """The positions, as int32, in which the elements are in order along an axis. values: real or string tensor.

    stable: whether equal elements stay in their order; if not, they come as numpy's quicksort puts them.
    """
    if not stable and direction == "ASCENDING":
        return np.argsort(values, axis=normalized_axis(axis, np.ndim(values))).astype(np.int32)
    return positions_in_order(values, axis, direction).astype(np.int32)


def _top_shapes(input: Operand, k: int) -> tuple[TensorShape, TensorShape]:
    dims = input.shape.dims
    if dims is None:
        return TensorShape(None), TensorShape(None)
    if not dims:
        raise ValueError("the input must have at least one dimension")
    if k < 0 or (dims[-1] is not None and k > dims[-1]):
        raise ValueError(f"k must lie between 0 and the size of the last dimension; got {k}")
    shape = TensorShape([*dims[:-1], k])
    return shape, shape


def _top_dtypes(input: Operand, k: int) -> tuple[DType, DType]:
    return input.dtype, int32


def _top_reference(input: Array, k: int) -> tuple[Array, Array]:
    found = _lines(lambda items, down: sorted(range(len(items)), key=lambda i: (-items[i], i)))(input, -1, "DESCENDING")
    positions = found[..., :k].astype(np.int32)
    chosen = np.empty(positions.shape, object)
    for index in np.ndindex(positions.shape):
        chosen[index] = input[(*index[:-1], positions[index])]
    return chosen, positions


@op(
    raises=VALUES,
    shape=_top_shapes, dtypes=REALS, result=_top_dtypes, outputs=2,
    samples=each(calls(lambda x: [(x(7),), (x(2, 9),), (x(9, 2).T[:, ::-1],)]), k=(0, 1, 3)), reference=_top_reference,
    errors=[Failure((np.ones((2, 3), np.float32), 4), ShapeMismatchError, ("4", "(2, 3)")),
            Failure((np.ones((2, 3), np.float32), -1), ShapeMismatchError, ("-1",)),
            Failure((np.float32(1), 1), ShapeMismatchError, ("dimension",))],
)  # fmt: skip
def top_k(input: Array, k: int = 1) -> Any:
    """The k largest elements of each row, in descending order, and their positions as int32; the lower position first
    among equals. input: real tensor of rank >= 1."""
    if not input.ndim or not 0 <= k <= input.shape[-1]:
        raise ShapeMismatchError(
            f"top_k: k must lie between 0 and the size of the last dimension of {show_shape(input)}; got {k}"
        )
    is_few = 0 < k * FEW < input.shape[-1] and input.dtype.kind in "fiu"
    positions = _greatest(input, k) if is_few else _first_greatest(input, k)
    return np.take_along_axis(input, positions, -1), positions.astype(np.int32)


@top_k.gradient
def _(upstream: Any, result: Any, input: Any) -> Any:
    return ops.add_along_axis(zeros_for(input), result[1], upstream[0], -1)
