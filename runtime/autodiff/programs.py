"""Functions under a tape: a graph that runs, and the graph that goes back through it.

    program = Program(graph)
    outputs = program.call(inputs)          # tells the tapes of one operation, `function_call`

For what the tapes watch among the inputs, the graph is copied once into one that also gives what its gradient needs
(see `Pair`); the graph of the gradient takes that, is optimised and compiled like any other, and is a Program itself:
so gradients of gradients are graphs, too.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.autodiff.lifting import captured, lifted, within_recursion
from runtime.autodiff.rules import STRUCTURED, carries, zeros_of
from runtime.autodiff.saving import copied_constant, variable_type
from runtime.autodiff.sweep import reached, sweep
from runtime.backends import Plan, compile_graph
from runtime.context import recording
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import EVERY, resource
from runtime.engine import numerics
from runtime.engine.numerics import CheckedPlan
from runtime.graph.graph import Graph
from runtime.graph.rebuild import Rebuild
from runtime.ops.flow.core import placeholder
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array, Op
from runtime.passes import optimize
from runtime.passes.numerics import with_numeric_checks
from runtime.state.variable import Variable
from runtime.tensor import taping
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.vectorize.rules import NotVectorizable

__all__ = ["Program", "function_call"]


def _no_kernel(*inputs: Array, pair: Any = None) -> Any:
    """A call of a Function, as tapes see it: it is never dispatched."""
    raise RuntimeError("a call of a Function has no kernel")


function_call: Final = Op(_no_kernel, name="function_call", shape=lambda *inputs, pair: (), dtypes=EVERY, mixed=True)
"""The record of a call of a Function that a tape was told of; its attribute `pair` knows the way back."""

Value = EagerTensor | Resource

ORDERS_WITHIN: Final = 1
"""How many more orders of gradients are possible where tapes are persistent, which may record their own gradients."""


class Program:
    """See the module's docstring."""

    def __init__(self, graph: Graph, backend: str | None = None) -> None:
        self.graph, self.backend = graph, backend
        self._lock = threading.RLock()
        self._optimized: Graph | None = None
        self._plan: Plan | None = None
        self._checked: CheckedPlan | None = None
        self._pairs: dict[tuple[tuple[int, ...], int], Pair] = {}
        self._constants: tuple[list[EagerTensor], list[EagerTensor]] | None = None
        self._others: dict[tuple[int, ...], Program] = {}
        self._read: frozenset[int] | None = None

    def call(self, inputs: Sequence[Value]) -> list[EagerTensor]:
        """Runs it. inputs: for each input of the graph a tensor, or the memory of a Variable."""
        found = self.watched_call(inputs)
        return list(map(EagerTensor, self.run(inputs))) if found is None else found

    def watched_call(self, inputs: Sequence[Value]) -> list[EagerTensor] | None:
        """The outputs, of a run that the tapes of this context were told of; None if they watch nothing of it."""
        tapes = taping.open_tapes()
        if not tapes:
            return None
        for number in self._reads():
            memory = inputs[number]
            assert isinstance(memory, Resource)
            taping.note_access(Variable._of(memory))
        constants, buried = self._captured()
        followed = [t for t in constants if taping.is_watched([t])]
        if taping.is_watched(buried):
            raise LookupError(
                f"{self.graph.name!r}: a tensor that the tape watches is taken from around a function that calls itself"
                " depending on a tensor, so its gradient cannot be followed; pass it as an argument"
            )
        if followed:
            return self._taking(followed).watched_call([*inputs, *followed])
        wanted = tuple([i for i, value in enumerate(inputs) if carries(value) and taping.is_watched([value])])
        if not wanted:
            return None
        order = len(tapes) + (ORDERS_WITHIN if any(tape.records_itself for tape in tapes) else 0)
        pair = self._pair(wanted, order)
        outputs = list(map(EagerTensor, pair.forward.run(inputs)))
        taping.note(function_call, inputs, {"pair": pair}, outputs)
        return outputs[: len(self.graph.outputs)]

    def run(self, inputs: Sequence[Value]) -> tuple[Array, ...]:
        """Runs it, and tells nobody."""
        return self._runner().function(*[v._array if type(v) is EagerTensor else v for v in inputs])

    def _runner(self) -> Plan | CheckedPlan:
        if not numerics.enabled and self._plan is not None:
            return self._plan
        with self._lock:
            if self._optimized is None:
                self._optimized = optimize(self.graph)
            if numerics.enabled:
                if self._checked is None:
                    checked = with_numeric_checks(optimize(self.graph, hoisting=False))
                    self._checked = CheckedPlan(compile_graph(checked, self.backend))
                return self._checked
            if self._plan is None:
                self._plan = compile_graph(self._optimized, self.backend)
            return self._plan

    def _reads(self) -> frozenset[int]:
        """The positions of the Variables that it reads."""
        if self._read is None:
            handles = [(i, t) for i, t in enumerate(self.graph.inputs) if t.dtype is resource]
            self._read = frozenset(i for i, t in handles if variable_type(self.graph, t) is not None)
        return self._read

    def _captured(self) -> tuple[list[EagerTensor], list[EagerTensor]]:
        """The eager tensors that are constants of the graph, and those of functions in it that call themselves."""
        if self._constants is None:
            self._constants = captured(self.graph), within_recursion(self.graph)
        return self._constants

    def _taking(self, tensors: Sequence[EagerTensor]) -> Program:
        """The program that takes these constants as inputs, behind the others."""
        key = tuple(map(id, tensors))
        with self._lock:
            found = self._others.get(key)
            if found is None:
                found = self._others[key] = Program(lifted(self.graph, tensors), self.backend)
                found._constants = [], []
            return found

    def _pair(self, wanted: tuple[int, ...], order: int) -> Pair:
        with self._lock:
            found = self._pairs.get((wanted, order))
            if found is None:
                found = self._pairs[wanted, order] = Pair(self.graph, wanted, order, self.backend)
            return found


Place = tuple[bool, int] | Resource
"""Where a value is: (True, i) is input i of the forward graph, (False, i) its result i; or a Variable's memory."""


@dataclass(frozen=True, slots=True)
class Back:
    """The way back for some upstreams: what the program takes, and which inputs its results are the gradients of."""

    program: Program
    upstreams: tuple[int, ...]
    """The results of the forward graph whose upstreams it takes first."""
    values: tuple[Place, ...]
    """What else it takes."""
    gradients: tuple[int, ...]
    """The inputs whose gradients it gives."""


class _NotGiven(Exception):  # a signal, not an error
    """The way back needs a value that the forward graph does not give."""


class Pair:
    """A graph that also gives what the way back needs, and the graphs of the way back.

    wanted: the inputs that gradients are taken of. order: of how many gradients of gradients; for the second one also
    the way back from what is given besides can be gone, and what that needs is given, too; and so on.
    """

    def __init__(self, graph: Graph, wanted: tuple[int, ...], order: int, backend: str | None = None) -> None:
        self._backend = backend
        build = Rebuild(graph)
        for operation in graph.operations:
            build.copy(operation)
        build.remember()
        self._graph = build.finish()
        self._graph.functions = dict(graph.functions)
        self._wanted = wanted
        self._saved: dict[int, Place] = {id(t): (True, i) for i, t in enumerate(self._graph.inputs)}
        self._lock = threading.RLock()
        self._backs: dict[tuple[int, ...], Back] = {}
        self._whole: list[tuple[set[int], Back]] = []
        """For each order the way back from all that can have an upstream."""
        count = -1
        for _ in range(order):
            if count == len(self._graph.outputs):
                break
            count = len(self._graph.outputs)
            upstreams = tuple([i for i, t in enumerate(self._graph.outputs) if carries(t)])
            self._whole.append((set(upstreams), self._make(upstreams)))
        self._closed = True
        self.forward = Program(self._graph, self._backend)

    _closed = False

    def back(self, upstreams: tuple[int, ...]) -> Back:
        """The way back from these results, or from more, whose upstreams are zeros: where to make those as a part of
        the way back takes a shape that the forward graph does not give.
        """
        with self._lock:
            found = self._backs.get(upstreams)
            if found is None:
                try:
                    found = self._make(upstreams)
                except _NotGiven:
                    found = next((whole for given, whole in self._whole if given.issuperset(upstreams)), None)
                    if found is None:
                        raise RuntimeError(
                            f"a gradient of too high an order of {self._graph.name!r}, which was called under a"
                            " persistent tape: open one tape for each order of the gradient"
                        ) from None
                self._backs[upstreams] = found
            return found

    def value(self, tensor: SymbolicTensor) -> Place:
        """Where a tensor of the forward graph is found."""
        found = self._saved.get(id(tensor))
        if found is None:
            if self._closed:
                raise _NotGiven
            found = self._saved[id(tensor)] = False, len(self._graph.outputs)
            self._graph.outputs.append(tensor)
        return found

    def _make(self, upstreams: tuple[int, ...]) -> Back:
        ahead = self._graph
        back = Graph(f"{ahead.name}_gradient")
        back.functions = ahead.functions
        sources = [ahead.inputs[i] for i in self._wanted]
        known = reached(ahead.operations, set(map(id, sources)))
        taken = tuple([i for i in upstreams if id(ahead.outputs[i]) in known])
        pairs = [(ahead.outputs[i], back.placeholder(*_type(ahead.outputs[i]), "upstream")) for i in taken]
        values = back.recording.gradients.source = _Values(self, ahead, back)
        with recording(back):
            found = sweep(ahead.operations, pairs, sources)
            kept = [(i, g) for i, g in zip(self._wanted, found, strict=True) if g is not None]
            back.outputs = [back.recording.localize(g, "gradient") for _, g in kept]
        memories: dict[int, Place] = {
            id(handle): memory for memory, handle in back.recording.tracing.resources.values()
        }
        places = [values.places.get(id(t)) or memories[id(t)] for t in back.inputs[len(taken) :]]
        return Back(Program(back, self._backend), taken, tuple(places), tuple([i for i, _ in kept]))


class _Values:
    """`GradientState.source` of the way back: its inputs stand for what the forward graph gives."""

    def __init__(self, pair: Pair, graph: Graph, back: Graph) -> None:
        self.graph = graph
        self.places: dict[int, Place] = {}
        self._pair = pair
        self._back = back
        self._given: dict[int, SymbolicTensor] = {}

    def __call__(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        own = self.graph.recording.own_version(tensor)
        if own is None:
            return None
        tensor = own
        found = self._given.get(id(tensor))
        if found is None:
            found = copied_constant(tensor, self._back)
        if found is None:
            found = self._back.placeholder(*_type(tensor), tensor.op.name)
            self.places[id(found)] = self._pair.value(tensor)
        self._given[id(tensor)] = found
        return found


def _type(tensor: SymbolicTensor) -> tuple[Any, Any]:
    return tensor.dtype, tensor.shape


def _found(place: Place, record: Any) -> Value:
    if isinstance(place, Resource):
        return place
    is_input, i = place
    return record.inputs[i] if is_input else record.outputs[i]


def _go_back(record: Any, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    """The rule of `function_call`."""
    pair: Pair = record.attributes["pair"]
    back = pair.back(tuple([i for i, u in enumerate(upstreams) if u is not None]))
    values = [_found(place, record) for place in back.values]
    asked = [(upstreams[i], record.outputs[i]) for i in back.upstreams]
    given = [*(zeros_of(output) if upstream is None else upstream for upstream, output in asked), *values]
    within = any(isinstance(value, SymbolicTensor) for value in given)
    results = _inlined(back.program.graph, given) if within else back.program.call(given)
    gradients: list[Any] = [None] * len(needed)
    for i, result in zip(back.gradients, results, strict=True):
        gradients[i] = result
    return gradients


def _inlined(graph: Graph, inputs: Sequence[Any]) -> list[SymbolicTensor]:
    """The outputs of a graph as a part of the one that records: that of the rows of a jacobian."""
    if graph.functions or any(isinstance(value, Resource) for value in inputs):
        raise NotVectorizable("a recursive function, or one that reads a Variable on the way back")
    outer = current_graph()
    inner = {id(t): outer.recording.localize(value, graph.name) for t, value in zip(graph.inputs, inputs, strict=True)}
    for operation in graph.operations:
        if operation.op is placeholder:
            continue
        copy = outer.add(operation.op, [inner[id(t)] for t in operation.inputs], operation.attributes, operation.name)
        inner.update((id(old), new) for old, new in zip(operation.outputs, copy.outputs, strict=True))
    return [inner[id(t)] for t in graph.outputs]


STRUCTURED[function_call] = _go_back
