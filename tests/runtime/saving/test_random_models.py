"""Random graphs and programs: what is loaded computes the same, bit for bit, as what was saved."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.graph.equality import graph_equal
from tests.runtime.random_graphs import random_case
from tests.runtime.saving.models import holder, trace_of

BATCH = 30


def outcome(trace: Any, arguments: list[np.ndarray]) -> Any:
    """The results to the bit, or the error."""
    try:
        results = trace.run([tf.constant(a) for a in arguments])
    except Exception as error:
        return type(error), str(error)
    arrays = [np.asarray(r.numpy()) for r in results]
    return [(a.dtype, a.shape, a.tolist() if a.dtype == object else a.tobytes()) for a in arrays]


@pytest.mark.parametrize("start", range(0, 90, BATCH))
def test_random_graphs(start: int, tmp_path: Path) -> None:
    cases = [random_case(seed) for seed in range(start, start + BATCH)]
    model = holder(**{f"f{case.seed}": trace_of(case.graph) for case in cases})
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for case in cases:
        name = f"f{case.seed}"
        assert graph_equal(getattr(loaded, name).graph, case.graph), case.seed
        assert outcome(getattr(loaded, name), case.arguments) == outcome(getattr(model, name), case.arguments), name


@pytest.mark.slow
@pytest.mark.parametrize("start", range(90, 3000, BATCH))
def test_more_random_graphs(start: int, tmp_path: Path) -> None:
    test_random_graphs(start, tmp_path)
