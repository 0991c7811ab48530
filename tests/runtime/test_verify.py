"""`verify`: each rule of a graph is broken once, and the error names the operation and the repair."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import runtime  # noqa: F401
from runtime.dtypes import bool_, float32, int32
from runtime.errors import GraphError
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape


def simple() -> Graph:
    """%a = x + y; %b = a + y."""
    graph = Graph("simple")
    x, y = graph.placeholder(float32, [2], "x"), graph.placeholder(float32, [2], "y")
    a = graph.add(REGISTRY["add"], [x, y], {}, "a").outputs[0]
    graph.outputs = list(graph.add(REGISTRY["add"], [a, y], {}, "b").outputs)
    return graph


def branching() -> Graph:
    """cond(p, x): x + x, or x."""
    graph, first, second = Graph("branching"), Graph("first"), Graph("second")
    p, x = graph.placeholder(bool_, [], "p"), graph.placeholder(float32, [2], "x")
    inner = first.placeholder(float32, [2], "v")
    first.outputs = list(first.add(REGISTRY["add"], [inner, inner], {}).outputs)
    second.outputs = [second.placeholder(float32, [2], "v")]
    attributes = {"then_graph": first, "else_graph": second}
    graph.outputs = list(graph.add(REGISTRY["cond"], [p, x], attributes, "c").outputs)
    return graph


def looping() -> Graph:
    """while i < n: i = i + n."""
    graph, test, body = Graph("looping"), Graph("test"), Graph("body")
    i, n = graph.placeholder(int32, [], "i"), graph.placeholder(int32, [], "n")
    for inner, name in ((test, "less"), (body, "add")):
        operands = [inner.placeholder(int32, [], "i"), inner.placeholder(int32, [], "n")]
        inner.outputs = list(inner.add(REGISTRY[name], operands, {}).outputs)
    attributes = {"cond_graph": test, "body_graph": body, "maximum_iterations": None}
    graph.outputs = list(graph.add(REGISTRY["while"], [i, n], attributes, "w").outputs)
    return graph


def switching() -> Graph:
    graph, first = Graph("switching"), Graph("first")
    index, x = graph.placeholder(int32, [], "index"), graph.placeholder(float32, [2], "x")
    first.outputs = [first.placeholder(float32, [2], "v")]
    graph.outputs = list(graph.add(REGISTRY["switch"], [index, x], {"branches": (first,)}, "s").outputs)
    return graph


@pytest.mark.parametrize("build", [simple, branching, looping, switching])
def test_a_right_graph_passes(build: Callable[[], Graph]) -> None:
    verify(build())


def swap_order(graph: Graph) -> None:
    graph.operations[2:] = graph.operations[:1:-1]


def foreign_input(graph: Graph) -> None:
    graph.operations[2].inputs = (simple().inputs[0], graph.inputs[1])


def same_name(graph: Graph) -> None:
    graph.operations[3].name = "a"


def foreign_operation(graph: Graph) -> None:
    graph.operations.append(simple().operations[2])


def wrong_dtype(graph: Graph) -> None:
    graph.operations[2].outputs[0].dtype = int32


def wrong_shape(graph: Graph) -> None:
    graph.operations[2].outputs[0]._shape = TensorShape([3])


def wrong_index(graph: Graph) -> None:
    graph.operations[2].outputs[0].value_index = 1


def more_outputs(graph: Graph) -> None:
    graph.operations[2].outputs *= 2


def missing_operand(graph: Graph) -> None:
    graph.operations[2].inputs = graph.operations[2].inputs[:1]


def mixed_dtypes(graph: Graph) -> None:
    graph.operations[2].inputs = (graph.inputs[0], Graph.placeholder(graph, int32, [2], "k"))
    graph.operations.insert(0, graph.operations.pop())


def misfit_shapes(graph: Graph) -> None:
    graph.operations[2].inputs = (graph.inputs[0], Graph.placeholder(graph, float32, [3], "k"))
    graph.operations.insert(0, graph.operations.pop())


def unknown_attribute(graph: Graph) -> None:
    graph.operations[2].attributes = {"axis": 0}


def foreign_output(graph: Graph) -> None:
    graph.outputs = simple().outputs


def input_twice(graph: Graph) -> None:
    graph.inputs.append(graph.inputs[0])


def input_that_is_none(graph: Graph) -> None:
    graph.inputs.append(graph.outputs[0])


def placeholder_that_is_no_input(graph: Graph) -> None:
    graph.inputs.pop()


def capture_that_is_no_input(graph: Graph) -> None:
    graph.recording.captures.append((simple().inputs[0], graph.outputs[0]))


def capture_of_another_dtype(graph: Graph) -> None:
    graph.recording.captures.append((looping().inputs[0], graph.inputs[0]))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (swap_order, "'b' (add).*'a:0' comes later.*move it"),
        (foreign_input, "'a' (add).*'x:0' belongs to graph 'simple'.*capture it"),
        (same_name, "'a' (add).*another operation has this name.*unique_name"),
        (foreign_operation, "'a' (add).*belongs to graph 'simple'.*copy it"),
        (wrong_dtype, "'a' (add).*output 0 is int32(2,) but the record infers float32(2,)"),
        (wrong_shape, "'a' (add).*output 0 is float32(3,) but the record infers float32(2,)"),
        (wrong_index, "'a' (add).*output 0 says it is 'a:1'"),
        (more_outputs, "'a' (add).*has 2 outputs, not 1"),
        (missing_operand, "'a' (add).*has 1 inputs"),
        (mixed_dtypes, "'a' (add).*x, y are float32, int32; cast them"),
        (misfit_shapes, "'a' (add).*operands do not fit.*(2,) and (3,)"),
        (unknown_attribute, "'a' (add).*attributes are axis; give none"),
        (foreign_output, "output 'b:0' is not computed by it"),
        (input_twice, "listed twice"),
        (input_that_is_none, "'b:0' is no placeholder of this graph"),
        (placeholder_that_is_no_input, "'y' (placeholder).*no input of the graph; add its output"),
        (capture_that_is_no_input, "capture of 'x:0' is no input"),
        (capture_of_another_dtype, "capture of 'i:0' (int32) is float32"),
    ],
)
def test_a_broken_rule_is_named(damage: Callable[[Graph], None], words: str) -> None:
    graph = simple()
    damage(graph)
    with pytest.raises(GraphError, match=pattern(words)):
        verify(graph)


def pattern(words: str) -> str:
    return "(?s)" + ".*".join(map(re.escape, words.split(".*")))


def attributes_of(graph: Graph, **changed: object) -> None:
    operation = graph.operations[-1]
    operation.attributes = {**operation.attributes, **changed}


def returning(dtype: object, shape: list[int]) -> Graph:
    """A graph that takes a float32[2] and returns another type."""
    graph = Graph("odd")
    graph.placeholder(float32, [2], "v")
    graph.outputs = [graph.constant(np.zeros(shape, dtype))]
    return graph


@pytest.mark.parametrize(
    ("build", "damage", "words"),
    [
        (branching, lambda g: attributes_of(g, else_graph=3), "'c' (cond).*else_graph is 3; give a Graph"),
        (branching, lambda g: attributes_of(g, else_graph=looping()), "else_graph takes 2 values, 1 are given"),
        (branching, lambda g: attributes_of(g, else_graph=returning(np.int32, [2])), "else_graph returns ['int32']"),
        (branching, lambda g: g.inputs[0].op.attributes.update(dtype=int32) or setattr(g.inputs[0], "dtype", int32),
         "the predicate is int32()"),
        (branching, lambda g: g.operations[-1].attributes["then_graph"].operations.reverse(), "graph 'first'.*later"),
        (switching, lambda g: attributes_of(g, branches=()), "'s' (switch).*no branch"),
        (looping, lambda g: attributes_of(g, maximum_iterations=2.5), "'w' (while).*maximum_iterations is 2.5"),
        (looping, lambda g: setattr(g.operations[-1].attributes["cond_graph"], "outputs", []), "one bool scalar"),
        (looping, lambda g: g.operations[-1].attributes["body_graph"].inputs.pop(), "no input of the graph"),
        (looping, lambda g: setattr(g.operations[-1].attributes["body_graph"].inputs[0], "_shape", TensorShape([2])),
         "output 0 is int32(2,)"),
        (looping, lambda g: setattr(g.operations[-1], "attributes", {**g.operations[-1].attributes, "body_graph": g}),
         "nested inside of itself"),
    ],
)  # fmt: skip
def test_a_broken_rule_of_control_flow_is_named(
    build: Callable[[], Graph], damage: Callable[[Graph], object], words: str
) -> None:
    graph = build()
    damage(graph)
    with pytest.raises(GraphError, match=pattern(words)):
        verify(graph)
