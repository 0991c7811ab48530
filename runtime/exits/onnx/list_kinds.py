"""What the elements of lists are, where an operation does not say it: a TensorArray is made before anything is in it.

    kinds = list_kinds([graph, *graph.functions.values()], graph.functions)
    kinds[id(handle)]                # (float32, TensorShape([3])), of all handles that are one list at some time
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from runtime.dtypes import DType, variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.lists.lists import list_cast
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Kind", "list_kinds"]

Kind = tuple[DType, TensorShape]


class _Classes:
    """Handles that stand for lists with elements of one kind, joined as they are found to be."""

    def __init__(self) -> None:
        self.parents: dict[int, int] = {}
        self.kinds: dict[int, Kind] = {}

    def root(self, tensor: SymbolicTensor) -> int:
        place = self.parents.setdefault(id(tensor), id(tensor))
        while self.parents[place] != place:
            self.parents[place] = place = self.parents[self.parents[place]]
        return place

    def join(self, tensors: Iterable[SymbolicTensor]) -> None:
        handles = [t for t in tensors if t.dtype is variant]
        for one, other in pairwise(handles):
            a, b = self.root(one), self.root(other)
            if a != b:
                self.parents[a] = b
                if a in self.kinds:
                    self._add(b, self.kinds.pop(a))

    def tell(self, tensor: SymbolicTensor, kind: Kind) -> None:
        self._add(self.root(tensor), kind)

    def _add(self, root: int, kind: Kind) -> None:
        known = self.kinds.get(root)
        more = known is None or (known[1].rank is None and kind[1].rank is not None)
        if more or (known and kind[1].is_fully_defined() and not known[1].is_fully_defined()):
            self.kinds[root] = kind


def list_kinds(graph: Graph, functions: Mapping[str, Graph]) -> dict[int, Kind]:
    """By the id of the handle."""
    classes = _Classes()
    handles: list[SymbolicTensor] = []
    for outer in (graph, *functions.values()):
        for inner in nested_graphs(outer):
            for operation in inner.operations:
                handles += [t for t in operation.outputs if t.dtype is variant]
                _join(classes, operation, functions)
    found = ((id(handle), classes.kinds.get(classes.root(handle))) for handle in handles)
    return {place: kind for place, kind in found if kind is not None}


def _join(classes: _Classes, operation: Operation, functions: Mapping[str, Graph]) -> None:
    if operation.op in (cond_node, switch_node):
        inner, given = operation.subgraphs, operation.inputs[1:]
    elif operation.op is call_node:
        inner, given = (functions[operation.attributes["function"]],), operation.inputs
    elif operation.op is while_node:
        inner, given = operation.subgraphs, operation.inputs
        body = operation.attributes["body_graph"]
        for pair in zip(body.inputs, body.outputs, strict=False):
            classes.join(pair)
    else:
        handles = [t for t in (*operation.inputs, *operation.outputs) if t.dtype is variant]
        dtype, shape = (operation.attributes.get(name) for name in ("element_dtype", "element_shape"))
        if dtype is variant or not handles:
            return
        if operation.op is list_cast and isinstance(dtype, DType):
            classes.tell(operation.outputs[0], (dtype, TensorShape(None)))
            return
        classes.join(handles)
        if isinstance(dtype, DType) and isinstance(shape, TensorShape):
            classes.tell(handles[0], (dtype, shape))
        return
    for graph in inner:
        for pair in zip(graph.inputs, given, strict=False):
            classes.join(pair)
        if len(graph.outputs) == len(operation.outputs):
            for pair in zip(graph.outputs, operation.outputs, strict=True):
                classes.join(pair)
