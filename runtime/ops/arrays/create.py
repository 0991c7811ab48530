"""New tensors: zeros, ones, fill, eye, range, linspace, one_hot.

>>> runtime.range(1, 7, 2)
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([1, 3, 5], dtype=int32)>

Shapes and limits are tensors, so a graph can compute them; where they are known, so is the static shape.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import ANY, BOOLS, FLOATS, NUMERIC, REALS, DType, float32, int32
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, integers, scalar, show_shape
from runtime.ops.records.gradients import ops, sum_to_shape
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, calls, each, unary
from runtime.ops.records.shape_rules import normalized_axis, same_shape, shape_from
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["eye", "fill", "linspace", "one_hot", "ones", "ones_like", "range_", "zeros", "zeros_like"]

NEGATIVE = Failure(([2, -1],), InvalidArgumentError, ("-1",))


def _from_shape(shape: Operand, dtype: DType) -> TensorShape:
    return shape_from(shape)


def _asked_dtype(*operands: Operand, dtype: DType) -> DType:
    return dtype


def _blank(dtype: DType) -> Any:
    return b"" if dtype.family == "string" else dtype.as_numpy_dtype(0)


def _shapes(dtype: DType) -> Any:
    for target in ((), (0,), (3,), (2, 3)):
        for wanted in sorted(ANY, key=lambda d: d.name):
            yield Sample((np.array(target, dtype.numpy),), {"dtype": wanted})


def _nested(shape: Any, item: Any) -> Any:
    """`item` in nested lists of this shape."""
    result = np.empty(tuple(shape), object)
    for index in np.ndindex(result.shape):
        result[index] = item
    return result


@op(
    zeros=True,
    raises=VALUES,
    shape=_from_shape, dtypes=INDEXES, result=_asked_dtype,
    samples=_shapes, reference=lambda shape, dtype: _nested(shape, b"" if dtype.family == "string" else 0),
    errors=[NEGATIVE],
)  # fmt: skip
def zeros(shape: Array, dtype: DType = float32) -> Any:
    """A tensor of zeros (False, empty strings). shape: integers; dtype: any, float32 by default."""
    return np.full(integers(shape, "zeros"), _blank(dtype), dtype.numpy)


def _no_strings(*operands: Operand, dtype: DType) -> DType:
    if dtype.family == "string":
        raise DtypeMismatchError("ones: there is no 1 of dtype string; use runtime.fill")
    return dtype


@op(
    raises=VALUES,
    shape=_from_shape, dtypes=INDEXES, result=_no_strings,
    samples=lambda dtype: (s for s in _shapes(dtype) if s.attributes["dtype"].family != "string"),
    reference=lambda shape, dtype: _nested(shape, 1),
    errors=[NEGATIVE, Failure(([2], "string"), DtypeMismatchError, ("string", "runtime.fill"))],
)  # fmt: skip
def ones(shape: Array, dtype: DType = float32) -> Any:
    """A tensor of ones (True). shape: integers; dtype: number or bool, float32 by default."""
    return np.ones(integers(shape, "ones"), dtype.numpy)


def _fill_shape(dims: Operand, value: Operand) -> TensorShape:
    if value.shape.rank not in (0, None):
        raise ValueError(f"the value must be a scalar; its shape is {value.shape}")
    return shape_from(dims)


def _value_dtype(dims: Operand, value: Operand) -> DType:
    return value.dtype


def _dims(*dims: int) -> Array:
    return np.array(dims, np.int32)


@op(
    raises=VALUES,
    shape=_fill_shape, dtypes={"value": ANY, "dims": INDEXES}, result=_value_dtype,
    samples=calls(lambda x: [(_dims(), x()), (_dims(0), x()), (_dims(3), x()), (_dims(2, 3), x())]),
    reference=lambda dims, value: _nested(dims, value[()]),
    errors=[Failure(([2, -1], 1.0), InvalidArgumentError, ("-1",)),
            Failure(([2], [1.0, 2.0]), InvalidArgumentError, ("scalar", "(2,)"))],
)  # fmt: skip
def fill(dims: Array, value: Array) -> Any:
    """A tensor in which every element is `value`, a scalar whose dtype the result has. dims: its shape, integers."""
    value = elements(value)
    if value.ndim:
        raise ShapeMismatchError(f"fill: the value must be a scalar; its shape is {value.shape}")
    return np.full(integers(dims, "fill"), value, value.dtype)


@fill.gradient
def _(upstream: Any) -> Any:
    return None, ops.reduce_sum(upstream)


def _like_dtype(input: Operand, dtype: DType | None) -> DType:
    return dtype or input.dtype


def _known_one(input: Operand, dtype: DType | None) -> Array | None:
    """A one like a tensor that is known to be a scalar: gradients begin with it."""
    return np.ones((), _like_dtype(input, dtype).numpy) if input.shape.rank == 0 else None


@op(
    tame=True, zeros=True,
    shape=same_shape, result=_like_dtype, no_gradient="it is the same for all values",
    samples=each(unary(), dtype=(None, float32, int32)),
    reference=lambda input, dtype: _nested(input.shape, b"" if input.dtype == object and dtype is None else 0),
)  # fmt: skip
def zeros_like(input: Array, dtype: DType | None = None) -> Any:
    """Zeros in the shape of `input`, and in its dtype unless another one is given. input: any tensor."""
    input = elements(input)
    if dtype is None:
        return np.full(input.shape, b"" if input.dtype == object else input.dtype.type(0), input.dtype)
    return np.full(input.shape, _blank(dtype), dtype.numpy)


@op(
    tame=True,
    shape=same_shape, dtypes=NUMERIC | BOOLS, result=_like_dtype, no_gradient="it is the same for all values",
    static_value=_known_one,
    samples=each(unary(), dtype=(None, float32, int32)), reference=lambda input, dtype: _nested(input.shape, 1),
)  # fmt: skip
def ones_like(input: Array, dtype: DType | None = None) -> Any:
    """Ones in the shape of `input`, and in its dtype unless another one is given. input: number or bool tensor."""
    return np.ones(np.shape(input), input.dtype if dtype is None else dtype.numpy)


def _known_scalar(x: Operand) -> Any:
    if x.shape.rank not in (0, None):
        raise ValueError(f"a scalar is needed; the shape is {x.shape}")
    return None if x.value is None else x.value.reshape(())[()].item()


def _eye_shape(num_rows: Operand, num_columns: Operand, dtype: DType) -> TensorShape:
    return TensorShape([_known_scalar(num_rows), _known_scalar(num_columns)])


@op(
    raises=VALUES,
    shape=_eye_shape, dtypes={"num_rows": INDEXES, "num_columns": INDEXES}, result=_asked_dtype,
    samples=lambda dtype: [Sample((np.array(r, dtype.numpy), np.array(c, np.int32)), {"dtype": d})
                           for r, c in ((0, 0), (1, 1), (3, 3), (2, 4), (4, 2)) for d in (float32, int32)],
    reference=lambda r, c, dtype: np.array([[int(i == j) for j in range(c)] for i in range(r)]).reshape(r, c),
    errors=[Failure(([2], 2), ShapeMismatchError, ("scalar", "(1,)"), {"dtype": float32}),
            Failure((2, -1), ShapeMismatchError, ("-1",), {"dtype": float32})],
)  # fmt: skip
def eye(num_rows: Array, num_columns: Array, *, dtype: DType) -> Any:
    """A matrix with ones on its main diagonal, zeros elsewhere. num_rows, num_columns: integer scalars."""
    rows, columns = scalar(num_rows, "eye"), scalar(num_columns, "eye")
    if rows < 0 or columns < 0:
        raise ShapeMismatchError(f"eye: sizes are not negative; got {rows} and {columns}")
    return np.eye(rows, columns, dtype=dtype.numpy)


def count_steps(start: float, limit: float, delta: float) -> int:
    """How many of start, start + delta, ... come before limit. Raises InvalidArgumentError when delta is 0."""
    if not delta:
        raise InvalidArgumentError("range: delta must not be 0")
    if not all(map(math.isfinite, (start, limit, delta))):
        raise InvalidArgumentError(f"range: start, limit and delta must be finite; got {start}, {limit}, {delta}")
    if isinstance(delta, int):
        return max(0, -((start - limit) // delta))  # type: ignore[return-value]
    return max(0, math.ceil((limit - start) / delta))


def _range_shape(start: Operand, limit: Operand, delta: Operand) -> TensorShape:
    known = [_known_scalar(x) for x in (start, limit, delta)]
    return TensorShape([None if None in known else count_steps(*known)])


def _range_samples(dtype: DType) -> Any:
    for start, limit, delta in ((0, 5, 1), (1, 7, 2), (1, 8, 2), (3, 3, 1), (5, 2, 1), (0, 1, 5)):
        yield Sample(tuple(np.array(v, dtype.numpy) for v in (start, limit, delta)))
    if not dtype.is_unsigned:
        yield Sample(tuple(np.array(v, dtype.numpy) for v in (5, -2, -2)))
    if dtype.is_floating:
        yield Sample(tuple(np.array(v, dtype.numpy) for v in (0.0, 1.0, 0.25)))


def _by_addition(start: Array, limit: Array, delta: Array) -> list[Any]:
    found, low, high, step = [], start.item(), limit.item(), delta.item()
    while (low < high) if step > 0 else (low > high):
        found.append(low)
        low += step
    return found


@op(
    raises=VALUES,
    shape=_range_shape, dtypes=REALS, samples=_range_samples, reference=_by_addition,
    no_gradient="its length changes with its limits",
    errors=[Failure((0, 5, 0), InvalidArgumentError, ("delta", "0")),
            Failure((0.0, float("inf"), 1.0), InvalidArgumentError, ("finite", "inf")),
            Failure((0, [1, 2], 1), InvalidArgumentError, ("scalar", "(2,)")),
            Failure((0, [[3]], 1), ShapeMismatchError, ("scalar", "(1, 1)"))],
)  # fmt: skip
def range_(start: Array, limit: Array, delta: Array) -> Any:
    """start, start + delta, ... up to, but without, limit; empty where limit lies on the other side.

    Three real scalars of one dtype, which the vector has. Raises InvalidArgumentError when delta is 0.
    """
    first, last, step = (scalar(x, "range") for x in (start, limit, delta))
    count = count_steps(first, last, step)
    if start.dtype.kind in "iu":
        return np.arange(first, first + count * step, step, dtype=start.dtype)
    return start + np.arange(count, dtype=start.dtype) * delta


def _linspace_shape(start: Operand, stop: Operand, num: Operand) -> TensorShape:
    return TensorShape([_known_scalar(num)]).concatenate(broadcast_shapes(start.shape, stop.shape))


def _linspace_samples(dtype: DType) -> Any:
    for a, b, n in ((0, 1, 5), (2, 2, 3), (0, 1, 1), (3, -3, 7), ([0, 1], [[4], [5], [6]], 3), ([], 1, 2)):
        yield Sample((np.array(a, dtype.numpy), np.array(b, dtype.numpy), np.array(n, np.int32)))


def _evenly(start: Array, stop: Array, num: Array) -> Array:
    last = max(int(num) - 1, 1)
    low, high = np.broadcast_arrays(start.astype(np.float64), stop.astype(np.float64))
    return np.array([low + (high - low) * (i / last) for i in range(int(num))])


@op(
    raises=VALUES,
    shape=_linspace_shape, dtypes={("start", "stop"): FLOATS, "num": INDEXES},
    samples=_linspace_samples, reference=_evenly,
    errors=[Failure((0.0, 1.0, 0), InvalidArgumentError, ("num", "0")),
            Failure((0.0, 1.0, [2]), ShapeMismatchError, ("scalar", "(1,)")),
            Failure(([0.0, 1.0], [1.0, 2.0, 3.0], 2), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def linspace(start: Array, stop: Array, num: Array) -> Any:
    """num values from start to stop, both included, at equal distances, along a new first axis.

    start, stop: float tensors that broadcast; num: an integer >= 1.
    """
    count = scalar(num, "linspace")
    if count < 1:
        raise InvalidArgumentError(f"linspace: num must be positive; got {count}")
    return np.linspace(start, stop, count, dtype=start.dtype)


@linspace.gradient
def _(upstream: Any, start: Any, stop: Any, num: Any) -> Any:
    line = linspace(ops.cast(0, start.dtype), ops.cast(1, start.dtype), num)
    shares = ops.reshape(line, ops.concat([[-1], ops.ones_like(ops.shape(upstream)[1:])], axis=0))
    sums = (ops.reduce_sum(upstream * part, 0) for part in (1 - shares, shares))
    by_start, by_stop = (sum_to_shape(s, x) for s, x in zip(sums, (start, stop), strict=True))
    return by_start, by_stop, None


def _one_hot_shape(indices: Operand, depth: Operand, on_value: Operand, off_value: Operand, axis: int) -> TensorShape:
    size = _known_scalar(depth)
    for value in (on_value, off_value):
        _known_scalar(value)
    dims = indices.shape.dims
    if dims is None:
        return TensorShape(None)
    place = normalized_axis(axis, len(dims) + 1)
    return TensorShape([*dims[:place], size, *dims[place:]])


def _on_dtype(indices: Operand, depth: Operand, on_value: Operand, off_value: Operand, axis: int) -> DType:
    return on_value.dtype


def _one_hot_samples(dtype: DType) -> Any:
    one, zero, depth = np.float32(2), np.float32(-1), np.array(4, np.int32)
    for indices in (2, [0, 1, 3], [[0, 9], [3, 1]], []):
        for axis in (-1, 0):
            yield Sample((np.array(indices, dtype.numpy), depth, np.asarray(one), np.asarray(zero)), {"axis": axis})


def _one_hot_by_element(indices: Array, depth: Array, on_value: Array, off_value: Array, axis: int) -> Array:
    rows = np.empty((*indices.shape, int(depth)), object)
    for index in np.ndindex(rows.shape):
        rows[index] = on_value[()] if indices[index[:-1]] == index[-1] else off_value[()]
    return np.moveaxis(rows, -1, axis)


@op(
    raises=VALUES,
    shape=_one_hot_shape,
    dtypes={"indices": frozenset(d for d in ANY if d.is_integer), "depth": INDEXES, ("on_value", "off_value"): ANY},
    result=_on_dtype, samples=_one_hot_samples, reference=_one_hot_by_element,
    errors=[Failure(([0.5], 3, 1.0, 0.0), DtypeMismatchError, ("indices", "float32")),
            Failure(([1], -3, 1.0, 0.0), ShapeMismatchError, ("-3",)),
            Failure(([1], 3, [1.0], [0.0]), ShapeMismatchError, ("(1,)",))],
)  # fmt: skip
def one_hot(indices: Array, depth: Array, on_value: Array, off_value: Array, axis: int = -1) -> Any:
    """A new axis of size `depth` with on_value at the position that the index names, off_value elsewhere.

    indices: integers; one outside of [0, depth) gives off_value everywhere. on_value, off_value: scalars of one dtype.
    """
    size = scalar(depth, "one_hot")
    if size < 0 or np.ndim(on_value) or np.ndim(off_value):
        raise ShapeMismatchError(
            f"one_hot: depth is not negative, on_value and off_value are scalars; got {size} and the shapes"
            f" {show_shape(on_value)} and {show_shape(off_value)}"
        )
    positions = np.arange(size, dtype=np.int64)
    hit = np.equal(elements(indices)[..., None], positions)
    chosen = np.where(hit, elements(on_value), elements(off_value))
    return np.moveaxis(chosen, -1, axis)


@one_hot.gradient
def _(upstream: Any, indices: Any, depth: Any, axis: int) -> Any:
    hit = one_hot(indices, depth, True, False, axis)
    on = ops.reduce_sum(ops.where(hit, upstream, ops.zeros_like(upstream)))
    return None, None, on, ops.reduce_sum(upstream) - on
