"""From ragged to dense and sparse tensors: `to_tensor`, `to_sparse`, `from_sparse`, `bounding_shape`.

    to_tensor([[3, 1], [], [4]], default_value=0)        # [[3, 1], [0, 0], [4, 0]]

Everything is done by operations that have gradients: the gradient of a ragged tensor's values is that of the cells in
which they stand.
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import DType, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.shapes import as_shape
from runtime.tensor.convert import convert_to_tensor

__all__ = ["bounding_shape", "from_sparse", "to_sparse", "to_tensor"]


def bounding_shape(ragged: Any, axis: Any, out_type: DType) -> Any:
    """See RaggedTensor.bounding_shape."""
    levels = ragged._levels()
    flat = ragged.flat_values
    sizes = [ragged.nrows(out_type=out_type)]
    sizes += [ops.cast(_longest(level), out_type) for level in levels]
    inner = ops.shape(flat, out_type=out_type)[1:]
    whole = ops.concat([ops.stack(sizes), inner], axis=0)
    if axis is None:
        return whole
    return whole[axis] if isinstance(axis, int) else ops.gather(whole, axis)


def _longest(level: Any) -> Any:
    """The length of the longest row; 0 where there is none."""
    lengths = level.row_lengths()
    return ops.reduce_max(ops.concat([convert_to_tensor([0], lengths.dtype), lengths], axis=0))


def to_tensor(ragged: Any, default_value: Any, shape: Any) -> Any:
    """See RaggedTensor.to_tensor."""
    wanted = as_shape(shape).dims if not hasattr(shape, "dtype") else tuple(shape[i] for i in range(shape.shape[0]))
    rank = ragged.shape.rank
    if wanted is not None and rank is not None and len(wanted) != rank:
        raise ShapeMismatchError(f"to_tensor: shape {shape} has another rank than the RaggedTensor: {ragged.shape}")
    flat = ragged.flat_values
    default = _default(flat, default_value)
    levels = ragged._levels()
    made = flat
    for depth in range(len(levels), 0, -1):
        size = None if wanted is None else wanted[depth]
        made = _filled(levels[depth - 1], made, default, size)
    if wanted is not None and wanted[0] is not None:
        made = _with_rows(made, wanted[0], default)
    if wanted is not None and any(isinstance(d, int) for d in wanted[len(levels) + 1 :]):
        made = _checked_inner(made, wanted, len(levels))
    return made


def _default(flat: Any, value: Any) -> Any:
    if value is None:
        return convert_to_tensor(b"" if flat.dtype.family == "string" else 0, flat.dtype)
    default = convert_to_tensor(value, flat.dtype)
    inner = flat.shape[1:] if flat.shape.rank is not None else None
    if default.shape.rank and inner is not None and not default.shape.is_compatible_with(inner):
        raise ShapeMismatchError(
            f"to_tensor: default_value is a scalar or a value of shape {inner}; its shape is {default.shape}"
        )
    return default


def _filled(level: Any, values: Any, default: Any, size: Any) -> Any:
    """Rows of one length out of the rows that `level` makes of dense values."""
    dtype = level.row_splits.dtype
    width = _longest(level) if size is None else ops.cast(convert_to_tensor(size), dtype)
    columns = ops.range(convert_to_tensor(0, dtype), width, 1)
    starts = ops.expand_dims(level.row_starts(), axis=1)
    lengths = ops.expand_dims(level.row_lengths(), axis=1)
    count = ops.shape(values, out_type=dtype)[0]
    inside = ops.less(columns, lengths)
    places = ops.where(inside, ops.add(starts, columns), count)
    made = ops.gather(_with_rows_after(values, default, 1), places)
    known = size if isinstance(size, int) else None
    return _known(made, [level._static_rows(), known])


def _with_rows_after(values: Any, default: Any, count: Any) -> Any:
    """The values, and after them `count` rows with the default value."""
    inner = ops.shape(values)[1:]
    rows = ops.reshape(ops.cast(convert_to_tensor(count), "int32"), [1])
    shape = ops.concat([rows, inner], axis=0)
    return ops.concat([values, ops.broadcast_to(default, shape)], axis=0)


def _known(tensor: Any, sizes: list[int | None]) -> Any:
    """The tensor, whose first dimensions are known to be these."""
    shape = tensor.shape
    if not hasattr(tensor, "set_shape") or shape.rank is None:
        return tensor
    tensor.set_shape([*sizes, *[None] * (shape.rank - len(sizes))])
    return tensor


def _with_rows(dense: Any, count: Any, default: Any) -> Any:
    """The first `count` rows; rows of the default value where there are fewer."""
    rows = ops.cast(convert_to_tensor(count), "int32")
    given = ops.shape(dense)[0]
    missing = ops.maximum(ops.subtract(rows, given), 0)
    return _with_rows_after(dense, default, missing)[:count]


def _checked_inner(dense: Any, wanted: tuple[Any, ...], ragged_rank: int) -> Any:
    inner = dense.shape[ragged_rank + 1 :]
    if not inner.is_compatible_with([d if isinstance(d, int) else None for d in wanted[ragged_rank + 1 :]]):
        raise ShapeMismatchError(f"to_tensor: the values have shape {inner}, which is not what shape {wanted} asks for")
    return dense


# -- sparse --------------------------------------------------------------------------------------------------------


def to_sparse(ragged: Any) -> Any:
    """See RaggedTensor.to_sparse."""
    from runtime.composite.sparse_tensor import SparseTensor

    if ragged.flat_values.shape.rank != 1:
        raise ShapeMismatchError("to_sparse: the innermost values must be a vector, so that each has a cell of its own")
    columns: list[Any] = []
    for level in ragged._levels():
        ids = ops.cast(level.value_rowids(), int64)
        starts = ops.gather(ops.cast(level.row_starts(), int64), ids)
        count = ops.cast(level.row_splits[-1], int64)
        place = ops.subtract(ops.range(convert_to_tensor(0, int64), count, 1), starts)
        outer = [ops.gather(column, ids) for column in columns] or [ids]
        columns = [*outer, place]
    indices = ops.stack(columns, axis=1)
    return SparseTensor(indices, ragged.flat_values, bounding_shape(ragged, None, int64))


def from_sparse(cls: Any, sparse: Any, dtype: DType) -> Any:
    """See RaggedTensor.from_sparse."""
    rank = sparse.indices.shape[1]
    if rank != 2:
        raise InvalidArgumentError(f"from_sparse: a SparseTensor of rank 2 is needed; got rank {rank}")
    ids = ops.cast(sparse.indices[:, 0], dtype)
    nrows = ops.cast(sparse.dense_shape[0], dtype)
    made = cls.from_value_rowids(sparse.values, ids, nrows)
    starts = ops.gather(made.row_starts(), ids)
    count = ops.shape(ids, out_type=dtype)[0]
    places = ops.range(convert_to_tensor(0, dtype), count, 1) - starts
    fits = ops.reduce_all(ops.equal(places, ops.cast(sparse.indices[:, 1], dtype)))
    ops.check(
        fits, message="from_sparse: the values of each row must stand at its beginning, in order and without gaps"
    )
    return made
