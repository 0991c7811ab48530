"""Staging a loop statement: its test and body become functions of the values of its variables.

    stage_loop(test, body, state, opts, Watch(test, body))      ->  a `while` operation; the state is what is after it

The test and the body start from a state that holds the loop's inputs, and leave the state as it was before the loop:
what they changed besides the state is an effect on Python objects, and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.errors import StagingError
from runtime.control_flow.effects import Watch
from runtime.control_flow.loop_options import read_options
from runtime.control_flow.loops import while_values
from runtime.control_flow.statement_state import State

__all__ = ["stage_for", "stage_while"]

Thunk = Callable[[], Any]
Options = Mapping[str, Any]


def stage_while(test: Thunk, body: Thunk, state: State, opts: Options) -> None:
    """`while test(): body()`.

    A test that assigns, `while (x := step(x)) > 0`, runs before the loop and after each body instead, and its result
    is one more variable of the loop.
    """
    before = state.get()
    try:
        _stage(test, body, state, opts, Watch(test, body))
        return
    except _TestAssigns:
        state.put(before)
    go_on = [test()]

    def step() -> None:
        body()
        go_on[0] = test()

    whole = state.with_cell(go_on, "the condition of the loop")
    stage_for(lambda: go_on[0], step, whole, opts, Watch(test, body))


def stage_for(test: Thunk, body: Thunk, state: State, opts: Options, watch: Watch) -> None:
    """A loop whose test is not the user's own, so that nothing in it can assign."""
    try:
        _stage(test, body, state, opts, watch)
    except _TestAssigns as error:
        raise error.refusal() from None


def _stage(test: Thunk, body: Thunk, state: State, opts: Options, watch: Watch) -> None:
    initial = state.get()

    def staged_test(values: Sequence[Any]) -> Any:
        state.put(tuple(values))
        given = state.get()
        if twins := state.twins(values):
            raise _TwoNames(twins)
        value = test()
        for name, now, before in zip(state.names, state.get(), given, strict=True):
            if now is not before:
                raise _TestAssigns(name)
        state.put(initial)
        watch.check("the condition of a loop")
        return value

    def staged_body(values: Sequence[Any]) -> Sequence[Any]:
        state.put(tuple(values))
        body()
        results = state.get()
        state.put(initial)
        watch.check("the body of a loop")
        return results

    invariants, limit = read_options(opts, state.names)
    try:
        final = while_values(staged_test, staged_body, state.names, initial, invariants, limit)
    except _TwoNames as found:
        state.put(initial)
        _stage(test, body, state.without(found.twins), opts, watch)
        return
    except BaseException as error:
        state.put(initial)
        if isinstance(error, UnboundLocalError):
            error.add_note("In a loop over tensors a variable that an iteration reads must be defined before the loop.")
        raise
    state.put(tuple(final))


class _TestAssigns(BaseException):
    """The test of a loop assigned to a variable of the loop; no user's `except` is meant to see this."""

    def refusal(self) -> StagingError:
        return StagingError(
            f"{str(self)!r} gives another value each time it is read, so it cannot be state of a staged loop; read it"
            " into a local variable before the loop, and assign it after"
        )


class _TwoNames(BaseException):
    """Two of the loop's variables are one place. `twins`: which is which."""

    def __init__(self, twins: Mapping[int, int]) -> None:
        super().__init__()
        self.twins = twins
