"""Random numbers from the sequences that the program shares; see `runtime.random`.

>>> runtime.random.normal([2, 3], mean=5.0).shape
TensorShape([2, 3])
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import as_dtype, float32, int64
from runtime.library.random.limits import limits_of, scaled
from runtime.ops.random import random as records
from runtime.ops.random.random import seed_of
from runtime.tensor.tensor import Tensor

__all__ = ["categorical", "normal", "shuffle", "truncated_normal", "uniform"]


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Numbers from [minval, maxval), all equally likely. shape: integers; maxval: 1 for floats, required for integers.

    seed: gives this operation a sequence of its own.
    """
    return records.random_uniform(shape, *limits_of(minval, maxval, as_dtype(dtype)), seed=seed_of(seed), name=name)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Numbers of the normal distribution with this mean and standard deviation. shape: integers; dtype: float.

    mean and stddev broadcast to the shape, and gradients flow to them.
    """
    return scaled(records.random_normal(shape, dtype=dtype, seed=seed_of(seed), name=name), mean, stddev)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """As `normal`, but numbers further than two standard deviations from the mean are drawn again."""
    return scaled(records.random_truncated_normal(shape, dtype=dtype, seed=seed_of(seed), name=name), mean, stddev)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """For each row of logits some classes, each with the probability softmax(row), independently.

    logits: float tensor, [batch, classes]; num_samples: integer; dtype: int64 (the default) or int32; returns
    [batch, num_samples].
    """
    wanted = int64 if dtype is None else dtype
    return records.random_categorical(logits, num_samples, dtype=wanted, seed=seed_of(seed), name=name)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of a tensor in random order. value: any tensor of rank >= 1."""
    return records.random_shuffle(value, seed=seed_of(seed), name=name)
