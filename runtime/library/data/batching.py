"""Steps between elements and groups of elements: `batch`, `padded_batch`, `unbatch`, `window`.

    batched(counting(0, 1, 7, ...), 3, False, structure)        # [0 1 2], [3 4 5], [6]

Where the rows are one array already, batches are views of it, and many batches are made by one reshape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block, Column, Row, rows_of, stacked
from runtime.library.data.composites import kind_of
from runtime.library.data.handles import boxed_node
from runtime.library.data.node import UNKNOWN, Node, Pull, Rest, counted, drain
from runtime.library.data.sources import given
from runtime.library.data.structure import Structure
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = ["batched", "padded_batches", "rows_within", "unbatched", "windows"]


def batched(source: Node, size: int, drop: bool, structure: Structure) -> Node:
    """`size` elements as one, with a new first dimension; the last one may be smaller unless `drop`."""
    total = _groups(source, size, drop)
    if source.structure.has_composites:
        group = partial(_batch, source.structure)
        return source.step(
            lambda pull: _grouping(Rest(pull), size, drop, group), structure=structure, cardinality=total
        )
    return source.step(lambda pull: _Batching(pull, size, drop).pull, structure=structure, cardinality=total)


def _batch(structure: Structure, taken: Block) -> Block:
    """The elements as one, where some components are made of several leaves."""
    made: list[Array] = []
    for spec, columns in structure.by_component(taken.columns):
        kind = kind_of(spec)
        if kind is None:
            made.append(stacked(columns[0], "batch"))
        else:
            made += kind.stack(list(zip(*map(rows_of, columns), strict=True)))
    return Block([[array] for array in made], 1)


def _groups(source: Node, size: int, drop: bool) -> int:
    return counted(source.cardinality, lambda n: n // size if drop else -(-n // size))


class _Batching:
    def __init__(self, pull: Pull, size: int, drop: bool) -> None:
        self._rest = Rest(pull)
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


def _grouped(column: Column, groups: int, size: int) -> Column:
    if isinstance(column, np.ndarray):
        grouped: Array = column.reshape(groups, size, *column.shape[1:])
        return grouped
    return [stacked(column[i * size : (i + 1) * size], "batch") for i in range(groups)]


def padded_batches(
    source: Node, size: int, drop: bool, shapes: Sequence[TensorShape], values: Sequence[Array], structure: Structure
) -> Node:
    """As batched, of elements whose shapes differ: each is padded to the largest, or to the shape that is given.

    shapes, values: for each leaf, the dims (None: the largest), and what the padding consists of.
    """

    def group(taken: Block) -> Block:
        leaves = zip(taken.columns, shapes, values, strict=True)
        return Block([[padded(rows_of(column), shape, value)] for column, shape, value in leaves], 1)

    return source.step(
        lambda pull: _grouping(Rest(pull), size, drop, group),
        structure=structure,
        cardinality=_groups(source, size, drop),
    )


def _grouping(rest: Rest, size: int, drop: bool, group: Callable[[Block], Block]) -> Pull:
    """What pulls `group` of `size` elements, one by one."""

    def pull(n: int) -> Block | None:
        taken = rest.take(size)
        if taken is not None and taken.count < size:
            rest.take(size - taken.count)  # raises what the elements before were waiting for
        return None if taken is None or (drop and taken.count < size) else group(taken)

    return pull


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


def unbatched(source: Node, structure: Structure) -> Node:
    """The rows of the elements, one by one."""
    dims = source.structure.components[0].shape.dims
    rows, inner = (dims[0] if dims else None), source.cardinality
    total = counted(inner, lambda n: n * rows) if rows is not None else UNKNOWN if inner > 0 else inner
    return source.step(
        lambda pull: _Unbatching(pull, source.structure).pull, structure=structure, cardinality=total
    )


class _Unbatching:
    def __init__(self, pull: Pull, structure: Structure) -> None:
        self._pull = pull
        self._structure = structure
        self._rest: Block | None = None

    def pull(self, n: int) -> Block | None:
        while self._rest is None:
            block = self._pull(1)
            if block is None:
                return None
            rows = rows_within(self._structure, next(block.rows()), "unbatch: the tensors of an element need")
            self._rest = rows if rows.count else None
        block, self._rest = self._rest.split(n)
        return block


def rows_within(structure: Structure, element: Row, words: str) -> Block:
    """The rows of the components of an element. Raises InvalidArgumentError where their numbers differ."""
    columns: list[Column] = []
    shapes: list[tuple[int, ...]] = []
    for spec, parts in structure.by_component(element):
        kind = kind_of(spec)
        rows = None if kind is None else kind.rows(tuple(parts))
        columns += parts if rows is None else rows.columns
        shapes.append(parts[0].shape if rows is None else (rows.count,))
    lengths = {shape[:1] for shape in shapes}
    if len(lengths) != 1 or () in lengths:
        raise InvalidArgumentError(f"{words} one first dimension; got {', '.join(str(TensorShape(s)) for s in shapes)}")
    return Block(columns, shapes[0][0])


def windows(
    source: Node, size: int, shift: int, stride: int, drop: bool, structure: Structure, parts: Sequence[Structure]
) -> Node:
    """Overlapping groups of elements, each as a dataset; a dataset for each component.

    size: elements of a window; shift: from one window's start to the next one's; stride: between its elements.
    """
    span = (size - 1) * stride + 1

    def total(n: int) -> int:
        return max(0, (n - span) // shift + 1) if drop else -(-n // shift)

    def handles(block: Block) -> Block:
        window = block.pick(range(0, min(span, block.count), stride))
        columns = [columns for _, columns in source.structure.by_component(window.columns)]
        return Block([[_handle(c, part, window.count)] for c, part in zip(columns, parts, strict=True)], 1)

    return source.step(
        lambda pull: _Windowing(Rest(pull), span, shift, drop, handles).pull,
        structure=structure,
        cardinality=counted(source.cardinality, total),
    )


class _Windowing:
    def __init__(self, rest: Rest, span: int, shift: int, drop: bool, handles: Callable[[Block], Block]) -> None:
        self._rest = rest
        self._span, self._shift, self._drop = span, shift, drop
        self._handles = handles
        self._kept: Block | None = None
        self._ended = False

    def pull(self, n: int) -> Block | None:
        if self._ended:
            return None
        block = self._filled()
        if block is None or (self._drop and block.count < self._span):
            self._ended = True
            return None
        if block.count > self._shift:
            self._kept = block.part(self._shift, block.count)
        else:
            between = self._shift - block.count
            self._kept = None
            self._ended = drain(self._rest.take, between) < between
        return self._handles(block)

    def _filled(self) -> Block | None:
        """The elements from the next window's start to its end, as far as there are."""
        kept = self._kept
        if kept is not None and kept.count >= self._span:
            return kept
        more = self._rest.take(self._span - (0 if kept is None else kept.count))
        if kept is None or more is None:
            return kept or more
        self._kept = None
        self._rest.put_back(more)
        self._rest.put_back(kept)
        return self._rest.take(self._span)


def _handle(columns: Sequence[Column], structure: Structure, count: int) -> Array:
    return boxed_node(given(Block([rows_of(column) for column in columns], count), structure), "Window")
