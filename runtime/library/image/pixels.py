"""What functions of images share: their axes and sizes, and bounds that only the run may know.

    height, width = sizes_of(images)        # integers where they are known, else tensors
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.library import nest
from runtime.ops.arrays import join, shape
from runtime.ops.elementwise.limits import maximum, minimum
from runtime.ops.flow.check import check
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.numpy_calls.operands import size_of
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["demand", "image_of", "integers", "larger", "one_size", "pair_of", "sizes_of", "smaller", "with_channels"]


def image_of(image: Any, function: str, ranks: tuple[int, ...] = (3, 4)) -> Any:
    """The images as a tensor [height, width, channels], or [batch, height, width, channels]. ranks: which are taken.

    Raises ShapeMismatchError for others.
    """
    tensor = convert_to_tensor(image)
    rank = tensor.shape.rank
    if rank not in ranks:
        known = "of unknown rank" if rank is None else f"of the shape {tensor.shape}"
        raise ShapeMismatchError(
            f"image.{function} takes images of rank {' or '.join(map(str, ranks))},"
            f" [..., height, width, channels]; got a tensor {known}"
        )
    return tensor


def with_channels(image: Any, count: int, function: str) -> Tensor:
    """Images of any rank that have so many channels. Raises ShapeMismatchError for others."""
    tensor = convert_to_tensor(image)
    if tensor.shape.rank == 0 or (tensor.shape.rank is not None and tensor.shape[-1] not in (None, count)):
        raise ShapeMismatchError(
            f"image.{function} takes images with {count} channels, the last axis; got the shape {tensor.shape}"
        )
    return tensor


def sizes_of(image: Tensor) -> tuple[Any, Any]:
    """Height and width of images: integers where they are known, else tensors."""
    return size_of(image, -3), size_of(image, -2)


def one_size(function: str, name: str, given: Any) -> Any:
    """A size or an offset: an integer, or a scalar tensor of integers."""
    if not is_tensor(given):
        return integer_of(f"image.{function}", name, given)
    size = convert_to_tensor(given)
    if not size.dtype.is_integer or size.shape.rank not in (0, None):
        raise InvalidArgumentError(f"image.{function}: {name} is an integer; got {given!r}")
    known = size.value if isinstance(size, SymbolicTensor) else size.numpy()
    return shape.cast(size, "int64") if known is None else int(known)


def pair_of(function: str, name: str, given: Any) -> tuple[Any, Any]:
    """Two sizes: height and width. given: two integers, or a tensor of two."""
    parts = list(given) if isinstance(given, list | tuple) else convert_to_tensor(given)
    found = len(parts) if isinstance(parts, list) else parts.shape[0] if parts.shape.rank == 1 else 0
    if found != 2:
        raise InvalidArgumentError(f"image.{function}: {name} is two integers, height and width; got {given!r}")
    return one_size(function, name, parts[0]), one_size(function, name, parts[1])


def integers(values: Any) -> Any:
    """Sizes in lists, or in lists of lists of one length, as an argument of an operation."""
    flat = nest.flatten(values)
    if not any(map(is_tensor, flat)):
        return values
    vector = join.stack([shape.cast(convert_to_tensor(size), "int64") for size in flat])
    return shape.reshape(vector, np.shape(nest.map_structure(lambda size: 0, values)))


def larger(a: Any, b: Any) -> Any:
    """The larger of two sizes."""
    return maximum(a, b) if is_tensor(a) or is_tensor(b) else max(a, b)


def smaller(a: Any, b: Any) -> Any:
    """The smaller of two sizes."""
    return minimum(a, b) if is_tensor(a) or is_tensor(b) else min(a, b)


def demand(condition: Any, message: str) -> None:
    """Raises InvalidArgumentError where the condition does not hold: at once where it is known, else in the run."""
    if is_tensor(condition):
        check(condition, message=message, exception="InvalidArgumentError")
    elif not condition:
        raise InvalidArgumentError(message)
