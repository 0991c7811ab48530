"""Steps that choose among elements and put sequences together, without looking into the elements.

Take(node, 3), Skip(node, 3), Repeat(node, 2), Chain([a, b]), Zipped([a, b]), Sharded(node, 4, 0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.data.blocks import Block
from runtime.data.node import INFINITE, UNKNOWN, Node, Puller, Rest, counted, drain
from runtime.data.structure import Structure

__all__ = ["Chain", "Repeat", "Sharded", "Skip", "Take", "Zipped"]


@dataclass(frozen=True, eq=False)
class Take:
    """At most `count` elements; all if it is negative."""

    source: Node
    count: int

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        inner = self.source.cardinality()
        if self.count < 0 or inner == UNKNOWN:
            return inner if self.count else 0
        return self.count if inner == INFINITE else min(inner, self.count)

    def open(self) -> Puller:
        return self.source.open() if self.count < 0 else _Taking(self.source.open(), self.count)


class _Taking:
    def __init__(self, puller: Puller, count: int) -> None:
        self._puller = puller
        self._left = count

    def pull(self, n: int) -> Block | None:
        if self._left <= 0:
            return None
        self._left -= 1  # an element that fails counts
        block = self._puller.pull(min(n, self._left + 1))
        if block is None:
            self._left = 0
        else:
            self._left -= block.count - 1
        return block

    def close(self) -> None:
        self._puller.close()


@dataclass(frozen=True, eq=False)
class Skip:
    """All but the first `count` elements; none if it is negative."""

    source: Node
    count: int

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        if self.count < 0:
            return 0
        return counted(self.source.cardinality(), lambda inner: max(inner - self.count, 0))

    def open(self) -> Puller:
        return _Taking(self.source.open(), 0) if self.count < 0 else _Skipping(self.source.open(), self.count)


class _Skipping:
    def __init__(self, puller: Puller, count: int) -> None:
        self._puller = puller
        self._left = count

    def pull(self, n: int) -> Block | None:
        if self._left:
            left, self._left = self._left, 0
            drain(self._puller, left)
        return self._puller.pull(n)

    def close(self) -> None:
        self._puller.close()


@dataclass(frozen=True, eq=False)
class Repeat:
    """The elements `count` times over; without end if it is negative."""

    source: Node
    count: int

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        inner = self.source.cardinality()
        if self.count < 0:
            return inner if inner in (0, UNKNOWN) else INFINITE
        if self.count == 0:
            return 0
        return counted(inner, lambda inner: inner * self.count)

    def open(self) -> Puller:
        return _Repeating(self)


class _Repeating:
    def __init__(self, node: Repeat) -> None:
        self._source = node.source
        self._left = node.count
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


@dataclass(frozen=True, eq=False)
class Chain:
    """The elements of all sources, one source after the other."""

    sources: tuple[Node, ...]
    structure: Structure

    @property
    def steady(self) -> bool:
        return all(source.steady for source in self.sources)

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.sources]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)

    def open(self) -> Puller:
        return _Chained(self.sources)


class _Chained:
    def __init__(self, sources: tuple[Node, ...]) -> None:
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


@dataclass(frozen=True, eq=False)
class Zipped:
    """Elements of several sources side by side, as many as the shortest has."""

    sources: tuple[Node, ...]
    structure: Structure

    @property
    def steady(self) -> bool:
        return all(source.steady for source in self.sources)

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.sources]
        known = [count for count in counts if count >= 0]
        if UNKNOWN in counts:
            return 0 if 0 in known else UNKNOWN
        return min(known) if known else INFINITE

    def open(self) -> Puller:
        return _Zipping([source.open() for source in self.sources], self.steady)


class _Zipping:
    def __init__(self, pullers: list[Puller], steady: bool) -> None:
        self._pullers = pullers
        self._rests = [Rest(puller) for puller in pullers]
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


@dataclass(frozen=True, eq=False)
class Sharded:
    """Every `shards`-th element, from number `index` on."""

    source: Node
    shards: int
    index: int

    @property
    def structure(self) -> Structure:
        return self.source.structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        return counted(self.source.cardinality(), lambda inner: (inner - self.index + self.shards - 1) // self.shards)

    def open(self) -> Puller:
        return _Sharding(self)


class _Sharding:
    def __init__(self, node: Sharded) -> None:
        self._shards, self._index = node.shards, node.index
        self._puller = node.source.open()
        self._at = 0

    def pull(self, n: int) -> Block | None:
        while True:
            missing = (self._index - self._at) % self._shards
            block = self._puller.pull(missing + 1 + (n - 1) * self._shards)
            if block is None:
                return None
            self._at += block.count
            if block.count > missing:
                return block.pick(np.arange(missing, block.count, self._shards))

    def close(self) -> None:
        self._puller.close()
