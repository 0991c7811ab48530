"""Where the body of a `try` remembers a variable for its handlers, and how its value was computed.

    y = y * x            # what is computed again
    if y > 3.0:
        raise ...        # a site, in a branch of the body: memo_set(memo, y) stands before it

Each site leaves a mark of its own in the memo, so that a gradient can tell which of them was the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from runtime.autodiff.saving import own
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, cond_node, switch_node
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.custom import custom_gradient_node
from runtime.ops.flow.memo import memo_get, memo_has, memo_new, memo_set
from runtime.ops.flow.state import read_variable
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Site", "sites_of"]

UNSURE: Final[frozenset[Op]] = frozenset({call_node, memo_get, memo_has, read_variable})
"""Operations without effects that may give something else when they run again."""

REMEMBERING: Final[frozenset[Op]] = frozenset({memo_new, memo_set})
"""Effects that nobody sees: a memo of their own is given to what runs again."""

Chain = tuple[tuple[Graph, dict[int, SymbolicTensor]], ...]
"""Graphs in each other, outer ones first, and what is given to the inputs of each by the one around it."""


def _keeps_tensors(op: Op) -> bool:
    """Whether its results or gradients are code of the program, which keeps tensors of the body."""
    return op is custom_gradient_node or op.facts.runs_code


@dataclass(frozen=True)
class Site:
    """One place of a body that remembers a variable."""

    mark: str
    """What the memo remembers if it was the last one."""
    value: SymbolicTensor
    operations: tuple[Operation, ...]
    """What led to the value, in the order of the program."""
    chain: Chain

    @property
    def inputs(self) -> Sequence[SymbolicTensor]:
        """Those of the body."""
        return self.chain[0][0].inputs

    @property
    def is_pure(self) -> bool:
        """Whether the value is the same when it is computed again."""
        graphs = [graph for operation in self.operations for graph in operation.subgraphs]
        inside = [o for graph in graphs for inner in nested_graphs(graph) for o in inner.operations]
        every = [o for o in (*self.operations, *inside) if o.op is not placeholder and o.op not in REMEMBERING]
        return not any(o.acts or o.op in UNSURE or _keeps_tensors(o.op) for o in every)

    def computed_again(self, given: Sequence[SymbolicTensor]) -> dict[int, SymbolicTensor]:
        """What stands for the tensors that lead to the value in the graph that records, by their ids.

        given: what stands for the inputs of the body.
        """
        graph = current_graph()
        copies = {id(t): graph.recording.localize(g, "gradient") for t, g in zip(self.inputs, given, strict=True)}
        for handle in _written_memos(self.chain[0][0]):
            copies[id(handle)] = graph.add(memo_new, (), {}).outputs[0]
        around = {i: operand for _, operands in self.chain for i, operand in operands.items()}

        def copy_of(tensor: SymbolicTensor) -> SymbolicTensor:
            while id(tensor) not in copies:
                tensor = around[id(tensor)]
            return copies[id(tensor)]

        for operation in self.operations:
            operands = [copy_of(t) for t in operation.inputs]
            made = graph.add(operation.op, operands, operation.attributes, operation.name)
            copies.update((id(old), new) for old, new in zip(operation.outputs, made.outputs, strict=True))
        copies[id(self.value)] = copy_of(self.value)
        return copies


def sites_of(body: Graph, memo: int, name: str) -> tuple[list[Site], bool]:
    """The sites of a body, also in its branches, that remember a name; and whether there are graphs in it (loops, other
    statements) that may do so, too. memo: the position of the memo among its inputs.

    The body is changed: each of these places leaves its mark.
    """
    sites: list[Site] = []
    others, count = False, 0
    work: list[tuple[Chain, SymbolicTensor]] = [(((body, {}),), body.inputs[memo])]
    while work:
        chain, handle = work.pop()
        for operation in list(chain[-1][0].operations):
            if not any(t is handle for t in operation.inputs):
                continue
            if operation.op is memo_set:
                count += 1
                mark, names = _marked(operation, count), operation.attributes["names"]
                if name in names:
                    sites.append(_site(mark, operation.inputs[1 + names.index(name)], chain))
            elif operation.op in (cond_node, switch_node):
                own(operation)
                operands = operation.inputs[1:]
                (at,) = [i for i, t in enumerate(operands) if t is handle]
                for graph in operation.subgraphs:
                    pairs = {id(inner): t for inner, t in zip(graph.inputs, operands, strict=True)}
                    work.append(((*chain, (graph, pairs)), graph.inputs[at]))
            elif operation.subgraphs or operation.op is call_node:
                others = True
    return sites, others


def _marked(operation: Operation, number: int) -> str:
    """The mark of a place of the body, which it leaves from now on. number: of the place, always the same."""
    names = operation.attributes["names"]
    found = f"@{number}"
    if found not in names:
        one = operation.graph.constant(np.array(True))
        operations = operation.graph.operations
        operations.insert(operations.index(operation), operations.pop())
        operation.inputs = (*operation.inputs, one)
        operation.attributes = {**operation.attributes, "names": (*names, found)}
    return found


def _written_memos(body: Graph) -> list[SymbolicTensor]:
    """The inputs of a body that are memos, into which it, or a graph inside of it, writes."""
    found: list[SymbolicTensor] = []
    for handle in body.inputs:
        work = [(body, handle)] if handle.dtype is variant else []
        while work:
            graph, known = work.pop()
            users = [o for o in graph.operations if any(t is known for t in o.inputs)]
            if any(o.op is memo_set and o.inputs[0] is known for o in users):
                found.append(handle)
                break
            for operation in users:
                first = len(operation.inputs) - len(operation.subgraphs[0].inputs) if operation.subgraphs else 0
                at = [i for i, t in enumerate(operation.inputs[first:]) if t is known]
                work += [(inner, inner.inputs[i]) for inner in operation.subgraphs for i in at]
    return found


def _site(mark: str, value: SymbolicTensor, chain: Chain) -> Site:
    """A site, with what leads to its value: from the inner graphs to the outer ones."""
    wanted, found = {id(value)}, list[Operation]()
    for graph, given in reversed(chain):
        for operation in reversed(graph.operations):
            if operation.op is not placeholder and any(id(t) in wanted for t in operation.outputs):
                wanted.update(map(id, operation.inputs))
                found.append(operation)
        wanted.update(id(given[i]) for i in list(wanted) if i in given)
    return Site(mark, value, tuple(reversed(found)), chain)
