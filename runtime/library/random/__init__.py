"""`runtime.random`: random numbers.

>>> runtime.random.set_seed(1)
>>> runtime.random.uniform([2], maxval=10, dtype=runtime.int32)
<tf.Tensor: shape=(2,), dtype=int32, numpy=...>

There are three kinds:

- `uniform`, `normal`, ... draw from sequences that the program shares: each call, and each run of a graph, gives new
  numbers. `set_seed` makes them repeatable, an operation's `seed` gives it a sequence of its own.
- `Generator` is a sequence as an object with its state in a Variable: it is saved with a model, split, and read and
  written by graphs. Threads may share it; no number is drawn twice.
- `stateless_uniform`, ... are functions of a seed of two integers: the same seed gives the same numbers everywhere.

The bits of the last two are those of numpy's Philox generator: TensorFlow makes other numbers of the same seeds.
"""

from __future__ import annotations

from runtime.library.random.generator import Generator, get_global_generator, set_global_generator
from runtime.library.random.shared import categorical, normal, shuffle, truncated_normal, uniform
from runtime.library.random.stateless import (
    fold_in,
    split,
    stateless_categorical,
    stateless_normal,
    stateless_shuffle,
    stateless_truncated_normal,
    stateless_uniform,
)
from runtime.names.elsewhere import explain
from runtime.ops.random.random import set_seed

__all__ = [
    "Generator", "categorical", "fold_in", "get_global_generator", "normal", "set_global_generator", "set_seed",
    "shuffle", "split", "stateless_categorical",
    "stateless_normal", "stateless_shuffle", "stateless_truncated_normal", "stateless_uniform", "truncated_normal",
    "uniform",
]  # fmt: skip

explain(__name__)
