"""`runtime.sparse`: tensors of which only some cells are kept.

>>> x = runtime.sparse.from_dense([[0, 1], [2, 0]])
>>> runtime.sparse.reduce_sum(x, axis=1)
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>

The order of the cells matters to `to_dense` alone (unless it is told otherwise); where a cell is repeated, sums and
products count all of its values. The gradient of the values is that of the cells in which they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.composite.sparse_calls import added, check_same_shape, densified, ordered
from runtime.composite.sparse_tensor import SparseTensor, SparseTensorSpec
from runtime.dtypes import float32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.names.elsewhere import explain
from runtime.ops.records.gradients import ops
from runtime.ops.records.shape_rules import normalized_axes, normalized_axis
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "SparseTensor", "SparseTensorSpec", "add", "concat", "expand_dims", "eye", "from_dense", "map_values", "mask",
    "reduce_max", "reduce_sum", "reorder", "reshape", "retain", "slice", "sparse_dense_matmul", "to_dense", "transpose",
]  # fmt: skip

explain(__name__)

# -- to and from dense tensors -------------------------------------------------------------------------------------


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The cells of a tensor that are not zero (false, the empty text), row by row."""
    dense = convert_to_tensor(tensor)
    zero: Any = b"" if dense.dtype.family == "string" else False if dense.dtype.is_bool else 0
    cells = ops.argwhere(ops.not_equal(dense, convert_to_tensor(zero, dense.dtype)))
    return SparseTensor.of(cells, ops.gather_nd(dense, cells), ops.shape(dense, out_type=int64))


@switches
def to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """The whole tensor, with default_value (zero, false, the empty text) where nothing is kept.

    Raises InvalidArgumentError that names the position of indices which are out of order or repeated; with
    validate_indices=False the last value of a cell counts.
    """
    return densified(_sparse("to_dense", sp_input), default_value, validate_indices)


def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same with the cells in ascending order."""
    return ordered(_sparse("reorder", sp_input))


def eye(num_rows: Any, num_columns: Any = None, dtype: Any = float32, name: str | None = None) -> SparseTensor:
    """A matrix with ones on its diagonal."""
    rows = convert_to_tensor(num_rows, None if isinstance(num_rows, Tensor) else int64)
    columns = rows if num_columns is None else convert_to_tensor(num_columns, rows.dtype)
    count = ops.cast(ops.minimum(rows, columns), int64)
    places = ops.range(convert_to_tensor(0, int64), count, 1)
    values = ops.fill(ops.reshape(count, [1]), convert_to_tensor(1, dtype))
    return SparseTensor.of(ops.stack([places, places], axis=1), values, ops.cast(ops.stack([rows, columns]), int64))


def _sparse(name: str, value: Any) -> SparseTensor:
    if not isinstance(value, SparseTensor):
        raise TypeError(f"sparse.{name}: a SparseTensor is needed; got {value!r}. runtime.sparse.from_dense makes one")
    return value


# -- values --------------------------------------------------------------------------------------------------------


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """op of the values, in the same cells. Several sparse arguments must have the same indices and shape.

    op is not asked what it makes of zero: the cells that are not kept stay zero.
    """
    sparse = [v for v in (*args, *kwargs.values()) if isinstance(v, SparseTensor)]
    if not sparse:
        raise ValueError("sparse.map_values: no argument is a SparseTensor")
    model = sparse[0]
    for other in sparse[1:]:
        _check_same_cells(model, other)

    def values_of(value: Any) -> Any:
        return value.values if isinstance(value, SparseTensor) else value

    return model.with_values(op(*map(values_of, args), **{k: values_of(v) for k, v in kwargs.items()}))


def _check_same_cells(a: SparseTensor, b: SparseTensor) -> None:
    check_same_shape("map_values", a.dense_shape, b.dense_shape)
    counts = [ops.shape(x.indices)[0] for x in (a, b)]
    ops.check(ops.equal(*counts), counts, message="map_values: so many cells are kept of sparse tensors: ")
    differs = ops.reshape(ops.argwhere(ops.reduce_any(ops.not_equal(a.indices, b.indices), axis=1)), [-1])
    none = ops.equal(ops.size(differs), 0)
    ops.check(none, [differs], message="map_values: sparse tensors have other indices at the positions ")


def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum: sparse for two sparse tensors, dense if one is dense.

    threshold: cells of a sparse sum whose absolute value is less are left out.
    """
    if not any(isinstance(x, SparseTensor) for x in (a, b)):
        raise TypeError("sparse.add: one of the tensors must be sparse; use runtime.add for dense tensors")
    total = added(a, b)
    if not isinstance(total, SparseTensor) or (not isinstance(threshold, Tensor) and not np.any(threshold)):
        return total
    size = ops.abs(total.values)
    return retain(total, ops.greater_equal(size, convert_to_tensor(threshold, size.dtype)))


def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The cells for which to_retain, a bool vector, is true."""
    x, kept = _sparse("retain", sp_input), convert_to_tensor(to_retain, "bool")
    if not kept.shape.is_compatible_with(x.values.shape):
        raise ShapeMismatchError(f"sparse.retain: one bool for each of {x.values.shape} values; got {kept.shape}")
    return SparseTensor.of(ops.boolean_mask(x.indices, kept), ops.boolean_mask(x.values, kept), x.dense_shape)


# -- reductions and products ---------------------------------------------------------------------------------------


@switches
def reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: bool = False, output_is_sparse: bool = False, name: str | None = None
) -> Tensor:
    """The sum over axes (all of them by default), dense unless output_is_sparse."""
    return _reduced("reduce_sum", _sparse("reduce_sum", sp_input), axis, keepdims, output_is_sparse)


@switches
def reduce_max(
    sp_input: Any, axis: Any = None, keepdims: bool = False, output_is_sparse: bool = False, name: str | None = None
) -> Tensor:
    """The largest of the kept values along axes; where none is kept, 0 in a dense result."""
    return _reduced("reduce_max", _sparse("reduce_max", sp_input), axis, keepdims, output_is_sparse)


def _reduced(name: str, x: SparseTensor, axis: Any, keepdims: bool, sparse: bool) -> Any:
    rank = x.rank
    if rank is None:
        raise ShapeMismatchError(f"sparse.{name}: a SparseTensor of known rank is needed")
    try:
        axes = normalized_axes(tuple(axis) if isinstance(axis, list) else axis, rank)
    except ValueError as error:
        raise ShapeMismatchError(f"sparse.{name}: {error}") from None
    kept = [i for i in _range(rank) if i not in axes]
    cells, ids = ops.distinct_cells(ops.gather(x.indices, convert_to_tensor(kept, "int32"), axis=1))
    count = ops.shape(cells, out_type=int64)[0]
    combine = ops.unsorted_segment_sum if name == "reduce_sum" else ops.unsorted_segment_max
    values = combine(x.values, ids, count)
    sizes = ops.gather(x.dense_shape, convert_to_tensor(kept, "int32"))
    made = SparseTensor.of(cells, values, sizes)
    for a in axes if keepdims else ():
        made = expand_dims(made, a)
    return made if sparse else densified(made, None, False)


@switches
def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The product of two matrices of which one is sparse; it is dense.

    adjoint_a, adjoint_b: of the conjugate transposed matrix. Raises ShapeMismatchError where the inner sizes differ.
    """
    if isinstance(b, SparseTensor):
        if isinstance(sp_a, SparseTensor):
            raise TypeError("sparse_dense_matmul: one of the matrices must be dense; use runtime.sparse.to_dense")
        return ops.transpose(_product(b, _turned(sp_a, not adjoint_a, adjoint_a), not adjoint_b, adjoint_b))
    return _product(_sparse("sparse_dense_matmul", sp_a), _turned(b, adjoint_b, adjoint_b), adjoint_a, adjoint_a)


def _turned(matrix: Any, transposed: bool, conjugated: bool) -> Any:
    dense = convert_to_tensor(matrix)
    if dense.shape.rank not in (2, None):
        raise ShapeMismatchError(f"sparse_dense_matmul: matrices are needed; got the shape {dense.shape}")
    dense = ops.conj(dense) if conjugated and dense.dtype.is_complex else dense
    return ops.transpose(dense, [1, 0]) if transposed else dense


def _product(a: SparseTensor, b: Any, transposed: bool, conjugated: bool) -> Any:
    if a.rank not in (2, None):
        raise ShapeMismatchError(f"sparse_dense_matmul: matrices are needed; got a SparseTensor of shape {a.shape}")
    row, column = (1, 0) if transposed else (0, 1)
    if not a.shape[column : column + 1].is_compatible_with(b.shape[:1]):
        raise ShapeMismatchError(
            f"sparse_dense_matmul: the inner sizes differ: {a.shape}{' transposed' if transposed else ''} and {b.shape}"
        )
    inner = [a.dense_shape[column], ops.shape(b, out_type=int64)[0]]
    ops.check(ops.equal(*inner), inner, message="sparse_dense_matmul: the inner sizes of the matrices differ: ")
    values = ops.conj(a.values) if conjugated and a.dtype.is_complex else a.values
    terms = ops.multiply(ops.expand_dims(values, axis=1), ops.gather(b, a.indices[:, column]))
    made = ops.unsorted_segment_sum(terms, a.indices[:, row], a.dense_shape[row])
    if hasattr(made, "set_shape"):
        made.set_shape([a.shape[row] if a.rank == 2 else None, b.shape[1] if b.shape.rank == 2 else None])
    return made


# -- cells ---------------------------------------------------------------------------------------------------------

_range = range
_slice = slice


def slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The part from `start` on, of size `size` or as much as there is."""
    x = _sparse("slice", sp_input)
    first, wanted = (ops.cast(v, int64) if hasattr(v, "dtype") else convert_to_tensor(v, int64) for v in (start, size))
    for what, given in (("start", first), ("size", wanted)):
        if not given.shape.is_compatible_with(x.dense_shape.shape):
            raise ShapeMismatchError(f"sparse.slice: {what} has a number for each axis of {x.shape}; got {given.shape}")
        ops.check(
            ops.reduce_all(ops.greater_equal(given, 0)), [given], message=f"sparse.slice: {what} is not negative; got "
        )
    last = ops.minimum(ops.add(first, wanted), x.dense_shape)
    begin = ops.minimum(first, x.dense_shape)
    within = ops.logical_and(ops.greater_equal(x.indices, begin), ops.less(x.indices, last))
    kept = ops.reduce_all(within, axis=1)
    cells = ops.subtract(ops.boolean_mask(x.indices, kept), begin)
    return SparseTensor.of(cells, ops.boolean_mask(x.values, kept), ops.subtract(last, begin))


def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in another order, by default the opposite one; the cells come in ascending order."""
    x = _sparse("transpose", sp_input)
    if perm is None:
        if x.rank is None:
            raise ShapeMismatchError("sparse.transpose: without perm, a SparseTensor of known rank is needed")
        perm = list(_range(x.rank))[::-1]
    if x.rank is not None and sorted(perm) != list(_range(x.rank)):
        raise InvalidArgumentError(f"sparse.transpose: perm is an order of the {x.rank} axes; got {perm}")
    axes = convert_to_tensor(perm, "int32")
    cells = ops.gather(x.indices, axes, axis=1)
    return ordered(SparseTensor.of(cells, x.values, ops.gather(x.dense_shape, axes)))


@switches
def concat(
    axis: int, sp_inputs: Sequence[Any], expand_nonconcat_dims: bool = False, name: str | None = None
) -> SparseTensor:
    """Sparse tensors of one rank one after the other along an axis; the cells come in ascending order.

    expand_nonconcat_dims: the sizes of the other axes may differ, and the largest of each is taken.
    """
    parts = [_sparse("concat", x) for x in sp_inputs]
    if not parts:
        raise ValueError("sparse.concat needs at least one SparseTensor")
    rank = parts[0].rank
    if rank is None or any(x.rank != rank for x in parts):
        shapes = ", ".join(str(x.shape) for x in parts)
        raise ShapeMismatchError(f"sparse.concat: sparse tensors of one known rank are needed; got {shapes}")
    place = normalized_axis(axis, rank)
    along = np.eye(rank, dtype=np.int64)[place]
    shift = ops.zeros_like(parts[0].dense_shape)
    others = ops.multiply(parts[0].dense_shape, 1 - along)
    moved = []
    for x in parts:
        mine = ops.multiply(x.dense_shape, 1 - along)
        if expand_nonconcat_dims:
            others = ops.maximum(others, mine)
        else:
            check_same_shape("sparse.concat, but for its axis", mine, others)
        moved.append(ops.add(x.indices, shift))
        shift = ops.add(shift, ops.multiply(x.dense_shape, along))
    sizes = ops.add(others, shift)
    values = ops.concat([x.values for x in parts], axis=0)
    return ordered(SparseTensor.of(ops.concat(moved, axis=0), values, sizes))


def expand_dims(sp_input: Any, axis: int | None = None, name: str | None = None) -> SparseTensor:
    """A new axis of size 1, by default the last one."""
    x = _sparse("expand_dims", sp_input)
    if x.rank is None:
        raise ShapeMismatchError("sparse.expand_dims: a SparseTensor of known rank is needed")
    place = normalized_axis(-1 if axis is None else axis, x.rank + 1)
    column = ops.zeros_like(ops.expand_dims(ops.cast(ops.range(0, ops.shape(x.indices)[0], 1), int64), axis=1))
    cells = ops.concat([x.indices[:, :place], column, x.indices[:, place:]], axis=1)
    one = convert_to_tensor([1], int64)
    sizes = ops.concat([x.dense_shape[:place], one, x.dense_shape[place:]], axis=0)
    return SparseTensor.of(cells, x.values, sizes)


def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same values row by row in another shape, of which one size may be -1."""
    x = _sparse("reshape", sp_input)
    wanted = ops.cast(shape, int64) if hasattr(shape, "dtype") else convert_to_tensor(shape, int64)
    total = ops.reduce_prod(x.dense_shape)
    known = ops.reduce_prod(ops.where(ops.less(wanted, 0), convert_to_tensor(1, int64), wanted))
    rest = ops.floordiv(total, ops.maximum(known, convert_to_tensor(1, int64)))
    sizes = ops.where(ops.less(wanted, 0), rest, wanted)
    ops.check(ops.equal(ops.reduce_prod(sizes), total), [x.dense_shape, wanted],
              message="sparse.reshape: the sizes do not fit: ")  # fmt: skip
    flat = ops.reduce_sum(ops.multiply(x.indices, _strides(x.dense_shape)), axis=1, keepdims=True)
    cells = ops.floormod(ops.floordiv(flat, _strides(sizes)), ops.maximum(sizes, convert_to_tensor(1, int64)))
    return SparseTensor.of(cells, x.values, sizes)


def _strides(sizes: Any) -> Any:
    """How many elements one step along each axis is; at least 1."""
    least = ops.maximum(sizes, convert_to_tensor(1, int64))
    return ops.cumprod(least, exclusive=True, reverse=True)


def mask(a: Any, mask_indices: Any, name: str | None = None) -> Any:
    """IndexedSlices without those rows. Raises TypeError if `a` is none."""
    from runtime.state.slices import IndexedSlices

    if not isinstance(a, IndexedSlices):
        raise TypeError(f"mask: an IndexedSlices is needed; got {a!r:.60}")
    rows = convert_to_tensor(mask_indices, a.indices.dtype)
    found = ops.reduce_any(ops.equal(ops.expand_dims(a.indices, axis=1), rows), axis=1)
    kept = ops.logical_not(found)
    return IndexedSlices(ops.boolean_mask(a.values, kept), ops.boolean_mask(a.indices, kept), a.dense_shape)
