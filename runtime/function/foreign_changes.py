"""Which variables and attributes another thread has changed while a function was traced, as far as code tells.

    foreign_keys(holder_of_model, {"rate": 2}, called)      # ["rate"], where no code that ran assigns a `rate`

What the trace has changed itself is not guarded. What somebody else changed meanwhile must be, but nobody knows what
the trace has read, the old value or the new one: such a trace is used once.
"""

from __future__ import annotations

import dis
import threading
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, Final

from autograph.cache import kept_by_identity
from runtime.heap.store import Contents, Holder
from runtime.heap.variables import CELL, GLOBAL, NAMESPACE

__all__ = ["foreign_keys"]

_BY_TEXT: Final = frozenset({"setattr", "delattr", "__setattr__", "__dict__", "vars", "globals", "exec", "update"})
"""What changes attributes and variables whose names do not show in the code."""

_CHANGES: Final = frozenset(
    f"{verb}_{what}" for verb in ("STORE", "DELETE") for what in ("ATTR", "GLOBAL", "NAME", "DEREF")
)


def foreign_keys(holder: Holder, now: Contents, called: Iterable[FunctionType]) -> list[Any]:
    """The keys of a holder that are others now, although no code that ran assigns them. called: the functions."""
    if threading.active_count() == 1 or not (holder.kind in (CELL, GLOBAL, NAMESPACE) or holder.kind.has_attributes):
        return []
    codes = [function.__code__ for function in called]
    if holder.kind.word == "object":
        codes += _methods(type(holder.owner))
    named = frozenset().union(*map(_stored, codes))
    if not named.isdisjoint(_BY_TEXT):
        return []
    before = holder.before
    changed = [key for key in {**before, **now} if key not in before or key not in now or before[key] is not now[key]]
    return [key for key in changed if (holder.label if holder.kind in (CELL, GLOBAL) else key) not in named]


def _methods(kind: type) -> Iterator[CodeType]:
    for base in kind.__mro__:
        for value in vars(base).values():
            found = (value, *(getattr(value, name, None) for name in ("fget", "fset", "__func__", "__wrapped__")))
            yield from (f.__code__ for f in found if isinstance(f, FunctionType))


@kept_by_identity
def _stored(code: CodeType) -> frozenset[str]:
    """The names that code assigns or deletes, and those of `_BY_TEXT` that it uses."""
    found: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        found.update(_BY_TEXT.intersection(current.co_names))
        found.update(i.argval for i in dis.get_instructions(current) if i.opname in _CHANGES)
        pending += [c for c in current.co_consts if isinstance(c, CodeType)]
    return frozenset(found)
