"""Loops as the stager is given them: a test that is the user's, or one that is not.

    stage_while(test, body, state, opts)      # `while test(): body()`
    stage_steps(more, step, consumer)         # `while more(): step()`, which hands items to a consumer
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.operators.consumer import Consumer
from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.loops.signals import TestAssigns
from runtime.control_flow.loops.statement import stage_loop
from runtime.control_flow.statement.set_up import staged
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.heap.store import World
from runtime.restarts import Restart, settled

__all__ = ["and_then", "stage_for", "stage_steps", "stage_while"]

Thunk = Callable[[], Any]
Options = Mapping[str, Any]


def stage_while(test: Thunk, body: Thunk, state: State, opts: Options) -> None:
    """`while test(): body()`. A test that changes something, `while (x := step(x)) > 0`, runs before the loop and after
    each body instead, and its result is one more variable of the loop.
    """
    tested_twice: list[TestAssigns] = []

    def attempt() -> None:
        if not tested_twice:
            staged(lambda: stage_loop(test, body, state, opts, World(test, body)))
            return
        go_on = [test()]

        def step() -> None:
            body()
            go_on[0] = test()

        whole = state.with_cell(go_on, "the condition of the loop")
        stage_for(lambda: go_on[0], step, whole, opts, (test, body))

    def learn(found: Restart) -> None:
        if tested_twice or not isinstance(found.learnt, TestAssigns):
            raise found
        tested_twice.append(found.learnt)

    settled(attempt, learn)


def stage_for(test: Thunk, body: Thunk, state: State, opts: Options, watched: Sequence[Any]) -> None:
    """A loop whose test is not the user's own, so that nothing in it can assign. watched: the user's code in it."""
    try:
        staged(lambda: stage_loop(test, body, state, opts, World(*watched)))
    except Restart as found:
        raise found.learnt.refusal() if isinstance(found.learnt, TestAssigns) else found from None


def stage_steps(
    test: Thunk, step: Thunk, consumer: Consumer, cell: list[Any] | None = None, objects: Sequence[Any] = ()
) -> None:
    """A loop whose steps hand items to a consumer. cell: a value that they change; objects: what the items are of."""

    def run() -> None:
        state = State(consumer.get_state, consumer.set_state, tuple(consumer.names))
        if cell is not None:
            state = state.with_cell(cell, "position in the loop")
        stage_for(test, step, state, consumer.options, (*consumer.__ag_watched__(), *objects))

    if consumer.staging is None:
        run()
    else:
        consumer.staging(run)


def and_then(first: Any, second: Thunk, otherwise: Thunk = lambda: False) -> Any:
    """`first and second()`; where the first is false, `otherwise()`."""
    if isinstance(first, bool):
        return second() if first else otherwise()
    predicate = as_bool_scalar(first, "for")
    return cond_values(predicate, lambda: [second()], lambda: [otherwise()], ["the end of a loop"])[0]
