"""Nodes and pullers: a pipeline as it is described, and as it runs.

    node = Take(Range(0, 10, 1), 3)         # what it is: immutable, opened as often as one likes
    puller = node.open()                    # one run of it
    puller.pull(8).columns                  # [array([0, 1, 2])]
    puller.pull(8)                          # None: that was the end

`pull(n)` gives at least one and at most n elements, as one block. A node is *steady* if nobody can tell when its
elements are made: no effects, no Variables read, no Python code. Only then may more elements be pulled than are asked
for, and in whole blocks; otherwise elements move one by one, in the order in which a program without blocks makes them.

An exception belongs to one element. The elements before it are delivered first; the one after it comes next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from runtime.data.blocks import Block, joined
from runtime.data.structure import Structure

__all__ = [
    "INFINITE", "UNKNOWN", "Node", "Puller", "Rest", "bytes_of", "collect", "counted", "drain",
]  # fmt: skip

INFINITE: Final = -1
UNKNOWN: Final = -2


class Puller(Protocol):
    """One run of a pipeline."""

    def pull(self, n: int) -> Block | None:
        """Between 1 and n elements; None at the end, and after it."""
        ...

    def close(self) -> None:
        """Frees files and threads. Nothing is pulled afterwards."""
        ...


class Node(Protocol):
    """A pipeline, up to one of its steps."""

    @property
    def structure(self) -> Structure: ...

    @property
    def steady(self) -> bool: ...

    def cardinality(self) -> int:
        """The number of elements, INFINITE or UNKNOWN."""
        ...

    def open(self) -> Puller: ...


class Rest:
    """Takes elements from a puller in exact numbers; keeps an error until its turn, and what is put back."""

    __slots__ = ("_error", "_kept", "puller")

    def __init__(self, puller: Puller) -> None:
        self.puller = puller
        self._kept: Block | None = None
        self._error: Exception | None = None

    def take(self, n: int) -> Block | None:
        """Exactly n elements, fewer only at the end or before an error; None at the end."""
        found: list[Block] = []
        missing = n
        while missing:
            block = self._next(missing, bool(found))
            if block is None:
                break
            found.append(block)
            missing -= block.count
        return joined(found) if found else None

    def put_back(self, block: Block) -> None:
        """Elements that are to come again, before all others. Nothing else is kept then."""
        if block.count:
            self._kept = block if self._kept is None else joined([block, self._kept])

    def _next(self, n: int, begun: bool) -> Block | None:
        kept = self._kept
        if kept is not None:
            self._kept = kept.part(n, kept.count) if kept.count > n else None
            return kept.part(0, n)
        if self._error is not None:
            if begun:
                return None
            error, self._error = self._error, None
            raise error
        try:
            return self.puller.pull(n)
        except Exception as error:
            if not begun:
                raise
            self._error = error
            return None


def collect(puller: Puller, n: int) -> Block | None:
    """n elements that all belong to one: fewer only at the end, an error at once. None at the end."""
    found: list[Block] = []
    missing = n
    while missing and (block := puller.pull(missing)) is not None:
        found.append(block)
        missing -= block.count
    return joined(found) if found else None


def drain(puller: Puller, n: int) -> int:
    """Pulls n elements and forgets them. How many there were."""
    left = n
    while left and (block := puller.pull(min(left, SKIPPED))) is not None:
        left -= block.count
    return n - left


SKIPPED: Final = 1024
"""How many elements are pulled at once that nobody wants."""


def counted(count: int, change: Callable[[int], int]) -> int:
    """A cardinality after a step; UNKNOWN and INFINITE stay."""
    return count if count < 0 else change(count)


def bytes_of(structure: Structure, open_dims: int = 16) -> int:
    """Roughly the size of an element. open_dims: what a dim counts that is not known."""
    total = 0
    for leaf in structure.leaves:
        size = leaf.dtype.size
        for dim in leaf.shape.dims or ():
            size *= open_dims if dim is None else dim
        total += size
    return max(total, 1)
