"""A graph as the nodes of an ONNX model: operation by operation, each by its rule, with the graphs inside of it.

    writing = Writing(graph.functions, opset=21)
    outputs = writing.run(graph, values)
    writing.problems                       # what has no rule: all of it, and nothing is written then

Control flow takes other values as it finds them: a branch sees what is around it. Variables are values too: `handles`
hands them from one operation to the next, through branches and loops as further results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import GeneratorType
from typing import Any, Final

from runtime.dtypes import bool_, int64, resource, string, variant
from runtime.exits.onnx import lowerings as _fill_table
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.list_kinds import list_kinds
from runtime.exits.onnx.nodes import ELEMENT_TYPES, Handle, Subgraph, Value
from runtime.exits.onnx.rules import RULES, Refused
from runtime.exits.problems import Problem
from runtime.exits.rules import EXPANSIONS, STAYS
from runtime.exits.variables import written
from runtime.graph.graph import Graph
from runtime.graph.location import Location
from runtime.graph.nesting import Task, drive
from runtime.graph.operation import Operation
from runtime.ops.elementwise.numerics import check_finite
from runtime.ops.flow.check import check
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import Op
from runtime.ops.text.output import print_

__all__ = ["CONTROL", "DEEPEST", "DOMAIN", "Writing", "reason_of"]

del _fill_table

DEEPEST: Final = 24
"""So many branches and loops may stand inside of each other: messages of the file nest at most 100 deep, and take four
levels each."""


TELLING: Final = frozenset({print_, check, check_finite})
"""Operations without a result that tell of values, or stop for some: what is computed is the same without them."""


class Writing:
    """See the module's docstring."""

    def __init__(self, functions: Mapping[str, Graph], opset: int, drop_checks: bool = False) -> None:
        self._dropped = TELLING if drop_checks else frozenset()
        self.build = Build(opset)
        self.functions = functions
        self.problems: list[Problem] = []
        self.handles: dict[Handle, Value] = self.build.handles
        self._written: dict[int, frozenset[int]] = {}
        self._depth = 0
        self._calling: list[str] = []
        self._made: dict[tuple[Any, ...], tuple[str, list[Value], list[int]]] = {}

    def run(self, graph: Graph, values: Sequence[Any]) -> list[Any]:
        """Writes a graph of these inputs; gives the values of its outputs, None for what depends on a problem."""
        self.build.kinds = list_kinds(graph, self.functions)
        results: list[Any] = drive(self.graph(graph, values))
        return results

    def graph(self, graph: Graph, values: Sequence[Any]) -> Task:
        """The task that writes a graph where nodes are added now."""
        known = {id(tensor): value for tensor, value in zip(graph.inputs, values, strict=True)}
        for operation in graph.operations:
            if operation.op is placeholder or operation.op in self._dropped:
                continue
            operands = [known.get(id(tensor)) for tensor in operation.inputs]
            made: Any = (None,) * len(operation.outputs)
            if all(value is not None for value in operands) or self._unknown(operation) is not None:
                line, hint = self.build.line, self.build.hint
                self.build.line, self.build.hint = _shown(operation.location), operation.name
                try:
                    made = self._rule(operation)(operation, operands)
                    if isinstance(made, GeneratorType):
                        made = yield made
                except Refused as problem:
                    self.problems.append(Problem(operation, str(problem)))
                    made = (None,) * len(operation.outputs)
                self.build.line, self.build.hint = line, hint
            if isinstance(made, Value):
                made = (made,)
            known.update((id(t), value) for t, value in zip(operation.outputs, made, strict=True))
        return [known.get(id(tensor)) for tensor in graph.outputs]

    def _unknown(self, operation: Operation) -> str | None:
        """Why no operation of this kind leaves; None where there is a rule."""
        if operation.op in CONTROL or operation.op in RULES:
            return None
        return reason_of(operation.op)

    def _rule(self, operation: Operation) -> Callable[[Operation, list[Any]], Any]:
        reason = self._unknown(operation)
        if reason is not None:
            raise Refused(reason)
        for tensor in (*operation.inputs, *operation.outputs):
            if tensor.dtype not in (*ELEMENT_TYPES, variant, resource):
                raise Refused(f"onnxruntime does not compute with {tensor.dtype.name}")
        control = CONTROL.get(operation.op)
        if control is not None:
            return lambda operation, operands: self._within(control, operation, operands)
        rule = RULES[operation.op]
        return lambda operation, operands: rule(self.build, operation, operands)

    def _within(
        self, control: Callable[[Writing, Operation, list[Any]], Task], operation: Operation, operands: list[Any]
    ) -> Task:
        """The task of control flow. What it refuses by itself is one more problem."""
        try:
            if self._depth >= DEEPEST:
                raise Refused(f"more than {DEEPEST} branches and loops stand inside of each other")
            made = yield from control(self, operation, operands)
        except Refused as problem:
            self.problems.append(Problem(operation, str(problem)))
            made = (None,) * len(operation.outputs)
        return made

    # -- graphs inside of operations --------------------------------------------------------------------------------

    def written_of(self, graphs: Sequence[Graph], values: Sequence[Any]) -> list[Handle]:
        """The Variables that graphs of these inputs write to."""
        places = {i for graph in graphs for i in written(graph, self.functions, self._written)}
        found = {values[i]: None for i in sorted(places) if isinstance(values[i], Handle)}
        return list(found)

    def branch(self, graph: Graph, values: Sequence[Any], handles: Sequence[Handle]) -> Task:
        """A graph as one inside of a node, which sees what is around it; None if it has problems."""
        scope = Subgraph(self.build.unique(graph.name))
        return self.scoped(scope, handles, lambda: self.graph(graph, values))

    def scoped(self, scope: Subgraph, handles: Sequence[Handle], inner: Callable[[], Task]) -> Task:
        """What a task writes as a graph inside of a node; None if it has problems."""
        before = dict(self.handles)
        self._depth += 1
        with self.build.inside(scope):
            results = yield inner()
            results = [*results, *(self.handles[handle] for handle in handles)]
            if all(value is not None for value in results):
                scope.outputs = [self.own(value) for value in results]
        self._depth -= 1
        self._restore(before)
        return scope if all(value is not None for value in results) else None

    def _restore(self, before: Mapping[Handle, Value]) -> None:
        self.handles.clear()
        self.handles.update(before)

    def own(self, value: Value) -> Value:
        """The value under a name that only the graph which is written now has."""
        if value.is_list:
            return self.build.list_node("Identity", [value], value.dtype)
        return self.build.node("Identity", value)

    def results(
        self, node: str, operands: Sequence[Value | None], like: Sequence[Value], attributes: Mapping[str, Any]
    ) -> list[Value]:
        """Adds a node with graphs inside; its results are of the kinds of what those give."""
        made = [Value(self.build.unique(self.build.hint or node), v.dtype, v.is_list) for v in like]
        self.build._add(node, operands, made, attributes)
        return made

    def finish(self, made: Sequence[Value], handles: Sequence[Handle]) -> tuple[Value, ...]:
        """The results of an operation; the last ones are what Variables are from now on."""
        count = len(made) - len(handles)
        self.handles.update(zip(handles, made[count:], strict=True))
        return tuple(made[:count])


def reason_of(op: Op) -> str:
    """Why there is no rule for an operation. One with an expansion has none for operands like those that it has."""
    if op in EXPANSIONS:
        return "there is a rule for other operands alone: shapes of which more is known, or other attributes"
    if op in STAYS:
        return STAYS[op]
    groups = [group.allowed for group in op.groups]
    if any(string in allowed and len(allowed) <= 2 for allowed in groups) or op.result is string:
        return "it is of texts, which onnxruntime cuts off at a zero byte"
    return ""


def _shown(location: Location | None) -> str:
    if location is None:
        return ""
    name = location.filename.replace("\\", "/").rpartition("/")[2]
    return f"{name}:{location.lineno} in {location.function}"


def _cond(writing: Writing, operation: Operation, operands: list[Any]) -> Task:
    predicate, *values = operands
    graphs = operation.attributes["then_graph"], operation.attributes["else_graph"]
    handles = writing.written_of(graphs, values)
    if not operation.outputs and not handles:
        return ()
    then = yield writing.branch(graphs[0], values, handles)
    otherwise = yield writing.branch(graphs[1], values, handles)
    if then is None or otherwise is None:
        return (None,) * len(operation.outputs)
    made = writing.results("If", [predicate], then.outputs, {"then_branch": then, "else_branch": otherwise})
    return writing.finish(made, handles)


def _switch(writing: Writing, operation: Operation, operands: list[Any]) -> Task:
    """Halves of the branches, until one is left."""
    build, branches = writing.build, operation.attributes["branches"]
    handles = writing.written_of(branches, operands[1:])
    if not operation.outputs and not handles:
        return ()
    index, last = operands[0], build.number(operands[0], len(branches) - 1)
    low = build.node("GreaterOrEqual", index, build.number(index, 0), dtype=bool_)
    known = build.node("And", low, build.node("LessOrEqual", index, last, dtype=bool_))
    index = build.where(known, index, last)
    half = _half(writing, operation, [index, *operands[1:]], handles, (0, len(branches)))
    made = yield half
    return (None,) * len(operation.outputs) if made is None else writing.finish(made, handles)


def _half(
    writing: Writing, operation: Operation, operands: list[Any], handles: Sequence[Handle], part: tuple[int, int]
) -> Task:
    index, *values = operands
    branches, (first, end) = operation.attributes["branches"], part
    if end - first == 1:
        made = yield writing.graph(branches[first], values)
        made = [*made, *(writing.handles[handle] for handle in handles)]
        return None if any(value is None for value in made) else made
    middle = (first + end) // 2
    below = writing.build.node("Less", index, writing.build.number(index, middle), dtype=bool_)
    halves = []
    for bounds in ((first, middle), (middle, end)):
        scope = Subgraph(writing.build.unique(f"{operation.name}_{bounds[0]}"))
        halves.append((yield writing.scoped(scope, (), _task(writing, operation, operands, handles, bounds))))
    if halves[0] is None or halves[1] is None:
        return None
    return writing.results("If", [below], halves[0].outputs, {"then_branch": halves[0], "else_branch": halves[1]})


def _task(
    writing: Writing, operation: Operation, operands: list[Any], handles: Sequence[Handle], part: tuple[int, int]
) -> Callable[[], Task]:
    def inner() -> Task:
        made = yield _half(writing, operation, operands, handles, part)
        return [None] if made is None else made

    return inner


def _while(writing: Writing, operation: Operation, operands: list[Any]) -> Task:
    build, body, test = writing.build, operation.attributes["body_graph"], operation.attributes["cond_graph"]
    count, limit = len(body.outputs), operation.attributes["maximum_iterations"]
    state, invariants = operands[:count], operands[count:]
    handles = writing.written_of((test, body), operands)
    starts = [*state, *(writing.handles[handle] for handle in handles)]
    (first,) = yield writing.graph(test, operands)
    scope = Subgraph(build.unique(body.name))
    ends = [Value(build.unique("turn"), int64), Value(build.unique("goes_on"), bool_)]
    inner = [Value(build.unique(v.name), v.dtype, v.is_list) for v in starts]
    scope.inputs = [*ends, *inner]

    def turn() -> Task:
        writing.handles.update(zip(handles, inner[count:], strict=True))
        after = yield writing.graph(body, [*inner[:count], *invariants])
        if any(value is None for value in after):
            return [None]
        (again,) = yield writing.graph(test, [*after, *invariants])
        return [again, *after]

    made = yield writing.scoped(scope, handles, turn)
    if made is None or first is None:
        return (None,) * len(operation.outputs)
    turns = None if limit is None else build.integers(int(limit))
    results = writing.results("Loop", [turns, first, *starts], made.outputs[1:], {"body": scope})
    return writing.finish(results, handles)


def _call(writing: Writing, operation: Operation, operands: list[Any]) -> Task:
    """A function of the model. What it needs of Variables it is given; what it writes to them are further results."""
    name, build = operation.attributes["function"], writing.build
    if name in writing._calling:
        raise Refused(f"{name!r} calls itself, which functions in ONNX cannot; write a loop")
    given = [v for v in operands if isinstance(v, Handle)]
    if len(set(given)) != len(given):
        raise Refused(f"{name!r} is given the same Variable twice")
    values = [writing.handles[v] if isinstance(v, Handle) else v for v in operands]
    key = (name, *((v.dtype, v.is_list) for v in values))
    if key not in writing._made:
        made = yield _function(writing, name, operands, values)
        if made is None:
            return (None,) * len(operation.outputs)
        writing._made[key] = made
    called, results, changed = writing._made[key]
    made = [Value(build.unique(build.hint), v.dtype, v.is_list) for v in results]
    if made:
        build._add(called, values, made, {})
        build.scope.nodes[-1].domain = DOMAIN
    return writing.finish(made, [operands[i] for i in changed])


def _function(writing: Writing, name: str, operands: list[Any], values: list[Value]) -> Task:
    build, graph = writing.build, writing.functions[name]
    changed = sorted(i for i in written(graph, writing.functions, writing._written) if isinstance(operands[i], Handle))
    scope = Subgraph(build.unique(name))
    scope.inputs = [Value(build.unique(v.name), v.dtype, v.is_list) for v in values]
    before = dict(writing.handles)
    handles = [Handle(f"{name}:{i}", v.dtype) if isinstance(o, Handle) else None
               for i, (o, v) in enumerate(zip(operands, scope.inputs, strict=True))]  # fmt: skip
    writing.handles.update((h, v) for h, v in zip(handles, scope.inputs, strict=True) if h is not None)
    writing._calling.append(name)
    with build.apart(scope):
        inner = [v if h is None else h for h, v in zip(handles, scope.inputs, strict=True)]
        results = yield writing.graph(graph, inner)
        known = all(value is not None for value in results)
        if known:
            ends = [*results, *(writing.handles[h] for i in changed if (h := handles[i]) is not None)]
            scope.outputs = [writing.own(value) for value in ends]
    writing._calling.pop()
    writing._restore(before)
    if not known:
        return None
    build.functions[scope.name] = scope
    return scope.name, scope.outputs, changed


DOMAIN: Final = "runtime.functions"
"""The domain of the functions of a model."""

CONTROL: Final[dict[Op, Callable[[Writing, Operation, list[Any]], Task]]] = {
    call_node: _call, cond_node: _cond, switch_node: _switch, while_node: _while,
}  # fmt: skip
