"""Colours: brighter, with more contrast or another hue; from red, green and blue to other models and back; dtypes.

    adjust_brightness(image, 0.1)
    convert_image_dtype(image, runtime.float32)          # 0 to 255 becomes 0.0 to 1.0

Images of integers stand for numbers from 0 to 1, their dtype's greatest being 1: they are changed as such, and come
back in their dtype.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, as_dtype, float16, float32
from runtime.errors import DtypeMismatchError
from runtime.library import arrays
from runtime.library.image.pixels import demand, image_of, with_channels
from runtime.library.math import reduce_std
from runtime.ops.arrays import repeating, shape
from runtime.ops.elementwise import arithmetic, limits, logic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.flow import core
from runtime.ops.linear import products as linalg
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation", "convert_image_dtype",
    "grayscale_to_rgb", "hsv_to_rgb", "per_image_standardization", "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq",
    "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip


# -- dtypes


def _top(dtype: DType) -> int:
    return int(np.iinfo(dtype.numpy).max)


def _cast(image: Any, dtype: DType, saturate: bool, name: str | None = None) -> Any:
    """The image in a dtype; saturate: what it does not have becomes its least or greatest number."""
    if not saturate or not dtype.is_integer:
        return shape.cast(image, dtype, name=name)
    info = np.iinfo(dtype.numpy)
    if image.dtype.is_integer:
        own = np.iinfo(image.dtype.numpy)
        low, high = max(int(info.min), int(own.min)), min(int(info.max), int(own.max))
    else:
        kind = image.dtype.numpy.type
        low, high = (min(max(kind(edge), np.finfo(kind).min), np.finfo(kind).max) for edge in (info.min, info.max))
        high = high if int(high) <= info.max else np.nextafter(high, kind(0))
    return shape.cast(limits.clip_by_value(image, low, high), dtype, name=name)


@switches
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Tensor:
    """The image in another dtype: integers from 0 to their greatest number stand for floats from 0 to 1.

    image, dtype: integer or float; saturate: numbers that the dtype does not have become its least or greatest one.
    Raises DtypeMismatchError for other dtypes.
    """
    image, dtype = convert_to_tensor(image), as_dtype(dtype)
    for given in (image.dtype, dtype):
        if not (given.is_integer or given.is_floating):
            raise DtypeMismatchError(f"convert_image_dtype: images are integers or floats; got {given.name}")
    if dtype is image.dtype:
        return core.identity(image, name=name)
    if image.dtype.is_integer and dtype.is_integer:
        have, want = _top(image.dtype), _top(dtype)
        if have > want:
            return _cast(arithmetic.floordiv(image, (have + 1) // (want + 1)), dtype, saturate, name)
        return arithmetic.multiply(_cast(image, dtype, saturate), (want + 1) // (have + 1), name=name)
    if image.dtype.is_integer:
        return arithmetic.multiply(shape.cast(image, dtype), 1 / _top(image.dtype), name=name)
    if dtype.is_floating:
        return shape.cast(image, dtype, name=name)
    return _cast(image * (_top(dtype) + 0.5), dtype, saturate, name)


def _as_floats(change: Callable[[Any], Any], image: Any, saturate: bool = False) -> Any:
    """A change of floats, of an image of any dtype, which it has afterwards too."""
    own = image.dtype in (float16, float32)
    changed = change(image if own else convert_image_dtype(image, float32))
    return convert_image_dtype(changed, image.dtype, saturate=saturate)


def _number(value: Any, like: Any) -> Any:
    """An argument that is a number, in the dtype of the image."""
    return shape.cast(convert_to_tensor(value), like.dtype)


def _beside(value: Any) -> Any:
    """An argument that is to be compared: Python's numbers as they are."""
    return value if isinstance(value, numbers.Real) else convert_to_tensor(value)


# -- brighter, darker


def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """The image with delta added to all. image: integers or floats of any shape; delta: a number, from -1 to 1."""
    return _as_floats(lambda x: x + _number(delta, x), convert_to_tensor(image), saturate=True)


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """The images with the distance of each pixel from the mean of its channel times a factor."""
    images = convert_to_tensor(images)
    if images.shape.rank is not None and images.shape.rank < 3:
        image_of(images, "adjust_contrast")

    def changed(x: Any) -> Any:
        mean = reduce.reduce_mean(x, axis=(-3, -2), keepdims=True)
        return (x - mean) * _number(contrast_factor, x) + mean

    return _as_floats(changed, images, saturate=True)


def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """gain * image ** gamma. gamma: not negative."""
    demand(_beside(gamma) >= 0, "image.adjust_gamma: gamma is not negative")
    changed = lambda x: _number(gain, x) * x ** _number(gamma, x)
    return _as_floats(changed, convert_to_tensor(image), saturate=True)


def per_image_standardization(image: Any) -> Tensor:
    """Each image with mean 0 and standard deviation 1, float32; that of an image of one colour is 0."""
    image = convert_to_tensor(image)
    if image.shape.rank is not None and image.shape.rank < 3:
        image_of(image, "per_image_standardization")
    pixels = shape.cast(image, float32)
    axes = (-3, -2, -1)
    count = shape.cast(reduce.reduce_prod(shape.shape(pixels)[-3:]), float32)
    deviation = limits.maximum(reduce_std(pixels, axis=axes, keepdims=True), elementwise.rsqrt(count))
    return (pixels - reduce.reduce_mean(pixels, axis=axes, keepdims=True)) / deviation


# -- models of colours


def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """How bright each pixel seems: [..., 1], in the dtype of the images. images: integers or floats, [..., 3]."""
    images = with_channels(images, 3, "rgb_to_grayscale")
    parts = convert_image_dtype(images, float32)
    weights = np.array([[0.2989], [0.5870], [0.1140]], np.float32)
    return convert_image_dtype(linalg.tensordot(parts, weights, 1), images.dtype, name=name)


def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """The one channel three times. images: any dtype, [..., 1]."""
    images = with_channels(images, 1, "grayscale_to_rgb")
    rank = image_of(images, "grayscale_to_rgb", tuple(range(1, 9))).shape.rank
    return repeating.tile(images, [1] * (rank - 1) + [3], name=name)


def _channels(images: Any) -> list[Any]:
    return [images[..., i] for i in range(3)]


def _hue(images: Any) -> tuple[Any, Any, Any]:
    """Hue in [0, 1), the least and the greatest channel of each pixel."""
    red, green, blue = _channels(images)
    low, high = (pick(pick(red, green), blue) for pick in (limits.minimum, limits.maximum))
    turn = arithmetic.divide_no_nan
    span = 6 * (high - low)
    hue = logic.where(
        red >= high, turn(green - blue, span),
        logic.where(green >= high, turn(blue - red, span) + 2 / 6, turn(red - green, span) + 4 / 6),
    )  # fmt: skip
    hue = logic.where(high > low, hue, arithmetic.multiply(hue, 0.0))
    return logic.where(hue < 0, hue + 1, hue), low, high


def _of_hue(hue: Any) -> list[Any]:
    """How much of red, green and blue a hue has, each in [0, 1]."""
    six = hue * 6
    rises = (arithmetic.abs_(six - 3) - 1, 2 - arithmetic.abs_(six - 2), 2 - arithmetic.abs_(six - 4))
    return [limits.clip_by_value(rise, 0.0, 1.0) for rise in rises]


def _floats(images: Any, function: str) -> Any:
    images = with_channels(images, 3, function)
    if not images.dtype.is_floating:
        raise DtypeMismatchError(
            f"image.{function} takes floats; got {images.dtype.name}. Take image.convert_image_dtype(images, float32)"
        )
    return images


def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Hue, saturation and value, each in [0, 1]. images: float, [..., 3], in [0, 1]."""
    hue, low, high = _hue(_floats(images, "rgb_to_hsv"))
    saturation = logic.where(high > 0, arithmetic.divide_no_nan(high - low, high), arithmetic.multiply(high, 0.0))
    return arrays.stack([hue, saturation, high], axis=-1, name=name)


def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Red, green and blue of hue, saturation and value. images: float, [..., 3], in [0, 1]."""
    hue, saturation, value = _channels(_floats(images, "hsv_to_rgb"))
    parts = [((1 - saturation) + saturation * part) * value for part in _of_hue(hue)]
    return arrays.stack(parts, axis=-1, name=name)


def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """The image with another hue. image: integers or floats, [..., 3]; delta: what is added to it, from -1 to 1."""
    demand(abs(_beside(delta)) <= 1, "image.adjust_hue: delta is in [-1, 1]")

    def changed(x: Any) -> Any:
        hue, low, high = _hue(x)
        parts = _of_hue((hue + _number(delta, x)) % 1)
        return arrays.stack([low + (high - low) * part for part in parts], axis=-1)

    return core.identity(_as_floats(changed, with_channels(image, 3, "adjust_hue")), name=name)


def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """The image with its saturation times a factor, at most 1. image: integers or floats, [..., 3]."""

    def changed(x: Any) -> Any:
        hue, saturation, value = _channels(rgb_to_hsv(x))
        saturation = limits.clip_by_value(saturation * _number(saturation_factor, x), 0.0, 1.0)
        return hsv_to_rgb(arrays.stack([hue, saturation, value], axis=-1))

    return core.identity(_as_floats(changed, with_channels(image, 3, "adjust_saturation")), name=name)


_TO_YIQ: Final = (
    (0.299, 0.59590059, 0.2115), (0.587, -0.27455667, -0.52273617), (0.114, -0.32134392, 0.31119955),
)  # fmt: skip
_FROM_YIQ: Final = (
    (1.0, 1.0, 1.0), (0.95598634, -0.27201283, -1.10674021), (0.6208248, -0.64720424, 1.70423049),
)  # fmt: skip
_TO_YUV: Final = (
    (0.299, -0.14714119, 0.61497538), (0.587, -0.28886916, -0.51496512), (0.114, 0.43601035, -0.10001026),
)  # fmt: skip
_FROM_YUV: Final = ((1.0, 1.0, 1.0), (0.0, -0.394642334, 2.03206185), (1.13988303, -0.58062185, 0.0))


def _mixed(matrix: Sequence[Sequence[float]], function: str, images: Any) -> Tensor:
    images = _floats(images, function)
    return linalg.tensordot(images, convert_to_tensor(np.array(matrix), images.dtype), 1)


def rgb_to_yiq(images: Any) -> Tensor:
    """Brightness and the two colour signals of NTSC. images: float, [..., 3]."""
    return _mixed(_TO_YIQ, "rgb_to_yiq", images)


def yiq_to_rgb(images: Any) -> Tensor:
    """What `rgb_to_yiq` does, undone. images: float, [..., 3]."""
    return _mixed(_FROM_YIQ, "yiq_to_rgb", images)


def rgb_to_yuv(images: Any) -> Tensor:
    """Brightness and the two colour signals of PAL. images: float, [..., 3]."""
    return _mixed(_TO_YUV, "rgb_to_yuv", images)


def yuv_to_rgb(images: Any) -> Tensor:
    """What `rgb_to_yuv` does, undone. images: float, [..., 3]."""
    return _mixed(_FROM_YUV, "yuv_to_rgb", images)
