"""Generated staged programs with ifs and loops: a session gives what the graph gives here."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.exits.onnx.exporting import graph_model
from tests.differential.oracle import Endless, loaded, telling_inputs
from tests.differential.staged import REPLACED, TRACING, Numbers, limited
from tests.differential.staged_grammar import LANGUAGE, STAGED, staged_program
from tests.runtime.export.running import run, session

SILENT = {"log": lambda *values: None, "note": lambda value: value, "show": lambda text: None}
"""In the place of what prints, which no file does."""

SPECS = [runtime.TensorSpec([], runtime.int32)] * 2


def judged(seed: int, grammar: Any) -> str:
    """ "same", or why there is nothing to compare; AssertionError where a session gives something else."""
    program = staged_program(seed, grammar=grammar)
    filename = f"<staged program {seed}>"
    with loaded(program.text, filename) as names, loaded(program.text, filename) as staged, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names["vector"] = lambda *numbers: Numbers(numbers)
        inputs = telling_inputs(program, filename, names)
        staged.update({**REPLACED, **SILENT})
        function = runtime.function(staged["program"])
        try:
            with limited(TRACING):
                trace = function.get_concrete_function(*SPECS)
        except (Exception, Endless) as error:  # refused, or what every run of the program raises
            return f"no graph: {type(error).__name__}"
        if trace.state.first:
            return "it writes to the program"
        model, problems = graph_model(
            trace.optimized_graph, trace.captured_inputs, 21, ["x", "y"], [f"y{i}" for i in range(len(trace.outputs))]
        )
        if problems:
            return f"refused: {problems[0].operation.type}: {problems[0].reason}"
        if not trace.outputs:
            return "no result"
        ran = session(model().SerializeToString())
        return compared(program.text, trace, ran, inputs)


def compared(text: str, trace: Any, ran: Any, inputs: list[Any]) -> str:
    count = 0
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


def shares(seeds: range, grammar: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for seed in seeds:
        verdict = judged(seed, grammar)
        found[verdict] = found.get(verdict, 0) + 1
    return found


def test_some_programs() -> None:
    found = shares(range(12), STAGED)
    assert found["same"] >= 6, found


@pytest.mark.slow
@pytest.mark.parametrize("grammar", [STAGED, LANGUAGE], ids=["staged", "language"])
def test_many_programs(grammar: Any) -> None:
    found = shares(range(500), grammar)
    assert found["same"] >= 250, found
