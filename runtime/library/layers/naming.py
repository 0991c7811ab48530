"""Names of layers that are given none: those of their classes, numbered in the order in which they are made.

    numbered(Dense), numbered(Dense), numbered(Conv2D)        # "dense", "dense_1", "conv2d"

The numbers go through the whole process, as those of Keras do.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from typing import Final

__all__ = ["clear_session", "numbered"]

_lock = threading.Lock()
_given: Final[Counter[str]] = Counter()


def numbered(kind: type) -> str:
    """A name of its own for a layer of a class."""
    parts = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", kind.__name__)
    name = re.sub(r"([a-z])([A-Z])", r"\1_\2", parts).lower()
    with _lock:
        count = _given[name]
        _given[name] += 1
    return f"{name}_{count}" if count else name


def clear_session(free_memory: bool = True) -> None:
    """Has the names of layers begin anew. free_memory: accepted; what nobody holds is free as it is."""
    with _lock:
        _given.clear()
