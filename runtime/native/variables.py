"""Variables of a region as values: what it reads is handed in, what it writes is handed out; it has no effects.

    while(%n, %v): assign_add(%v, %n)       ->      %w' = while(%n, %w): %w + %n        # %w: the value of %v before

    lifted = lift(graph, types)
    lifted.graph                # its inputs have values in the places of handles
    lifted.written              # the places of those whose values come behind the graph's own outputs

So machine code keeps a Variable in registers, and may be left at any point: until all is done the program sees the
values from before. `exchanged` puts the new ones into their places in one step, unless another thread has written in
the meantime: then there is no result, and the plan does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from runtime.dtypes import DType, resource
from runtime.graph.effects import Touch, touches
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task, drive
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.native.lists import Type, Types
from runtime.native.rules import Refused
from runtime.ops.arrays.item_update import setitem
from runtime.ops.elementwise.arithmetic import add, subtract
from runtime.ops.flow.control import call_node, try_node, while_node
from runtime.ops.flow.core import identity, placeholder
from runtime.ops.flow.state import (
    READS,
    WRITES,
    advance_variable,
    assign_add_variable,
    assign_sub_variable,
    assign_variable,
    setitem_variable,
)
from runtime.ops.kernels.resource import Resource, replace_all
from runtime.ops.records.record import Op
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Lifted", "exchanged", "lift", "on_values", "touches_variables"]

_FOLLOWING: Final[dict[Op, Op]] = {
    advance_variable: add, assign_add_variable: add, assign_sub_variable: subtract, assign_variable: identity,
    setitem_variable: setitem,
}  # fmt: skip
"""By the operation on a handle the one on its value that gives the next value."""


class Lifted(NamedTuple):
    """A graph whose Variables are values. `handles`, `written`: places among its inputs."""

    graph: Graph
    handles: tuple[int, ...]
    written: tuple[int, ...]


def touches_variables(operation: Operation) -> bool:
    """Whether an operation is given the handle of a Variable."""
    return any(t.dtype is resource for t in operation.inputs)


def lift(graph: Graph, types: Types) -> Lifted:
    """The graph on values. Raises Refused for what has no such form."""
    if not _has_handles(graph):
        return Lifted(graph, (), ())
    lifting = _Lift(graph, types)
    writes = frozenset[int]().union(*map(lifting.written, graph.operations))
    handles = tuple(i for i, t in enumerate(graph.inputs) if t.dtype is resource)
    written = tuple(i for i in handles if id(graph.inputs[i]) in writes)
    made: Graph = drive(lifting.graph(graph, written))
    made.functions = dict(graph.functions)
    while lifting.called:
        name = lifting.called.pop()
        function = graph.functions[name]
        if made.functions[name] is function:
            places = [i for i, t in enumerate(function.inputs) if t.dtype is resource]
            made.functions[name] = drive(lifting.graph(function, places))
    return Lifted(made, handles, written)


def _has_handles(graph: Graph) -> bool:
    return any(t.dtype is resource for t in graph.inputs)


def on_values(operation: Operation, types: Types) -> Operation:
    """For an operation on handles that holds no graphs: one on values, for which there has to be machine code."""
    made = Graph(operation.name)
    given = [t if t.dtype is not resource else made.placeholder(*types.of(t)) for t in operation.inputs]
    kinds = [(t.dtype, t.shape, t.weak) for t in operation.outputs]
    if operation.op is call_node:
        values = [new for old, new in zip(operation.inputs, given, strict=True) if old.dtype is not resource]
        return _made(made, operation, call_node, values, operation.attributes, kinds)
    kind = types.of(operation.inputs[0])
    after = given[0] if operation.op in READS else _following(made, operation, given, kind)
    last = made.operations[-1]
    if last.op is not placeholder:
        return last
    return _made(made, operation, identity, [after], {}, [(kind.dtype, kind.shape, False)])


def exchanged(call: Callable[..., Any], lifted: Lifted, values: Sequence[Any], count: int) -> Any:
    """What a region on values gives, `count` results, for arguments of which some are the memory of Variables; None
    where it gave up. Then no Variable has changed."""
    given, before = list(values), dict[int, Any]()
    if lifted.written and len({id(values[i]) for i in lifted.handles}) < len(lifted.handles):
        return None  # two handles of one Variable
    for i in lifted.handles:
        memory: Resource = values[i]
        try:
            before[i] = memory.read()
        except Exception:  # which the plan raises again, with the line
            return None
        given[i] = before[i] if before[i].ndim else before[i].item()
    result = call(*given)
    if result is None:
        return None
    own, after = (result[:count], result[count:]) if lifted.written or count else (True, ())
    changes = [
        (values[i], before[i], np.asarray(new, before[i].dtype)) for i, new in zip(lifted.written, after, strict=True)
    ]
    return (own or True) if replace_all(changes) else None


class _Lift:
    """The state of one lifting."""

    def __init__(self, root: Graph, types: Types) -> None:
        self.types = types
        self.called: list[str] = []
        """The functions that have been met: those on values give all Variables that they are given."""
        self.touched: dict[int, Touch] = {}
        for graph in (root, *root.functions.values()):
            self.touched |= touches(graph)

    def written(self, operation: Operation) -> frozenset[int]:
        """The ids of the handles to which an operation may write."""
        found = self.touched.get(id(operation))
        return frozenset() if found is None else found.writes

    def graph(self, graph: Graph, written: Sequence[int]) -> Task:
        """The graph on values, which gives also those of the handles in the places `written`."""
        if not _has_handles(graph):
            return graph
        build, now = Rebuild(graph), dict[int, SymbolicTensor]()
        for tensor in graph.inputs:
            if tensor.dtype is resource:
                now[id(tensor)] = build.graph.placeholder(*self.types.of(tensor), tensor.op.name)
                build.replace(tensor, now[id(tensor)])
        for operation in graph.operations:
            if operation.op is placeholder and id(operation.outputs[0]) in now:
                continue
            if operation.op in READS:
                build.replace(operation.outputs[0], now[id(operation.inputs[0])])
            elif operation.op in WRITES:
                self._write(build, now, operation)
            elif operation.op is call_node and touches_variables(operation):
                self._call(build, now, operation)
            elif operation.subgraphs:
                yield from self._control(build, now, operation)
            else:
                build.copy(operation)
        after = [now[id(graph.inputs[i])] for i in written]
        made = build.finish()
        made.outputs += after
        return made

    def _write(self, build: Rebuild, now: dict[int, SymbolicTensor], operation: Operation) -> None:
        handle, *others = operation.inputs
        before, given = now[id(handle)], [build.tensor(t) for t in others]
        now[id(handle)] = _following(build.graph, operation, [before, *given], self.types.of(handle))
        if operation.outputs:
            build.replace(operation.outputs[0], before)

    def _call(self, build: Rebuild, now: dict[int, SymbolicTensor], operation: Operation) -> None:
        self.called.append(operation.attributes["function"])
        handles = [t for t in operation.inputs if t.dtype is resource]
        kinds = [self.types.of(t) for t in handles]
        said = operation.attributes
        attributes = {
            **said,
            "dtypes": (*said["dtypes"], *(kind.dtype for kind in kinds)),
            "shapes": (*said["shapes"], *(kind.shape for kind in kinds)),
        }
        self._add(build, now, operation, _given(build, now, operation), attributes, handles)

    def _control(self, build: Rebuild, now: dict[int, SymbolicTensor], operation: Operation) -> Task:
        """A loop or a branch: what it may write to is state, and comes out behind the rest."""
        writes = self.written(operation)
        first = len(operation.inputs) - len(operation.subgraphs[0].inputs)
        places = [i for i, t in enumerate(operation.inputs[first:]) if id(t) in writes]
        tests = [operation.attributes["cond_graph"]] if operation.op is while_node else []
        if (places and operation.op is try_node) or any(self.written(o) for test in tests for o in test.operations):
            raise Refused(operation, "a Variable is written to in its body, or its condition")
        inputs, graphs = _given(build, now, operation), {}
        for nested in operation.subgraphs:
            graphs[id(nested)] = yield self.graph(nested, () if nested in tests else places)
        if operation.op is while_node and places:
            states = range(len(operation.outputs))
            order = [*states, *places, *(i for i in range(len(states), len(inputs)) if i not in set(places))]
            inputs = [inputs[i] for i in order]
            for made in graphs.values():
                made.inputs = [made.inputs[i] for i in order]
        handles = [operation.inputs[first + i] for i in places]
        self._add(build, now, operation, inputs, with_graphs(operation, graphs), handles)

    def _add(
        self, build: Rebuild, now: dict[int, SymbolicTensor], operation: Operation, inputs: Sequence[SymbolicTensor],
        attributes: Mapping[str, Any], handles: Sequence[SymbolicTensor],
    ) -> None:
        """An operation with the values of these handles behind its own results."""
        if len(set(map(id, handles))) < len(handles):
            raise Refused(operation, "it is given one Variable under two names")
        kinds = [(t.dtype, t.shape, t.weak) for t in operation.outputs]
        kinds += [(kind.dtype, kind.shape, False) for kind in map(self.types.of, handles)]
        outputs = _made(build.graph, operation, operation.op, inputs, attributes, kinds).outputs
        for old, new in zip(operation.outputs, outputs, strict=False):
            build.replace(old, new)
        for handle, new in zip(handles, outputs[len(operation.outputs) :], strict=True):
            now[id(handle)] = new


def _given(build: Rebuild, now: Mapping[int, SymbolicTensor], operation: Operation) -> list[SymbolicTensor]:
    return [now[id(t)] if t.dtype is resource else build.tensor(t) for t in operation.inputs]


def _following(graph: Graph, operation: Operation, given: Sequence[SymbolicTensor], kind: Type) -> SymbolicTensor:
    """What is in a Variable behind an operation that writes to it. given: what is in it before, and its operands."""
    if operation.op not in _FOLLOWING:
        raise Refused(operation, "there is no machine code for it")
    target = _FOLLOWING[operation.op]
    if target is not setitem and not _fits(given[1].shape, kind.shape, open_=target is identity):
        raise Refused(operation, "whether the value has the shape of the Variable is known to the run alone")
    if target is identity:
        return given[1]
    attributes = {"spec": operation.attributes["spec"]} if target is setitem else target.attributes
    return _made(graph, operation, target, given, attributes, [(kind.dtype, kind.shape, False)]).outputs[0]


def _fits(value: TensorShape, variable: TensorShape, open_: bool) -> bool:
    """Whether a value surely has a shape that a Variable may have. open_: what that leaves open may be any length."""
    mine, theirs = value.dims, variable.dims
    if mine is None or theirs is None or len(mine) != len(theirs):
        return False
    return all((d is None and open_) or (d is not None and d == m) for m, d in zip(mine, theirs, strict=True))


def _made(
    graph: Graph, operation: Operation, op: Op, inputs: Sequence[SymbolicTensor], attributes: Mapping[str, Any],
    kinds: Sequence[tuple[DType, TensorShape, bool]],
) -> Operation:
    """Adds what comes in the place of an operation, with results of these kinds."""
    made = Operation(graph, op, operation.name, tuple(inputs), attributes, operation.location)
    made.outputs = tuple(SymbolicTensor(made, i, *kind) for i, kind in enumerate(kinds))
    graph.operations.append(made)
    return made
