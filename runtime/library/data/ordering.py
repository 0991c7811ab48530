"""Steps that choose among elements and put sequences together, without looking into the elements.

taken(node, 3), skipped(node, 3), repeated(node, 2), chained([a, b]), zipped([a, b]), sharded(node, 4, 0)
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.library.data.blocks import Block
from runtime.library.data.node import INFINITE, UNKNOWN, Node, Pull, Puller, Rest, counted, drain
from runtime.library.data.structure import Structure

__all__ = ["chained", "repeated", "sharded", "skipped", "taken", "unique", "without_errors", "zipped"]


def taken(source: Node, count: int) -> Node:
    """At most `count` elements; all if it is negative."""
    if count < 0:
        return source
    inner = source.cardinality
    total = 0 if count == 0 else inner if inner == UNKNOWN else count if inner == INFINITE else min(inner, count)
    return source.step(lambda pull: _Taking(pull, count).pull, cardinality=total)


class _Taking:
    def __init__(self, pull: Pull, count: int) -> None:
        self._pull = pull
        self._left = count

    def pull(self, n: int) -> Block | None:
        if self._left <= 0:
            return None
        self._left -= 1  # an element that fails counts
        block = self._pull(min(n, self._left + 1))
        if block is None:
            self._left = 0
        else:
            self._left -= block.count - 1
        return block


def unique(source: Node) -> Node:
    """Each tensor the first time that it comes."""

    def pulling(pull: Pull) -> Pull:
        seen: set[Any] = set()

        def pulled(n: int) -> Block | None:
            while (block := pull(n)) is not None:
                new = []
                for i, (row,) in enumerate(block.rows()):
                    if (value := (row.shape, *row.ravel().tolist())) not in seen:
                        seen.add(value)
                        new.append(i)
                if new:
                    return block.pick(new)
            return None

        return pulled

    return source.step(pulling, cardinality=0 if source.cardinality == 0 else UNKNOWN)


def without_errors(source: Node, tell: bool) -> Node:
    """The elements that do not fail. tell: whether a warning tells of those that do."""

    def pulling(pull: Pull) -> Pull:
        def pulled(n: int) -> Block | None:
            while True:
                try:
                    return pull(n)
                except Exception as error:
                    if tell:
                        warnings.warn(f"an element is left out: {error}", RuntimeWarning, stacklevel=2)

        return pulled

    return source.step(pulling, cardinality=0 if source.cardinality == 0 else UNKNOWN)


def skipped(source: Node, count: int) -> Node:
    """All but the first `count` elements; none if it is negative."""
    if count < 0:
        return taken(source, 0)
    total = counted(source.cardinality, lambda inner: max(inner - count, 0))
    return source.step(lambda pull: _Skipping(pull, count).pull, cardinality=total)


class _Skipping:
    def __init__(self, pull: Pull, count: int) -> None:
        self._pull = pull
        self._left = count

    def pull(self, n: int) -> Block | None:
        if self._left:
            left, self._left = self._left, 0
            drain(self._pull, left)
        return self._pull(n)


def sharded(source: Node, shards: int, index: int) -> Node:
    """Every `shards`-th element, from number `index` on."""
    total = counted(source.cardinality, lambda inner: (inner - index + shards - 1) // shards)
    return source.step(lambda pull: _Sharding(pull, shards, index).pull, cardinality=total)


class _Sharding:
    def __init__(self, pull: Pull, shards: int, index: int) -> None:
        self._pull = pull
        self._shards, self._index = shards, index
        self._at = 0

    def pull(self, n: int) -> Block | None:
        while True:
            missing = (self._index - self._at) % self._shards
            block = self._pull(missing + 1 + (n - 1) * self._shards)
            if block is None:
                return None
            self._at += block.count
            if block.count > missing:
                return block.pick(np.arange(missing, block.count, self._shards))


def repeated(source: Node, count: int) -> Node:
    """The elements `count` times over; without end if it is negative."""
    inner = source.cardinality
    if count > 0:
        total = counted(inner, lambda inner: inner * count)
    else:
        total = 0 if count == 0 else inner if inner in (0, UNKNOWN) else INFINITE
    return Node(source.structure, total, source.steady, lambda: _Repeating(source, count), source.repeats)


class _Repeating:
    def __init__(self, source: Node, count: int) -> None:
        self._source = source
        self._left = count
        self._puller: Puller | None = None
        self._given = False

    def pull(self, n: int) -> Block | None:
        while True:
            if self._puller is None:
                if self._left == 0:
                    return None
                self._left -= 1
                self._puller, self._given = self._source.open(), False
            block = self._puller.pull(n)
            if block is not None:
                self._given = True
                return block
            self._puller.close()
            self._puller = None
            if not self._given and self._left < 0:
                self._left = 0  # without end, of nothing

    def close(self) -> None:
        if self._puller is not None:
            self._puller.close()
        self._puller, self._left = None, 0


def chained(sources: Sequence[Node], structure: Structure) -> Node:
    """The elements of all sources, one source after the other."""
    counts = [source.cardinality for source in sources]
    total = INFINITE if INFINITE in counts else UNKNOWN if UNKNOWN in counts else sum(counts)
    steady, repeats = all(source.steady for source in sources), all(source.repeats for source in sources)
    return Node(structure, total, steady, lambda: _Chaining(sources), repeats)


class _Chaining:
    def __init__(self, sources: Sequence[Node]) -> None:
        self._remaining = list(reversed(sources))
        self._puller: Puller | None = None

    def pull(self, n: int) -> Block | None:
        while self._puller is not None or self._remaining:
            if self._puller is None:
                self._puller = self._remaining.pop().open()
            block = self._puller.pull(n)
            if block is not None:
                return block
            self._puller.close()
            self._puller = None
        return None

    def close(self) -> None:
        self._remaining = []
        if self._puller is not None:
            self._puller.close()


def zipped(sources: Sequence[Node], structure: Structure) -> Node:
    """Elements of several sources side by side, as many as the shortest has."""
    counts = [source.cardinality for source in sources]
    known = [count for count in counts if count >= 0]
    if UNKNOWN in counts:
        total = 0 if 0 in known else UNKNOWN
    else:
        total = min(known) if known else INFINITE
    steady = all(source.steady for source in sources)
    repeats = all(source.repeats for source in sources)
    return Node(structure, total, steady, lambda: _Zipping([source.open() for source in sources], steady), repeats)


class _Zipping:
    def __init__(self, pullers: list[Puller], steady: bool) -> None:
        self._pullers = pullers
        self._rests = [Rest(puller.pull) for puller in pullers]
        self._steady = steady
        self._ended = False

    def pull(self, n: int) -> Block | None:
        if self._ended:
            return None
        n = n if self._steady else 1
        taken: list[Block] = []
        for rest in self._rests:
            try:
                part = rest.take(n)
            except Exception:
                self._put_back(taken, 1)
                raise
            if part is None:
                self._ended = True
                return None
            taken.append(part)
            n = part.count
        self._put_back(taken, n)
        return Block([column for part in taken for column in part.part(0, n).columns], n)

    def _put_back(self, taken: list[Block], used: int) -> None:
        for rest, part in zip(self._rests, taken, strict=False):
            rest.put_back(part.part(used, part.count))

    def close(self) -> None:
        for puller in self._pullers:
            puller.close()
