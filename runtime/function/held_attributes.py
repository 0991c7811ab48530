"""Attributes that a trace depends on though no code of the user's names them: what reads them is not the user's code.

    held_attributes(model, {"trainable_variables"})        # ["layers", "trainable", ...]

A class of ours lists them in `__guarded__`; for classes of the standard library there is a table. The collections of a
Module are made from all of its attributes that may hold Variables and Modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final

from runtime.function.snapshots import CONTAINERS
from runtime.heap.kind import PLAIN
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["collects", "held_attributes"]

_HOLD: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("types", "SimpleNamespace"): (),
    ("argparse", "Namespace"): (),
    ("_thread", "_local"): (),
    ("collections", "UserDict"): ("data",),
    ("collections", "UserList"): ("data",),
    ("collections", "ChainMap"): ("maps",),
}
"""Classes of the standard library whose objects hold values of the user's, and attributes that their own code reads."""

_COLLECTIONS: Final = frozenset(
    {
        "non_trainable_variables", "non_trainable_weights", "submodules", "trainable_variables", "trainable_weights",
        "variables", "weights",
    }
)  # fmt: skip
"""What looks for Variables and Modules in all attributes."""


def held_attributes(value: Any, named: Set[str]) -> list[str] | None:
    """The names, beside those that the user's code names; None for an object of a class that holds nothing so."""
    lists = [names for base in type(value).__mro__ if (names := _names_of(base)) is not None]
    collected = collects(value, named)
    if not lists and not collected:
        return None
    found = [name for names in lists for name in names]
    if collected:
        found += [name for name, part in vars(value).items() if _may_hold(part)]
    return found


def collects(value: Any, named: Set[str]) -> bool:
    """Whether the traced code asks a Module what is in it, so that all of its attributes count, and new ones, too."""
    return isinstance(value, Module) and not named.isdisjoint(_COLLECTIONS)


def _names_of(base: type) -> tuple[str, ...] | None:
    found: tuple[str, ...] | None = _HOLD.get((base.__module__, base.__qualname__))
    return vars(base).get("__guarded__") if found is None else found


def _may_hold(value: Any) -> bool:
    """Whether it is, or may come to hold, a Variable or Module: containers of numbers and strings do not."""
    if not isinstance(value, CONTAINERS):
        return isinstance(value, Variable | Module)
    parts = value.values() if isinstance(value, Mapping) else value
    return not value or any(type(part) not in PLAIN for part in parts)
