"""`Stream`: a running pipeline as its consumer sees it, one element after the other.

    stream = Stream(node)
    while stream.more():
        row = stream.take()             # a tuple of arrays, one for each leaf

It pulls whole blocks where nobody can tell: of a steady pipeline, first one element, then twice as many each time,
until a block takes a millisecond or so much memory that more would not pay. Threads may share a stream; each element
goes to one of them. A stream that nobody refers to any more closes its pipeline.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from time import perf_counter
from typing import Final

import numpy as np

from runtime.errors import EndOfDataError, InvalidArgumentError
from runtime.library.data.blocks import Block, Column, Row, rows_of
from runtime.library.data.node import Node, Puller, drain
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term

__all__ = ["Stream"]

LARGEST: Final = 1 << 16
"""Bytes of a block above which no larger one is asked for."""

LONGEST: Final = 0.001
"""Seconds that a block may take before no larger one is asked for."""

MOST: Final = 4096
"""Elements that are pulled at once."""

SMALL: Final = 1 << 12
"""Bytes of a row below which it is copied out of its block, so that it does not keep the block alive."""


class Stream:
    """See the module's docstring. `node`: the pipeline."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._grows = node.steady
        self._puller: Puller | None = node.open()
        self._size = 1
        self._rows: Iterator[Row] = iter(())
        self._ready: Row | None = None
        self._taken = 0
        self._lock = threading.RLock()

    def take(self) -> Row:
        """The next element. Raises EndOfDataError at the end, and what the making of it raises."""
        with self._lock:
            row = self._ready
            if row is not None:
                self._ready = None
            else:
                row = next(self._rows, None)
                if row is None:
                    row = self._refill()
                    if row is None:
                        raise EndOfDataError
            self._taken += 1
            return row

    def more(self) -> bool:
        """Whether there is another element, which is then made, if it is not there yet."""
        with self._lock:
            if self._ready is None:
                self._ready = next(self._rows, None)
                if self._ready is None:
                    self._ready = self._refill()
            return self._ready is not None

    def place(self) -> int:
        """How many elements have been taken. Raises InvalidArgumentError for a pipeline that does not repeat itself."""
        if not self._node.repeats:
            raise InvalidArgumentError(
                "the place of an iterator is only known where each pass gives the same elements: without Python code"
                " (from_generator, py_function), random numbers, Variables and caches in files, and where `shuffle` has"
                " a seed and reshuffle_each_iteration=False. Otherwise keep it out of the checkpoint, count the steps"
                " in a Variable, and go on with dataset.skip(...)"
            )
        with self._lock:
            return self._taken

    def at(self, place: int) -> Stream:
        """Another run of the pipeline, at this place: the elements before it are made anew. Raises as `place`, and
        InvalidArgumentError where there are not so many elements."""
        self.place()
        made = Stream(self._node)
        assert made._puller is not None
        made._taken = drain(made._puller.pull, max(place, 0))
        if made._taken != place:
            raise InvalidArgumentError(
                f"an iterator was saved after {place} elements; its dataset has only {made._taken}"
            )
        return made

    def go_on_as(self, other: Stream) -> None:
        """Goes on where another run is, which is over by that."""
        with self._lock:
            self.close()
            self._puller, other._puller = other._puller, None
            self._ready, self._size, self._taken = None, 1, other._taken

    @property
    def __graph_term__(self) -> Term:
        return Term("dataset", ("Iterator",), lambda: self)

    def _refill(self) -> Row | None:
        puller = self._puller
        if puller is None:
            return None
        start = perf_counter()
        block = puller.pull(self._size)
        if block is None:
            self.close()
            return None
        if self._grows and block.count >= self._size:
            fast = perf_counter() - start < LONGEST
            if fast and block.nbytes() < LARGEST and self._size < MOST:
                self._size *= 2
        self._rows = _rows(block)
        return next(self._rows)

    def close(self) -> None:
        """Ends it: there are no more elements."""
        self._rows = iter(())
        puller, self._puller = self._puller, None
        if puller is not None:
            puller.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _rows(block: Block) -> Iterator[Row]:
    if not block.columns:
        return iter([()] * block.count)
    return zip(*map(_own_rows, block.columns), strict=True)


def _own_rows(column: Column) -> list[Array]:
    if isinstance(column, list) or len(column) == 1 or column.nbytes > SMALL * len(column):
        return rows_of(column)
    if column.ndim == 1:
        return list(map(np.array, column)) if column.dtype != object else [row.copy() for row in rows_of(column)]
    return [row.copy() for row in column]
