"""Loops whose gradient needs little memory: the state is saved every so many iterations, what is between is run again.

    while_loop(cond, body, [x], checkpoint_every=100)      # 10,000 iterations: 100 states, and 100 iterations in detail

The loop becomes a loop over stretches of iterations, each a loop itself. The gradient saves the state before each
stretch, runs a stretch again when it comes back to it, and saves the details of that one alone. With the square root of
the number of iterations as the length of a stretch, memory grows like that root, for about half as much time again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow.loops import while_values
from runtime.control_flow.subgraph import current_graph
from runtime.errors import InvalidArgumentError
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.ops.control import while_node
from runtime.ops.core import placeholder
from runtime.ops.record import REGISTRY

__all__ = ["checkpointed"]

Values = Sequence[Any]


def checkpointed(
    test: Callable[[Values], Any],
    body: Callable[[Values], Values],
    names: Sequence[str],
    initial: Values,
    invariants: Sequence[tuple[Any, Any]],
    limit: Any,
    every: int,
) -> list[Any]:
    """`while_values` in stretches of `every` iterations. Raises InvalidArgumentError for a body with effects."""
    if type(every) is not int or every < 1:
        raise InvalidArgumentError(f"while_loop: checkpoint_every is a number of iterations, 1 or more; got {every!r}")
    if limit is not None:
        return _counted(test, body, names, initial, invariants, limit, every)

    def stretch(values: Values) -> Values:
        current_graph().recompute = True
        return while_values(test, body, names, values, (), every)

    found = while_values(test, stretch, names, initial, invariants)
    loop = next(o for o in reversed(current_graph().operations) if o.op is while_node)
    _refuse_effects(loop.attributes["body_graph"])
    return found


def _counted(
    test: Callable[[Values], Any],
    body: Callable[[Values], Values],
    names: Sequence[str],
    initial: Values,
    invariants: Sequence[tuple[Any, Any]],
    limit: Any,
    every: int,
) -> list[Any]:
    """A loop with a bound on its iterations counts them."""

    def counted_test(values: Values) -> Any:
        return REGISTRY["logical_and"](REGISTRY["less"](values[0], limit), test(values[1:]))

    def counted_body(values: Values) -> Values:
        return [REGISTRY["add"](values[0], 1), *body(values[1:])]

    start = [0, *initial]
    return checkpointed(counted_test, counted_body, ["iterations", *names], start, invariants, None, every)[1:]


def _refuse_effects(body: Graph) -> None:
    for graph in nested_graphs(body):
        for operation in graph.operations:
            if operation.acts and operation.op is not placeholder:
                raise InvalidArgumentError(
                    f"while_loop: with checkpoint_every the body runs a second time for the gradient, but"
                    f" {operation.type!r}, at {operation.location}, has an effect, which must not happen twice"
                )
