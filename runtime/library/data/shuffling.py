"""`shuffle`: elements in random order, by a buffer out of which each next one is drawn.

    shuffled(node, size=100, seeds=Seeds(7, again=True))

The buffer is filled first; then each element that comes takes the place of the one that is drawn. Which one that is
depends on the seed and on the number of the pass alone, not on how the elements arrive in blocks.
"""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np

from runtime.library.data.blocks import Block, Column, rows_of
from runtime.library.data.node import Node, Pull, Rest
from runtime.ops.random.random import GENERATORS

__all__ = ["Seeds", "shuffled"]

DRAWN: Final = 1024
"""How many random numbers are drawn at once."""


class Seeds:
    """Gives each pass over a dataset its random numbers. again: whether each pass has another order.

    They depend on the seed alone; without one, on `random.set_seed`, else they are others in each run.
    """

    def __init__(self, seed: int | None, again: bool) -> None:
        if seed is None:
            self._parts = GENERATORS.get(None).integers(0, 2**62, 2).tolist()
        else:
            self._parts = [abs(seed), int(seed < 0)]
        self._again = again
        self.repeat = seed is not None and not again
        """Whether each pass has the same ones, in each program."""
        self._passes = itertools.count()

    def next(self) -> np.random.Generator:
        """The random numbers of the next pass."""
        return np.random.default_rng([*self._parts, next(self._passes) if self._again else 0])


def shuffled(source: Node, size: int, seeds: Seeds) -> Node:
    """The elements in random order. size: of the buffer."""
    return source.step(lambda pull: _Shuffling(pull, size, seeds.next()).pull, repeats=seeds.repeat)


class _Shuffling:
    def __init__(self, pull: Pull, size: int, random: np.random.Generator) -> None:
        self._rest = Rest(pull)
        self._size = size
        self._random = random
        self._drawn: list[float] = []
        self._pool: Block | None = None
        self._order: list[int] = []
        self._ended = False

    def pull(self, n: int) -> Block | None:
        if self._pool is None:
            self._pool = self._filled()
            if self._pool is None:
                return None
        if not self._ended:
            coming = self._rest.take(min(n, self._size))
            if coming is not None:
                return self._exchanged(self._pool, coming)
            self._ended = True
        return self._last(self._pool, n)

    def _filled(self) -> Block | None:
        found = self._rest.take(self._size)
        self._ended = found is None
        if found is None:
            return None
        self._order = list(range(found.count))
        return Block([c.copy() if isinstance(c, np.ndarray) else list(c) for c in found.columns], found.count)

    def _exchanged(self, pool: Block, coming: Block) -> Block:
        """As many elements as are coming, each drawn from the pool before the next one takes its place."""
        size = pool.count
        drawn: list[int] = []
        places: dict[int, int] = {}
        for number, random in enumerate(self._numbers(coming.count), size):
            place = int(random * size)
            drawn.append(places.get(place, place))
            places[place] = number
        made, kept = [], []
        for column, new in zip(pool.columns, coming.columns, strict=True):
            out, column = _exchange(column, new, drawn, places)
            made.append(out)
            kept.append(column)
        self._pool = Block(kept, size)
        return Block(made, coming.count)

    def _last(self, pool: Block, n: int) -> Block | None:
        """Drawn from what is left, with nothing coming any more."""
        order, drawn = self._order, []
        for random in self._numbers(min(n, len(order))):
            place = int(random * len(order))
            drawn.append(order[place])
            order[place] = order[-1]
            order.pop()
        return pool.pick(drawn) if drawn else None

    def _numbers(self, n: int) -> list[float]:
        while len(self._drawn) < n:
            self._drawn += self._random.random(DRAWN).tolist()
        taken = self._drawn[:n]
        del self._drawn[:n]
        return taken


def _exchange(column: Column, coming: Column, drawn: list[int], places: dict[int, int]) -> tuple[Column, Column]:
    """The elements that were drawn, and the pool with those that are at its places now."""
    size = len(column)
    if isinstance(column, np.ndarray) and isinstance(coming, np.ndarray) and column.shape[1:] == coming.shape[1:]:
        indices = np.array(drawn)
        old = indices < size
        made = np.empty((len(drawn), *column.shape[1:]), column.dtype)
        made[old] = column[indices[old]]
        made[~old] = coming[indices[~old] - size]
        column[list(places)] = coming[[number - size for number in places.values()]]
        return made, column
    kept, new = rows_of(column), rows_of(coming)
    rows = [kept[i] if i < size else new[i - size] for i in drawn]
    for place, number in places.items():
        kept[place] = new[number - size]
    return rows, kept
