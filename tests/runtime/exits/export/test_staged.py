"""Generated staged programs with ifs and loops: a session gives what the graph gives here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.exits.onnx.exporting import graph_model
from tests.differential.staged import TRACING, limited
from tests.differential.staged_grammar import LANGUAGE, STAGED
from tests.runtime.exits.export.running import run, session
from tests.runtime.leaving import shares


def compared(text: str, trace: Any, inputs: list[Any]) -> str:
    names = [f"y{i}" for i in range(len(trace.outputs))]
    model, problems = graph_model(trace.optimized_graph, trace.captured_inputs, 21, ["x", "y"], names)
    if problems:
        return f"refused: {problems[0].operation.type}: {problems[0].reason}"
    if not names:
        return "no result"
    ran, count = session(model().SerializeToString()), 0
    for values in inputs:
        arrays = [np.int32(value) for value in values]
        try:
            with limited(TRACING):
                wanted = trace.plan.function(*map(np.asarray, arrays), *trace.captured_inputs)
        except Exception:
            continue  # a file raises nothing, so there is nothing to compare
        found = run(ran, arrays[: len(ran.get_inputs())])
        for one, other in zip(found, wanted, strict=False):
            assert np.asarray(one).tolist() == np.asarray(other).tolist(), f"{values}\n{text}"
        count += 1
    return "same" if count else "every run raises"


def test_some_programs() -> None:
    found = shares(range(12), STAGED, compared)
    assert found["same"] >= 6, found


@pytest.mark.slow
@pytest.mark.parametrize("grammar", [STAGED, LANGUAGE], ids=["staged", "language"])
def test_many_programs(grammar: Any) -> None:
    found = shares(range(500), grammar, compared)
    assert found["same"] >= 250, found
