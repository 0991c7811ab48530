"""Lists, dicts and sets among the arguments that a tensor decides about: what a run makes of them reaches the caller.

    @runtime.function
    def note(d, x):
        if x > 0:
            d["last"] = x          # the trace begins again, with a MaybeDict in the place of the dict

    seen = {}
    note(seen, 3.0)                # {"last": 3.0}, as in Python

A trace knows where such a container is among the arguments, and not which one it is: that says each call.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.lists.replacements import KINDS, Replacement, replacement_of
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.errors import InvalidArgumentError
from runtime.function.left import Left, Made
from runtime.heap.holder import ABSENT, Holder, Location, location, part
from runtime.heap.kind import Kind
from runtime.heap.kinds import DICT, LIST, SET
from runtime.heap.place import Place
from runtime.heap.placeholders import Absent
from runtime.heap.store import World
from runtime.ndarrays.layout import same_bits
from runtime.tensor.eager import EagerTensor

__all__ = ["ArgumentContainers", "OfCall", "called_with", "check_called", "check_defaults"]

_HOLDERS: Final[dict[type, Kind]] = {dict: DICT, list: LIST, set: SET}

_CALL: Final[ContextVar[tuple[Any, Mapping[str, Any]] | None]] = ContextVar("runtime_arguments_of_call", default=None)
"""The trace that runs now, and the arguments of that call."""

_WHOLE: Final = object()
"""The key of all elements of a list."""


@dataclass(frozen=True, slots=True)
class _Elements:
    """All elements of a list, as a `Place`. What is equal to what was there stays what it was."""

    find: Callable[[], Any]
    words: str

    def put(self, value: Any) -> None:
        """Sets them."""
        own = self.find()
        own[:] = [old if _is_that(old, new) else new for old, new in itertools.zip_longest(own, value)][: len(value)]


def _is_that(old: Any, new: Any) -> bool:
    if type(new) is not EagerTensor or type(old) not in (EagerTensor, bool, int, float, complex):
        return False
    array = old._array if type(old) is EagerTensor else np.asarray(old, new._array.dtype)
    return same_bits(array, new._array)


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

    def find(self) -> Any:
        """The container of the call that runs now; None outside of one."""
        call = _CALL.get()
        return None if call is None else self.within(call[1])


@dataclass
class ArgumentContainers:
    """Those of one trace, which may begin several times. others: what else the function is given, and it."""

    arguments: Mapping[str, Any]
    others: tuple[Any, Mapping[str, Any]]
    are_copies: bool = False
    """Whether the function gets copies in any case, because an input_signature makes them."""
    _taken: dict[OfCall, Replacement | None] = field(default_factory=dict)
    """What stands for each; None: a copy."""
    _found: dict[int, OfCall] = field(default_factory=dict)
    _standing: list[tuple[OfCall, Any, Any]] = field(default_factory=list)
    lefts: list[Left] = field(default_factory=list)

    # -- while it is traced

    def standing(self, seen: Mapping[str, Any], graph: Any) -> dict[str, Any]:
        """The arguments as the function sees them, with what stands for those that are taken, in a graph."""
        self.lefts, self._standing = [], []
        self._found = {id(value): place for place, value in _containers(seen)}
        with recording(graph):
            return {name: self._with_taken(value, name, (), name) for name, value in seen.items()}

    def _with_taken(self, value: Any, parameter: str, way: tuple[int, ...], words: str) -> Any:
        if not any(place.parameter == parameter and place.way[: len(way)] == way for place in self._taken):
            return value
        place = OfCall(parameter, way, words)
        if place in self._taken and type(value) in _HOLDERS:
            kind, how = _HOLDERS[type(value)], self._taken[place]
            made = type(value)(value) if how is None else how.make(Holder(value, kind, words, kind.read(value)), None)
            self._standing.append((place, value, made))
            self._found[id(made)] = place
            return made
        parts = [
            self._with_taken(part, parameter, (*way, number), words + step)
            for number, (step, part) in enumerate(nest.children(value))
        ]
        return nest.rebuild(value, parts)

    @property
    def stand_ins(self) -> list[Any]:
        """What stands for those that are taken."""
        return [made for _, _, made in self._standing]

    @property
    def locations(self) -> set[Location]:
        """Their contents in the present call: what a run writes there makes no trace stale."""
        return {location(place.within(self.arguments), None) for place in self._taken}

    def knows(self, container: Any) -> bool:
        """Whether it is one of those."""
        return id(container) in self._found

    def can_take(self, container: Any) -> bool:
        """Whether another round would help, in which something of ours stands for it."""
        place = self._found[id(container)]
        if type(container) not in KINDS or replacement_of(container) is not KINDS[type(container)]:
            return False
        return self._taken.get(place) is None and self._is_alone(place)

    def _is_alone(self, place: OfCall) -> bool:
        """Whether the function can reach a container as that part of its arguments alone."""
        if self.are_copies:
            return False
        own = place.within(self.arguments)
        function, objects = self.others
        again = sum(value is own for _, value in _containers(self.arguments))
        return again == 1 and not World(function, objects=objects, of=own).keepers

    def take(self, container: Any) -> None:
        """For the next round."""
        self._taken[self._found[id(container)]] = KINDS[type(container)]

    # -- at the end of the trace

    def note(self, changes: Mapping[Holder, Any], has_tensors: Callable[[Any], bool | None]) -> bool:
        """Whether another round is needed, because one of the caller's own was left with what only runs have.

        changes: all that has changed; has_tensors: None for what cannot be made anew in each run.
        """
        for holder, now in changes.items():
            place = self._found.get(id(holder.owner))
            if place is None or place in self._taken or type(holder.owner) not in _HOLDERS or not has_tensors(now):
                continue
            if place.within(self.arguments) is holder.owner and self._is_alone(place):
                self._taken[place] = None
        return any(place not in {known for known, _, _ in self._standing} for place in self._taken)

    def leave(self, made: Made, has_tensors: Callable[[Any], bool | None]) -> None:
        """Notes what the runs leave in them. has_tensors: None for what cannot be made anew in each run."""
        for place, before, now in self._standing:
            for key, value in _changes(before, now, place.words):
                if not isinstance(value, TensorList) and has_tensors(value) is None:
                    raise StagingError(
                        f"the argument {place.words!r} is left with what cannot be made anew in each run, or is known"
                        " elsewhere: leave tensors, numbers, text and new structures of them"
                    )
                count = len(made.outputs)
                kind, words = _HOLDERS[type(before)], place.words
                target: Any = _Elements(place.find, words) if key is _WHOLE else Place(place.find, kind, key, words)
                self.lefts.append(Left(target, made.of(value), tuple(made.numbers[count:])))

    def of_call(self) -> tuple[OfCall, ...]:
        """Where those are that each run writes to."""
        return tuple([place for place, _, _ in self._standing]) if self.lefts else ()


def _changes(before: Any, now: Any, words: str) -> Iterator[tuple[Any, Any]]:
    """What to set, by key; ABSENT for what is not there."""
    if isinstance(before, list):
        if isinstance(now, TensorList) or len(now) != len(before):
            yield _WHOLE, now
        else:
            yield from ((i, value) for i, value in enumerate(now) if value is not before[i])
        return
    was, found = _as_dict(before), _as_dict(now.contents if isinstance(now, MaybeContainer) else now)
    found = {key: value for key, value in found.items() if type(value) is not Absent}
    kept, is_ordered = [key for key in was if key in found], getattr(now, "is_ordered", True)
    if isinstance(before, dict) and not (is_ordered and list(found)[: len(kept)] == kept):
        raise StagingError(
            f"the order of the keys of the argument {words!r} depends on a tensor when a run is over, or is another one"
            " than before: give them a value in one order, or return a new dict"
        )
    for key in {**was, **found}:
        value = found.get(key, ABSENT)
        if value is not was.get(key, ABSENT):
            yield key, value


def _as_dict(contents: Any) -> dict[Any, Any]:
    return dict.fromkeys(contents, True) if isinstance(contents, set) else contents


def _containers(arguments: Mapping[str, Any]) -> Iterator[tuple[OfCall, Any]]:
    """The lists, dicts and sets in arguments, and where they are."""
    for name, value in arguments.items():
        yield from _within(value, name, (), name)


def _within(value: Any, parameter: str, way: tuple[int, ...], words: str) -> Iterator[tuple[OfCall, Any]]:
    if type(value) in _HOLDERS:
        yield OfCall(parameter, way, words), value
    if nest.is_plain(value):
        for number, (step, part) in enumerate(nest.children(value)):
            yield from _within(part, parameter, (*way, number), words + step)


# -- a call


@contextlib.contextmanager
def called_with(concrete: Any, arguments: Mapping[str, Any], others: tuple[Any, Mapping[str, Any]]) -> Iterator[None]:
    """A run of the trace for the containers of these arguments. others: the function, and what else it is given.

    Raises InvalidArgumentError for a container that the function can reach in another way, too.
    """
    places: Iterable[OfCall] = concrete.state.of_call
    all_of_them = [value for _, value in _containers(arguments)]
    read = {owner for owner, _ in concrete.guards.locations()}
    for place in places:
        own = place.within(arguments)
        is_read = id(own) in read and bool(World(others[0], objects=others[1], of=own).keepers)
        if is_read or sum(value is own for value in all_of_them) > 1:
            raise InvalidArgumentError(
                f"{concrete.header}: {place.words!r} is changed, and the function has it under another name as well,"
                " which it had not when it was traced: pass a copy"
            )
    token = _CALL.set((concrete, arguments))
    try:
        yield
    finally:
        _CALL.reset(token)


def check_called(concrete: Any) -> None:
    """Raises InvalidArgumentError where nobody knows the containers that a run is to change."""
    call = _CALL.get()
    if call is None or call[0] is not concrete:
        raise InvalidArgumentError(
            f"{concrete.header}: it changes {concrete.state.of_call[0].words!r}, a container of its caller: call the"
            " Function itself"
        )


def check_defaults(function: Any, changes: Mapping[Holder, Any], has_tensors: Callable[[Any], bool | None]) -> None:
    """Raises StagingError for a list, dict or set that is a default of a function, where tensors are left in it: each
    call would begin with them."""
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return
    by_position = function.__defaults__ or ()
    code = function.__code__
    names = code.co_varnames[code.co_argcount - len(by_position) : code.co_argcount]
    defaults = dict(zip(names, by_position, strict=True)) | (function.__kwdefaults__ or {})
    for holder, now in changes.items():
        name = next((name for name, value in defaults.items() if value is holder.owner), None)
        keys = () if name is None or type(holder.owner) not in _HOLDERS else holder.changed_keys(holder.before, now)
        if any(has_tensors(part(now, key)) is not False for key in keys):
            raise StagingError(
                f"the default of {name!r}, which stays from one call to the next, is left with tensors in it: keep what"
                " is to stay in a global dict or list or an attribute, or change a copy (`d = dict(d)`)"
            )
