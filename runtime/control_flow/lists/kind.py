"""How the contents of a list that grows in a graph are read and put back: its handles, and the type of its elements."""

from __future__ import annotations

import operator
from typing import Any, Final, TypeVar

from runtime.heap.kinds import Kind

__all__ = ["TENSOR_LIST", "as_a_list"]

K = TypeVar("K", bound=type)


def _same(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    mine, other = a[None], b[None]
    return mine.elements is other.elements and all(map(operator.is_, mine.handles, other.handles))


def _write(owner: Any, contents: dict[Any, Any]) -> None:
    value = contents[None]
    owner._elements, owner.handles = value.elements, tuple(value.handles)


TENSOR_LIST: Final = Kind(
    "list", "keys", lambda owner: {None: owner.like(owner.elements, owner.handles)}, _write, same=_same, is_closed=True,
    is_momentary=True,
)  # fmt: skip


def as_a_list(kind: K) -> K:
    """Lets a class be Python's list to `isinstance`, `type` and `match` of the program."""
    kind.__ag_class__ = staticmethod(lambda: list)  # type: ignore[attr-defined]
    kind.__ag_asked__ = staticmethod(_asked)  # type: ignore[attr-defined]
    return kind


def _asked(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """`isinstance(items, list)`, `callable(items)` and their like."""
    return function(*args) if function in (getattr, hasattr) else function([], *args[1:])
