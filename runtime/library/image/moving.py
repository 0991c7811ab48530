"""Images cut out, put into larger ones, mirrored and turned: the pixels stay what they are.

    central_crop(image, 0.5)                             # the middle half of each axis
    resize_with_crop_or_pad(image, 28, 28)               # cut off, or zeros around, the same on both sides
"""

from __future__ import annotations

import numbers
from typing import Any

from runtime.control_flow.functions import switch_case
from runtime.library import arrays
from runtime.library.image.pixels import demand, image_of, integers, larger, one_size, sizes_of, smaller
from runtime.ops.arrays import index, shape
from runtime.ops.arrays.slices import slice_
from runtime.ops.flow import core
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "central_crop", "crop_to_bounding_box", "flip_left_right", "flip_up_down", "pad_to_bounding_box",
    "resize_with_crop_or_pad", "rot90", "transpose",
]  # fmt: skip


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """The part of the images whose upper left corner is (offset_height, offset_width), of the target's size.

    image: any dtype, [height, width, channels] or a batch of them. Raises InvalidArgumentError where the part is not
    inside of the image.
    """
    function = "crop_to_bounding_box"
    images = image_of(image, function)
    top, left, height, width = _box(function, offset_height, offset_width, target_height, target_width)
    for side, offset, size, whole in (("height", top, height, 0), ("width", left, width, 1)):
        have = sizes_of(images)[whole]
        demand(offset >= 0, f"image.{function}: offset_{side} must not be negative")
        demand(size > 0, f"image.{function}: target_{side} must be positive")
        demand(offset + size <= have, f"image.{function}: the {side} of the image is smaller than offset and target")
    return _part(images, top, left, height, width)


def _box(function: str, *given: Any) -> list[Any]:
    names = ("offset_height", "offset_width", "target_height", "target_width")
    return [one_size(function, name, value) for name, value in zip(names, given, strict=True)]


def _part(images: Tensor, top: Any, left: Any, height: Any, width: Any) -> Tensor:
    batch = images.shape.rank == 4
    return slice_(images, integers([0] * batch + [top, left, 0]), integers([-1] * batch + [height, width, -1]))


def central_crop(image: Any, central_fraction: Any) -> Tensor:
    """The middle of the images. central_fraction: the share of each axis that stays, in (0, 1]."""
    images = image_of(image, "central_crop")
    known = isinstance(central_fraction, numbers.Real)
    fraction = float(central_fraction) if known else shape.cast(convert_to_tensor(central_fraction), "float64")
    inside = 0 < fraction <= 1 if known else (fraction > 0) & (fraction <= 1)
    demand(inside, "image.central_crop: central_fraction is in (0, 1]")
    starts = []
    for size in sizes_of(images):
        if known and not is_tensor(size):
            starts.append(int((size - size * float(fraction)) / 2))
            continue
        whole = shape.cast(size, "float64")
        starts.append(shape.cast((whole - whole * fraction) / 2, "int64"))
    (top, left), (height, width) = starts, sizes_of(images)
    return _part(images, top, left, height - 2 * top, width - 2 * left)


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Zeros of the target's size with the images at (offset_height, offset_width) in them. image: any dtype.

    Raises InvalidArgumentError where the images do not fit into the target there.
    """
    function = "pad_to_bounding_box"
    images = image_of(image, function)
    top, left, height, width = _box(function, offset_height, offset_width, target_height, target_width)
    sides = []
    for side, offset, target, size in zip(
        ("height", "width"), (top, left), (height, width), sizes_of(images), strict=True
    ):
        after = target - offset - size
        demand(offset >= 0, f"image.{function}: offset_{side} must not be negative")
        demand(after >= 0, f"image.{function}: target_{side} is smaller than offset_{side} and the image")
        sides.append([offset, after])
    around = [[0, 0]] * (images.shape.rank - 3) + [*sides, [0, 0]]
    return arrays.pad(images, integers(around))


def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """The images with rows and columns cut off, or zeros added, on both sides, until they have the target's size."""
    function = "resize_with_crop_or_pad"
    images = image_of(image, function)
    targets = one_size(function, "target_height", target_height), one_size(function, "target_width", target_width)
    crops, pads, kept = [], [], []
    for side, target, size in zip(("height", "width"), targets, sizes_of(images), strict=True):
        demand(target > 0, f"image.{function}: target_{side} must be positive")
        more = target - size
        crops.append(larger(-more // 2, 0))
        pads.append(larger(more // 2, 0))
        kept.append(smaller(target, size))
    return pad_to_bounding_box(_part(images, *crops, *kept), pads[0], pads[1], *targets)


def flip_left_right(image: Any) -> Tensor:
    """The images mirrored at the vertical line through their middle. image: any dtype."""
    return index.reverse(image_of(image, "flip_left_right"), axis=(-2,))


def flip_up_down(image: Any) -> Tensor:
    """The images mirrored at the horizontal line through their middle. image: any dtype."""
    return index.reverse(image_of(image, "flip_up_down"), axis=-3)


def transpose(image: Any, name: str | None = None) -> Tensor:
    """The images with height and width exchanged. image: any dtype."""
    images = image_of(image, "transpose")
    order = [1, 0, 2] if images.shape.rank == 3 else [0, 2, 1, 3]
    return shape.transpose(images, order, name=name)


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """The images turned by k quarters, against the clock. k: an integer."""
    images = image_of(image, "rot90")
    turned = (
        lambda: core.identity(images, name=name),
        lambda: index.reverse(transpose(images), axis=-3, name=name),
        lambda: index.reverse(images, axis=(-3, -2), name=name),
        lambda: transpose(index.reverse(images, axis=-3), name=name),
    )
    quarters = one_size("rot90", "k", k)
    if is_tensor(quarters):
        return switch_case(quarters % 4, list(turned))
    return turned[quarters % 4]()
