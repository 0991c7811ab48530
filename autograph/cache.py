"""Caches keyed by the identity of an object that may die: the entry dies with it.

Code objects live as long as their functions, so what is known about a function is kept under the identity of its code
object, weakly. Never under the code object itself: two may be *equal* in Python, and to find that they are takes
CPython twice as long for each function inside of a function; for 50 of them it does not end.

Example:
    templates: IdentityCache[CodeType, Template] = IdentityCache()
    template = templates.get_or_make(fn.__code__, lambda: convert(fn))

    @kept_by_identity
    def names_in(code: CodeType) -> Names: ...
"""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["IdentityCache", "kept_by_identity"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class IdentityCache(Generic[Key, Value]):
    """A mapping from objects, by identity, to values, for as long as the objects live.

    A value must not refer to its key, or neither is ever freed. Reads take no lock; `get_or_make` makes a value once,
    also when several threads ask at the same moment. `by_id` takes the `id` of a living key: the quickest read.
    """

    __slots__ = ("__weakref__", "_deaths", "_lock", "_values", "by_id")

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}
        self.by_id: Callable[[int], Value | None] = self._values.get
        self._deaths: dict[int, weakref.ref[Key]] = {}
        self._forget_locks()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_Forget(self))

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """The value of `key`, or None."""
        return self._values.get(id(key))

    def put(self, key: Key, value: Value) -> None:
        """Remember `value` for `key`, in place of what was known."""
        identity = id(key)
        values, deaths = self._values, self._deaths

        def forget(_: weakref.ref[Key]) -> None:
            # No lock: this may run at any moment, also while this thread holds it. Each step is atomic.
            values.pop(identity, None)
            deaths.pop(identity, None)

        deaths[identity] = weakref.ref(key, forget)
        values[identity] = value

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of `key`, made by `make` if there is none yet. What `make` raises passes, and nothing is kept."""
        value = self._values.get(id(key))
        if value is None:
            with self._lock:
                value = self._values.get(id(key))
                if value is None:
                    value = make()
                    self.put(key, value)
        return value

    def _forget_locks(self) -> None:
        """Start with a free lock: a thread that held it does not exist in a forked child."""
        self._lock = threading.RLock()


def kept_by_identity(make: Callable[[Key], Value]) -> Callable[[Key], Value]:
    """A function of one object that remembers what it gave for each, as long as the object lives. Never None."""
    known: IdentityCache[Key, Value] = IdentityCache()

    @functools.wraps(make)
    def look_up(key: Key) -> Value:
        value = known.by_id(id(key))
        if value is None:
            known.put(key, value := make(key))
        return value

    return look_up


class _Forget:
    """Gives a cache a free lock in a forked child, without keeping the cache alive."""

    __slots__ = ("_cache",)

    def __init__(self, cache: IdentityCache[Key, Value]) -> None:
        self._cache = weakref.ref(cache)

    def __call__(self) -> None:
        cache = self._cache()
        if cache is not None:
            cache._forget_locks()
