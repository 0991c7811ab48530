"""Random numbers. The operations have state: they are never folded, merged or dropped.

>>> runtime.random.set_seed(1)
>>> runtime.random.uniform([2])
<tf.Tensor: shape=(2,), dtype=float32, numpy=...>

Without seeds the numbers differ from run to run. `set_seed` makes the whole sequence repeatable; an operation with a
`seed` of its own draws from a sequence of its own, so that other draws don't change what it gives. Setting the global
seed starts all sequences again. A graph draws from the same sequences as eager code, in the order of the program, and
so does every thread: the generators lock themselves. Which of several threads gets which numbers is up to them; give
each a seed, or a `random.Generator`, of its own where that matters.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import ANY, FLOATS, INTEGERS, DType, float32, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels import draws
from runtime.ops.records.gradients import ops, sum_to_shape
from runtime.ops.records.raises import CHECKED, VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = [
    "random_categorical", "random_normal", "random_shuffle", "random_truncated_normal", "random_uniform", "seed_of",
    "set_seed",
]  # fmt: skip


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
    """Starts all random sequences again from this seed, so that a program gives the same numbers in every run.

    seed: an integer, or None for sequences that nobody can foretell. Raises TypeError for anything else.
    """
    GENERATORS.start(seed_of(seed))


def seed_of(seed: Any) -> int | None:
    """A seed as a Python integer, or None. Raises TypeError for anything else."""
    try:
        return None if seed is None else operator.index(seed)
    except TypeError:
        raise TypeError(f"a seed is an integer or None; got {seed!r}") from None


def drawn_shape(shape: Operand, *limits: Operand, **attributes: Any) -> TensorShape:
    """The shape that the first operand says."""
    return shape_from(shape)


def one_of(allowed: frozenset[DType], operation: str) -> Callable[..., DType]:
    """The rule for the attribute dtype, which raises DtypeMismatchError for those that are not allowed."""

    def dtype_rule(*operands: Operand, dtype: DType, **attributes: Any) -> DType:
        if dtype not in allowed:
            names = ", ".join(sorted(d.name for d in allowed))
            raise DtypeMismatchError(f"{operation}: dtype must be one of {names}; got {dtype.name}")
        return dtype

    return dtype_rule


def chosen_shape(logits: Operand, num_samples: Operand, *others: Operand, **attributes: Any) -> TensorShape:
    """A row of classes for each row of logits."""
    if logits.shape.rank not in (None, 2):
        raise ValueError("logits must be [batch, classes]")
    rows = None if logits.shape.dims is None else logits.shape.dims[0]
    return TensorShape([rows, None if num_samples.value is None else int(num_samples.value)])


NEGATIVE = Failure(([2, -1],), InvalidArgumentError, ("-1",))
NO_CLASSES = Failure((np.ones((2, 0), np.float32), 1), InvalidArgumentError, ("(2, 0)", "classes"))
NO_BATCH = Failure((np.ones(3, np.float32), 1), ShapeMismatchError, ("(3,)",))
NO_FLOAT = Failure(([2], "int32"), DtypeMismatchError, ("int32",))


def _limit_dtype(shape: Operand, limit: Operand, other: Operand, seed: int | None) -> DType:
    return limit.dtype


def share_of_limits(upstream: Any, result: Any, minval: Any, maxval: Any) -> tuple[Any, Any]:
    """The gradients of the limits of uniform numbers: u of [0, 1) became minval + u * (maxval - minval)."""
    if not minval.dtype.is_floating:
        return None, None
    share = ops.divide_no_nan(result - minval, maxval - minval)
    return sum_to_shape(upstream * (1 - share), minval), sum_to_shape(upstream * share, maxval)


@op(
    raises=VALUES,
    shape=drawn_shape, result=_limit_dtype, dtypes={("minval", "maxval"): FLOATS | INTEGERS, "shape": INDEXES},
    stateful=True,
    errors=[Failure(([2, -1], 0.0, 1.0), InvalidArgumentError, ("-1",)),
            Failure(([2], 3, 3), InvalidArgumentError, ("minval", "3"))],
)  # fmt: skip
def random_uniform(shape: Array, minval: Array, maxval: Array, seed: int | None = None) -> Any:
    """Numbers from [minval, maxval), all equally likely. shape: integers; minval, maxval: real, of one dtype, which the
    result has; they broadcast to the shape. Raises InvalidArgumentError for integers with minval >= maxval."""
    return draws.uniform(GENERATORS.get(seed), shape, minval, maxval, "random_uniform")


@random_uniform.gradient
def _(upstream: Any, result: Any, minval: Any, maxval: Any) -> Any:
    return None, *share_of_limits(upstream, result, minval, maxval)


@op(
    raises=VALUES,
    shape=drawn_shape, result=one_of(FLOATS, "random_normal"), dtypes=INDEXES, stateful=True,
    errors=[NEGATIVE, NO_FLOAT],
)  # fmt: skip
def random_normal(shape: Array, dtype: DType = float32, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1. shape: integers; dtype: float."""
    return draws.normal(GENERATORS.get(seed), shape, dtype.numpy, "random_normal")


@op(
    raises=VALUES,
    shape=drawn_shape, result=one_of(FLOATS, "random_truncated_normal"), dtypes=INDEXES, stateful=True,
    errors=[NEGATIVE, NO_FLOAT],
)  # fmt: skip
def random_truncated_normal(shape: Array, dtype: DType = float32, seed: int | None = None) -> Any:
    """Numbers of the normal distribution, drawn again where they are further than 2 from 0. shape: integers; dtype:
    float."""
    return draws.truncated_normal(GENERATORS.get(seed), shape, dtype.numpy, "random_truncated_normal")


@op(
    raises=VALUES,
    shape=chosen_shape, result=one_of(INDEXES, "random_categorical"), stateful=True,
    dtypes={"logits": FLOATS, "num_samples": INDEXES},
    errors=[NO_CLASSES, NO_BATCH, Failure((np.full((1, 2), np.nan, np.float32), 1), InvalidArgumentError, ("nan",)),
            Failure((np.ones((1, 2), np.float32), -1), InvalidArgumentError, ("-1",))],
)  # fmt: skip
def random_categorical(logits: Array, num_samples: Array, dtype: DType = int64, seed: int | None = None) -> Any:
    """For each row of logits some classes, each with the probability softmax(row). logits: float, [batch, classes];
    num_samples: integer scalar; returns [batch, num_samples]."""
    found = draws.categorical(GENERATORS.get(seed), logits, num_samples, "random_categorical")
    return found.astype(dtype.numpy, copy=False)


@op(
    raises=CHECKED,
    shape=lambda value, seed: value.shape, dtypes=ANY, stateful=True, no_gradient="which row went where is not kept",
    errors=[Failure((1.0,), InvalidArgumentError, ("scalar",))],
)  # fmt: skip
def random_shuffle(value: Array, seed: int | None = None) -> Any:
    """The rows of a tensor (its slices along the first axis) in random order. value: any tensor of rank >= 1."""
    return draws.shuffled(GENERATORS.get(seed), value, "random_shuffle")
