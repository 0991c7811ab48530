"""What is known of functions, by their code: for as long as the code lives, and by a second key of the client's.

Example:
    cache = CodeObjectCache()
    cache[fn]["strict"] = factory
    cache.has(fn, "strict")       # True, also for another closure of the same code
"""

from __future__ import annotations

from collections.abc import Hashable
from types import CodeType
from typing import Any

from autograph.cache import IdentityCache

__all__ = ["CodeObjectCache"]


class CodeObjectCache:
    """From functions to mappings. Functions share one if their code is the same object; equal code is not enough."""

    def __init__(self) -> None:
        self._known: IdentityCache[CodeType, dict[Hashable, Any]] = IdentityCache()

    def __getitem__(self, entity: Any) -> dict[Hashable, Any]:
        """The mapping of a function, which is empty at first."""
        return self._known.get_or_make(_code(entity), dict)

    def has(self, entity: Any, subkey: Hashable) -> bool:
        """Whether something is known of a function under the second key."""
        return subkey in (self._known.get(_code(entity)) or {})

    def __len__(self) -> int:
        return len(self._known)


def _code(entity: Any) -> CodeType:
    code: CodeType = entity.__code__
    return code
