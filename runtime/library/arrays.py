"""Public forms of operations on whole arrays whose record takes its arguments in another form.

    runtime.range(5)            the record takes start, limit and delta
    runtime.where(mask)         one argument gives coordinates, three choose elements: two records
    runtime.one_hot([1], 3)     the record takes the values for on and off

The names and the order of the arguments are those of TensorFlow's functions.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.dtypes import DType, as_dtype, float32, float64, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays import create, index, join, padding, repeating, shape
from runtime.ops.elementwise import logic
from runtime.ops.linear import products as linalg
from runtime.ops.records.gradients import ops
from runtime.ops.reductions import order, reduce
from runtime.tensor.convert import as_operand, convert_to_tensor, is_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.literals import literal_dtype
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "argsort", "concat", "count_nonzero", "einsum", "eye", "gather", "linspace", "matmul", "one_hot", "pad", "range_",
    "split", "stack", "transpose", "unstack", "where",
]  # fmt: skip


def to_dtype(value: Any, dtype: Any) -> Any:
    """A tensor of this dtype: tensors are cast, Python values must fit it in kind."""
    return shape.cast(value, dtype) if is_tensor(value) else convert_to_tensor(value, dtype)


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None) -> Tensor:
    """start, start + delta, ... before limit; `range(n)` starts at 0. Empty where limit lies on the other side.

    Real scalars. The dtype is `dtype` or that of the arguments: int32 for Python integers, float32 if one is a float.
    """
    if limit is None:
        start, limit = 0, start
    limits = (start, limit, delta) if dtype is None else [to_dtype(v, as_dtype(dtype)) for v in (start, limit, delta)]
    return create.range_(*limits, name=name)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """With x and y: x where condition is true, else y, with broadcasting. With condition alone: the coordinates of its
    true elements, int64 of shape [n, rank]. Raises ValueError when only one of x and y is given."""
    if x is None and y is None:
        return logic.argwhere(condition, name=name)
    if x is None or y is None:
        raise ValueError("where: x and y must be given together, or neither of them")
    return logic.where(condition, x, y, name=name)


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None, dtype: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A new axis (the last, or `axis`) of size depth: on_value (1) at the index, off_value (0) elsewhere.

    indices: integers; depth: integer scalar. The dtype is `dtype`, or that of the values, or float32.
    """
    if dtype is None and on_value is None and off_value is None:
        dtype = float32
    on, off = 1 if on_value is None else on_value, 0 if off_value is None else off_value
    if dtype is not None:
        on, off = (convert_to_tensor(v, dtype) for v in (on, off))
    return create.one_hot(indices, depth, on, off, axis=-1 if axis is None else axis, name=name)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> Tensor:
    """A matrix with ones on its main diagonal; square unless num_columns is given.

    batch_shape: a list of integers; as many copies of the matrix.
    """
    columns = num_rows if num_columns is None else num_columns
    matrix = create.eye(num_rows, columns, dtype=dtype, name=name)
    if batch_shape is None:
        return matrix
    sizes = shape.cast(shape.reshape(convert_to_tensor(batch_shape, dtype_hint=int32), [-1]), int32)
    return repeating.broadcast_to(matrix, join.concat([sizes, shape.shape(matrix)], axis=0))


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """num values from start to stop, both included, at equal distances, along a new axis. Integer limits give float64.

    start, stop: tensors that broadcast; num: an integer >= 1; axis: where the new axis comes, -1 is the last place.
    """
    axis = integer_of("linspace", "axis", axis)
    limits = [convert_to_tensor(v) for v in (start, stop)]
    if all(v.dtype.is_integer for v in limits):
        start, stop = (shape.cast(v, float64) for v in limits)
    found = create.linspace(start, stop, num, name=None if axis else name)
    return shape.transpose(found, _with_rows_at(axis, found, found.shape.rank), name=name) if axis else found


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Tensor:
    """The tensor with elements added around it: paddings[i] = [before, after] for axis i.

    mode: CONSTANT (constant_values; 0 stands for False and the empty text, too), REFLECT (mirrored without the edge) or
    SYMMETRIC (mirrored with it).
    """
    if type(constant_values) is int and constant_values == 0:
        constant_values = _ZEROS.get(_dtype_of(tensor).family, 0)
    return padding.pad(tensor, paddings, constant_values, mode=mode, name=name)


_ZEROS: Final = {"bool": False, "string": b""}
"""What a 0 stands for that nobody wrote, by the kind of the dtype."""


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """Tensors of one shape as one tensor with a new axis. values: a list of tensors, or a tensor: its rows."""
    rows = as_operand(values)
    if not is_tensor(rows):
        return join.stack(rows, axis, name=name)
    return rows if axis == 0 else shape.transpose(rows, _with_rows_at(axis, rows, rows.shape.rank), name=name)


def concat(values: Any, axis: int, name: str | None = None) -> Tensor:
    """Tensors one after the other along an axis. values: a list of tensors, or a tensor: its rows, however many.

    They have one dtype, one rank >= 1, and the same sizes but along that axis.
    """
    rows = as_operand(values)
    if not is_tensor(rows):
        return join.concat(rows, axis, name=name)
    rank = rows.shape.rank
    order = _with_rows_at(axis, rows, None if rank is None else rank - 1)
    moved = shape.transpose(rows, order)
    place = order.index(0)
    sizes = [_size(moved, i) for i in range(len(order))]
    joined = [*sizes[:place], sizes[place] * sizes[place + 1], *sizes[place + 2 :]]
    return shape.reshape(moved, joined, name=name)


def _with_rows_at(axis: int, rows: Any, rank: int | None) -> list[int]:
    """The order of axes in which the first one comes at the place `axis` of `rank`."""
    if rank is None or not -rank <= axis < rank:
        raise InvalidArgumentError(f"the axis {axis} does not fit the rows of a tensor of shape {rows.shape}")
    others = list(range(1, rows.shape.rank))
    place = axis % rank
    return [*others[:place], 0, *others[place:]]


def _size(tensor: Any, axis: int) -> Any:
    known = tensor.shape[axis]
    return shape.shape(tensor)[axis] if known is None else known


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """The slices of a tensor along an axis, each without it, as a list. num: how many, where the shape does not say."""
    return list(join.unstack(value, num, axis, name=name))


def split(
    value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str | None = None
) -> list[Tensor]:
    """The tensor cut along an axis into a number of equal parts, or into parts of the given lengths.

    num: how many lengths there are; they must be known, so that nothing depends on it. Raises ValueError for another.
    """
    parts = list(join.split(value, num_or_size_splits, axis, name=name))
    if num is not None and num != len(parts):
        raise ValueError(f"split: num is {num}, but num_or_size_splits makes {len(parts)} parts")
    return parts


@switches
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Tensor:
    """The axes in another order: axis i of the result is axis perm[i] of a; None reverses them.

    a: any tensor. conjugate: complex numbers are conjugated.
    """
    return shape.transpose(ops.conj(a) if conjugate else a, perm, name=name)


@switches
def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, output_type: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product over the last two dimensions; those before them broadcast.

    a: [..., n, k], b: [..., k, m], numeric, of one dtype; returns [..., n, m]. transpose_a, transpose_b: swap the last
    two dimensions first; adjoint_a, adjoint_b: conjugate the elements as well. a_is_sparse and b_is_sparse are hints
    that change nothing. output_type: the dtype to which the product is cast. Raises ValueError for a matrix that is to
    be transposed and adjoint.
    """
    if adjoint_a or adjoint_b:
        if (adjoint_a and transpose_a) or (adjoint_b and transpose_b):
            raise ValueError("matmul: of transpose and adjoint, which transposes too, only one can be asked for")
        a, transpose_a = (ops.conj(a), True) if adjoint_a else (a, transpose_a)
        b, transpose_b = (ops.conj(b), True) if adjoint_b else (b, transpose_b)
    made = linalg.matmul(a, b, transpose_a, transpose_b, name=name)
    return made if output_type is None else shape.cast(made, output_type)


@switches
def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The positions, as int32, in which the elements are in order along an axis. values: real tensor.

    direction: "ASCENDING" or "DESCENDING". stable: has no effect, equal elements always stay in their order.
    """
    return order.argsort(values, axis, direction, name=name)


@switches
def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = int64, name: str | None = None
) -> Tensor:
    """How many elements over the axes are not zero, not false or not empty. dtype: that of the result.

    input: real, bool or string tensor.
    """
    given = ops.not_equal(input, b"") if _dtype_of(input).family == "string" else input
    counts = reduce.count_nonzero(given, axis, keepdims, name=name)
    return counts if as_dtype(dtype) is int64 else shape.cast(counts, dtype)


def _dtype_of(value: Any) -> DType:
    """The dtype of a tensor, or of what becomes one."""
    found = getattr(value, "dtype", None)
    return found if isinstance(found, DType) else literal_dtype(as_operand(value))


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: int | None = None, batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The slices of params at `indices` along an axis (the first, or the first behind the batch); the shape of indices
    replaces that axis.

    params: any tensor; indices: integers >= 0. One that is out of range (negative ones are) raises
    InvalidArgumentError. batch_dims: so many leading axes both share, and each batch has indices of its own.
    validate_indices: has no effect, they are always checked.
    """
    batch_dims = integer_of("gather", "batch_dims", batch_dims)
    if batch_dims:
        axis = None if axis is None else integer_of("gather", "axis", axis)
        if any(hasattr(type(value), "row_splits") for value in (params, indices)):
            from runtime.composite.ragged_gather import gather as gather_of_rows

            return gather_of_rows(params, indices, axis, batch_dims)
        return _gather_in_batches(convert_to_tensor(params), convert_to_tensor(indices), axis, batch_dims, name)
    return index.gather(params, indices, 0 if axis is None else axis, name=name)


def _gather_in_batches(params: Any, indices: Any, axis: int | None, batch_dims: int, name: str | None) -> Any:
    """By positions: the axis is moved behind the batch, and what comes of it back to its place."""
    rank, depth = params.shape.rank, indices.shape.rank
    if rank is None or depth is None:
        raise InvalidArgumentError("gather: with batch_dims the ranks must be known; use runtime.ensure_shape")
    batch = batch_dims + depth if batch_dims < 0 else batch_dims
    place = batch if axis is None else axis + rank if axis < 0 else axis
    if not 0 <= batch <= min(place, depth) or place >= rank:
        raise ShapeMismatchError(
            f"gather: batch_dims={batch_dims} and axis={axis} do not fit the shapes {params.shape} and {indices.shape}"
        )
    before, middle = list(range(batch)), list(range(batch, place))
    if middle:
        params = shape.transpose(params, [*before, place, *middle, *range(place + 1, rank)])
    found = ops.gather_nd(params, shape.expand_dims(indices, axis=-1), batch, name=name)
    if not middle:
        return found
    new, moved = list(range(batch, depth)), [depth + i for i in range(len(middle))]
    rest = list(range(depth + len(middle), depth + rank - batch - 1))
    return shape.transpose(found, [*before, *moved, *new, *rest])


def einsum(equation: str, *inputs: Any, name: str | None = None) -> Tensor:
    """The sum of products that the equation names: `einsum("ij,jk->ik", a, b)` is the matrix product."""
    return ops.einsum(inputs, equation=equation, name=name)
