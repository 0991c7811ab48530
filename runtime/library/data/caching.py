"""`cache`: the first whole pass over a dataset is kept, in memory or in a file, and gives all later ones.

    cached(node, Memory())          cached(node, Spill("elements.cache"))

A pass that is left before its end keeps nothing. A file is written beside its final name and moved there when it is
whole, so that no program ever finds half of one.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block, Column, rows_of
from runtime.library.data.node import Node, Puller
from runtime.library.data.records import RecordWriter, read_records
from runtime.library.data.serialization import array_of, bytes_of_array
from runtime.library.data.structure import DatasetSpec, Structure
from runtime.ops.records.record import Array

__all__ = ["Memory", "Spill", "cached"]


class Store(Protocol):
    """Where elements are kept."""

    def begin(self) -> Keeping: ...

    def kept(self, structure: Structure) -> Iterator[Block] | None:
        """All elements, if a whole pass was kept."""
        ...


class Keeping(Protocol):
    """A pass that is being kept."""

    def put(self, block: Block) -> None: ...

    def finish(self) -> None: ...

    def give_up(self) -> None: ...


class Memory:
    """Keeps elements in this process."""

    def __init__(self) -> None:
        self._blocks: list[Block] | None = None

    def begin(self) -> Keeping:
        return _InMemory(self)

    def finish(self, blocks: list[Block]) -> None:
        """These are all."""
        self._blocks = blocks

    def kept(self, structure: Structure) -> Iterator[Block] | None:
        return None if self._blocks is None else iter(self._blocks)


class _InMemory:
    def __init__(self, store: Memory) -> None:
        self._store = store
        self._blocks: list[Block] = []

    def put(self, block: Block) -> None:
        self._blocks.append(block)

    def finish(self) -> None:
        self._store.finish(self._blocks)

    def give_up(self) -> None:
        self._blocks = []


class Spill:
    """Keeps elements in a file of records, one for each leaf of each element."""

    def __init__(self, path: str) -> None:
        self.path = path

    def begin(self) -> Keeping:
        return _InFile(self.path)

    def kept(self, structure: Structure) -> Iterator[Block] | None:
        return self._read(structure) if os.path.exists(self.path) else None

    def _read(self, structure: Structure) -> Iterator[Block]:
        leaves = structure.leaves
        row: list[Array] = []
        for record in read_records(self.path):
            leaf = leaves[len(row)]
            array = array_of(record, f"the cache {self.path}")
            if array.dtype != leaf.dtype.numpy:
                raise InvalidArgumentError(
                    f"the cache {self.path} holds {array.dtype}, where the dataset has {leaf.dtype.name}: it was"
                    " made of another dataset; delete it, or name another file"
                )
            row.append(array)
            if len(row) == len(leaves):
                yield Block([[value] for value in row], 1)
                row = []


class _InFile:
    def __init__(self, path: str) -> None:
        self._path, self._partial = path, f"{path}.{os.getpid()}.{threading.get_ident()}.partial"
        self._writer = RecordWriter(self._partial)

    def put(self, block: Block) -> None:
        for row in zip(*map(rows_of, block.columns), strict=True):
            for array in row:
                self._writer.write(bytes_of_array(array))

    def finish(self) -> None:
        self._writer.close()
        os.replace(self._partial, self._path)

    def give_up(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            os.remove(self._partial)


def cached(source: Node, store: Store) -> Node:
    """The same elements, made once."""
    structure = source.structure
    if isinstance(store, Spill) and any(isinstance(leaf, DatasetSpec) for leaf in structure.leaves):
        raise TypeError("cache: elements that are datasets cannot be kept in a file")

    def open_() -> Puller:
        kept = store.kept(structure)
        return _Keeping(source.open(), store.begin()) if kept is None else _Giving(kept)

    # Two runs at a time would write one file, so nothing may open a second one to find a place in it.
    return replace(source, open=open_, repeats=source.repeats and not isinstance(store, Spill))


class _Keeping:
    def __init__(self, puller: Puller, keeping: Keeping) -> None:
        self._puller = puller
        self._keeping: Keeping | None = keeping

    def pull(self, n: int) -> Block | None:
        keeping = self._keeping
        try:
            block = self._puller.pull(n)
        except Exception:
            self._give_up()  # without this element it is not the whole
            raise
        if keeping is not None and block is not None:
            keeping.put(Block([_own(column) for column in block.columns], block.count))
        elif keeping is not None:
            self._keeping = None
            keeping.finish()
        return block

    def _give_up(self) -> None:
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.give_up()

    def close(self) -> None:
        self._give_up()
        self._puller.close()


def _own(column: Column) -> Column:
    return list(column) if isinstance(column, list) else column


class _Giving:
    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._rest: Block | None = None

    def pull(self, n: int) -> Block | None:
        block = self._rest or next(self._blocks, None)
        if block is None:
            return None
        block, self._rest = block.split(n)
        return block

    def close(self) -> None:
        self._blocks, self._rest = iter(()), None
