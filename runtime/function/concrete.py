"""`ConcreteFunction`: one trace of a Function, with fixed argument types, its graph and its plan.

square = pow.get_concrete_function(a=TensorSpec(None, float32), b=2)
square(constant(10.0))       # 100.0: b stays 2
"""

from __future__ import annotations

import copy
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from autograph.operators.tracebacks import show_users_frames
from runtime import structures as nest
from runtime.backends import Plan, compile_graph
from runtime.context import current_recorder
from runtime.control_flow.lists.data_structures import has_lists, with_python_lists
from runtime.engine import numerics
from runtime.engine.interpreter import run_graph
from runtime.engine.numerics import CheckedPlan
from runtime.engine.times import Times
from runtime.function import pickling
from runtime.function.arguments import Arguments
from runtime.function.array_arguments import check_replaced, targets_of
from runtime.function.array_uses import key_of
from runtime.function.containers_of_call import check_called
from runtime.function.guards import Guards
from runtime.function.inlining import inline
from runtime.function.pretty import describe, header, type_of
from runtime.function.results import of_values, packed, packer
from runtime.function.sharing import Sharing
from runtime.function.signature import Signature
from runtime.function.state import State
from runtime.function.trace_protocol import Typed, is_whole, with_objects
from runtime.function.trace_types import Inputs, Key, ObjectKey, remember
from runtime.function.tracing import Trace
from runtime.graph.graph import Graph
from runtime.ndarrays.arguments import write_back
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.restart import memory_in_trace
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.passes import optimize
from runtime.passes.numerics import with_numeric_checks
from runtime.state.parameters import Parameter, VariableSpec
from runtime.state.variable import Variable
from runtime.tensor import taping
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.autodiff.programs import Program

__all__ = ["ConcreteFunction"]

TRACED: Final = frozenset({SymbolicTensor, Parameter})
"""What an argument is while another function is traced."""


class ConcreteFunction:
    """One graph of a Function. It is optimised and compiled when it first runs."""

    __ag_do_not_convert__ = True

    is_loaded = False
    """Whether it comes from a file, together with all its Variables."""

    def __init__(
        self, name: str, signature: Signature, trace: Trace, guards: Guards, key: Key, state: State | None = None
    ) -> None:
        self.name = name
        self.guards = guards
        """What the trace took from Python besides its arguments; only Functions look at it."""
        self.key = key
        self.state = state or State()
        """The places of the program that runs read and write."""
        self.sharing: Sharing | None = None  # how arguments share memory in calls, where that is written to
        self.in_calls: ConcreteFunction | None = None  # what calls of the Function run: it changes the caller's own,
        self.copied = trace.copied  # where this one changes copies
        self.graph: Graph = trace.graph
        """The graph as it was traced."""
        self.structured_outputs = trace.outputs
        """The result, with symbolic tensors; what is None in some runs only is a MaybeNone of its value and a flag."""
        self._signature = signature
        self._diverges = trace.diverges
        self._memories = trace.memories
        self._arguments = {n: nest.map_structure(remember, v) for n, v in trace.arguments.items()}
        specs = {n: nest.map_structure(_spec_of, v) for n, v in self._arguments.items()}
        self._inputs = Arguments(self, signature.signature, specs)
        self.uses = trace.uses
        self.reads: tuple[tuple[Callable[[], Any], str, str], ...] = ()
        """The arrays that it has read while it was traced, where it writes to arguments."""
        memories = any(isinstance(memory, ArrayMemory) for memory in trace.memories)
        self.parts_arrays = bool(trace.uses.written) or memories or trace.uses.asks_identity
        """Whether it matters which arrays share memory with others."""
        self.knows_arrays = self.parts_arrays or bool(trace.uses.same or trace.uses.pattern) or trace.uses.needs_layout
        """Whether it is right for some arrays, and not for others like them."""
        self._has_lists = has_lists(trace.outputs)
        self.pack = packer(trace.outputs, self._has_lists)
        given = {t.dtype for t in trace.graph.outputs}
        self.plain_arrays = not trace.graph.stateful and all(d.is_numeric or d.is_bool for d in given)
        """Whether the graph has no effects and gives nothing but numbers and bools."""
        self.backend: str | None = None  # the engine that runs it, where one is named
        self.whole, self.met = False, 0  # whether all loops must be the engine's own; how many calls met it by a key
        self._lock = threading.Lock()
        self._plan: Plan | None = None
        self._checked_plan: CheckedPlan | None = None
        self._optimized: Graph | None = None
        self._program: Program | None = None

    # -- running -------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph. Python arguments may be left out; given, they must be those of the trace.

        Raises InvalidArgumentError for a tensor of another dtype or shape, TypeError for missing or unexpected ones.
        """
        try:
            return self.run(self._inputs.tensors(args, kwargs), checks=True)
        except (Exception, KeyboardInterrupt) as error:
            show_users_frames(error)
            raise

    def run(self, tensors: Sequence[Any], checks: bool | None = None) -> Any:
        """Runs the graph on its inputs in order; inside of another trace, adds its operations there. checks: that
        arrays share memory as in the trace; None: where any is an argument, for guards check the others."""
        if self.uses.replaced:
            check_replaced(self.graph, self.header, self.uses.replaced, tensors)
        if current_recorder() is not None or not TRACED.isdisjoint(map(type, tensors)):
            return inline(self, tensors)
        callers = dict(getattr(tensors, "arrays", ()))
        checks = bool(callers) if checks is None else checks
        if self.state.first:
            return self._run_with_state(tensors, checks)
        arrays, tensors, found = targets_of(self, tensors, tensors, callers, checks)
        if taping.active and (outputs := self._watched(tensors)) is not None:
            write_back(arrays, [tensor._array for tensor in outputs[len(outputs) - len(arrays) :]], found)
            return self._pack_tensors(outputs[: len(outputs) - len(arrays)])
        contents = [t._array if type(t) is EagerTensor else _content(t) for t in tensors]
        made = self._runner().function(*contents, *self._memories)
        if arrays:
            write_back(arrays, made[-len(arrays) :], found)
            made = made[: -len(arrays)]
        return self.pack(made)

    def _run_with_state(self, tensors: Sequence[Any], checks: bool = False) -> Any:
        """A run that reads and writes places of the program: those are written when all of it is over."""
        if self.state.named:
            check_called(self)
        given, arrays = self.state.read(self, tensors)
        targets, given, found = targets_of(self, tensors, given, arrays, checks)
        outputs = self._watched(given) if taping.active else None
        if outputs is None:
            outputs = [*map(EagerTensor, self._runner().function(*map(_content, given), *self._memories))]
        end = len(outputs) - self.state.count
        first = end - len(targets)
        result = self._pack_tensors(outputs[:first])
        made = self.state.made(outputs[end:], arrays)
        write_back(targets, [tensor._array for tensor in outputs[first:end]], found)
        for place, value in made:
            place.put(value)
        return result

    def _watched(self, tensors: Sequence[Any]) -> list[EagerTensor] | None:
        """The outputs of a run that tapes are told of; None if they watch nothing that it is given or reads."""
        if self._program is None:
            from runtime.autodiff.programs import Program  # which only programs with tapes need

            self._program = Program(self.graph, self.backend)
        inputs = [t._memory if isinstance(t, Variable) else t for t in tensors]
        return self._program.watched_call([*inputs, *self._memories])

    def _pack_tensors(self, tensors: Sequence[EagerTensor]) -> Any:
        """The result, made of these very tensors."""
        remaining = iter(tensors)
        outputs = self.structured_outputs
        result = with_objects(nest.map_structure(lambda leaf: packed(leaf, remaining), outputs))
        return with_python_lists(result) if self._has_lists else result

    def run_eager(self, arrays: Sequence[Array]) -> Any:
        """Runs the graph on the arrays of its inputs: the shortest way, for a call that is known to fit."""
        if self.state.first:
            return self._run_with_state([*map(EagerTensor, arrays)])
        return self.pack(((not numerics.enabled and self._plan) or self._runner()).function(*arrays, *self._memories))

    def compute(self, arrays: Sequence[Array]) -> Sequence[Array]:
        """What the plan makes of the arrays of its inputs; one of them may be one of those, or a view of it."""
        return self._runner().function(*arrays, *self._memories)

    @property
    def plan(self) -> Plan:
        """The generated code; made when it is first needed."""
        if self._plan is None:
            with self._lock:
                if self._plan is None:
                    self._plan = compile_graph(self.optimized_graph, self.backend, self.whole)
        return self._plan

    def _runner(self) -> Plan | CheckedPlan:
        """What runs: the plan, or while numerics are checked the one that tells where NaN and infinity come from."""
        if not numerics.enabled:
            return self._plan or self.plan
        checked = self._checked_plan
        if checked is None:
            with self._lock:
                graph = with_numeric_checks(optimize(self.graph, hoisting=False))
                checked = self._checked_plan = CheckedPlan(compile_graph(graph, self.backend))
        return checked

    @property
    def optimized_graph(self) -> Graph:
        """The graph after all passes: what the plan is made of."""
        if self._optimized is None:
            self._optimized = optimize(self.graph)
        return self._optimized

    def operation_times(self, *args: Any, **kwargs: Any) -> Times:
        """Seconds by operation of `graph`, in one run of it operation by operation: for `graph.to_html(times)`.

        Variables are written as in a call, arrays that are given are not. Raises as a call does."""
        times = Times()
        given, _ = self.state.read(self, self._inputs.tensors(args, kwargs))
        run_graph(self.graph, [*map(_content, given), *self._memories], times)
        return times

    def tensors_of(self, arguments: Mapping[str, Any]) -> Inputs:
        """The tensors of arguments, given by parameter, as `run` takes them. Raises SignatureError."""
        return self._inputs.tensors_of(arguments)

    def __ag_memory__(self) -> list[Any]:
        """What stands for the arrays that it captures in the trace that is being made: it writes to them."""
        arrays = [memory.array for memory in self._memories if isinstance(memory, ArrayMemory)]
        return [found for array in arrays if (found := memory_in_trace(array)) is not None]

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def header(self) -> str:
        """Name and parameters, e.g. `pow(a, b=2)`."""
        return header(self.name, self._arguments)

    @property
    def wanted(self) -> dict[str, Any]:
        """What each parameter was traced with: specs in the place of tensors, Python values as they were."""
        return {n: nest.map_structure(_target_of, v, nested=is_whole) for n, v in self._inputs.specs.items()}

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The inputs of the graph: the tensors among the arguments, then what the function captured."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The outputs of the graph: the tensors in the result, flat."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[Resource]:
        """What the last inputs of the graph are given in each run: the memories of the Variables that it captured."""
        return list(self._memories)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the result, in its structure."""
        return of_values(self.structured_outputs, "dtype")

    @property
    def output_shapes(self) -> Any:
        """What is known of the shapes of the result, in its structure."""
        return of_values(self.structured_outputs, "shape")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables that the function reads or writes without being given them."""
        return tuple([Variable._of(memory) for memory in self._memories if not isinstance(memory, ArrayMemory)])

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that tapes watch by themselves."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments as TensorSpecs; Python arguments as they were."""
        return self._signature.split(self.wanted)

    @property
    def function_type(self) -> inspect.Signature:
        """The parameters with the specs or types of their values, and what is returned."""
        return type_of(self._signature.signature, self.wanted, self.structured_outputs)

    def pretty_printed_signature(self) -> str:
        """Name, arguments and results with their types, one a line."""
        return describe(self.name, self._arguments, self.structured_outputs)

    def _repr_html_(self) -> str:
        return self.graph._as_html(title=self.header)

    def _repr_svg_(self) -> str:
        return self.graph.to_svg()

    def __deepcopy__(self, memo: dict[int, Any]) -> ConcreteFunction:
        """Of a loaded trace, whose Variables were loaded with it, the trace of their copies. Others are not copied."""
        if not self.is_loaded:
            raise TypeError(f"a ConcreteFunction of {self.name!r} is not copied: it has the program's Variables")
        if len(self.variables) != len(self._memories):
            raise TypeError(f"{self.header} writes to arrays that it was loaded with: load the model once more")

        def of_copies(leaf: Any) -> Any:
            return copy.deepcopy(leaf.target(), memo) if isinstance(leaf, ObjectKey) else leaf

        arguments = {n: nest.map_structure(of_copies, v) for n, v in self._arguments.items()}
        memories = tuple([copy.deepcopy(variable, memo)._memory for variable in self.variables])
        trace = Trace(
            self.graph, self.structured_outputs, arguments, memories=memories, diverges=self._diverges, uses=self.uses
        )
        key = key_of(arguments, self.graph, self.uses)
        made = ConcreteFunction(self.name, self._signature, trace, self.guards, key)
        made.is_loaded = True
        return made

    def __reduce__(self) -> Any:
        """Pickled by its graph, with the present values of its Variables."""
        return pickling.by_graph(self)

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.header} at {id(self):#x}>"


def _content(value: Any) -> Any:
    """What the plan takes: an array, or the memory of a Variable."""
    return value._array if isinstance(value, EagerTensor) else value._memory


def _spec_of(value: Any) -> Any:
    if isinstance(value, Parameter):
        return VariableSpec(value.shape, value.dtype, value.trainable, value.input.op.name)
    return TensorSpec(value._shape, value.dtype, value.op.name) if isinstance(value, SymbolicTensor) else value


def _target_of(leaf: Any) -> Any:
    if isinstance(leaf, Typed):
        return leaf.type
    return leaf.target() if isinstance(leaf, ObjectKey) else leaf
