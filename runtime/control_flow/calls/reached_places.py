"""What a function of the library changes of what it reaches without being given it: variables, attributes, lists.

    def go(k):
        self.count += 1        # `go` takes what `self.count` and `moves` hold, and returns what they hold at its end
        moves.append(k)
        if k > 0:
            go(k - 1)          # takes what they hold here, and what comes back is written to them

A place is one key of something that can change (`runtime.heap`); while the function is traced it holds an input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import CellType, FunctionType
from typing import Any

from autograph.cache import kept_by_identity
from autograph.code_names import codes_in
from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.calls.changed_arguments import memory_in
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.replacements import grows
from runtime.control_flow.lists.taken_in import replaced_in_place
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.refs import Ref
from runtime.heap.holder import ABSENT, Contents, Holder, part, put
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer

__all__ = [
    "Changes", "Place", "check_apart", "found_places", "may_call_itself", "replaced", "worlds_of", "write_places",
]  # fmt: skip

Changes = Sequence[tuple[Holder, Contents]]


class Place:
    """A key of something that can change. name: that of the parameter which is what it holds."""

    __slots__ = ("holder", "key", "name")

    def __init__(self, holder: Holder, key: Any, taken: Collection[str]) -> None:
        self.holder, self.key = holder, key
        name = re.sub(r"\W+", "_", holder.path(key) if key is not None else holder.label) or "state"
        while name in taken:
            name += "_"
        self.name = name

    def value(self) -> Any:
        """What it holds now."""
        owner = self.holder.owner
        return owner.tensor() if isinstance(owner, Buffer) else part(self.holder.read(), self.key)

    def is_of(self, holder: Holder, key: Any) -> bool:
        return self.holder.place == holder.place and self.key == key


def write_places(places: Sequence[Place], values: Sequence[Any]) -> None:
    """Puts these values into the places."""
    for place, value in zip(places, values, strict=True):
        if isinstance(place.holder.owner, Buffer):
            place.holder.owner.write(value)
            continue
        contents = place.holder.read()
        put(contents, place.key, value)
        place.holder.write(contents)


def found_places(changed: Changes, known: Sequence[Place], taken: Collection[str]) -> list[Place]:
    """The places that were changed and are not yet known. Raises LookupError with a holder that no graph can carry."""
    found: list[Place] = []
    for holder, now in changed:
        before = holder.before
        if holder.kind.form == "whole" or holder.kind.is_fixed or not holder.can_carry(before, now):
            raise LookupError(holder)
        for key in holder.changed_keys(before, now):
            if any(place.is_of(holder, key) for place in (*known, *found)):
                continue
            if not (_can_be_copied(holder, part(before, key)) and _can_be_copied(holder, part(now, key))):
                raise LookupError(holder)
            found.append(Place(holder, key, {*taken, *(place.name for place in (*known, *found))}))
    return found


def _can_be_copied(holder: Holder, value: Any) -> bool:
    """Whether a value is as good as another one with the same contents. Of containers only their own contents are."""
    if isinstance(holder.owner, TensorList | Grown | Buffer):
        return True
    if isinstance(value, tuple):
        return all(_can_be_copied(holder, inner) for inner in value)
    return value is not ABSENT and type(value) is not Ref and not nest.is_nested(value)


def replaced(changed: Changes) -> bool:
    """Puts lists, dicts and sets whose length or keys only the run knows in the place of Python's; whether any was."""
    growing = {id(holder.owner): holder.owner for holder, now in changed if grows(holder, holder.before, now)}
    for owner in growing.values():
        replaced_in_place(owner)
    return bool(growing)


def check_apart(title: str, places: Sequence[Place], arguments: Sequence[Any]) -> None:
    """Raises StagingError where an argument is, or has in it, what the function also changes otherwise."""
    given = {id(owner) for value in arguments for owner in memory_in(value)}
    for place in places:
        if id(place.holder.owner) in given:
            raise StagingError(
                f"the function {title!r}, which calls itself depending on a tensor, changes {place.holder.described()},"
                " and is given it as an argument, too: use it under one name"
            )


def worlds_of(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], around: Sequence[World]
) -> list[World]:
    """What a call can reach. around: what the call of the same function around it can reach.

    As long as nothing of that has changed, only the arguments lead to anything else.
    """
    if not around or any(world.changes() for world in around):
        return [World(partial(function, *args, **kwargs))]
    known = {id(holder.owner) for world in around for holder in world.holders}
    return [*around, World(objects={"": (*args, *kwargs.values())}, known=known)]


def may_call_itself(function: FunctionType) -> bool:
    """Whether its code names itself, or a function whose code does, and so on: which can be seen without running it."""
    own = function.__name__
    seen: set[int] = set()
    pending = [function]
    while pending and len(seen) < _MOST_LOOKED_AT:
        current = pending.pop()
        if id(current.__code__) in seen:
            continue
        seen.add(id(current.__code__))
        names = _names(current.__code__)
        if own in names:
            return True
        pending += [found for name in names if isinstance(found := _named(current, name), FunctionType)]
    return False


_MOST_LOOKED_AT = 50


@kept_by_identity
def _names(code: Any) -> frozenset[str]:
    return frozenset(name for each in codes_in(code) for name in (*each.co_names, *each.co_freevars))


def _named(function: FunctionType, name: str) -> Any:
    cells: tuple[CellType, ...] = function.__closure__ or ()
    for free, cell in zip(function.__code__.co_freevars, cells, strict=True):
        if free == name:
            try:
                return cell.cell_contents
            except ValueError:
                return None
    return function.__globals__.get(name)
