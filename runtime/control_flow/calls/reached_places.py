"""What a function of the library changes of what it reaches without being given it: variables, attributes, lists.

    def go(k):
        self.count += 1        # `go` takes what `self.count` and `moves` hold, and returns what they hold at its end
        moves.append(k)
        if k > 0:
            go(k - 1)          # takes what they hold here, and what comes back is written to them

While the function is traced, such a place holds an input; it is known by the name of that parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import islice
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
from runtime.heap.holder import ABSENT, Contents, Holder, Place, part, put
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer

__all__ = [
    "Changes", "Reached", "check_apart", "found_places", "may_call_itself", "read_places", "replaced", "worlds_of",
    "write_places",
]  # fmt: skip

Changes = Sequence[tuple[Holder, Contents]]

Reached = Mapping[str, Place]
"""Places by the parameters which are what they hold."""


def read_places(places: Reached) -> dict[str, Any]:
    """What they hold now."""
    owners = {name: place.holder.owner for name, place in places.items()}
    return {n: own.tensor() if isinstance(own, Buffer) else places[n].read() for n, own in owners.items()}


def write_places(places: Reached, values: Sequence[Any]) -> None:
    """Puts these values into the places."""
    for place, value in zip(places.values(), values, strict=True):
        if isinstance(place.holder.owner, Buffer):
            place.holder.owner.write(value)
            continue
        contents = place.holder.read()
        put(contents, place.key, value)
        place.holder.write(contents)


def found_places(changed: Changes, known: Reached, taken: Collection[str]) -> dict[str, Place]:
    """The places that were changed and are not yet known. Raises LookupError with a holder that no graph can carry."""
    found: dict[str, Place] = {}
    for holder, now in changed:
        before = holder.before
        if holder.kind.form == "whole" or holder.kind.is_fixed or not holder.can_carry(before, now):
            raise LookupError(holder)
        for place in holder.changed(before, now):
            if any(place.at == other.at for other in (*known.values(), *found.values())):
                continue
            if not (_can_be_copied(holder, place.before) and _can_be_copied(holder, part(now, place.key))):
                raise LookupError(holder)
            name = re.sub(r"\W+", "_", holder.label if place.key is None else place.path) or "state"
            while name in taken or name in known or name in found:
                name += "_"
            found[name] = place
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


def check_apart(title: str, places: Reached, arguments: Sequence[Any]) -> None:
    """Raises StagingError where an argument is, or has in it, what the function also changes otherwise."""
    given = {id(owner) for value in arguments for owner in memory_in(value)}
    for place in places.values():
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
    looked_at = islice(nest.walked([function], _functions_named), _MOST_LOOKED_AT)
    return any(function.__name__ in _names(current.__code__) for current in looked_at)


def _functions_named(function: FunctionType) -> list[FunctionType]:
    named = [_named(function, name) for name in _names(function.__code__)]
    return [found for found in named if isinstance(found, FunctionType)]


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
