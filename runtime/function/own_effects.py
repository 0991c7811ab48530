"""What the traces of a Function change in Python: that happens once a trace, not once a call, which is worth a warning.

    calls = []

    @runtime.function
    def f(x):
        calls.append(x)        # TraceEffectWarning: 'calls' is changed while 'f' is traced ...
        return x

What is found is not guarded: else each trace would make the others stale.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Mapping
from types import CellType, FunctionType
from typing import Any

from runtime.control_flow.world import Contents, Holder, World
from runtime.control_flow.world_kinds import ATTRIBUTES, CELL, CLASS, GLOBAL, SLOTS
from runtime.errors import TraceEffectWarning
from runtime.function.name_uses import place_of_change
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["OwnEffects", "Token", "of_global", "of_part", "of_variable"]

Token = tuple[Any, ...]
"""One thing that can change: a variable, an attribute, the contents of a container."""


def of_global(namespace: Mapping[str, Any], name: str) -> Token:
    """The binding of a global."""
    return ("name", id(namespace), name)


def of_variable(cell: CellType) -> Token:
    """The binding of a closure variable."""
    return ("cell", id(cell))


def of_part(owner: Any, name: str) -> Token:
    """An attribute of an object."""
    return ("part", id(owner), name)


class OwnEffects:
    """The effects of the traces of one Function."""

    def __init__(self, warned: set[str] | None = None) -> None:
        """warned: of what has been said already; shared by the Functions that a decorated method makes."""
        self.tokens: set[Token] = set()
        self.warned: set[str] = set() if warned is None else warned

    def begin(self, function: Any, arguments: Mapping[str, Any]) -> World:
        """To be called before a trace; for `end` after it."""
        return World(function, objects=arguments)

    def end(self, world: World, name: str, called: Iterable[FunctionType]) -> None:
        """Notes what has changed since, and warns of it, once for each thing. called: the functions that ran."""
        for holder, now in world.changes().items():
            self.tokens.update(_tokens(holder, now))
            places = [place for place in _places(holder, now) if place not in self.warned]
            self.warned.update(places)
            for place in places:
                _warn(place, name, list(called))


def _changed_keys(holder: Holder, now: Contents) -> list[Any]:
    before = holder.before
    return [key for key in {**before, **now} if key not in before or key not in now or before[key] is not now[key]]


def _tokens(holder: Holder, now: Contents) -> list[Token]:
    if holder.kind is CELL:
        return [of_variable(holder.owner)]
    if holder.kind is GLOBAL:
        return [of_global(*holder.owner)]
    if holder.kind in (ATTRIBUTES, SLOTS, CLASS):
        return [of_part(holder.owner, key) for key in _changed_keys(holder, now)]
    return [("contents", id(holder.owner))]


def _places(holder: Holder, now: Contents) -> list[str]:
    """What to warn of, as the user writes it. What gets its first value is being set up, as it should be."""
    if holder.kind in (CELL, GLOBAL):
        return [holder.label] if holder.before.get(None) is not None else []
    if holder.kind in (ATTRIBUTES, SLOTS, CLASS):
        keys = _changed_keys(holder, now)
        return [holder.path(key) for key in keys if holder.before.get(key) is not None]
    return [] if _only_gains_variables(holder, now) else [holder.label]


def _only_gains_variables(holder: Holder, now: Contents) -> bool:
    """Whether all that is new in a list or dict are Variables and Modules: those are made in the first trace only."""
    before = holder.before
    if holder.kind.form == "items":
        added = now[len(before) :]
        kept = len(now) >= len(before) and all(map(operator.is_, before, now))
    elif holder.kind.form == "keys":
        added = [now[key] for key in now if key not in before]
        kept = all(key in now and now[key] is value for key, value in before.items())
    else:
        return False
    return kept and bool(added) and all(isinstance(value, Variable | Module) for value in added)


def _warn(place: str, name: str, called: list[FunctionType]) -> None:
    where = place_of_change(place.rpartition(".")[2].partition("[")[0], called)
    warnings.warn_explicit(
        f"{place!r} is changed while {name!r} is traced: that happens once for each trace, not once for each call."
        " Keep it in a runtime.Variable, use runtime.print or runtime.py_function, or do it outside of the function.",
        TraceEffectWarning,
        where.filename,
        where.lineno,
    )
