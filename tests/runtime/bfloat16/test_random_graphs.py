"""Random graphs with much bfloat16: the plan, each pass and the text agree with the interpreter to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

import runtime as tf
from tests.runtime import random_graphs
from tests.runtime.oracle import assert_agrees

SEEDS = 60


@pytest.fixture
def mostly_bfloat16() -> Iterator[None]:
    random_graphs.others.cache_clear()
    with mock.patch.object(random_graphs, "DTYPES", (tf.bfloat16,) * 6 + random_graphs.DTYPES):
        yield
    random_graphs.others.cache_clear()


def test_random_graphs(mostly_bfloat16: None) -> None:
    cases = list(map(random_graphs.random_case, range(SEEDS)))
    narrow = [o for case in cases for o in case.graph.operations if any(t.dtype is tf.bfloat16 for t in o.outputs)]
    assert len(narrow) > 3 * SEEDS and len({o.type for o in narrow}) > 40
    assert sum(assert_agrees(case.graph, case.arguments) for case in cases) > 0.7 * SEEDS
