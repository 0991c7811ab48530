"""Steps that call a function of the user for each element: `map`, `filter`, `take_while`, `scan`.

Blocks are computed by one run of a vectorized graph where that gives exactly the same; otherwise the function runs for
one element after the other. What fails is one element: those before it come first, those after it come next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.data.blocks import Block, Row, joined
from runtime.data.functions import Runner
from runtime.data.node import UNKNOWN, Node, Puller
from runtime.data.structure import Structure
from runtime.ops.record import Array

__all__ = ["Filter", "Map", "Scan", "TakeWhile"]


class Careful:
    """Does some work row by row for blocks of a source; keeps what comes after an error."""

    def __init__(self, puller: Puller, one_by_one: bool) -> None:
        self.puller = puller
        self._one_by_one = one_by_one
        self._rest: Block | None = None
        self._error: Exception | None = None

    def next(self, n: int) -> Block | None:
        """The next elements of the source. Raises the error whose turn it is."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        rest = self._rest
        if rest is None:
            return self.puller.pull(1 if self._one_by_one else n)
        self._rest = rest.part(n, rest.count) if rest.count > n else None
        return rest.part(0, n)

    def each(self, block: Block, work: Callable[[Block], Iterator[Any]]) -> list[Any]:
        """The results for a block up to the first error, which is raised if it is that of the first element."""
        done: list[Any] = []
        try:
            for result in work(block):
                done.append(result)  # what was done before an error counts
        except Exception as error:
            after = block.part(len(done) + 1, block.count)
            if after.count > 0:
                self._rest = after if self._rest is None else joined([after, self._rest])
            if not done:
                raise
            self._error = error
        return done


@dataclass(frozen=True, eq=False)
class Map:
    """`function` of each element."""

    source: Node
    function: Runner
    structure: Structure

    @property
    def steady(self) -> bool:
        return self.source.steady and self.function.steady

    def cardinality(self) -> int:
        return self.source.cardinality()

    def open(self) -> Puller:
        return _Mapping(self)


class _Mapping:
    def __init__(self, node: Map) -> None:
        self._function = node.function
        self._width = len(node.structure.leaves)
        self._source = Careful(node.source.open(), not (node.source.steady or node.function.steady))

    def pull(self, n: int) -> Block | None:
        block = self._source.next(n)
        if block is None:
            return None
        made = self._function.block(block)
        if made is not None:
            return made
        return Block.of_rows(self._source.each(block, self._function.rows), self._width)

    def close(self) -> None:
        self._source.puller.close()


@dataclass(frozen=True, eq=False)
class Filter:
    """The elements for which `predicate` is true."""

    source: Node
    predicate: Runner

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady and self.predicate.steady

    def cardinality(self) -> int:
        return UNKNOWN

    def open(self) -> Puller:
        return _Filtering(self)


class _Filtering:
    def __init__(self, node: Filter) -> None:
        self._predicate = node.predicate
        self._one_by_one = not node.predicate.steady
        self._source = Careful(node.source.open(), False)

    def pull(self, n: int) -> Block | None:
        while True:
            block = self._source.next(1 if self._one_by_one else n)
            if block is None:
                return None
            chosen = np.flatnonzero(_truths(self._predicate, block, self._source))
            if len(chosen) == block.count:
                return block
            if len(chosen):
                return block.pick(chosen)

    def close(self) -> None:
        self._source.puller.close()


def _truths(predicate: Runner, block: Block, source: Careful) -> Array:
    made = predicate.block(block)
    if made is not None and isinstance(made.columns[0], np.ndarray):
        return made.columns[0]
    found = source.each(block, predicate.rows)
    return np.array([bool(row[0]) for row in found], bool)


@dataclass(frozen=True, eq=False)
class TakeWhile:
    """The elements before the first one for which `predicate` is false."""

    source: Node
    predicate: Runner

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady and self.predicate.steady

    def cardinality(self) -> int:
        return UNKNOWN

    def open(self) -> Puller:
        return _TakingWhile(self)


class _TakingWhile:
    def __init__(self, node: TakeWhile) -> None:
        self._predicate = node.predicate
        self._one_by_one = not node.steady  # what comes after the end is not asked for
        self._source = Careful(node.source.open(), False)
        self._ended = False

    def pull(self, n: int) -> Block | None:
        block = None if self._ended else self._source.next(1 if self._one_by_one else n)
        if block is None:
            return None
        truths = _truths(self._predicate, block, self._source)
        if truths.all():
            return block.part(0, len(truths))
        self._ended = True
        stop = int(truths.argmin())
        return block.part(0, stop) if stop else None

    def close(self) -> None:
        self._source.puller.close()


@dataclass(frozen=True, eq=False)
class Scan:
    """`state, result = function(state, element)`, from `initial` on; the results."""

    source: Node
    function: Runner
    initial: Row
    structure: Structure

    @property
    def steady(self) -> bool:
        return self.source.steady and self.function.steady

    def cardinality(self) -> int:
        return self.source.cardinality()

    def open(self) -> Puller:
        return _Scanning(self)


class _Scanning:
    def __init__(self, node: Scan) -> None:
        self._function, self._state = node.function, node.initial
        self._width = len(node.structure.leaves)
        self._source = Careful(node.source.open(), not (node.source.steady or node.function.steady))

    def pull(self, n: int) -> Block | None:
        block = self._source.next(n)
        if block is None:
            return None
        return Block.of_rows(self._source.each(block, self._steps), self._width)

    def _steps(self, block: Block) -> Iterator[Row]:
        states = len(self._state)
        for row in block.rows():
            made = self._function.row((*self._state, *row))
            self._state = made[:states]
            yield made[states:]

    def close(self) -> None:
        self._source.puller.close()
