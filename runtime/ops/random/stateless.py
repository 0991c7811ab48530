"""Random numbers as functions of a seed: the same seed gives the same numbers, in every run, thread and graph.

>>> runtime.random.stateless_uniform([2], seed=[1, 2]).numpy().tolist() == runtime.random.stateless_uniform(
...     [2], seed=[1, 2]).numpy().tolist()
True

The two integers of the seed are the key of numpy's Philox generator, 4 x 64 bits with 10 rounds (Salmon et al.,
"Parallel Random Numbers: As Easy as 1, 2, 3", 2011). It counts from 0 in the low words of its counter; the highest word
is `sequence`: 0 for the stateless functions, 1 for the draws of a `Generator`, which so have nothing in common.
TensorFlow makes other numbers of the same seeds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, FLOATS, INTEGERS, DType, float32, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels import draws
from runtime.ops.kernels.values import elements
from runtime.ops.random.random import chosen_shape, drawn_shape, one_of, share_of_limits
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import CHECKED, VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure
from runtime.shapes import TensorShape

__all__ = [
    "stateless_bits", "stateless_categorical", "stateless_normal", "stateless_shuffle", "stateless_truncated_normal",
    "stateless_uniform",
]  # fmt: skip


def _generator(seed: Array, operation: str, sequence: int = 0) -> np.random.Generator:
    if np.shape(seed) != (2,):
        raise ShapeMismatchError(f"{operation}: a seed is two integers; its shape is {np.shape(seed)}")
    key = elements(seed).astype(np.int64).view(np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, sequence]))


def _check_seed(seed: Operand) -> None:
    if not seed.shape.is_compatible_with([2]):
        raise ValueError(f"a seed is two integers; its shape is {seed.shape}")


def _drawn(shape: Operand, seed: Operand, *limits: Operand, **attributes: Any) -> TensorShape:
    _check_seed(seed)
    return drawn_shape(shape)


def _chosen(logits: Operand, num_samples: Operand, seed: Operand, dtype: DType) -> TensorShape:
    _check_seed(seed)
    return chosen_shape(logits, num_samples)


def _same_rows(value: Operand, seed: Operand) -> TensorShape:
    _check_seed(seed)
    return value.shape


BAD_SEED = Failure(([2], [1, 2, 3]), ShapeMismatchError, ("(3,)", "two"))
NEGATIVE = Failure(([-1], [1, 2]), InvalidArgumentError, ("-1",))
DRAWN = {"shape": INDEXES, "seed": INDEXES}


@op(
    raises=VALUES,
    shape=_drawn, result=lambda shape, seed, minval, maxval, sequence: minval.dtype,
    dtypes={("minval", "maxval"): FLOATS | INTEGERS, **DRAWN},
    errors=[Failure(([2], [1], 0.0, 1.0), ShapeMismatchError, ("(1,)", "two")),
            Failure(([2], [1, 2], 3, 3), InvalidArgumentError, ("minval", "3"))],
)  # fmt: skip
def stateless_uniform(shape: Array, seed: Array, minval: Array, maxval: Array, sequence: int = 0) -> Any:
    """Numbers from [minval, maxval), all equally likely. shape: integers; seed: two integers; minval, maxval: real, of
    one dtype, which the result has; they broadcast to the shape."""
    return draws.uniform(_generator(seed, "stateless_uniform", sequence), shape, minval, maxval, "stateless_uniform")


@stateless_uniform.gradient
def _(upstream: Any, result: Any, minval: Any, maxval: Any) -> Any:
    return None, None, *share_of_limits(upstream, result, minval, maxval)


@op(shape=_drawn, result=one_of(INTEGERS, "stateless_bits"), dtypes=DRAWN, errors=[BAD_SEED, NEGATIVE], raises=VALUES)
def stateless_bits(shape: Array, seed: Array, dtype: DType = int32, sequence: int = 0) -> Any:
    """Integers out of all that the dtype has. shape: integers; seed: two integers."""
    return draws.bits(_generator(seed, "stateless_bits", sequence), shape, dtype.numpy, "stateless_bits")


@op(shape=_drawn, result=one_of(FLOATS, "stateless_normal"), dtypes=DRAWN, errors=[BAD_SEED, NEGATIVE], raises=VALUES)
def stateless_normal(shape: Array, seed: Array, dtype: DType = float32, sequence: int = 0) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1. shape: integers; seed: two integers."""
    return draws.normal(_generator(seed, "stateless_normal", sequence), shape, dtype.numpy, "stateless_normal")


@op(
    raises=VALUES,
    shape=_drawn, result=one_of(FLOATS, "stateless_truncated_normal"), dtypes=DRAWN, errors=[BAD_SEED, NEGATIVE],
)
def stateless_truncated_normal(shape: Array, seed: Array, dtype: DType = float32, sequence: int = 0) -> Any:
    """Numbers of the normal distribution, drawn again where they are further than 2 from 0. shape: integers; seed: two
    integers."""
    generator = _generator(seed, "stateless_truncated_normal", sequence)
    return draws.truncated_normal(generator, shape, dtype.numpy, "stateless_truncated_normal")


@op(
    raises=VALUES,
    shape=_chosen, result=one_of(INDEXES, "stateless_categorical"),
    dtypes={"logits": FLOATS, "num_samples": INDEXES, "seed": INDEXES},
    errors=[Failure((np.ones((2, 0), np.float32), 1, [1, 2]), InvalidArgumentError, ("(2, 0)",)),
            Failure((np.ones(2, np.float32), 1, [1, 2]), ShapeMismatchError, ("(2,)",))],
)  # fmt: skip
def stateless_categorical(logits: Array, num_samples: Array, seed: Array, dtype: DType = int64) -> Any:
    """For each row of logits some classes, each with the probability softmax(row). logits: float, [batch, classes];
    num_samples: integer scalar; seed: two integers; returns [batch, num_samples]."""
    generator = _generator(seed, "stateless_categorical")
    found = draws.categorical(generator, logits, num_samples, "stateless_categorical")
    return found.astype(dtype.numpy, copy=False)


@op(
    raises=CHECKED,
    shape=_same_rows, dtypes={"value": ANY, "seed": INDEXES},
    errors=[Failure((1.0, [1, 2]), InvalidArgumentError, ("scalar",))],
)  # fmt: skip
def stateless_shuffle(value: Array, seed: Array) -> Any:
    """The rows of a tensor (its slices along the first axis) in random order. value: any tensor of rank >= 1; seed: two
    integers."""
    return draws.shuffled(_generator(seed, "stateless_shuffle"), value, "stateless_shuffle")


@stateless_shuffle.gradient
def _(upstream: Any, seed: Any) -> Any:
    # The same seed puts the numbers of the rows into the same order.
    order = ops.stateless_shuffle(ops.range(0, ops.shape(upstream)[0], 1), seed)
    return ops.gather(upstream, ops.argsort(order)), None
