"""Linear algebra: matmul, tensordot, norm; `einsum` has a file of its own.

>>> runtime.matmul(runtime.constant([[1, 2]]), runtime.constant([[3], [4]]))
<tf.Tensor: shape=(1, 1), dtype=int32, numpy=array([[11]], dtype=int32)>
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS, NUMERIC, DType
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.elementwise.arithmetic import part_dtype
from runtime.ops.kernels.values import elements, show_shape
from runtime.ops.records.attributes import Axes
from runtime.ops.records.gradients import conjugated, ops, sum_to_shape
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import reduced
from runtime.ops.reductions.reduce import TOTAL, to_chosen, widened
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["axis_pairs", "matmul", "norm", "tensordot"]


FLAT = "both operands must have rank 2 or more; use runtime.tensordot, or runtime.expand_dims on a vector"


def _product_shape(a: Operand, b: Operand, transpose_a: bool, transpose_b: bool) -> TensorShape:
    for operand in (a, b):
        if operand.shape.rank is not None and operand.shape.rank < 2:
            raise ValueError(FLAT)
    if a.shape.dims is None or b.shape.dims is None:
        return TensorShape(None)
    rows, inner = a.shape.dims[-2:][::-1] if transpose_a else a.shape.dims[-2:]
    other, columns = b.shape.dims[-2:][::-1] if transpose_b else b.shape.dims[-2:]
    if inner is not None and other is not None and inner != other:
        raise ValueError(f"the inner sizes differ: {inner} and {other}")
    batch = broadcast_shapes(TensorShape(a.shape.dims[:-2]), TensorShape(b.shape.dims[:-2]))
    return batch.concatenate([rows, columns])


def _dot_products(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Every element as a sum of products of Python numbers."""
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
    result = np.empty((*batch, a.shape[-2], b.shape[-1]), object)
    for index in np.ndindex(result.shape):
        row, column = a[(*index[:-2], index[-2])], b[(*index[:-2], slice(None), index[-1])]
        result[index] = sum(x * y for x, y in zip(row.tolist(), column.tolist(), strict=True))
    return result


@op(
    wraps=True,
    shape=_product_shape, dtypes=NUMERIC,
    samples=calls(lambda x: [((x(2, 3), x(3, 4)), {}), ((x(3, 2).T, x(3, 4)), {}), ((x(2, 0), x(0, 3)), {}),
                             ((x(3, 2), x(3, 4)), {"transpose_a": True}), ((x(2, 3), x(4, 3)), {"transpose_b": True}),
                             ((x(5, 2, 3), x(3, 4)), {}), ((x(2, 1, 2, 3), x(4, 3, 1)), {}),
                             ((x(4, 6)[::2, ::-2], x(3, 1)), {})]),
    reference=_dot_products,
    errors=[Failure((np.ones((2, 3), np.float32), np.ones((4, 3), np.float32)), ShapeMismatchError, ("(4, 3)",)),
            Failure((np.ones(3, np.float32), np.ones((3, 2), np.float32)), ShapeMismatchError, ("(3,)", "tensordot")),
            Failure((np.ones((2, 2), np.bool_), np.ones((2, 2), np.bool_)), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def matmul(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """The matrix product over the last two dimensions; those before them broadcast.

    a: [..., n, k], b: [..., k, m], numeric, of one dtype, which the result [..., n, m] has. transpose_a, transpose_b:
    swap the last two dimensions first.
    """
    if a.ndim < 2 or b.ndim < 2:
        raise ShapeMismatchError(f"matmul: {FLAT}; got the shapes {show_shape(a)} and {show_shape(b)}")
    left = np.swapaxes(a, -1, -2) if transpose_a else a
    right = np.swapaxes(b, -1, -2) if transpose_b else b
    try:
        return np.matmul(left, right)
    except ValueError:
        raise ShapeMismatchError(
            f"matmul: the shapes {left.shape} and {right.shape} do not fit: the inner sizes must be equal"
        ) from None


@matmul.gradient
def _(upstream: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool, needed: Any) -> Any:
    by_a = by_b = None
    if needed[0]:
        left, right = conjugated(b), upstream
        by_a = (matmul(left, right, transpose_b, True) if transpose_a  # (b' g')' is g b without a copy
                else matmul(right, left, False, not transpose_b))  # fmt: skip
    if needed[1]:
        left, right = conjugated(a), upstream
        by_b = (matmul(right, left, True, transpose_a) if transpose_b
                else matmul(left, right, not transpose_a, False))  # fmt: skip
    return by_a if by_a is None else sum_to_shape(by_a, a), by_b if by_b is None else sum_to_shape(by_b, b)


def _refuse_axes(axes: Any) -> None:
    """Raises ValueError for what are no axes of any tensors."""
    pair = axes if isinstance(axes, tuple) and len(axes) == 2 else ()
    groups = [x if isinstance(x, tuple) else (x,) for x in pair]
    number = isinstance(axes, int) and axes >= 0
    if not number and not (groups and all(isinstance(a, int) for group in groups for a in group)):
        raise ValueError(f"axes is a number of axes or two lists of axes; got {axes!r}")


@functools.lru_cache(maxsize=1024)
@functools.lru_cache(maxsize=1024)
def axis_pairs(axes: Any, rank_a: int, rank_b: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a and of b that are summed over. Raises ValueError."""
    _refuse_axes(axes)
    if isinstance(axes, int):
        if axes > min(rank_a, rank_b):
            raise ValueError(f"{axes} axes are more than the tensors have")
        first, second = tuple(range(rank_a - axes, rank_a)), tuple(range(axes))
    else:
        first, second = (x if isinstance(x, tuple) else (x,) for x in axes)
    for group, rank in ((first, rank_a), (second, rank_b)):
        if any(not -rank <= a < rank for a in group):
            raise ValueError(f"axes {axes} are out of range")
    if len(first) != len(second):
        raise ValueError(f"axes {axes} name different numbers of axes")
    return tuple(a % rank_a for a in first), tuple(b % rank_b for b in second)


def _contracted(a: Operand, b: Operand, axes: Any) -> TensorShape:
    _refuse_axes(axes)
    if a.shape.dims is None or b.shape.dims is None:
        return TensorShape(None)
    first, second = axis_pairs(axes, len(a.shape.dims), len(b.shape.dims))
    for i, j in zip(first, second, strict=True):
        x, y = a.shape.dims[i], b.shape.dims[j]
        if x is not None and y is not None and x != y:
            raise ValueError(f"axis {i} of a has size {x}, axis {j} of b has size {y}")
    return TensorShape(
        [d for i, d in enumerate(a.shape.dims) if i not in first]
        + [d for j, d in enumerate(b.shape.dims) if j not in second]
    )


def _scattered(a: Array, b: Array, axes: Any) -> Any:
    """As matrices: the summed axes last in a, first in b."""
    first, second = axis_pairs(axes, a.ndim, b.ndim)
    free_a = [i for i in range(a.ndim) if i not in first]
    free_b = [j for j in range(b.ndim) if j not in second]
    size = math.prod(a.shape[i] for i in first)
    left = a.transpose([*free_a, *first]).reshape(math.prod(a.shape[i] for i in free_a), size)
    right = b.transpose([*second, *free_b]).reshape(size, math.prod(b.shape[j] for j in free_b))
    return _dot_products(left, right).reshape([a.shape[i] for i in free_a] + [b.shape[j] for j in free_b])


@op(
    wraps=True,
    shape=_contracted, dtypes=NUMERIC,
    samples=calls(lambda x: [((x(2, 3), x(3, 4)), {"axes": 1}), ((x(2), x(3)), {"axes": 0}),
                             ((x(3), x(3)), {"axes": 1}),
                             ((x(2, 3), x(4, 3)), {"axes": ((1,), (1,))}), ((x(2, 3), x(2, 3)), {"axes": 2}),
                             ((x(2, 3, 4), x(3, 2)), {"axes": ((0, 1), (1, 0))}), ((x(2, 0), x(0, 2)), {"axes": 1})]),
    reference=_scattered,
    errors=[Failure((np.ones((2, 3), np.float32), np.ones((2, 3), np.float32), 1), ShapeMismatchError, ("(2, 3)",)),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32), -1), ShapeMismatchError, ("axes", "-1")),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32), 2**40), ShapeMismatchError, ("axes",)),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32), [[0], ["a"]]), ShapeMismatchError, ("'a'",)),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32), [[0], [1]]), ShapeMismatchError, ("axes",))],
)  # fmt: skip
def tensordot(a: Array, b: Array, *, axes: Any) -> Any:
    """The sum of products over axes: a number n (the last n of a, the first n of b) or two lists of axes.

    a, b: numeric tensors of one dtype, which the result has; its shape is the remaining axes of a, then those of b.
    """
    a, b = elements(a), elements(b)
    try:
        first, second = axis_pairs(axes, a.ndim, b.ndim)
        if first == (a.ndim - 1,) and second == (max(b.ndim - 2, 0),):
            return np.dot(a, b)  # ten times faster than `np.tensordot` where the arrays are small
        return np.tensordot(a, b, axes).astype(a.dtype, copy=False)
    except (ValueError, IndexError):
        raise ShapeMismatchError(f"tensordot: the shapes {a.shape} and {b.shape} do not fit axes {axes!r}") from None


@tensordot.gradient
def _(upstream: Any, a: Any, b: Any, axes: Any, needed: Any) -> Any:
    if a.shape.rank is None or b.shape.rank is None:
        raise InvalidArgumentError("tensordot: the gradient needs to know the ranks of both operands; see ensure_shape")
    first, second = axis_pairs(axes, a.shape.rank, b.shape.rank)
    free_a = [i for i in range(a.shape.rank) if i not in first]
    free_b = [j for j in range(b.shape.rank) if j not in second]
    by_a = by_b = None
    if needed[0]:  # its axes: the free ones of a, then those of b that were summed over
        found = tensordot(upstream, conjugated(b), axes=(range(len(free_a), len(free_a) + len(free_b)), free_b))
        by_a = _in_place(found, [*free_a, *[first[k] for k in sorted(range(len(second)), key=second.__getitem__)]])
    if needed[1]:
        found = tensordot(conjugated(a), upstream, axes=(free_a, range(len(free_a))))
        by_b = _in_place(found, [*[second[k] for k in sorted(range(len(first)), key=first.__getitem__)], *free_b])
    return by_a, by_b


def _in_place(x: Any, axes: list[int]) -> Any:
    """x, whose axes are these ones of an operand, with the axes in their own order."""
    return ops.transpose(x, sorted(range(len(axes)), key=axes.__getitem__))


def _refuse_order(ord: Any) -> None:
    if not isinstance(ord, int | float) and ord not in ("euclidean", "fro"):
        raise InvalidArgumentError(f"norm: ord must be 'euclidean', 'fro' or a number; got {ord!r}")


def _norm_shape(tensor: Operand, ord: Any, axis: Any, keepdims: bool) -> TensorShape:
    _refuse_order(ord)
    if ord not in ("euclidean", "fro") and isinstance(axis, tuple) and len(axis) > 2:
        raise ValueError(f"axis of a norm of order {ord} is one or two integers; got {axis}")
    return reduced(tensor, axis, keepdims)


def _norm_dtype(tensor: Operand, ord: Any, axis: Any, keepdims: bool) -> DType:
    """As of TensorFlow: a Euclidean norm of complex numbers is a complex number."""
    return tensor.dtype if ord in ("euclidean", "fro") else part_dtype(tensor)


def _norm_reference(tensor: Array, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> Array:
    order = None if ord in ("euclidean", "fro") else ord
    if axis is None:
        result = np.asarray(np.linalg.norm(tensor.reshape(-1), order))
        return result.reshape((1,) * tensor.ndim) if keepdims else result
    return np.asarray(np.linalg.norm(tensor, order, axis, keepdims))


@op(
    shape=_norm_shape, dtypes=FLOATS | COMPLEX, result=_norm_dtype,
    samples=calls(lambda x: [((x(4),), {}), ((x(2, 3),), {}), ((x(2, 3),), {"axis": 1}), ((x(2, 3),), {"axis": (0, 1)}),
                             ((x(2, 3),), {"ord": 1, "axis": 0}), ((x(5),), {"ord": np.inf}), ((x(5),), {"ord": 3}),
                             ((x(2, 3),), {"keepdims": True}), ((x(0),), {}), ((x(2, 3),), {"ord": 1}),
                             ((x(2, 3),), {"ord": 1, "axis": (0, 1)}), ((x(2, 3),), {"ord": np.inf, "axis": (0, 1)})]),
    reference=_norm_reference,
    errors=[Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32", "runtime.cast")),
            Failure((np.ones(2, np.float32), None), InvalidArgumentError, ("ord", "None")),
            Failure((np.ones((2, 3, 4), np.float32), 1, (0, 1, 2)), ShapeMismatchError, ("axis", "two")),
            Failure((np.ones(2, np.float32), "nuclear"), InvalidArgumentError, ("nuclear",)),
            Failure((np.ones(2, np.float32), "euclidean", 1), ShapeMismatchError, ("axis 1", "(2,)"))],
)  # fmt: skip
def norm(tensor: Array, ord: Any = "euclidean", axis: Axes = None, keepdims: bool = False) -> Any:
    """The length of a vector: sqrt(sum(x²)), or for a number `ord` the p-norm (1, 2, inf, ...).

    axis: None takes all elements as one vector, an integer the vectors along that axis, two integers the matrices (the
    norm is then the Frobenius norm, or the matrix norm of that number). tensor: float or complex. The result has its
    dtype, but the norms that have a number are floats.
    """
    if ord in ("euclidean", "fro"):
        if tensor.dtype.kind != "c":
            return np.sqrt(TOTAL(np.square(tensor), axis=axis, keepdims=keepdims))
        squares = np.square(tensor.real) + np.square(tensor.imag)
        return np.sqrt(TOTAL(squares, axis=axis, keepdims=keepdims)).astype(tensor.dtype)
    _refuse_order(ord)
    if axis is None:
        length = np.linalg.norm(np.reshape(tensor, -1), ord)
        return np.reshape(length, (1,) * np.ndim(tensor)) if keepdims else length
    return np.linalg.norm(tensor, ord, axis, keepdims)


@norm.gradient
def _(upstream: Any, result: Any, tensor: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    if ord in ("euclidean", "fro"):
        if tensor.dtype.is_complex:
            upstream = ops.cast(ops.real(upstream), tensor.dtype)
        return tensor * widened(upstream / result, tensor, axis, keepdims)
    if isinstance(axis, tuple) and len(axis) == 2:
        return _of_matrix_norm(upstream, result, tensor, ord, axis, keepdims)
    size = ops.abs(tensor)
    if ord == 0:
        return ops.zeros_like(tensor)
    if abs(ord) == math.inf:
        by_size = to_chosen(upstream, result, size, axis, keepdims)
    else:
        top = widened(result, tensor, axis, keepdims)
        by_size = widened(upstream, tensor, axis, keepdims) * (size / top) ** (ord - 1)
    return ops.cast(by_size, tensor.dtype) * ops.sign(tensor)


def _of_matrix_norm(upstream: Any, result: Any, tensor: Any, ord: Any, axis: tuple[int, int], keepdims: bool) -> Any:
    """1 and inf: the largest (-1, -inf: smallest) sum of a column or row; 2: the largest singular value."""
    if abs(ord) in (1, math.inf):
        summed, chosen = axis if abs(ord) == 1 else axis[::-1]
        sums = ops.reduce_sum(ops.abs(tensor), summed, True)
        top, above = (widened(x, tensor, axis, keepdims) for x in (result, upstream))
        by_size = to_chosen(above, top, sums, chosen, True)
        return ops.cast(by_size, tensor.dtype) * ops.sign(tensor)
    rank = tensor.shape.rank
    if rank is None:
        raise InvalidArgumentError("norm: the gradient of a matrix norm needs to know the rank; see ensure_shape")
    rows, columns = (a % rank for a in axis)
    order = [i for i in range(rank) if i not in (rows, columns)] + [rows, columns]
    _, u, v = ops.svd(ops.transpose(tensor, order))
    place: Any = ("...", (None, 1, None) if ord > 0 else (-1, None, None))
    left, right = (ops.getitem(x, [], spec=place) for x in (u, v))
    outer = ops.matmul(left, conjugated(right), transpose_b=True)
    return _in_place(outer, order) * widened(ops.cast(upstream, tensor.dtype), tensor, axis, keepdims)
