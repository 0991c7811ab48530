"""Images changed at random: by the numbers that the program shares, or by those of a seed (`stateless_`).

    random_flip_left_right(image)                        # every other time
    stateless_random_brightness(image, 0.2, seed=[1, 2]) # the same for the same seed
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.dtypes import float32, int32
from runtime.errors import InvalidArgumentError
from runtime.library import arrays, random
from runtime.library.image.colors import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from runtime.library.image.files import adjust_jpeg_quality
from runtime.library.image.moving import flip_left_right, flip_up_down
from runtime.library.image.pixels import demand, image_of
from runtime.ops.arrays import shape
from runtime.ops.arrays.slices import slice_
from runtime.ops.elementwise import logic
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "random_brightness", "random_contrast", "random_crop", "random_flip_left_right", "random_flip_up_down",
    "random_hue", "random_jpeg_quality", "random_saturation", "stateless_random_brightness",
    "stateless_random_contrast", "stateless_random_crop", "stateless_random_flip_left_right",
    "stateless_random_flip_up_down", "stateless_random_hue", "stateless_random_jpeg_quality",
    "stateless_random_saturation",
]  # fmt: skip

Draw = Callable[..., Any]
"""draw(shape, minval, maxval, dtype): numbers, all equally likely."""


def _shared(seed: Any) -> Draw:
    return lambda shape, low, high, dtype=float32: random.uniform(shape, low, high, dtype, seed)


def _of(seed: Any) -> Draw:
    return lambda shape, low, high, dtype=float32: random.stateless_uniform(shape, seed, low, high, dtype)


def _range(function: str, lower: Any, upper: Any) -> None:
    if not (is_tensor(lower) or is_tensor(upper)) and not 0 <= lower < upper:
        raise InvalidArgumentError(f"image.{function}: 0 <= lower < upper; got lower={lower} and upper={upper}")


def _around_zero(function: str, max_delta: Any, most: float) -> None:
    if not is_tensor(max_delta) and not 0 <= max_delta <= most:
        raise InvalidArgumentError(f"image.{function}: max_delta is from 0 to {most}; got {max_delta}")


# -- mirrored


def _flipped(function: str, image: Any, flip: Callable[[Any], Any], draw: Draw) -> Any:
    images = image_of(image, function)
    sizes = [shape.shape(images)[0], 1, 1, 1] if images.shape.rank == 4 else []
    return logic.where(draw(sizes, 0.0, 1.0) < 0.5, flip(images), images)


def random_flip_left_right(image: Any, seed: int | None = None) -> Tensor:
    """The image as it is or mirrored, both equally likely; each image of a batch by itself."""
    return _flipped("random_flip_left_right", image, flip_left_right, _shared(seed))


def stateless_random_flip_left_right(image: Any, seed: Any) -> Tensor:
    """`random_flip_left_right` by a seed of two integers."""
    return _flipped("stateless_random_flip_left_right", image, flip_left_right, _of(seed))


def random_flip_up_down(image: Any, seed: int | None = None) -> Tensor:
    """The image as it is or upside down, both equally likely; each image of a batch by itself."""
    return _flipped("random_flip_up_down", image, flip_up_down, _shared(seed))


def stateless_random_flip_up_down(image: Any, seed: Any) -> Tensor:
    """`random_flip_up_down` by a seed of two integers."""
    return _flipped("stateless_random_flip_up_down", image, flip_up_down, _of(seed))


# -- colours


def _brightened(function: str, image: Any, max_delta: Any, draw: Draw) -> Any:
    _around_zero(function, max_delta, float("inf"))
    return adjust_brightness(image, draw([], -max_delta, max_delta))


def random_brightness(image: Any, max_delta: Any, seed: int | None = None) -> Tensor:
    """`adjust_brightness` by a number from [-max_delta, max_delta)."""
    return _brightened("random_brightness", image, max_delta, _shared(seed))


def stateless_random_brightness(image: Any, max_delta: Any, seed: Any) -> Tensor:
    """`random_brightness` by a seed of two integers."""
    return _brightened("stateless_random_brightness", image, max_delta, _of(seed))


def _by_factor(function: str, change: Callable[..., Any], image: Any, lower: Any, upper: Any, draw: Draw) -> Any:
    _range(function, lower, upper)
    return change(image, draw([], lower, upper))


def random_contrast(image: Any, lower: Any, upper: Any, seed: int | None = None) -> Tensor:
    """`adjust_contrast` by a factor from [lower, upper)."""
    return _by_factor("random_contrast", adjust_contrast, image, lower, upper, _shared(seed))


def stateless_random_contrast(image: Any, lower: Any, upper: Any, seed: Any) -> Tensor:
    """`random_contrast` by a seed of two integers."""
    return _by_factor("stateless_random_contrast", adjust_contrast, image, lower, upper, _of(seed))


def random_saturation(image: Any, lower: Any, upper: Any, seed: int | None = None) -> Tensor:
    """`adjust_saturation` by a factor from [lower, upper)."""
    return _by_factor("random_saturation", adjust_saturation, image, lower, upper, _shared(seed))


def stateless_random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """`random_saturation` by a seed of two integers."""
    return _by_factor("stateless_random_saturation", adjust_saturation, image, lower, upper, _of(seed))


def _of_other_hue(function: str, image: Any, max_delta: Any, draw: Draw) -> Any:
    _around_zero(function, max_delta, 0.5)
    return adjust_hue(image, draw([], -max_delta, max_delta))


def random_hue(image: Any, max_delta: Any, seed: int | None = None) -> Tensor:
    """`adjust_hue` by a number from [-max_delta, max_delta). max_delta: at most 0.5."""
    return _of_other_hue("random_hue", image, max_delta, _shared(seed))


def stateless_random_hue(image: Any, max_delta: Any, seed: Any) -> Tensor:
    """`random_hue` by a seed of two integers."""
    return _of_other_hue("stateless_random_hue", image, max_delta, _of(seed))


def _as_jpeg(function: str, image: Any, low: Any, high: Any, draw: Draw) -> Any:
    if not (is_tensor(low) or is_tensor(high)) and not 0 <= low < high <= 100:
        raise InvalidArgumentError(
            f"image.{function}: 0 <= min_jpeg_quality < max_jpeg_quality <= 100; got {low} and {high}"
        )
    return adjust_jpeg_quality(image, draw([], low, high, int32))


def random_jpeg_quality(
    image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: int | None = None
) -> Tensor:  # fmt: skip
    """The image after it was a JPEG file of a quality in [min_jpeg_quality, max_jpeg_quality): integers up to 100."""
    return _as_jpeg("random_jpeg_quality", image, min_jpeg_quality, max_jpeg_quality, _shared(seed))


def stateless_random_jpeg_quality(image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any) -> Tensor:
    """`random_jpeg_quality` by a seed of two integers."""
    return _as_jpeg("stateless_random_jpeg_quality", image, min_jpeg_quality, max_jpeg_quality, _of(seed))


# -- cut out


def _cut(function: str, value: Any, size: Any, draw: Draw, name: str | None) -> Any:
    value = convert_to_tensor(value)
    sizes = shape.cast(convert_to_tensor(size), int32)
    room = shape.shape(value) - sizes
    demand(reduce.reduce_all(room >= 0), f"image.{function}: size is no more than the value")
    offsets = draw(shape.shape(sizes), 0, 2**31 - 1, int32) % (room + 1)
    return slice_(value, offsets, arrays.stack(size) if isinstance(size, list | tuple) else size, name=name)


def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """A part of a tensor, all equally likely. value: any tensor; size: of the part, one integer for each axis."""
    return _cut("random_crop", value, size, _shared(seed), name)


def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Tensor:
    """`random_crop` by a seed of two integers."""
    return _cut("stateless_random_crop", value, size, _of(seed), name)
