"""Images in other sizes. Each pixel of the result is a weighted sum of pixels near its place: rows first, then columns.

    resize(images, [64, 64])                             # float32; linear between the pixels
    resize(images, [64, 64], method="nearest")           # the dtype of the images

The places are those of the middles of pixels, as in TensorFlow 2: pixel i of n lies at (i + 0.5) / n.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from runtime.dtypes import float32
from runtime.library import arrays
from runtime.library.image.moving import pad_to_bounding_box
from runtime.library.image.pixels import demand, image_of, larger, one_size, pair_of, sizes_of
from runtime.ops.arrays import index, shape
from runtime.ops.arrays.scatter import gather_nd
from runtime.ops.elementwise import arithmetic, limits, logic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["ResizeMethod", "crop_and_resize", "resize", "resize_with_pad"]


class ResizeMethod:
    """The ways in which `resize` finds pixels between others."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


# -- weights by the distance of a pixel, which are 0 from a radius on


def _linear(x: Any) -> Any:
    return limits.maximum(1 - x, 0.0)


def _cubic(near: tuple[float, ...], far: tuple[float, ...]) -> Callable[[Any], Any]:
    """One polynomial of degree 3 up to distance 1, and one from there to 2. near, far: from the cube down."""

    def weight(x: Any) -> Any:
        inner, outer = (((p[0] * x + p[1]) * x + p[2]) * x + p[3] for p in (near, far))
        return logic.where(x < 1, inner, logic.where(x < 2, outer, 0.0))

    return weight


def _lanczos(radius: int) -> Callable[[Any], Any]:
    def weight(x: Any) -> Any:
        angle = math.pi * x
        waves = radius * elementwise.sin(angle) * elementwise.sin(angle / radius)
        found = logic.where(x <= 1e-3, 1.0, arithmetic.divide_no_nan(waves, angle * angle))
        return logic.where(x <= radius, found, 0.0)

    return weight


def _gaussian(x: Any) -> Any:
    return logic.where(x < 1.5, elementwise.exp(-2 * x * x), 0.0)


_KEYS: Final = _cubic((1.5, -2.5, 0.0, 1.0), (-0.5, 2.5, -4.0, 2.0))
_MITCHELL: Final = _cubic((7 / 6, -2.0, 0.0, 8 / 9), (-7 / 18, 2.0, -10 / 3, 16 / 9))

_KERNELS: Final[dict[str, tuple[float, Callable[[Any], Any]]]] = {
    "bilinear": (1.0, _linear),
    "bicubic": (2.0, _KEYS),
    "lanczos3": (3.0, _lanczos(3)),
    "lanczos5": (5.0, _lanczos(5)),
    "gaussian": (1.5, _gaussian),
    "mitchellcubic": (2.0, _MITCHELL),
}
"""Radius and weight of each method."""

_STEPS: Final = 1024
"""Cubic weights are tabulated in TensorFlow, in so many steps from pixel to pixel."""

_Taps = tuple[Any, Any]
"""Positions and weights, [size of the result, pixels for each]."""


def _float(value: Any) -> Any:
    return shape.cast(value, float32) if is_tensor(value) else convert_to_tensor(float(value), float32)


def _up(value: Any) -> Any:
    """The next integer: an integer of Python where the value is one."""
    return shape.cast(elementwise.ceil(value), "int64") if is_tensor(value) else math.ceil(value)


def _by_kernel(method: str, antialias: bool, have: Any, want: Any) -> _Taps:
    radius, weight = _KERNELS[method]
    ratio = _float(have) / _float(want)
    spread = limits.maximum(ratio, 1.0) if antialias else _float(1.0)
    known = not (antialias and (is_tensor(have) or is_tensor(want)))
    reach = radius * (max(have / want, 1.0) if antialias else 1.0) if known else radius * spread
    places = (_float_range(want) + 0.5) * ratio
    if method == "bicubic" and not antialias:
        below = elementwise.floor(places - 0.5)
        places = below + 0.5 + arithmetic.round_((places - 0.5 - below) * _STEPS) / _STEPS
    first = elementwise.floor(places - 0.5 - radius * spread) + 1
    positions = first[:, None] + _float_range(_up(2 * reach))[None, :]
    weights = weight(arithmetic.abs_(positions + 0.5 - places[:, None]) / spread)
    weights = logic.where((positions >= 0) & (positions < _float(have)), weights, 0.0)
    return positions, weights / reduce.reduce_sum(weights, axis=1, keepdims=True)


def _by_area(have: Any, want: Any) -> _Taps:
    """The share of each pixel in the stretch that a pixel of the result covers."""
    ratio = _float(have) / _float(want)
    starts = (_float_range(want) * ratio)[:, None]
    ends = ((_float_range(want) + 1) * ratio)[:, None]
    known = not (is_tensor(have) or is_tensor(want))
    positions = elementwise.floor(starts) + _float_range(_up(have / want if known else ratio) + 1)[None, :]
    shares = limits.minimum(positions + 1, ends) - limits.maximum(positions, starts)
    return positions, limits.maximum(shares, 0.0) / ratio


def _float_range(count: Any) -> Any:
    return shape.cast(arrays.range_(count), float32)


def _summed(images: Any, axis: int, taps: _Taps, have: Any) -> Any:
    positions, weights = taps
    places = limits.minimum(limits.maximum(shape.cast(positions, "int64"), 0), have - 1)
    around = [1] * (-axis - 1)
    spread = shape.reshape(weights, arrays.concat([shape.shape(weights), around], 0) if around else weights.shape)
    rank = images.shape.rank
    return reduce.reduce_sum(index.gather(images, places, rank + axis) * spread, axis=rank + axis + 1)


def _nearest(images: Any, axis: int, have: Any, want: Any) -> Any:
    places = elementwise.floor((_float_range(want) + 0.5) * (_float(have) / _float(want)))
    return index.gather(images, limits.minimum(shape.cast(places, "int64"), have - 1), images.shape.rank + axis)


@switches
def resize(
    images: Any, size: Any, method: str = ResizeMethod.BILINEAR, preserve_aspect_ratio: bool = False,
    antialias: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The images with another height and width, float32; the dtype stays for method "nearest".

    images: numeric, [height, width, channels] or a batch of them; size: height and width; method: see `ResizeMethod`;
    preserve_aspect_ratio: the largest size within `size` whose sides have the same ratio; antialias: smaller images
    take the mean of more pixels.
    """
    images = image_of(images, "resize")
    wanted = pair_of("resize", "size", size)
    if method not in ("nearest", "area", *_KERNELS):
        raise ValueError(f"image.resize: there is no method {method!r}; there are nearest, area, {', '.join(_KERNELS)}")
    for target in wanted:
        demand(target > 0, "image.resize: size must be positive")
    if preserve_aspect_ratio:
        wanted = _within(sizes_of(images), wanted)
    for axis, have, want in zip((-3, -2), sizes_of(images), wanted, strict=True):
        demand(have > 0, "image.resize: an image without pixels has no other size")
        if method == "nearest":
            images = _nearest(images, axis, have, want)
            continue
        taps = _by_area(have, want) if method == "area" else _by_kernel(method, antialias, have, want)
        images = _summed(shape.cast(images, float32), axis, taps, have)
    return images


def _within(have: tuple[Any, Any], want: tuple[Any, Any]) -> tuple[Any, ...]:
    """The size within another one whose sides have the ratio of the images."""
    scale = limits.minimum(_float(want[0]) / _float(have[0]), _float(want[1]) / _float(have[1]))
    sizes = [arithmetic.round_(scale * _float(side)) for side in have]
    return tuple(_known([*have, *want], side) for side in sizes)


def _known(given: Any, size: Any) -> Any:
    """A size that was computed from others, as an integer of Python where these are."""
    if any(map(is_tensor, given)):
        return shape.cast(size, "int64")
    return one_size("resize", "size", shape.cast(size, "int64"))


@switches
def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: str = ResizeMethod.BILINEAR, antialias: bool = False
) -> Tensor:
    """The images as large as they fit into the target without being distorted, zeros around. See `resize`."""
    function = "resize_with_pad"
    images = image_of(image, function)
    targets = one_size(function, "target_height", target_height), one_size(function, "target_width", target_width)
    for side, target in zip(("height", "width"), targets, strict=True):
        demand(target > 0, f"image.{function}: target_{side} must be positive")
    have = sizes_of(images)
    given = [*have, *targets]
    ratio = limits.maximum(*(_float(side) / _float(target) for side, target in zip(have, targets, strict=True)))
    exact = [_float(side) / ratio for side in have]
    resized = resize(images, [_known(given, elementwise.floor(side)) for side in exact], method, antialias=antialias)
    top, left = (
        larger(_known(given, elementwise.floor((_float(target) - side) / 2)), 0)
        for target, side in zip(targets, exact, strict=True)
    )
    return pad_to_bounding_box(resized, top, left, *targets)


def crop_and_resize(
    image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: str = ResizeMethod.BILINEAR,
    extrapolation_value: Any = 0.0, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Parts of images, all brought to one size, float32: [boxes, height, width, channels].

    image: numeric, [batch, height, width, channels]; boxes: float, [boxes, 4], each (y1, x1, y2, x2), where 0 is the
    middle of the first pixel and 1 that of the last; box_indices: of which image each is; method: "bilinear" or
    "nearest"; extrapolation_value: what is outside of the image.
    """
    images = image_of(image, "crop_and_resize", (4,))
    if method not in ("bilinear", "nearest"):
        raise ValueError(f"image.crop_and_resize: method is 'bilinear' or 'nearest'; got {method!r}")
    sizes = pair_of("crop_and_resize", "crop_size", crop_size)
    boxes = shape.cast(convert_to_tensor(boxes), float32)
    found, places, inside = [], [], []
    for side, (have, want) in enumerate(zip(sizes_of(images), sizes, strict=True)):
        line = _line(boxes[:, side], boxes[:, side + 2], have, want)
        last = _float(have) - 1
        inside.append((line >= 0) & (line <= last))
        found.append(elementwise.floor(line) if method == "bilinear" else _half_away(line))
        places.append((line, last))
    batch = shape.cast(convert_to_tensor(box_indices), "int64")[:, None, None]
    values = shape.cast(images, float32)
    rows, columns = found
    if method == "nearest":
        result = _pixels(values, batch, rows, columns, places)
    else:
        down, right = places[0][0] - rows, places[1][0] - columns
        right = right[:, None, :, None]
        upper, lower = (
            (1 - right) * _pixels(values, batch, rows + more, columns, places)
            + right * _pixels(values, batch, rows + more, columns + 1, places)
            for more in (0, 1)
        )
        result = upper + (lower - upper) * down[:, :, None, None]
    seen = (inside[0][:, :, None] & inside[1][:, None, :])[..., None]
    return logic.where(seen, result, shape.cast(convert_to_tensor(extrapolation_value), float32), name=name)


def _line(start: Any, end: Any, have: Any, want: Any) -> Any:
    """Where the pixels of a part lie along one axis, [boxes, size]."""
    last = _float(have) - 1
    if not is_tensor(want) and want == 1:
        return (0.5 * (start + end) * last)[:, None]
    step = (end - start) * last / (_float(want) - 1)
    return (start * last)[:, None] + _float_range(want)[None, :] * step[:, None]


def _half_away(x: Any) -> Any:
    return elementwise.floor(x + 0.5)


def _pixels(images: Any, batch: Any, rows: Any, columns: Any, places: Any) -> Any:
    """The pixels at rows and columns, [boxes, height] and [boxes, width], as near as they are in the image."""
    near = [
        shape.cast(limits.minimum(limits.maximum(line, 0.0), last), "int64")
        for line, (_, last) in zip((rows, columns), places, strict=True)
    ]
    whole = [batch, near[0][:, :, None], near[1][:, None, :]]
    zero = whole[0] * 0 + whole[1] * 0 + whole[2] * 0
    return gather_nd(images, arrays.stack([part + zero for part in whole], axis=-1))
