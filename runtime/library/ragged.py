"""`runtime.ragged`: tensors with rows of different lengths.

>>> rows = runtime.ragged.constant([[3, 1], [], [4, 1, 5]])
>>> runtime.reduce_sum(rows, axis=1)
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([ 4,  0, 10], dtype=int32)>

`runtime.RaggedTensor` has the methods, `runtime.RaggedTensorSpec` says what an argument of a Function must look like.
Operations that work element by element, reductions, concat, stack and gather take ragged tensors as they take tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.composite.ragged_calls import aligned
from runtime.composite.ragged_cross import cross
from runtime.composite.ragged_joins import boolean_mask as _boolean_mask
from runtime.composite.ragged_joins import stack_rows
from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import as_dtype, int64
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.names.elsewhere import explain
from runtime.ops.records.gradients import ops
from runtime.ops.rows import places as row_places
from runtime.ops.rows import rows as row_ops
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "RaggedTensor", "RaggedTensorSpec", "boolean_mask", "constant", "cross", "map_flat_values", "range",
    "row_splits_to_segment_ids", "segment_ids_to_row_splits", "stack",
]  # fmt: skip

explain(__name__)


def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = int64,
) -> Any:
    """Nested lists as a RaggedTensor; a list of numbers as a tensor, since no axis of it can be ragged.

    ragged_rank: how many axes are ragged, by default all but the first (and those of inner_shape, the shape of the
    innermost values). All values stand at one depth: ValueError otherwise.
    """
    value = pylist.tolist() if isinstance(pylist, np.ndarray) else pylist
    depth, empty = _depths(value)
    if depth is not None and empty > depth:
        raise ValueError(f"ragged.constant: an empty list is nested {empty} deep, the values {depth}: {pylist!r}")
    most = None if depth is None else max(depth, 1)  # where there is no value, rows may be nested at will
    depth = max(empty, 1, 1 + (ragged_rank or 0)) if depth is None else depth
    inner = None if inner_shape is None else tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(depth - 1 - len(inner or ()), 0)
    elif ragged_rank < 0 or (most is not None and ragged_rank >= most):
        raise ValueError(f"ragged.constant: ragged_rank is less than {most} here; got {ragged_rank}")
    flat, nested = value, []
    for _ in _range(ragged_rank):
        nested.append([len(row) for row in flat])
        flat = [item for row in flat for item in row]
    values = _innermost(flat, dtype, depth - ragged_rank - 1, inner)
    lengths = [convert_to_tensor(sizes, as_dtype(row_splits_dtype)) for sizes in nested]
    return RaggedTensor.from_nested_row_lengths(values, lengths, validate=False) if lengths else values


_range = range


def _depths(value: Any) -> tuple[int | None, int]:
    """How deep the values are nested (None: there are none), and the deepest empty list."""
    found: int | None = None
    empty, depth, level = 0, 0, [value]
    while level:
        lists = [v for v in level if isinstance(v, list | tuple | np.ndarray) and not _is_scalar(v)]
        if len(lists) < len(level):
            if lists or found is not None:
                raise ValueError("ragged.constant: all values must be nested equally deep; some stand beside lists")
            found = depth
        depth += 1
        if any(not len(v) for v in lists):
            empty = depth
        inner = [item for v in lists for item in v]
        if found is not None and inner:
            raise ValueError("ragged.constant: all values must be nested equally deep")
        level = inner
    return found, empty


def _is_scalar(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 0


def _innermost(flat: Any, dtype: Any, rank: int, inner: tuple[int, ...] | None) -> Any:
    if not isinstance(flat, list | tuple) or len(flat):
        try:
            values = convert_to_tensor(flat, dtype)
        except TypeError as error:
            raise DtypeMismatchError(f"ragged.constant: {error}") from None
        if inner is not None and not values.shape[1:].is_compatible_with(inner):
            raise ValueError(f"ragged.constant: the values have shape {values.shape[1:]}, not inner_shape {inner}")
        return values
    shape = [0, *([0] * max(rank, 0) if inner is None else inner)]
    return ops.zeros(shape, dtype="float32" if dtype is None else dtype)


def range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = int64,
) -> Any:  # fmt: skip
    """Row i is range(starts[i], limits[i], deltas[i]); with one argument, range(starts[i])."""
    if limits is None:
        starts, limits = 0, starts
    given = [starts, limits, deltas]
    if dtype is not None:
        given = [ops.cast(convert_to_tensor(v), dtype) for v in given]
    values, splits = row_places.ragged_range(*given, name=name)
    return RaggedTensor(values, ops.cast(splits, as_dtype(row_splits_dtype)), internal=True)


def stack(values: Sequence[Any], axis: int = 0, name: str | None = None) -> Any:
    """Tensors of one rank, whose shapes may differ, along a new axis, which together with the next becomes ragged."""
    return stack_rows(values, axis)


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """What is left where the mask is true. data, mask: tensors or ragged tensors; the mask may have fewer axes."""
    return _boolean_mask(data, mask)


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """op of the innermost values, in the same rows. Several ragged arguments must have the same rows.

    Raises ShapeMismatchError where the result has not one item for each value.
    """
    ragged = [v for v in (*args, *kwargs.values()) if isinstance(v, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    model = ragged[0]

    def flat(value: Any) -> Any:
        return aligned(ops.identity, model, value) if isinstance(value, RaggedTensor) else value

    made = op(*map(flat, args), **{k: flat(v) for k, v in kwargs.items()})
    result = made if isinstance(made, RaggedTensor) else convert_to_tensor(made)
    wanted = model.flat_values.shape[:1]
    if result.shape.rank == 0 or not result.shape[:1].is_compatible_with(wanted):
        raise ShapeMismatchError(
            f"map_flat_values: the result has one item for each of the {wanted} values; its shape is {result.shape}"
        )
    return model.with_flat_values(result)


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The number of the row of each value. splits: row_splits, where each row begins."""
    tensor = convert_to_tensor(splits, None if hasattr(splits, "dtype") else int64)
    ids = row_ops.row_ids(tensor, name=name)
    return ids if out_type is None else ops.cast(ids, as_dtype(out_type))


def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """row_splits of rows to which the values with these numbers, which never fall, belong."""
    ids = convert_to_tensor(segment_ids, None if hasattr(segment_ids, "dtype") else int64)
    splits = RaggedTensor.from_value_rowids(ids, ids, num_segments, name).row_splits
    return splits if out_type is None else ops.cast(splits, as_dtype(out_type))
