"""Variables of a staged loop that come to share an object with another one while it runs: `a, b = b, a; b = a`.

    for i in range(n):
        b[0] += 1          # in the first iteration the list of `b`, in later ones that of `a`
        b = a

A graph carries the elements of `a` and of `b`, each by itself, so that a change of one in a later iteration would not
be seen in the other. So what shares an object at the end of an iteration may not be changed in place in the body.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.branches.known import origin_of
from runtime.control_flow.lattice.types import called, is_returned
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.replaced_lists import Copies
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.chosen_objects import sources_of
from runtime.control_flow.objects.identity import note_copied, note_unknown
from runtime.control_flow.objects.refs import OneOf, Ref, objects_of, refs_in
from runtime.control_flow.objects.together import Together, is_object
from runtime.control_flow.objects.watched import IN_A_LIST, Held, Since, can_change, contents_of, differ
from runtime.control_flow.objects.world_values import Same, unwrapped
from runtime.control_flow.optional.values import inside_of, is_undefined, within
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.nesting import nested_graphs
from runtime.heap.holder import Contents, Holder
from runtime.heap.store import World
from runtime.ndarrays.restart import keeps_identities
from runtime.ndarrays.traced import TracedArray
from runtime.ops.arrays.item_update import setitem
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Carried", "distinct", "made_of", "note_carried", "object_of"]


class Carried:
    """The objects that the variables of a loop are bound to when an iteration begins."""

    def __init__(
        self, names: Sequence[str], values: Sequence[Any], world: World, exact: Container[str], together: Together
    ) -> None:
        """exact: the names of arrays and objects of which the loop knows which ones they are."""
        self.names = names
        self.world = world
        self._together = together
        self._exact = [name in exact for name in names]
        self._refs = {id(ref) for ref in refs_in(values)}
        values = self._inexact(values)
        self._own = [{id(part): part for part in _objects(unwrapped(value))} for value in values]
        self._tensors = [value if isinstance(value, SymbolicTensor) else None for value in values]
        made = [part for value in values if type(value) is not Same for part in _objects(value)]
        self._before = [(part, contents_of(part)) for part in made]

    def _inexact(self, values: Sequence[Any]) -> list[Any]:
        flags = [*self._exact, *[False] * (len(values) - len(self._exact))]
        pairs = zip(flags, values, strict=True)
        return [None if exact and self._is_exact(value) else value for exact, value in pairs]

    def _is_exact(self, value: Any) -> bool:
        inner = inside_of(value)
        return isinstance(inner, TracedArray | OneOf | Ref) or self.world.knows(inner)

    def check(
        self, before: Sequence[Any], ends: Sequence[Any], changes: Mapping[Holder, Contents], copied: set[str],
        copies: Copies,
    ) -> bool:  # fmt: skip
        """Whether there is something new of what variables have together. Raises StagingError where two share an object
        that is changed in place, and cannot have it together.

        before, ends: the values before the loop and after the iteration; changes: what it changed of what was there
        before; copied: the names of variables that have copies of such objects (`copies`). The others have the objects
        themselves.
        """
        first, last = (dict(zip(self.names, values, strict=True)) for values in (before, ends))
        made = [name for name in self.names if name not in copied and self._is_new(first[name], last[name])]
        new = self._together.add(copies.shared(first))
        if keeps_identities():
            both = {n: [*objects_of(inside_of(first[n])), *objects_of(inside_of(last[n]))] for n in sorted(copied)}
            new |= self._together.add(name for name, objects in both.items() if any(map(is_object, objects)))
        found = self._shared(ends, changes, copied.union(made))
        new |= self._together.add(sorted(found, key=made.__contains__))  # those first that have an object at once
        return new or self._together.find(first, last, copies.led_to)

    def _is_new(self, before: Any, end: Any) -> bool:
        """Whether a variable has no object before the loop, and then one that is made in it."""
        inner = inside_of(before)
        has_none = inner is None or is_undefined(inner)
        return has_none and any(True for _ in made_of({"": (before, end)}, self.world))

    def _shared(
        self, ends: Sequence[Any], changes: Mapping[Holder, Contents], copied: Container[str]
    ) -> Iterable[str]:
        """The variables that share an object that is changed in place."""
        ends = self._inexact(ends)
        changed = {id(part) for part, before in self._before if differ(contents_of(part), before)}
        if any(isinstance(part, TracedArray) and id(part) in changed for part, _ in self._before):
            raise StagingError(
                "an array is written to in the body of a loop that depends on a tensor, and bound to one of another"
                " shape: in a graph it is a copy there. Write to it before the loop, or make a new array of it"
            )
        changed |= {id(holder.owner) for holder in changes}
        pairs = zip(ends, self._tensors, strict=False)
        changed |= {id(end) for end, given in pairs if self._is_array_after(end, given)}
        if not changed:
            return ()
        held = [
            {id(part) for part in nest.walked(_objects(end), sources_of)} if not is_returned(name) else set()
            for name, end in zip(self.names, ends, strict=False)
        ]
        counts: dict[int, int] = {}
        for objects in held:
            for key in objects:
                counts[key] = counts.get(key, 0) + 1
        users, found = self._users(ends, held, copied), dict[str, None]()
        for name, own, objects, end in zip(self.names, self._own, held, ends, strict=False):  # ends have new ones, too
            others = objects - own.keys()
            if name not in copied and all(id(ref) in self._refs for ref in refs_in([end])):
                others -= self.world.by_owner.keys()
            shared = {key for key in others if counts[key] > 1 or key in self.world.by_owner}
            if shared and not changed.isdisjoint(shared | own.keys()):
                if all(key in users and all(users[key].values()) for key in shared):
                    found |= dict.fromkeys(user for key in shared for user in users[key])
                    continue
                raise StagingError(
                    f"{called(name)} is bound in the body of a loop that depends on a tensor to an object that has"
                    " another name, and one of them is changed in place: in a graph the next iteration has them"
                    " apart. Bind a copy (`list(a)`, `copy.copy(a)`), or change the object under one name only"
                )
        return [name for name in self.names if name in found]

    def _users(
        self, ends: Sequence[Any], held: Sequence[set[int]], copied: Container[str]
    ) -> dict[int, dict[str, bool]]:
        """By the id of an object the variables that have it in a copy; whether each can have it together with others:
        it is bound to the object, or to the only one that has it as a part."""
        users, known = dict[int, dict[str, bool]](), self.world.by_owner
        bound = [[value for value in objects_of(inside_of(end)) if is_object(value)] for end in ends]
        wholes: dict[int, set[int]] = {}
        for whole in chain(*bound):
            for part in nest.walked(_objects(whole), sources_of):
                wholes.setdefault(id(part), set()).add(id(whole))
        for name, objects, own in zip(self.names, held, bound, strict=False):
            own_ids = set(map(id, own))
            for key in objects:
                if name in copied or key not in known:
                    around = wholes.get(key, set())
                    is_own = key in own_ids or (len(around) == 1 and around <= own_ids and key not in known)
                    users.setdefault(key, {})[name] = name in copied and is_own and len(around) == 1
        return users

    def check_held(
        self, held: Held, ends: Sequence[Any], changes: Mapping[Holder, Contents]
    ) -> tuple[Held, list[Since | None]]:
        """What is watched after the loop of what iterations put into lists (`held`): objects, and for each variable why
        what it is bound to. Raises StagingError for what an iteration changes in place, if the next one has it, too."""
        holding = [held.place_of(value) for value in ends]
        changed = {id(part) for part, before in self._before if differ(contents_of(part), before)}
        changed |= {id(holder.owner) for holder in changes}
        put: dict[int, Any] = {}
        for value, since in held.places:
            if since.why is IN_A_LIST:
                memory = value.buffers if isinstance(value, TracedArray) else ()
                put |= {id(part): since.line for part in (value, *memory)}
        again = [put[key] for key in changed & put.keys() if key in self.world.by_owner]
        for own, place in zip(self._own, holding, strict=False):
            if place is not None and place.why is IN_A_LIST and not changed.isdisjoint(own):
                again.append(place.line)
        if again:
            raise StagingError(
                f"{IN_A_LIST} (at {again[0]}); the next iteration has the object, too, and changes it in place, which"
                " in Python changes the element. Put a copy into the list (`rows.append(list(row))`)"
            )
        return held.in_any_run(), [since and since._replace(conditions=()) for since in holding]

    def _is_array_after(self, end: Any, given: SymbolicTensor | None) -> bool:
        """Whether a variable whose tensor was written to stands for an array that is there before the loop."""
        if given is None or not isinstance(end, np.ndarray) or id(end) not in self.world.by_owner:
            return False
        inside = nested_graphs(current_graph())
        written = (o.inputs[0] for graph in inside for o in graph.operations if o.op is setitem)
        return any(origin_of(tensor) is given for tensor in written)


def made_of(ends: Mapping[str, tuple[Any, Any]], world: World) -> Iterator[str]:
    """The variables that are bound to an object that an iteration has made. ends: before the loop, and after it."""
    for name, (_, end) in ends.items():
        if any(is_object(one) and not world.knows(one) for one in objects_of(inside_of(end))):
            yield name


def object_of(value: Any) -> Any:
    """What a variable of a loop is bound to: the object before the loop, or a copy of what some iteration gives."""
    whole = unwrapped(value)
    if whole is not value or nest.is_nested(value):
        note_unknown(whole, _kept_in(value))
    return whole


def note_carried(values: Sequence[Any], carried: Sequence[Any]) -> None:
    """Variables of a loop that have these values are to have copies, but for what is the same in each iteration."""
    for value, held in zip(values, carried, strict=True):
        if type(inside_of(held)) is not Same:
            note_copied(value, _kept_in(held))


def _inside(value: Any) -> Iterator[Any]:
    """The parts of a value, and the objects that it may be."""
    yield from value._ag_objects if type(value) is Ref else ()
    if not isinstance(value, Grown):  # whose list is its own
        yield from map(inside_of, nest.parts_if_nested(value))


def _objects(value: Any) -> Iterator[Any]:
    """The lists, dicts and objects in a value, outermost first."""
    parts = nest.walked([inside_of(value)], _inside)
    return (part for part in parts if type(part) is not Ref and (can_change(part) or isinstance(part, TensorList)))


def _kept_in(value: Any) -> set[int]:
    """The ids of the objects from before the loop that are in a value."""
    return {id(part.value) for part in within([value]) if type(part) is Same}


def distinct(labels: Iterable[str]) -> list[str]:
    """The names of places: two objects that one variable may be have places of the same name, which get numbers."""
    times: Counter[str] = Counter()
    found = []
    for label in labels:
        times[label] += 1
        found.append(label if times[label] == 1 else f"{label} ({times[label]})")
    return found
