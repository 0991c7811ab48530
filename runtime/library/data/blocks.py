"""Blocks: what moves through a pipeline. Some elements, leaf by leaf.

    Block([np.arange(4), ["a", "b", "c", "d"]], 4)      four elements (number, text), as columns

A column is an ndarray with one row for each element where all rows have one shape, so that a whole block is mapped,
batched or shuffled by one numpy call; otherwise a list of arrays. What consumers see does not depend on how elements
were put into blocks. Nobody writes to the arrays of a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from runtime.errors import InvalidArgumentError
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = ["Block", "Column", "Row", "column_of", "joined", "rows_of", "stacked"]

Column = Array | list[Array]
Row = tuple[Array, ...]


class Block:
    """`count` elements as columns, one for each leaf."""

    __slots__ = ("columns", "count")

    def __init__(self, columns: Sequence[Column], count: int) -> None:
        self.columns = columns
        self.count = count

    @classmethod
    def of_rows(cls, rows: Sequence[Row], leaves: int) -> Block:
        """The block of elements that are given one by one."""
        return cls([[row[i] for row in rows] for i in range(leaves)], len(rows))

    def part(self, start: int, stop: int) -> Block:
        """The elements from `start` to `stop`."""
        if start == 0 and stop >= self.count:
            return self
        return Block([column[start:stop] for column in self.columns], min(stop, self.count) - start)

    def split(self, n: int) -> tuple[Block, Block | None]:
        """The first n elements, and those that remain, if any do."""
        return (self.part(0, n), self.part(n, self.count)) if self.count > n else (self, None)

    def pick(self, positions: Sequence[int] | Array) -> Block:
        """The elements at these positions, in that order."""
        return Block([_picked(column, positions) for column in self.columns], len(positions))

    def rows(self) -> Iterator[Row]:
        """The elements one by one."""
        if not self.columns:
            return iter([()] * self.count)
        return zip(*map(rows_of, self.columns), strict=True)

    def nbytes(self) -> int:
        """Roughly how much memory the rows take."""
        return sum(
            column.nbytes if isinstance(column, np.ndarray) else sum(row.nbytes for row in column)
            for column in self.columns
        )


def rows_of(column: Column) -> list[Array]:
    """The rows of a column as arrays; those of a vector have rank 0."""
    if isinstance(column, list):
        return column
    if column.ndim > 1:
        return list(column)
    return [column[i, ...] for i in range(len(column))]


def _picked(column: Column, positions: Sequence[int] | Array) -> Column:
    if isinstance(column, list):
        return [column[i] for i in positions]
    picked: Array = column.take(positions, axis=0)
    return picked


def column_of(rows: list[Array]) -> Column:
    """The rows as one array where they have one shape; of few rows the list stays."""
    if not rows or rows[0].dtype.names is not None:
        return rows
    first = rows[0].shape
    if any(row.shape != first for row in rows):
        return rows
    return _stack(rows, first)


def _stack(rows: list[Array], shape: tuple[int, ...]) -> Array:
    made = np.empty((len(rows), *shape), rows[0].dtype)
    if not shape:
        for i, row in enumerate(rows):
            made[i] = row[()]
        return made
    for i, row in enumerate(rows):
        made[i] = row
    return made


def stacked(column: Column, what: str, path: str = "") -> Array:
    """The column as one array. Raises InvalidArgumentError where the shapes of its rows differ."""
    if isinstance(column, np.ndarray):
        return column
    made = column_of(column)
    if isinstance(made, np.ndarray):
        return made
    first = column[0].shape
    other = next(row.shape for row in column if row.shape != first)
    raise InvalidArgumentError(
        f"{what}: the elements{path and f' at {path}'} have different shapes, {TensorShape(first)} and"
        f" {TensorShape(other)}, so that they do not make one tensor; use padded_batch, or make the shapes equal"
    )


def joined(blocks: Sequence[Block]) -> Block:
    """The elements of all blocks, one after the other."""
    if len(blocks) == 1:
        return blocks[0]
    columns = [_joined(list(parts)) for parts in zip(*(block.columns for block in blocks), strict=True)]
    return Block(columns, sum(block.count for block in blocks))


def _joined(parts: list[Column]) -> Column:
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == len(parts) and all(a.shape[1:] == arrays[0].shape[1:] for a in arrays):
        return np.concatenate(arrays)
    return [row for part in parts for row in rows_of(part)]
