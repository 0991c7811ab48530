"""Which of the caller's containers a run changes: where they are among the arguments, and which ones in this call.

    place = OfCall("d", (0,), "d[0]")
    run_with_containers(concrete, tensors, arguments, others)
    place.find()                     # while that runs: arguments["d"][0], as it was when the call began
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from autograph.contexts import binding
from runtime import structures as nest
from runtime.errors import InvalidArgumentError
from runtime.heap.kind import Kind
from runtime.heap.kinds import ATTRIBUTES, DICT, LIST, SET, SLOTS, object_kinds
from runtime.heap.store import World
from runtime.ndarrays.traced import TracedArray
from runtime.state.parameters import Parameter
from runtime.state.variable import Variable

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction

__all__ = ["MEMORIES", "OfCall", "check_called", "containers_of", "kind_of", "memories_of", "run_with_containers"]

_HOLDERS: Final[dict[type, Kind]] = {
    dict: DICT, list: LIST, set: SET,
    **dict.fromkeys((collections.OrderedDict, collections.defaultdict, collections.Counter), DICT),
}  # fmt: skip

MEMORIES: Final = (np.ndarray, TracedArray, Variable, Parameter)
"""Arrays and Variables, and what stands for them while a function is traced."""

_Call = tuple[Any, Mapping["OfCall", Any]]

_CALL: Final[ContextVar[_Call | None]] = ContextVar("runtime_arguments_of_call", default=None)
"""The trace that runs now, and the containers among the arguments of that call, as it found them."""


@dataclass(frozen=True, slots=True)
class OfCall:
    """Where a container is among the arguments: the parameter, and the number of the part of each structure."""

    parameter: str
    way: tuple[int, ...]
    words: str

    def within(self, arguments: Mapping[str, Any]) -> Any:
        """The container of a call."""
        value = arguments[self.parameter]
        for number in self.way:
            value = nest.children(value)[number][1]
        return value

    def part(self, number: int, step: str) -> OfCall:
        """Where a part of the container is. step: the part, in words."""
        return OfCall(self.parameter, (*self.way, number), self.words + step)

    def is_beside(self, other: OfCall) -> bool:
        """Whether both are parts of one structure."""
        return self.parameter == other.parameter and bool(self.way) and self.way[:-1] == other.way[:-1]

    def find(self) -> Any:
        """The container of the call that runs now; None outside of one."""
        call = _CALL.get()
        return None if call is None else call[1][self]


def kind_of(value: Any) -> Kind | None:
    """How to look at the contents of such a container, None for other values."""
    kind = _HOLDERS.get(type(value))
    if kind is None and nest.has_fields(value) and nest.is_plain(value):
        kinds = object_kinds(value)
        kind = kinds[0] if kinds in ([ATTRIBUTES], [SLOTS]) else None
    return kind


def containers_of(arguments: Mapping[str, Any]) -> Iterator[tuple[OfCall, Any]]:
    """The lists, dicts, sets and dataclasses in arguments, and where they are."""
    return ((place, value) for place, value in _parts_of(arguments) if kind_of(value) is not None)


def memories_of(arguments: Mapping[str, Any]) -> Iterator[tuple[OfCall, Any]]:
    """The arrays and Variables in arguments, and where they are; also what stands for them in a trace."""
    return ((place, value) for place, value in _parts_of(arguments) if isinstance(value, MEMORIES))


def _parts_of(arguments: Mapping[str, Any]) -> Iterator[tuple[OfCall, Any]]:
    for name, value in arguments.items():
        yield from _within(value, OfCall(name, (), name))


def _within(value: Any, place: OfCall) -> Iterator[tuple[OfCall, Any]]:
    yield place, value
    if nest.is_plain(value):
        for number, (step, part) in enumerate(nest.children(value)):
            yield from _within(part, place.part(number, step))


# -- a call


def run_with_containers(
    concrete: ConcreteFunction, tensors: Any, arguments: Mapping[str, Any], others: tuple[Any, Mapping[Any, Any]]
) -> Any:
    """A run for the containers of these arguments. others: the function, and what else it is given.

    Raises InvalidArgumentError for a container that is to be changed and that the function can reach in another way,
    too.
    """
    containers = dict(containers_of(arguments)) | dict(memories_of(arguments))
    own = concrete if concrete.in_calls is None else concrete.in_calls
    named = _with_other_names(own, containers, others)
    for place in own.state.of_call:
        if id(containers[place]) in named:
            raise InvalidArgumentError(
                f"{concrete.header}: {place.words!r} is changed, and the function has it under another name as well,"
                " which it had not when it was traced: pass a copy"
            )
    with binding(_CALL, (own, containers)):
        return own.run(tensors)


def _with_other_names(
    concrete: ConcreteFunction, containers: Mapping[OfCall, Any], others: tuple[Any, Mapping[Any, Any]]
) -> set[int]:
    """The ids of containers that are several parts of the arguments, or that the function can reach without them."""
    own = [containers[place] for place in concrete.state.of_call]
    times = collections.Counter(map(id, containers.values()))
    read = {owner for owner, _ in concrete.guards.locations()}
    if not read.isdisjoint(map(id, own)):
        keepers = World(others[0], objects=others[1], of=own).keepers
        times.update(value for value in read if keepers.get(value))
    return {value for value, count in times.items() if count > 1}


def check_called(concrete: Any) -> None:
    """Raises InvalidArgumentError where nobody knows the containers that a run is to change."""
    call = _CALL.get()
    if call is None or call[0] is not concrete:
        raise InvalidArgumentError(
            f"{concrete.header}: it changes or keeps {concrete.state.named[0].words!r}, a container of its caller: call"
            " the Function itself"
        )
