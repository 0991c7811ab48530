"""Which buffers a plan may keep for itself from one turn of a loop to the next: found before the loop is written.

    while i < n:
        x = setitem(x, v, i)          # x may be written to in place if the buffer is the plan's own in every turn:
        i = i + 1                     # it must come in so, and the body must hand on one that is

The body of a loop is written once, for all turns, so what it may do to its state has to be known before: `kept`
says which state is the loop's own at the end of a turn if it is so at the beginning, `written` which of it the body
writes to. A buffer that is kept and written is copied once, before the loop, where somebody else sees it.

This only predicts; what is written in place is decided when the statement is written, by what is known then, and the
end of the body makes a copy of whatever the prediction promised too much for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from runtime.engine.buffers import usable_ufunc
from runtime.engine.choice import is_choice
from runtime.engine.indexing import takes_element
from runtime.engine.updates import IN_PLACE
from runtime.engine.views import is_view
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.control import cond_node, switch_node, try_node, while_node
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["FOREVER", "Ownership", "last_uses", "ownerships"]

FOREVER: Final = math.inf

Positions = frozenset[int]
_NONE: Final[Positions] = frozenset()


@dataclass(frozen=True, slots=True)
class Ownership:
    """What a graph does with buffers. Positions are those of its inputs."""

    needs: Sequence[Positions | None]
    """For each output: it is a buffer of the plan's own, seen by nothing else, if these inputs are; None: it is not."""
    origins: Sequence[Positions]
    """For each output: the inputs whose buffers, written to in place, it may be."""
    written: Positions
    """The inputs whose buffers are written to if they are the plan's own."""
    passed: Positions
    """The inputs whose buffers may be seen through an output, or by a list."""

    def kept(self, among: Positions | None = None) -> Positions:
        """As the body of a loop: the state that is its own at the end of each turn if all of it is at the beginning.

        among: the state that is its own before the first turn; None for all.
        """
        candidates = range(len(self.needs)) if among is None else among
        kept = {i for i in candidates if self.needs[i] is not None}
        dependents: dict[int, list[int]] = {}
        for i in kept:
            for other in self.needs[i] or ():
                dependents.setdefault(other, []).append(i)
        lost = [i for i in dependents if i not in kept]
        while lost:
            for i in dependents.get(lost.pop(), ()):
                if i in kept:
                    kept.discard(i)
                    lost.append(i)
        return frozenset(kept)

    def to_copy(self) -> Positions:
        """As the body of a loop: the state that is better copied before it than in each turn."""
        kept = self.kept()
        found: set[int] = set()
        pending = [i for i in self.written if i in kept]
        while pending:
            position = pending.pop()
            if position not in found:
                found.add(position)
                pending += self.needs[position] or ()
        return frozenset(found)


def ownerships(graphs: Iterable[Graph]) -> dict[int, Ownership]:
    """By the graph's id; inner graphs come first."""
    found: dict[int, Ownership] = {}
    for graph in graphs:
        found[id(graph)] = _Reader(graph, found).result()
    return found


def last_uses(graph: Graph) -> dict[int, float]:
    """By the tensor's id: the number of the last operation that reads it; FOREVER for outputs."""
    found: dict[int, float] = {}
    for index, operation in enumerate(graph.operations):
        for tensor in operation.inputs:
            found[id(tensor)] = index
    for tensor in graph.outputs:
        found[id(tensor)] = FOREVER
    return found


class _Reader:
    """Reads one graph from its first operation to its last."""

    def __init__(self, graph: Graph, inner: Mapping[int, Ownership]) -> None:
        self.graph, self.inner = graph, inner
        self.last = last_uses(graph)
        self.needs: dict[int, Positions] = {}
        self.origins: dict[int, Positions] = {}
        self.written: set[int] = set()
        self.roots: dict[int, int] = {}
        self.aliased: dict[int, float] = {}
        """By the id of a tensor: the last operation that reads a view of it."""
        self.held: set[int] = set()
        self.shown: set[int] = set()
        self._find_views()
        for position, tensor in enumerate(graph.inputs):
            self.needs[id(tensor)] = self.origins[id(tensor)] = frozenset([position])

    def _find_views(self) -> None:
        """Who shares memory with whom, and what a list or another name may hold."""
        for operation in self.graph.operations:
            if is_view(operation) and not takes_element(operation):
                root = self._root(operation.inputs[0])
                for tensor in operation.outputs:
                    self.roots[id(tensor)] = root
                    self.aliased[root] = max(self.aliased.get(root, -1), self.last.get(id(tensor), -1))
            if is_choice(operation):
                self.held.update(map(self._root, operation.inputs[1:]))
            if operation.op.holds:
                self.held.update(map(self._root, operation.inputs))

    def _root(self, tensor: SymbolicTensor) -> int:
        return self.roots.get(id(tensor), id(tensor))

    def result(self) -> Ownership:
        for index, operation in enumerate(self.graph.operations):
            if operation.op in IN_PLACE:
                x = operation.inputs[0]
                if self.last[id(x)] == index:
                    self.origins[id(operation.outputs[0])] = self._origin(x)
                    self.written |= self._origin(x)
                self.needs[id(operation.outputs[0])] = _NONE  # written in place or not, it is a buffer of its own
            elif operation.op is cond_node or operation.op is switch_node:
                self._branches(index, operation)
            elif operation.op is while_node:
                self._loop(index, operation)
            elif operation.op is try_node:  # which only borrows its operands
                self._escape(operation.inputs, _NONE.union(*(self.inner[id(g)].passed for g in operation.subgraphs)))
            elif operation.outputs and operation.outputs[0].shape.rank and usable_ufunc(operation) is not None:
                self.needs[id(operation.outputs[0])] = _NONE
        outputs = self.graph.outputs
        shared = Counter(self._root(t) for t in outputs)
        needs = [
            self.needs.get(id(t)) if self._is_alone(t, FOREVER) and shared[id(t)] == 1 else None for t in outputs
        ]
        seen = self.held.union(map(self._root, outputs))
        passed = _NONE.union(self.shown, *(self.origins.get(root, _NONE) for root in seen))
        return Ownership(needs, [self._origin(t) for t in outputs], frozenset(self.written), passed)

    def _branches(self, index: int, operation: Operation) -> None:
        operands, handed = operation.inputs[1:], self._handed_over(index, operation)[1:]
        branches = [self.inner[id(g)] for g in operation.subgraphs]
        for position, tensor in enumerate(operation.outputs):
            ends = [_all_of(handed, branch.needs[position]) for branch in branches]
            if None not in ends:
                self.needs[id(tensor)] = _NONE.union(*ends)  # type: ignore[arg-type]
            origins = [self._origin(operands[i]) for branch in branches for i in branch.origins[position]]
            self.origins[id(tensor)] = _NONE.union(*origins)
        for branch in branches:
            self.written.update(*(self._origin(operands[i]) for i in branch.written))
            self._escape(operands, [i for i in branch.passed if handed[i] is None])

    def _loop(self, index: int, operation: Operation) -> None:
        body, handed = self.inner[id(operation.attributes["body_graph"])], self._handed_over(index, operation)
        kept, copied = body.kept(), body.to_copy()
        for position, tensor in enumerate(operation.outputs):
            own = frozenset([position])
            needs = _NONE if position in copied else own if body.needs[position] in (_NONE, own) else None
            found = _all_of(handed, needs) if position in kept else None
            if found is not None:
                self.needs[id(tensor)] = found
            self.origins[id(tensor)] = self._origin(operation.inputs[position])
        self.written.update(*(self._origin(operation.inputs[i]) for i in body.written))
        state = [i for i in range(len(operation.outputs)) if i not in copied]
        self._escape(operation.inputs, body.passed.union(i for i in state if handed[i] is None))
        self.shown.update(*(handed[i] or () for i in state))  # after no turn at all the result is the operand

    def _escape(self, operands: Sequence[SymbolicTensor], positions: Iterable[int]) -> None:
        """What others see from now on through a result."""
        self.held.update(self._root(operands[i]) for i in positions)

    def _handed_over(self, index: int, operation: Operation) -> list[Positions | None]:
        """For each operand of an operation: what must be the plan's own, so that its graphs may use the operand up."""
        times = Counter(map(id, operation.inputs))
        return [
            self.needs.get(id(t))
            if self.last[id(t)] == index and times[id(t)] == 1 and self._is_alone(t, index)
            else None
            for t in operation.inputs
        ]

    def _is_alone(self, tensor: SymbolicTensor, index: float) -> bool:
        """Whether no view of a tensor is read from an operation on, and no list holds it."""
        root = self._root(tensor)
        return root == id(tensor) and root not in self.held and self.aliased.get(root, -1) < index

    def _origin(self, tensor: SymbolicTensor) -> Positions:
        return self.origins.get(id(tensor), _NONE)


def _all_of(handed: Sequence[Positions | None], positions: Positions | None) -> Positions | None:
    """What these operands need together."""
    found = [] if positions is None else [handed[i] for i in positions]
    return None if positions is None or None in found else _NONE.union(*found)  # type: ignore[arg-type]
