"""Errors that leave a plan: their class, the operation and the user's line in the note; the plan works afterwards."""

from __future__ import annotations

import signal
import traceback
import warnings

import numpy as np
import pytest

import runtime
from runtime.dtypes import bool_, float32, int32
from runtime.engine.plan import compile_plan
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY


def quotient(shape: list[int | None]) -> Graph:
    graph = Graph("quotient")
    x, y = graph.placeholder(int32, shape, "x"), graph.placeholder(int32, shape, "y")
    graph.outputs = list(graph.add(REGISTRY["floordiv"], [x, y], {}, "ratio").outputs)  # the user's line
    return graph


@pytest.mark.parametrize("shape", [[], [2]])
def test_the_note_names_the_operation_and_the_line(shape: list[int | None]) -> None:
    plan = compile_plan(quotient(shape))
    seven, zero, two = (np.full(shape, n, np.int32) for n in (7, 0, 2))
    with pytest.raises(InvalidArgumentError, match="division by zero") as caught:
        plan.run([seven, zero])
    (note,) = caught.value.__notes__
    assert "'ratio' (floordiv)" in note and f"{__file__}:" in note and "quotient" in note
    assert plan.run([seven, two])[0].tolist() == np.full(shape, 3).tolist()


def test_an_error_inside_of_a_nested_graph_names_the_inner_operation() -> None:
    graph = Graph("outer")
    p, x, y = graph.placeholder(bool_, []), graph.placeholder(int32, [2]), graph.placeholder(int32, [2])
    attributes = {"then_graph": quotient([2]), "else_graph": quotient([2])}
    graph.outputs = list(graph.add(REGISTRY["cond"], [p, x, y], attributes).outputs)
    with pytest.raises(InvalidArgumentError) as caught:
        compile_plan(graph).run([np.array(True), np.ones(2, np.int32), np.zeros(2, np.int32)])
    assert "'ratio'" in caught.value.__notes__[0]


def test_shapes_that_do_not_fit_at_run_time_are_our_error() -> None:
    graph = Graph("sum")
    x, y = graph.placeholder(float32, [None]), graph.placeholder(float32, [None])
    graph.outputs = list(graph.add(REGISTRY["add"], [x, y], {}).outputs)
    with pytest.raises(ShapeMismatchError, match=r"\(2,\) and \(3,\)") as caught:
        compile_plan(graph).run([np.ones(2, np.float32), np.ones(3, np.float32)])
    assert "'add'" in caught.value.__notes__[0]


def test_floating_point_warnings_are_silent_inside_and_as_before_outside() -> None:
    graph = Graph("ratio")
    x, y = graph.placeholder(float32, []), graph.placeholder(float32, [3])
    one = graph.constant(np.array(1, np.float32))
    graph.outputs = [graph.add(REGISTRY["divide"], [one, t], {}).outputs[0] for t in (x, y)]
    plan = compile_plan(graph)
    with warnings.catch_warnings(), np.errstate(divide="warn"):
        warnings.simplefilter("error")
        scalar, vector = plan.run([np.array(0, np.float32), np.zeros(3, np.float32)])
        assert scalar == np.inf and np.isinf(vector).all()
        with pytest.raises(RuntimeWarning):
            np.float32(1) / np.float32(0)


def test_an_interrupt_leaves_the_plan_usable() -> None:
    graph = Graph("step")
    x = graph.placeholder(float32, [2])
    graph.outputs = list(graph.add(REGISTRY["exp"], [graph.add(REGISTRY["sigmoid"], [x], {}).outputs[0]], {}).outputs)
    plan = compile_plan(graph)

    class Interrupting(np.ndarray):
        def __array_ufunc__(self, *arguments: object, **options: object) -> object:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan.run([np.zeros(2, np.float32).view(Interrupting)])
    assert plan.run([np.zeros(2, np.float32)])[0].tolist() == pytest.approx([np.exp(0.5)] * 2)


@pytest.mark.parametrize("jit", [None, True], ids=["numpy", "native"])
def test_an_interrupt_shows_the_line_of_the_users_loop(jit: bool | None) -> None:
    @runtime.function(jit_compile=jit)
    def spin(n):
        t = 0
        while n > 0:
            t = (t + 1) % 7
        return t

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            spin(runtime.constant(0))  # traced, and compiled
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            spin(runtime.constant(1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    shown = [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)]
    assert shown[:2] == ["test_an_interrupt_shows_the_line_of_the_users_loop", "spin"]
    assert not any(name in ("run", "turns", "__call__") for name in shown)
