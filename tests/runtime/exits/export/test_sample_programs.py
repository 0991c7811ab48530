"""The graphs that the samples run, each with what it was first given: a session gives what the plan gave."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runtime.backends import Plan, compile_graph
from runtime.exits.onnx.exporting import graph_model
from runtime.function import concrete
from runtime.graph.graph import Graph
from runtime.ops.kernels.resource import Resource
from tests.runtime.exits.export.running import same, session

ROOT = Path(__file__).resolve().parents[4]

STAYING = {
    "beam_search": {"lists in a list", "lists are in it"},
    "fizzbuzz": {"texts"},
    "mlp_digits": {"random numbers by bits", "number of its dimensions"},
}
"""Samples of which no graph leaves, or not all do, and words of the reasons."""

WITHOUT_GRAPHS = {"pocket_compiler"}
"""It has operators of its own."""

QUICK = ["collatz", "dynamic_rnn", "newton_sqrt", "training_loop"]
LEFT_OUT = {*QUICK, *WITHOUT_GRAPHS}


@dataclass
class Call:
    """One run of a graph: what it was given, and what it gave; of Variables what they were before and after."""

    graph: Graph
    arrays: list[Any]
    memories: list[Resource]
    results: list[Any]
    after: list[Any]


class Recorded:
    """A plan that remembers its first run."""

    def __init__(self, graph: Graph, plan: Plan, calls: list[Call]) -> None:
        self.graph, self.plan, self.calls, self.known = graph, plan, calls, False

    @property
    def source(self) -> str:
        return self.plan.source

    def function(self, *given: Any) -> tuple[Any, ...]:
        if self.known:
            return self.plan.function(*given)
        self.known = True
        resources = [value for value in given if isinstance(value, Resource)]
        before = [Resource(m.read().copy(), m.dtype, m.shape, m.name) for m in resources]
        arrays = [np.array(value) for value in given if not isinstance(value, Resource)]
        results = self.plan.function(*given)
        after = [m.read().copy() for m in resources]
        self.calls.append(Call(self.graph, arrays, before, [np.array(r) for r in results], after))
        return results


def calls_of(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[Call]:
    calls: list[Call] = []
    compiled: Callable[..., Plan] = lambda graph, *options: Recorded(graph, compile_graph(graph, *options), calls)
    monkeypatch.setattr(concrete, "compile_graph", compiled)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", [f"{name}.py"])
    runpy.run_path(str(ROOT / "samples" / f"{name}.py"), run_name="__main__")
    return calls


def compare(call: Call) -> str:
    """Empty where a session gives the same; else why the graph does not leave."""
    names = [tensor.op.name for tensor in call.graph.inputs][: len(call.arrays)]
    model, problems = graph_model(
        call.graph, call.memories, 21, names, [f"y{i}" for i in range(len(call.graph.outputs))], True
    )
    if problems:
        return "; ".join(sorted({problem.reason for problem in problems}))
    message = model()
    ran = session(message.SerializeToString())
    given = {port.name: array for port, array in zip(message.graph.input, call.arrays, strict=False)}
    needed = {port.name for port in ran.get_inputs()}
    found = ran.run(None, {name: array for name, array in given.items() if name in needed})
    for one, other in zip(found, call.results, strict=False):
        same(one, other, call.graph.name)
    named = dict(zip((port.name for port in ran.get_outputs()), found, strict=True))
    names = [memory.name.partition(":")[0] for memory in call.memories]
    for name, value in zip(names, call.after, strict=True):
        after = named.get(name.replace("/", "_") + "_next")
        if after is not None and names.count(name) == 1:  # others have a number behind their names
            same(after, value, name)
    return ""


def check(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    reasons = [compare(call) for call in calls_of(name, monkeypatch, folder)]
    assert reasons
    for reason in filter(None, reasons):
        assert any(words in reason for words in STAYING.get(name, ())), reason
    assert name in STAYING or not any(reasons)


@pytest.mark.parametrize("name", QUICK)
def test_some_samples(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check(name, monkeypatch, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(p.stem for p in (ROOT / "samples").glob("*.py") if p.stem not in LEFT_OUT))
def test_all_samples(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check(name, monkeypatch, tmp_path)
