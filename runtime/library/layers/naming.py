"""Names of layers that are given none: those of their classes, numbered in the order in which they are made.

    numbered("dense"), numbered("dense")        # "dense", "dense_1"

The numbers go through the whole process, as those of Keras do.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final

__all__ = ["clear_session", "numbered"]

_lock = threading.Lock()
_given: Final[Counter[str]] = Counter()


def numbered(name: str) -> str:
    """A name of its own."""
    with _lock:
        count = _given[name]
        _given[name] += 1
    return f"{name}_{count}" if count else name


def clear_session(free_memory: bool = True) -> None:
    """Has the names of layers begin anew. free_memory: accepted; what nobody holds is free as it is."""
    with _lock:
        _given.clear()
