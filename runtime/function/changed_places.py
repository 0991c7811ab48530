"""What a trace changed in a holder of the world, as guards know it (`tokens_of`) and as the user writes it.

    places_of(holder_of_self, {"calls": 2})     # ["self.calls"], where it was 1 before the trace
"""

from __future__ import annotations

import operator
from typing import Any

from runtime.function.own_effects import Token, of_contents, of_global, of_part, of_variable
from runtime.heap.store import Contents, Holder
from runtime.heap.variables import CELL, GLOBAL, MODULE, NAMESPACE
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["places_of", "tokens_of"]


def _changed_keys(holder: Holder, now: Contents) -> list[Any]:
    before = holder.before
    return [key for key in {**before, **now} if key not in before or key not in now or before[key] is not now[key]]


def tokens_of(holder: Holder, now: Contents) -> list[Token]:
    """What changed, as guards know it."""
    if holder.kind is CELL:
        return [of_variable(holder.owner)]
    if holder.kind is GLOBAL:
        return [of_global(*holder.owner)]
    if holder.kind is NAMESPACE:
        return [of_global(holder.owner[0], key) for key in _changed_keys(holder, now)]
    if holder.kind.has_attributes:
        owner = holder.owner[0] if holder.kind is MODULE else holder.owner
        return [of_part(owner, key) for key in _changed_keys(holder, now)]
    return [of_contents(holder.owner)]


def places_of(holder: Holder, now: Contents) -> list[str]:
    """What to warn of, as the user writes it. What gets its first value is being set up, as it should be."""
    if holder.kind in (CELL, GLOBAL):
        return [holder.label] if holder.before.get(None) is not None else []
    if holder.kind.has_attributes or holder.kind is NAMESPACE:
        keys = [key for key in _changed_keys(holder, now) if holder.before.get(key) is not None]
        return [holder.path(key) for key in keys if not _is_filled(holder.before[key], now.get(key))]
    return [] if _only_gains_variables(holder, now) else [holder.label]


def _is_filled(before: Any, now: Any) -> bool:
    """Whether an empty list, tuple or dict was replaced by one of Variables and Modules."""
    if type(now) is not type(before) or not isinstance(now, list | tuple | dict) or before or not now:
        return False
    return all(isinstance(value, Variable | Module) for value in (now.values() if isinstance(now, dict) else now))


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
