"""The one question that every operator asks: which stager owns this value?

A stager gives control flow over its own values a meaning (protocol.py): the runtime's builds a graph, the Python stager
just runs.
The owner of a value is found, in this order, by
  1. the attribute `__ag_stager__` of the value's type (for types that know autograph),
  2. the registry filled by `register_stager`, along the MRO (for foreign types, by class or by qualified name, so that
     no foreign module has to be imported),
  3. otherwise it is a plain Python value: the Python stager.

Example:
    class Symbol:
        __ag_stager__ = MyStager()

    register_stager("sympy.core.expr.Expr", MyStager())
    stager_of(Symbol()).name
"""

from __future__ import annotations

from contextvars import ContextVar
from types import FunctionType, GeneratorType, NoneType
from typing import Any, cast

from autograph.cache import IdentityCache
from autograph.errors import MixedStagersError
from autograph.operators.protocol import (
    Collector,
    GetState,
    Handlers,
    Names,
    Options,
    SetState,
    Stager,
    State,
    Thunk,
)  # fmt: skip
from autograph.operators.python_stager import PythonStager

__all__ = [
    "PLAIN_TYPES", "PYTHON", "WHILE_TRACING", "Collector", "GetState", "Handlers", "Names", "Options", "SetState",
    "Stager", "State", "Thunk", "any_is_registered", "register_stager", "stager_of", "stager_of_all", "tracing_stager",
]  # fmt: skip

tracing_stager: ContextVar[Stager | None] = ContextVar("autograph.tracing_stager", default=None)
"""The stager that is recording at present; a runtime sets it while it traces."""

WHILE_TRACING = object()
"""`__ag_stager__ = WHILE_TRACING` on a type: its values belong to the stager that is tracing; otherwise they are plain.

For values that exist already, but stand for what a graph computes when they meet staged control flow.
"""

_by_type: IdentityCache[type, Stager] = IdentityCache()
_by_name: dict[str, Stager] = {}
_is_used = False  # whether anything has been registered: most programs never do
PLAIN_TYPES: set[type] = {
    NoneType, bool, bytes, complex, dict, float, frozenset, int, list, range, set, slice, str, tuple, type,
    FunctionType, GeneratorType,
}  # fmt: skip
"""The types that are met most and that nobody has claimed: the quickest answer."""


def register_stager(kind: type | str, stager: Stager) -> None:
    """Let `stager` own the values of a foreign type and of its subclasses.

    kind: the class, or its qualified name "package.module.Class", for a class whose module may never be imported.
    A second registration of the same kind replaces the first.
    """
    global _is_used
    if isinstance(kind, str):
        _by_name[kind] = stager
    elif isinstance(kind, type):
        _by_type.put(kind, stager)
    else:
        raise TypeError(f"kind is a class or its qualified name as a string, found {kind!r}")
    _is_used = True
    PLAIN_TYPES.difference_update([kind for kind in list(PLAIN_TYPES) if _registered(kind) is not PYTHON])


def any_is_registered() -> bool:
    """Whether a class was registered: its values may be staged at any time, and come from anywhere."""
    return _is_used


def stager_of(value: Any) -> Stager:
    """The stager that owns `value`; the Python stager for plain values."""
    kind = type(value)
    try:
        if kind in PLAIN_TYPES:
            return PYTHON
    except TypeError:
        pass  # a metaclass can forbid that a class is hashed
    if getattr(kind, "__ag_stager__", None) is not None:
        owner = _declared(kind)
        if owner is not None:
            return (tracing_stager.get() or PYTHON) if owner is WHILE_TRACING else cast(Stager, owner)
    return _registered(kind) if _is_used else PYTHON


def _declared(kind: type) -> Any:
    """What a class itself says: a metaclass whose `__getattr__` answers to every name is not believed."""
    try:
        return type.__getattribute__(kind, "__ag_stager__")
    except AttributeError:
        return None


def _registered(kind: type) -> Stager:
    for base in kind.__mro__:
        owner = _by_type.get(base)
        if owner is None and _by_name:
            owner = _by_name.get(f"{base.__module__}.{base.__qualname__}")
        if owner is not None:
            return owner
    return PYTHON


PYTHON: Stager = PythonStager(stager_of, tracing_stager)
"""The owner of every value that nobody else claims."""


def stager_of_all(*values: Any) -> Stager:
    """The stager that owns some of `values`, or the Python stager if they are all plain.

    Two different stagers raise MixedStagersError.
    """
    found: Stager = PYTHON
    for value in values:
        owner = stager_of(value)
        if owner is PYTHON or owner is found:
            continue
        if found is not PYTHON:
            raise MixedStagersError(
                f"one operation met values of two stagers, {found.name!r} and {owner.name!r} "
                f"(a value of type {type(value).__qualname__!r}); convert the values to one of them first"
            )
        found = owner
    return found
