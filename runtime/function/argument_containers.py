"""Lists, dicts, sets and dataclasses among the arguments: what a run makes of them reaches the caller.

    @runtime.function
    def note(d, x):
        if x > 0:
            d["last"] = x          # the trace begins again, with a MaybeDict in the place of the dict

    seen = {}
    note(seen, 3.0)                # {"last": 3.0}, as in Python

A trace knows where such a container is among the arguments, and not which one it is: that says each call. One with
tensors in it is a copy, made for the graph, with inputs in their place. What a trace changes of copies stays there; a
call of the Function itself takes a second trace, whose runs change those of the caller (`copied`).
"""

from __future__ import annotations

import copy
import operator
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.lists.replacements import KINDS, Replacement, replacement_of
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.watched import contents_of, differ
from runtime.function.containers_of_call import MEMORIES, OfCall, containers_of, kind_of, memories_of
from runtime.function.elements_left import Elements, changes_of
from runtime.function.left import Left, Made
from runtime.heap.holder import Holder, Location, location, part
from runtime.heap.place import WHOLE, LastingPlace
from runtime.heap.store import World
from runtime.ndarrays.guests import Guest

__all__ = ["ArgumentContainers", "check_defaults"]

_MANY: Final = 8
"""After so many containers that turn out to be changed, one by one, something stands for all that are beside the last
one, and those that are not changed are left out again: a round for each would take as long as their number squared."""

AsLeft = Callable[[Any], Any]
"""What a run leaves for what a trace does: tensors for arrays that it has made."""

HasTensors = Callable[[Any], bool | None]
"""Whether there are tensors of the graph in a value; None for what cannot be made anew in each run."""


@dataclass
class ArgumentContainers:
    """Those of one trace, which may begin several times. others: what else the function is given, and it."""

    arguments: Mapping[str, Any]
    others: tuple[Any, Mapping[str, Any]]
    are_copies: bool = False
    """Whether the function gets copies in any case, because an input_signature makes them."""
    taken_at_once: Iterable[OfCall] = ()
    """Those that are known to be changed, from an earlier trace for such arguments."""
    copied: tuple[OfCall, ...] = ()
    """What this trace has changed once, or a copy of, where the runs of another one could change the caller's."""
    _taken: dict[OfCall, Replacement | None] = field(default_factory=dict)
    """What stands for each; None: a copy."""
    _guessed: dict[OfCall, Sequence[Any]] = field(default_factory=dict)
    """Of those that nobody has asked for: what stands for each holds that at the start."""
    _found: dict[int, OfCall] = field(default_factory=dict)
    _chosen: list[OfCall] = field(default_factory=list)
    """What this trace leaves with arrays that a run cannot leave there."""
    _memories: dict[int, OfCall] = field(default_factory=dict)
    """The arrays and Variables among them, as the function sees them."""
    _standing: list[tuple[OfCall, Any, Any]] = field(default_factory=list)
    _copies: list[tuple[Holder, Any]] = field(default_factory=list)
    lefts: list[Left] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._taken.update(dict.fromkeys(self.taken_at_once))

    # -- while it is traced

    def standing(self, seen: Mapping[str, Any], graph: Any) -> dict[str, Any]:
        """The arguments as the function sees them, with what stands for those that are taken, in a graph."""
        self.lefts, self._standing, self._copies, self.copied = [], [], [], ()
        self._found = {id(value): place for place, value in containers_of(seen)}
        memories = [(place, value) for place, value in memories_of(seen) if not isinstance(value, Guest)]
        self._memories = {id(value): place for place, value in reversed(memories)}
        around = {(place.parameter, place.way[:size]) for place in self._taken for size in range(len(place.way) + 1)}
        with recording(graph):
            return {name: self._with_taken(value, OfCall(name, (), name), around) for name, value in seen.items()}

    def _with_taken(self, value: Any, place: OfCall, around: Container[tuple[str, tuple[int, ...]]]) -> Any:
        """around: where those that are taken are, and what they are parts of."""
        if (place.parameter, place.way) not in around:
            return value
        if nest.is_plain(value):
            parts = [
                self._with_taken(part, place.part(number, step), around)
                for number, (step, part) in enumerate(nest.children(value))
            ]
            if not all(map(operator.is_, parts, nest.parts(value))):
                value = nest.rebuild(value, parts)
                self._found[id(value)] = place
        kind = kind_of(value)
        if place not in self._taken or kind is None:
            return value
        how = self._taken[place]
        made = copy.copy(value) if how is None else how.make(Holder(value, kind, place.words, kind.read(value)), None)
        self._standing.append((place, value, made))
        if place in self._guessed:
            self._guessed[place] = contents_of(made)
        self._found[id(made)] = place
        return made

    @property
    def kept(self) -> dict[int, OfCall]:
        """Where those are that runs leave elsewhere, by their ids."""
        return {} if self.are_copies else self._found

    @property
    def stand_ins(self) -> list[Any]:
        """What stands for those that are taken."""
        return [made for _, _, made in self._standing]

    @property
    def locations(self) -> set[Location]:
        """Their contents in the present call: what a run writes there makes no trace stale."""
        owners = [place.within(self.arguments) for place in (*self._taken, *self.copied)]
        keys = [(None, *nest.field_names(owner)) if nest.has_fields(owner) else (None,) for owner in owners]
        return {location(owner, key) for owner, names in zip(owners, keys, strict=True) for key in names}

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
        return id(place.within(self.arguments)) in self._alone()

    def _alone(self) -> set[int]:
        """The ids of all those: what the trace has done until now may have given one to others."""
        if self.are_copies:
            return set()
        function, objects = self.others
        own = [value for _, value in containers_of(self.arguments)]
        keepers = World(function, objects=objects, of=own).keepers
        return {value for value, times in Counter(map(id, own)).items() if times == 1 and not keepers[value]}

    def take(self, container: Any) -> None:
        """For the next round."""
        place = self._found[id(container)]
        self._taken[place] = KINDS[type(container)]
        if len(self._taken) == _MANY:
            alone = self._alone()
            alike = [
                other
                for other, value in containers_of(self.arguments)
                if type(value) is type(container) and id(value) in alone and other.is_beside(place)
            ]
            self._guessed = {other: () for other in alike if other not in self._taken}
            self._taken.update(dict.fromkeys(self._guessed, KINDS[type(container)]))

    def narrow(self) -> bool:
        """After a trace in which some stood for containers that nobody had asked for: none but those that were changed
        need to. Whether there are fewer of them, so that it takes another round."""
        made = {place: now for place, _, now in self._standing if place in self._guessed}
        return self._leave([place for place, now in made.items() if not differ(contents_of(now), self._guessed[place])])

    def drop_guesses(self) -> bool:
        """After a trace that has failed: whether that may be because of those that nobody had asked for."""
        return self._leave(list(self._guessed))

    def _leave(self, places: Sequence[OfCall]) -> bool:
        self._guessed = {}
        for place in places:
            del self._taken[place]
        return bool(places)

    # -- at the end of the trace

    def note(self, changes: Mapping[Holder, Any], has_tensors: HasTensors) -> bool:
        """Whether another round is needed, because one of the caller's own was left with what only runs have.

        changes: all that has changed; has_tensors: None for what cannot be made anew in each run.
        """
        changed = [(self._found.get(id(holder.owner)), holder.owner, now) for holder, now in changes.items()]
        own = [
            place
            for place, owner, now in changed
            if place is not None and place not in self._taken and kind_of(owner) is not None and has_tensors(now)
            if place.within(self.arguments) is owner
        ]
        alone = self._alone() if own else ()
        self._taken.update(dict.fromkeys(place for place in own if id(place.within(self.arguments)) in alone))
        standing = {known for known, _, _ in self._standing}
        return any(place not in standing for place in self._taken)

    def note_copies(self, changes: Mapping[Holder, Any]) -> None:
        """What has changed of copies: for `copied`. Raises StagingError for one that is two of the arguments."""
        self._copies = [(holder, now) for holder, now in changes.items() if id(holder.owner) in self._found]
        names_of: dict[int, list[str]] = {}
        for place, value in containers_of(self.arguments) if self._copies else ():
            names_of.setdefault(id(value), []).append(place.words)
        for holder, _ in self._copies:
            names = names_of[id(self._found[id(holder.owner)].within(self.arguments))]
            if len(names) > 1:
                raise StagingError(
                    f"{names[0]!r} is changed, and {names[1]!r} is the same object, which the graph has a copy of:"
                    " pass a copy of one of them"
                )

    def has_other_name(self, container: Any) -> bool:
        """Whether the function reaches one of the caller's in another way than by the argument that this stands for."""
        place = self._found.get(id(container))
        return place is not None and not self.are_copies and not self._is_alone(place)

    def is_copied(self, container: Any) -> bool:
        """Whether it is one of `copied`."""
        return self._found.get(id(container)) in self.copied

    def can_be_left(self, changes: Mapping[Holder, Any], has_tensors: HasTensors, as_left: AsLeft) -> None:
        """Finds what runs could change of what the trace has changed once, or copies of: `copied`. changes: all."""
        found, chosen = [], []
        alone = self._alone() if self._copies or changes else set()
        for holder, now in [*self._copies, *changes.items()]:
            place = self._found.get(id(holder.owner))
            if place is None or place in self._taken or kind_of(holder.owner) is not holder.kind:
                continue
            if id(place.within(self.arguments)) not in alone:
                continue
            of_left = lambda value: has_tensors(as_left(value))
            if all(self._can_be_made(value, of_left) for _, value in changes_of(holder.before, now)):
                found.append(place)
            elif any(isinstance(part(now, key), MEMORIES) for _, key in holder.changed(holder.before, now)):
                chosen.append(place)
        self.copied, self._chosen = tuple(found), chosen

    def check_chosen(self, container: Any) -> None:
        """Raises StagingError for a container that is left with arrays that runs cannot leave there, and is lost."""
        place = self._found.get(id(container))
        if place is not None and place in self._chosen:
            raise StagingError(
                f"the argument {place.words!r} is left with an array or Variable that only the graph knows: write into"
                f" the one that is there (`a[:] = ...`), or return {place.words!r}, which is a copy here"
            )

    def _as_left(self, value: Any, as_left: AsLeft) -> Any:
        if id(value) in self._memories or id(value) in self._found:
            return value
        if type(value) is dict:
            return {key: self._as_left(part, as_left) for key, part in value.items()}
        return [self._as_left(part, as_left) for part in value] if type(value) is list else as_left(value)

    def _can_be_made(self, value: Any, has_tensors: HasTensors) -> bool:
        if (nest.is_nested(value) and id(value) in self._found) or id(value) in self._memories:
            return True
        if type(value) in (list, dict):
            parts = value if type(value) is list else value.values()
            return all(self._can_be_made(part, has_tensors) for part in parts)
        return has_tensors(value) is not None

    def leave(self, made: Made, has_tensors: HasTensors, as_left: AsLeft) -> None:
        """Notes what the runs leave in them. has_tensors: None for what cannot be made anew in each run."""
        finders = self._memories | self._found
        for place, before, now in self._standing:
            own = finders.pop(id(now), None)  # what grew is left itself
            made.found = finders
            kind = kind_of(before)
            assert kind is not None
            maybe = now if isinstance(now, MaybeContainer) else None
            contents = now if maybe is None else maybe.contents
            contents = kind.read(now) if kind.has_attributes else contents
            for key, value in changes_of(kind.read(before), contents, maybe):
                value = self._as_left(value, as_left)
                parts = maybe.contents.values() if key is WHOLE and maybe is not None else [value]
                if not all(isinstance(part, TensorList) or self._can_be_made(part, has_tensors) for part in parts):
                    raise StagingError(
                        f"the argument {place.words!r} is left with what cannot be made anew in each run, or is known"
                        " elsewhere: leave tensors, numbers, text and new structures of them"
                    )
                find, words = place.find, place.words
                target: Any = Elements(find, words) if key is WHOLE else LastingPlace(find, kind, key, words)
                self.lefts.append(made.left(target, value))
            if own is not None:
                finders[id(now)] = own

    def of_call(self) -> tuple[OfCall, ...]:
        """Where those are that each run writes to."""
        return tuple([place for place, _, _ in self._standing]) if self.lefts else ()


def check_defaults(function: Any, changes: Mapping[Holder, Any], has_tensors: HasTensors) -> None:
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
        places = () if name is None or kind_of(holder.owner) is None else holder.changed(holder.before, now)
        if any(has_tensors(part(now, key)) is not False for _, key in places):
            raise StagingError(
                f"the default of {name!r}, which stays from one call to the next, is left with tensors in it: keep what"
                " is to stay in a global dict or list or an attribute, or change a copy (`d = dict(d)`)"
            )
