"""Random numbers. The operations have state: they are never folded, merged or dropped.

>>> runtime.random.set_seed(1)
>>> runtime.random.uniform([2])
<tf.Tensor: shape=(2,), dtype=float32, numpy=...>

Without seeds the numbers differ from run to run. `set_seed` makes the whole sequence repeatable; an operation with a
`seed` of its own draws from a sequence of its own, so that other draws don't change what it gives. Setting the global
seed starts all sequences again. The generators lock themselves: threads may draw at the same moment.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from runtime.dtypes import ANY, FLOATS, INTEGERS, DType
from runtime.errors import InvalidArgumentError
from runtime.ops.record import Array, Operand, op
from runtime.ops.shape import INDEXES
from runtime.ops.shape_rules import shape_from
from runtime.ops.values import elements, integers
from runtime.shapes import TensorShape

__all__ = ["random_normal", "random_shuffle", "random_uniform", "set_seed"]


class Generators:
    """The generator of each seed; `None` is the common one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.start(None)

    def start(self, seed: int | None) -> None:
        """Forgets all sequences and starts again from this global seed (None: from the system's entropy)."""
        with self._lock:
            self._seed = seed
            self._kept: dict[int | None, np.random.Generator] = {}

    def get(self, seed: int | None) -> np.random.Generator:
        """The generator of an operation's seed. Without a global seed, equal seeds still give equal sequences."""
        with self._lock:
            found = self._kept.get(seed)
            if found is None:
                parts = [v for number in (self._seed, seed) if number is not None for v in (abs(number), number < 0)]
                found = self._kept[seed] = np.random.default_rng(parts or None)
            return found


GENERATORS = Generators()


def set_seed(seed: int | None) -> None:
    """Starts all random sequences again from this seed, so that a program gives the same numbers in every run."""
    GENERATORS.start(seed)


def _drawn_shape(shape: Operand, *limits: Operand, **attributes: Any) -> TensorShape:
    return shape_from(shape)


def _limit_dtype(shape: Operand, limit: Operand, other: Operand, seed: int | None) -> DType:
    return limit.dtype


@op(
    shape=_drawn_shape, result=_limit_dtype, dtypes={("minval", "maxval"): FLOATS | INTEGERS, "shape": INDEXES},
    stateful=True,
)  # fmt: skip
def random_uniform(shape: Array, minval: Array, maxval: Array, seed: int | None = None) -> Any:
    """Numbers from [minval, maxval), all equally likely. shape: integers; minval, maxval: real, of one dtype, which the
    result has; they broadcast to the shape. Raises InvalidArgumentError for integers with minval >= maxval."""
    generator = GENERATORS.get(seed)
    target = integers(shape)
    dtype = minval.dtype
    if dtype.kind in "iu":
        if not np.all(np.less(minval, maxval)):
            raise InvalidArgumentError(f"random.uniform: minval ({minval}) must be less than maxval ({maxval})")
        return generator.integers(minval, maxval, target, dtype)
    numbers = generator.random(target, np.float64 if dtype == np.float64 else np.float32)
    scaled = (numbers * (maxval - minval) + minval).astype(dtype, copy=False)
    # Rounding may reach the upper bound, which does not belong to the interval.
    return np.where(np.less(scaled, maxval), scaled, minval) if np.any(np.greater_equal(scaled, maxval)) else scaled


@op(
    shape=_drawn_shape, result=_limit_dtype, dtypes={("mean", "stddev"): FLOATS, "shape": INDEXES}, stateful=True,
)  # fmt: skip
def random_normal(shape: Array, mean: Array, stddev: Array, seed: int | None = None) -> Any:
    """Numbers of the normal distribution. shape: integers; mean, stddev: float, of one dtype, which the result has;
    they broadcast to the shape."""
    dtype = mean.dtype
    numbers = GENERATORS.get(seed).standard_normal(integers(shape), np.float64 if dtype == np.float64 else np.float32)
    return (numbers * stddev + mean).astype(dtype, copy=False)


@op(shape=lambda value, seed: value.shape, dtypes=ANY, stateful=True)
def random_shuffle(value: Array, seed: int | None = None) -> Any:
    """The rows of a tensor (its slices along the first axis) in random order. value: any tensor of rank >= 1."""
    array = elements(value)
    if not array.ndim:
        raise InvalidArgumentError("random.shuffle: a scalar has no rows")
    return array[GENERATORS.get(seed).permutation(len(array))]
