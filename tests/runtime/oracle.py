"""The oracle of the engine's tests: the interpreter against plan, passes and text on one graph.

    assert_agrees(graph, arguments)

What the interpreter computes must come out of: the plan, the plan after all passes, the interpreter after each single
pass and the plan of the graph's text read back, to the bit. Where it raises, the plan must raise, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np

from runtime.engine import buffers
from runtime.engine.interpreter import run_graph
from runtime.engine.plan import Plan, compile_plan
from runtime.errors import InvalidArgumentError, OpError
from runtime.graph.equality import graph_equal
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.passes import PIPELINE, optimize


def assert_same_arrays(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray], what: str) -> None:
    """The same arrays: dtype, shape, bits; only the bits of a nan do not count."""
    assert len(found) == len(wanted), what
    for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
        assert type(a) is np.ndarray, f"{what}: output {number} is {a!r}"
        assert a.dtype == b.dtype and a.shape == b.shape, (
            f"{what}: output {number}: {a.dtype}{a.shape}, {b.dtype}{b.shape}"
        )
        if a.dtype.name == "bfloat16":
            a, b = a.astype(np.float32), b.astype(np.float32)  # of which numpy's tests know nan
        if a.dtype.kind in "fc":
            np.testing.assert_array_equal(a, b, what)
            np.testing.assert_array_equal(np.signbit(a.real)[~np.isnan(a)], np.signbit(b.real)[~np.isnan(b)], what)
        else:
            assert a.tolist() == b.tolist(), f"{what}: output {number}: {a} is not {b}"


def eager_plan(graph: Graph) -> Plan:
    """A plan that reuses buffers of any size: what goes wrong with large ones shows with small ones."""
    with mock.patch.object(buffers, "REUSE_BYTES", 1):
        return compile_plan(graph)


def assert_agrees(graph: Graph, arguments: Sequence[np.ndarray]) -> bool:
    """Compares all ways to run a graph; returns False for a graph that raises."""
    verify(graph)
    before = [a.copy() for a in arguments]
    try:
        wanted = run_graph(graph, arguments)
    except (ValueError, OpError) as error:
        wanted = error
    plan = eager_plan(graph)
    if isinstance(wanted, Exception):
        try:
            plan.run(arguments)
        except type(wanted) if isinstance(wanted, OpError) else InvalidArgumentError:
            return False
        raise AssertionError(f"the interpreter raises {wanted!r}, the plan does not:\n{plan.source}")
    wanted = [a.copy() for a in wanted]
    for turn in ("first", "second"):
        assert_same_arrays(plan.run(arguments), wanted, f"{turn} run of the plan:\n{graph.as_text()}\n{plan.source}")
        assert_same_arrays(arguments, before, f"the arguments after the {turn} run of the plan:\n{plan.source}")
    for transform in PIPELINE:
        changed = transform(graph)
        verify(changed)
        what = f"after {transform.__name__}:\n{graph.as_text()}\n{changed.as_text()}"
        assert_same_arrays(run_graph(changed, arguments), wanted, what)
    best = optimize(graph, verified=True)
    plan = eager_plan(best)
    what = f"optimised:\n{graph.as_text()}\n{best.as_text()}\n{plan.source}"
    assert_same_arrays(plan.run(arguments), wanted, what)
    assert_same_arrays(arguments, before, what)
    text = graph.as_text()
    read = Graph.from_text(text)
    assert graph_equal(read, graph), text
    return True
