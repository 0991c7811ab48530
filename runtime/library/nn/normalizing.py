"""Biases, means and variances, norms, and dropout.

>>> runtime.nn.l2_normalize([3.0, 4.0])
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([0.6, 0.8], dtype=float32)>
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import float32
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays import shape
from runtime.ops.elementwise import logic
from runtime.ops.elementwise.arithmetic import square, squared_difference
from runtime.ops.elementwise.compare import equal, greater_equal, less
from runtime.ops.elementwise.functions import rsqrt
from runtime.ops.elementwise.limits import maximum
from runtime.ops.flow import check
from runtime.ops.networks import bias as records
from runtime.ops.random import random
from runtime.ops.reductions.reduce import reduce_mean, reduce_sum
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["batch_normalization", "bias_add", "dropout", "l2_loss", "l2_normalize", "moments", "zero_fraction"]


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """value + bias, with an element of the bias for each channel.

    value: numeric tensor of rank >= 2; bias: a vector of its dtype. data_format: the channels are the last axis
    ("N...C", or None), or the second one ("NC..."); others are an InvalidArgumentError.
    """
    text = data_format if isinstance(data_format, str) else ""
    if data_format is not None and not text.startswith("NC") and not (text.startswith("N") and text.endswith("C")):
        raise InvalidArgumentError(f"bias_add: data_format is of the form 'N...C' or 'NC...'; got {data_format!r}")
    if not text.startswith("NC"):
        return records.bias_add(value, bias, name=name)
    value = convert_to_tensor(value)
    if value.shape.rank is None:
        raise InvalidArgumentError(f"bias_add: the rank of the value must be known for data_format {data_format!r}")
    axes = list(range(value.shape.rank))
    back = [0, axes[-1], *axes[1:-1]]
    return shape.transpose(records.bias_add(shape.transpose(value, [0, *axes[2:], 1]), bias), back, name=name)


@switches
def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """The mean and the variance (of the population) over some axes. x: real tensor; shift: has no effect."""
    x = convert_to_tensor(x)
    mean = reduce_mean(x, axis=axes, keepdims=True)
    variance = reduce_mean(squared_difference(x, mean), axis=axes, keepdims=keepdims, name=name)
    return mean if keepdims else shape.squeeze(mean, _axes(axes, x)), variance


def _axes(axes: Any, x: Any) -> Any:
    """Axes as a list; all of them for None."""
    if axes is None:
        return list(range(x.shape.rank)) if x.shape.rank is not None else None
    return axes


def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: float, name: str | None = None
) -> Tensor:
    """scale * (x - mean) / sqrt(variance + variance_epsilon) + offset.

    x: float tensor; mean, variance, offset and scale broadcast to it; offset and scale may be None (0 and 1). They may
    be float32 beside a narrower x, whose dtype the result has.
    Source: Ioffe and Szegedy, "Batch Normalization" (2015).
    """
    factor = rsqrt(convert_to_tensor(variance) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    constant = -mean * factor if offset is None else offset - mean * factor
    x = convert_to_tensor(x)
    return x * shape.cast(factor, x.dtype) + shape.cast(constant, x.dtype)


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """x / sqrt(max(sum(x²), epsilon)), the sum over some axes (all). x: float tensor."""
    x = convert_to_tensor(x)
    return x * rsqrt(maximum(reduce_sum(square(x), axis=axis, keepdims=True), epsilon))


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """sum(t²) / 2. t: float tensor."""
    t = _floats(t, "l2_loss: t")
    return reduce_sum(square(t), name=name) / 2


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of elements that are zero, as float32. value: numeric tensor."""
    return reduce_mean(shape.cast(equal(value, 0), float32), name=name)


def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> Tensor:
    """x with a share of its elements set to 0, chosen at random in each run, and the others divided by 1 - rate.

    x: float tensor, also a ragged one; rate: the probability in [0, 1) that an element is dropped; noise_shape:
    broadcasts to the shape of x: elements along an axis of size 1 are kept or dropped together; seed: see
    `runtime.random`.
    Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting" (2014).
    """
    if hasattr(type(x), "ragged_rank"):
        if noise_shape is not None:
            raise ShapeMismatchError("dropout: of a RaggedTensor, each value is kept or dropped alone: no noise_shape")
        return x.with_flat_values(dropout(x.flat_values, rate, None, seed, name))
    x = _floats(x, "dropout: x")
    if not is_tensor(rate):
        if not 0 <= rate < 1:
            raise InvalidArgumentError(f"dropout: rate is a probability in [0, 1); got {rate}")
        if rate == 0:
            return x
    else:
        rate = convert_to_tensor(rate, x.dtype)
        fits = logic.logical_and(greater_equal(rate, 0), less(rate, 1))
        check.check(fits, [rate], message="dropout: rate is a probability in [0, 1); got ")
    sizes = shape.shape(x) if noise_shape is None else noise_shape
    limits = [convert_to_tensor(v, x.dtype) for v in (0, 1)]
    kept = greater_equal(random.random_uniform(sizes, *limits, seed=random.seed_of(seed)), rate)
    return logic.where(kept, x / (1 - rate), 0, name=name)


def _floats(value: Any, what: str) -> Any:
    """The value as a tensor. Raises DtypeMismatchError unless its dtype is a float one."""
    tensor = convert_to_tensor(value)
    if not tensor.dtype.is_floating:
        raise DtypeMismatchError(
            f"{what} must be a float tensor; got {tensor.dtype.name}. Use runtime.cast(x, runtime.float32)"
        )
    return tensor
