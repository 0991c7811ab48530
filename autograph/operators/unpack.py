"""Unpacking: `a, b = v`, where v may belong to a stager. All other values are unpacked by Python itself.

Example (generated):
    (a, b) = ag__.unpack(v, 2)
    (a, *rest) = ag__.unpack(v, (None, ...))
    ((a, b), c) = ag__.unpack(v, (2, None))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from autograph.operators.left import take_from
from autograph.operators.stager import PYTHON, stager_of

__all__ = ["unpack"]

Targets = int | tuple[Any, ...]
"""How many targets there are; or one entry for each: None for a name, `...` for a starred one, or targets in it."""


def unpack(value: Any, targets: Targets) -> Any:
    """What Python is to unpack in the place of `value`: the value itself, or the parts that its stager gives."""
    kind = type(value)
    if type(targets) is int:
        if kind is tuple or kind is list:
            return value
        take_from(value)
        owner = stager_of(value)
        return value if owner is PYTHON else owner.unpack(value, targets, False)
    assert isinstance(targets, tuple)
    if (kind is tuple or kind is list) and _are_names(targets):
        return value
    take_from(value)
    owner = stager_of(value)
    starred = ... in targets
    if owner is not PYTHON:
        value = owner.unpack(value, len(targets) - starred, starred)
    if _are_names(targets):
        return value
    if not hasattr(kind, "__iter__") and owner is PYTHON:
        return value  # Python says what is wrong
    return _parts(value, targets)


@lru_cache(maxsize=256)
def _are_names(targets: tuple[Any, ...]) -> bool:
    return all(target is None or target is ... for target in targets)


def _parts(value: Any, targets: tuple[Any, ...]) -> Any:
    """The items, of which those for nested targets are unpacked in turn, one by one as Python asks for them."""
    star = targets.index(...) if ... in targets else None
    if star is None and type(value) in (tuple, list):
        whole = len(value) == len(targets)  # if not, Python says so
        return [*_each(iter(value), iter(targets))] if whole else value
    if star is None:
        return _each(iter(value), chain(targets, repeat(None)))
    # Python takes all items before it assigns any of them, so they can be counted.
    items = list(value)
    rest = len(items) - len(targets) + 1
    if rest < 0:
        return items
    return list(_each(iter(items), chain(targets[:star], repeat(None, rest), targets[star + 1 :])))


def _each(items: Iterator[Any], targets: Iterator[Any]) -> Iterator[Any]:
    for item, target in zip(items, targets, strict=False):
        yield item if target is None or target is ... else unpack(item, target)
