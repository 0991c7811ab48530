"""Custom gradients in saved graphs: the rules, which are Python code, as graphs.

    %y = custom_gradient(%r, %x) {count=1, rule=python("model", "clipped")}
    %y = custom_gradient(%r, %x, %e) {count=1, rule=rule("graph clipped(%upstream: ..., %e: ...) -> ...", (True,))}

A rule is called once with inputs of a graph of its own; what it takes of the graph around it becomes further operands
of the operation. A rule that cannot be had so stays Python code: the graph runs where it is loaded, without a gradient.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from runtime.autodiff.rules import carries
from runtime.context import outwards, recording
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.graph.text import print_graph
from runtime.ops.flow.control import call_node
from runtime.ops.flow.custom import custom_gradient_node
from runtime.ops.records.terms import Term
from runtime.saved_model.graphs import check_savable
from runtime.tensor import taping
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["with_rules"]


def with_rules(graph: Graph) -> Graph:
    """The graph with rules that are graphs; itself where there are none to be had."""
    graphs = [inner for root in (graph, *graph.functions.values()) for inner in nested_graphs(root)]
    rules = {id(o): found for g in graphs for o in g.operations if _is_python(o) and (found := _rule(o)) is not None}
    if not rules:
        return graph
    done: dict[int, Graph] = {}
    for inner in graphs:
        build = Rebuild(inner)
        for operation in inner.operations:
            attributes, inputs = with_graphs(operation, done), [build.tensor(t) for t in operation.inputs]
            if id(operation) in rules:
                term, taken = rules[id(operation)]
                with suppress(KeyError):  # it takes what comes later
                    inputs += [build.tensor(t) for t in taken]
                    attributes = {**attributes, "rule": term}
            build.copy(operation, inputs, attributes)
        done[id(inner)] = build.finish()
    made = done[id(graph)]
    made.functions = {name: done[id(function)] for name, function in graph.functions.items()}
    return made


def _is_python(operation: Operation) -> bool:
    return operation.op is custom_gradient_node and operation.attributes["rule"].held is not None


def _rule(operation: Operation) -> tuple[Term, list[SymbolicTensor]] | None:
    """The rule of an operation as a term, and what it takes besides the gradients of the results."""
    rule = operation.attributes["rule"].held
    made = Graph.within(operation.graph, rule._name)
    try:
        with _unchanged(operation.graph), taping.without_tapes(), recording(made):
            upstreams = [_upstream(made, t) for t in operation.outputs]
            found = [None if g is None else made.recording.localize(g, rule._name) for g in rule(upstreams)]
            check_savable(made)
    except Exception:  # whatever the program's own code does here; it may work where the gradient is taken
        return None
    if any(o.op is call_node for inner in nested_graphs(made) for o in inner.operations):
        return None
    made.outputs = [g for g in found if g is not None]
    term = Term("rule", (print_graph(made, locations=False), tuple([g is not None for g in found])))
    return term, [outer for outer, _ in made.recording.captures]


def _upstream(graph: Graph, result: SymbolicTensor) -> SymbolicTensor | None:
    return graph.placeholder(result.dtype, result.shape, "upstream") if carries(result) else None


class _Changed(Exception):
    """A rule takes what the graphs around it do not have yet."""


@contextmanager
def _unchanged(graph: Graph) -> Iterator[None]:
    """Takes back what is captured on the way by a graph that is finished, and raises then."""
    around: list[Any] = []
    for walked in outwards(graph):
        sizes = len(walked.operations), len(walked.inputs), len(walked.recording.captures)
        around.append((walked, *sizes, dict(walked.recording.captured)))
    try:
        yield
        if any(len(g.operations) != operations for g, operations, *_ in around):
            raise _Changed
    finally:
        for g, operations, inputs, captures, captured in around:
            del g.operations[operations:], g.inputs[inputs:], g.recording.captures[captures:]
            g.recording.captured = captured
