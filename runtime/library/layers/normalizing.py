"""Layers that bring their inputs to mean 0 and variance 1: `BatchNormalization`, `LayerNormalization`.

    layers.BatchNormalization()(x, training=True)          # by the mean and variance of the batch
    layers.BatchNormalization()(x)                         # by those that have been gathered in training

Weights are in the order of Keras: gamma, beta, moving_mean, moving_variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.library.layers import initializers, regularizers
from runtime.library.layers.core import in_dtype
from runtime.library.layers.layer import Layer, known_size
from runtime.ops.records.gradients import ops
from runtime.shapes import as_shape
from runtime.tensor.convert import is_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["BatchNormalization", "LayerNormalization"]


def _moments(x: Any, axes: Sequence[int]) -> tuple[Any, Any]:
    """Mean and variance along axes, which stay as axes of size 1."""
    mean = ops.reduce_mean(x, axis=tuple(axes), keepdims=True)
    return mean, ops.reduce_mean(ops.square(x - mean), axis=tuple(axes), keepdims=True)


class _Normalization(Layer):
    """What both share: gamma and beta, which scale and shift what has been normalized."""

    __guarded__: tuple[str, ...] = ("gamma", "beta", "epsilon", "axis")
    supports_masking = True

    def __init__(
        self, axis: Any, epsilon: float, center: bool, scale: bool, beta_initializer: Any, gamma_initializer: Any,
        name: str | None, trainable: bool, dtype: Any, beta_regularizer: Any, gamma_regularizer: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        if not epsilon > 0:
            raise ValueError(f"{type(self).__name__}: epsilon is a positive number; got {epsilon}")
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.gamma: Any = None
        self.beta: Any = None

    def _add_scale(self, shape: Sequence[int]) -> None:
        if self.scale:
            self.gamma = self.add_weight("gamma", shape, None, self.gamma_initializer, True, self.gamma_regularizer)
        if self.center:
            self.beta = self.add_weight("beta", shape, None, self.beta_initializer, True, self.beta_regularizer)

    def _scaled(self, x: Any, mean: Any, variance: Any, spread: Any) -> Any:
        """spread: gives a weight the rank of x."""
        factor = ops.rsqrt(variance + self.epsilon)
        factor = factor if self.gamma is None else factor * spread(self.gamma)
        result = (x - mean) * factor
        return result if self.beta is None else result + spread(self.beta)


class LayerNormalization(_Normalization):
    """Each element of the batch by its own mean and variance along an axis, or several.

    epsilon: is added to the variance. center, scale: whether there are beta and gamma, one for each place along the
    axis. Source: Ba, Kiros and Hinton, "Layer Normalization" (2016).
    """

    def __init__(
        self, axis: Any = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, name: str | None = None,
        trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        axes = tuple(axis) if isinstance(axis, list | tuple) else (axis,)
        super().__init__(
            axes, epsilon, center, scale, beta_initializer, gamma_initializer, name, trainable, dtype,
            beta_regularizer, gamma_regularizer,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes `gamma` and `beta`, of the sizes of the axes."""
        shape = as_shape(input_shape)
        self._add_scale([known_size(shape, axis, self.name) for axis in self._axes(shape.rank)])
        self.built = True

    def _axes(self, rank: int | None) -> list[int]:
        if rank is None:
            raise ValueError(f"the rank of the input of {self.name!r} must be known")
        if not all(-rank <= axis < rank for axis in self.axis):
            raise ValueError(f"{self.name!r}: the axis {list(self.axis)} is none of a tensor of rank {rank}")
        return sorted(axis % rank for axis in self.axis)

    def call(self, inputs: Any) -> Tensor:
        """inputs: float tensor."""
        x = in_dtype(inputs, self.dtype)
        axes = self._axes(x.shape.rank)
        shape = [x.shape[i] if i in axes else 1 for i in range(x.shape.rank)]
        return self._scaled(x, *_moments(x, axes), lambda weight: ops.reshape(weight, shape))


class BatchNormalization(_Normalization):
    """Each channel by its mean and variance: in training those of the batch, else those gathered in training.

    axis: that of the channels. momentum: the share of what has been gathered that a step of training keeps. With
    `trainable = False` nothing is gathered, and nothing of the batch is used. Source: Ioffe and Szegedy, "Batch
    Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift" (2015).
    """

    __guarded__ = ("gamma", "beta", "epsilon", "axis", "momentum", "trainable", "moving_mean", "moving_variance")

    def __init__(
        self, axis: int = -1, momentum: float = 0.99, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones", beta_regularizer: Any = None, gamma_regularizer: Any = None,
        name: str | None = None, trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            axis, epsilon, center, scale, beta_initializer, gamma_initializer, name, trainable, dtype,
            beta_regularizer, gamma_regularizer,
        )  # fmt: skip
        if not isinstance(axis, int):
            raise TypeError(f"BatchNormalization: axis is an integer; got {axis!r}")
        if not 0 <= momentum <= 1:
            raise ValueError(f"BatchNormalization: momentum is in [0, 1]; got {momentum}")
        self.momentum = momentum
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self.moving_mean: Any = None
        self.moving_variance: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes `gamma`, `beta`, `moving_mean` and `moving_variance`, one number for each channel."""
        shape = as_shape(input_shape)
        if shape.rank is not None and not -shape.rank <= self.axis < shape.rank:
            raise ValueError(f"{self.name!r}: the axis {self.axis} is none of a tensor of rank {shape.rank}")
        size = (known_size(shape, self.axis, self.name),)
        self._add_scale(size)
        for weight, initializer in (
            ("moving_mean", self.moving_mean_initializer), ("moving_variance", self.moving_variance_initializer)
        ):  # fmt: skip
            setattr(self, weight, self.add_weight(weight, size, initializer=initializer, trainable=False))
        self.built = True

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """inputs: float tensor; training: a bool, which may be a tensor."""
        x = in_dtype(inputs, self.dtype)
        if x.shape.rank is None:
            raise ValueError(f"the rank of the input of {self.name!r} must be known")
        channels = self.axis % x.shape.rank
        shape = [-1 if i == channels else 1 for i in range(x.shape.rank)]

        def spread(weight: Any) -> Any:
            return ops.reshape(weight, shape)

        kept = spread(self.moving_mean.read_value()), spread(self.moving_variance.read_value())
        if not self.trainable or (not is_tensor(training) and not training):
            return self._scaled(x, *kept, spread)
        moments = _moments(x, [i for i in range(x.shape.rank) if i != channels])
        if is_tensor(training):
            moments = tuple(ops.where(training, new, old) for new, old in zip(moments, kept, strict=True))
        for moving, new in zip((self.moving_mean, self.moving_variance), moments, strict=True):
            self._gather(moving, ops.reshape(new, [-1]), training)
        return self._scaled(x, *moments, spread=spread)

    def _gather(self, moving: Any, new: Any, training: Any) -> None:
        old = moving.read_value()
        gathered = old * self.momentum + new * (1 - self.momentum)
        moving.assign(ops.where(training, gathered, old) if is_tensor(training) else gathered)
