"""The optimiser: passes from graph to graph, one per file, run in the order of `PIPELINE`.

    plan = compile_plan(optimize(graph))

A pass is a pure function: it returns a new graph that computes the same, with the same inputs and outputs and the same
effects in the same order. The first sentence of its docstring is the invariant that it keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from runtime.config import passes_left_out
from runtime.graph.graph import Graph
from runtime.graph.library import called_functions
from runtime.graph.verify import verify
from runtime.passes.algebra import simplify
from runtime.passes.conditions import join_conditions
from runtime.passes.constant_state import fix_state
from runtime.passes.cse import merge_common
from runtime.passes.fold import fold_constants
from runtime.passes.hoist import hoist_invariants
from runtime.passes.prune import drop_dead

__all__ = ["PIPELINE", "Pass", "optimize"]

Pass = Callable[[Graph], Graph]

PIPELINE: Final[tuple[Pass, ...]] = (
    fold_constants, simplify, join_conditions, merge_common, fix_state, hoist_invariants, drop_dead,
)  # fmt: skip


def optimize(graph: Graph, *, verified: bool = False, hoisting: bool = True) -> Graph:
    """The graph after all passes. `verified`: check every rule of a graph after each pass, as the tests do.
    `hoisting`: whether what loops compute may be computed before them, also where they make no turn.

    The passes that `config.optimizer` leaves out are left out. The graphs of its library are optimised each by itself;
    those that nothing calls any more are dropped.
    """
    left_out = passes_left_out()
    for transform in PIPELINE:
        if (transform is hoist_invariants and not hoisting) or transform.__name__ in left_out:
            continue
        functions = {name: transform(function) for name, function in graph.functions.items()}
        graph = transform(graph)
        graph.functions = functions
        if verified:
            verify(graph)
    graph.functions = called_functions(graph)
    return graph
