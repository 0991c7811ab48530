"""Which operations of a graph become a region: runs in program order, as long as they can be.

    parts, uses = Parts(root), Uses(graph)
    for run in parts.runs(graph):
        if run.compiled:
            Region(part(run.operations, *uses.ends_of(run.operations), root))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs, operations_within
from runtime.graph.operation import Operation
from runtime.native.lists import Types
from runtime.native.module import check_types, refusal
from runtime.native.rules import RULES, Refused
from runtime.native.types import is_supported
from runtime.native.variables import on_values, touches_variables
from runtime.ops.flow.control import call_node, while_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.flow.state import setitem_variable
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["LOOPS", "Parts", "Run", "Uses", "called_names", "part"]

LOOPS: Final[frozenset[Op]] = frozenset({call_node, while_node})
"""What is worth machine code."""


@dataclass(slots=True)
class Run:
    """Operations that follow each other; `compiled`: machine code knows all of them."""

    compiled: bool
    operations: list[Operation] = field(default_factory=list)


class Parts:
    """What of a graph, with its library, machine code knows. Each operation is looked at once."""

    def __init__(self, root: Graph, exact: bool = True) -> None:
        self.root, self.exact = root, exact
        self.types = Types(root)
        self._own: dict[int, Refused] = {}
        self._reasons: dict[int, Refused | None] = {}
        self._functions: dict[str, Refused | None] = {}
        self._kept: list[Operation] = []
        for graph in (*root.functions.values(), root):
            self._look(graph)

    def _look(self, graph: Graph) -> None:
        for inner in nested_graphs(graph):
            for operation in inner.operations:
                self._kept.append(operation)
                self._reasons[id(operation)] = self._reason(operation)

    def _reason(self, operation: Operation) -> Refused | None:
        """Why machine code does not know an operation; the graphs inside of it have been looked at."""
        if operation.op is placeholder:
            return None
        held = operation.subgraphs and operation.op in RULES
        own = _open_type(operation, self.types) if held else self._refusal(operation)
        if own is not None:
            self._own[id(operation)] = own
            return own
        inner = (o for graph in operation.subgraphs for o in graph.operations)
        return next((reason for o in inner if (reason := self._reasons[id(o)]) is not None), None)

    def _refusal(self, operation: Operation) -> Refused | None:
        if not touches_variables(operation):
            return refusal(operation, self.types, self.exact)
        try:
            found = refusal(on_values(operation, self.types), self.types, self.exact)
        except Refused as reason:
            found = reason
        return found and Refused(operation, found.reason)

    def refused(self) -> list[Refused]:
        """Each operation in a loop, or in a function that is called, that machine code does not know, and why."""
        found: list[Refused] = []
        graphs = [(self.root, False), *((function, True) for function in self.root.functions.values())]
        while graphs:
            graph, within = graphs.pop()
            for operation in graph.operations:
                looped = within or operation.op is while_node
                if looped and id(operation) in self._own:
                    found.append(self._own[id(operation)])
                graphs += [(inner, looped) for inner in operation.subgraphs]
        return found

    def reason(self, operation: Operation) -> Refused | None:
        """Why machine code does not know an operation, or a function that it calls; None if it does."""
        found = self._reasons[id(operation)]
        names = [] if found is not None else called_names(operation)
        return found or next((r for name in names if (r := self._of_function(name)) is not None), None)

    def _of_function(self, name: str) -> Refused | None:
        """Why a function of the library is not compiled, or one of those that it calls, which may call it again."""
        if name not in self._functions:
            reached, pending = {name}, [name]
            found = None
            while pending and found is None:
                for operation in self.root.functions[pending.pop()].operations:
                    found = found or self._reasons[id(operation)]
                    new = set(called_names(operation)) - reached
                    reached |= new
                    pending += new
            self._functions[name] = found
        return self._functions[name]

    def runs(self, graph: Graph) -> Iterator[Run]:
        """All operations of a graph in program order; inputs and constants, which read nothing, come first."""
        run = Run(True)
        for operation in graph.operations:
            if operation.op in (placeholder, constant_node):
                yield Run(False, [operation])
                continue
            # Elements of a Variable are set in place by the plan, and in a copy by a region: only a loop is worth that.
            compiled = self.reason(operation) is None and operation.op is not setitem_variable
            if compiled is not run.compiled:
                yield run
                run = Run(compiled)
            run.operations.append(operation)
        yield run


def called_names(operation: Operation) -> list[str]:
    """The functions that an operation, or one inside of it, calls."""
    return [o.attributes["function"] for o in operations_within([operation]) if o.op is call_node]


def _open_type(operation: Operation, types: Types) -> Refused | None:
    """Why the values that a loop or a branch works with cannot be held."""
    for graph in operation.subgraphs:
        try:
            check_types(graph, types)
        except Refused as reason:
            return reason
    return None


class Uses:
    """What the operations of one graph read of each other."""

    def __init__(self, graph: Graph) -> None:
        self.outputs = set(map(id, graph.outputs))
        self.readers: dict[int, list[Operation]] = {}
        for operation in graph.operations:
            for tensor in operation.inputs:
                self.readers.setdefault(id(tensor), []).append(operation)

    def ends_of(self, operations: Sequence[Operation]) -> tuple[list[SymbolicTensor], list[SymbolicTensor]]:
        """What operations read of others, and what others read of them."""
        within = {id(operation) for operation in operations}
        made = {id(t): t for operation in operations for t in operation.outputs}
        read = {id(t): t for o in operations for t in o.inputs if id(t) not in made and not _is_known(t)}
        outputs = [
            t for key, t in made.items()
            if key in self.outputs or any(id(reader) not in within for reader in self.readers.get(key, ()))
        ]  # fmt: skip
        return list(read.values()), outputs


def part(
    operations: Sequence[Operation], inputs: Sequence[SymbolicTensor], outputs: Sequence[SymbolicTensor], root: Graph
) -> Graph:
    """A graph of operations that follow each other, in which single numbers that are known are constants."""
    made = Graph(operations[0].name)
    made.functions = root.functions
    tensors = {id(t): made.placeholder(t.dtype, t.shape, t.op.name, t.weak) for t in inputs}
    for operation in operations:
        for t in operation.inputs:
            if id(t) not in tensors:
                constant = tensors[id(t)] = made.constant(t.op.attributes["value"])
                constant.weak = t.weak
        given = tuple(tensors[id(t)] for t in operation.inputs)
        copied = Operation(made, operation.op, operation.name, given, operation.attributes, operation.location)
        copied.outputs = tuple(
            SymbolicTensor(copied, t.value_index, t.dtype, t.shape, t.weak) for t in operation.outputs
        )
        made.operations.append(copied)
        tensors.update((id(old), new) for old, new in zip(operation.outputs, copied.outputs, strict=True))
    made.outputs = [tensors[id(t)] for t in outputs]
    return made


def _is_known(tensor: SymbolicTensor) -> bool:
    """Whether it is a single number, or a list, that the machine code had better know."""
    known = is_supported(tensor.dtype) or tensor.dtype is variant
    return tensor.op.op is constant_node and tensor.shape.rank == 0 and known
