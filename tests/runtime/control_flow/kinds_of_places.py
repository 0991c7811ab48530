"""Kinds of places that may be there in some runs only: how each is made, changed and asked for."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

__all__ = ["KINDS"]


class Plain:
    """An object with attributes."""


class Slotted:
    __slots__ = ("a", "z")


class Attributes:
    """A kind of places: how one is made, changed and asked for."""

    owner: Callable[[], Any] = Plain

    @classmethod
    def make(cls):
        return cls.owner()

    @staticmethod
    def put(o, x):
        o.a = x

    @staticmethod
    def drop(o):
        del o.a

    @staticmethod
    def has(o):
        return hasattr(o, "a")

    @staticmethod
    def read(o):
        try:
            return o.a
        except AttributeError:
            return -7

    @staticmethod
    def given(o, default):
        return getattr(o, "a", default)


class Slots(Attributes):
    owner = Slotted


class Keys:
    @staticmethod
    def make():
        return {"z": 0}

    @staticmethod
    def put(o, x):
        o["a"] = x

    @staticmethod
    def drop(o):
        del o["a"]

    @staticmethod
    def has(o):
        return "a" in o

    @staticmethod
    def read(o):
        try:
            return o["a"]
        except KeyError:
            return -7

    @staticmethod
    def given(o, default):
        return o.get("a", default), len(o)


class KeysByMethods(Keys):
    @staticmethod
    def put(o, x):
        o.update(a=x)

    @staticmethod
    def drop(o):
        o.pop("a")

    @staticmethod
    def read(o):
        return o["a"] if "a" in o else -7

    @staticmethod
    def given(o, default):
        total = 0
        for key in o:
            total += 1 if key == "z" else 2
        return o.setdefault("a", default), total


class KeysInObjects(Keys):
    @staticmethod
    def make():
        o = Plain()
        o.inner = {}
        return o

    @staticmethod
    def put(o, x):
        o.inner["a"] = x

    @staticmethod
    def drop(o):
        del o.inner["a"]

    @staticmethod
    def has(o):
        return "a" in o.inner

    @staticmethod
    def read(o):
        return o.inner.get("a", -7)

    @staticmethod
    def given(o, default):
        return o.inner.pop("a", default), bool(o.inner)


class OrderedKeys(KeysByMethods):
    @staticmethod
    def make():
        return collections.OrderedDict(z=0)


class Counts(Keys):
    @staticmethod
    def make():
        return collections.Counter("z")

    @staticmethod
    def put(o, x):
        o["a"] += x

    @staticmethod
    def read(o):
        return o["a"], o.total(), o


def five():
    return 5


class MadeKeys(Keys):
    @staticmethod
    def make():
        return collections.defaultdict(five, z=0)

    @staticmethod
    def put(o, x):
        o["a"] += x

    @staticmethod
    def given(o, default):
        return o.get("a", default), o["a"], o["b"], o


class Members:
    @staticmethod
    def make():
        return {"z"}

    @staticmethod
    def put(o, x):
        o.add("a")

    @staticmethod
    def drop(o):
        o.remove("a")

    @staticmethod
    def has(o):
        return "a" in o

    @staticmethod
    def read(o):
        return 1 if "a" in o else -7

    @staticmethod
    def given(o, default):
        o.discard("z")
        return len(o), not o


KINDS: list[Any] = [
    Attributes, Slots, Keys, KeysByMethods, KeysInObjects, OrderedKeys, Counts, MadeKeys, Members,
]  # fmt: skip
