"""`assert` on a tensor: a check that the condition holds, which raises AssertionError with the message.

    assert x > 0, "positive"         ->  check(x > 0, message="positive")
    assert x > 0, f"found {x}"       ->  cond(x > 0, nothing, raise AssertionError(string_format(x)))

The message is evaluated where the condition is false, as in Python: a branch of its own does it, unless there is
nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.stager import PYTHON
from runtime.control_flow.branches.values import add_merged
from runtime.control_flow.statement.subgraph import as_bool_scalar, current_graph, trace
from runtime.graph.graph import Graph
from runtime.graph.program_parts import Assumption
from runtime.ops.flow.control import cond_node
from runtime.ops.records.record import REGISTRY

__all__ = ["stage_assert"]


def stage_assert(test: Any, message: Callable[[], Any] | None) -> None:
    """`assert test, message()`; message: None where the statement has none."""
    condition = as_bool_scalar(test, "condition of assert")
    if message is None:
        REGISTRY["check"](condition, message="", exception="AssertionError")
        return
    outer = current_graph()
    holds, fails = Graph.within(outer, "then"), Graph.within(outer, "else")
    holds.recording.assumption, fails.recording.assumption = Assumption(condition, True), Assumption(condition, False)
    said: Any = None

    def fail() -> None:
        nonlocal said
        said = message()
        PYTHON.assert_stmt(False, lambda: said)

    result = trace(fails, fail, "the message of an assert")
    if isinstance(said, str) and len(fails.operations) == 1:
        REGISTRY["check"](condition, message=said, exception="AssertionError")
        return
    graphs = {"then_graph": holds, "else_graph": fails}
    add_merged(cond_node, [condition], [holds, fails], ["main", "else"], [[], result], [], graphs, condition)
