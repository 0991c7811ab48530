"""The analyses against the truth: random programs, and programs with each statement of Python, run under tracing.

A graph that lacks an edge, a variable wrongly called dead, a definition that reaches and is not named: each shows as a
difference between what was said and what Python's own trace of lines and instructions saw.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from typing import Any

import gast
import pytest

from autograph.pyct import anno, parser
from autograph.pyct.qual_names import QN
from tests.differential.grammar import program
from tests.differential.oracle import loaded, observe, telling_inputs

from .every_statement import PROGRAMS
from .judging import Judge
from .truth import Recorder

SEEDS = range(60)


def judge_of(text: str, name: str) -> Judge:
    tree = gast.Module(parser.parse(text, single_node=False), [])
    return Judge(next(node for node in tree.body if getattr(node, "name", "") == name))


def test_of_random_programs() -> None:
    checked: Counter[str] = Counter()
    for seed in SEEDS:
        made = program(seed)
        filename = f"<analysed program {seed}>"
        with loaded(made.text, filename) as namespace:
            judge = judge_of(made.text, "program")
            recorder = Recorder(filename, "program")
            for values in telling_inputs(made, filename, namespace)[:3]:
                recorder.run(lambda: observe(namespace["program"], values, filename, namespace))
            for events in recorder.frames:
                try:
                    judge.hold(events)
                except AssertionError as error:
                    raise AssertionError(f"seed {seed}: {error}\n{made.text}") from None
            checked += judge.checked
    assert min(checked[claim] for claim in ("edges", "live", "definitions")) > 20 * len(SEEDS), checked


def outcome(function: Any, values: tuple[object, ...]) -> Any:
    """Call a function of whatever kind to its end."""
    result = function(*values)
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    return list(result) if inspect.isgenerator(result) else result


@pytest.mark.parametrize("name", PROGRAMS)
def test_of_every_statement(name: str) -> None:
    text, inputs = PROGRAMS[name]
    filename = f"<program with {name}>"
    namespace: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), namespace)
    judge = judge_of(text, "f")
    recorder = Recorder(filename, "f")
    for values in inputs:
        recorder.run(lambda: outcome(namespace["f"], values))
    for events in recorder.frames:
        judge.hold(events)
    assert judge.checked["edges"] >= len(inputs)
    assert judge.checked["live"] >= len(inputs) or "builtins" in name  # these read without an instruction that says so


def test_builtins_that_read_frames_keep_variables_alive() -> None:
    text, _ = PROGRAMS["names that builtins see"]
    judge = judge_of(text, "f")
    evaluation = next(node for node in judge.graph.nodes if "eval(" in repr(node))
    assert {QN("x"), QN("y"), QN("a")} <= set(anno.getanno(evaluation.ast_node, anno.Static.LIVE_VARS_IN))
