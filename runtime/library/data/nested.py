"""Steps that make a dataset of each element, and one sequence of their elements: `flat_map`, `interleave`.

    interleaved(files, lines_of, 2, 1, structure)       # a line of the first file, one of the second, one of the first

`flat_map` is `interleave` with a cycle of one.
"""

from __future__ import annotations

from concurrent.futures import Future

from runtime.library.data.blocks import Block
from runtime.library.data.functions import Runner
from runtime.library.data.handles import unboxed_node
from runtime.library.data.node import UNKNOWN, Node, Puller
from runtime.library.data.structure import Structure
from runtime.library.data.threads import Workers

__all__ = ["interleaved"]


def interleaved(
    source: Node, function: Runner, cycle: int, block: int, structure: Structure, workers: int = 0
) -> Node:
    """`block` elements of each of `cycle` datasets in turn. workers: threads that fetch them ahead; 0: none.

    It is not steady: nothing is known of the datasets that the function makes.
    """
    total = 0 if source.cardinality == 0 else UNKNOWN
    repeats = source.repeats and function.steady
    return Node(structure, total, False, lambda: _Interleaving(source.open(), function, cycle, block, workers), repeats)


class _Interleaving:
    def __init__(self, source: Puller, function: Runner, cycle: int, block: int, workers: int) -> None:
        self._source, self._function = source, function
        self._cycle, self._block = cycle, block
        self._slots: list[_Slot | None] = [None] * cycle
        self._at = 0
        self._left = block
        self._ended = False
        self._workers = Workers(workers) if workers else None

    def pull(self, n: int) -> Block | None:
        while True:
            slot = self._slots[self._at]
            if slot is None:
                slot = self._slots[self._at] = self._opened()
                if slot is None and not any(self._slots):
                    return None
            block = None if slot is None else self._taken(slot, n)
            if block is not None:
                return block
            if slot is not None:
                slot.close()
                self._slots[self._at] = None
            if slot is None or self._cycle > 1:
                self._go_on()

    def _taken(self, slot: _Slot, n: int) -> Block | None:
        try:
            block = slot.pull(min(n, self._left))
        except Exception:
            self._count(1)
            raise
        if block is not None:
            self._count(block.count)
        return block

    def _count(self, taken: int) -> None:
        self._left -= taken
        if self._left <= 0:
            self._go_on()

    def _go_on(self) -> None:
        self._at = (self._at + 1) % self._cycle
        self._left = self._block

    def _opened(self) -> _Slot | None:
        if self._ended:
            return None
        block = self._source.pull(1)
        if block is None:
            self._ended = True
            return None
        (row,) = self._function.rows(block)
        made: Node = unboxed_node(row[0])
        return _Slot(made.open(), self._workers, self._block)

    def close(self) -> None:
        self._ended = True
        slots = self._slots
        self._slots = [None] * self._cycle
        for slot in slots:
            if slot is not None:
                slot.close()
        if self._workers is not None:
            self._workers.close()
        self._source.close()


class _Slot:
    """One of the datasets that take turns, and the elements that a thread is fetching of it."""

    def __init__(self, puller: Puller, workers: Workers | None, size: int) -> None:
        self.puller = puller
        self._workers, self._size = workers, size
        self._coming: Future[Block | None] | None = None
        self._rest: Block | None = None
        self._fetch()

    def _fetch(self) -> None:
        if self._workers is not None:
            self._coming = self._workers.submit(self.puller.pull, self._size)

    def pull(self, n: int) -> Block | None:
        if self._workers is None:
            return self.puller.pull(n)
        block = self._rest
        if block is None:
            assert self._coming is not None
            try:
                block = self._coming.result()
            except Exception:
                self._fetch()
                raise
            if block is None:
                return None
            self._fetch()
        block, self._rest = block.split(n)
        return block

    def close(self) -> None:
        """Frees what it uses, as soon as no thread is at work on it."""
        coming = self._coming
        if coming is None or coming.cancel():
            self.puller.close()
        else:
            coming.add_done_callback(lambda future: self.puller.close())
