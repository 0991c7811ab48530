"""Loops: `ag__.while_stmt` and `ag__.for_stmt`, decided by the owner of the test and of the iterated value.

Example:
    while_stmt(loop_test, loop_body, get_state, set_state, ("x",), {})
    for_stmt(range(3), None, loop_body, get_state, set_state, ("s",), {"iterate_names": "i"})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograph.errors import StagingError
from autograph.operators.stager import PYTHON, GetState, Names, SetState, Thunk, stager_of, tracing_stager
from autograph.operators.truth import asked
from autograph.operators.variables import set_variables, variables_in

__all__ = ["for_stmt", "is_loop_options", "misplaced_options", "while_stmt"]


def while_stmt(
    test: Thunk,
    body: Thunk,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
    opts: Mapping[str, Any],
) -> None:
    """`while test(): body()`.

    The first test is a probe: its value tells whose loop this is. A stager that records takes a mark before it, and
    may throw away what the probe recorded; Python goes on with the probed value, for it cannot evaluate it again.
    What the probed test assigned (a walrus) is taken back for a stager that records.
    """
    tracer = tracing_stager.get()
    mark = tracer.mark(test) if tracer is not None else None
    before = variables_in(get_state) if tracer is not None else ()
    first = test()
    owner = stager_of(first)
    if owner is PYTHON and (truth := asked(first)) is not first:
        first, owner, plain = truth, stager_of(truth), test
        test = lambda: asked(plain())
    if owner is PYTHON:
        mark = first
    else:
        if before:
            set_variables(before, get_state, set_state)
        if owner is not tracer:
            mark = None
    owner.while_stmt(test, body, get_state, set_state, symbol_names, opts, mark)


def for_stmt(
    iter_: Any,
    extra_test: Thunk | None,
    body: Callable[[Any], Any],
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
    opts: Mapping[str, Any],
) -> None:
    """`for item in iter_: body(item)`, which stops after an iteration that leaves `extra_test()` false.

    What is not a plain value may say by a method `__ag_push__(consumer)` how it hands over its items.
    """
    stager = stager_of(iter_)
    try:
        if stager is PYTHON and extra_test is None and tracing_stager.get() is None:
            for item in iter_:
                body(item)
            return
        if stager is not PYTHON and hasattr(type(iter_), "__ag_push__"):
            from autograph.operators.consumer import Consumer  # which stages by the operators of this file

            iter_.__ag_push__(Consumer(body, extra_test, get_state, set_state, symbol_names, opts))
            return
        stager.for_stmt(iter_, extra_test, body, get_state, set_state, symbol_names, opts)
    finally:
        del iter_  # see PythonStager.for_stmt: no reference outlives the loop


def is_loop_options(function: Any) -> bool:
    """Whether a function is `autograph.set_loop_options`."""
    return (function.__module__, function.__name__) == ("autograph.directives", "set_loop_options")


def misplaced_options(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of set_loop_options that the converter did not find: it sets nothing, so a stager's loop would miss it.

    Raises StagingError while something is recorded; in Python it does nothing, as everywhere.
    """
    if tracing_stager.get() is not None:
        raise StagingError(
            "set_loop_options has no effect here, under another name or not in a loop: make it the first statement in"
            " the body of the loop, as `set_loop_options(...)` or `module.set_loop_options(...)`"
        )
    return function(*args, **kwargs)
