"""The rows of an array as things of their own, each a view that is made when it is asked for.

    [row for row in a]        # goes over Rows(a): the list keeps views, through which a is written to
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Rows"]


class Rows:
    """What a comprehension over an array of known length goes over."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array)

    def __len__(self) -> int:
        return len(self.array)
