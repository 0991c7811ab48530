"""Calls that are being traced (`Active`), and functions of the library in the making (`Made`).

calls = calls_of_trace(graph)[key]           # the calls of one function within each other, outermost first
raise Restart(Recursive(parameters), calls[0])   # the outermost is to become a function with these parameters
record_call(made, arguments)                 # a `call` operation, or the end of what can be traced as yet
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import current_recorder
from runtime.control_flow.calls.call_types import Parameters
from runtime.control_flow.calls.changed_arguments import (
    Changed,
    Same,
    check_alone,
    from_arguments,
    inside,
    watch_given,
    write_into,
)
from runtime.control_flow.calls.reached_places import Reached, check_apart, read_places, write_places
from runtime.control_flow.lattice.types import Type
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.ref_each import with_copies
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.control_flow.tries.raised import Diverged
from runtime.control_flow.tries.regions import Region
from runtime.graph.graph import Graph
from runtime.graph.risks import exceptions_of
from runtime.heap.kinds import Kind, container_kind
from runtime.heap.store import World
from runtime.ndarrays.traced import TracedArray
from runtime.ops.flow.control import call_node
from runtime.ops.flow.core import placeholder
from runtime.structure_parts import PLAIN
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Active", "Given", "Made", "Recursive", "as_values", "bound", "calls_of_trace", "may_end", "record_call"]


@dataclass(eq=False)
class Active:
    """A call that is being traced: in which graph, of what; `made` is the function that it is the trace of, if any."""

    graph: Graph
    start: int
    """How many operations the graph had before."""
    arguments: Callable[[], Mapping[str, Any]]
    worlds: Sequence[World] = ()
    """What it can reach, as it was at the start; nothing where that is not known."""
    made: Made | None = None
    in_place: Exception | None = None
    """Why no function serves all calls inside of it, so that they are traced in place."""
    inner: int = 0
    """Of the outermost call of a function: how many have been traced in place in branches inside of it."""


_CALLS: Final[PerTrace[dict[Any, list[Active]]]] = PerTrace(dict)


def calls_of_trace(graph: Graph) -> dict[Any, list[Active]]:
    """The calls of the program's functions that are being traced just now, by function."""
    return _CALLS.of(graph)


@dataclass(eq=False)
class Made:
    """A function of the library in the making. `title`: how the program calls it."""

    name: str
    title: str
    parameters: Parameters
    results: Type | None = None
    """Of what it returns, and what is in the places that it changes."""
    changed: tuple[Changed, ...] = ()
    """What it changes of the arguments of a call."""
    captured: list[SymbolicTensor] = field(default_factory=list)
    """Tensors from around the function that it reads: each call passes them on."""
    gives_arguments: bool = True
    """Whether what it returns may be one of its arguments on all ways, and not only what is in one."""
    reached: Reached = field(default_factory=dict)
    """What it changes that is no argument: further parameters, whose values each call takes from there."""
    note_changes: Callable[[], None] | None = None
    """While it is traced: takes note of what has been changed up to a call of itself, which is to see that."""
    keyed: Sequence[str] = ()
    """The arguments that are dicts and sets of Python's, and of which tensors have become keys or members."""
    may_give: dict[Any, Same] = field(default_factory=dict)
    """What some way returns of its arguments and of what it reaches, by key."""
    was_unknown: bool = False
    """Whether it was called while the type of its results, or what it may give, was not known."""

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call just now, by parameter."""
        return {**as_values(arguments), **read_places(self.reached)}


class Given:
    """The arguments of a call, with what they held when it began: the function may change them."""

    __slots__ = ("_args", "_contents", "_kwargs", "_momentary")

    def __init__(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self._args, self._kwargs = args, kwargs
        self._contents: dict[int, tuple[Any, Any]] = {}
        """Of Python's containers: by id, each with a copy."""
        self._momentary: dict[int, tuple[Kind, Any, Any]] = {}
        """Of the memory of arrays, lists that grow and the like: by id, the kind, each, and what it held."""
        for value in nest.walked([*args, *kwargs.values()], nest.parts_if_plain):
            if type(value) in PLAIN:
                self._contents[id(value)] = value, value if type(value) is tuple else value.copy()
            for one in value.buffers if isinstance(value, TracedArray) else [value]:
                if (kind := container_kind(one)) is not None and kind.is_momentary:
                    self._momentary[id(one)] = kind, one, kind.read(one)

    def at_the_start(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with copies of the lists and dicts, as they were."""
        return tuple(map(self._copy, self._args)), {name: self._copy(value) for name, value in self._kwargs.items()}

    def _copy(self, value: Any) -> Any:
        if type(value) is TensorList:
            return self._momentary[id(value)][2][None]
        if id(value) not in self._contents:
            return value
        held = self._contents[id(value)][1]
        if type(held) is dict:
            return {key: self._copy(part) for key, part in held.items()}
        return type(held)(map(self._copy, held))

    def put_back(self) -> None:
        """All of it holds again what it did."""
        for value, held in self._contents.values():
            if type(value) is list:
                value[:] = held
            elif type(value) is dict:
                value.clear()
                value.update(held)
        for kind, value, held in self._momentary.values():
            if kind.write is not None:
                kind.write(value, held)


@dataclass(frozen=True)
class Recursive:
    """What a `Restart` has learnt of the call that it is for. parameters: those that it is to be traced with."""

    parameters: Parameters
    is_wider: bool = False


def as_values(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with copies of what is one of several objects: what the function takes."""
    return {name: with_copies(value) if _has_refs(value) else value for name, value in arguments.items()}


def _has_refs(value: Any) -> bool:
    return any(type(part) is Ref for part in inside(value))


def _check_ones(made: Made, arguments: Mapping[str, Any]) -> None:
    for place in made.changed:
        if _has_refs(arguments[place.parameter]):
            raise StagingError(
                f"the argument {place.parameter!r} is changed inside the function {made.title!r}, which calls itself"
                " depending on a tensor, and a tensor decides which of several objects it is: pass a copy"
            )


def may_end(graph: Graph, start: int) -> bool:
    """Whether an operation since then may end the run: `if n < 0: raise ...` leaves what follows where it is."""
    return any(o.stateful and o.op is not placeholder for o in graph.operations[start:])


def bound(original: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter, with defaults."""
    bound = inspect.signature(original).bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)


def record_call(made: Made, arguments: Mapping[str, Any]) -> Any:
    """Adds a call of a function of the library to the graph that is recording; its result."""
    if made.note_changes is not None:
        made.note_changes()
    if made.results is None:
        made.was_unknown = True
        raise Diverged
    graph = current_recorder()
    assert isinstance(graph, Graph)
    check_alone(made.title, arguments, made.changed, graph.recording.tracing.writes.asks_layout)
    _check_ones(made, arguments)
    check_apart(made.title, made.reached, list(arguments.values()))
    given = made.parameters.operands(made.given(arguments))
    operands = [graph.recording.localize(t, made.name) for t in (*given, *made.captured)]
    leaves = made.results.leaves
    attributes = {
        "function": made.name,
        "dtypes": tuple(leaf.dtype for leaf in leaves),
        "shapes": tuple(leaf.shape for leaf in leaves),
        "stateful": True,  # as long as the function is not finished; settle_effects knows better
    }
    operation = graph.add(call_node, operands, attributes, made.title)
    changes = [f"its argument {place.parameter!r}" for place in made.changed]
    changes += [place.holder.described() for place in made.reached.values()]
    if changes and exceptions_of(operation) and any(isinstance(g, Region) for g in graph.recording.guards):
        raise StagingError(
            f"the function {made.title!r}, which calls itself depending on a tensor, changes {changes[0]}"
            " inside a `try`: where it raises, a graph does not know what it has changed"
            " before. Let it return the new value, or what went wrong (None, a flag)"
        )
    result, ends, reached = made.results.value(iter(operation.outputs))
    write_into(arguments, made.changed, ends)
    write_places(made.reached, reached)
    if not made.gives_arguments and made.may_give:
        watch_given(made.title, arguments, made.may_give.values(), result)
    return from_arguments(arguments, result)
