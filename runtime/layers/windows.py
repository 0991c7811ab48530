"""Layers over images: `Conv2D`, `MaxPooling2D`, `AveragePooling2D`, `GlobalAveragePooling2D`.

    layers.Conv2D(8, 3, padding="same", activation="relu")(images)      # [batch, height, width, 8]

Images are [batch, height, width, channels].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime import nn
from runtime.layers import activations, initializers
from runtime.layers.core import in_dtype
from runtime.layers.layer import Layer, known_size, whole
from runtime.ops.reduce import reduce_mean
from runtime.shapes import as_shape
from runtime.state.calling import call_users

__all__ = ["AveragePooling2D", "Conv2D", "GlobalAveragePooling2D", "MaxPool2D", "MaxPooling2D"]


def _pair(given: Any, what: str) -> tuple[int, int]:
    """One number for both axes, or two. Raises ValueError for anything else."""
    pair = tuple(given) if isinstance(given, Iterable) else (given, given)
    if len(pair) != 2:
        raise ValueError(f"{what} is a positive integer or two of them; got {given!r}")
    return whole(pair[0], what), whole(pair[1], what)


class Conv2D(Layer):
    """activation(convolution of the images with `filters` kernels + bias).

    kernel_size, strides, dilation_rate: an integer or two. padding: "valid" or "same". groups: of channels, each of
    which makes its own part of the filters.
    """

    __guarded__ = ("kernel", "bias", "activation", "strides", "padding", "dilation_rate")

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = (1, 1), groups: int = 1, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape)
        if data_format not in (None, "channels_last"):
            raise ValueError(f"Conv2D: images are 'channels_last'; got data_format={data_format!r}")
        if padding.lower() not in ("valid", "same"):
            raise ValueError(f"Conv2D: padding is 'valid' or 'same'; got {padding!r}")
        filters, groups = whole(filters, "Conv2D: filters"), whole(groups, "Conv2D: groups")
        if filters % groups:
            raise ValueError(f"Conv2D: filters is a positive multiple of groups ({groups}); got {filters}")
        self.filters, self.groups, self.padding, self.use_bias = filters, groups, padding.upper(), use_bias
        self.kernel_size = _pair(kernel_size, "Conv2D: kernel_size")
        self.strides = _pair(strides, "Conv2D: strides")
        self.dilation_rate = _pair(dilation_rate, "Conv2D: dilation_rate")
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [height, width, channels / groups, filters], and `bias`, [filters]."""
        channels = known_size(as_shape(input_shape), -1, self.name)
        if channels % self.groups:
            raise ValueError(f"Conv2D: {channels} channels cannot be shared among {self.groups} groups")
        shape = (*self.kernel_size, channels // self.groups, self.filters)
        self.kernel = self.add_weight("kernel", shape, initializer=self.kernel_initializer)
        if self.use_bias:
            self.bias = self.add_weight("bias", (self.filters,), initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """inputs: images, of the dtype of the layer; other floats and integers are cast."""
        images = in_dtype(inputs, self.dtype)
        result = nn.conv2d(images, self.kernel, self.strides, self.padding, dilations=self.dilation_rate)
        return call_users(self.activation, result if self.bias is None else nn.bias_add(result, self.bias))


class _Pooling2D(Layer):
    """What both poolings share. strides: pool_size unless given."""

    __guarded__ = ("pool_size", "strides", "padding")

    def __init__(
        self, pool_size: Any = (2, 2), strides: Any = None, padding: str = "valid", name: str | None = None
    ) -> None:
        super().__init__(name)
        self.pool_size = _pair(pool_size, "pool_size")
        self.strides = self.pool_size if strides is None else _pair(strides, "strides")
        self.padding = padding.upper()


class MaxPooling2D(_Pooling2D):
    """The largest element of each window. pool_size, strides: an integer or two; padding: "valid" or "same"."""

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return nn.max_pool2d(inputs, self.pool_size, self.strides, self.padding)


class AveragePooling2D(_Pooling2D):
    """The mean of each window. pool_size, strides: an integer or two; padding: "valid" or "same"."""

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return nn.avg_pool2d(inputs, self.pool_size, self.strides, self.padding)


class GlobalAveragePooling2D(Layer):
    """The mean of each channel: [batch, channels]."""

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return reduce_mean(inputs, axis=[1, 2])


MaxPool2D = MaxPooling2D
