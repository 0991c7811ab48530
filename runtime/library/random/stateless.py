"""Random numbers as functions of a seed of two integers; see `runtime.random`.

`alg` names the algorithm, of which there is one: Philox.

>>> runtime.random.split([1, 2], num=3).shape            # three seeds made of one
TensorShape([3, 2])
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import as_dtype, float32, int64
from runtime.library.random.limits import AUTO, check_algorithm, limits_of, scaled
from runtime.ops.arrays import join
from runtime.ops.arrays.shape import cast
from runtime.ops.random import stateless as records
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "fold_in", "split", "stateless_categorical", "stateless_normal", "stateless_shuffle", "stateless_truncated_normal",
    "stateless_uniform",
]  # fmt: skip


def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, name: str | None = None,
    alg: Any = AUTO,
) -> Tensor:  # fmt: skip
    """Numbers from [minval, maxval), all equally likely. shape: integers; seed: two integers.

    maxval: 1 for floats. For integers both limits or none (then all numbers of the dtype) must be given.
    """
    check_algorithm(alg)
    dtype = as_dtype(dtype)
    if dtype.is_integer and minval is None and maxval is None:
        return records.stateless_bits(shape, seed, dtype=dtype, name=name)
    return records.stateless_uniform(shape, seed, *limits_of(0 if minval is None else minval, maxval, dtype), name=name)


def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None,
    alg: Any = AUTO,
) -> Tensor:  # fmt: skip
    """Numbers of the normal distribution with this mean and standard deviation. shape: integers; seed: two integers."""
    check_algorithm(alg)
    return scaled(records.stateless_normal(shape, seed, dtype=dtype, name=name), mean, stddev)


def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None,
    alg: Any = AUTO,
) -> Tensor:  # fmt: skip
    """As `stateless_normal`, but numbers further than two standard deviations from the mean are drawn again."""
    check_algorithm(alg)
    return scaled(records.stateless_truncated_normal(shape, seed, dtype=dtype, name=name), mean, stddev)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = int64, name: str | None = None
) -> Tensor:
    """For each row of logits some classes, each with the probability softmax(row). logits: float, [batch, classes];
    num_samples: integer; seed: two integers; dtype: int32 or int64; returns [batch, num_samples]."""
    return records.stateless_categorical(logits, num_samples, seed, dtype=dtype, name=name)


def stateless_shuffle(value: Any, seed: Any, name: str | None = None) -> Tensor:
    """The rows of a tensor in the order that the seed says. value: any tensor of rank >= 1; seed: two integers."""
    return records.stateless_shuffle(value, seed, name=name)


def split(seed: Any, num: Any = 2, alg: Any = AUTO, name: str | None = None) -> Tensor:
    """New seeds made of one: [num, 2], of its dtype. They, and what is drawn with them, are independent of each other.

    seed: two integers; num: integer.
    """
    check_algorithm(alg)
    seed = convert_to_tensor(seed)
    return records.stateless_bits([num, 2], seed, dtype=seed.dtype, name=name)


def fold_in(seed: Any, data: Any, alg: Any = AUTO, name: str | None = None) -> Tensor:
    """A new seed made of one and a number, such as that of a step. seed: two integers; data: an integer scalar."""
    check_algorithm(alg)
    seed = convert_to_tensor(seed)
    return join.stack([records.stateless_bits([], seed, dtype=seed.dtype), cast(data, seed.dtype)], name=name)
