"""The graphs that the samples run, each with what it was first given: XLA gives what the plan gave."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runtime.backends import compile_graph
from runtime.errors import NotCompiledError
from runtime.ops.kernels.resource import Resource
from tests.runtime.exits.export.test_sample_programs import LEFT_OUT, QUICK, ROOT, Call, calls_of
from tests.runtime.exits.xla.running import as_arrays, same

pytestmark = pytest.mark.filterwarnings("ignore")

STAYING = {
    "beam_search": {"lists in a list", "lists in it", "length of the list"},
    "dynamic_rnn": {"in XLA both give one shape"},
    "fizzbuzz": {"it prints"},
    "mlp_digits": {"random numbers", "the size of a TensorArray"},
    "training_loop": {"it prints"},
}
"""Samples of which no graph is a program of XLA, or not all are, and words of the reasons."""


def compare(call: Call) -> str:
    """Empty where XLA gives the same; else why the graph is no program of it."""
    memories = [Resource(m.read().copy(), m.dtype, m.shape, m.name) for m in call.memories]
    try:
        found = compile_graph(call.graph, "jax").function(*call.arrays, *memories)
    except NotCompiledError as refused:
        return str(refused)
    for one, other in zip(found, call.results, strict=True):
        for part, wanted in zip(as_arrays(one), as_arrays(other), strict=True):
            same(part, wanted, call.graph.name)
    for memory, value in zip(memories, call.after, strict=True):
        same(memory.read(), np.asarray(value), memory.name)
    return ""


def check(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    reasons = [compare(call) for call in calls_of(name, monkeypatch, folder)]
    assert reasons
    for reason in filter(None, reasons):
        assert any(words in reason for words in STAYING.get(name, ())), reason
    assert name in STAYING or not any(reasons)


@pytest.mark.parametrize("name", QUICK[::2])
def test_some_samples(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check(name, monkeypatch, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*QUICK[1::2], *sorted(p.stem for p in (ROOT / "samples").glob("*.py") if p.stem not in LEFT_OUT)]
)
def test_all_samples(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check(name, monkeypatch, tmp_path)
