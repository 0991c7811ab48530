"""How much images differ from each other, and pixels from those beside them.

    psnr(image, other, max_val=1.0)                      # in decibels
    ssim(image, other, max_val=1.0)                      # 1 where they are the same
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import float32
from runtime.errors import ShapeMismatchError
from runtime.library import arrays, nn
from runtime.library.image.colors import convert_image_dtype
from runtime.library.image.pixels import demand, image_of, integers, sizes_of
from runtime.ops.arrays import create, repeating, shape
from runtime.ops.elementwise import arithmetic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.numpy_calls.operands import size_of
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["image_gradients", "psnr", "sobel_edges", "ssim", "ssim_multiscale", "total_variation"]

SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
"""How much each scale counts in `ssim_multiscale`."""


def _pair(function: str, a: Any, b: Any, max_val: Any) -> tuple[Any, Any, Any]:
    """Two images as floats, and the range of their numbers."""
    first, second = convert_to_tensor(a), convert_to_tensor(b)
    for one in (first, second):
        if one.shape.rank is None or one.shape.rank < 3:
            image_of(one, function)
    if not first.shape[-3:].is_compatible_with(second.shape[-3:]):
        raise ShapeMismatchError(f"image.{function}: images of one size; got {first.shape} and {second.shape}")
    top = convert_image_dtype(shape.cast(convert_to_tensor(max_val), first.dtype), float32)
    return convert_image_dtype(first, float32), convert_image_dtype(second, float32), top


def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The ratio of signal to noise of each image, in decibels, float32; inf where both are the same.

    a, b: integers or floats, [..., height, width, channels]; max_val: the range of their numbers.
    """
    a, b, top = _pair("psnr", a, b, max_val)
    error = reduce.reduce_mean(arithmetic.squared_difference(a, b), axis=(-3, -2, -1))
    log = elementwise.log
    decibel = 10 / math.log(10)
    return arithmetic.subtract(2 * decibel * log(top), decibel * log(error), name=name)


def _smoothed(images: Any, size: int, sigma: float) -> Any:
    """The mean of the pixels around each one, weighted by a normal distribution, channel by channel."""
    places = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (places / sigma) ** 2)
    weights = convert_to_tensor((weights / weights.sum()).astype(np.float32))
    flat = _as_batch(images)
    for sides in ([size, 1, 1, 1], [1, size, 1, 1]):
        kernel = repeating.tile(shape.reshape(weights, sides), integers([1, 1, size_of(images, -1), 1]))
        flat = nn.depthwise_conv2d(flat, kernel, [1, 1, 1, 1], "VALID")
    return _with_lead(flat, images)


def _as_batch(images: Any) -> Any:
    return shape.reshape(images, integers([-1, *sizes_of(images), size_of(images, -1)]))


def _with_lead(flat: Any, images: Any) -> Any:
    return shape.reshape(flat, arrays.concat([shape.shape(images)[:-3], shape.shape(flat)[1:]], 0))


def _similarity(x: Any, y: Any, top: Any, size: int, sigma: float, k1: float, k2: float) -> tuple[Any, Any]:
    """Similarity in brightness and structure, and in structure alone, for each pixel and channel."""
    for side in sizes_of(x):
        demand(side >= size, f"image.ssim: each side of the images has at least {size} pixels, that of the filter")
    first, second = (k1 * top) ** 2, (k2 * top) ** 2
    smooth: Callable[[Any], Any] = functools.partial(_smoothed, size=size, sigma=sigma)
    mean_x, mean_y = smooth(x), smooth(y)
    product, squares = 2 * mean_x * mean_y, arithmetic.square(mean_x) + arithmetic.square(mean_y)
    both = 2 * smooth(x * y) - product
    each = smooth(arithmetic.square(x) + arithmetic.square(y)) - squares
    structure = (both + second) / (each + second)
    return (product + first) / (squares + first) * structure, structure


@switches
def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01,
    k2: float = 0.03, return_index_map: bool = False,
) -> Tensor:  # fmt: skip
    """How similar the structure of images is, at most 1, float32: one number for each image.

    img1, img2: integers or floats, [..., height, width, channels]; max_val: the range of their numbers; filter_size,
    filter_sigma: of the window; k1, k2: what keeps quotients of small numbers small; return_index_map: for each pixel.
    """
    x, y, top = _pair("ssim", img1, img2, max_val)
    found, _ = _similarity(x, y, top, filter_size, filter_sigma, k1, k2)
    return reduce.reduce_mean(found, axis=-1 if return_index_map else (-3, -2, -1))


def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Sequence[float] = SCALES, filter_size: int = 11,
    filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03,
) -> Tensor:  # fmt: skip
    """`ssim` at several scales, each half as large as the one before. power_factors: how much each counts."""
    x, y, top = _pair("ssim_multiscale", img1, img2, max_val)
    result: Any = None
    for scale, power in enumerate(power_factors):
        if scale:
            x, y = _halved(x), _halved(y)
        whole, structure = _similarity(x, y, top, filter_size, filter_sigma, k1, k2)
        kept = whole if scale == len(power_factors) - 1 else structure
        factor = nn.relu(reduce.reduce_mean(kept, axis=(-3, -2))) ** power
        result = factor if result is None else result * factor
    return reduce.reduce_mean(result, axis=-1)


def _halved(images: Any) -> Any:
    """The means of squares of four pixels; at odd sides the last row or column stands for the one after it."""
    flat = _as_batch(images)
    odd = [[0, side % 2] for side in sizes_of(flat)]
    around = [[0, 0], *odd, [0, 0]]
    if any(is_tensor(pair[1]) or pair[1] for pair in odd):
        flat = arrays.pad(flat, integers(around), mode="SYMMETRIC")
    return _with_lead(nn.avg_pool2d(flat, 2, 2, "VALID"), images)


def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the distances of pixels from those below and beside them: one number for each image."""
    images = image_of(images, "total_variation")
    down = arithmetic.abs_(images[..., 1:, :, :] - images[..., :-1, :, :])
    right = arithmetic.abs_(images[..., 1:, :] - images[..., :-1, :])
    axes = (-3, -2, -1)
    return arithmetic.add(reduce.reduce_sum(down, axis=axes), reduce.reduce_sum(right, axis=axes), name=name)


def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """How much the pixel below, and the one to the right, are more: two tensors of the shape of the images, whose last
    row and last column are 0. image: numeric, [batch, height, width, channels]."""
    images = image_of(image, "image_gradients", (4,))
    down, right = images[:, 1:] - images[:, :-1], images[:, :, 1:] - images[:, :, :-1]
    last_row, last_column = create.zeros_like(images[:, -1:]), create.zeros_like(images[:, :, -1:])
    return arrays.concat([down, last_row], 1), arrays.concat([right, last_column], 2)


def sobel_edges(image: Any) -> Tensor:
    """The slopes of the images, down and to the right, by Sobel's filters: [batch, height, width, channels, 2].

    image: float, [batch, height, width, channels], each side at least 2.
    """
    images = image_of(image, "sobel_edges", (4,))
    padded = arrays.pad(images, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")

    def slope(along: int, across: int) -> Any:
        wide = _shifted(padded, across, 0) + 2 * _shifted(padded, across, 1) + _shifted(padded, across, 2)
        return _shifted(wide, along, 2) - _shifted(wide, along, 0)

    return arrays.stack([slope(1, 2), slope(2, 1)], axis=-1)


def _shifted(images: Any, axis: int, start: int) -> Any:
    """All but the first `start` and the last 2 - start along an axis."""
    part = slice(start, start - 2 or None)
    return images[:, part] if axis == 1 else images[:, :, part]
