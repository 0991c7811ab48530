"""What a comprehension puts its elements into where nothing of it is staged: a list of Python.

    collector = ListCollector()
    collector.put(1)
    collector.result()          # [1]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.operators.protocol import Names

__all__ = ["ListCollector"]


class ListCollector:
    """A list of Python, which needs no state to be changed in."""

    names: Names = ()

    def __init__(self) -> None:
        self._items: list[Any] = []

    def put(self, item: Any) -> None:
        self._items.append(item)

    def get_state(self) -> tuple[Any, ...]:
        return ()

    def set_state(self, values: tuple[Any, ...]) -> None:
        return None

    def staging(self, run: Callable[[], Any]) -> None:
        run()

    def result(self) -> list[Any]:
        return self._items
