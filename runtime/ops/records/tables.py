"""Tables of rules by operation, to which each room adds its own: an entry stands in them once.

enter(RULES, ops, rule, "has a rule for ONNX")       # TypeError: sin has a rule for ONNX already
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["enter"]

K = TypeVar("K")
V = TypeVar("V")


def enter(table: dict[K, V], keys: Iterable[K], value: V, words: str) -> None:
    """Puts a value under each of these keys. words: what is so of a key that is there: TypeError."""
    for key in keys:
        if key in table:
            raise TypeError(f"{getattr(key, 'name', key)} {words} already")
        table[key] = value
