"""Windows that move over the spatial axes of a tensor: what convolutions and poolings have in common.

>>> axis_of(5, kernel=3, stride=2, dilation=1, padding="SAME", place=0)
Axis(size=5, kernel=3, stride=2, dilation=1, before=1, after=1, out=3)

A tensor is [batch, *spatial, channels]. `padding` is "VALID" (only windows that lie inside), "SAME" (ceil(size /
stride) windows, zeros around, the odd one at the end) or a pair (before, after) for each spatial axis. A window takes
`kernel` elements, `dilation` apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.errors import InvalidArgumentError
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = [
    "Axis", "Padding", "axes_of", "axis_of", "blocks", "inside", "padded", "part", "spatial", "view_of", "windowed",
]  # fmt: skip

Padding = str | tuple[tuple[int, int], ...]

BLOCK: Final = 1 << 21
"""Bytes of windows that are laid out at a time: as many as stay in a core's cache while they are multiplied."""


class Axis(NamedTuple):
    """One spatial axis: its size, the window on it, the padding around it, and the number of windows."""

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    out: int

    @property
    def covered(self) -> int:
        """The size of a window, its gaps included."""
        return (self.kernel - 1) * self.dilation + 1


def axis_of(size: int, kernel: int, stride: int, dilation: int, padding: Padding, place: int) -> Axis:
    """The geometry of one spatial axis. Raises ValueError if the window is larger than what it moves over."""
    covered = (kernel - 1) * dilation + 1
    if padding == "SAME":
        out = -(-size // stride)
        missing = max((out - 1) * stride + covered - size, 0)
        return Axis(size, kernel, stride, dilation, missing // 2, missing - missing // 2, out)
    before, after = (0, 0) if isinstance(padding, str) else padding[place]
    room = size + before + after - covered + stride
    if room < 0:
        full = size + before + after
        raise ValueError(f"a window of {covered} is larger than the size {full} of spatial axis {place}")
    return Axis(size, kernel, stride, dilation, before, after, room // stride)


def axes_of(
    sizes: Sequence[int], kernels: Sequence[int], strides: Sequence[int], dilations: Sequence[int], padding: Padding,
    name: str = "window",
) -> tuple[Axis, ...]:  # fmt: skip
    """The geometry of all spatial axes. name: that of the operation, for errors."""
    check_window(name, len(sizes), kernels, strides, dilations, padding)
    given = zip(sizes, kernels, strides, dilations, strict=True)
    return tuple(axis_of(*one, padding, i) for i, one in enumerate(given))


def check_window(
    name: str, rank: int, kernels: Sequence[Any], strides: Sequence[int], dilations: Sequence[int], padding: Padding
) -> None:
    """Raises InvalidArgumentError for attributes that no window has, whatever the tensor."""
    for what, numbers in (("kernel", kernels), ("strides", strides), ("dilations", dilations)):
        if len(numbers) != rank:
            raise InvalidArgumentError(f"{name}: {what} {tuple(numbers)} must have a number for each of {rank} axes")
        if any(n is not None and n < 1 for n in numbers):
            raise InvalidArgumentError(f"{name}: {what} must be positive; got {tuple(numbers)}")
    if isinstance(padding, str):
        if padding not in ("SAME", "VALID"):
            raise InvalidArgumentError(f"{name}: padding is 'SAME', 'VALID' or a pair for each axis; got {padding!r}")
    elif len(padding) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in padding):
        raise InvalidArgumentError(
            f"{name}: explicit padding is (before, after) for each of {rank} axes, none negative; got {padding}"
        )


def windowed(
    sizes: Sequence[int | None], kernels: Sequence[int | None], strides: Sequence[int], dilations: Sequence[int],
    padding: Padding, name: str,
) -> list[int | None]:  # fmt: skip
    """How many windows there are along each spatial axis, None where it is unknown. name: that of the operation."""
    check_window(name, len(sizes), kernels, strides, dilations, padding)
    result: list[int | None] = []
    for i, (size, kernel, stride, dilation) in enumerate(zip(sizes, kernels, strides, dilations, strict=True)):
        known = size is not None and (kernel is not None or padding == "SAME")
        result.append(axis_of(size or 0, kernel or 1, stride, dilation, padding, i).out if known else None)
    return result


def padded(x: Array, axes: Sequence[Axis], value: Any = 0) -> Array:
    """x with its padding, filled with `value`; x itself where there is none."""
    if not any(a.before or a.after for a in axes):
        return x
    sizes = [a.before + a.size + a.after for a in axes]
    result = np.full((len(x), *sizes, x.shape[-1]), value, x.dtype)
    result[inside(axes)] = x
    return result


def inside(axes: Sequence[Axis]) -> tuple[Any, ...]:
    """The index of the tensor itself within its padded form."""
    return (slice(None), *(slice(a.before, a.before + a.size) for a in axes))


def part(axis: Axis, offset: int) -> slice:
    """Which elements of a padded axis are at one position of their windows."""
    start = offset * axis.dilation
    return slice(start, start + axis.stride * (axis.out - 1) + 1 if axis.out else start, axis.stride)


def view_of(x: Array, axes: Sequence[Axis]) -> Array:
    """All windows of a padded tensor, without a copy: [batch, *windows, *kernel, channels]."""
    steps = x.strides[1:-1]
    apart = [s * a.stride for s, a in zip(steps, axes, strict=True)]
    within = [s * a.dilation for s, a in zip(steps, axes, strict=True)]
    shape = (len(x), *(a.out for a in axes), *(a.kernel for a in axes), x.shape[-1])
    return as_strided(x, shape, (x.strides[0], *apart, *within, x.strides[-1]), writeable=False)


def blocks(batch: int, rows: int, size: int) -> Iterator[tuple[slice, slice]]:
    """Parts of batch x rows whose rows take about `BLOCK` bytes: whole images, or some rows of one image.

    size: the bytes of one row.
    """
    count = max(1, BLOCK // max(size, 1))
    if count >= rows:
        step = max(1, count // max(rows, 1))
        for first in range(0, batch, step):
            yield slice(first, min(first + step, batch)), slice(0, rows)
        return
    for image in range(batch):
        for first in range(0, rows, count):
            yield slice(image, image + 1), slice(first, min(first + count, rows))


def spatial(shape: TensorShape, rank: int, what: str) -> tuple[int | None, ...]:
    """The dims of a tensor [batch, *spatial, channels]. Raises ValueError if it has another rank."""
    if shape.dims is None:
        return (None,) * (rank + 2)
    if len(shape.dims) != rank + 2:
        raise ValueError(f"{what} must have rank {rank + 2}: [batch, {rank} spatial axes, channels]; it is {shape}")
    return shape.dims
