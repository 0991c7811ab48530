"""Poolings over one, two or three spatial axes, in the forms of the tf.nn functions.

>>> runtime.nn.avg_pool1d([[[1.0], [3.0]]], 2, 2, "VALID").numpy().tolist()
[[[2.0]]]

input: [batch, *spatial, channels], or with the channels second where data_format says so ("NCHW"). ksize, strides: a
number, one for each spatial axis, or one for each axis of the input. padding: "SAME", "VALID", or a pair (before,
after) for each axis of the input; elements of the padding never count.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeMismatchError
from runtime.library.nn.convolving import (
    channels_first,
    spatial_numbers,
    spatial_padding,
    to_channels_first,
    to_channels_last,
)
from runtime.ops.networks import pooling as records
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool", "max_pool1d", "max_pool2d", "max_pool3d",
]  # fmt: skip


def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The largest element of each window over all axes between the batch and the channels. input: real tensor."""
    return _pooled(records.max_pool, _rank(input), input, ksize, strides, padding, data_format, name)


def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NWC", name: str | None = None
) -> Tensor:
    """The largest element of each window. input: [batch, width, channels]."""
    return _pooled(records.max_pool, 1, input, ksize, strides, padding, data_format, name)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """The largest element of each window. input: [batch, height, width, channels]."""
    return _pooled(records.max_pool, 2, input, ksize, strides, padding, data_format, name)


def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The largest element of each window. input: [batch, depth, height, width, channels]."""
    return _pooled(records.max_pool, 3, input, ksize, strides, padding, data_format, name)


def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The mean of each window over all axes between the batch and the channels. input: float tensor."""
    return _pooled(records.avg_pool, _rank(input), input, ksize, strides, padding, data_format, name)


def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window. input: [batch, width, channels]."""
    return _pooled(records.avg_pool, 1, input, ksize, strides, padding, data_format, name)


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """The mean of each window. input: [batch, height, width, channels]."""
    return _pooled(records.avg_pool, 2, input, ksize, strides, padding, data_format, name)


def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window. input: [batch, depth, height, width, channels]."""
    return _pooled(records.avg_pool, 3, input, ksize, strides, padding, data_format, name)


def _rank(input: Any) -> int:
    """The number of spatial axes of an input."""
    shape = convert_to_tensor(input).shape
    if shape.rank is None or not 3 <= shape.rank <= 5:
        raise ShapeMismatchError(f"a pooling needs 1, 2 or 3 spatial axes between batch and channels; got {shape}")
    return int(shape.rank) - 2


def _pooled(
    record: Any, rank: int, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None,
    name: str | None,
) -> Any:  # fmt: skip
    first = channels_first(data_format, rank)
    result = record(
        to_channels_last(input, rank) if first else input, ksize=spatial_numbers(ksize, rank, first, "ksize"),
        strides=spatial_numbers(strides, rank, first, "strides"), padding=spatial_padding(padding, rank, first),
        name=name,
    )  # fmt: skip
    return to_channels_first(result, rank) if first else result
