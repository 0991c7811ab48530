"""Convolutions over one, two or three spatial axes, in the forms of the tf.nn functions.

>>> runtime.nn.conv2d(runtime.ones([1, 3, 3, 1]), runtime.ones([2, 2, 1, 1]), 1, "VALID").shape
TensorShape([1, 2, 2, 1])

input: [batch, *spatial, channels], or with the channels second where data_format says so ("NCHW"). strides, dilations:
a number, one for each spatial axis, or one for each axis of the input. padding: "SAME", "VALID", or a pair (before,
after) for each axis of the input. With fewer channels in the filters than in the input, each group of channels makes
its own part of the outputs.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays import join, shape
from runtime.ops.networks import convolution as records
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "convolution",
    "depthwise_conv2d", "separable_conv2d",
]  # fmt: skip

Numbers = int | Sequence[int] | None


def convolution(
    input: Any, filters: Any, strides: Numbers = None, padding: Any = "VALID", data_format: str | None = None,
    dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The convolution over as many spatial axes as filters have before their last two. See the module's docstring."""
    filters = convert_to_tensor(filters)
    if filters.shape.rank is None or filters.shape.rank < 3:
        raise ShapeMismatchError(f"convolution: filters must have a rank >= 3; their shape is {filters.shape}")
    return _convolved(filters.shape.rank - 2, input, filters, strides, padding, data_format, dilations, name)


def conv1d(
    input: Any, filters: Any, stride: Numbers, padding: Any, data_format: str | None = "NWC",
    dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of sequences. input: [batch, width, channels]; filters: [kernel, channels, outputs]."""
    return _convolved(1, input, filters, stride, padding, data_format, dilations, name)


def conv2d(
    input: Any, filters: Any, strides: Numbers, padding: Any, data_format: str | None = "NHWC",
    dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of images: for each window the sum of its products with each filter (which is not mirrored).

    input: [batch, height, width, channels]; filters: [height, width, channels, outputs], of one float dtype. Raises
    ShapeMismatchError where the channels or the sizes do not fit. See the module's docstring for the rest.
    """
    return _convolved(2, input, filters, strides, padding, data_format, dilations, name)


def conv3d(
    input: Any, filters: Any, strides: Numbers, padding: Any, data_format: str | None = "NDHWC",
    dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of volumes. input: [batch, depth, height, width, channels]; filters: [*kernel, channels,
    outputs]."""
    return _convolved(3, input, filters, strides, padding, data_format, dilations, name)


def depthwise_conv2d(
    input: Any, filter: Any, strides: Numbers, padding: Any, data_format: str | None = None, dilations: Numbers = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of each channel with filters of its own: output c * m + i is channel c with its filter i.

    input: [batch, height, width, channels]; filter: [height, width, channels, m]; returns channels * m outputs.
    """
    filter = convert_to_tensor(filter)
    if filter.shape.rank != 4:
        raise ShapeMismatchError(
            f"depthwise_conv2d: the filter is [height, width, channels, m]; its shape is {filter.shape}"
        )
    sizes = shape.shape(filter) if None in filter.shape else filter.shape
    channels = channels_of(input, data_format)
    if None not in (channels, filter.shape[2]) and channels != filter.shape[2]:
        raise ShapeMismatchError(
            f"depthwise_conv2d: an input of {channels} channels does not fit a filter of shape {filter.shape}"
        )
    flat = shape.reshape(filter, [sizes[0], sizes[1], 1, sizes[2] * sizes[3]])
    return _convolved(2, input, flat, strides, padding, data_format, dilations, name)


def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Numbers, padding: Any,
    data_format: str | None = None, dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """A depthwise convolution, then one of 1 x 1 windows. pointwise_filter: [1, 1, channels * m, outputs]."""
    spread = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(spread, pointwise_filter, 1, "VALID", data_format, name=name)


def conv1d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Numbers, padding: Any = "SAME",
    data_format: str | None = "NWC", dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of conv1d as a function of its own. filters: [kernel, outputs, channels]; output_shape: integers."""
    return _transposed(1, input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv2d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Numbers, padding: Any = "SAME",
    data_format: str | None = "NHWC", dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of conv2d as a function of its own: it makes images larger where conv2d makes them smaller.

    input: [batch, height, width, channels]; filters: [height, width, outputs, channels]; output_shape: that of the
    result, integers; strides, padding: those of the conv2d that leads back from there to the input.
    """
    return _transposed(2, input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv3d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Numbers, padding: Any = "SAME",
    data_format: str | None = "NDHWC", dilations: Numbers = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of conv3d as a function of its own. filters: [*kernel, outputs, channels]; output_shape:
    integers."""
    return _transposed(3, input, filters, output_shape, strides, padding, data_format, dilations, name)


def _convolved(
    rank: int, input: Any, filters: Any, strides: Numbers, padding: Any, data_format: str | None, dilations: Numbers,
    name: str | None,
) -> Any:  # fmt: skip
    first = channels_first(data_format, rank)
    input = to_channels_last(input, rank) if first else input
    result = records.convolution(
        input, filters, strides=spatial_numbers(strides, rank, first, "strides"),
        padding=spatial_padding(padding, rank, first),
        dilations=spatial_numbers(dilations, rank, first, "dilations"), name=name,
    )  # fmt: skip
    return to_channels_first(result, rank) if first else result


def _transposed(
    rank: int, input: Any, filters: Any, output_shape: Any, strides: Numbers, padding: Any, data_format: str | None,
    dilations: Numbers, name: str | None,
) -> Any:  # fmt: skip
    first = channels_first(data_format, rank)
    if first:
        input = to_channels_last(input, rank)
        sizes = convert_to_tensor(output_shape)
        output_shape = join.concat([sizes[:1], sizes[2:], sizes[1:2]], 0)
    result = records.convolution_input_gradient(
        output_shape, filters, input, strides=spatial_numbers(strides, rank, first, "strides"),
        padding=spatial_padding(padding, rank, first),
        dilations=spatial_numbers(dilations, rank, first, "dilations"), name=name,
    )  # fmt: skip
    return to_channels_first(result, rank) if first else result


# -- arguments in their many forms --------------------------------------------------------------------------------


def channels_first(data_format: str | None, rank: int) -> bool:
    """Whether the channels are the second axis. Raises InvalidArgumentError for a format that there is not."""
    last = "N" + "DHW"[3 - rank :] + "C"
    first = "NC" + "DHW"[3 - rank :]
    if data_format in (None, last):
        return False
    if data_format != first:
        raise InvalidArgumentError(f"data_format is {last!r} or {first!r} for {rank} spatial axes; got {data_format!r}")
    return True


def channels_of(input: Any, data_format: str | None) -> int | None:
    """The number of channels of an image, where it is known."""
    dims = convert_to_tensor(input).shape.dims
    return None if dims is None or len(dims) != 4 else dims[1 if channels_first(data_format, 2) else 3]


def to_channels_last(x: Any, rank: int) -> Any:
    """[batch, channels, *spatial] as [batch, *spatial, channels]."""
    return shape.transpose(x, [0, *range(2, rank + 2), 1])


def to_channels_first(x: Any, rank: int) -> Any:
    """[batch, *spatial, channels] as [batch, channels, *spatial]."""
    return shape.transpose(x, [0, rank + 1, *range(1, rank + 1)])


def spatial_numbers(given: Any, rank: int, first: bool, what: str) -> tuple[int, ...]:
    """Strides and the like as a number for each spatial axis. Raises InvalidArgumentError for what cannot be."""
    given = as_operand(given)
    if given is None:
        return (1,) * rank
    numbers = _integers(given, what)
    if len(numbers) == rank + 2:
        outside = numbers[:2] if first else [numbers[0], numbers[-1]]
        if any(n != 1 for n in outside):
            raise InvalidArgumentError(f"{what} along the batch and the channels must be 1; got {given}")
        numbers = numbers[2:] if first else numbers[1:-1]
    if len(numbers) == 1:
        numbers = numbers * rank
    if len(numbers) != rank:
        raise InvalidArgumentError(f"{what}: 1, {rank} or {rank + 2} numbers are needed; got {given}")
    return tuple(numbers)


def _integers(given: Any, what: str) -> list[int]:
    """One or several numbers as Python integers. Raises InvalidArgumentError for anything else: 1.5 is not cut off."""
    try:
        several = hasattr(given, "__iter__") and getattr(given, "ndim", 1) > 0
        return [operator.index(n) for n in (given if several else [given])]
    except TypeError:
        raise InvalidArgumentError(f"{what}: integers are needed; got {given}") from None


def spatial_padding(padding: Any, rank: int, first: bool) -> Any:
    """The padding as the records take it. Raises InvalidArgumentError for what cannot be."""
    if isinstance(padding, str):
        return padding.upper()
    pairs = [tuple(_integers(pair, "padding")) for pair in padding] if isinstance(padding, Iterable) else []
    if len(pairs) != rank + 2:
        raise InvalidArgumentError(f"padding: a pair (before, after) for each of {rank + 2} axes; got {padding}")
    outside = pairs[:2] if first else [pairs[0], pairs[-1]]
    if any(pair != (0, 0) for pair in outside):
        raise InvalidArgumentError(f"the batch and the channels cannot be padded; got {padding}")
    return tuple(pairs[2:] if first else pairs[1:-1])
