"""Convolutions as layers, over sequences, images and volumes: `Conv2D`, `Conv2DTranspose`, `SeparableConv2D`, ...

    layers.Conv2D(8, 3, padding="same", activation="relu")(images)      # [batch, height, width, 8]

Inputs are [batch, *spatial, channels].
"""

from __future__ import annotations

from typing import Any, Final

from runtime.library import nn
from runtime.library.layers import activations, initializers, regularizers
from runtime.library.layers.core import in_dtype
from runtime.library.layers.layer import known_size, whole
from runtime.library.layers.spatial import Spatial
from runtime.ops.arrays.join import stack
from runtime.ops.arrays.shape import reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.shapes import as_shape
from runtime.state.calling import call_users
from runtime.tensor.tensor import Tensor

__all__ = [
    "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "DepthwiseConv1D",
    "DepthwiseConv2D", "SeparableConv1D", "SeparableConv2D",
]  # fmt: skip

_TRANSPOSED: Final[dict[int, Any]] = {1: nn.conv1d_transpose, 2: nn.conv2d_transpose, 3: nn.conv3d_transpose}


class _Windowed(Spatial):
    """What all convolutions share: windows, a bias and an activation."""

    __guarded__: tuple[str, ...] = ("bias", "activation", "strides", "padding", "dilation_rate")
    _causal = False
    """Whether the padding of sequences may be "causal"."""

    def _take(
        self, kernel_size: Any, strides: Any, padding: str, data_format: str | None, dilation_rate: Any,
        activation: Any, use_bias: bool, bias_initializer: Any, bias_regularizer: Any,
    ) -> None:  # fmt: skip
        self._check_format(data_format)
        modes = ("valid", "same", "causal") if self._causal and self.rank == 1 else ("valid", "same")
        if padding.lower() not in modes:
            known = " or ".join(map(repr, modes))
            raise ValueError(f"{type(self).__name__}: padding is {known}; got {padding!r}")
        self.kernel_size = self._numbers(kernel_size, "kernel_size")
        self.strides = self._numbers(strides, "strides")
        self.dilation_rate = self._numbers(dilation_rate, "dilation_rate")
        self.padding, self.use_bias = padding.upper(), use_bias
        self.activation = activations.get(activation)
        self.bias_initializer = initializers.get(bias_initializer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.bias: Any = None

    def _add_bias(self, size: int) -> None:
        if self.use_bias:
            self.bias = self.add_weight("bias", (size,), None, self.bias_initializer, True, self.bias_regularizer)
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        """inputs: [batch, *spatial, channels], of the dtype of the layer; other floats and integers are cast."""
        result = self._convolved(in_dtype(self._checked(inputs), self.dtype))
        return call_users(self.activation, result if self.bias is None else nn.bias_add(result, self.bias))

    def _convolved(self, inputs: Any) -> Any:
        raise NotImplementedError

    def _by(self, inputs: Any, kernel: Any) -> Any:
        """The inputs convolved with a kernel."""
        padding: Any = self.padding
        if padding == "CAUSAL":  # no element depends on a later one
            padding = [(0, 0), ((self.kernel_size[0] - 1) * self.dilation_rate[0], 0), (0, 0)]
        return nn.convolution(inputs, kernel, self.strides, padding, dilations=self.dilation_rate)


class _Convolution(_Windowed):
    """activation(convolution of the inputs with `filters` kernels + bias).

    kernel_size, strides, dilation_rate: an integer, or one for each spatial axis. padding: "valid" or "same"; of
    sequences also "causal". groups: of channels, each of which makes its own part of the filters.
    """

    __guarded__ = ("kernel",)
    _causal = True

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, groups: int = 1, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        word = type(self).__name__
        filters, groups = whole(filters, f"{word}: filters"), whole(groups, f"{word}: groups")
        if filters % groups:
            raise ValueError(f"{word}: filters is a positive multiple of groups ({groups}); got {filters}")
        self.filters, self.groups = filters, groups
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.kernel: Any = None
        self._take(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [*kernel_size, channels / groups, filters], and `bias`, [filters]."""
        shape = self._kernel_shape(known_size(as_shape(input_shape), -1, self.name))
        make, regularizer = self.add_weight, self.kernel_regularizer
        self.kernel = make("kernel", shape, None, self.kernel_initializer, True, regularizer)
        self._add_bias(self.filters)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        if channels % self.groups:
            word = type(self).__name__
            raise ValueError(f"{word}: {channels} channels cannot be shared among {self.groups} groups")
        return (*self.kernel_size, channels // self.groups, self.filters)

    def _convolved(self, inputs: Any) -> Any:
        return self._by(inputs, self.kernel)


class Conv1D(_Convolution, rank=1): ...
class Conv2D(_Convolution, rank=2): ...
class Conv3D(_Convolution, rank=3): ...


class _Transposed(_Convolution):
    """activation(the inputs spread by `filters` kernels + bias): a convolution the other way, to larger inputs.

    Arguments as those of the convolution whose way back from the result to the input this is: size * strides elements
    on each axis for "same" padding; (size - 1) * strides + kernel_size, and no less than size * strides, for "valid".
    """

    _causal = False

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, activation: Any = None, use_bias: bool = True,
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

    def _convolved(self, inputs: Any) -> Any:
        transposed, shape = _TRANSPOSED[self.rank], self._result_shape(inputs)
        return transposed(inputs, self.kernel, shape, self.strides, self.padding, dilations=self.dilation_rate)

    def _result_shape(self, inputs: Any) -> Any:
        sizes = shape_of(inputs)
        found = [sizes[0]]
        for i in range(self.rank):
            covered = (self.kernel_size[i] - 1) * self.dilation_rate[i] + 1
            beyond = max(covered - self.strides[i], 0) if self.padding == "VALID" else 0
            found.append(sizes[1 + i] * self.strides[i] + beyond)
        return stack([*found, self.filters])


class Conv1DTranspose(_Transposed, rank=1): ...
class Conv2DTranspose(_Transposed, rank=2): ...
class Conv3DTranspose(_Transposed, rank=3): ...


class _Depthwise(_Windowed):
    """activation(each channel convolved with `depth_multiplier` kernels of its own + bias): channels times as many.

    Arguments as those of the other convolutions.
    """

    __guarded__ = ("kernel",)

    def __init__(
        self, kernel_size: Any, strides: Any = 1, padding: str = "valid", depth_multiplier: int = 1,
        data_format: str | None = None, dilation_rate: Any = 1, activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        self.depth_multiplier = whole(depth_multiplier, f"{type(self).__name__}: depth_multiplier")
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.kernel: Any = None
        self._take(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [*kernel_size, channels, depth_multiplier], and `bias`, one for each result."""
        channels = known_size(as_shape(input_shape), -1, self.name)
        shape, regularizer = (*self.kernel_size, channels, self.depth_multiplier), self.depthwise_regularizer
        self.kernel = self.add_weight("kernel", shape, None, self.depthwise_initializer, True, regularizer)
        self._add_bias(channels * self.depth_multiplier)

    def _convolved(self, inputs: Any) -> Any:
        return self._by(inputs, _of_groups(self.kernel))


class DepthwiseConv1D(_Depthwise, rank=1): ...
class DepthwiseConv2D(_Depthwise, rank=2): ...


class _Separable(_Windowed):
    """activation(a depthwise convolution, then one over the channels of each element, to `filters` of them + bias).

    Arguments as those of the other convolutions; strides and dilation_rate are those of the first one.
    """

    __guarded__ = ("depthwise_kernel", "pointwise_kernel")

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, depth_multiplier: int = 1, activation: Any = None,
        use_bias: bool = True, depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, name: str | None = None, trainable: bool = True, dtype: Any = None,
        input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        word = type(self).__name__
        self.filters = whole(filters, f"{word}: filters")
        self.depth_multiplier = whole(depth_multiplier, f"{word}: depth_multiplier")
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.pointwise_initializer = initializers.get(pointwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.depthwise_kernel: Any = None
        self.pointwise_kernel: Any = None
        self._take(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes `depthwise_kernel`, [*kernel_size, channels, depth_multiplier], `pointwise_kernel` over what that
        gives, and `bias`, [filters]."""
        channels, make = known_size(as_shape(input_shape), -1, self.name), self.add_weight
        first = (*self.kernel_size, channels, self.depth_multiplier)
        second = (*(1,) * self.rank, channels * self.depth_multiplier, self.filters)
        of_first, of_second = self.depthwise_regularizer, self.pointwise_regularizer
        self.depthwise_kernel = make("depthwise_kernel", first, None, self.depthwise_initializer, True, of_first)
        self.pointwise_kernel = make("pointwise_kernel", second, None, self.pointwise_initializer, True, of_second)
        self._add_bias(self.filters)

    def _convolved(self, inputs: Any) -> Any:
        return nn.convolution(self._by(inputs, _of_groups(self.depthwise_kernel)), self.pointwise_kernel)


class SeparableConv1D(_Separable, rank=1): ...
class SeparableConv2D(_Separable, rank=2): ...


def _of_groups(kernel: Any) -> Any:
    """The kernel of a convolution in which each channel is a group."""
    *window, channels, multiplier = kernel.shape
    return reshape(kernel, [*window, 1, channels * multiplier])
