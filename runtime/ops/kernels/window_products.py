"""The sums of products that convolutions are made of, on arrays: each of input, filters and result from the other two.

    y = convolve(x, w, axes)                    # x [batch, *spatial, channels], w [*kernel, channels / groups, outputs]
    x' = to_input(w, y', axes, x.shape)         # what each element of x gets of the gradient y' of y
    w' = to_filters(x, y', axes, w.shape)

Windows are laid out as rows of a matrix, a block that fits into the cache at a time, and multiplied with the filters as
one matrix (im2col). Where each group has one channel, products are summed position by position of the kernel instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from runtime.ops.kernels.cores import on_all_cores
from runtime.ops.kernels.windows import Axis, blocks, inside, padded, part, view_of
from runtime.ops.records.record import Array

__all__ = ["convolve", "to_filters", "to_input"]

Axes = Sequence[Axis]
Place = tuple[slice, slice]

SHORT = 8
"""Runs of fewer elements are copied along the image instead of along the channels."""

FEW = 8
"""Where there are less channels than outputs by more than this factor, products are spread, not gathered."""

LARGE = 1 << 27
"""Multiplications of which a convolution must have this many to be worth threads: some milliseconds."""


def convolve(x: Array, w: Array, axes: Axes) -> Array:
    """The convolution. axes: the geometry of the spatial axes."""
    groups = _groups_of(x.shape[-1], w)
    x = padded(x, axes)
    shape = (len(x), *(a.out for a in axes), w.shape[-1])
    if not (w.size and prod(shape)):
        return np.zeros(shape, x.dtype)
    result = np.empty(shape, x.dtype)
    if groups > 1 and w.shape[-2] == 1:
        _convolve_channels(x, w, axes, result)
        return result
    for channels, outputs in _shares(groups, w):
        matrix = w[..., outputs].reshape(-1, w.shape[-1] // groups)
        _multiply_windows(view_of(x[..., channels], axes), matrix, len(axes), result[..., outputs])
    return result


def to_input(w: Array, y: Array, axes: Axes, shape: Sequence[int]) -> Array:
    """The gradient of an input of this shape, from that of the result."""
    groups = _groups_of(shape[-1], w)
    if groups == 1 and shape[-1] * FEW >= y.shape[-1] and (turned := _turned(axes)) is not None:
        # Each element is the sum of products of the windows around it: a convolution with the filters mirrored.
        return convolve(y, np.flip(w, tuple(range(len(axes)))).swapaxes(-1, -2), turned)
    sizes = [a.before + a.size + a.after for a in axes]
    result: Array = np.zeros((shape[0], *sizes, shape[-1]), y.dtype)
    if not (w.size and y.size):
        pass
    elif groups > 1 and w.shape[-2] == 1:
        _channels_to_input(w, y, axes, result)
    else:
        for channels, outputs in _shares(groups, w):
            _add_to_input(w[..., outputs], y[..., outputs], axes, result[..., channels])
    cropped: Array = result[inside(axes)]
    return cropped


def _turned(axes: Axes) -> Axes | None:
    """The windows of the result that elements of the input belong to, where they lie side by side."""
    if any(a.stride != 1 or a.covered <= max(a.before, a.after) for a in axes):
        return None
    return [
        Axis(a.out, a.kernel, 1, a.dilation, a.covered - 1 - a.before, a.covered - 1 - a.after, a.size) for a in axes
    ]


def to_filters(x: Array, y: Array, axes: Axes, shape: Sequence[int]) -> Array:
    """The gradient of filters of this shape, from that of the result."""
    result = np.zeros(shape, x.dtype)
    groups = _groups_of(x.shape[-1], result)
    x = padded(x, axes)
    if not (result.size and y.size):
        return result
    if groups > 1 and shape[-2] == 1:
        _channels_to_filters(x, y, axes, result)
        return result
    for channels, outputs in _shares(groups, result):
        width = shape[-1] // groups
        total = np.zeros((prod(shape[:-1]), width), x.dtype)
        view = view_of(x[..., channels], axes)
        for place, rows in _rows_of_windows(view, len(axes), _places(view)):
            total += rows.T @ y[place][..., outputs].reshape(-1, width)
        result[..., outputs] = total.reshape(*shape[:-1], width)
    return result


def _groups_of(channels: int, w: Array) -> int:
    return channels // w.shape[-2] if channels and w.shape[-2] else 1


def _shares(groups: int, w: Array) -> Iterator[tuple[slice, slice]]:
    """Which channels of the input and which outputs belong to each group."""
    c, f = w.shape[-2], w.shape[-1] // groups
    for g in range(groups):
        yield slice(g * c, (g + 1) * c), slice(g * f, (g + 1) * f)


def _multiply_windows(view: Array, matrix: Array, rank: int, result: Array) -> None:
    """Each window times the filters, into its place in the result [batch, *windows, outputs]."""

    def multiply(places: Sequence[Place]) -> None:
        for place, rows in _rows_of_windows(view, rank, places):
            target = result[place]
            if target.flags.c_contiguous:
                np.matmul(rows, matrix, out=target.reshape(-1, matrix.shape[1]))
            else:
                target[...] = (rows @ matrix).reshape(target.shape)

    places = _places(view)
    if view.size * matrix.shape[1] < LARGE:
        multiply(places)
    else:
        on_all_cores(multiply, places)


def _places(view: Array) -> list[Place]:
    """The blocks of windows that are laid out at a time, in [batch, rows, ...]."""
    return list(blocks(view.shape[0], view.shape[1], prod(view.shape[2:]) * view.itemsize))


def _rows_of_windows(view: Array, rank: int, places: Sequence[Place]) -> Iterator[tuple[Place, Array]]:
    """The windows as matrices with a window in each row, block by block, each with its place.

    A matrix may lie where the one before it lay, which is then still in the cache.
    """
    width = prod(view.shape[1 + rank :])
    as_it_is = view.flags.c_contiguous
    turned = not as_it_is and prod(view.shape[-2:]) < min(SHORT, view.shape[rank])
    kernel_first = (*range(1 + rank, view.ndim), *range(1 + rank))
    memory: Array | None = None
    for place in places:
        block = view[place]
        count = prod(block.shape[: 1 + rank])
        if as_it_is:
            yield place, block.reshape(count, width)
            continue
        if turned:
            block = block.transpose(kernel_first)
        if memory is None or memory.size < count * width:
            memory = np.empty(count * width, view.dtype)
        rows = memory[: count * width]
        np.copyto(rows.reshape(block.shape), block)
        yield place, rows.reshape(width, count).T if turned else rows.reshape(count, width)


def _add_to_input(w: Array, y: Array, axes: Axes, into: Array) -> None:
    """Adds to the padded input of one group what each of its windows gets."""
    kernel, outputs = w.shape[:-2], w.shape[-1]
    matrix = w.reshape(-1, outputs).T
    for block, target, taps in _slabs(y, into, axes, prod(y.shape[2:-1]) * matrix.shape[1] * y.itemsize):
        columns = (block.reshape(-1, outputs) @ matrix).reshape(*block.shape[:-1], *kernel, w.shape[-2])
        for offsets, place in taps:
            target[place] += columns[(..., *offsets, slice(None))]


# -- one channel a group ------------------------------------------------------------------------------------------


def _convolve_channels(x: Array, w: Array, axes: Axes, result: Array) -> None:
    each = (x.shape[-1], w.shape[-1] // x.shape[-1])
    for block, source, taps in _slabs(result, x, axes, prod(result.shape[2:]) * result.itemsize):
        total = np.zeros((*block.shape[:-1], *each), x.dtype)
        products = np.empty_like(total)
        for offsets, place in taps:
            total += np.multiply(source[place][..., None], w[offsets].reshape(each), out=products)
        block[...] = total.reshape(block.shape)


def _channels_to_input(w: Array, y: Array, axes: Axes, into: Array) -> None:
    each = (into.shape[-1], y.shape[-1] // into.shape[-1])
    for block, target, taps in _slabs(y, into, axes, prod(y.shape[2:]) * y.itemsize):
        block = block.reshape(*block.shape[:-1], *each)
        for offsets, place in taps:
            target[place] += np.add.reduce(block * w[offsets].reshape(each), axis=-1)


def _channels_to_filters(x: Array, y: Array, axes: Axes, result: Array) -> None:
    each = (x.shape[-1], y.shape[-1] // x.shape[-1])
    for block, source, taps in _slabs(y, x, axes, prod(y.shape[2:]) * y.itemsize):
        block = block.reshape(-1, *each)
        for offsets, place in taps:
            values = source[place].reshape(-1, each[0])
            result[offsets] += np.einsum("pc,pcm->cm", values, block).reshape(1, -1)


def _slabs(y: Array, x: Array, axes: Axes, row: int) -> Iterator[tuple[Array, Array, list[tuple[Any, Any]]]]:
    """Blocks of the result, the part of the padded input that each meets, and where in that part each position of the
    kernel is. row: the bytes that a row of the result takes."""
    for images, rows in blocks(y.shape[0], y.shape[1], row):
        first = axes[0]._replace(out=rows.stop - rows.start)
        mine = (first, *axes[1:])
        taps = []
        for offsets in product(*(range(a.kernel) for a in axes)):
            taps.append((offsets, (slice(None), *(part(a, o) for a, o in zip(mine, offsets, strict=True)))))
        yield y[images, rows], x[images, rows.start * first.stride :], taps
