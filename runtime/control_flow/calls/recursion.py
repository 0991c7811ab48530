"""Recursion that depends on tensors: a function that calls itself from a branch becomes a function of the library.

    def fact(n): return 1 if n < 2 else n * fact(n - 1)        # n is a tensor: fact(n) is a `call` operation

While a function is traced, every call of the program's own functions passes here (`call_function`). A call is traced
in place, as Python would run it. But where a function is called again by itself, with arguments of the same types and
staged control flow in between, that would never end: the outer call is given up and its function traced once into a
graph of its own, with a `call` in the place of each call of itself. What it returns is learnt from the ways that do not
recurse; while it is unknown, what follows such a call counts as never reached. Then it is traced again with the
result's type, until that does not change. Where all ways recurse (or raise), an annotation may say what is returned: a
dtype, a TensorSpec.
Recursion over Python values ends by itself, and is traced in place; if it does not end after `UNROLLED` calls, the
numbers and sizes that differ from call to call become tensors.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.template import is_artifact
from runtime import structures as nest
from runtime.context import current_recorder
from runtime.control_flow.calls.active_calls import (
    Active,
    Given,
    Made,
    Recursive,
    as_values,
    bound,
    calls_of_trace,
    may_end,
    record_call,
)
from runtime.control_flow.calls.call_types import Parameters
from runtime.control_flow.calls.function_maker import Maker
from runtime.control_flow.calls.reached_places import may_call_itself, worlds_of
from runtime.control_flow.objects.watched import watched_since
from runtime.graph.graph import Graph
from runtime.heap.store import World
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["call_function", "note_call"]

IS_PYTHON = True  # see runtime.control_flow.tries.raised: what its own lines raise is that arguments do not fit

UNROLLED: Final = 8
"""How many calls of a function within each other, each in a branch of the one around it, are traced in place."""

MOST_UNROLLED: Final = 64
"""How many there may be in all: a function that calls itself in two branches has 2 ** n calls n deep."""

DEEPEST: Final = 64
"""How many within each other may be traced in place where no function can serve them all."""

MOST_IN_PLACE: Final = 256
"""How many there may be in all then: a `try` traces what is in it several times, on each level."""

LARGEST: Final = 20_000
"""How many parts the arguments of a call so deep may have, each counted where it is met: `go(k - 1, (t, t))` has
2 ** n of them n deep, and whoever goes through them never comes to an end."""


def call_function(
    function: Callable[..., Any], original: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """`function(*args, **kwargs)` in the graph that is recording; `original` is the function as it was written."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return function(*args, **kwargs)
    key = note_call(graph, original)
    calls: list[Active] = calls_of_trace(graph).setdefault(key, [])
    if len(calls) >= UNROLLED and _count_of_parts((args, kwargs)) > LARGEST:
        raise _does_not_end(original, len(calls), None)
    if calls and (calls[-1].graph is not graph or may_end(graph, calls[-1].start)):
        arguments = bound(original, args, kwargs)
        known = _recursive_call(original, calls, arguments, calls[-1].graph is not graph)
        if known is not None:
            return record_call(known, arguments)
    given, mark = Given(args, kwargs), watched_since()
    is_deep = len(calls) > UNROLLED  # where those around it would have become functions
    worlds: list[World] = []
    if not is_deep and may_call_itself(original):
        worlds = worlds_of(function, args, kwargs, calls[-1].worlds if calls else ())
    call = Active(graph, len(graph.operations), lambda: bound(original, *given.at_the_start()), worlds)
    again = _run(call, calls, function, args, kwargs)
    if not isinstance(again, Recursive):
        return again
    def put_back() -> None:
        graph.recording.forget(call.start)
        watched_since(mark)
        for world in worlds:
            world.restore()
        given.put_back()

    put_back()
    failure = graph.recording.tracing.failure
    try:
        maker = Maker(function, original, calls, graph, can_reach=bool(worlds))
        return maker.call(again.parameters, bound(original, args, kwargs))
    except Exception as error:
        if not again.is_wider:
            raise
        call.in_place = error
    # The function needs Python's numbers where it was given tensors: traced in place, it may still come to an end.
    put_back()
    graph.recording.tracing.failure = failure
    return _run(call, calls, function, args, kwargs)


def note_call(graph: Graph, original: FunctionType) -> Any:
    """Takes note that a function as it was written runs in a trace; returns what stands for it."""
    key = (id(original.__code__), tuple(map(id, original.__closure__ or ())))
    known = graph.recording.tracing.called.get(key)
    if not is_artifact(original.__code__) and (known is None or known() is None):
        graph.recording.tracing.called[key] = weakref.ref(original)
    return key


def _run(call: Active, calls: list[Active], function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The result of a call that is traced in place, or what is known of it if it cannot be."""
    calls.append(call)
    try:
        return function(*args, **kwargs)
    except Restart as found:
        if found.target is not call:
            raise
        return found.learnt
    finally:
        calls.pop()


def _recursive_call(
    original: FunctionType, calls: list[Active], arguments: Mapping[str, Any], in_branch: bool
) -> Made | None:
    """The function that these arguments are to be given to; None for a call that is traced in place.

    in_branch: whether there is staged control flow between the call and the one before. Raises Restart where a call
    that is active has to become a function first, or one with wider parameters.
    """
    values = as_values(arguments)
    for call in reversed(calls):
        if call.made is not None and call.made.parameters.covers(call.made.given(arguments)):
            return call.made
        if call.made is None:
            parameters = Parameters.of(as_values(call.arguments()))
            if parameters.covers(values):
                raise Restart(Recursive(parameters), call)
    if not in_branch and (len(calls) < DEEPEST or not _has_tensors(arguments)):
        return None
    calls[0].inner += 1
    made = [call for call in calls if call.made is not None]
    many = len(calls) >= UNROLLED or calls[0].inner > MOST_UNROLLED
    if made or (many and not any(call.in_place is not None for call in calls)):
        for call in made[-1:] or calls:
            parameters = call.made.parameters if call.made is not None else Parameters.of(as_values(call.arguments()))
            wider = parameters.join(values if call.made is None else call.made.given(arguments))
            if wider is not None:
                raise Restart(Recursive(wider, is_wider=True), call)
    if len(calls) >= DEEPEST or calls[0].inner > MOST_IN_PLACE:
        why = next((call.in_place for call in calls if call.in_place is not None), None)
        raise _does_not_end(original, len(calls), why) from why
    return None


def _count_of_parts(value: Any) -> int:
    """How many parts a structure has, in as many steps as it has different ones."""
    counts: dict[int, int] = {}
    pending = [value]
    while pending:
        value = pending[-1]
        parts = nest.parts_if_plain(value)
        if id(value) in counts:
            counts[id(pending.pop())] = 1 + sum(counts[id(part)] for part in parts)
        else:
            counts[id(value)] = 1
            pending += [part for part in parts if id(part) not in counts]
    return counts[id(value)]


def _has_tensors(arguments: Mapping[str, Any]) -> bool:
    """Whether the run may decide how often the function calls itself, although no branch stands around the call."""
    return any(isinstance(leaf, SymbolicTensor) for leaf in nest.flatten(list(arguments.values()), nest.is_structure))


def _does_not_end(original: FunctionType, depth: int, why: Exception | None) -> StagingError:
    reason = "" if why is None else f" One function for all of them was not to be had: {why}"
    return StagingError(
        f"the function {original.__name__!r} calls itself depending on a tensor, {depth} times within each other with"
        " arguments of another structure or other Python objects each time: its trace would not end. Pass tensors, or a"
        f" runtime.autograph.tensor_list in the place of a structure that grows.{reason}"
    )
