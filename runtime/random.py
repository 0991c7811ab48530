"""`runtime.random`: random numbers.

>>> runtime.random.set_seed(1)
>>> runtime.random.uniform([2], maxval=10, dtype=runtime.int32)
<tf.Tensor: shape=(2,), dtype=int32, numpy=...>

Each call, and each run of a graph, gives new numbers; `set_seed` makes the sequence repeatable.
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import as_dtype, float32
from runtime.ops import random as records
from runtime.ops.random import set_seed
from runtime.tensor.convert import convert_to_tensor

__all__ = ["normal", "set_seed", "shuffle", "uniform"]


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Numbers from [minval, maxval), all equally likely. shape: integers; maxval: 1 for floats, required for integers.

    seed: gives this operation a sequence of its own.
    """
    dtype = as_dtype(dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"random.uniform: maxval is needed for the integer dtype {dtype.name}")
        maxval = 1
    limits = [convert_to_tensor(v, dtype) for v in (minval, maxval)]
    return records.random_uniform(shape, *limits, seed=seed, name=name)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Numbers of the normal distribution with this mean and standard deviation. shape: integers; dtype: float."""
    parameters = [convert_to_tensor(v, dtype) for v in (mean, stddev)]
    return records.random_normal(shape, *parameters, seed=seed, name=name)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """The rows of a tensor in random order. value: any tensor of rank >= 1."""
    return records.random_shuffle(value, seed=seed, name=name)
