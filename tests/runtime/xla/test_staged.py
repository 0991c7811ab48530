"""Generated staged programs with ifs and loops under backend="jax": what the plan gives, or raises."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.backends import compile_graph
from runtime.errors import NotCompiledError
from tests.differential.oracle import Endless, loaded, telling_inputs
from tests.differential.staged import REPLACED, TRACING, Numbers, limited
from tests.differential.staged_grammar import LANGUAGE, STAGED, staged_program
from tests.runtime.export.test_staged import SILENT, SPECS

pytestmark = pytest.mark.filterwarnings("ignore")


def judged(seed: int, grammar: Any) -> str:
    """ "same", or why there is nothing to compare; AssertionError where XLA gives something else."""
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
        try:
            plan = compile_graph(trace.optimized_graph, "jax")
            return compared(program.text, trace, plan, inputs)
        except NotCompiledError as refused:
            return f"refused: {str(refused).splitlines()[1].rpartition(': ')[2]}"


def compared(text: str, trace: Any, plan: Any, inputs: list[Any]) -> str:
    for values in inputs:
        arrays = [np.asarray(np.int32(value)) for value in values]
        wanted = outcome(trace.plan, arrays, trace)
        if wanted is not None:
            assert outcome(plan, arrays, trace) == wanted, f"{values}\n{text}"
    return "same"


def outcome(plan: Any, arrays: list[Any], trace: Any) -> Any:
    """The results, or the class of what is raised; None where the program does not end in time."""
    try:
        with limited(TRACING):
            found = plan.function(*arrays, *trace.captured_inputs)
    except Endless:
        return None
    except NotCompiledError:
        raise
    except Exception as error:
        return type(error)
    return [np.asarray(part).tolist() for part in found]


def shares(seeds: range, grammar: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for seed in seeds:
        verdict = judged(seed, grammar)
        found[verdict] = found.get(verdict, 0) + 1
    return found


def test_some_programs() -> None:
    found = shares(range(8), STAGED)
    assert found["same"] >= 4, found


@pytest.mark.slow
@pytest.mark.parametrize(("grammar", "least"), [(STAGED, 250), (LANGUAGE, 200)], ids=["staged", "language"])
def test_many_programs(grammar: Any, least: int) -> None:
    """The language has `try`, recursion and prints, of which no program of XLA is made."""
    found = shares(range(500), grammar)
    assert found["same"] >= least, found
