"""Steps between elements and groups of elements: `batch`, `padded_batch`, `unbatch`, `window`.

    Batch(Counting(0, 1, 7, ...), 3, drop=False)        # [0 1 2], [3 4 5], [6]

Where the rows are one array already, batches are views of it, and many batches are made by one reshape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.data.blocks import Block, Column, Row, rows_of, stacked
from runtime.data.handles import boxed_node
from runtime.data.node import Node, Puller, Rest, counted, drain
from runtime.data.sources import Given
from runtime.data.structure import Structure
from runtime.errors import InvalidArgumentError
from runtime.ops.record import Array
from runtime.shapes import TensorShape

__all__ = ["Batch", "PaddedBatch", "Unbatch", "Window", "batched_shape"]


@dataclass(frozen=True, eq=False)
class Batch:
    """`size` elements as one, with a new first dimension; the last one may be smaller unless `drop`."""

    source: Node
    size: int
    drop: bool
    structure: Structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        return counted(self.source.cardinality(), lambda n: n // self.size if self.drop else -(-n // self.size))

    def open(self) -> Puller:
        return _Batching(Rest(self.source.open()), self.size, self.drop)


class _Batching:
    def __init__(self, rest: Rest, size: int, drop: bool) -> None:
        self._rest = rest
        self._size, self._drop = size, drop

    def pull(self, n: int) -> Block | None:
        size = self._size
        taken = self._rest.take(n * size)
        if taken is None:
            return None
        whole = taken.count // size
        if whole:
            self._rest.put_back(taken.part(whole * size, taken.count))
            return Block([_grouped(column, whole, size) for column in taken.part(0, whole * size).columns], whole)
        missing = self._rest.take(size - taken.count)  # raises what the elements before were waiting for
        assert missing is None
        if self._drop:
            return None
        return Block([_grouped(column, 1, taken.count) for column in taken.columns], 1)

    def close(self) -> None:
        self._rest.puller.close()


def _grouped(column: Column, groups: int, size: int) -> Column:
    if isinstance(column, np.ndarray):
        grouped: Array = column.reshape(groups, size, *column.shape[1:])
        return grouped
    return [stacked(column[i * size : (i + 1) * size], "batch") for i in range(groups)]


@dataclass(frozen=True, eq=False)
class PaddedBatch:
    """As Batch, of elements whose shapes differ: each is padded to the largest, or to the shape that is given.

    shapes, values: for each leaf, the dims (None: the largest), and what the padding consists of.
    """

    source: Node
    size: int
    drop: bool
    shapes: tuple[TensorShape, ...]
    values: tuple[Array, ...]
    structure: Structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        return counted(self.source.cardinality(), lambda n: n // self.size if self.drop else -(-n // self.size))

    def open(self) -> Puller:
        return _Padding(self)


class _Padding:
    def __init__(self, node: PaddedBatch) -> None:
        self._node = node
        self._rest = Rest(node.source.open())

    def pull(self, n: int) -> Block | None:
        node = self._node
        taken = self._rest.take(node.size)
        if taken is not None and taken.count < node.size:
            self._rest.take(node.size - taken.count)
            if node.drop:
                return None
        if taken is None:
            return None
        leaves = zip(taken.columns, node.shapes, node.values, strict=True)
        return Block([[padded(rows_of(column), shape, value)] for column, shape, value in leaves], 1)

    def close(self) -> None:
        self._rest.puller.close()


def padded(rows: Sequence[Array], shape: TensorShape, value: Array) -> Array:
    """The rows in one array, filled up with `value`. Raises InvalidArgumentError for a row that is too large."""
    rank = rows[0].ndim if shape.dims is None else len(shape.dims)
    if any(row.ndim != rank for row in rows):
        ranks = sorted({row.ndim for row in rows} | {rank})
        raise InvalidArgumentError(f"padded_batch: the elements have different ranks, {' and '.join(map(str, ranks))}")
    dims = tuple(max(row.shape[i] for row in rows) for i in range(rank))
    if shape.dims is not None:
        dims = tuple(d if wanted is None else wanted for d, wanted in zip(dims, shape.dims, strict=True))
    made = np.full((len(rows), *dims), value[()], rows[0].dtype)
    for i, row in enumerate(rows):
        if any(a > b for a, b in zip(row.shape, dims, strict=True)):
            raise InvalidArgumentError(
                f"padded_batch: an element of the shape {TensorShape(row.shape)} does not fit into the padded shape"
                f" {TensorShape(dims)}"
            )
        place: Any = (i, *map(slice, row.shape), ...)  # the dots: a string of rank 0 is an item, not an array in one
        made[place] = row
    return made


@dataclass(frozen=True, eq=False)
class Unbatch:
    """The rows of the elements, one by one."""

    source: Node
    structure: Structure

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        inner = self.source.cardinality()
        dims = self.source.structure.leaves[0].shape.dims
        if not dims or dims[0] is None:
            return inner if inner <= 0 and inner != -1 else -2
        return counted(inner, lambda n: n * int(dims[0] or 0))

    def open(self) -> Puller:
        return _Unbatching(self.source.open())


class _Unbatching:
    def __init__(self, puller: Puller) -> None:
        self._puller = puller
        self._block = Block([], 0)
        self._at = 0

    def pull(self, n: int) -> Block | None:
        while self._at >= self._block.count:
            block = self._puller.pull(1)
            if block is None:
                return None
            row = next(block.rows())
            lengths = {array.shape[:1] for array in row}
            if len(lengths) != 1 or () in lengths:
                shapes = ", ".join(str(TensorShape(array.shape)) for array in row)
                raise InvalidArgumentError(f"unbatch: the tensors of an element need one first dimension; got {shapes}")
            self._block, self._at = Block(row, len(row[0])), 0
        start = self._at
        self._at = min(start + n, self._block.count)
        return self._block.part(start, self._at)

    def close(self) -> None:
        self._puller.close()


@dataclass(frozen=True, eq=False)
class Window:
    """Overlapping groups of elements, each as a dataset; a dataset for each leaf.

    size: elements of a window; shift: from one window's start to the next one's; stride: between its elements.
    """

    source: Node
    size: int
    shift: int
    stride: int
    drop: bool
    structure: Structure
    parts: tuple[Structure, ...]

    @property
    def steady(self) -> bool:
        return self.source.steady

    def cardinality(self) -> int:
        span = (self.size - 1) * self.stride + 1
        if self.drop:
            return counted(self.source.cardinality(), lambda n: max(0, (n - span) // self.shift + 1))
        return counted(self.source.cardinality(), lambda n: -(-n // self.shift))

    def open(self) -> Puller:
        return _Windowing(self)


class _Windowing:
    def __init__(self, node: Window) -> None:
        self._node = node
        self._rest = Rest(node.source.open())
        self._kept: Block | None = None
        self._ended = False

    def pull(self, n: int) -> Block | None:
        node = self._node
        span = (node.size - 1) * node.stride + 1
        if self._ended:
            return None
        block = self._filled(span)
        if block is None or (node.drop and block.count < span):
            self._ended = True
            return None
        window = block.pick(range(0, min(span, block.count), node.stride))
        if block.count > node.shift:
            self._kept = block.part(node.shift, block.count)
        else:
            self._kept = None
            self._ended = drain(_Resting(self._rest), node.shift - block.count) < node.shift - block.count
        return Block([[_handle(column, part)] for column, part in zip(window.columns, node.parts, strict=True)], 1)

    def _filled(self, span: int) -> Block | None:
        kept = self._kept
        if kept is not None and kept.count >= span:
            return kept
        more = self._rest.take(span - (0 if kept is None else kept.count))
        if kept is None or more is None:
            return kept or more
        self._kept = None
        self._rest.put_back(more)
        self._rest.put_back(kept)
        return self._rest.take(span)

    def close(self) -> None:
        self._rest.puller.close()


@dataclass(frozen=True)
class _Resting:
    rest: Rest

    def pull(self, n: int) -> Block | None:
        return self.rest.take(n)

    def close(self) -> None:
        return None


def _handle(column: Column, structure: Structure) -> Array:
    return boxed_node(Rows(tuple((row,) for row in rows_of(column)), structure), "Window")


@dataclass(frozen=True, eq=False)
class Rows:
    """Elements that are there, of any shapes."""

    rows: tuple[Row, ...]
    structure: Structure
    steady = True

    def cardinality(self) -> int:
        return len(self.rows)

    def open(self) -> Puller:
        return Given(Block.of_rows(self.rows, len(self.structure.leaves)))


def batched_shape(size: Any, drop: bool) -> int | None:
    """The first dimension of batches, if it is known."""
    return int(size) if drop and isinstance(size, int) else None
