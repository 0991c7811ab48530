"""Loops in two versions: what each turn asks again, and no turn changes, is asked once.

    while: ... where(%p, %a, %b)      ->      if %p: while: ... %a        else: while: ... %b

With that a loop that swaps its buffers reads one of them, and writes to one. The graph grows: for engines that gain
more by a branch less than they lose by longer code. (Aho, Lam, Sethi, Ullman, Compilers, 2nd ed., call it unswitching.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from runtime.dtypes import bool_
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task, drive, operations_within
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, holds_the_same, with_changes, with_graphs
from runtime.ops.arrays.index import getitem
from runtime.ops.arrays.item_update import setitem
from runtime.ops.elementwise.logic import logical_not, where
from runtime.ops.flow.control import cond_node, switch_node, while_node
from runtime.ops.flow.core import constant_node
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["drop_rewrites", "split_loops"]

MOST: Final = 300
"""Loops of more operations than that stay as they are."""


def split_loops(graph: Graph) -> Graph:
    """Every value is computed by the same operations on the same values as before."""
    found: Graph = drive(_split(graph))
    return found


def _split(graph: Graph) -> Task:
    inner, flags = dict[int, Graph](), dict[int, int]()
    for operation in graph.operations:
        place = _flag(operation) if operation.op is while_node else None
        if place is not None:
            flags[id(operation)] = place
            continue
        for nested in operation.subgraphs:
            inner[id(nested)] = yield _split(nested)
    if not flags and holds_the_same(graph, inner):
        return graph
    build = Rebuild(graph)
    for operation in graph.operations:
        if id(operation) not in flags:
            build.copy(operation, attributes=with_graphs(operation, inner))
            continue
        place = flags[id(operation)]
        versions = []
        for value in (True, False):
            versions.append((yield _version(operation, place, value)))
        given = [build.tensor(t) for t in operation.inputs]
        graphs = {"then_graph": versions[0], "else_graph": versions[1]}
        build.copy(operation, [given[place], *given], graphs, op=cond_node)
    return build.finish()


def _flag(loop: Operation) -> int | None:
    """The operand of a loop that no turn changes, and by which it decides."""
    states = len(loop.outputs)
    if sum(1 for _ in operations_within([loop])) > MOST:
        return None
    for place, tensor in enumerate(loop.inputs[states:], states):
        is_open = tensor.dtype is bool_ and tensor.shape.rank == 0 and tensor.op.op is not constant_node
        if is_open and _decides([graph.inputs[place] for graph in loop.subgraphs], loop):
            return place
    return None


def _decides(tensors: list[SymbolicTensor], loop: Operation) -> bool:
    """Whether something is chosen by a truth, or by its contrary, inside of a loop."""
    known = {id(t) for t in tensors}
    for operation in _outside_in(loop):
        first = bool(operation.inputs) and id(operation.inputs[0]) in known
        if first and operation.op in (where, cond_node):
            return True
        if first and operation.op is logical_not:
            known.add(id(operation.outputs[0]))
        for graph in operation.subgraphs:
            known.update(id(t) for t, i in zip(graph.inputs, _taken(operation), strict=True) if id(i) in known)
    return False


def _outside_in(loop: Operation) -> list[Operation]:
    """The operations in a loop, each before those inside of it."""
    found, waiting = list[Operation](), list(loop.subgraphs)
    while waiting:
        for operation in waiting.pop().operations:
            found.append(operation)
            waiting += operation.subgraphs
    return found


def _taken(operation: Operation) -> tuple[SymbolicTensor, ...]:
    """What the graphs inside of an operation take; of the state of a loop, nothing stays known."""
    if operation.op is while_node:
        return (*operation.outputs, *operation.inputs[len(operation.outputs) :])
    return operation.inputs[1:] if operation.op in (cond_node, switch_node) else operation.inputs


def _version(loop: Operation, place: int, value: bool) -> Task:
    """A graph that takes the operands of a loop, and is that loop where one of them is known."""
    made = Graph("then" if value else "else")
    inputs = tuple(made.placeholder(t.dtype, t.shape, t.op.name, t.weak) for t in loop.inputs)
    graphs, states = {}, len(loop.outputs)
    known = {i: value for i, t in enumerate(loop.inputs) if i >= states and t is loop.inputs[place]}
    for graph in loop.subgraphs:
        graphs[id(graph)] = yield _known(graph, known)
    copied = Operation(made, while_node, loop.name, inputs, with_graphs(loop, graphs), loop.location)
    copied.outputs = tuple(SymbolicTensor(copied, i, t.dtype, t.shape, t.weak) for i, t in enumerate(loop.outputs))
    made.operations.append(copied)
    made.outputs = list(copied.outputs)
    return made


def _known(graph: Graph, values: Mapping[int, bool]) -> Task:
    """The graph where some inputs are constants, also in the graphs inside of it. It still takes them."""
    build, known, taken = Rebuild(graph), dict[int, bool](), dict[int, SymbolicTensor]()
    places = {id(t): values[i] for i, t in enumerate(graph.inputs) if i in values}
    for operation in graph.operations:
        inner = {}
        if operation.op.nests:
            given = {i: known[id(t)] for i, t in enumerate(_taken(operation)) if id(t) in known}
            for nested in operation.subgraphs:
                inner[id(nested)] = yield _known(nested, given)
        copied = build.copy(operation, attributes=with_graphs(operation, inner))
        taken.update(zip(map(id, operation.outputs), copied.outputs, strict=True))
        _learn(build, operation, places, known)
    made = build.finish()
    made.inputs = [taken[id(t)] for t in graph.inputs]
    return made


def _learn(build: Rebuild, operation: Operation, places: Mapping[int, bool], known: dict[int, bool]) -> None:
    """Puts a constant in the place of a truth that is known."""
    if len(operation.outputs) != 1:
        return
    (tensor,) = operation.outputs
    if id(tensor) in places:
        known[id(tensor)] = places[id(tensor)]
    elif operation.op is logical_not and id(operation.inputs[0]) in known:
        known[id(tensor)] = not known[id(operation.inputs[0])]
    else:
        return
    build.replace(tensor, build.new_constant(np.asarray(known[id(tensor)])))


def drop_rewrites(graph: Graph) -> Graph:
    """An element that is written back where it was read stays: every value keeps its bits.

    That it is out of range is said by another write to the same place of an array of the same shape.
    """
    return with_changes(graph, lambda operation: _drop if _is_useless(operation) else None)


def _drop(build: Rebuild, write: Operation, attributes: Mapping[str, Any]) -> None:
    build.replace(write.outputs[0], build.tensor(write.inputs[0]))


def _is_useless(operation: Operation) -> bool:
    if operation.op is not setitem or not _writes_back(operation):
        return False
    return any(_is_beside(operation, other) for other in operation.graph.operations if other.op is setitem)


def _writes_back(write: Operation) -> bool:
    array, value, *indices = write.inputs
    read = value.op
    if read.op is not getitem or read.inputs[0] is not array or read.attributes["spec"] != write.attributes["spec"]:
        return False
    return all(a is b for a, b in zip(read.inputs[1:], indices, strict=True))


def _is_beside(write: Operation, other: Operation) -> bool:
    """Whether another write, which is none of those, is out of range where this one is."""
    if _writes_back(other) or other.attributes["spec"] != write.attributes["spec"]:
        return False
    one, two = write.inputs[0].shape, other.inputs[0].shape
    alike = one.is_fully_defined() and one.dims == two.dims
    return alike and all(a is b for a, b in zip(write.inputs[2:], other.inputs[2:], strict=True))
