"""What a trace changed in a holder of the world: as the user writes it, and what of it another thread has changed.

    places_of(holder_of_self, {"calls": 2})                 # ["self.calls"], where it was 1 before the trace
    foreign_keys(holder_of_model, {"rate": 2}, called)      # ["rate"], where no code that ran assigns a `rate`

What the trace has changed itself is not guarded. What somebody else changed meanwhile must be, but nobody knows what
the trace has read, the old value or the new one: such a trace is used once.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from runtime.function.code_names import CHANGING, names_in
from runtime.heap.code import functions_of
from runtime.heap.store import Contents, Holder
from runtime.heap.variables import CELL, GLOBAL, NAMESPACE
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["foreign_keys", "places_of", "set_up"]


def places_of(holder: Holder, now: Contents) -> list[str]:
    """What to warn of, as the user writes it. What gets its first value is being set up, as it should be."""
    if holder.kind in (CELL, GLOBAL):
        return [holder.label] if holder.before.get(None) is not None else []
    if holder.kind.has_attributes or holder.kind is NAMESPACE:
        keys = [key for key in holder.differing(now) if holder.before.get(key) is not None]
        keys = [key for key in keys if not _is_filled(holder.before[key], now.get(key))]
        return [holder.path(key) if key.isidentifier() else holder.label for key in keys]
    return [] if _only_gains_variables(holder, now) else [holder.label]


def set_up(holder: Holder, now: Contents, called: Iterable[FunctionType]) -> Iterator[str]:
    """The places that got something where nothing was, and that code asks for before: only the first call finds nothing
    there. Variables and Modules are made in the first trace, which goes on with them as all others do."""
    if not (holder.kind in (CELL, GLOBAL, NAMESPACE) or holder.kind.has_attributes):
        return
    values = {key: now.get(key) for key in holder.differing(now) if holder.before.get(key) is None}
    given = [key for key, value in values.items() if value is not None and not isinstance(value, Variable | Module)]
    names = {key: key or holder.label for key in given}
    asked = {name for function in called if names for name in names_in(function.__code__).read_first}
    yield from (holder.path(key) for key, name in names.items() if name in asked)


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


def foreign_keys(holder: Holder, now: Contents, called: Iterable[FunctionType]) -> list[Any]:
    """The keys of a holder that are others now, although no code that ran assigns them. called: the functions."""
    if threading.active_count() == 1 or not (holder.kind in (CELL, GLOBAL, NAMESPACE) or holder.kind.has_attributes):
        return []
    functions = list(called)
    if holder.kind.word in ("object", "class"):
        kind = holder.owner if isinstance(holder.owner, type) else type(holder.owner)
        functions += [function for base in kind.__mro__ for function in functions_of(base)]
    names = [names_in(function.__code__) for function in functions]
    if any(not CHANGING.isdisjoint(found.used) for found in names):
        return []
    assigned = frozenset().union(*(found.assigned for found in names))
    is_variable = holder.kind in (CELL, GLOBAL)
    return [key for key in holder.differing(now) if (holder.label if is_variable else key) not in assigned]
