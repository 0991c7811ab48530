"""Attributes that a trace depends on though no code of the user's names them: what reads them is a class of ours.

    held_attributes(model, {"trainable_variables"})        # {"layers", "trainable", ...}

Such a class lists them in `__guarded__`. The collections of a Module are made from all of its attributes that may hold
Variables and Modules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Set
from types import FunctionType, MappingProxyType
from typing import Any, Final

from runtime.heap.kind import PLAIN
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["collects", "held_attributes"]

_COLLECTIONS: Final = frozenset(
    {
        "non_trainable_variables", "non_trainable_weights", "submodules", "trainable_variables", "trainable_weights",
        "variables", "weights",
    }
)  # fmt: skip
"""What looks for Variables and Modules in all attributes."""


def held_attributes(value: Any, named: Set[str]) -> frozenset[str]:
    """The names, beside those that the user's code names."""
    if isinstance(value, FunctionType):  # of several implementations, where it is a `functools.singledispatch`
        return frozenset({"registry"}) if "dispatch" in vars(value) else frozenset()
    found = frozenset().union(*(vars(base).get("__guarded__", ()) for base in type(value).__mro__))
    return found.union(n for n, part in vars(value).items() if _may_hold(part)) if collects(value, named) else found


def collects(value: Any, named: Set[str]) -> bool:
    """Whether the traced code asks a Module what is in it, so that all of its attributes count, and new ones, too."""
    return isinstance(value, Module) and not named.isdisjoint(_COLLECTIONS)


def _may_hold(value: Any) -> bool:
    """Whether it is, or may come to hold, a Variable or Module: containers of numbers and strings do not."""
    if not isinstance(value, list | tuple | dict | set | frozenset | deque | MappingProxyType):
        return isinstance(value, Variable | Module)
    parts = value.values() if isinstance(value, Mapping) else value
    return not value or any(type(part) not in PLAIN for part in parts)
