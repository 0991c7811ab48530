"""Effects in plans: they happen once, in program order, also inside of branches and loops, before and after passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime  # noqa: F401
from runtime.dtypes import bool_, int32
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY, op
from runtime.passes import optimize
from runtime.shapes import TensorShape


@pytest.fixture
def log() -> Iterator[list[tuple[str, int]]]:
    """What the operation `note` was called with, in order."""
    seen: list[tuple[str, int]] = []

    @op(name="note", shape=lambda value, *, label: (), result=lambda value, *, label: (), outputs=0, stateful=True)
    def note(value: np.ndarray, *, label: str) -> tuple[()]:
        """Writes down a value."""
        seen.append((label, int(value)))
        return ()

    yield seen
    del REGISTRY["note"]


def note(graph: Graph, value: object, label: str) -> None:
    graph.add(REGISTRY["note"], [value], {"label": label})


def branch(label: str) -> Graph:
    graph = Graph(label)
    value = graph.placeholder(int32, [])
    note(graph, value, label)
    graph.outputs = list(graph.add(REGISTRY["negative"], [value], {}).outputs)
    note(graph, graph.outputs[0], f"{label} after")
    return graph


@pytest.mark.parametrize("transform", [lambda g: g, optimize], ids=["as written", "optimised"])
@pytest.mark.parametrize("choice", [True, False])
def test_effects_keep_their_order(
    choice: bool, transform: Callable[[Graph], Graph], log: list[tuple[str, int]]
) -> None:
    graph = Graph("effects")
    p, x = graph.placeholder(bool_, []), graph.placeholder(int32, [])
    note(graph, x, "first")
    attributes = {"then_graph": branch("yes"), "else_graph": branch("no")}
    graph.add(REGISTRY["cond"], [p, x], attributes)  # nobody reads the result
    note(graph, x, "first")  # equal operations with effects are not one
    plan = compile_plan(transform(graph))
    assert plan.run([np.array(choice), np.array(7, np.int32)]) == []
    taken = "yes" if choice else "no"
    assert log == [("first", 7), (taken, 7), (f"{taken} after", -7), ("first", 7)]


@pytest.mark.parametrize("transform", [lambda g: g, optimize], ids=["as written", "optimised"])
def test_a_loop_without_results_runs_for_its_effects(
    transform: Callable[[Graph], Graph], log: list[tuple[str, int]]
) -> None:
    graph, test, body = Graph("loop"), Graph("test"), Graph("body")
    i, n = test.placeholder(int32, []), test.placeholder(int32, [])
    test.outputs = list(test.add(REGISTRY["less"], [i, n], {}).outputs)
    i, _ = body.placeholder(int32, []), body.placeholder(int32, [])
    note(body, i, "turn")
    one = body.constant(np.array(1, np.int32))
    body.outputs = list(body.add(REGISTRY["add"], [i, one], {}).outputs)
    zero, n = graph.constant(np.array(0, np.int32)), graph.placeholder(int32, [])
    graph.add(REGISTRY["while"], [zero, n], {"cond_graph": test, "body_graph": body, "maximum_iterations": None})
    compile_plan(transform(graph)).run([np.array(3, np.int32)])
    assert log == [("turn", 0), ("turn", 1), ("turn", 2)]


def test_values_of_unknown_rank_become_arrays_for_kernels() -> None:
    graph = Graph("unknown")
    x = graph.placeholder(int32, TensorShape(None))
    doubled = graph.add(REGISTRY["add"], [x, x], {}).outputs[0]
    graph.outputs = list(graph.add(REGISTRY["shape"], [doubled], {"out_type": int32}).outputs) + [doubled]
    shape, value = compile_plan(graph).run([np.array(4, np.int32)])
    assert shape.shape == (0,) and type(value) is np.ndarray and value == 8


def test_a_plan_runs_in_many_threads_at_once() -> None:
    graph = Graph("threads")
    x = graph.placeholder(int32, [2000])
    tensor = x
    for _ in range(30):
        tensor = graph.add(REGISTRY["add"], [tensor, x], {}).outputs[0]
    graph.outputs = [tensor]
    plan = compile_plan(graph)
    with ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda n: (n, plan.run([np.full(2000, n, np.int32)])[0]), range(400))
        assert all((result == 31 * n).all() for n, result in results)
