"""`Operation`: one node of a graph, and the plain view of it that `as_graph_def()` gives.

>>> [(node.name, node.input) for node in graph.as_graph_def().node]
[('a', []), ('add', ['a', 'a']), ('Identity', ['add'])]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runtime.graph.location import Location
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["GraphDef", "NodeDef", "Operation"]


class Operation:
    """One operation in a graph: which one, of which inputs, with which attributes. Made by `Graph.add`."""

    __slots__ = ("__weakref__", "attributes", "graph", "inputs", "location", "name", "op", "outputs")

    def __init__(
        self,
        graph: Graph,
        op: Op,
        name: str,
        inputs: tuple[SymbolicTensor, ...],
        attributes: Mapping[str, Any],
        location: Location | None,
    ) -> None:
        self.graph = graph
        self.op = op
        self.name = name
        self.inputs = inputs
        self.attributes = attributes
        self.location = location
        self.outputs: tuple[SymbolicTensor, ...] = ()

    @property
    def type(self) -> str:
        """The name of the operation, e.g. "add"."""
        return self.op.name

    @property
    def control_inputs(self) -> list[Operation]:
        """None: effects run in the order in which the graph holds them."""
        return []

    @property
    def device(self) -> str:
        """Nothing, as it is not placed before it runs."""
        return ""

    @property
    def node_def(self) -> NodeDef:
        """Its plain view."""
        return node_def(self)

    def get_attr(self, name: str) -> Any:
        """The value of an attribute. Raises ValueError, with the known names, if there is none of this name."""
        if name not in self.attributes:
            known = ", ".join(sorted(self.attributes)) or "none"
            raise ValueError(f"the operation {self.name!r} has no attribute {name!r}; it has {known}")
        return self.attributes[name]

    @property
    def subgraphs(self) -> tuple[Graph, ...]:
        """The graphs among the attributes: branches of a cond, condition and body of a while loop."""
        if not self.op.nests:
            return ()
        from runtime.graph.graph import Graph

        found: list[Graph] = []
        for value in self.attributes.values():
            found += [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Graph)]
        return tuple(found)

    @property
    def acts(self) -> bool:
        """Whether it has an effect of its own, whatever its subgraphs do; of a call it is an attribute."""
        return self.op.stateful or self.attributes.get("stateful") is True

    @property
    def stateful(self) -> bool:
        """Whether it, or anything in its subgraphs, has an effect that must stay and stay in order."""
        work, seen = [self], set[int]()
        while work:
            operation = work.pop()
            if operation.acts:
                return True
            for graph in operation.subgraphs:
                if id(graph) not in seen:  # one graph may be in several places
                    seen.add(id(graph))
                    work += [o for o in graph.operations if o.op is not placeholder]
        return False

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"

    def __str__(self) -> str:
        inputs = ", ".join(t.name for t in self.inputs)
        return f"{', '.join(t.name for t in self.outputs)} = {self.type}({inputs})"


@dataclass(frozen=True, slots=True)
class NodeDef:
    """A node as plain data. `input` names the nodes (`name`, or `name:k` for output k > 0)."""

    name: str
    op: str
    input: list[str]
    attr: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GraphDef:
    """A graph as plain data; `len(def.node)` is its size."""

    node: list[NodeDef]


def node_def(operation: Operation) -> NodeDef:
    """The plain view of one operation."""
    names = [t.op.name if t.value_index == 0 else t.name for t in operation.inputs]
    return NodeDef(operation.name, operation.type, names, dict(operation.attributes))
