"""Parts of images: all windows of one size, and boxes drawn.

    extract_patches(images, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")

A box is (y1, x1, y2, x2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import float32
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.library import arrays
from runtime.library.image.pixels import image_of, integers, one_size, sizes_of
from runtime.ops.arrays import shape
from runtime.ops.elementwise import limits, logic
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["draw_bounding_boxes", "extract_patches"]


# -- windows


def _inner(function: str, name: str, given: Sequence[int]) -> tuple[int, int]:
    numbers = [one_size(function, name, value) for value in given]
    if len(numbers) != 4 or numbers[0] != 1 or numbers[3] != 1 or min(numbers) < 1:
        raise InvalidArgumentError(f"image.{function}: {name} is [1, rows, columns, 1]; got {given!r}")
    return numbers[1], numbers[2]


def extract_patches(
    images: Any, sizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The windows of images, each as one long pixel: [batch, rows, columns, pixels of a window * channels].

    images: [batch, height, width, channels]; sizes: [1, rows, columns, 1] of a window; strides: from one window to the
    next; rates: from one pixel of a window to the next; padding: "VALID" or "SAME", which is with zeros around.
    """
    function = "extract_patches"
    images = image_of(images, function, (4,))
    if padding not in ("VALID", "SAME"):
        raise ValueError(f"image.{function}: padding is 'VALID' or 'SAME'; got {padding!r}")
    rows, columns = _inner(function, "sizes", sizes)
    steps, holes = _inner(function, "strides", strides), _inner(function, "rates", rates)
    covered = [(count - 1) * hole + 1 for count, hole in zip((rows, columns), holes, strict=True)]
    if padding == "SAME":
        images = _padded(images, covered, steps)
    counts = [
        (size - window) // step + 1 for size, window, step in zip(sizes_of(images), covered, steps, strict=True)
    ]
    parts = []
    for row in range(rows):
        for column in range(columns):
            first = row * holes[0], column * holes[1]
            down, right = (
                slice(start, start + (count - 1) * step + 1, step)
                for start, count, step in zip(first, counts, steps, strict=True)
            )
            parts.append(images[:, down, right])
    return arrays.concat(parts, -1, name=name)


def _padded(images: Any, covered: Sequence[int], steps: tuple[int, int]) -> Any:
    around: list[Any] = [[0, 0]]
    for size, window, step in zip(sizes_of(images), covered, steps, strict=True):
        count = -(-size // step)
        missing = (count - 1) * step + window - size
        missing = limits.maximum(missing, 0) if isinstance(missing, Tensor) else max(missing, 0)
        around.append([missing // 2, missing - missing // 2])
    around.append([0, 0])
    return arrays.pad(images, integers(around))


# -- drawing

_COLORS: Final = np.array(
    [[1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1], [0.5, 0.5, 0, 1], [0.5, 0, 0, 1],
     [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1]], np.float32,
)  # fmt: skip
"""Colours of boxes that are given none, one after the other."""


def draw_bounding_boxes(images: Any, boxes: Any, colors: Any = None, name: str | None = None) -> Tensor:
    """The images with the edges of boxes drawn into them.

    images: float, [batch, height, width, channels]; boxes: float, [batch, boxes, 4], where 0 is the first row or column
    and 1 the last; colors: float, [colours, channels], taken in turn.
    """
    images = image_of(images, "draw_bounding_boxes", (4,))
    boxes = shape.cast(convert_to_tensor(boxes), float32)
    channels, count = images.shape[-1], boxes.shape[1] if boxes.shape.rank == 3 else None
    if channels is None or count is None:
        raise ShapeMismatchError(
            "image.draw_bounding_boxes: the number of channels of the images and of boxes, [batch, boxes, 4], is known;"
            f" got {images.shape} and {boxes.shape}"
        )
    own = _COLORS[:, :channels] if channels > 1 else np.ones_like(_COLORS[:, :1])
    table = convert_to_tensor(own if colors is None else colors)[:, :channels]
    for number in range(count):
        color = shape.cast(table[number % _rows(table)], images.dtype)
        images = logic.where(_edges(images, boxes[:, number])[..., None], color, images)
    return shape.cast(images, images.dtype, name=name)


def _rows(table: Any) -> Any:
    return shape.shape(table)[0] if table.shape[0] is None else table.shape[0]


def _edges(images: Any, boxes: Any) -> Any:
    """Which pixels are the edge of a box: of one box for each image, [batch, height, width]."""
    inside, on_edge = [], []
    for side, (size, view) in enumerate(zip(sizes_of(images), ((1, -1, 1), (1, 1, -1)), strict=True)):
        line = shape.reshape(arrays.range_(size), view)
        last = shape.cast(convert_to_tensor(size) - 1, float32)
        first, end = (
            shape.cast(boxes[:, side + more] * last, line.dtype)[:, None, None] for more in (0, 2)
        )
        inside.append((line >= first) & (line <= end))
        on_edge.append((line == first) | (line == end))
    return inside[0] & inside[1] & (on_edge[0] | on_edge[1])
