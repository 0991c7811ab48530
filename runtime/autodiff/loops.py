"""The gradient of `while`: a loop that goes back through the iterations, the last one first.

    while c(x): x = exp(x * w)        saves = []; while c(x): x = exp(x * w); saves.push(x)
                                      for i in reversed(range(len(saves))): dw += dx * saves[i] * x[i]; dx = ...

What an iteration's gradient needs is saved in growing lists while the loop runs (see `runtime.autodiff.saving`), so
memory is linear in the number of iterations, and that number need not be known. State carries its gradient from
iteration to iteration; the gradients of what the loop only reads are summed over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.autodiff.rules import STRUCTURED, carries
from runtime.autodiff.saving import append_output, copied_constant, fitted, own, variable_type, zeros_for
from runtime.autodiff.sweep import sweep, total
from runtime.context import recording
from runtime.control_flow.statement.subgraph import align_captures, current_graph
from runtime.dtypes import DType, int32, resource, variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.control import while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.lists.lists import list_get, list_new, list_push
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__: list[str] = []


class LoopValues:
    """`GradientState.source` of the gradient of a loop's body: gives the values of an iteration out of lists."""

    def __init__(self, loop: Operation, gradient: Graph, position: SymbolicTensor) -> None:
        self._loop = loop
        self.graph: Graph = loop.attributes["body_graph"]
        self._gradient = gradient
        self._position = position
        self._waiting: list[Operation] | None = []
        count = len(loop.outputs)
        self.given = {id(t): v for t, v in zip(self.graph.inputs[count:], loop.inputs[count:], strict=True)}

    def __call__(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        own = self.graph.recording.own_version(tensor)
        if own is None:
            return None
        tensor = own
        found = self.given.get(id(tensor))
        if found is None:
            found = copied_constant(tensor, self._gradient)
        if found is None:
            saved = self.graph.recording.gradients.saved.get(id(tensor))
            if saved is None:
                saved = self.graph.recording.gradients.saved[id(tensor)] = self._push_each(tensor)
            kinds = {"element_dtype": tensor.dtype, "element_shape": tensor.shape}
            handle = self._gradient.recording.capture(saved)
            found = self._gradient.add(list_get, (handle, self._position), kinds).outputs[0]
        self.given[id(tensor)] = found
        return found

    def iterations(self) -> SymbolicTensor:
        """How many iterations there were, a tensor of the graph that the loop is in."""
        if not self.graph.recording.gradients.saved:
            self.graph.recording.gradients.saved[0] = self._count_each()
        saved = next(iter(self.graph.recording.gradients.saved.values()))
        return ops.list_length(saved) if saved.dtype is variant else saved

    def settle(self) -> None:
        """Puts what new state starts from before the loop: all at once, for to find the place takes a search."""
        operations, waiting = self._loop.graph.operations, self._waiting
        if waiting:
            place = operations.index(self._loop)
            operations[place:place] = waiting
        self._waiting = None

    def _push_each(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Lets the loop give the list of the values that a tensor of its body has, iteration by iteration."""
        kinds = {"element_dtype": tensor.dtype, "element_shape": tensor.shape}
        state = _new_state(self._loop, self._before(self._loop.graph.add(list_new, (), kinds)))
        self.graph.outputs.append(self.graph.add(list_push, (state, tensor), kinds).outputs[0])
        return append_output(self._loop, variant, TensorShape([]))

    def _count_each(self) -> SymbolicTensor:
        """Lets the loop give the number of its iterations."""
        body, zero = self.graph, self._loop.graph.constant(np.array(0, np.int32))
        state = _new_state(self._loop, self._before(zero.op))
        one = body.constant(np.array(1, np.int32))
        body.outputs.append(body.add(ops.add, (state, one), {}).outputs[0])
        return append_output(self._loop, int32, TensorShape([]))

    def _before(self, made: Operation) -> SymbolicTensor:
        """Moves an operation that has just been recorded, and has no inputs, before the loop."""
        self._loop.graph.operations.pop()
        if self._waiting is None:  # the gradient of the loop is there already, and is itself gone back through
            self._waiting = [made]
            self.settle()
        else:
            self._waiting.append(made)
        return made.outputs[0]


def _new_state(loop: Operation, first: SymbolicTensor) -> SymbolicTensor:
    """One more state of a loop, behind the others; returns what stands for it in the body."""
    place = len(loop.outputs)
    loop.inputs = (*loop.inputs[:place], first, *loop.inputs[place:])
    made: list[SymbolicTensor] = []
    for graph in (loop.attributes["cond_graph"], loop.attributes["body_graph"]):
        made.append(graph.placeholder(first.dtype, first.shape, "saved"))
        graph.inputs.insert(place, graph.inputs.pop())
    return made[-1]


# -- which state has a gradient -----------------------------------------------------------------------------------

Links = Sequence[tuple[SymbolicTensor, SymbolicTensor]]


def _flow(body: Graph, starts: Iterable[SymbolicTensor], links: Links, forward: bool) -> set[int]:
    """The ids of all that the starts lead to, through operations and over the end of an iteration (`links`)."""
    over: dict[int, list[SymbolicTensor]] = {}
    for source, target in links:  # one value may be what several states become
        over.setdefault(id(source), []).append(target)
    steps: dict[int, list[Operation]] = {}
    if forward:
        for operation in body.operations:
            for tensor in operation.inputs:
                steps.setdefault(id(tensor), []).append(operation)
    found: set[int] = set()
    work = list(starts)
    while work:
        tensor = work.pop()
        if id(tensor) in found or not carries(tensor):
            continue
        found.add(id(tensor))
        work += over.get(id(tensor), ())
        for operation in steps.get(id(tensor), ()) if forward else (tensor.op,):
            if operation.op.no_gradient is None and operation.op is not placeholder:
                work += operation.outputs if forward else operation.inputs
    return found


def _active(
    loop: Operation, upstreams: Sequence[Any], needed: Sequence[bool]
) -> tuple[list[int], list[int]]:
    """The positions of the state, and of what the loop only reads, that have a gradient."""
    body, count = loop.attributes["body_graph"], len(loop.outputs)
    state = list(zip(body.inputs, body.outputs, strict=False))
    starts = [t for t, n in zip(body.inputs, needed, strict=True) if n]
    reached = _flow(body, starts, [(after, before) for before, after in state], True)
    reached |= {id(after) for before, after in state if id(before) in reached}
    ends = [state[j][1] for j, u in enumerate(upstreams) if u is not None]
    ends += [state[j][0] for j, u in enumerate(upstreams) if u is not None]
    used = _flow(body, ends, state, False)
    active = [i for i, t in enumerate(body.inputs) if id(t) in reached and id(t) in used]
    return [i for i in active if i < count], [i for i in active if i >= count]


# -- the loop back ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Plan:
    """What a loop back carries: by position in the loop's operands, those with a gradient, and the gradients' types."""

    loop: Operation
    body: Graph
    state: list[int]
    places: list[int]
    """Those of the state, then those of what is only read."""
    operands: list[SymbolicTensor]
    types: list[tuple[DType, TensorShape]]


def _while(loop: Operation, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    own(loop)
    gradients: list[Any] = [None] * len(needed)
    state, read = _active(loop, upstreams, needed)
    if not state:
        return gradients
    places = [*state, *read]
    types = [_type_of(loop, i) for i in places]
    plan = _Plan(loop, loop.attributes["body_graph"], state, places, list(loop.inputs), types)
    outer = current_graph()
    back = Graph.within(outer, "while_gradient")
    position = back.placeholder(int32, [], "position")
    slots = [back.placeholder(dtype, shape, "gradient") for dtype, shape in types]
    values = back.recording.gradients.source = LoopValues(loop, back, position)
    with recording(back):
        back.outputs = [back.recording.localize(t, "gradient") for t in _iteration(plan, position, slots)]
    test = Graph.within(outer, "while_gradient_test")
    for slot in (position, *slots):
        test.placeholder(slot.dtype, slot.shape, slot.op.name)
    with recording(test):
        test.outputs = [ops.greater_equal(test.inputs[0], 0)]
    captured = align_captures([test, back], 1 + len(slots))
    first = [_start(plan, upstreams, number, slot) for number, slot in enumerate(slots)]
    last = ops.subtract(values.iterations(), 1)
    values.settle()
    attributes = {"cond_graph": test, "body_graph": back, "maximum_iterations": None}
    start = [outer.recording.localize(t, "gradient") for t in (last, *first)]
    ends = outer.add(while_node, [*start, *captured], attributes).outputs[1:]
    for i, result in zip(places, ends, strict=True):
        if needed[i]:
            gradients[i] = result
    return gradients


def _iteration(plan: _Plan, position: SymbolicTensor, slots: Sequence[SymbolicTensor]) -> list[Any]:
    """One iteration of the loop back, in the graph that records: the next position, and what the slots hold then."""
    body, graph = plan.body, current_graph()
    given = [body.inputs[i] for i in plan.places]  # now: what is saved becomes state, and moves what is only read
    copies = _computed_again(body, [body.outputs[i] for i in plan.state]) if body.recompute else {}
    outputs = [copies.get(id(body.outputs[i]), body.outputs[i]) for i in plan.state]
    inputs = [copies.get(id(t), t) for t in given]
    operations = list(graph.operations) if body.recompute else body.operations
    found = sweep(operations, list(zip(outputs, slots, strict=False)), inputs)
    results = [
        _after(slot, g, t, number < len(plan.state))
        for number, (slot, g, t) in enumerate(zip(slots, found, inputs, strict=True))
    ]
    return [ops.subtract(position, 1), *(fitted(r, s.shape) for r, s in zip(results, slots, strict=True))]


def _computed_again(body: Graph, ends: Iterable[SymbolicTensor]) -> dict[int, SymbolicTensor]:
    """What leads to some results of the body, in the graph that records; by id, what stands there for what.

    Only the state before each iteration is saved then, and what the iteration's gradient needs is computed again.
    """
    graph, wanted = current_graph(), set(map(id, ends))
    operations: list[Operation] = []
    for operation in reversed(body.operations):
        if any(id(t) in wanted for t in operation.outputs):
            wanted.update(map(id, operation.inputs))
            operations.append(operation)
    inputs = [t for t in body.inputs if id(t) in wanted]
    copies = {id(tensor): graph.recording.localize(tensor, "gradient") for tensor in inputs}
    for operation in reversed(operations):
        if operation.op is not placeholder:
            given = [copies[id(t)] for t in operation.inputs]
            made = graph.add(operation.op, given, operation.attributes, operation.name)
            copies.update((id(old), new) for old, new in zip(operation.outputs, made.outputs, strict=True))
    return copies


def _type_of(loop: Operation, position: int) -> tuple[DType, TensorShape]:
    """The type of the gradient of an operand."""
    tensor = loop.attributes["body_graph"].inputs[position]
    if tensor.dtype is not resource:
        return tensor.dtype, tensor.shape
    found = variable_type(loop.attributes["body_graph"], tensor)
    assert found is not None, "a handle that nothing reads has no gradient"
    return found


def _after(slot: SymbolicTensor, gradient: Any, tensor: SymbolicTensor, is_state: bool) -> Any:
    """What a slot holds after an iteration: the gradient of a state before it, the sum for what is only read."""
    if is_state:
        return zeros_for(tensor) if gradient is None else gradient
    return slot if gradient is None else total([slot, gradient])


def _start(plan: _Plan, upstreams: Sequence[Any], number: int, slot: SymbolicTensor) -> Any:
    """What a slot holds before the loop back."""
    i = plan.places[number]
    if number < len(plan.state):
        upstream = upstreams[i]
        return fitted(zeros_for(plan.loop.outputs[i]) if upstream is None else upstream, slot.shape)
    return fitted(zeros_for(plan.operands[i], *plan.types[number]), slot.shape)


STRUCTURED[while_node] = _while
