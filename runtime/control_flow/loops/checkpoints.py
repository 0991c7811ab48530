"""Loops whose gradient needs little memory: the state is saved every so many iterations, what is between is run again.

    while_loop(cond, body, [x], checkpoint_every=100)      # 10,000 iterations: 100 states, and 100 iterations in detail
    set_loop_options(checkpoint_every=True)                # stretches of 1, 2, 3, ... iterations, as many as come

The loop becomes a loop over stretches of iterations, each a loop itself. The gradient saves the state before each
stretch, runs a stretch again when it comes back to it, and saves the details of that one alone. With the square root of
the number of iterations as the length of a stretch, memory grows like that root, for about half as much time again.
Stretches that grow by one iteration do as well where the number is not known: the last one is as long as there are
stretches, about the root of twice the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from runtime.control_flow.loops.values import Loop, while_values
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.ops.flow.caught import caught
from runtime.ops.flow.check import check
from runtime.ops.flow.control import while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.memo import memo_new, memo_set
from runtime.ops.flow.raising import raise_, reraise
from runtime.ops.records.record import REGISTRY

__all__ = ["checkpointed"]

Values = Sequence[Any]

REPEATABLE: Final = (caught, check, memo_new, memo_set, placeholder, raise_, reraise)
"""What may stand in such a loop though it acts: exceptions, which do not come again where they did not come before."""


def checkpointed(loop: Loop, every: int, error: type[Exception], where: str) -> list[Any]:
    """`while_values` in stretches of `every` iterations, or with every=True of 1, 2, 3, ... iterations.

    Raises `error`, which says that the option was given to `where`, for a body with effects.
    """
    if loop.maximum_iterations is not None:
        return checkpointed(loop.counted(), every, error, where)[1:]

    def stretch(values: Values) -> Values:
        current_graph().recompute = True
        if every is not True:
            return while_values(Loop(loop.test, loop.body, loop.names, values, (), every))
        length, *state = values
        return [REGISTRY["add"](length, 1), *while_values(Loop(loop.test, loop.body, loop.names, state, (), length))]

    if every is True:
        names, initial = ["iterations of a stretch", *loop.names], [1, *loop.initial]
        found = while_values(Loop(lambda values: loop.test(values[1:]), stretch, names, initial, loop.invariants))[1:]
    else:
        found = while_values(replace(loop, body=stretch))
    operation = next(o for o in reversed(current_graph().operations) if o.op is while_node)
    _refuse_effects(operation.attributes["body_graph"], error, where)
    return found


def _refuse_effects(body: Graph, error: type[Exception], where: str) -> None:
    for graph in nested_graphs(body):
        for operation in graph.operations:
            if operation.acts and operation.op not in REPEATABLE:
                raise error(
                    f"{where}: with checkpoint_every the body runs a second time for the gradient, but"
                    f" {operation.type!r}, at {operation.location}, has an effect, which must not happen twice"
                )
