"""Objects that the branches of a statement make: which variables and places refer to them at the end of each branch.

    if x > 0: row = [x]; rows[0] = row      # made here, and referred to twice: it stays one object, and what it holds
    else:     row = first                   # is carried out of the branch; `row` is that list, or `first`

A list or dict that one variable alone refers to is not looked at here: those of all branches are merged into one. So
are deques of one length, and sets with the same members (`NewItems`), which else were more after each statement.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lists.kind import TENSOR_LIST
from runtime.control_flow.objects.refs import Choice, OneOf, Ref, can_be_chosen, objects_of
from runtime.control_flow.optional.values import inside_of
from runtime.heap.code import is_user_class
from runtime.heap.holder import Holder
from runtime.heap.kind import PLAIN, Kind
from runtime.heap.kinds import container_kind, object_kinds
from runtime.heap.store import World
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.tensor import Tensor

__all__ = ["Made", "NewItems", "parts_to_carry"]


class NewItems:
    """A deque or set that a branch has made for one variable, as a structure of its items for the merger."""

    __slots__ = ("items", "whole")

    def __init__(self, whole: deque[Any] | set[Any], items: Sequence[Any]) -> None:
        self.whole = whole
        self.items = items

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f"[{i}]", item) for i, item in enumerate(self.items)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> deque[Any] | set[Any]:
        return deque(parts, self.whole.maxlen) if isinstance(self.whole, deque) else set(self.whole)

    def _nest_check(self, other: Any) -> None:
        if not isinstance(other, NewItems) or len(other.items) != len(self.items):
            raise TypeError("another deque or set")


class Made:
    """See the module's docstring. rows: for each branch what its variables and changed places are.

    copies: whether what only one branch makes becomes another object after the statement.
    """

    def __init__(self, world: World, rows: Sequence[Iterable[Any]], copies: bool = False) -> None:
        self._world = world
        self._copies = copies
        self._branch: dict[int, tuple[Any, int]] = {}
        self._counts: Counter[int] = Counter()
        self._taken: set[int] = set()
        self.queue: list[tuple[Any, int]] = []
        """The objects, each with its branch, whose contents are to be carried; it grows while they are."""
        for branch, row in enumerate(rows):
            self._survey(row, branch)

    def _survey(self, row: Iterable[Any], branch: int) -> None:
        pending = list(row)
        while pending:
            value = inside_of(pending.pop())
            if isinstance(value, Tensor) or self._world.knows(value):
                continue
            if isinstance(value, Ref):
                pending += value._ag_objects
            elif isinstance(value, TracedArray):
                self._counts.update(id(buffer) for buffer in value.buffers)
            elif can_be_chosen(value):
                self._counts[id(value)] += 1
                if id(value) not in self._branch:
                    self._branch[id(value)] = value, branch
                    pending += _inside(value)
            elif nest.is_nested(value):
                pending += nest.parts(value)

    def choice(self, values: Sequence[Any]) -> list[Any] | None:
        """For the merger, the objects that a variable may be after the branches; None where contents can be merged."""
        if not all(map(can_be_chosen, values)) or not self._must_choose(values):
            return None
        choice = Choice()
        objects = [inner for value in values for inner in objects_of(value)]
        if any(not self._can_be_carried(value) for value in objects):
            return None
        for value in objects:
            choice.position(value)
            self._take(value)
        return [OneOf(choice, [choice.part(value)]) for value in values]

    def items_of(self, values: Sequence[Any]) -> list[Sequence[Any]] | None:
        """The items of deques or sets of which each was made for this variable alone, and that are alike; else None.

        Those of sets are no values of the graph: there are none.
        """
        kind = type(values[0])
        if kind not in (deque, set) or any(type(v) is not kind for v in values):
            return None
        if any(self._world.knows(v) or self._counts[id(v)] != 1 for v in values):
            return None
        first = values[0]
        if kind is set:
            are_same = all(len(v) == len(first) and all(map(_is_same, v, first)) for v in values)
            return [() for _ in values] if are_same else None
        is_alike = all(len(v) == len(first) and v.maxlen == first.maxlen for v in values)
        return list(map(tuple, values)) if is_alike else None

    def _must_choose(self, values: Sequence[Any]) -> bool:
        """Whether it matters which object it is: others refer to one of them, or they are not alike."""
        first = values[0]
        if len(values) == 1 and self._copies and nest.is_nested(first) and not self._world.knows(first):
            return False
        if len(values) == 1 or any(isinstance(v, Ref) or self._world.knows(v) for v in values):
            return not all(value is first and self._world.knows(value) for value in values)
        if any(self._counts[id(value)] > 1 or not nest.is_nested(value) for value in values):
            return True
        kinds = [container_kind(value) for value in values]
        if {kind.word for kind in kinds if kind is not None} == {"list"}:
            return False
        steps = {tuple(step for step, _ in nest.children(value)) for value in values}
        return any(type(v) is not type(first) for v in values) or len(steps) > 1

    def _can_be_carried(self, value: Any) -> bool:
        if self._world.knows(value):
            return True
        forms = [kind.form for kind in _kinds(value) if kind.word != "set"]
        return id(value) in self._branch and (type(value) is np.ndarray or "whole" not in forms)

    def _take(self, value: Any) -> None:
        if id(value) not in self._taken and not self._world.knows(value):
            self._taken.add(id(value))
            self.queue.append(self._branch[id(value)])

    def is_shared_array(self, value: Any) -> bool:
        """Whether it is an array whose memory is there under another name."""
        array = inside_of(value)
        return isinstance(array, TracedArray) and any(
            self._counts[id(buffer)] > 1 or self._world.knows(buffer) for buffer in array.buffers
        )


def _is_same(a: Any, b: Any) -> bool:
    """Whether two members of sets are one, for which order and type count, too."""
    return a is b or (type(a) is type(b) and type(a) in PLAIN and a == b)


def parts_to_carry(value: Any) -> Iterator[Holder]:
    """What an object holds, for each way to hold something."""
    for kind in _kinds(value):
        if kind.form != "whole":
            yield Holder(value, kind, "an object made in a branch", kind.read(value))


def _kinds(value: Any) -> list[Kind]:
    found = container_kind(value)
    kinds = [] if found is None else [found]
    return kinds + object_kinds(value) if is_user_class(type(value)) else kinds


def _inside(value: Any) -> Iterator[Any]:
    for kind in _kinds(value):
        if kind is TENSOR_LIST or kind.form == "whole":
            continue
        contents = kind.read(value)
        yield from contents if kind.form == "items" else contents.values()
