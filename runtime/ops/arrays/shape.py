"""Shapes of tensors: what they are, and the same elements under another one.

>>> runtime.reshape(runtime.range(6), [3, -1])
<tf.Tensor: shape=(3, 2), dtype=int32, numpy=...>

A shape is a list of integers or an int32/int64 tensor: where it is known while a graph is built, so is the static shape
of the result. Elements are in row-major order: the last index changes fastest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import ANY, BOOLS, NUMERIC, DType, float32, int32, int64
from runtime.errors import DtypeMismatchError, IntegerRangeError, ShapeMismatchError, UnimplementedError
from runtime.ops.kernels.values import elements, integers
from runtime.ops.records.attributes import Axes
from runtime.ops.records.gradients import shape_of
from runtime.ops.records.raises import NOTHING, VALUES, Kinds, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, by_element, calls, each, unary
from runtime.ops.records.shape_rules import (
    known_integers,
    known_parts,
    normalized_axes,
    normalized_axis,
    same_shape,
    scalar_shape,
    vector_of_rank,
)
from runtime.shapes import TensorShape

__all__ = [
    "INDEXES", "cast", "expand_dims", "rank", "reshape", "shape", "size", "squeeze", "stop_gradient", "transpose",
]  # fmt: skip

INDEXES = frozenset({int32, int64})
"""The dtypes of shapes, positions and sizes."""

TARGET: dict[Any, frozenset[DType]] = {"tensor": ANY, "shape": INDEXES}


def _static_shape(input: Operand, out_type: DType) -> Array | None:
    dims = input.shape.dims
    return None if dims is None or None in dims else np.array(dims, out_type.numpy)


def _out_type(input: Operand, out_type: DType) -> DType:
    if out_type not in INDEXES:
        raise DtypeMismatchError(f"out_type must be int32 or int64; got {out_type.name}")
    return out_type


@op(
    raises=NOTHING,
    shape=vector_of_rank, result=_out_type, static_value=_static_shape,
    static_parts=lambda input, out_type: input.shape.dims,
    samples=each(unary(), out_type=(int32, int64)), reference=lambda x, out_type: np.array(x.shape, object),
)  # fmt: skip
def shape(input: Array, out_type: DType = int32) -> Any:
    """The shape of a tensor as a vector of integers, at run time. input: any tensor; out_type: int32 or int64."""
    return np.array(np.shape(elements(input)), out_type.numpy)


def _static_size(input: Operand, out_type: DType) -> Array | None:
    count = input.shape.num_elements()
    return None if count is None else np.array(count, out_type.numpy)


@op(
    raises=NOTHING,
    shape=scalar_shape, result=_out_type, static_value=_static_size,
    samples=each(unary(), out_type=(int32, int64)), reference=lambda x, out_type: np.array(math.prod(x.shape)),
)  # fmt: skip
def size(input: Array, out_type: DType = int32) -> Any:
    """The number of elements of a tensor, a scalar. input: any tensor; out_type: int32 or int64."""
    return out_type.as_numpy_dtype(elements(input).size)


def _static_rank(input: Operand) -> Array | None:
    return None if input.shape.rank is None else np.array(input.shape.rank, np.int32)


@op(
    raises=NOTHING,
    shape=scalar_shape, result=int32, static_value=_static_rank,
    samples=unary(), reference=lambda x: np.array(len(x.shape)),
)  # fmt: skip
def rank(input: Array) -> Any:
    """The number of dimensions of a tensor, an int32 scalar. input: any tensor."""
    return np.int32(elements(input).ndim)


def _reshaped(tensor: Operand, shape: Operand) -> TensorShape:
    dims = known_parts(shape)
    if dims is None:
        return TensorShape(None)
    if None in dims:
        return TensorShape([None if d == -1 else d for d in dims])
    dims = known_integers(shape) or ()
    if [d for d in dims if d < -1] or dims.count(-1) > 1:
        raise ValueError(f"a shape has at most one -1 and no other negative dimension; got {list(dims)}")
    known = math.prod(d for d in dims if d != -1)
    count = tensor.shape.num_elements()
    if -1 not in dims:
        if count is not None and count != known:
            raise ValueError(f"{count} elements of shape {tensor.shape} do not fill the shape {list(dims)}")
        return TensorShape(dims)
    if count is not None and (count % known if known else True):
        raise ValueError(f"{count} elements of shape {tensor.shape} cannot be divided into the shape {list(dims)}")
    return TensorShape([(None if count is None else count // known) if d == -1 else d for d in dims])


def _by_flat_list(tensor: Array, shape: Array) -> Array:
    items = list(tensor.flat)
    target = shape.reshape(-1).tolist()
    if -1 in target:
        target[target.index(-1)] = len(items) // -math.prod(target)
    result = np.empty(target, object)
    for index, item in zip(np.ndindex(*target), items, strict=True):
        result[index] = item
    return result


def _target(*dims: int) -> Array:
    return np.array(dims, np.int32)


@op(
    numpy_view=True, tame=True,
    raises=VALUES,
    shape=_reshaped, dtypes=TARGET, view=True,
    samples=calls(lambda x: [(x(6), _target(2, 3)), (x(2, 3), _target(-1)), (x(), _target(1, 1)), (x(1), _target()),
                             (x(0), _target(0, 4)), (x(3, 2).T, _target(3, -1)), (x(6)[::-1], _target(2, -1)),
                             (x(2, 3), np.array([3, 2], np.int64))]),
    reference=_by_flat_list,
    errors=[Failure((np.ones((2, 3), np.float32), [4, 2]), ShapeMismatchError, ("(2, 3)", "[4, 2]")),
            Failure((np.ones((2, 3), np.float32), [-1, 4]), ShapeMismatchError, ("(2, 3)", "[-1, 4]")),
            Failure((np.ones((2, 3), np.float32), [-1, -1]), ShapeMismatchError, ("[-1, -1]",)),
            Failure((np.ones((2, 3), np.float32), [1.5]), DtypeMismatchError, ("shape", "float32"))],
)  # fmt: skip
def reshape(tensor: Array, shape: Array) -> Any:
    """The same elements in row-major order under another shape. One -1 stands for what is left.

    tensor: any tensor; shape: integers. Raises ShapeMismatchError if the number of elements differs.
    """
    target = integers(shape, "reshape")
    array = elements(tensor)
    try:
        return array.reshape(target)
    except ValueError:
        raise ShapeMismatchError(
            f"reshape: {array.size} elements of shape {array.shape} do not fill the shape {list(target)}"
        ) from None


@reshape.gradient
def _(upstream: Any, tensor: Any) -> Any:
    return reshape(upstream, shape_of(tensor)), None


def _permuted(a: Operand, perm: Any) -> TensorShape:
    dims = a.shape.dims
    if dims is None:
        return TensorShape(None if perm is None else [None] * len(perm))
    order = tuple(reversed(range(len(dims)))) if perm is None else perm
    if sorted(order) != list(range(len(dims))):
        raise ValueError(f"perm {list(order)} is not a permutation of the {len(dims)} axes")
    return TensorShape([dims[i] for i in order])


def _by_index(a: Array, perm: Any) -> Array:
    order = list(perm) if perm is not None else list(range(a.ndim))[::-1]
    result = np.empty([a.shape[i] for i in order], object)
    for index in np.ndindex(a.shape):
        result[tuple(index[i] for i in order)] = a[index]
    return result


@op(
    numpy_view=True, tame=True,
    shape=_permuted, view=True,
    samples=calls(lambda x: [((x(),), {}), ((x(4),), {}), ((x(2, 3),), {}), ((x(2, 3, 4),), {"perm": (1, 2, 0)}),
                             ((x(2, 0, 4),), {"perm": (2, 0, 1)}), ((x(3, 2).T,), {"perm": (1, 0)})]),
    reference=lambda a, perm=None: _by_index(a, perm),
    errors=[Failure((np.ones((2, 3), np.float32), [0, 0]), ShapeMismatchError, ("[0, 0]", "(2, 3)")),
            Failure((np.ones((2, 3), np.float32), [0, 1, 2]), ShapeMismatchError, ("[0, 1, 2]", "(2, 3)"))],
)  # fmt: skip
def transpose(a: Array, perm: tuple[int, ...] | None = None) -> Any:
    """The axes in another order: axis i of the result is axis perm[i] of a; None reverses them. a: any tensor."""
    return elements(a).transpose(perm)


@transpose.gradient
def _(upstream: Any, perm: Any) -> Any:
    return transpose(upstream, None if perm is None else sorted(range(len(perm)), key=perm.__getitem__))


def _expanded(input: Operand, axis: int) -> TensorShape:
    if input.shape.dims is None:
        return TensorShape(None)
    dims = list(input.shape.dims)
    (place,) = normalized_axes(axis, len(dims) + 1)
    return TensorShape([*dims[:place], 1, *dims[place:]])


@op(
    numpy_view=True, tame=True,
    shape=_expanded, view=True,
    samples=calls(lambda x: [((x(),), {"axis": 0}), ((x(3),), {"axis": 1}), ((x(2, 3),), {"axis": -2}),
                             ((x(2, 0),), {"axis": 0}), ((x(3, 2).T,), {"axis": -1})]),
    reference=lambda x, axis: x.reshape((*x.shape[: axis % (x.ndim + 1)], 1, *x.shape[axis % (x.ndim + 1) :])),
    errors=[Failure((np.ones((2, 3), np.float32), 4), ShapeMismatchError, ("axis 4", "(2, 3)"))],
)  # fmt: skip
def expand_dims(input: Array, *, axis: int) -> Any:
    """A new dimension of size 1 at `axis` (-1: the last). input: any tensor."""
    array = elements(input)
    place = normalized_axis(axis, array.ndim + 1)
    return array[(slice(None),) * place + (None,)]  # numpy's function takes ten times as long


@expand_dims.gradient
def _(upstream: Any, input: Any) -> Any:
    return reshape(upstream, shape_of(input))


def _squeezed(input: Operand, axis: Any) -> TensorShape:
    dims = input.shape.dims
    if dims is None or (axis is None and None in dims):
        return TensorShape(None)
    if axis is None or axis == ():
        return TensorShape([d for d in dims if d != 1])
    axes = normalized_axes(axis, len(dims))
    for a in axes:
        if dims[a] not in (1, None):
            raise ValueError(f"axis {a} has size {dims[a]}, only axes of size 1 can be removed")
    return TensorShape([d for i, d in enumerate(dims) if i not in axes])


@op(
    numpy_view=True, tame=True,
    shape=_squeezed, view=True,
    samples=calls(lambda x: [((x(),), {}), ((x(1, 3, 1),), {}), ((x(1, 3, 1),), {"axis": 0}),
                             ((x(1, 3, 1),), {"axis": (0, -1)}), ((x(0, 1),), {}), ((x(2, 1).T,), {"axis": 0})]),
    reference=lambda x, axis=None: x.reshape(
        [n for i, n in enumerate(x.shape) if not (n == 1 and (axis is None or i in np.atleast_1d(axis) % x.ndim))]),
    errors=[Failure((np.ones((2, 1), np.float32), 0), ShapeMismatchError, ("axis 0", "(2, 1)")),
            Failure((np.ones((2, 1), np.float32), 5), ShapeMismatchError, ("axis 5", "(2, 1)")),
            Failure((np.float32(1), 0), ShapeMismatchError, ("axis 0", "rank 0"))],
)  # fmt: skip
def squeeze(input: Array, axis: Axes = None) -> Any:
    """Without its dimensions of size 1, or without those in `axis` (which must have size 1). input: any tensor."""
    array = elements(input)
    try:
        return array.squeeze(None if axis in (None, ()) else normalized_axes(axis, array.ndim))
    except ValueError:
        raise ShapeMismatchError(f"squeeze: axis {axis} of the shape {array.shape} has not size 1") from None


@squeeze.gradient
def _(upstream: Any, input: Any) -> Any:
    return reshape(upstream, shape_of(input))


def _cast_samples(dtype: DType) -> Any:
    for target in sorted(NUMERIC | BOOLS, key=lambda d: d.name):
        for sample in unary(0, 100)(dtype):
            yield Sample(sample.operands, {"dtype": target})
            if (dtype.is_integer and target.is_integer) or (dtype.is_floating and target is float32):
                yield Sample(sample.operands, {"dtype": target, "exact": True})


def _convert(x: Any, dtype: DType, exact: bool = False) -> Any:
    """One Python number as the nearest of the dtype's kind."""
    if dtype.is_complex:
        return x
    number = x.real if isinstance(x, complex) else x
    return bool(number) if dtype.is_bool else int(number) if dtype.is_integer else number


def _cast_dtype(x: Operand, dtype: DType, exact: bool = False) -> DType:
    if dtype.family == "string":
        raise UnimplementedError(
            f"cast: a tensor of {x.dtype.name} cannot be cast to string. Use runtime.strings.as_string(x)"
        )
    return dtype


def _unfit(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Kinds:
    """What a cast raises: nothing where the dtype has all integers of the other one."""
    source, target = operands[0].dtype, attributes["dtype"]
    wider = source.is_integer and target.is_integer and target.min <= source.min and source.max <= target.max
    return () if wider or not attributes["exact"] else (IntegerRangeError,)


@op(
    tame=True,
    raises=Raises((), rule=_unfit), elementwise=True,
    shape=same_shape, dtypes=NUMERIC | BOOLS, result=_cast_dtype, view=True,
    samples=_cast_samples, reference=by_element(_convert),
    errors=[Failure(("a", np.float32), UnimplementedError, ("string",)),
            Failure((1, "string"), UnimplementedError, ("string",)),
            Failure((np.int64(2**40), np.int32), IntegerRangeError, ("1099511627776", "int32"), {"exact": True}),
            Failure((np.float64(1e300), np.float32), IntegerRangeError, ("1e+300", "float32"), {"exact": True})],
)  # fmt: skip
def cast(x: Array, *, dtype: DType, exact: bool = False) -> Any:
    """x as another dtype: floats become integers by truncation towards zero, numbers bool by `x != 0`.

    x: numeric or bool tensor. A value that does not fit wraps (integers) or is undefined (floats). With exact=True it
    raises IntegerRangeError; that is for integers as integers, and for floats as floats. Raises UnimplementedError
    from and to text.
    """
    if x.dtype.kind == "c" and dtype.family not in ("complex", "bool"):
        x = x.real
    if not exact:
        return x.astype(dtype.numpy, copy=False)
    with np.errstate(all="ignore"):
        result = x.astype(dtype.numpy)
        kept = np.isfinite(result) | ~np.isfinite(x) if dtype.is_floating else result.astype(x.dtype) == x
    if not kept.all():
        raise IntegerRangeError(f"cast: the number {x[~kept].flat[0]} does not fit {dtype.name}")
    return result


@cast.gradient
def _(upstream: Any, x: Any) -> Any:
    return cast(upstream, x.dtype)


@op(
    raises=NOTHING,
    shape=same_shape, view=True, samples=unary(), reference=lambda x: x, scalar="{0}",
    no_gradient="that is what it is for",
)  # fmt: skip
def stop_gradient(input: Array) -> Any:
    """The same value, through which no gradient flows. input: any tensor."""
    return input
