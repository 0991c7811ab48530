"""Layers over images: `Conv2D`, `Conv2DTranspose`, `UpSampling2D`, poolings over windows and over whole images.

    layers.Conv2D(8, 3, padding="same", activation="relu")(images)      # [batch, height, width, 8]

Images are [batch, height, width, channels].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.library import nn
from runtime.library.layers import activations, initializers, regularizers
from runtime.library.layers.core import check_format, in_dtype
from runtime.library.layers.layer import Layer, known_size, whole
from runtime.library.places import repeat
from runtime.ops.arrays.join import stack
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.reductions.reduce import reduce_max, reduce_mean
from runtime.shapes import as_shape
from runtime.state.calling import call_users

__all__ = [
    "AveragePooling2D", "Conv2D", "Conv2DTranspose", "GlobalAveragePooling2D", "GlobalMaxPooling2D", "MaxPool2D",
    "MaxPooling2D", "UpSampling2D",
]  # fmt: skip


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
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        word = type(self).__name__
        check_format(word, data_format)
        if padding.lower() not in ("valid", "same"):
            raise ValueError(f"{word}: padding is 'valid' or 'same'; got {padding!r}")
        filters, groups = whole(filters, f"{word}: filters"), whole(groups, f"{word}: groups")
        if filters % groups:
            raise ValueError(f"{word}: filters is a positive multiple of groups ({groups}); got {filters}")
        self.filters, self.groups, self.padding, self.use_bias = filters, groups, padding.upper(), use_bias
        self.kernel_size = _pair(kernel_size, f"{word}: kernel_size")
        self.strides = _pair(strides, f"{word}: strides")
        self.dilation_rate = _pair(dilation_rate, f"{word}: dilation_rate")
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [height, width, channels / groups, filters], and `bias`, [filters]."""
        shape = self._kernel_shape(known_size(as_shape(input_shape), -1, self.name))
        make, size = self.add_weight, (self.filters,)
        self.kernel = make("kernel", shape, None, self.kernel_initializer, True, self.kernel_regularizer)
        if self.use_bias:
            self.bias = make("bias", size, None, self.bias_initializer, True, self.bias_regularizer)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """inputs: images, of the dtype of the layer; other floats and integers are cast."""
        result = self._convolved(in_dtype(inputs, self.dtype))
        return call_users(self.activation, result if self.bias is None else nn.bias_add(result, self.bias))

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        if channels % self.groups:
            raise ValueError(f"Conv2D: {channels} channels cannot be shared among {self.groups} groups")
        return (*self.kernel_size, channels // self.groups, self.filters)

    def _convolved(self, images: Any) -> Any:
        return nn.conv2d(images, self.kernel, self.strides, self.padding, dilations=self.dilation_rate)


class Conv2DTranspose(Conv2D):
    """activation(the images spread by `filters` kernels + bias): a convolution the other way, to larger images.

    Arguments as those of Conv2D, whose way back from the result to the input this is: size * strides elements on each
    axis for "same" padding; (size - 1) * strides + kernel_size, and no less than size * strides, for "valid".
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = (1, 1), activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate, 1, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, name,
            trainable, dtype, input_shape,
        )  # fmt: skip

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, self.filters, channels)

    def _convolved(self, images: Any) -> Any:
        shape = self._result_shape(images)
        return nn.conv2d_transpose(
            images, self.kernel, shape, self.strides, self.padding, dilations=self.dilation_rate
        )

    def _result_shape(self, images: Any) -> Any:
        sizes = shape_of(images)
        found = [sizes[0]]
        for i in range(2):
            covered = (self.kernel_size[i] - 1) * self.dilation_rate[i] + 1
            beyond = max(covered - self.strides[i], 0) if self.padding == "VALID" else 0
            found.append(sizes[1 + i] * self.strides[i] + beyond)
        return stack([*found, self.filters])


class UpSampling2D(Layer):
    """Each element several times, side by side. size: how often along height and width, an integer or two.
    interpolation: "nearest", there is no other."""

    __guarded__ = ("size",)

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        check_format("UpSampling2D", data_format)
        if interpolation != "nearest":
            raise ValueError(f"UpSampling2D: interpolation is 'nearest'; got {interpolation!r}")
        self.size = _pair(size, "UpSampling2D: size")

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return repeat(repeat(inputs, self.size[0], axis=1), self.size[1], axis=2)


class _Pooling2D(Layer):
    """What both poolings share. strides: pool_size unless given."""

    __guarded__ = ("pool_size", "strides", "padding")

    def __init__(
        self, pool_size: Any = (2, 2), strides: Any = None, padding: str = "valid", data_format: str | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        check_format(type(self).__name__, data_format)
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


class _GlobalPooling2D(Layer):
    """What both poolings of whole images share. keepdims: the result is [batch, 1, 1, channels]."""

    __guarded__ = ("keepdims",)

    def __init__(self, data_format: str | None = None, keepdims: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        check_format(type(self).__name__, data_format)
        self.keepdims = keepdims


class GlobalAveragePooling2D(_GlobalPooling2D):
    """The mean of each channel: [batch, channels], or with keepdims [batch, 1, 1, channels]."""

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return reduce_mean(inputs, axis=[1, 2], keepdims=self.keepdims)


class GlobalMaxPooling2D(_GlobalPooling2D):
    """The largest element of each channel: [batch, channels], or with keepdims [batch, 1, 1, channels]."""

    def call(self, inputs: Any) -> Any:
        """inputs: images."""
        return reduce_max(inputs, axis=[1, 2], keepdims=self.keepdims)


MaxPool2D = MaxPooling2D
