"""Diagonals and triangles of matrices, also in batches: matrix_diag, matrix_diag_part, band_part, trace, ...

>>> runtime.linalg.diag([1, 2])
<tf.Tensor: shape=(2, 2), dtype=int32, numpy=
array([[1, 0],
       [0, 2]], dtype=int32)>

`k` names a diagonal: 0 is the main one, 1 the one above it, -1 the one below it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, BOOLS, INTEGERS, NUMERIC
from runtime.errors import ShapeMismatchError
from runtime.ops.kernels.values import elements, show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import known_integers
from runtime.shapes import TensorShape

__all__ = ["matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag", "trace"]

FLAT = Failure((np.ones(3, np.float32),), ShapeMismatchError, ("rank", "(3,)"))


def _matrices(input: Operand) -> tuple[int | None, ...] | None:
    """The dimensions of matrices. Raises ValueError where the rank is too low."""
    dims = input.shape.dims
    if dims is not None and len(dims) < 2:
        raise ValueError("matrices are needed: the rank must be 2 or more")
    return dims


def _need_matrices(name: str, x: Array) -> None:
    if np.ndim(x) < 2:
        raise ShapeMismatchError(f"{name}: matrices are needed: the rank must be 2 or more; got {show_shape(x)}")


def _length(rows: int, columns: int, k: int) -> int:
    """How many elements the diagonal k has. Raises ValueError for one outside of the matrix."""
    if not -rows < k < columns and (k or not rows or not columns):
        if k == 0:
            return 0
        raise ValueError(f"the diagonal k={k} lies outside of matrices of {rows} rows and {columns} columns")
    return min(rows + min(k, 0), columns - max(k, 0))


def _size(length: int, k: int, num_rows: int, num_cols: int) -> tuple[int, int]:
    """Rows and columns of the matrix: square if none is given, else the other one as small as the diagonal allows.
    Raises ValueError where it does not fit exactly."""
    rows, columns = length - min(k, 0), length + max(k, 0)
    if num_rows < 0 and num_cols < 0:
        rows = columns = length + abs(k)
    rows, columns = rows if num_rows < 0 else num_rows, columns if num_cols < 0 else num_cols
    if _length(rows, columns, k) != length:
        raise ValueError(f"a diagonal k={k} of {length} elements does not fit {rows} rows and {columns} columns")
    return rows, columns


def _diag_shape(diagonal: Operand, padding_value: Operand, k: int, num_rows: int, num_cols: int) -> TensorShape:
    dims = diagonal.shape.dims
    if dims is None:
        return TensorShape(None)
    if not dims:
        raise ValueError("the diagonal must have at least one dimension")
    if dims[-1] is None:
        return TensorShape([*dims[:-1], *(None if n < 0 else n for n in (num_rows, num_cols))])
    return TensorShape([*dims[:-1], *_size(dims[-1], k, num_rows, num_cols)])


def _diag_by_index(diagonal: Array, padding_value: Array, k: int = 0, num_rows: int = -1, num_cols: int = -1) -> Array:
    n = diagonal.shape[-1]
    rows, columns = _size(n, k, num_rows, num_cols)
    result = np.empty((*diagonal.shape[:-1], rows, columns), object)
    for *batch, i, j in np.ndindex(result.shape):
        result[(*batch, i, j)] = diagonal[(*batch, min(i, j))] if j - i == k else padding_value[()]
    return result


@op(
    shape=_diag_shape, dtypes={("diagonal", "padding_value"): ANY},
    samples=calls(lambda x: [((x(3), x()), {}), ((x(2, 3), x()), {"k": 1}), ((x(0), x()), {}),
                             ((x(4)[::-2], x()), {"k": -2}), ((x(3, 2).T, x()), {"num_rows": 3, "num_cols": 5}),
                             ((x(2), x()), {"k": -1, "num_rows": 3, "num_cols": 4}),
                             ((x(2), x()), {"k": 1, "num_rows": 2}), ((x(2), x()), {"k": -1, "num_cols": 2})]),
    reference=_diag_by_index,
    errors=[Failure((np.float32(1), np.float32(0)), ShapeMismatchError, ("dimension",)),
            Failure((np.ones(3, np.float32), np.float32(0)), ShapeMismatchError, ("3 elements", "2 rows"),
                    {"num_rows": 2, "num_cols": 2})],
)  # fmt: skip
def matrix_diag(diagonal: Array, padding_value: Array, k: int = 0, num_rows: int = -1, num_cols: int = -1) -> Any:
    """Matrices with `diagonal` on their diagonal k and padding_value elsewhere.

    diagonal: any tensor of shape [..., n]; padding_value: a scalar of its dtype. num_rows, num_cols: the size of the
    matrices; square if none is given, else the other one is the smallest that the diagonal fits in.
    """
    diagonal = elements(diagonal)
    if not diagonal.ndim:
        raise ShapeMismatchError("matrix_diag: the diagonal must have at least one dimension")
    try:
        rows, columns = _size(diagonal.shape[-1], k, num_rows, num_cols)
    except ValueError as error:
        raise ShapeMismatchError(f"matrix_diag: {error}") from None
    result = np.full((*diagonal.shape[:-1], rows, columns), elements(padding_value), diagonal.dtype)
    places = np.arange(diagonal.shape[-1])
    result[..., places - min(k, 0), places + max(k, 0)] = diagonal
    return result


@matrix_diag.gradient
def _(upstream: Any, k: int, needed: Any) -> Any:
    on = matrix_diag_part(upstream, k=k)
    off = ops.reduce_sum(upstream) - ops.reduce_sum(on) if needed[1] else None
    return on, off


def _part_shape(input: Operand, k: int) -> TensorShape:
    dims = _matrices(input)
    if dims is None:
        return TensorShape(None)
    rows, columns = dims[-2:]
    return TensorShape([*dims[:-2], None if rows is None or columns is None else _length(rows, columns, k)])


DIAGONALS = calls(lambda x: [((x(3, 3),), {}), ((x(2, 3, 4),), {"k": 1}), ((x(4, 3).T,), {"k": -2}), ((x(0, 2),), {}),
                             ((x(4, 6)[::-2, ::3],), {"k": 1})])  # fmt: skip
OUTSIDE = Failure((np.ones((2, 3), np.float32),), ShapeMismatchError, ("k=3", "2 rows"), {"k": 3})


@op(
    shape=_part_shape, samples=DIAGONALS, errors=[FLAT, OUTSIDE],
    reference=lambda input, k=0: np.diagonal(input, k, -2, -1),
)  # fmt: skip
def matrix_diag_part(input: Array, k: int = 0) -> Any:
    """The elements on the diagonal k of each matrix. input: any tensor of shape [..., rows, columns]."""
    input = elements(input)
    _need_matrices("matrix_diag_part", input)
    try:
        _length(input.shape[-2], input.shape[-1], k)
    except ValueError as error:
        raise ShapeMismatchError(f"matrix_diag_part: {error}") from None
    return np.array(np.diagonal(input, k, -2, -1))


@matrix_diag_part.gradient
def _(upstream: Any, input: Any, k: int) -> Any:
    return matrix_set_diag(ops.zeros_like(input), upstream, k=k)


def _set_shape(input: Operand, diagonal: Operand, k: int) -> TensorShape:
    if not diagonal.shape.is_compatible_with(_part_shape(input, k)):
        raise ValueError(f"the diagonal k={k} of matrices {input.shape} has not the shape {diagonal.shape}")
    return input.shape


def _set_by_index(input: Array, diagonal: Array, k: int = 0) -> Array:
    result = np.array(input, object)
    for *batch, i, j in np.ndindex(input.shape):
        if j - i == k:
            result[(*batch, i, j)] = diagonal[(*batch, min(i, j))]
    return result


@op(
    shape=_set_shape, dtypes={("input", "diagonal"): ANY}, reference=_set_by_index,
    samples=calls(lambda x: [((x(3, 3), x(3)), {}), ((x(2, 3, 4), x(2, 3)), {"k": 1}), ((x(4, 3).T, x(1)), {"k": -2}),
                             ((x(0, 2), x(0)), {}), ((x(4, 6)[::-2, ::3], x(2)[::-1]), {})]),
    errors=[Failure((np.ones((2, 2), np.float32), np.ones(3, np.float32)), ShapeMismatchError, ("(2, 2)", "(3,)"))],
)  # fmt: skip
def matrix_set_diag(input: Array, diagonal: Array, k: int = 0) -> Any:
    """The matrices with other elements on their diagonal k. input: any tensor of shape [..., rows, columns]; diagonal:
    of its dtype and of the shape of `matrix_diag_part`."""
    result, diagonal = np.array(elements(input)), elements(diagonal)
    _need_matrices("matrix_set_diag", result)
    try:
        length = _length(result.shape[-2], result.shape[-1], k)
    except ValueError as error:
        raise ShapeMismatchError(f"matrix_set_diag: {error}") from None
    if diagonal.shape != (*result.shape[:-2], length):
        raise ShapeMismatchError(
            f"matrix_set_diag: the diagonal k={k} of matrices {result.shape} has not the shape {diagonal.shape}"
        )
    places = np.arange(length)
    result[..., places - min(k, 0), places + max(k, 0)] = diagonal
    return result


@matrix_set_diag.gradient
def _(upstream: Any, diagonal: Any, k: int) -> Any:
    return matrix_set_diag(upstream, ops.zeros_like(diagonal), k=k), matrix_diag_part(upstream, k=k)


def _band_shape(input: Operand, num_lower: Operand, num_upper: Operand) -> TensorShape:
    _matrices(input)
    for given in (num_lower, num_upper):
        if len(known_integers(given) or (0,)) != 1 or given.shape.rank not in (0, None):
            raise ValueError("num_lower and num_upper are scalars")
    return input.shape


def _within(input: Array, num_lower: Array, num_upper: Array) -> Array:
    result = np.array(input, object)
    for *batch, i, j in np.ndindex(input.shape):
        if (0 <= num_lower < i - j) or (0 <= num_upper < j - i):
            result[(*batch, i, j)] = 0
    return result


def _count(n: int) -> Array:
    return np.array(n, np.int32)


@op(
    shape=_band_shape, dtypes={"input": NUMERIC | BOOLS, ("num_lower", "num_upper"): INTEGERS}, reference=_within,
    samples=calls(lambda x: [(x(3, 3), _count(-1), _count(0)), (x(2, 3, 4), _count(1), _count(-1)),
                             (x(4, 3).T, _count(0), _count(1)), (x(0, 2), _count(0), _count(0)),
                             (x(4, 6)[::-2, ::3], np.array(0), np.array(-1))]),
    errors=[Failure((np.ones(3, np.float32), 0, 0), ShapeMismatchError, ("rank", "(3,)")),
            Failure((np.ones((2, 2), np.float32), [0, 1], 0), ShapeMismatchError, ("scalars",))],
)  # fmt: skip
def matrix_band_part(input: Array, num_lower: Array, num_upper: Array) -> Any:
    """The matrices with zeros outside of a band around the main diagonal.

    input: numeric or bool tensor of shape [..., rows, columns]. num_lower, num_upper: integer scalars, how many
    diagonals below and above the main one stay; all if negative: (-1, 0) is the lower triangle.
    """
    _need_matrices("matrix_band_part", input)
    if np.ndim(num_lower) or np.ndim(num_upper):
        raise ShapeMismatchError("matrix_band_part: num_lower and num_upper are scalars")
    rows, columns = np.shape(input)[-2:]
    distance = np.arange(columns) - np.arange(rows)[:, None]
    low, high = int(num_lower), int(num_upper)
    inside = (distance >= (-low if low >= 0 else -rows)) & (distance <= (high if high >= 0 else columns))
    return np.where(inside, input, input.dtype.type(0))


@matrix_band_part.gradient
def _(upstream: Any, num_lower: Any, num_upper: Any) -> Any:
    return matrix_band_part(upstream, num_lower, num_upper), None, None


def _trace_shape(x: Operand) -> TensorShape:
    dims = _matrices(x)
    return TensorShape(None) if dims is None else TensorShape(dims[:-2])


def _sums(x: Array) -> Array:
    result = np.zeros(x.shape[:-2], object)
    for *batch, i in np.ndindex(*x.shape[:-2], min(x.shape[-2:])):
        result[tuple(batch)] += x[(*batch, i, i)].item()
    return result


@op(
    shape=_trace_shape, dtypes=NUMERIC, reference=_sums, errors=[FLAT],
    samples=calls(lambda x: [(x(3, 3),), (x(2, 3, 4),), (x(4, 3).T,), (x(0, 2),), (x(4, 6)[::-2, ::3],)]),
)  # fmt: skip
def trace(x: Array) -> Any:
    """The sum of the main diagonal of each matrix, in its dtype. x: numeric tensor of shape [..., rows, columns]."""
    _need_matrices("trace", x)
    return np.trace(x, axis1=-2, axis2=-1, dtype=x.dtype)


@trace.gradient
def _(upstream: Any, x: Any) -> Any:
    part = matrix_diag_part(x)
    shape = ops.shape(part)
    return matrix_set_diag(ops.zeros_like(x), ops.broadcast_to(ops.expand_dims(upstream, axis=-1), shape))
