"""Eager tensors that a Function took from around it, as inputs of its graph: so that tapes can follow them.

x = runtime.constant(3.0)

@runtime.function
def f(): return x * x             # x is a constant of the graph

with runtime.GradientTape() as tape:
    tape.watch(x)                 # now it is an input of a copy of the graph, in its loops and branches, too
    y = f()
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.autodiff.rules import carries
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["captured", "lifted", "within_recursion"]


def captured(graph: Graph) -> list[EagerTensor]:
    """The eager tensors of floats that a graph, or one inside of it, has as constants."""
    graphs = nested_graphs(graph)
    found = {
        id(tensor): tensor for inner in graphs for tensor, _ in inner.recording.constants.values() if carries(tensor)
    }
    return list(found.values())


def within_recursion(graph: Graph) -> list[EagerTensor]:
    """Those that are constants of the functions in the library, which cannot take them as inputs."""
    return [tensor for function in graph.functions.values() for tensor in captured(function)]


def lifted(graph: Graph, tensors: Sequence[EagerTensor]) -> Graph:
    """A copy of the graph that takes these tensors behind its other inputs."""
    graphs = nested_graphs(graph)
    wanted = {id(t): t for t in tensors}
    constants = {
        id(made): tensor for g in graphs for tensor, made in g.recording.constants.values() if id(tensor) in wanted
    }
    takes = _what_each_takes(graphs, constants)
    takes[id(graph)] = list(tensors)
    done: dict[int, Graph] = {}
    for current in graphs:
        done[id(current)] = _copy(current, takes, constants, done)
    done[id(graph)].functions = graph.functions
    return done[id(graph)]


def _what_each_takes(graphs: Sequence[Graph], constants: dict[int, EagerTensor]) -> dict[int, list[EagerTensor]]:
    """For each graph the tensors that it, or a graph inside of it, has as constants; the graphs of one operation take
    the same. graphs: inner ones first."""
    found: dict[int, dict[int, EagerTensor]] = {}
    for graph in graphs:
        own = found[id(graph)] = {}
        for operation in graph.operations:
            for tensor in operation.outputs:
                if id(tensor) in constants:
                    own[id(constants[id(tensor)])] = constants[id(tensor)]
            inside: dict[int, EagerTensor] = {}
            for inner in operation.subgraphs:
                inside.update(found[id(inner)])
            for inner in operation.subgraphs:
                found[id(inner)] = inside
            own.update(inside)
    return {key: list(tensors.values()) for key, tensors in found.items()}


def _copy(
    graph: Graph, takes: dict[int, list[EagerTensor]], constants: dict[int, EagerTensor], done: dict[int, Graph]
) -> Graph:
    build = Rebuild(graph)
    build.remember()
    given: dict[int, SymbolicTensor] = {}
    for tensor in takes[id(graph)]:
        given[id(tensor)] = build.graph.placeholder(tensor.dtype, tensor.shape, "captured")
    for operation in graph.operations:
        constant = constants.get(id(operation.outputs[0])) if operation.outputs else None
        if constant is not None:
            build.replace(operation.outputs[0], given[id(constant)])
        else:
            _copy_operation(build, operation, takes, given, done)
    made = build.finish()
    made.inputs += given.values()
    return made


def _copy_operation(
    build: Rebuild,
    operation: Operation,
    takes: dict[int, list[EagerTensor]],
    given: dict[int, SymbolicTensor],
    done: dict[int, Graph],
) -> None:
    graphs = operation.subgraphs
    if not graphs:
        build.copy(operation)
        return
    inputs = [build.tensor(t) for t in operation.inputs]
    inputs += [given[id(t)] for t in takes[id(graphs[0])]]
    build.copy(operation, inputs, with_graphs(operation, done))
