"""Steps that call a function of the user for each element: `map`, `filter`, `take_while`, `scan`.

    mapped(node, runner, structure)         # one block of results for each block that is pulled

Blocks are computed by one run of a vectorized graph where that gives exactly the same; otherwise the function runs for
one element after the other. What fails is one element: those before it come first, those after it come next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.library.data.blocks import Block, Row, joined
from runtime.library.data.functions import Runner
from runtime.library.data.node import UNKNOWN, Node, Pull
from runtime.library.data.structure import Structure
from runtime.ops.records.record import Array

__all__ = ["filtered", "mapped", "scanned", "taken_while"]


class Careful:
    """Does some work row by row for blocks of a source; keeps what comes after an error."""

    def __init__(self, pull: Pull, one_by_one: bool) -> None:
        self._pull = pull
        self._one_by_one = one_by_one
        self._rest: Block | None = None
        self._error: Exception | None = None

    def next(self, n: int) -> Block | None:
        """The next elements of the source. Raises the error whose turn it is."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._one_by_one:
            n = 1
        if self._rest is None:
            return self._pull(n)
        block, self._rest = self._rest.split(n)
        return block

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


def mapped(source: Node, function: Runner, structure: Structure) -> Node:
    """`function` of each element."""
    one_by_one = not (source.steady or function.steady)
    return source.step(
        lambda pull: _Mapping(Careful(pull, one_by_one), function, len(structure.leaves)).pull,
        structure=structure,
        steady=function.steady,
    )


class _Mapping:
    def __init__(self, source: Careful, function: Runner, width: int) -> None:
        self._source, self._function, self._width = source, function, width

    def pull(self, n: int) -> Block | None:
        block = self._source.next(n)
        if block is None:
            return None
        made = self._function.block(block)
        if made is not None:
            return made
        return Block.of_rows(self._source.each(block, self._function.rows), self._width)


def scanned(source: Node, function: Runner, initial: Row, structure: Structure) -> Node:
    """`state, result = function(state, element)`, from `initial` on; the results."""
    one_by_one = not (source.steady or function.steady)
    return source.step(
        lambda pull: _Scanning(Careful(pull, one_by_one), function, initial, len(structure.leaves)).pull,
        structure=structure,
        steady=function.steady,
    )


class _Scanning:
    def __init__(self, source: Careful, function: Runner, initial: Row, width: int) -> None:
        self._source, self._function, self._width = source, function, width
        self._state = initial

    def pull(self, n: int) -> Block | None:
        block = self._source.next(n)
        return None if block is None else Block.of_rows(self._source.each(block, self._steps), self._width)

    def _steps(self, block: Block) -> Iterator[Row]:
        states = len(self._state)
        for row in block.rows():
            made = self._function.row((*self._state, *row))
            self._state = made[:states]
            yield made[states:]


def filtered(source: Node, predicate: Runner) -> Node:
    """The elements for which `predicate` is true."""
    return source.step(
        lambda pull: _Filtering(Careful(pull, not predicate.steady), predicate).pull,
        cardinality=UNKNOWN,
        steady=predicate.steady,
    )


class _Filtering:
    def __init__(self, source: Careful, predicate: Runner) -> None:
        self._source, self._predicate = source, predicate

    def pull(self, n: int) -> Block | None:
        while (block := self._source.next(n)) is not None:
            chosen = np.flatnonzero(_truths(self._predicate, block, self._source))
            if len(chosen) == block.count:
                return block
            if len(chosen):
                return block.pick(chosen)
        return None


def taken_while(source: Node, predicate: Runner) -> Node:
    """The elements before the first one for which `predicate` is false. What comes after that is not asked for."""
    one_by_one = not (source.steady and predicate.steady)
    return source.step(
        lambda pull: _TakingWhile(Careful(pull, one_by_one), predicate).pull,
        cardinality=UNKNOWN,
        steady=predicate.steady,
    )


class _TakingWhile:
    def __init__(self, source: Careful, predicate: Runner) -> None:
        self._source, self._predicate = source, predicate
        self._ended = False

    def pull(self, n: int) -> Block | None:
        block = None if self._ended else self._source.next(n)
        if block is None:
            return None
        truths = _truths(self._predicate, block, self._source)
        if truths.all():
            return block.part(0, len(truths))
        self._ended = True
        stop = int(truths.argmin())
        return block.part(0, stop) if stop else None


def _truths(predicate: Runner, block: Block, source: Careful) -> Array:
    made = predicate.block(block)
    if made is not None and isinstance(made.columns[0], np.ndarray):
        return made.columns[0]
    found = source.each(block, predicate.rows)
    return np.array([bool(row[0]) for row in found], bool)
