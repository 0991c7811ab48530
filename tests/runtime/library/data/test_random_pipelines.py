"""Random pipelines against plain Python."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset
from tests.runtime.library.data.comparing import elements, plain


def unsteady(n: int) -> Dataset:
    """As Dataset.range, element by element."""
    return Dataset.from_generator(lambda: range(n), output_signature=tf.TensorSpec([], tf.int64))


RANDOM_STEPS: list[Any] = [
    (lambda d, k: d.map(lambda x: x * 3 - k), lambda s, k: [x * 3 - k for x in s]),
    (
        lambda d, k: d.map(lambda x: x // 2 if x % 2 == 0 else x + k),
        lambda s, k: [x // 2 if x % 2 == 0 else x + k for x in s],
    ),
    (lambda d, k: d.filter(lambda x: x % (k + 1) != 0), lambda s, k: [x for x in s if x % (k + 1) != 0]),
    (lambda d, k: d.batch(k + 1).unbatch(), lambda s, k: s),
    (lambda d, k: d.take(20 * k), lambda s, k: s[: 20 * k]),
    (lambda d, k: d.skip(k), lambda s, k: s[k:]),
    (lambda d, k: d.repeat(k), lambda s, k: s * k),
    (lambda d, k: d.shard(k + 1, k), lambda s, k: s[k :: k + 1]),
    (lambda d, k: d.concatenate(Dataset.range(k)), lambda s, k: s + list(range(k))),
    (lambda d, k: d.window(k + 1).flat_map(lambda w: w), lambda s, k: s),
    (lambda d, k: d.prefetch(k), lambda s, k: s),
    (lambda d, k: d.cache(), lambda s, k: s),
    (lambda d, k: d.scan(np.int64(k), lambda a, x: (x, a)), lambda s, k: [k, *s][: len(s)]),
    (lambda d, k: d.take_while(lambda x: x < 10 * k), lambda s, k: list(itertools.takewhile(lambda x: x < 10 * k, s))),
    (lambda d, k: d.enumerate(k).map(lambda i, x: i + x), lambda s, k: [i + x for i, x in enumerate(s, k)]),
    (
        lambda d, k: Dataset.zip((d, d.skip(1))).map(lambda a, b: a - b),
        lambda s, k: [a - b for a, b in itertools.pairwise(s)],
    ),
    (lambda d, k: d.map(lambda x: x + k, num_parallel_calls=k + 1), lambda s, k: [x + k for x in s]),
    (lambda d, k: d.interleave(lambda x: Dataset.from_tensors(x), k + 1), lambda s, k: s),
]


@pytest.mark.parametrize("seed", range(40))
def test_random_pipelines_give_what_plain_python_gives(seed: int) -> None:
    """Blocks and single elements alike: the source is steady in every other program."""
    rng = random.Random(seed)
    n = rng.randrange(60)
    dataset, items = (Dataset.range(n) if seed % 2 else unsteady(n)), list(range(n))
    for _ in range(rng.randrange(1, 6)):
        (step, model), k = rng.choice(RANDOM_STEPS), rng.randrange(1, 5)
        dataset, items = step(dataset, k), model(items, k)
        if len(items) > 500:
            dataset, items = dataset.take(500), items[:500]
    assert elements(dataset) == items
    count = int(dataset.cardinality())
    assert count in (len(items), tf.data.UNKNOWN_CARDINALITY)
    assert plain(np.array([int(x) for x in dataset])) == items
