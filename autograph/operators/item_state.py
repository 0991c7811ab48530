"""State that consists of elements: what get_state and set_state carry for variables whose elements a statement writes.

A write to an element of a tensor gives the variable a new tensor, so the variable is state. A write to an element of a
list changes the list, so that element is state, and the variable stays what it is. Which it is shows only at run time:
the one that does not apply is a placeholder, and nothing is assigned for it.

Example (generated for `x[0] = v`):
    def get_state():
        return (ag__.container(x, 'x'), ag__.ldu(lambda: ag__.item(x, 0), 'x[0]'))
    def set_state(vars_):
        nonlocal x
        x = ag__.rebound(x, vars_[0])
        ag__.put_item(x, 0, vars_[1])
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Final

from autograph.operators.stager import PYTHON, Stager, Thunk, stager_of, tracing_stager
from autograph.operators.variables import Undefined

__all__ = ["ELSEWHERE", "container", "item", "put_attribute", "put_item", "put_item_of", "rebound"]


class _Elsewhere:
    """Stands for a part of the state that does not apply: what changes is carried by another part, or changes itself.

    It is one object, which stagers pass through as they pass any object that is the same on all paths.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "no state"


ELSEWHERE: Final = _Elsewhere()
_CONTAINERS: Final = frozenset({list, tuple, dict})


def container(x: Any, name: str) -> Any:
    """x itself, if a write to one of its elements replaces it; a placeholder, if such a write changes it."""
    if type(x) is Undefined:
        return x
    value = NotImplemented if x is ELSEWHERE else _stager(x).item_state(x, name)
    return ELSEWHERE if value is NotImplemented else value


def rebound(x: Any, value: Any) -> Any:
    """What a variable is after its state was set to `value`, if it was `x` before."""
    return x if value is ELSEWHERE else value


def item(x: Any, k: Any) -> Any:
    """`x[k]` where that is a place of its own; a placeholder where x is replaced as a whole, where code of Python reads
    or writes it, or x or k is staged."""
    kind = type(x)
    if kind is Undefined or x is ELSEWHERE or getattr(kind, "__ag_maybe_none__", False) is True:
        return ELSEWHERE
    if hasattr(kind, "__ag_traced_array__"):  # what is written through any view of it is a change of the memory
        return ELSEWHERE
    if stager_of(x) is not PYTHON:  # it carries its elements itself, and to read one would be staged
        return ELSEWHERE
    if _is_of_code(kind) or _stager(x).item_state(x, "") is not NotImplemented:
        return ELSEWHERE
    return ELSEWHERE if kind in _CONTAINERS and stager_of(k) is not PYTHON else x[k]


def _is_of_code(kind: Any) -> bool:
    """Whether elements are read or written by Python code, which is to run where the program says so alone: they are no
    places, and what the code changes is found where it is."""
    return any(type(getattr(kind, name, None)) is FunctionType for name in ("__getitem__", "__setitem__"))


def put_item(x: Any, k: Any, value: Any) -> None:
    """Set the state of an element; an element that had no value before loses the one that it has."""
    if value is ELSEWHERE:
        return
    if not _is_undefined(value):
        x[k] = value
    elif isinstance(x, dict):
        x.pop(k, None)


def put_item_of(holder: Thunk, k: Any, value: Any) -> None:
    """`put_item` of an element that is a container itself: `x[-1]`, which is only there where it has a state."""
    if value is not ELSEWHERE and not _is_undefined(value):
        put_item(holder(), k, value)


def put_attribute(owner: Any, attribute: str, value: Any) -> None:
    """Set the state of an attribute that elements are written of."""
    if value is not ELSEWHERE and not _is_undefined(value):
        setattr(owner, attribute, value)


def _is_undefined(value: Any) -> bool:
    kind = type(value)
    return kind is Undefined or (getattr(kind, "__ag_maybe_undefined__", False) is True and value.defined is False)


def _stager(x: Any) -> Stager:
    owner = stager_of(x)
    if owner is PYTHON and (tracer := tracing_stager.get()) is not None:
        return tracer
    return owner
