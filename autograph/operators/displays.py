"""Lists, sets and dicts that are written out, of which only a stager may know the length, the members or the keys.

Example (generated):
    items = ag__.list_with([], a) + [x]         # [*a, x]
    seen = ag__.set_of([x, y])                  # {x, y}
    d = ag__.dict_with(ag__.dict_of((x, 1)), other)         # {x: 1, **other}
"""

from __future__ import annotations

from operator import is_
from typing import Any

from autograph.operators.builtins import call_builtin
from autograph.operators.left import take_from
from autograph.operators.stager import PYTHON, Stager, stager_of, tracing_stager

__all__ = ["dict_of", "dict_with", "displayed", "list_with", "set_of", "unpacked"]


def list_with(items: Any, elements: Any) -> Any:
    """`[*items, *elements]` of a list that nobody else has."""
    take_from(elements)
    if type(items) is list and stager_of(elements) is PYTHON:
        return [*items, *elements] if items else [*elements]
    return items + call_builtin(list, (elements,), {}, None, True)


def unpacked(elements: Any) -> Any:
    """What stands behind a star in a tuple or in the arguments of a call: Python takes its items."""
    take_from(elements)
    return elements


def displayed(made: Any) -> Any:
    """A list, tuple or dict that is written out, or the arguments of a call: with what has taken the place of one of
    its elements since that was evaluated, as a stager says. `[a, grow(a), a]` holds one object three times."""
    if tracing_stager.get() is None:
        return made
    if type(made) is tuple:
        parts = tuple([_present(part) for part in made])
        return made if all(map(is_, parts, made)) else parts
    for place, part in list(made.items() if type(made) is dict else enumerate(made)):
        if (present := _present(part)) is not part:
            made[place] = present
    return made


def _present(part: Any) -> Any:
    """What is in the place of a container: `__ag_moved_to__` of the one thing that it holds then."""
    if type(part) not in (list, dict, set) or len(part) != 1:
        return part
    (only,) = part
    return only.__ag_moved_to__() if hasattr(type(only), "__ag_moved_to__") else part


def set_of(members: Any) -> Any:
    """`{*members}` of a list that nobody else has."""
    if tracing_stager.get() is not None:
        owner = _owner_of(members) if type(members) is list else stager_of(members)
        if owner is not PYTHON and (made := owner.builtin(set, (members,), {})) is not NotImplemented:
            return made
    return set(members)


def dict_of(*pairs: tuple[Any, Any]) -> Any:
    """`{key: value, ...}`."""
    if tracing_stager.get() is not None:
        owner = _owner_of([key for key, _ in pairs])
        if owner is not PYTHON and (made := owner.builtin(dict, (list(pairs),), {})) is not NotImplemented:
            return made
    return dict(pairs)


def dict_with(made: Any, other: Any) -> Any:
    """`{**made, **other}` of a dict that nobody else has."""
    for owner in (made, other):
        if hasattr(type(owner), "__ag_merged__"):
            return type(owner).__ag_merged__(made, other)
    return {**made, **other}


def _owner_of(keys: list[Any]) -> Stager:
    """The stager of the first key that has one; of a tuple, that of its parts."""
    for key in keys:
        owner = _owner_of(list(key)) if type(key) is tuple else stager_of(key)
        if owner is not PYTHON:
            return owner
    return PYTHON
