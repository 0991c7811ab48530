"""The backend "native": the plan over numpy, with the loops that machine code can run as one statement each.

    graph = with_regions(graph)             # loops have become operations `called`
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from runtime.dtypes import variant
from runtime.engine.called import called_node
from runtime.engine.plan import Plan, compile_plan
from runtime.engine.short_calls import prefer
from runtime.errors import NotCompiledError
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task, drive, nested_graphs, operations_within
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.native import lowerings  # noqa: F401 - which fills the table of rules
from runtime.native.caller import short_call
from runtime.native.expansion import is_expression
from runtime.native.own_functions import is_slow_elsewhere
from runtime.native.parts import LOOPS, Parts, Uses, part
from runtime.native.region import Region
from runtime.native.rules import KERNELS, SUMS, Refused, is_elementwise, rule_of
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["NativeBackend", "NativePlan", "is_worth", "with_regions"]


LEAST_FUSED: Final = 2
"""How many elementwise operations on arrays, a sum of them included, are worth a kernel; one is where all is to be
compiled that can be."""


class NativePlan:
    """`runtime.backends.Plan`: the plan over numpy with its regions. It is made when it is first asked for."""

    def __init__(self, graph: Graph, exact: bool = True) -> None:
        made, self.refused = with_regions(graph, exact)
        """The operations of loops that stay with numpy, and why."""
        inner = [g for root in (made, *made.functions.values()) for g in nested_graphs(root)]
        self.regions = [o.attributes["target"] for g in inner for o in g.operations if o.op is called_node]
        self._graph = made
        self._plan: Plan | None = None

    def prepare(self) -> None:
        """Makes the machine code."""
        for region in self.regions:
            region.prepare()
        prefer(short_call)

    @property
    def plan(self) -> Plan:
        """The plan over numpy, with a call of machine code for each region."""
        if self._plan is None:
            self.prepare()
            self._plan = compile_plan(self._graph)
        return self._plan

    @cached_property
    def function(self) -> Callable[..., tuple[Array, ...]]:
        """That of the plan."""
        return self.plan.function

    @property
    def alone(self) -> Callable[..., Any] | None:
        """The machine code by itself, where the graph is one region that takes its arrays and gives its results."""
        graph, made = self._graph, self._graph.operations
        if not made or made[-1].op is not called_node:
            return None
        given, results = [*made[-1].inputs], [*made[-1].outputs]
        ends = [*map(id, given)] == [*map(id, graph.inputs)] and [*map(id, results)] == [*map(id, graph.outputs)]
        arrays = all(t.shape.rank and t.dtype is not variant for t in (*given, *results))
        function: Callable[..., Any] = made[-1].attributes["target"].function
        return function if ends and arrays else None

    @property
    def source(self) -> str:
        """What of the loops stays with numpy, the plan, then each region as LLVM takes it."""
        stays = [f"# stays with numpy: {_told(reason)}" for reason in self.refused]
        return "\n".join([*stays, self.plan.source, *(region.text for region in self.regions)])


class NativeBackend:
    """`runtime.backends.Backend`."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        """The operations of loops that cannot be machine code."""
        return [(reason.operation, reason.reason) for reason in with_regions(graph)[1]]

    def compile(self, graph: Graph, whole: bool = False) -> NativePlan:
        """The plan, with machine code for what can be that; made now. whole: for all of its loops, and with functions
        of our own, which need not be numpy's to the last bit."""
        native = NativePlan(graph, exact=not whole)
        if whole and native.refused:
            lines = "\n".join(f"  {_told(reason)}" for reason in native.refused)
            raise NotCompiledError(
                f"{graph.name!r} has loops that cannot be machine code, as jit_compile=True wants them; there is none"
                f" for\n{lines}\nwithout jit_compile=True what can be is compiled, and the rest runs with numpy"
            )
        _ = native.plan
        return native


def _told(reason: Refused) -> str:
    """An operation that is not compiled: where it is, what it is, and why."""
    where = f"{reason.operation.location}: " if reason.operation.location else ""
    return f"{where}{reason.operation.type} ({reason.operation.name!r}): {reason.reason}"


def with_regions(graph: Graph, exact: bool = True) -> tuple[Graph, list[Refused]]:
    """The graph with regions in the place of its loops, and what of loops stayed as it is, with the reasons."""
    if not is_worth(graph, LEAST_FUSED if exact else 1):
        return graph, []
    parts = Parts(graph, exact)
    refused = parts.refused()
    functions = {name: drive(_rebuilt(function, parts, refused)) for name, function in graph.functions.items()}
    made: Graph = drive(_rebuilt(graph, parts, refused))
    if made is graph and any(functions[name] is not function for name, function in graph.functions.items()):
        build = Rebuild(graph)
        for operation in graph.operations:
            build.copy(operation)
        made = build.finish()
    if made is not graph:
        made.functions = functions
    return made, refused


def is_worth(graph: Graph, least: int = LEAST_FUSED) -> bool:
    """Whether there may be anything that is worth machine code."""
    graphs = [inner for root in (graph, *graph.functions.values()) for inner in nested_graphs(root)]
    return any(_is_work(inner.operations, least) for inner in graphs)


def _is_work(operations: Sequence[Operation], least: int) -> bool:
    """Whether among operations there is a loop, or several that compute arrays element by element, in one kernel."""
    return any(operation.op in LOOPS for operation in operations) or sum(map(_steps, operations)) >= least


def _steps(operation: Operation) -> int:
    """How many steps of kernels an operation is: those whose rules write one, or that no ufunc computes, are two, a sum
    of what a kernel computes is one."""
    if operation.op in KERNELS or (operation.inputs and is_slow_elsewhere(operation)):
        return LEAST_FUSED
    if operation.op in SUMS:
        return min(1, _steps(operation.inputs[0].op))
    return int(operation.outputs != () and operation.outputs[0].shape.rank != 0 and _is_elementwise(operation))


def _is_elementwise(operation: Operation) -> bool:
    if rule_of(operation) is not None:
        return is_elementwise(operation.op)
    return is_expression(operation)


def _rebuilt(graph: Graph, parts: Parts, refused: list[Refused]) -> Task:
    """The graph with its regions: runs of operations that machine code knows, if they are worth it."""
    build, uses, found = Rebuild(graph), Uses(graph), False
    for run in parts.runs(graph):
        least = LEAST_FUSED if parts.exact else 1
        if run.compiled and _is_work(list(operations_within(run.operations)), least):
            try:
                _put(build, run.operations, uses, parts, graph is parts.root)
                found = True
                continue
            except Refused as reason:  # for what no operation shows by itself
                refused.append(reason)
        for operation in run.operations:
            inner = {}
            for nested in operation.subgraphs:
                inner[id(nested)] = yield _rebuilt(nested, parts, refused)
            found = found or any(key != id(made) for key, made in inner.items())
            build.copy(operation, attributes=with_graphs(operation, inner))
    return build.finish() if found else graph


def _put(build: Rebuild, operations: Sequence[Operation], uses: Uses, parts: Parts, once: bool) -> None:
    """Adds the region of these operations. Raises Refused. once: it runs once in a run of the plan."""
    inputs, outputs = uses.ends_of(operations)
    if not once and any(t.dtype is variant for t in (*inputs, *outputs)):
        raise Refused(operations[0], "a list would be copied in each turn of a loop")
    attributes = {
        "target": Region(part(operations, inputs, outputs, parts.root), parts.exact),
        "dtypes": tuple(t.dtype for t in outputs),
        "shapes": tuple(t.shape for t in outputs),
    }
    shown = next((operation for operation in operations if operation.op in LOOPS), operations[0])
    given = tuple(_side_by_side(build, t) for t in inputs)
    made = Operation(build.graph, called_node, shown.name, given, attributes, shown.location)
    made.outputs = tuple(SymbolicTensor(made, i, t.dtype, t.shape, t.weak) for i, t in enumerate(outputs))
    build.graph.operations.append(made)
    for old, new in zip(outputs, made.outputs, strict=True):
        build.replace(old, new)


def _side_by_side(build: Rebuild, tensor: SymbolicTensor) -> SymbolicTensor:
    """The operand of a region; a constant without gaps, which a region would leave to the plan each time."""
    if tensor.op.op is constant_node and not (value := tensor.op.attributes["value"]).flags.c_contiguous:
        return build.graph.constant(np.ascontiguousarray(value))
    return build.tensor(tensor)
