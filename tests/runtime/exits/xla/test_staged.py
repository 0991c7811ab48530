"""Generated staged programs with ifs and loops under backend="jax": what the plan gives, or raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.backends import compile_graph
from runtime.errors import NotCompiledError
from tests.differential.oracle import Endless
from tests.differential.staged import TRACING, limited
from tests.differential.staged_grammar import LANGUAGE, STAGED
from tests.runtime.leaving import shares

pytestmark = pytest.mark.filterwarnings("ignore")


def compared(text: str, trace: Any, inputs: list[Any]) -> str:
    try:
        plan = compile_graph(trace.optimized_graph, "jax")
        check(text, trace, plan, inputs)
    except NotCompiledError as refused:
        return f"refused: {str(refused).splitlines()[1].rpartition(': ')[2]}"
    return "same"


def check(text: str, trace: Any, plan: Any, inputs: list[Any]) -> None:
    for values in inputs:
        arrays = [np.asarray(np.int32(value)) for value in values]
        wanted = outcome(trace.plan, arrays, trace)
        if wanted is not None:
            assert outcome(plan, arrays, trace) == wanted, f"{values}\n{text}"


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


def test_some_programs() -> None:
    found = shares(range(8), STAGED, compared)
    assert found["same"] >= 4, found


@pytest.mark.slow
@pytest.mark.parametrize(("grammar", "least"), [(STAGED, 250), (LANGUAGE, 200)], ids=["staged", "language"])
def test_many_programs(grammar: Any, least: int) -> None:
    """The language has `try`, recursion and prints, of which no program of XLA is made."""
    found = shares(range(500), grammar, compared)
    assert found["same"] >= least, found
