"""Building `while` operations out of a traced test and body.

    final = while_values(Loop(test, body, ["i", "x"], [0, x]))      test(values) -> bool, body(values) -> values

The body is traced once. When that shows that a variable's type must widen (a literal that becomes a float, a shape that
grows, None that is replaced by a value), the loop is traced again with the wider type, where what was traced cannot
be made to hold for it (`runtime.control_flow.loops.retyping`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from autograph.errors import StagingError
from runtime.context import recording
from runtime.control_flow.loops.retyping import retyped
from runtime.control_flow.loops.state import Variable, in_order, parameters_of, variable_of
from runtime.control_flow.optional.values import view
from runtime.control_flow.statement.subgraph import align_captures, as_bool_scalar, current_graph, trace
from runtime.control_flow.tries.raised import UNREACHABLE
from runtime.graph.graph import Graph
from runtime.ops.flow.control import while_node
from runtime.ops.records.record import REGISTRY
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Loop", "while_values"]

ATTEMPTS = 16
"""A type can widen once in dtype and once in each dimension; more attempts than this mean a defect."""

Values = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop to be traced. names: of its variables; initial: their values before it; maximum_iterations: a bound for
    the iterations, which may be a tensor."""

    test: Callable[[Values], Any]
    body: Callable[[Values], Values]
    names: Sequence[str]
    initial: Values
    invariants: Sequence[tuple[Any, Any]] = ()
    maximum_iterations: Any = None

    def counted(self) -> Loop:
        """One that keeps to the bound by a count of its own, the first of its variables."""

        def test(values: Values) -> Any:
            return REGISTRY["logical_and"](REGISTRY["less"](values[0], self.maximum_iterations), self.test(values[1:]))

        def body(values: Values) -> Values:
            return [REGISTRY["add"](values[0], 1), *self.body(values[1:])]

        return Loop(test, body, ["iterations", *self.names], [0, *self.initial], self.invariants)


def while_values(loop: Loop, known: Any = None) -> list[Any]:
    """Traces the loop, adds it to the current graph and returns the values after it. known: what is known of a loop
    over what Python knows; see `runtime.control_flow.loops.known`."""
    maximum_iterations = loop.maximum_iterations
    if isinstance(maximum_iterations, SymbolicTensor):
        return while_values(loop.counted())[1:]
    if isinstance(maximum_iterations, EagerTensor):
        maximum_iterations = int(maximum_iterations)
    outer = current_graph()
    pairs = zip(loop.names, loop.initial, strict=True)
    variables = first = [variable_of(name, value, loop.invariants) for name, value in pairs]
    for _ in range(ATTEMPTS):
        traced, variables = _trace_loop(outer, variables, loop)
        while True:
            with recording(outer):
                wider = [v.widened(r) for v, r in zip(variables, traced.results, strict=True)]
            if all(v.fits(w) for v, w in zip(variables, wider, strict=True)):
                if known is not None:
                    known.check(first, wider, traced.results is traced.parameters)
                return _finish(outer, wider, traced, maximum_iterations, known)
            leaves = [[leaf for v in side for leaf in v.leaves] for side in (variables, wider)]
            variables = wider
            if not retyped((traced.cond_graph, traced.body_graph), *leaves):
                break
    raise RuntimeError("the types of the loop's variables do not settle")


@dataclass(frozen=True)
class _Traced:
    """The graphs of a loop, before their inputs and outputs are settled. `results`: the values after an iteration."""

    cond_graph: Graph
    body_graph: Graph
    carried: int
    """How many of the body's first inputs are variables."""
    results: Values
    parameters: Values
    """The values that the body sees; they are the results where each iteration raises."""


def _trace_loop(outer: Graph, variables: list[Variable], loop: Loop) -> tuple[_Traced, list[Variable]]:
    """Traces with the variables, which are returned as well.

    Where Python cannot go on because a variable is None, the loop is traced with what may be None in its place: the
    None may be a matter of the first iteration alone.
    """
    probed = [v.probed() for v in variables]
    state = outer.recording.tracing
    before = state.failure
    try:
        return _trace_once(outer, variables, loop), variables
    except Exception as error:
        if isinstance(error, StagingError) or all(a is b for a, b in zip(variables, probed, strict=True)):
            raise
        failure, state.failure = state.failure, before
        try:
            return _trace_once(outer, probed, loop), probed
        except Exception:
            state.failure = failure
            raise error from None


def _trace_once(outer: Graph, variables: Sequence[Variable], loop: Loop) -> _Traced:
    cond_graph, body_graph = Graph.within(outer, "while_cond"), Graph.within(outer, "while_body")
    cond_graph.recording.repeats = body_graph.recording.repeats = True
    with recording(cond_graph):
        parameters = parameters_of(cond_graph, variables)
    cond_graph.outputs = [_trace_test(cond_graph, loop.test, parameters)]
    with recording(body_graph):
        parameters = parameters_of(body_graph, variables)
    carried = len(body_graph.inputs)
    results = trace(body_graph, lambda: loop.body(parameters), "the body of the loop")
    if results is UNREACHABLE:  # each iteration raises: no next one sees what it leaves
        results = parameters
    return _Traced(cond_graph, body_graph, carried, results, parameters)


def _trace_test(graph: Graph, test: Callable[[Values], Any], parameters: Values) -> SymbolicTensor:
    value = trace(graph, lambda: test(parameters), "the condition of the loop")
    if value is UNREACHABLE:
        value = False
    with recording(graph):
        return as_bool_scalar(value, "condition of while loop")


def _finish(
    outer: Graph, variables: Sequence[Variable], traced: _Traced, maximum_iterations: int | None, known: Any
) -> list[Any]:
    cond_graph, body_graph, results = traced.cond_graph, traced.body_graph, traced.results
    late: set[str] = set()
    settled = []
    for v, r in zip(variables, results, strict=True):
        if v.type is None and view(r).defined is not False:
            late.add(v.name)
            v = v.late(r)
        settled.append(v)
    own = _state_inputs(settled, late, body_graph, body_graph.inputs[: traced.carried])
    body_graph.inputs = [tensor for inputs in own for tensor in inputs]
    cond_graph.inputs = [t for inputs in _state_inputs(settled, late, cond_graph, cond_graph.inputs) for t in inputs]
    state = len(body_graph.inputs)  # before the outputs are made, for they may capture
    with recording(body_graph):
        body_graph.outputs = [
            tensor
            for v, r, inputs in zip(settled, results, own, strict=True)
            for tensor in v.following(r, inputs, late=v.name in late)
        ]
    captured = align_captures([cond_graph, body_graph], state)
    start = [tensor for v in settled for tensor in v.start()]
    attributes = {"cond_graph": cond_graph, "body_graph": body_graph, "maximum_iterations": maximum_iterations}
    operation = outer.add(while_node, [*start, *captured], attributes)
    outputs = iter(operation.outputs)
    own = [[next(outputs) for _ in v.leaves] for v in settled]
    final = in_order(settled, lambda variable, tensors: variable.final(tensors), own)
    if known is None:
        return final
    known.made(operation, [v.name for v in settled for _ in v.leaves])
    return known.ended(settled, results, final)


def _state_inputs(
    variables: Sequence[Variable], late: Set[str], graph: Graph, traced: Sequence[SymbolicTensor]
) -> list[list[SymbolicTensor]]:
    """The inputs of a graph for each variable: those it was traced with, new ones for a variable that came late."""
    remaining = iter(traced)
    inputs: list[list[SymbolicTensor]] = []
    for variable in variables:
        if variable.name in late:
            with recording(graph):
                inputs.append(variable.inputs(graph))
        else:
            inputs.append([next(remaining) for _ in variable.leaves])
    return inputs
