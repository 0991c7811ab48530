"""Windows of images around places of their own: `extract_glimpse`.

    extract_glimpse(images, [9, 9], [[0.0, 0.0]])        # the middle of the one image
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import float32, int64
from runtime.errors import InvalidArgumentError
from runtime.library import arrays, random
from runtime.library.image.pixels import image_of, pair_of, sizes_of
from runtime.ops.arrays import create, shape
from runtime.ops.elementwise import logic
from runtime.ops.elementwise.compare import greater_equal, less_equal
from runtime.ops.elementwise.limits import clip_by_value
from runtime.ops.reductions import reduce
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["extract_glimpse"]

NOISES = ("uniform", "gaussian", "zero")


@switches
def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: bool = True, normalized: bool = True, noise: str = "uniform",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A window of each image: [batch, *size, channels]. Gradients go through it to the pixels.

    input: [batch, height, width, channels] of float32; size: (rows, columns) of a window; offsets: [batch, 2], places
    (y, x). normalized: they are in parts of the image, from -1 to 1 around its middle if centered (it is the middle of
    the window, too), from 0 to 1 otherwise, for the first pixel of the window. Not normalized, they are the pixels
    from the middle of the image, or from its first pixel, to the first pixel of the window. noise: what stands outside
    of the image: "uniform" or "gaussian" numbers in the range of its pixels, or "zero".
    """
    function = "extract_glimpse"
    if noise not in NOISES:
        raise InvalidArgumentError(f"image.{function}: noise is one of {', '.join(NOISES)}; got {noise!r}")
    images, places = image_of(input, function, (4,)), convert_to_tensor(offsets)
    wanted = pair_of(function, "size", size)
    found, there = images, convert_to_tensor(True)
    for axis, (have, want) in enumerate(zip(sizes_of(images), wanted, strict=True)):
        start = _first(shape.cast(places[:, axis], float32), have, want, centered, normalized)
        indices = start[:, None] + arrays.range_(shape.cast(want, int64))
        last = shape.cast(have, int64) - 1
        inside = logic.logical_and(greater_equal(indices, 0), less_equal(indices, last))
        there = logic.logical_and(there, inside[:, :, None, None] if axis == 0 else inside[:, None, :, None])
        found = arrays.gather(found, clip_by_value(indices, 0, last), axis=axis + 1, batch_dims=1)
    return logic.where(there, found, _outside(noise, images, shape.shape(found)), name=name)


def _first(place: Any, have: Any, want: Any, centered: bool, normalized: bool) -> Any:
    """The first pixel of each window along one axis. have, want: the sizes of images and windows."""
    have, want = shape.cast(have, float32), shape.cast(want, float32)
    if normalized:
        place = place * have
        place = (place + have - want) / 2.0 if centered else place
    elif centered:
        place = place + have / 2.0
    return shape.cast(place, int64)


def _outside(noise: str, images: Any, sizes: Any) -> Any:
    """What stands outside of each image, in the range of its pixels."""
    if noise == "zero":
        return create.zeros([], images.dtype)
    axes = (1, 2, 3)
    if noise == "gaussian":
        spread = reduce.reduce_std(images, axes, keepdims=True)
        return random.normal(sizes, dtype=images.dtype) * spread + reduce.reduce_mean(images, axes, keepdims=True)
    low, high = reduce.reduce_min(images, axes, keepdims=True), reduce.reduce_max(images, axes, keepdims=True)
    return random.uniform(sizes, dtype=images.dtype) * (high - low) + low
