"""Linear algebra: matmul, tensordot, einsum, norm.

>>> runtime.matmul(runtime.constant([[1, 2]]), runtime.constant([[3], [4]]))
<tf.Tensor: shape=(1, 1), dtype=int32, numpy=array([[11]], dtype=int32)>
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.dtypes import FLOATS, NUMERIC
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, calls
from runtime.ops.shape_rules import reduced
from runtime.ops.values import elements, show_shape
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["einsum", "matmul", "norm", "tensordot"]


TOTAL: Any = np.add.reduce
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


def _axis_pairs(axes: Any, rank_a: int, rank_b: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a and of b that are summed over. Raises ValueError."""
    if isinstance(axes, int):
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
    if a.shape.dims is None or b.shape.dims is None:
        return TensorShape(None)
    first, second = _axis_pairs(axes, len(a.shape.dims), len(b.shape.dims))
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
    first, second = _axis_pairs(axes, a.ndim, b.ndim)
    free_a = [i for i in range(a.ndim) if i not in first]
    free_b = [j for j in range(b.ndim) if j not in second]
    size = math.prod(a.shape[i] for i in first)
    left = a.transpose([*free_a, *first]).reshape(math.prod(a.shape[i] for i in free_a), size)
    right = b.transpose([*second, *free_b]).reshape(size, math.prod(b.shape[j] for j in free_b))
    return _dot_products(left, right).reshape([a.shape[i] for i in free_a] + [b.shape[j] for j in free_b])


@op(
    shape=_contracted, dtypes=NUMERIC,
    samples=calls(lambda x: [((x(2, 3), x(3, 4)), {"axes": 1}), ((x(2), x(3)), {"axes": 0}),
                             ((x(3), x(3)), {"axes": 1}),
                             ((x(2, 3), x(4, 3)), {"axes": ((1,), (1,))}), ((x(2, 3), x(2, 3)), {"axes": 2}),
                             ((x(2, 3, 4), x(3, 2)), {"axes": ((0, 1), (1, 0))}), ((x(2, 0), x(0, 2)), {"axes": 1})]),
    reference=_scattered,
    errors=[Failure((np.ones((2, 3), np.float32), np.ones((2, 3), np.float32), 1), ShapeMismatchError, ("(2, 3)",)),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32), [[0], [1]]), ShapeMismatchError, ("axes",))],
)  # fmt: skip
def tensordot(a: Array, b: Array, *, axes: Any) -> Any:
    """The sum of products over axes: a number n (the last n of a, the first n of b) or two lists of axes.

    a, b: numeric tensors of one dtype, which the result has; its shape is the remaining axes of a, then those of b.
    """
    a, b = elements(a), elements(b)
    try:
        return np.tensordot(a, b, axes).astype(a.dtype, copy=False)
    except (ValueError, IndexError):
        raise ShapeMismatchError(f"tensordot: the shapes {a.shape} and {b.shape} do not fit with axes {axes}") from None


def _letters(equation: str, count: int) -> tuple[list[str], str]:
    """The letters of each operand and of the result. Raises ValueError for an equation that does not fit."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != count:
        raise ValueError(f"the equation {equation!r} has {len(terms)} operands, {count} were given")
    if not arrow:
        letters = left.replace(",", "").replace("...", "")
        right = ("..." if "..." in left else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return terms, right


def _sum_shape(*inputs: Operand, equation: str) -> TensorShape:
    terms, result = _letters(equation, len(inputs))
    if any(i.shape.dims is None for i in inputs):
        return TensorShape(None)
    sizes: dict[str, int | None] = {}
    batch = TensorShape([])
    for term, operand in zip(terms, inputs, strict=True):
        dims = list(operand.shape.dims or ())
        before, dots, after = term.partition("...")
        extra = len(dims) - len(before) - len(after)
        if extra < 0 or (extra and not dots):
            raise ValueError(f"the term {term!r} of {equation!r} does not fit the shape {operand.shape}")
        batch = broadcast_shapes(batch, TensorShape(dims[len(before) : len(before) + extra]))
        for letter, size in zip(before + after, dims[: len(before)] + dims[len(before) + extra :], strict=True):
            if sizes.get(letter) is not None and size is not None and sizes[letter] != size:
                raise ValueError(f"{letter!r} in {equation!r} stands for {sizes[letter]} and {size}")
            sizes[letter] = size if size is not None else sizes.get(letter)
    return _named(result, sizes, batch, equation)


def _named(result: str, sizes: Mapping[str, int | None], batch: TensorShape, equation: str) -> TensorShape:
    before, dots, after = result.partition("...")
    unknown = [c for c in before + after if c not in sizes]
    if unknown:
        raise ValueError(f"the result of {equation!r} names {unknown[0]!r}, which no operand has")
    middle = batch if dots else TensorShape([])
    return TensorShape([sizes[c] for c in before]).concatenate(middle).concatenate([sizes[c] for c in after])


@op(
    shape=_sum_shape, dtypes=NUMERIC, view=True,
    samples=calls(lambda x: [((x(2, 3), x(3, 4)), {"equation": "ij,jk->ik"}), ((x(3),), {"equation": "i->"}),
                             ((x(3, 3),), {"equation": "ii->i"}), ((x(2, 3),), {"equation": "ij->ji"}),
                             ((x(2), x(3)), {"equation": "i,j"}),
                             ((x(4, 2, 3), x(3, 2)), {"equation": "...ij,jk->...ik"})]),
    reference=lambda *inputs, equation: np.einsum(equation, *(i.astype(object) for i in inputs)),
    errors=[Failure(([np.ones((2, 3), np.float32)],), ShapeMismatchError, ("'i'", "(2, 3)"), {"equation": "ii->i"}),
            Failure(([np.ones(2, np.float32)],), ShapeMismatchError, ("2 operands",), {"equation": "i,j->ij"}),
            Failure(([np.ones(2, np.float32)],), ShapeMismatchError, ("'k'",), {"equation": "i->k"})],
)  # fmt: skip
def einsum(*inputs: Array, equation: str) -> Any:
    """The sum of products that the equation names: "ij,jk->ik" is the matrix product. inputs: numeric, one dtype."""
    try:
        return np.einsum(equation, *inputs, dtype=inputs[0].dtype)
    except ValueError:
        shapes = ", ".join(map(show_shape, inputs))
        raise ShapeMismatchError(f"einsum: the shapes {shapes} do not fit the equation {equation!r}") from None


def _norm_shape(tensor: Operand, ord: Any, axis: Any, keepdims: bool) -> TensorShape:
    if not isinstance(ord, int | float) and ord not in ("euclidean", "fro"):
        raise InvalidArgumentError(f"norm: ord must be 'euclidean', 'fro' or a number; got {ord!r}")
    return reduced(tensor, axis, keepdims)


def _norm_reference(tensor: Array, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> Array:
    order = None if ord in ("euclidean", "fro") else ord
    if axis is None:
        result = np.asarray(np.linalg.norm(tensor.reshape(-1), order))
        return result.reshape((1,) * tensor.ndim) if keepdims else result
    return np.asarray(np.linalg.norm(tensor, order, axis, keepdims))


@op(
    shape=_norm_shape, dtypes=FLOATS,
    samples=calls(lambda x: [((x(4),), {}), ((x(2, 3),), {}), ((x(2, 3),), {"axis": 1}), ((x(2, 3),), {"axis": (0, 1)}),
                             ((x(2, 3),), {"ord": 1, "axis": 0}), ((x(5),), {"ord": np.inf}), ((x(5),), {"ord": 3}),
                             ((x(2, 3),), {"keepdims": True}), ((x(0),), {}), ((x(2, 3),), {"ord": 1})]),
    reference=_norm_reference,
    errors=[Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32", "runtime.cast")),
            Failure((np.ones(2, np.float32), "nuclear"), InvalidArgumentError, ("nuclear",)),
            Failure((np.ones(2, np.float32), "euclidean", 1), ShapeMismatchError, ("axis 1", "(2,)"))],
)  # fmt: skip
def norm(tensor: Array, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> Any:
    """The length of a vector: sqrt(sum(x²)), or for a number `ord` the p-norm (1, 2, inf, ...).

    axis: None takes all elements as one vector, an integer the vectors along that axis, two integers the matrices (the
    norm is then the Frobenius norm, or the matrix norm of that number). tensor: float.
    """
    if ord in ("euclidean", "fro"):
        return np.sqrt(TOTAL(np.square(tensor), axis=axis, keepdims=keepdims))
    if axis is None:
        length = np.linalg.norm(np.reshape(tensor, -1), ord)
        return np.reshape(length, (1,) * np.ndim(tensor)) if keepdims else length
    return np.linalg.norm(tensor, ord, axis, keepdims)
