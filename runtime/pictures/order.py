"""The order in which pictures are drawn that are parts of each other.

    inner_first(graph, lambda graph: graph.inner)      # each graph after those inside of it, the given one last
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["inner_first"]


def inner_first(root: Any, inner: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """The root and all that is inside of it, each once, after what is inside of it. Without recursion."""
    order: list[Any] = []
    done: set[int] = set()
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        current, leaving = stack.pop()
        if leaving:
            order.append(current)
        elif id(current) not in done:
            done.add(id(current))
            stack.append((current, True))
            stack += [(part, False) for part in reversed([*inner(current)])]
    return order
