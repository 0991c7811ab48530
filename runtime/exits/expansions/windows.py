"""Convolutions and poolings by the offsets of their windows: what no node computes for these dtypes, and gradients."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from runtime.dtypes import bool_, float16, float32, float64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.kernels.windows import Axis, axes_of
from runtime.ops.networks.convolution import convolution, convolution_filter_gradient, convolution_input_gradient
from runtime.ops.networks.pooling import avg_pool, avg_pool_gradient, max_pool, max_pool_gradient, max_pool_picked
from runtime.ops.records.gradients import ops
from runtime.ops.records.shape_rules import known_integers
from runtime.ops.reductions.reduce import lowest

__all__: list[str] = []

COLON = (None, None, None)


def _axes(sizes: Any, kernel: Any, strides: Any, padding: Any, dilations: Any = None) -> tuple[Axis, ...] | None:
    """The spatial axes; None where a size is not known."""
    if sizes is None or kernel is None or None in sizes[1:-1] or None in kernel:
        return None
    return tuple(axes_of(sizes[1:-1], kernel, strides, dilations or (1,) * len(kernel), padding))


def _padded(x: Any, axes: tuple[Axis, ...], fill: Any = 0) -> Any:
    amounts = np.array([(0, 0), *((a.before, a.after) for a in axes), (0, 0)], np.int32)
    return ops.pad(x, x.graph.constant(amounts), constant(x, fill))


def _offsets(axes: tuple[Axis, ...]) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
    """Each place in the window, and the index of the elements that are there, in the padded tensor."""
    for offset in product(*(range(a.kernel) for a in axes)):
        parts = [
            (o * a.dilation, o * a.dilation + max(a.out - 1, 0) * a.stride + min(a.out, 1), a.stride)
            for o, a in zip(offset, axes, strict=True)
        ]
        yield offset, (COLON, *parts, COLON)


def _inside(x: Any, axes: tuple[Axis, ...]) -> Any:
    """Without the padding."""
    return ops.getitem(x, spec=(COLON, *((a.before, a.before + a.size, 1) for a in axes), COLON))


def _blank(x: Any, axes: tuple[Axis, ...]) -> Any:
    """Zeros in the shape of the padded tensor."""
    return ops.zeros_like(_padded(x, axes))


def _grouped(x: Any, filters: Any, groups: int) -> Any:
    """Products of channels and filters of one offset: [..., channels] with [taken, outputs]."""
    if groups == 1:
        return ops.matmul(x, filters)
    taken, outputs = filters.shape
    rank = x.shape.rank
    letters = "abcdefgh"[: rank - 1]
    split = ops.reshape(x, ops.concat([ops.shape(x)[:-1], [groups, taken]], axis=0))
    split.set_shape([None] * (rank - 1) + [groups, taken])
    weights = ops.reshape(filters, [taken, groups, outputs // groups])
    made = ops.einsum([split, weights], equation=f"{letters}xy,yxz->{letters}xz")
    return ops.reshape(made, ops.concat([ops.shape(x)[:-1], [outputs]], axis=0))


def _grouping(sizes: Any, filters: Any, *window: Any) -> tuple[tuple[Axis, ...], int] | None:
    """The spatial axes of a convolution, and its groups; None where a size is not known. sizes, filters: the shapes."""
    if sizes is None or filters is None or None in (sizes[-1], *filters[-2:]):
        return None
    axes = _axes(sizes, filters[:-2], *window)
    return None if axes is None else (axes, max(sizes[-1] // filters[-2], 1) if filters[-2] else 1)


@expands(convolution)
def _(input: Any, filters: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    x, w = input.shape.dims, filters.shape.dims
    grouping = _grouping(x, w, strides, padding, dilations)
    if grouping is None:
        return NotImplemented
    axes, groups = grouping
    is_empty = not all((x[-1], *w, *(a.out for a in axes)))
    if is_empty:
        sizes = ops.concat([ops.shape(input)[:1], [*(a.out for a in axes), w[-1]]], axis=0)
        return ops.zeros(sizes, dtype=input.dtype)
    if input.dtype is not float64:
        return NotImplemented
    padded, total = _padded(input, axes), None
    for offset, spec in _offsets(axes):
        part = _grouped(ops.getitem(padded, spec=spec), ops.getitem(filters, spec=offset), groups)
        total = part if total is None else ops.add(total, part)
    return total


@expands(convolution_filter_gradient)
def _(input: Any, sizes: Any, gradient: Any, strides: Any, padding: Any, dilations: Any, operation: Any) -> Any:
    w = known_integers(sizes.operand) or operation.outputs[0].shape.dims
    grouping = _grouping(input.shape.dims, w, strides, padding, dilations)
    if grouping is None or not input.shape.dims[-1] or not all(w):
        return NotImplemented
    axes, groups = grouping
    wide = ops.cast(input, dtype=float32) if input.dtype is float16 else input
    upstream = ops.cast(gradient, dtype=wide.dtype)
    padded, made = _padded(wide, axes), []
    letters = "abcdefgh"[: len(axes) + 1]
    for _, spec in _offsets(axes):
        part = ops.getitem(padded, spec=spec)
        before = ops.shape(part)[:-1]
        parts = ops.reshape(part, ops.concat([before, [groups, w[-2]]], axis=0))
        outer = ops.reshape(upstream, ops.concat([before, [groups, w[-1] // groups]], axis=0))
        parts.set_shape([None] * (len(axes) + 1) + [groups, w[-2]])
        outer.set_shape([None] * (len(axes) + 1) + [groups, w[-1] // groups])
        found = ops.einsum([parts, outer], equation=f"{letters}xy,{letters}xz->yxz")
        made.append(ops.reshape(found, [w[-2], w[-1]]))
    return ops.cast(ops.reshape(ops.stack(made, axis=0), list(w)), dtype=input.dtype)


@expands(convolution_input_gradient)
def _(sizes: Any, filters: Any, gradient: Any, strides: Any, padding: Any, dilations: Any, operation: Any) -> Any:
    x, w = known_integers(sizes.operand) or operation.outputs[0].shape.dims, filters.shape.dims
    grouping = _grouping(x, w, strides, padding, dilations)
    if grouping is None or not x[-1] or not all(w):
        return NotImplemented
    axes, groups = grouping
    wide = ops.cast(filters, dtype=float32) if filters.dtype is float16 else filters
    upstream = ops.cast(gradient, dtype=wide.dtype)
    shape = ops.concat(
        [ops.shape(gradient)[:1], [*(a.before + a.size + a.after for a in axes), x[-1]]], axis=0
    )
    total = ops.zeros(shape, dtype=wide.dtype)
    total.set_shape([None] * len(x))
    letters, share = "abcdefgh"[: len(axes) + 1], w[-1] // groups
    split = ops.reshape(upstream, ops.concat([ops.shape(upstream)[:-1], [groups, share]], axis=0))
    split.set_shape([None] * (len(axes) + 1) + [groups, share])
    for offset, spec in _offsets(axes):
        part = ops.reshape(ops.getitem(wide, spec=offset), [w[-2], groups, share])
        found = ops.einsum([split, part], equation=f"{letters}xz,yxz->{letters}xy")
        found = ops.reshape(found, ops.concat([ops.shape(upstream)[:-1], [x[-1]]], axis=0))
        total = ops.add_item(total, found, [], spec=spec)
    return ops.cast(_inside(total, axes), dtype=filters.dtype)


# -- poolings -------------------------------------------------------------------------------------------------------


def _low(x: Any) -> Any:
    return lowest(x.dtype.numpy)


@expands(max_pool)
def _(input: Any, ksize: Any, strides: Any, padding: Any) -> Any:
    """Of integers."""
    axes = _axes(input.shape.dims, ksize, strides, padding)
    return NotImplemented if axes is None or input.dtype.is_floating else _top(input, axes)


def _top(x: Any, axes: tuple[Axis, ...]) -> Any:
    padded, total = _padded(x, axes, _low(x)), None
    for _, spec in _offsets(axes):
        part = ops.getitem(padded, spec=spec)
        total = part if total is None else ops.maximum(total, part)
    return total


def _hits(x: Any, axes: tuple[Axis, ...]) -> Iterator[tuple[Any, Any]]:
    """For each place in the windows its index, and which windows have their first maximum there."""
    top, padded = _top(x, axes), _padded(x, axes, _low(x))
    free = ops.ones_like(top, dtype=bool_)
    for _, spec in _offsets(axes):
        here = ops.getitem(padded, spec=spec)
        same = ops.logical_or(ops.equal(here, top), ops.logical_and(ops.is_nan(here), ops.is_nan(top)))
        hit = ops.logical_and(same, free)
        free = ops.logical_and(free, ops.logical_not(hit))
        yield spec, hit


@expands(max_pool_gradient)
def _(input: Any, gradient: Any, ksize: Any, strides: Any, padding: Any) -> Any:
    axes = _axes(input.shape.dims, ksize, strides, padding)
    if axes is None:
        return NotImplemented
    total = _blank(input, axes)
    for spec, hit in _hits(input, axes):
        total = ops.add_item(total, ops.where(hit, gradient, constant(gradient, 0)), [], spec=spec)
    return _inside(total, axes)


@expands(max_pool_picked)
def _(input: Any, values: Any, ksize: Any, strides: Any, padding: Any) -> Any:
    axes = _axes(input.shape.dims, ksize, strides, padding)
    if axes is None:
        return NotImplemented
    padded, total = _padded(values, axes), None
    for spec, hit in _hits(input, axes):
        part = ops.where(hit, ops.getitem(padded, spec=spec), constant(values, 0))
        total = part if total is None else ops.add(total, part)
    return total


def _counts(x: Any, axes: tuple[Axis, ...]) -> Any:
    """How many elements of each window are no padding."""
    total = np.ones([1] * (len(axes) + 2))
    for i, a in enumerate(axes):
        starts = np.arange(a.out) * a.stride - a.before
        count = np.minimum(starts + a.kernel, a.size) - np.maximum(starts, 0)
        total = total * count.reshape(-1, *(1,) * (len(axes) - i))
    return constant(x, total)


@expands(avg_pool)
def _(input: Any, ksize: Any, strides: Any, padding: Any) -> Any:
    axes = _axes(input.shape.dims, ksize, strides, padding)
    if axes is None or input.dtype is not float64:
        return NotImplemented
    padded, total = _padded(input, axes), None
    for _, spec in _offsets(axes):
        part = ops.getitem(padded, spec=spec)
        total = part if total is None else ops.add(total, part)
    return ops.divide(total, _counts(input, axes))


@expands(avg_pool_gradient)
def _(sizes: Any, gradient: Any, ksize: Any, strides: Any, padding: Any, operation: Any) -> Any:
    shape = known_integers(sizes.operand) or operation.outputs[0].shape.dims
    axes = _axes(shape, ksize, strides, padding)
    if axes is None:
        return NotImplemented
    wide = ops.cast(gradient, dtype=float32) if gradient.dtype is float16 else gradient
    share = ops.divide(wide, _counts(wide, axes))
    counts = ops.concat([ops.shape(gradient)[:1], [*(a.before + a.size + a.after for a in axes)],
                         ops.shape(gradient)[-1:]], axis=0)  # fmt: skip
    total = ops.zeros(counts, dtype=wide.dtype)
    total.set_shape([None] * len(shape))
    for _, spec in _offsets(axes):
        total = ops.add_item(total, share, [], spec=spec)
    return ops.cast(_inside(total, axes), dtype=gradient.dtype)
