"""`ListValue`: what the handle of a growing list holds at run time. It never changes: each operation gives a new one.

    >>> one = ListValue.of([np.int32(1)])
    >>> two = one.push(np.int32(2))
    >>> len(one), len(two)
    (1, 2)

A value in a graph may be read again after a "later" value was made of it (by the other branch, by another thread that
runs the same plan, by a gradient), so nothing is shared that is written to. Elements are kept in a tree of tuples of up
to 32: push, pop, get and set cost a few steps however long the list is, in any mixture, and old values stay valid.
Elements are arrays that nobody writes to.

The last ones are in a Python list of their own, the tail, which values share: each looks at its first so many elements
only, and these never change. The value that shows all of a tail appends to it; for any other one, push copies it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from runtime.dtypes import variant
from runtime.ops.records.record import Array

__all__ = ["EMPTY", "ListValue", "boxed", "unboxed"]

BITS: Final = 5
WIDTH: Final = 1 << BITS
MASK: Final = WIDTH - 1

Node = tuple[Any, ...]


class ListValue:
    """A list that never changes. See the module's docstring."""

    __slots__ = ("_root", "_shift", "_size", "_tail")

    def __init__(self, size: int, shift: int, root: Node, tail: list[Array]) -> None:
        """size: of the whole list. root: full leaves of 32 elements under nodes of up to 32, `shift` bits above.

        tail: begins with the one to 32 elements behind those.
        """
        self._size = size
        self._shift = shift
        self._root = root
        self._tail = tail

    @staticmethod
    def of(items: Iterable[Any]) -> ListValue:
        """The list of these elements, in linear time."""
        elements = tuple(items)
        size = len(elements)
        if not size:
            return EMPTY
        cut = (size - 1) & ~MASK
        level: Node = tuple(elements[i : i + WIDTH] for i in range(0, cut, WIDTH))
        shift = BITS
        while len(level) > WIDTH:
            level = tuple(level[i : i + WIDTH] for i in range(0, len(level), WIDTH))
            shift += BITS
        return ListValue(size, shift, level, list(elements[cut:]))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Array]:
        level: Iterable[Any] = self._root
        for _ in range(self._shift // BITS):
            level = itertools.chain.from_iterable(level)
        return itertools.chain(level, self._last())

    def push(self, item: Array) -> ListValue:
        """With one more element at the end."""
        size, tail = self._size, self._tail
        count = size & MASK
        if count:
            if len(tail) == count:
                tail.append(item)
            if tail[count] is not item:  # another value shows more, or another thread was quicker
                tail = [*tail[:count], item]
            return ListValue(size + 1, self._shift, self._root, tail)
        if not size:
            return ListValue(1, BITS, (), [item])
        root, shift = self._root, self._shift
        if _capacity(shift) < size:
            root, shift = (root,), shift + BITS
        return ListValue(size + 1, shift, _with_leaf(root, shift, size - WIDTH, tuple(self._last())), [item])

    def get(self, index: int) -> Array:
        """The element at a position. Raises IndexError."""
        index = self._position(index, "list index out of range")
        start = self._size - 1 & ~MASK
        if index >= start:
            return self._tail[index - start]
        node: Any = self._root
        for shift in range(self._shift, -1, -BITS):
            node = node[index >> shift & MASK]
        return node

    def set(self, index: int, item: Array) -> ListValue:
        """With another element at a position. Raises IndexError."""
        index = self._position(index, "list assignment index out of range")
        start = self._size - 1 & ~MASK
        if index >= start:
            tail = self._last()
            tail[index - start] = item
            return ListValue(self._size, self._shift, self._root, tail)
        path = []
        node: Any = self._root
        for shift in range(self._shift, -1, -BITS):
            path.append((node, index >> shift & MASK))
            node = node[path[-1][1]]
        made: Any = item
        for node, place in reversed(path):
            made = (*node[:place], made, *node[place + 1 :])
        return ListValue(self._size, self._shift, made, self._tail)

    def pop(self, index: int = -1) -> tuple[ListValue, Array]:
        """Without an element, and that element. Raises IndexError. At the end it is quick, elsewhere linear."""
        if not self._size:
            raise IndexError("pop from empty list")
        index = self._position(index, "pop index out of range")
        if index != self._size - 1:
            items = list(self)
            item = items.pop(index)
            return ListValue.of(items), item
        count = self._size - 1 & MASK
        item = self._tail[count]
        if count:
            return ListValue(self._size - 1, self._shift, self._root, self._tail), item
        if self._size == 1:
            return EMPTY, item
        root, leaf = _without_leaf(self._root, self._shift)
        shift = self._shift
        while shift > BITS and len(root) == 1:
            root, shift = root[0], shift - BITS
        return ListValue(self._size - 1, shift, root, list(leaf)), item

    def insert(self, index: int, item: Array) -> ListValue:
        """With one more element before a position; a position outside of the list counts as its end. Linear."""
        if index >= self._size:
            return self.push(item)
        items = list(self)
        items.insert(index, item)
        return ListValue.of(items)

    def extend(self, items: Iterable[Array]) -> ListValue:
        """With more elements at the end."""
        more = tuple(items)
        if len(more) > WIDTH:
            return ListValue.of(itertools.chain(self, more))
        made = self
        for item in more:
            made = made.push(item)
        return made

    def _last(self) -> list[Array]:
        """The elements of the tail that belong to this value, in a new list."""
        return self._tail[: (self._size - 1 & MASK) + 1] if self._size else []

    def _position(self, index: int, message: str) -> int:
        position = index + self._size if index < 0 else index
        if not 0 <= position < self._size:
            raise IndexError(message)
        return position

    def __repr__(self) -> str:
        return f"<list of {self._size}>"


def _capacity(shift: int) -> int:
    """How many elements a tree has room for."""
    return 1 << shift + BITS


def _with_leaf(root: Node, shift: int, index: int, leaf: Node) -> Node:
    """The tree with the leaf that starts at element `index`, behind all others."""
    path = []
    node: Any = root
    for level in range(shift, BITS, -BITS):
        path.append(node)
        place = index >> level & MASK
        node = node[place] if place < len(node) else ()
    made: Node = (*node, leaf)
    for level, node in zip(range(2 * BITS, shift + 1, BITS), reversed(path), strict=True):
        made = (*node[: index >> level & MASK], made)
    return made


def _without_leaf(root: Node, shift: int) -> tuple[Node, Node]:
    """The tree without its last leaf, and that leaf."""
    path = []
    node: Any = root
    for _ in range(shift, 0, -BITS):
        path.append(node)
        node = node[-1]
    leaf: Node = node
    made: Node = path.pop()[:-1]
    for node in reversed(path):
        made = (*node[:-1], made) if made else node[:-1]
    return made, leaf


EMPTY: Final = ListValue(0, BITS, (), [])


def boxed(value: ListValue) -> Array:
    """The array of rank 0 that a tensor of dtype variant holds."""
    return np.array((value,), variant.numpy)


def unboxed(array: Array) -> ListValue:
    """The list in an array of dtype variant."""
    return array.item()[0]
