"""`group_by_window`: elements gathered by a key, and each group made a dataset of.

    Dataset.range(10).group_by_window(lambda x: x % 2, lambda key, group: group.batch(3), window_size=3)
    # [0 2 4], [1 3 5], [6 8], [7 9]

Groups wait until they are full; those that wait at the end come then, the smallest key first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.dtypes import int64
from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block, Row
from runtime.library.data.functions import Runner, Traced
from runtime.library.data.handles import boxed_node, unboxed_node
from runtime.library.data.mapping import Careful
from runtime.library.data.node import UNKNOWN, Node, Puller
from runtime.library.data.sources import given as given_elements
from runtime.library.data.steps import arguments_of, dataset, traced
from runtime.library.data.structure import DatasetSpec, Structure
from runtime.ops.records.record import Array
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["Groups", "group_by_window", "grouped", "integer_scalar"]

NAME: Final = "group_by_window"
KEY: Final = Structure(TensorSpec([], int64))
AT_ONCE: Final = 256
"""Elements whose keys are computed together, where nobody can tell."""


def group_by_window(source: Dataset[Any], key_func: Any, reduce_func: Any, size: Any, size_func: Any) -> Dataset[Any]:
    if (size is None) == (size_func is None):
        raise ValueError(f"{NAME}: one of window_size and window_size_func is needed")
    group = Structure(DatasetSpec(source.element_spec))
    found = (
        integer_scalar(traced(key_func, arguments_of(source.structure), NAME), f"{NAME}: key_func"),
        integer_scalar(traced(size_func or (lambda key: size), [KEY], NAME), f"{NAME}: window_size"),
        traced(reduce_func, [KEY, group], NAME),
    )
    spec = found[2].results.spec
    if not isinstance(spec, DatasetSpec):
        raise TypeError(f"{NAME}: reduce_func returns a dataset; it returned {spec!r}")
    structure = Structure(spec.element_spec)

    def build(node: Node, *values: Any) -> Node:
        captured = iter(values)
        key, size, reduce = (each.bind([next(captured) for _ in each.captures]) for each in found)

        def size_of(number: int) -> int:
            (given,) = size.row((_scalar(number),))
            if given < 1:
                raise InvalidArgumentError(f"{NAME}: a window has at least 1 element; got {given} for the key {number}")
            return int(given)

        def made(number: int, block: Block) -> Node:
            (handle,) = reduce.row((_scalar(number), boxed_node(given_elements(block, node.structure), "Window")))
            return unboxed_node(handle)

        return grouped(node, Groups(key, int, size_of, made, size.steady and reduce.steady), structure)

    return dataset("GroupByWindow", build, [source, *(c for each in found for c in each.captures)], structure)


def integer_scalar(found: Traced, what: str) -> Traced:
    """The function, if that is what it gives. Raises ValueError."""
    spec = found.results.spec
    if not isinstance(spec, TensorSpec) or not spec.dtype.is_integer or spec.shape.rank not in (0, None):
        raise ValueError(f"{what} gives an integer scalar; it gave {spec!r}")
    return found


@dataclass(frozen=True)
class Groups:
    """bucket(key(element)) is the key of an element. size: of the group of a key. made: what becomes of a group.
    repeats: whether the last two give the same each time."""

    key: Runner
    bucket: Callable[[Any], int]
    size: Callable[[int], int]
    made: Callable[[int, Block], Node]
    repeats: bool


def grouped(source: Node, groups: Groups, structure: Structure) -> Node:
    """The elements of what is made of the groups. It is not steady: nothing is known of that."""
    total = 0 if source.cardinality == 0 else UNKNOWN
    repeats = source.repeats and groups.key.steady and groups.repeats
    return Node(structure, total, False, lambda: _Grouping(source, groups), repeats)


class _Grouping:
    def __init__(self, source: Node, groups: Groups) -> None:
        puller = source.open()
        steady = source.steady and groups.key.steady
        self._width, self._close = len(source.structure.leaves), puller.close
        self._source, self._at_once = Careful(puller.pull, not steady), AT_ONCE if steady else 1
        self._groups = groups
        self._coming: deque[tuple[Row, int]] = deque()
        self._waiting: dict[int, list[Row]] = {}
        self._sizes: dict[int, int] = {}
        self._ended = False
        self._made: Puller | None = None

    def pull(self, n: int) -> Block | None:
        while True:
            if self._made is None:
                group = self._next()
                if group is None:
                    return None
                key, rows = group
                self._made = self._groups.made(key, Block.of_rows(rows, self._width)).open()
            block = self._made.pull(n)
            if block is not None:
                return block
            self._made.close()
            self._made = None

    def _next(self) -> tuple[int, list[Row]] | None:
        """The next group that is full; at the end one that is not."""
        while not self._ended:
            while self._coming:
                row, key = self._coming.popleft()
                group = self._waiting.setdefault(key, [])
                group.append(row)
                if len(group) >= self._size_of(key):
                    return key, self._waiting.pop(key)
            self._fetch()
        if not self._waiting:
            return None
        first = min(self._waiting)
        return first, self._waiting.pop(first)

    def _fetch(self) -> None:
        block = self._source.next(self._at_once)
        if block is None:
            self._ended = True
            return
        keys = self._source.each(block, self._keys)
        self._coming.extend(zip(block.rows(), keys, strict=False))

    def _keys(self, block: Block) -> Iterator[int]:
        return (self._groups.bucket(value) for (value,) in self._groups.key.rows(block))

    def _size_of(self, key: int) -> int:
        if key not in self._sizes:
            self._sizes[key] = self._groups.size(key)
        return self._sizes[key]

    def close(self) -> None:
        if self._made is not None:
            self._made.close()
        self._close()


def _scalar(key: int) -> Array:
    made: Array = np.array(key, np.int64)
    return made
