"""`Dataset.from_dask` and `Dataset.to_dask`: the rows and items of Dask's collections as elements, and the way back.

    Dataset.from_dask((images, labels)).batch(32)         # dask arrays: row by row, block after block
    Dataset.from_dask(bag), Dataset.from_dask([delayed_table, delayed_table])
    dataset.to_dask(npartitions=4)                        # a bag

A partition is computed when its turn comes, some ahead of it at the same time, by whatever Dask computes with: a client
where there is one. Elements come in the order of the collection, however many workers there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from runtime import structures
from runtime.dtypes import from_numpy
from runtime.errors import InvalidArgumentError
from runtime.extras import extra
from runtime.library.data import steps
from runtime.library.data.batching import rows_within
from runtime.library.data.blocks import Block
from runtime.library.data.functions import as_element
from runtime.library.data.handles import known_node
from runtime.library.data.making import numpy_elements
from runtime.library.data.node import INFINITE, UNKNOWN, Node
from runtime.library.data.sources import checked_row
from runtime.library.data.structure import Structure, as_leaves, is_inner, structure_of
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["cuts", "dask_arrays", "from_dask", "row_blocks", "to_dask"]

AHEAD: Final = 4
"""So many partitions are computed at once."""


def from_dask(value: Any, signature: Any = None) -> Dataset[Any]:
    """See `Dataset.from_dask`."""
    if isinstance(value, _dask("dask.bag").Bag):
        made = _of_bag(value, signature)
    elif leaves := dask_arrays(value):
        made = _of_arrays(value, leaves, signature)
    else:
        parts = list(value) if isinstance(value, list | tuple) else [value]
        if not parts or not all(isinstance(part, _dask("dask.delayed").Delayed) for part in parts):
            raise TypeError(
                "Dataset.from_dask takes a dask array or a structure of them, a bag, or a list of dask.delayed objects;"
                f" got {value!r}"
            )
        made = _of_delayed(parts, signature)
    return steps.dataset("Dask", made.node, [], made.structure)


def _dask(module: str = "dask") -> Any:
    return extra(module, "dask", "datasets of Dask's collections need")


@dataclass(frozen=True)
class _Partitions:
    """parts: for each partition what Dask computes; block: from what that is, and its number, to elements."""

    parts: Sequence[Any]
    structure: Structure
    block: Callable[[Any, str], Block]
    count: int = UNKNOWN

    def node(self) -> Node:
        """The source of the elements."""
        return Node(self.structure, self.count, False, lambda: _Computing(self._blocks()))

    def _blocks(self) -> Iterator[Block]:
        dask = _dask()
        for first in range(0, len(self.parts), AHEAD):
            started = dask.persist(*self.parts[first : first + AHEAD])
            for number, part in enumerate(started, first):
                yield self.block(dask.compute(part)[0], f"partition {number} of the Dask collection")


class _Computing:
    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._rest: Block | None = None

    def pull(self, n: int) -> Block | None:
        while self._rest is None or not self._rest.count:
            self._rest = next(self._blocks, None)
            if self._rest is None:
                return None
        block, self._rest = self._rest.split(n)
        return block

    def close(self) -> None:
        self._rest, self._blocks = None, iter(())


def _of_bag(bag: Any, signature: Any) -> _Partitions:
    if signature is None:
        first = bag.take(1, npartitions=-1, warn=False)
        if not first:
            raise InvalidArgumentError("Dataset.from_dask: the bag is empty; say with element_spec what is in it")
        signature = structure_of(as_element(first[0], "from_dask")).spec
    structure = Structure(signature)

    def block(items: Any, what: str) -> Block:
        rows = [checked_row(structure, item, f"item {i} of {what}") for i, item in enumerate(items)]
        return Block.of_rows(rows, len(structure.leaves))

    return _Partitions(bag.to_delayed(), structure, block)


def _of_delayed(parts: Sequence[Any], signature: Any) -> _Partitions:
    if signature is not None:
        return _of_rows(parts, Structure(signature))
    whole = structure_of(as_element(parts[0].compute(), "from_dask"))
    whole.require_rows("from_dask")
    return _of_rows(parts, whole.without_leading())


def _of_rows(parts: Sequence[Any], structure: Structure, count: int = UNKNOWN) -> _Partitions:
    """Of partitions that are tables: a structure of arrays, whose rows are the elements."""
    whole = structure.with_leading(None)

    def block(table: Any, what: str) -> Block:
        return rows_within(whole, checked_row(whole, table, what), f"{what}: the arrays need")

    return _Partitions(parts, structure, block, count)


def _of_arrays(value: Any, leaves: Sequence[Any], signature: Any) -> _Partitions:
    if signature is None:
        specs = iter([TensorSpec(_sizes(leaf.shape[1:]), from_numpy(leaf.dtype)) for leaf in leaves])
        signature = _map(value, lambda leaf: next(specs))
    structure = Structure(signature)
    blocks, rows = row_blocks(leaves, "Dataset.from_dask")
    pack = _dask().delayed(_Packed(structure))
    parts = [pack(list(row)) for row in blocks]
    return _of_rows(parts, structure, UNKNOWN if rows is None else rows)


@dataclass(frozen=True)
class _Packed:
    structure: Structure

    def __call__(self, leaves: Sequence[Any]) -> Any:
        return self.structure.pack(leaves)


def row_blocks(leaves: Sequence[Any], what: str) -> tuple[list[tuple[Any, ...]], int | None]:
    """The blocks of rows of dask arrays, as delayed arrays: one tuple for each block of the first array.

    Also how many rows there are, None where Dask does not know it. Raises InvalidArgumentError where they differ.
    """
    for leaf in leaves:
        if not leaf.ndim:
            raise InvalidArgumentError(f"{what}: a scalar has no rows; got {leaf!r}")
    chunks = leaves[0].chunks[0]
    columns = []
    for leaf in leaves:
        known = chunks == chunks and leaf.shape[0] == leaf.shape[0]
        if known and leaf.shape[0] != leaves[0].shape[0]:
            shapes = ", ".join(str(one.shape) for one in leaves)
            raise InvalidArgumentError(f"{what}: the arrays need one number of rows; their shapes are {shapes}")
        others = dict.fromkeys(range(1, leaf.ndim), -1)
        columns.append(leaf.rechunk(others | ({0: chunks} if known else {})).to_delayed().reshape(-1))
    total = leaves[0].shape[0]
    return list(zip(*columns, strict=True)), None if total != total else int(total)


def dask_arrays(value: Any) -> list[Any]:
    """The dask arrays of a structure of nothing else; none of any other value."""
    leaves = [leaf for _, leaf in as_leaves(value)] if is_inner(value) else [value]
    if not leaves or not all(hasattr(leaf, "__dask_graph__") for leaf in leaves):
        return []
    kind = _dask("dask.array").Array
    return leaves if all(isinstance(leaf, kind) for leaf in leaves) else []


def _map(value: Any, function: Callable[[Any], Any]) -> Any:
    if not is_inner(value):
        return function(value)
    return structures.rebuild(value, [_map(part, function) for _, part in structures.children(value)])


def _sizes(shape: Sequence[Any]) -> list[int | None]:
    return [None if size != size else int(size) for size in shape]


def to_dask(dataset: Dataset[Any], npartitions: int) -> Any:
    """See `Dataset.to_dask`."""
    dask = _dask()
    if type(npartitions) is not int or npartitions < 1:
        raise ValueError(f"to_dask: npartitions is a positive integer; got {npartitions!r}")
    node = known_node(dataset.handle)
    if node is not None and node.cardinality == INFINITE:
        raise InvalidArgumentError("to_dask: the dataset is infinite; take(n) of it")
    elements = list(numpy_elements(dataset))
    bounds = cuts(len(elements), npartitions)
    parts = [dask.delayed(elements[first:last], traverse=False) for first, last in bounds]
    return _dask("dask.bag").from_delayed(parts)


def cuts(count: int, parts: int) -> list[tuple[int, int]]:
    """Where so many rows are cut into so many parts: (first, last) of each; the first ones are one longer."""
    size, more = divmod(count, parts)
    bounds = [0]
    for part in range(parts):
        bounds.append(bounds[-1] + size + (part < more))
    return list(itertools.pairwise(bounds))
