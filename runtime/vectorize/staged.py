"""Control flow in graphs of blocks: operations whose graphs do for all elements what they did for one.

    while(i, x) {i + 1, x * x}      for each x of a block X      ->      while(i, X) {i + 1, X * X}

That is for choices and loops whose conditions are the same for all elements, and for calls of functions: of these the
library gets a form for blocks. For what differs from element to element see differing.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runtime.context import recording
from runtime.control_flow.statement.subgraph import align_captures, current_graph
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.library import free_name, settle_effects
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor
from runtime.vectorize.rules import Part, repeated, rows_of

if TYPE_CHECKING:
    from runtime.vectorize.interpreter import Work

__all__ = ["Memory", "call", "choice", "chosen", "fitted", "in_rows", "loop", "rows_shape"]

Flags = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of the graphs of one program, by their ids and by which of their inputs are blocks."""

    loops: dict[tuple[int, Flags], Flags] = field(default_factory=dict)
    """Which states of a loop's body become blocks."""
    functions: dict[tuple[str, Flags], str] = field(default_factory=dict)
    """The names of functions for blocks, by those of the functions for one element."""
    steps: dict[int, list[Operation]] = field(default_factory=dict)
    """The operations of a graph that its outputs need."""

    def needed(self, graph: Graph) -> list[Operation]:
        """The operations that lead to the outputs, and those with effects: others may have no form for blocks."""
        found = self.steps.get(id(graph))
        if found is None:
            wanted = set(map(id, graph.outputs))
            found = self.steps[id(graph)] = []
            for operation in reversed(graph.operations):
                if operation.op is not placeholder and (
                    operation.stateful or any(id(t) in wanted for t in operation.outputs)
                ):
                    wanted.update(map(id, operation.inputs))
                    found.append(operation)
            found.reverse()
        return found


def in_rows(part: Part, count: Any) -> Any:
    """The value of all elements; a list as one of blocks."""
    if part.batched:
        return part.tensor
    return ops.list_repeated(part.tensor, count) if part.tensor.dtype is variant else repeated(part.tensor, count)


def rows_shape(tensor: Any, count: Any) -> TensorShape:
    """The shape of a block of what has the shape of this tensor; a list stands for all of them itself."""
    if tensor.dtype is variant:
        return TensorShape([])
    return rows_of(count).concatenate(tensor.shape)


def fitted(tensor: Any, shape: TensorShape) -> Any:
    """A tensor of which at least so much of the shape is known."""
    if tensor.shape.is_subtype_of(shape):
        return tensor
    named = ops.identity(tensor)
    named.set_shape(shape)
    return named


def choice(work: Work, operation: Operation, parts: Sequence[Part]) -> list[Part]:
    """A `cond` or `switch` that takes the same branch for all elements."""
    selector, *others = parts
    graphs: list[Graph] = []
    found: list[list[Part]] = []
    for branch in operation.subgraphs:
        graphs.append(Graph.within(current_graph(), f"{branch.name}_of_rows"))
        with recording(graphs[-1]):
            found.append(work.graph(branch, others))
    flags = [any(parts[i].batched for parts in found) for i in range(len(operation.outputs))]
    for graph, results in zip(graphs, found, strict=True):
        with recording(graph):
            made = [in_rows(p, work.count) if b else p.tensor for p, b in zip(results, flags, strict=True)]
            graph.outputs = [graph.recording.localize(t, "rows") for t in made]
    outputs = chosen(selector.tensor, graphs, operation.op is cond_node)
    return [Part(t, b, o.shape.rank) for t, b, o in zip(outputs, flags, operation.outputs, strict=True)]


def chosen(selector: Any, graphs: Sequence[Graph], is_cond: bool) -> Sequence[SymbolicTensor]:
    """The results of one of some graphs, recorded."""
    outer, captured = current_graph(), align_captures(graphs, 0)
    attributes: dict[str, Any] = {"branches": tuple(graphs)}
    if is_cond:
        attributes = dict(zip(("then_graph", "else_graph"), graphs, strict=True))
    given = [outer.recording.localize(selector, "rows"), *captured]
    return outer.add(cond_node if is_cond else switch_node, given, attributes).outputs


def loop(work: Work, operation: Operation, parts: Sequence[Part]) -> list[Part] | None:
    """A `while` of which all elements go through the same iterations; None if they do not."""
    count, body = len(operation.outputs), operation.attributes["body_graph"]
    state, read = parts[:count], parts[count:]
    key = id(body), tuple([part.batched for part in parts])
    flags = work.memory.loops.get(key, key[1][:count])
    while True:  # until the states that become blocks in an iteration are blocks before it, too
        graph, slots = _with_slots(work, body, flags)
        with recording(graph):
            results = work.graph(body, [*slots, *read])
            found = tuple([flag or part.batched for flag, part in zip(flags, results, strict=True)])
            if found == flags:
                break
        flags = found
    work.memory.loops[key] = flags
    test, tested = _with_slots(work, operation.attributes["cond_graph"], flags)
    with recording(test):
        (goes_on,) = work.graph(operation.attributes["cond_graph"], [*tested, *read])
        if not goes_on.batched:
            test.outputs = [test.recording.localize(goes_on.tensor, "rows")]
    if goes_on.batched:
        return None
    with recording(graph):
        made = [in_rows(p, work.count) if b else p.tensor for p, b in zip(results, flags, strict=True)]
        ends = [fitted(t, slot.tensor.shape) for t, slot in zip(made, slots, strict=True)]
        graph.outputs = [graph.recording.localize(t, "rows") for t in ends]
    outer, captured = current_graph(), align_captures([test, graph], count)
    starts = [in_rows(p, work.count) if b else p.tensor for p, b in zip(state, flags, strict=True)]
    first = [outer.recording.localize(t, "rows") for t in starts]
    attributes = {**operation.attributes, "cond_graph": test, "body_graph": graph}
    outputs = outer.add(while_node, [*first, *captured], attributes).outputs
    return [Part(t, b, o.shape.rank) for t, b, o in zip(outputs, flags, operation.outputs, strict=True)]


def _with_slots(work: Work, graph: Graph, flags: Flags) -> tuple[Graph, list[Part]]:
    """A graph for the body or the test of a loop, and its states; what the loop only reads becomes captures of it."""
    made, slots = Graph.within(current_graph(), f"{graph.name}_of_rows"), []
    for tensor, batched in zip(graph.inputs, flags, strict=False):
        shape = rows_shape(tensor, work.count) if batched else tensor.shape
        slots.append(Part(made.placeholder(tensor.dtype, shape, tensor.op.name), batched, tensor.shape.rank))
    return made, slots


def call(work: Work, operation: Operation, parts: Sequence[Part]) -> list[Part]:
    """A call of a function of the library, which gets a form for blocks: that takes the count of elements first."""
    outer = current_graph()
    key = operation.attributes["function"], tuple([part.batched for part in parts])
    name = work.memory.functions.get(key)
    if name is None:
        name = work.memory.functions[key] = free_name(outer.recording.root, f"{key[0]}_of_rows")
        _make_function(work, outer.recording.root, *key, name)
    attributes = {
        **operation.attributes,
        "function": name,
        "shapes": tuple([rows_shape(o, None) for o in operation.outputs]),
    }
    given = [outer.recording.localize(t, "rows") for t in (work.count, *(part.tensor for part in parts))]
    outputs = outer.add(call_node, given, attributes).outputs
    return [Part(t, True, o.shape.rank) for t, o in zip(outputs, operation.outputs, strict=True)]


def _make_function(work: Work, root: Graph, name: str, flags: Flags, made_name: str) -> None:
    """Calls of the function within itself find the name already; all of its results are blocks."""
    function = root.functions[name]
    made = root.functions[made_name] = Graph.within(root, made_name)
    parts = []
    with recording(made):
        inner = work.of(made.placeholder(work.count.dtype, [], "count"))
        for tensor, batched in zip(function.inputs, flags, strict=True):
            shape = rows_shape(tensor, None) if batched else tensor.shape
            parts.append(Part(made.placeholder(tensor.dtype, shape, tensor.op.name), batched, tensor.shape.rank))
        ends = [fitted(t, rows_shape(o, None)) for t, o in zip(
            inner.whole(function, parts), function.outputs, strict=True)]  # fmt: skip
        made.outputs = [made.recording.localize(t, "rows") for t in ends]
    settle_effects(root)
