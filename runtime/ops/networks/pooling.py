"""Poolings: the largest element or the mean of each window, over one or more spatial axes, and their gradients.

>>> runtime.nn.max_pool2d([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID").numpy().tolist()
[[[[4.0]]]]

Elements of the padding never count: a mean is that of the elements inside. The gradient of a maximum goes to the first
of the largest elements, row by row. A window's maximum (or sum) is taken along one axis after the other, so a window of
5 x 5 costs 10 steps.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS, REALS
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import integers, show_shape
from runtime.ops.kernels.windows import Axis, Padding, axes_of, inside, padded, part, spatial, windowed
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = ["avg_pool", "avg_pool_gradient", "max_pool", "max_pool_gradient", "max_pool_picked"]

Numbers = tuple[int, ...]


def _pooled_shape(
    shape: TensorShape, ksize: Numbers, strides: Numbers, padding: Padding, name: str = "pooling"
) -> TensorShape:
    dims = spatial(shape, len(ksize), "the input")
    counts = windowed(dims[1:-1], ksize, strides, (1,) * len(ksize), padding, name)
    if not isinstance(padding, str) and any(max(pair) >= k for pair, k in zip(padding, ksize, strict=True)):
        raise InvalidArgumentError(f"{name}: the padding {padding} must be smaller than the window {ksize}")
    return TensorShape([dims[0], *counts, dims[-1]])


def _pooled(name: str) -> Any:
    def rule(input: Operand, **window: Any) -> TensorShape:
        return _pooled_shape(input.shape, **window, name=name)

    return rule


def _spread(input: Operand, gradient: Operand, **window: Any) -> TensorShape:
    result = _pooled_shape(input.shape, **window)
    if not result.is_compatible_with(gradient.shape):
        raise ValueError(f"a pooling of {input.shape} has the shape {result}, not {gradient.shape}")
    return input.shape


def _spread_to(sizes: Operand, gradient: Operand, **window: Any) -> TensorShape:
    shape = shape_from(sizes)
    return _spread(Operand(gradient.dtype, shape), gradient, **window)


def _picked_shape(input: Operand, values: Operand, **window: Any) -> TensorShape:
    if not input.shape.is_compatible_with(values.shape):
        raise ValueError(f"input {input.shape} and values {values.shape} must have the same shape")
    return _pooled_shape(input.shape.merge_with(values.shape), **window)


def _geometry(
    name: str, shape: Numbers, ksize: Numbers, strides: Numbers, padding: Padding, gradient: Any = None
) -> tuple[Axis, ...]:
    """The spatial axes. Raises ShapeMismatchError where shapes do not fit."""
    try:
        _pooled_shape(TensorShape(shape), ksize, strides, padding, name)
        axes = axes_of(shape[1:-1], ksize, strides, (1,) * len(ksize), padding, name)
        if gradient is not None and np.shape(gradient) != (shape[0], *(a.out for a in axes), shape[-1]):
            raise ValueError(f"the result has another shape than {show_shape(gradient)}")
    except InvalidArgumentError:
        raise
    except ValueError as error:
        raise ShapeMismatchError(f"{name}: {error} (operand shapes: {TensorShape(shape)})") from None
    return axes


# -- kernels ------------------------------------------------------------------------------------------------------


def _along(axis: int, where: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * (1 + axis), where)


def _slid(x: Array, axes: Sequence[Axis], combine: np.ufunc) -> Array:
    """All elements of each window of a padded tensor combined, one axis after the other."""
    for i, axis in enumerate(axes):
        total = np.array(x[_along(i, part(axis, 0))])
        for offset in range(1, axis.kernel):
            combine(total, x[_along(i, part(axis, offset))], out=total)
        x = total
    return x


def _inside_counts(axes: Sequence[Axis], dtype: Any) -> Iterator[Array]:
    """For each spatial axis how many elements of its windows are no padding, ready to broadcast."""
    for i, a in enumerate(axes):
        starts = np.arange(a.out) * a.stride - a.before
        count = np.minimum(starts + a.kernel, a.size) - np.maximum(starts, 0)
        yield count.astype(dtype).reshape(-1, *(1,) * (len(axes) - i))


def _largest(x: Array, axes: Sequence[Axis]) -> Array:
    low = x.dtype.type(-np.inf) if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return padded(x, axes, low)


def _first_hits(x: Array, axes: Sequence[Axis]) -> Iterator[tuple[Any, Array]]:
    """For each position of the windows: its place in the padded tensor, and which windows have their maximum there."""
    x = _largest(x, axes)
    top = _slid(x, axes, np.maximum)
    free = np.ones(top.shape, np.bool_)
    for offsets in product(*(range(a.kernel) for a in axes)):
        place = (slice(None), *(part(a, o) for a, o in zip(axes, offsets, strict=True)))
        here = x[place]
        hit = ((here == top) | (np.isnan(here) & np.isnan(top))) & free
        free &= ~hit
        yield place, hit


# -- samples ------------------------------------------------------------------------------------------------------


def _each_window(x: Array, ksize: Numbers, strides: Numbers, padding: Padding) -> Iterator[tuple[Any, list[Any]]]:
    """The place of each result, and the places of the elements in its window."""
    axes = axes_of(x.shape[1:-1], ksize, strides, (1,) * len(ksize), padding)
    for place in np.ndindex(len(x), *(a.out for a in axes), x.shape[-1]):
        seen = []
        for offsets in np.ndindex(*ksize):
            at = [p * a.stride + o - a.before for p, o, a in zip(place[1:-1], offsets, axes, strict=True)]
            if all(0 <= i < a.size for i, a in zip(at, axes, strict=True)):
                seen.append((place[0], *at, place[-1]))
        yield place, seen


def _result_of(x: Array, ksize: Numbers, strides: Numbers, padding: Padding) -> Array:
    axes = axes_of(x.shape[1:-1], ksize, strides, (1,) * len(ksize), padding)
    return np.zeros((len(x), *(a.out for a in axes), x.shape[-1]), object)


def _by_windows(choose: Any) -> Any:
    def reference(x: Array, **window: Any) -> Array:
        result = _result_of(x, **window)
        for place, seen in _each_window(x, **window):
            result[place] = choose([x[i].item() for i in seen])
        return result

    return reference


def _first_largest(x: Array, seen: list[Any]) -> Any:
    return max(seen, key=lambda i: x[i].item())


def _routed(input: Array, gradient: Array, **window: Any) -> Array:
    result = np.zeros(input.shape, np.float64)
    for place, seen in _each_window(input, **window):
        result[_first_largest(input, seen)] += gradient[place]
    return result


def _chosen(input: Array, values: Array, **window: Any) -> Array:
    result = _result_of(input, **window)
    for place, seen in _each_window(input, **window):
        result[place] = values[_first_largest(input, seen)].item()
    return result


def _shared(sizes: Array, gradient: Array, **window: Any) -> Array:
    result = np.zeros(sizes, np.float64)
    for place, seen in _each_window(result, **window):
        for i in seen:
            result[i] += float(gradient[place]) / len(seen)
    return result


def _window(ksize: Numbers = (2, 2), strides: Numbers = (2, 2), padding: Padding = "VALID") -> dict[str, Any]:
    return {"ksize": ksize, "strides": strides, "padding": padding}


CASES: Final = (
    ((1, 4, 4, 1), _window()),
    ((2, 5, 4, 2), _window((3, 2), (2, 1), "SAME")),
    ((1, 5, 6, 3), _window((2, 3), (1, 2), ((1, 0), (2, 1)))),
    ((0, 4, 4, 1), _window()),
    ((2, 7, 2), _window((3,), (2,), "SAME")),
    ((1, 3, 2, 3, 2), _window((2, 2, 2), (1, 1, 1))),
)
PLAIN: Final = _window()
IMAGE = np.ones((1, 4, 4, 2), np.float32)
MISUSED: Final = (
    Failure((IMAGE[0],), ShapeMismatchError, ("(4, 4, 2)", "rank 4"), PLAIN),
    Failure((IMAGE,), ShapeMismatchError, ("8", "(1, 4, 4, 2)"), _window((8, 2))),
    Failure((IMAGE > 0,), DtypeMismatchError, ("bool",), PLAIN),
    Failure((IMAGE,), InvalidArgumentError, ("kernel", "(0, 2)"), _window((0, 2))),
    Failure((IMAGE,), InvalidArgumentError, ("smaller", "(2, 2)"), _window(padding=((0, 2), (0, 0)))),
)
UNEQUAL: Final = (
    Failure((IMAGE, IMAGE), ShapeMismatchError, ("(1, 2, 2, 2)", "(1, 4, 4, 2)"), PLAIN),
    Failure((IMAGE[0], IMAGE), ShapeMismatchError, ("rank 4", "(4, 4, 2)"), PLAIN),
)


def _outs(shape: Numbers, window: dict[str, Any]) -> Numbers:
    return _result_of(np.zeros(shape), **window).shape


# -- the records --------------------------------------------------------------------------------------------------

pooling = functools.partial(
    op, errors=MISUSED, samples=calls(lambda x: [((x(*s),), w) for s, w in CASES])
)


@pooling(shape=_pooled("max_pool"), dtypes=REALS, reference=_by_windows(max))
def max_pool(input: Array, *, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    """The largest element of each window; nan if there is one. input: real tensor [batch, *spatial, channels].

    ksize, strides: a number for each spatial axis; padding: "SAME", "VALID" or pairs (before, after).
    """
    axes = _geometry("max_pool", np.shape(input), ksize, strides, padding)
    return _slid(_largest(input, axes), axes, np.maximum)


@max_pool.gradient
def _(upstream: Any, input: Any, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    return ops.max_pool_gradient(input, upstream, ksize=ksize, strides=strides, padding=padding)


@op(
    shape=_spread, dtypes=FLOATS, reference=_routed,
    samples=calls(lambda x: [((x(*s), x(*_outs(s, w))), w) for s, w in CASES]), errors=UNEQUAL,
)  # fmt: skip
def max_pool_gradient(input: Array, gradient: Array, *, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    """The gradient of max_pool: that of each window goes to the first of its largest elements.

    input: as for max_pool; gradient: that of its result.
    """
    axes = _geometry("max_pool_gradient", np.shape(input), ksize, strides, padding, gradient)
    result = np.zeros(padded(input, axes).shape, input.dtype)
    for place, hit in _first_hits(input, axes):
        result[place] += np.where(hit, gradient, input.dtype.type(0))
    return result[inside(axes)]


@max_pool_gradient.gradient
def _(upstream: Any, input: Any, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    return None, ops.max_pool_picked(input, upstream, ksize=ksize, strides=strides, padding=padding)


@op(
    shape=_picked_shape, dtypes=FLOATS, reference=_chosen,
    samples=calls(lambda x: [((x(*s), x(*s)), w) for s, w in CASES]),
    errors=[Failure((IMAGE, IMAGE[:, :3]), ShapeMismatchError, ("(1, 4, 4, 2)", "(1, 3, 4, 2)"), PLAIN)],
)  # fmt: skip
def max_pool_picked(input: Array, values: Array, *, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    """For each window the element of values at the place of the first largest element of the input.

    input: as for max_pool; values: of its dtype and shape.
    """
    axes = _geometry("max_pool_picked", np.shape(input), ksize, strides, padding)
    if np.shape(values) != np.shape(input):
        raise ShapeMismatchError(
            f"max_pool_picked: input {show_shape(input)} and values {show_shape(values)} must have the same shape"
        )
    values = padded(values, axes)
    result = np.zeros((len(values), *(a.out for a in axes), values.shape[-1]), values.dtype)
    for place, hit in _first_hits(input, axes):
        np.copyto(result, values[place], where=hit)
    return result


@max_pool_picked.gradient
def _(upstream: Any, input: Any, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    return None, ops.max_pool_gradient(input, upstream, ksize=ksize, strides=strides, padding=padding)


@pooling(shape=_pooled("avg_pool"), dtypes=FLOATS, reference=_by_windows(lambda items: sum(items) / len(items)))
def avg_pool(input: Array, *, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    """The mean of each window, of the elements that are no padding. input: float tensor [batch, *spatial, channels].

    ksize, strides: a number for each spatial axis; padding: "SAME", "VALID" or pairs (before, after).
    """
    axes = _geometry("avg_pool", np.shape(input), ksize, strides, padding)
    wide = input.astype(np.float32) if input.dtype == np.float16 else input
    result = _slid(padded(wide, axes), axes, np.add)
    for count in _inside_counts(axes, result.dtype):
        result /= count
    return result.astype(input.dtype, copy=False)


@avg_pool.gradient
def _(upstream: Any, input: Any, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    return ops.avg_pool_gradient(ops.shape(input), upstream, ksize=ksize, strides=strides, padding=padding)


@op(
    raises=VALUES,
    shape=_spread_to, dtypes={"gradient": FLOATS, "sizes": INDEXES}, reference=_shared,
    samples=calls(lambda x: [((np.array(s, np.int32), x(*_outs(s, w))), w) for s, w in CASES]),
    errors=[Failure(([1, 4, 4, 2], IMAGE), ShapeMismatchError, ("(1, 4, 4, 2)",), PLAIN),
            Failure(([4, 4, 2], IMAGE), ShapeMismatchError, ("rank 4", "(4, 4, 2)"), PLAIN)],
)  # fmt: skip
def avg_pool_gradient(sizes: Array, gradient: Array, *, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    """The gradient of avg_pool: each element of a window gets its share. sizes: the shape of the input, integers;
    gradient: that of the result."""
    shape = integers(sizes, "avg_pool_gradient")
    axes = _geometry("avg_pool_gradient", shape, ksize, strides, padding, gradient)
    share = gradient.astype(np.float32 if gradient.dtype == np.float16 else gradient.dtype)
    for count in _inside_counts(axes, share.dtype):
        share /= count
    for i, axis in reversed(list(enumerate(axes))):
        dims = list(share.shape)
        dims[1 + i] = axis.before + axis.size + axis.after
        spread = np.zeros(dims, share.dtype)
        for offset in range(axis.kernel):
            spread[_along(i, part(axis, offset))] += share
        share = spread
    return share[inside(axes)].astype(gradient.dtype, copy=False)


@avg_pool_gradient.gradient
def _(upstream: Any, ksize: Numbers, strides: Numbers, padding: Padding) -> Any:
    return None, ops.avg_pool(upstream, ksize=ksize, strides=strides, padding=padding)
