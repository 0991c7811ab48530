"""Parts of objects whose reading or setting runs code of its own: properties, `__setitem__`, a `defaultdict`.

    if x > 0: o.level = x         # `level` is a property: to read and set it as state of the statement must not count
    quietly(world, set_state)     # ... so what that changes is put back
"""

from __future__ import annotations

import ast
import collections
import weakref
from collections.abc import Callable, Container
from types import MemberDescriptorType, ModuleType
from typing import Any, Final, TypeVar

from runtime.heap.code import is_own_class
from runtime.heap.leads import referent
from runtime.heap.open_objects import own_class
from runtime.heap.placeholders import is_undefined
from runtime.heap.store import World
from runtime.heap.variables import CELL, GLOBAL, NAMESPACE

__all__ = ["leave_absent", "quietly", "runs_code"]

T = TypeVar("T")

_PLAIN: Final = frozenset({list, tuple, dict, collections.deque, collections.OrderedDict, collections.Counter})
"""Containers whose elements are read and set without effects."""


def quietly(world: World, action: Callable[[], T], names: Container[str] = ()) -> T:
    """What an action gives; what it changes in the world is put back, but for variables of these names."""
    before = world.changes()
    try:
        return action()
    finally:
        for holder in world.changes(before):
            is_meant = holder.kind is NAMESPACE or (holder.kind in (CELL, GLOBAL) and holder.label in names)
            if holder.kind.write is not None and not is_meant:
                holder.write(before.get(holder, holder.before))
        leave_absent(world)


def leave_absent(world: World) -> None:
    """Takes placeholders out of the dicts of a world: what has no value is not there."""
    for holder in world.holders:
        own = holder.owner if isinstance(holder.owner, dict) else getattr(holder.owner, "__dict__", None)
        if isinstance(own, dict) and any(map(is_undefined, own.values())):
            holder.write(holder.read())  # which passes over them


def runs_code(owner: Any, part: ast.Attribute | ast.Subscript) -> bool:
    """Whether to read or set a part of an object may run code that has effects."""
    owner = referent(owner) if type(owner) in weakref.ProxyTypes else owner
    kind: Any = own_class(owner)
    if is_own_class(kind) or isinstance(owner, ModuleType):
        return False
    if isinstance(part, ast.Subscript):
        return kind not in _PLAIN
    if isinstance(owner, type):
        return kind is not type
    default = (object.__getattribute__, object.__setattr__)
    if (kind.__getattribute__, kind.__setattr__) != default or hasattr(kind, "__getattr__"):
        return True
    found = next((vars(base)[part.attr] for base in kind.__mro__ if part.attr in vars(base)), None)
    return hasattr(type(found), "__get__") and not isinstance(found, MemberDescriptorType)
