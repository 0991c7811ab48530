"""Nodes and pullers: a pipeline as it is described, and as it runs.

    node = taken(counting(0, 1, 10, ...), 3)            # what it is: immutable, opened as often as one likes
    puller = node.open()                                # one run of it
    puller.pull(8).columns                              # [array([0, 1, 2])]
    puller.pull(8)                                      # None: that was the end

`pull(n)` gives at least one and at most n elements, as one block. A node is *steady* if nobody can tell when its
elements are made: no effects, no Variables read, no Python code. Only then may more elements be pulled than are asked
for, and in whole blocks; otherwise elements move one by one, in the order in which a program without blocks makes them.
It *repeats* itself if each run gives the same elements: no random order, no Python code, no effects. Then the place of
a run is the number of elements that it has given.

An exception belongs to one element. The elements before it are delivered first; the one after it comes next.

A kind of step is a function from nodes to a node. Most work on the run of one pipeline, and say by `Node.step` what is
new: how blocks are pulled, and what of the node changes by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from runtime.library.data.blocks import Block, joined
from runtime.library.data.structure import Structure

__all__ = ["INFINITE", "UNKNOWN", "Node", "Pull", "Puller", "Rest", "counted", "drain"]

INFINITE: Final = -1
UNKNOWN: Final = -2

Pull = Callable[[int], Block | None]
"""What `Puller.pull` does, by itself."""


class Puller(Protocol):
    """One run of a pipeline."""

    def pull(self, n: int, /) -> Block | None:
        """Between 1 and n elements; None at the end, and after it."""
        ...

    def close(self) -> None:
        """Frees files and threads. Nothing is pulled afterwards."""
        ...


@dataclass(frozen=True, slots=True)
class Run:
    """A run whose parts are functions."""

    pull: Pull
    close: Callable[[], None]


@dataclass(frozen=True, eq=False)
class Node:
    """A pipeline, up to one of its steps. cardinality: the number of elements, INFINITE or UNKNOWN. steady, repeats:
    see the module's docstring."""

    structure: Structure
    cardinality: int
    steady: bool
    open: Callable[[], Puller]
    repeats: bool = False

    def step(
        self,
        pulling: Callable[[Pull], Pull],
        *,
        structure: Structure | None = None,
        cardinality: int | None = None,
        steady: bool = True,
        repeats: bool = True,
    ) -> Node:
        """This pipeline with one more step. pulling: from the `pull` of a run of this one to that of the longer one.

        structure, cardinality: where they change. steady, repeats: whether the step itself is and does.
        """

        def open_() -> Puller:
            puller = self.open()
            return Run(pulling(puller.pull), puller.close)

        return Node(
            self.structure if structure is None else structure,
            self.cardinality if cardinality is None else cardinality,
            self.steady and steady,
            open_,
            self.repeats and steady and repeats,
        )


class Rest:
    """Takes elements in exact numbers; keeps an error until its turn, and what is put back."""

    __slots__ = ("_error", "_kept", "_pull")

    def __init__(self, pull: Pull) -> None:
        self._pull = pull
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
        if self._kept is not None:
            found, self._kept = self._kept.split(n)
            return found
        if self._error is not None:
            if begun:
                return None
            error, self._error = self._error, None
            raise error
        try:
            return self._pull(n)
        except Exception as error:
            if not begun:
                raise
            self._error = error
            return None


def drain(pull: Pull, n: int) -> int:
    """Pulls n elements and forgets them. How many there were."""
    left = n
    while left and (block := pull(min(left, SKIPPED))) is not None:
        left -= block.count
    return n - left


SKIPPED: Final = 1024
"""How many elements are pulled at once that nobody wants."""


def counted(count: int, change: Callable[[int], int]) -> int:
    """A cardinality after a step; UNKNOWN and INFINITE stay."""
    return count if count < 0 else change(count)
