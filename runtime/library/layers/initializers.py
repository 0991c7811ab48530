"""Initial values of weights, by name or as objects.

    layers.Dense(3, kernel_initializer="he_normal")
    layers.Dense(3, kernel_initializer=initializers.Constant(0.5))

An initializer is a function of a shape and a dtype. Those that scale do so by the fans of the weights: the numbers of
inputs and outputs that one element of the kernel is summed over. Sources: Glorot and Bengio, "Understanding the
difficulty of training deep feedforward neural networks" (2010); He et al., "Delving Deep into Rectifiers" (2015).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import float32
from runtime.library import random
from runtime.ops.arrays.create import fill, zeros
from runtime.ops.arrays.shape import cast
from runtime.tensor.convert import convert_to_tensor

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "LecunNormal", "Ones", "Orthogonal",
    "RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros", "get",
]  # fmt: skip

Initializer = Callable[..., Any]

CUT: Final = 0.87962566103423978
"""The standard deviation of the normal distribution that is cut at two deviations."""


@dataclass(frozen=True)
class Zeros:
    """Zeros."""

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        return zeros(list(shape), dtype)


@dataclass(frozen=True)
class Constant:
    """One value everywhere, or the values of an array of the shape."""

    value: Any = 0

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        value = convert_to_tensor(self.value)
        if value.dtype is not dtype:
            value = cast(value, dtype)
        return fill(list(shape), value) if not value.shape.rank else value


@dataclass(frozen=True)
class Ones:
    """Ones."""

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        return Constant(1)(shape, dtype)


@dataclass(frozen=True)
class RandomNormal:
    """Numbers of a normal distribution."""

    mean: float = 0.0
    stddev: float = 0.05
    seed: int | None = None

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        return random.normal(list(shape), self.mean, self.stddev, dtype, self.seed)


@dataclass(frozen=True)
class TruncatedNormal:
    """Numbers of a normal distribution, none further than two deviations from the mean."""

    mean: float = 0.0
    stddev: float = 0.05
    seed: int | None = None

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        return random.truncated_normal(list(shape), self.mean, self.stddev, dtype, self.seed)


@dataclass(frozen=True)
class RandomUniform:
    """Numbers from [minval, maxval)."""

    minval: float = -0.05
    maxval: float = 0.05
    seed: int | None = None

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        return random.uniform(list(shape), self.minval, self.maxval, dtype, self.seed)


@dataclass(frozen=True)
class VarianceScaling:
    """Random numbers with mean 0 and variance scale / n.

    mode: n is "fan_in", "fan_out" or their mean, "fan_avg". distribution: "uniform", "truncated_normal" or
    "untruncated_normal".
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"
    seed: int | None = None

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        inputs, outputs = fans(shape)
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(count, 1))
        if self.distribution == "uniform":
            limit = deviation * math.sqrt(3)
            return random.uniform(list(shape), -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random.normal(list(shape), 0.0, deviation, dtype, self.seed)
        return random.truncated_normal(list(shape), 0.0, deviation / CUT, dtype, self.seed)


def fans(shape: Sequence[int]) -> tuple[float, float]:
    """How many inputs an output is the sum of, and how many outputs an input goes to. shape: [*kernel, in, out]."""
    if len(shape) < 2:
        return (1, 1) if not shape else (shape[0], shape[0])
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


@dataclass(frozen=True)
class Orthogonal:
    """A matrix with orthonormal rows or columns, times gain; the last axis is that of the columns."""

    gain: float = 1.0
    seed: int | None = None

    def __call__(self, shape: Sequence[int], dtype: Any = float32) -> Any:
        if len(shape) < 2:
            raise ValueError(f"Orthogonal: a shape of rank >= 2 is needed; got {list(shape)}")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        numbers = random.normal([max(rows, columns), min(rows, columns)], dtype="float64", seed=self.seed).numpy()
        basis, triangle = np.linalg.qr(numbers)
        basis = basis * np.sign(np.diag(triangle))  # so that all orthogonal matrices are equally likely
        basis = basis if rows >= columns else basis.T
        return cast(convert_to_tensor(self.gain * basis.reshape(shape)), dtype)


def GlorotUniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers whose variance is 2 / (inputs + outputs)."""
    return VarianceScaling(1.0, "fan_avg", "uniform", seed)


def GlorotNormal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal numbers whose variance is 2 / (inputs + outputs)."""
    return VarianceScaling(1.0, "fan_avg", "truncated_normal", seed)


def HeUniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers whose variance is 2 / inputs, for relu."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


def HeNormal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal numbers whose variance is 2 / inputs, for relu."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def LecunNormal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal numbers whose variance is 1 / inputs, for selu."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


BY_NAME: Final[dict[str, Callable[[], Initializer]]] = {
    "glorot_normal": GlorotNormal,
    "glorot_uniform": GlorotUniform,
    "he_normal": HeNormal,
    "he_uniform": HeUniform,
    "lecun_normal": LecunNormal,
    "normal": RandomNormal,
    "ones": Ones,
    "orthogonal": Orthogonal,
    "random_normal": RandomNormal,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "uniform": RandomUniform,
    "zeros": Zeros,
}


def get(identifier: str | Initializer | None) -> Initializer:
    """The initializer of a name; a function, which is called `f(shape, dtype=dtype)`, as it is; zeros for None. Raises
    ValueError for an unknown name."""
    if identifier is None:
        return Zeros()
    if isinstance(identifier, str):
        if identifier.lower() not in BY_NAME:
            raise ValueError(f"there is no initializer {identifier!r}; there are {', '.join(BY_NAME)}")
        return BY_NAME[identifier.lower()]()
    found = identifier() if isinstance(identifier, type) else identifier
    if not callable(found):
        raise TypeError(f"an initializer is a name or a function of shape and dtype; got {identifier!r}")
    return found
