"""Which arrays a loop writes to in place in each turn, whatever happens: nobody else can come to hold them.

    Flows().through_loop(operation, 2)          # whether the state number 2 is such an array

Such an array is made unique once, before the loop; in the loop its address never changes and nothing is counted.
What is found is a chain: the array is read, written to by one operation, whose result is read, and so on, through
branches and inner loops, to the place where the next turn finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.native.rules import COPIES, is_elementwise
from runtime.native.transposes import reads, spared_transposes
from runtime.ops.arrays.adjoints import add_item
from runtime.ops.arrays.index import getitem
from runtime.ops.arrays.item_update import setitem
from runtime.ops.arrays.scatter import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.arrays.shape import size
from runtime.ops.flow.control import cond_node, switch_node, try_node, while_node
from runtime.ops.flow.core import identity
from runtime.ops.lists.lists import list_get, list_length, list_set
from runtime.ops.lists.tensor_array import array_read, array_write
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Flows"]

_WRITES: Final = frozenset({
    add_item, array_write, list_set, setitem, tensor_scatter_nd_add, tensor_scatter_nd_max, tensor_scatter_nd_min,
    tensor_scatter_nd_sub, tensor_scatter_nd_update,
})  # fmt: skip
"""Operations that write to their first operand; the other ones they read."""


class Flows:
    """Remembers what it has found: a graph is looked at once for each of its inputs."""

    def __init__(self) -> None:
        self._ends: dict[int, SymbolicTensor | None] = {}
        self._uses: dict[int, dict[int, list[tuple[int, Operation]]]] = {}
        self._kept: list[Graph] = []

    def through_loop(self, operation: Operation, number: int) -> bool:
        """Whether a state of a loop is an array that each turn reads, writes to and hands on, and nothing else."""
        test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
        if not self._is_read(test, test.inputs[number]):
            return False
        end = self._end(body, body.inputs[number])
        return end is not None and [i for i, t in enumerate(body.outputs) if t is end] == [number]

    def _end(self, graph: Graph, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """What the array of a tensor is at the end of the graph; None if it may be held by two."""
        if id(tensor) not in self._ends:
            self._kept.append(graph)
            self._ends[id(tensor)] = self._followed(graph, tensor)
        return self._ends[id(tensor)]

    def _followed(self, graph: Graph, tensor: SymbolicTensor) -> SymbolicTensor | None:
        while True:
            if sum(t is tensor for t in graph.outputs) > 1:
                return None
            uses = self._uses_of(graph).get(id(tensor), [])
            takers = [(n, operation) for n, operation in uses if not self._only_reads(operation, tensor)]
            if not takers:
                return tensor
            number, operation = takers[0]
            if len(takers) > 1 or uses[-1][0] != number or any(t is tensor for t in graph.outputs):
                return None
            following = self._handed_on(operation, tensor)
            if following is None:
                return None
            tensor = following

    def _handed_on(self, operation: Operation, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """The result that is the array, after an operation has written to it."""
        places = [i for i, t in enumerate(operation.inputs) if t is tensor]
        if len(places) != 1:
            return None
        (place,) = places
        if operation.op in _WRITES or operation.op is identity:
            if operation.attributes.get("dynamic_size"):
                return None  # it may move
            return operation.outputs[0] if place == 0 else None
        if operation.op is while_node:
            states = len(operation.attributes["body_graph"].outputs)
            return operation.outputs[place] if place < states and self.through_loop(operation, place) else None
        if operation.op in (cond_node, switch_node) and place:
            return self._through_branches(operation, place - 1)
        return None

    def _through_branches(self, operation: Operation, place: int) -> SymbolicTensor | None:
        found: set[int] = set()
        for graph in operation.subgraphs:
            end = self._end(graph, graph.inputs[place])
            outputs = [i for i, t in enumerate(graph.outputs) if t is end]
            if end is None or len(outputs) != 1:
                return None
            found.update(outputs)
        return operation.outputs[found.pop()] if len(found) == 1 else None

    def _only_reads(self, operation: Operation, tensor: SymbolicTensor) -> bool:
        """Whether an operation takes elements out of an array, and hands it on to nobody."""
        if operation.op is getitem:
            return True  # of such an array it takes copies (runtime.native.lowerings.elements)
        if operation.op in (size, list_get, list_length, array_read):
            return True
        if is_elementwise(operation.op) or operation.op in COPIES:
            return True
        if operation.op in _WRITES:
            return tensor is not operation.inputs[0]
        graphs = operation.subgraphs
        if not graphs or operation.op not in (cond_node, switch_node, try_node, while_node):
            return False
        first = operation.op in (cond_node, switch_node)
        places = [i - first for i, t in enumerate(operation.inputs) if t is tensor]
        if operation.op is while_node and min(places) < len(operation.attributes["body_graph"].outputs):
            return False
        return all(place >= 0 and self._is_read(graph, graph.inputs[place]) for graph in graphs for place in places)

    def _is_read(self, graph: Graph, tensor: SymbolicTensor) -> bool:
        """Whether a graph reads an array at most."""
        uses = self._uses_of(graph).get(id(tensor), ())
        return all(t is not tensor for t in graph.outputs) and self._all_read(uses, tensor)

    def _all_read(self, uses: Sequence[tuple[int, Operation]], tensor: SymbolicTensor) -> bool:
        return all(self._only_reads(operation, tensor) for _, operation in uses)

    def _uses_of(self, graph: Graph) -> dict[int, list[tuple[int, Operation]]]:
        """By the tensor's id the operations that read it, with their numbers, in program order."""
        known = self._uses.get(id(graph))
        if known is None:
            self._kept.append(graph)
            known = self._uses[id(graph)] = {}
            spared = spared_transposes(graph)
            for number, operation in enumerate(graph.operations):
                for tensor in {id(t): t for t in reads(operation, spared)}.values():
                    known.setdefault(id(tensor), []).append((number, operation))
        return known
