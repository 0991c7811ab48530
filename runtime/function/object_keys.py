"""Objects in the keys of traces: by their own == and hash, and held weakly, so that no trace keeps them alive.

    key = ObjectKey(model, died)      # equal to keys of what is equal to `model`; `died` is called when that is gone
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import MethodType
from typing import Any

__all__ = ["Died", "ObjectKey", "UnhashableError", "is_dead"]

Died = Callable[[Any], None]


class ObjectKey:
    """An object by its own == and hash, held weakly. What cannot be held weakly is held.

    `died` is called when the object is gone. A bound method lives as long as the object that it is bound to.
    """

    __slots__ = ("_hash", "_target", "is_itself", "kind")

    def __init__(self, target: Any, died: Died | None = None, is_itself: bool = False) -> None:
        """is_itself: whether only the very object is equal to it."""
        self.is_itself = is_itself
        try:
            self._hash = id(target) if is_itself else hash(target)
        except TypeError:
            raise UnhashableError(target) from None
        self.kind = type(target).__name__
        reference = weakref.WeakMethod if isinstance(target, MethodType) else weakref.ref
        try:
            self._target: Callable[[], Any] = reference(target, died)
        except TypeError:
            self._target = lambda: target

    def target(self) -> Any:
        """The object, or None if it is gone."""
        return self._target()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ObjectKey):
            return False
        mine, theirs = self._target(), other._target()
        if mine is None or mine is theirs or self.is_itself:
            return mine is not None and mine is theirs
        return type(mine) is type(theirs) and bool(mine == theirs)

    def __repr__(self) -> str:
        target = self._target()
        return f"<{self.kind} that does not exist any more>" if target is None else repr(target)


class UnhashableError(Exception):
    """A part of the arguments has no hash; `args[0]` is that part."""


def is_dead(key: Any) -> bool:
    """Whether a key holds an object that is gone, so that no call can match it any more."""
    if isinstance(key, tuple | frozenset):
        return any(map(is_dead, key))
    return isinstance(key, ObjectKey) and key.target() is None
