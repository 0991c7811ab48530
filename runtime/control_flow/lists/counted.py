"""Lists that get longer in a loop over what Python knows: of the graph while that is traced, Python's again behind it.

    ys = []
    for i in range(500):      # one loop of the graph, in which `ys` is a TensorList
        y = step(y)
        if i % 10 == 0:       # what the position alone decides is known for all iterations
            ys.append(y)
    len(ys)                   # 50: `ys` is the list that it was before, and holds 50 tensors

How many elements it has is found in the graph of the body; where that does not tell, or the elements would not be what
Python's are, the loop is unrolled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime.control_flow.lists.element_types import ElementType, LeafType
from runtime.control_flow.lists.exact import INEXACT
from runtime.control_flow.lists.promotion import Longer, demote, promote
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.signals import Unrolls
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.heap.store import Holder, World
from runtime.ops.flow.core import constant_node
from runtime.ops.lists.lists import list_push
from runtime.ops.records.record import REGISTRY
from runtime.restarts import Restart

__all__ = ["CountedLists", "note_loop"]

_TRIPS: Final[PerTrace[dict[int, tuple[Operation, int, int]]]] = PerTrace(dict)
"""Of loops over what Python knows that go to their end: how many iterations there are, and the number of the input
that counts them."""

_SAME_NUMBERS: Final = frozenset({"identity", "cast"})
"""What can be computed of all positions at once, besides what works element by element."""


def note_loop(graph: Graph, operation: Operation, trips: int, counter: int) -> None:
    """To be called for each loop that goes to its end, however the iterations turn out."""
    _TRIPS.of(graph)[id(operation)] = operation, trips, counter


@dataclass(slots=True)
class CountedLists:
    """The lists that get longer in one loop.

    most: how many elements one may have before it; -1: none is taken in. To take a list in and give it back costs about
    what an operation costs, for each element: it pays where more operations are saved.
    """

    most: int
    taken: list[tuple[Any, Any, list[Any], World]] = field(default_factory=list)
    """Each with the one that takes its place, its first elements, and what the loop can reach."""
    is_too_dear: bool = False
    """Whether one was not taken in only because it does not pay for this loop, as it may for one around."""

    def take_in(self, found: Longer, world: World) -> None:
        """Puts a list of the graph in the place of a list of Python's. Raises Restart, StagingError."""
        holder, elements = next(iter(found.lists.items()))
        is_known = type(holder.owner) is list and not (elements is not None and elements.has_rows)
        self.is_too_dear = is_known and self.most < 0
        if not is_known or len(holder.before) > self.most:
            raise Restart(Unrolls(_longer(holder)))
        first = list(holder.before)
        new = promote(holder, world, lambda: StagingError(_longer(holder)), elements=elements)
        self.taken.append((holder.owner, new, first, world))

    def give_back(self, loop: Operation) -> None:
        """Behind the loop: makes them lists of Python's again, with all elements. Raises Restart."""
        found = [[*first, *_elements(new, first, loop)] for _, new, first, _ in self.taken]
        for (old, new, _, world), elements in zip(self.taken, found, strict=True):
            demote(new, old, elements, world)


def _longer(holder: Holder) -> str:
    return f"{holder.described()} gets longer"


def _elements(items: TensorList, first: Sequence[Any], loop: Operation) -> list[Any]:
    """What the iterations of a loop have put into a list. Raises Restart where that is not known."""
    kind, count = items.elements, _count(items, loop)
    if kind is None or count is None or not _is_exact(kind, first):
        raise Restart(Unrolls("a list gets longer, by as many elements, or of such kinds, as the body does not tell"))
    if not count:
        return []
    unstack, total = REGISTRY["unstack"], len(first) + count
    columns = [unstack(column, num=total)[len(first) :] for column in items.columns()]
    return [items.packed(kind, parts) for parts in zip(*columns, strict=True)]


def _is_exact(kind: ElementType, first: Sequence[Any]) -> bool:
    """Whether elements that are read from a list of the graph are all of one kind, that of Python's elements."""
    if not all(isinstance(leaf, LeafType) and leaf.shape.is_fully_defined() for leaf in kind.leaves):
        return False
    for item in first:
        for own, leaf in zip(ElementType.of(item).leaves, kind.leaves, strict=True):
            is_number = own.weak and own.shape.rank == leaf.shape.rank == 0
            if own != leaf and not (is_number and own.dtype is leaf.dtype):
                return False
    return True


def _count(items: TensorList, loop: Operation) -> int | None:
    """How many elements all iterations of a loop put into a list."""
    numbers = {id(tensor): i for i, tensor in enumerate(loop.outputs)}
    places = [numbers.get(id(handle)) for handle in items.handles]
    counts = {None if place is None else _of_loop(loop).get(place) for place in places}
    return counts.pop() if len(counts) == 1 else None


# -- what a graph puts into its lists

Pushed = tuple[int, Any]
"""The number of the input that a list was, and how many elements were put into it: one number for all positions, or an
array of one for each."""


def _of_loop(loop: Operation) -> dict[int, int]:
    """By the number of a variable: how many elements a loop puts into that list."""
    body = loop.attributes["body_graph"]
    _, trips, counter = _TRIPS.of(current_graph()).get(id(loop), (loop, -1, -1))
    if trips < 0:
        return {}
    pushed = _pushed(body, {counter: np.arange(trips)})
    found = {number: end for number, end in enumerate(pushed) if end is not None and end[0] == number}
    return {number: int(np.broadcast_to(count, trips).sum()) for number, (_, count) in found.items()}


def _pushed(graph: Graph, positions: Mapping[int, Any]) -> list[Pushed | None]:
    """For each output: what list it is, and what was put into it. positions: the values of inputs at all positions."""
    inexact = INEXACT.of(current_graph())
    values: dict[int, Any] = {id(graph.inputs[number]): value for number, value in positions.items()}
    lists: dict[int, Pushed] = {id(tensor): (number, 0) for number, tensor in enumerate(graph.inputs)}
    for op in graph.operations:
        if op.op is list_push:
            if id(op.inputs[0]) in lists and id(op) not in inexact:
                number, count = lists[id(op.inputs[0])]
                lists[id(op.outputs[0])] = number, count + 1
        elif op.type == "cond":
            _of_branches(op, values, lists)
        elif op.type == "while":
            for number, count in _of_loop(op).items():
                if (before := lists.get(id(op.inputs[number]))) is not None:
                    lists[id(op.outputs[number])] = before[0], before[1] + count
        elif len(op.outputs) == 1:
            _compute(op, values)
    return [lists.get(id(tensor)) for tensor in graph.outputs]


def _of_branches(op: Operation, values: Mapping[int, Any], lists: dict[int, Pushed]) -> None:
    condition, *operands = op.inputs
    known = {number: values[id(tensor)] for number, tensor in enumerate(operands) if id(tensor) in values}
    sides = [_pushed(branch, known) for branch in op.subgraphs]
    decides = values.get(id(condition))
    for tensor, *ends in zip(op.outputs, *sides, strict=True):
        if None in ends:
            continue
        (a, first), (b, second) = ends
        before = lists.get(id(operands[a]))
        if before is None or operands[a] is not operands[b]:
            continue
        if decides is not None:
            lists[id(tensor)] = before[0], before[1] + np.where(decides, first, second)
        elif np.array_equal(first, second):
            lists[id(tensor)] = before[0], before[1] + first


def _compute(op: Operation, values: dict[int, Any]) -> None:
    """Computes a number for all positions at once, where its operands are known."""
    result = op.outputs[0]
    if op.op is constant_node:
        if result.shape.rank == 0:
            values[id(result)] = op.attributes["value"]
    elif (op.op.elementwise or op.type in _SAME_NUMBERS) and all(id(t) in values for t in op.inputs):
        try:
            with np.errstate(all="ignore"):
                values[id(result)] = op.op.kernel(*(values[id(t)] for t in op.inputs), **op.attributes)
        except (ArithmeticError, TypeError, ValueError):  # the run raises it, at its position
            return
