"""Graphs that leave this process, for tests of each way out: generated programs, and graphs of one operation.

    shares(range(100), STAGED, compared)       # {"same": 80, "no graph: StagingError": 20}
    sample_graph(op, sample, known=[1])        # the second operand is a constant
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime
from runtime.dtypes import from_numpy
from runtime.graph.graph import Graph
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.differential.oracle import Endless, loaded, telling_inputs
from tests.differential.staged import REPLACED, TRACING, Numbers, limited
from tests.differential.staged_grammar import staged_program

__all__ = ["sample_graph", "shares"]

SILENT = {"log": lambda *values: None, "note": lambda value: value, "show": lambda text: None}
"""In the place of what prints, which no file does."""

SPECS = [runtime.TensorSpec([], runtime.int32)] * 2

Compared = Callable[[str, Any, list[Any]], str]
"""Of the text of a program, its trace and inputs: "same", or why there is nothing to compare."""


def shares(seeds: range, grammar: Any, compared: Compared) -> dict[str, int]:
    """How many programs are the same, and how many are not compared for which reason."""
    found: dict[str, int] = {}
    for seed in seeds:
        verdict = _judged(seed, grammar, compared)
        found[verdict] = found.get(verdict, 0) + 1
    return found


def _judged(seed: int, grammar: Any, compared: Compared) -> str:
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
        return "it writes to the program" if trace.state.first else compared(program.text, trace, inputs)


def sample_graph(op: Op, sample: Sample, known: Sequence[int], dynamic: bool = False) -> Graph:
    """A graph of one operation; the operands `known` are constants of it. dynamic: the sizes of the others are not."""
    graph = Graph("sample")
    tensors = []
    for place, operand in enumerate(map(np.asarray, sample.operands)):
        if place in known:
            tensors.append(graph.constant(operand))
        else:
            shape = [None] * operand.ndim if dynamic else operand.shape
            tensors.append(graph.placeholder(from_numpy(operand.dtype), shape, f"x{place}"))
    fixed = len(op.tensors)
    with graph.as_default():
        result = op(*tensors[:fixed], *([tensors[fixed:]] if op.variadic else []), **sample.attributes)
    graph.outputs = list(result) if isinstance(result, list | tuple) else [result]
    return graph
