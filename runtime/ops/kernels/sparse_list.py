"""`SparseList`: values at some positions, nothing at all others: what the handle of a gradient holds at run time.

    >>> one = SparseList().add(70_000, np.float32(1))
    >>> one.get(70_000), one.get(3)
    (np.float32(1.0), None)

It never changes, as the list itself: each operation gives a new one, in a few steps however far apart the positions
are. Values are kept in a tree of tuples of up to 32, in which None stands for all that would be empty; adding two of
them looks only at what both have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

__all__ = ["SparseList"]

BITS: Final = 5
WIDTH: Final = 1 << BITS
MASK: Final = WIDTH - 1

Node = tuple[Any, ...] | None
Sum = Callable[[Any, Any], Any]


class SparseList:
    """See the module's docstring."""

    __slots__ = ("_root", "_shift")

    def __init__(self, root: Node = None, shift: int = 0) -> None:
        """root: a leaf where shift is 0, else a node of nodes; shift: the bits of a position below those for it."""
        self._root = root
        self._shift = shift

    @staticmethod
    def of(items: Iterable[tuple[int, Any]], total: Sum) -> SparseList:
        """The values at these positions; those of one position are summed."""
        made = SparseList()
        for position, value in items:
            made = made.add(position, value, total)
        return made

    def get(self, position: int) -> Any:
        """The value at a position, None if there is none."""
        if position < 0 or position >> self._shift + BITS:
            return None
        node: Any = self._root
        for shift in range(self._shift, -1, -BITS):
            if node is None:
                return None
            node = _child(node, position >> shift & MASK)
        return node

    def add(self, position: int, value: Any, total: Sum | None = None) -> SparseList:
        """With a value at a position, added to what is there by `total`, or in its place."""
        grown = self._grown(position)
        path: list[tuple[Node, int]] = []
        node: Any = grown._root
        for shift in range(grown._shift, -1, -BITS):
            place = position >> shift & MASK
            path.append((node, place))
            node = _child(node, place)
        made = value if node is None or total is None or value is None else total(node, value)
        for node, place in reversed(path):
            made = _with(node, place, made)
        return SparseList(made, grown._shift)

    def sum(self, other: SparseList, total: Sum) -> SparseList:
        """The values of both, summed where both have one."""
        if self._root is None or other._root is None:
            return other if self._root is None else self
        a, b = (self, other) if self._shift >= other._shift else (other, self)
        while b._shift < a._shift:
            b = SparseList((b._root,), b._shift + BITS)
        return SparseList(_merged(a._root, b._root, a._shift, total), a._shift)

    def without(self, start: int, stop: int) -> SparseList:
        """Without the values at the positions from `start` to before `stop`."""
        last = min(stop, 1 << self._shift + BITS)
        if self._root is None or start >= last:
            return self
        return SparseList(_cleared(self._root, self._shift, start, last), self._shift)

    def items(self) -> Iterator[tuple[int, Any]]:
        """The positions that have a value, in order, and the values."""
        stack: list[tuple[Any, int, int]] = [(self._root, self._shift, 0)]
        while stack:
            node, shift, start = stack.pop()
            if node is None:
                continue
            if shift < 0:
                yield start, node
                continue
            stack += [(child, shift - BITS, start + (i << shift)) for i, child in reversed([*enumerate(node)])]

    def _grown(self, position: int) -> SparseList:
        root, shift = self._root, self._shift
        while position >> shift + BITS:
            root, shift = (None if root is None else (root,)), shift + BITS
        return SparseList(root, shift)

    def __repr__(self) -> str:
        return f"<SparseList of {sum(1 for _ in self.items())}>"


def _child(node: Node, place: int) -> Any:
    return node[place] if node is not None and place < len(node) else None


def _with(node: Node, place: int, child: Any) -> Node:
    """The node with another child; None for one without any."""
    before = node or ()
    if place >= len(before):
        return before if child is None else (*before, *[None] * (place - len(before)), child)
    made = (*before[:place], child, *before[place + 1 :])
    return made if child is not None or any(c is not None for c in made) else None


def _merged(a: Any, b: Any, shift: int, total: Sum) -> Any:
    """The sum of two nodes; it recurses as deep as the tree, a step for each 5 bits of a position."""
    if a is None or b is None:
        return b if a is None else a
    if shift < 0:
        return total(a, b)
    size = max(len(a), len(b))
    return tuple([_merged(_child(a, i), _child(b, i), shift - BITS, total) for i in range(size)])


def _cleared(node: Any, shift: int, start: int, stop: int) -> Any:
    """The node without the positions from `start` to before `stop`, counted from its first one."""
    if node is None or (start <= 0 and stop >> shift + BITS):
        return None
    made = list(node)
    first, last = max(start, 0) >> shift, min((stop - 1) >> shift, len(made) - 1)
    for i in range(first, last + 1):
        begin = i << shift
        made[i] = _cleared(made[i], shift - BITS, start - begin, stop - begin) if shift else None
    while made and made[-1] is None:
        made.pop()
    return tuple(made) or None
