"""Functions of users in pipelines: converted and traced once, then run for each element or for whole blocks.

    traced = trace_elements(lambda x: x * 2 if x > 0 else x, [structure], "map")
    run = traced.bind(())
    list(run.rows(block))                   # one element after the other
    run.block(block)                        # all at once, where the result is the same; else None

Inside of a Function the tensors around it that the function uses are inputs of the dataset's operation (`captures`);
their values are given to `bind` when the graph runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any, Final

import numpy as np

from runtime import structures
from runtime.backends import compile_graph
from runtime.context import current_recorder
from runtime.control_flow.statement.subgraph import trace
from runtime.dtypes import resource
from runtime.engine import numerics
from runtime.engine.numerics import CheckedPlan
from runtime.function.decorator import function as as_function
from runtime.function.function import Function
from runtime.graph.graph import Graph
from runtime.graph.library import called_functions
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.library.data.blocks import Block, Row, column_of
from runtime.library.data.handles import DRAWING
from runtime.library.data.structure import DatasetSpec, Structure, as_leaves, is_inner, structure_of
from runtime.ndarrays.callbacks import apart
from runtime.ops.records.record import Array, Op
from runtime.passes import optimize
from runtime.passes.numerics import with_numeric_checks
from runtime.state.calling import staged
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.vectorize.interpreter import block_graph

__all__ = ["Runner", "Traced", "as_element", "trace_elements"]

Make = Callable[[Any, Structure], Any]
Plan = Callable[..., tuple[Array, ...]]

HARMLESS: Final = frozenset({"caught", "check", "placeholder", "raise", "reraise"})
"""Operations with state that nobody can observe but by what they raise, and that is kept until its turn."""

NO_SOURCE: Final = (Function, Op, np.ufunc, type, BuiltinFunctionType)
"""Functions that are called as they are."""

FEW: Final = 4
"""Elements that are not worth a block."""


@dataclass(frozen=True, eq=False)
class Traced:
    """A traced function. `results`: the structure of what it returns; `captures`: tensors of the graph around it."""

    results: Structure
    captures: tuple[SymbolicTensor, ...]
    _compiled: _Compiled

    def bind(self, captured: Sequence[Any]) -> Runner:
        """The function, ready to run. captured: what the captures are in this run."""
        return Runner(self._compiled, tuple(captured))


class _Compiled:
    """The graph of a function and what is made of it when it is first needed. memories: of Variables."""

    def __init__(self, graph: Graph, memories: tuple[Any, ...], arguments: int) -> None:
        self.graph, self.memories, self.arguments = graph, memories, arguments
        self._lock = threading.Lock()
        self._optimized: Graph | None = None
        self._single: Plan | None = None
        self._checked: Plan | None = None
        self._together: Plan | None = None
        self.steady = False

    def prepare(self) -> None:
        """Optimises the graph, finds out what it is, and compiles it; the first time."""
        with self._lock:
            if self._single is not None:
                return
            graph = self._optimized = optimize(self.graph)
            self.steady = _is_steady(graph)
            blocks = block_graph(graph, self.arguments) if self.steady else None
            self._together = None if blocks is None else compile_graph(optimize(blocks)).function
            self._single = compile_graph(graph).function

    def single(self) -> Plan:
        """What runs for one element: while numerics are checked, what tells where NaN and infinity come from."""
        assert self._single is not None and self._optimized is not None
        if not numerics.enabled:
            return self._single
        with self._lock:
            if self._checked is None:
                self._checked = CheckedPlan(
                    compile_graph(with_numeric_checks(optimize(self.graph, hoisting=False)))
                ).function
            return self._checked

    @property
    def together(self) -> Plan | None:
        """What runs for a block of elements, if there is such a thing."""
        return None if numerics.enabled else self._together


def _is_steady(graph: Graph) -> bool:
    """Whether nobody can tell when, and how often, the graph runs."""
    if any(t.dtype is resource for t in graph.inputs):
        return False
    roots = (graph, *graph.functions.values())
    return all(_keeps_quiet(o) for root in roots for part in nested_graphs(root) for o in part.operations)


def _keeps_quiet(operation: Operation) -> bool:
    if operation.type == "py_function":
        return False
    if operation.type == "dataset":
        return operation.attributes["make"].parts[0] not in DRAWING
    return operation.type in HARMLESS or bool(operation.subgraphs) or not operation.stateful


class Runner:
    """A function with what it captured."""

    __slots__ = ("_captured", "_compiled")

    def __init__(self, compiled: _Compiled, captured: tuple[Any, ...]) -> None:
        compiled.prepare()
        self._compiled = compiled
        self._captured = (*captured, *compiled.memories)

    @property
    def steady(self) -> bool:
        """Whether nobody can tell when the function runs."""
        return self._compiled.steady

    @property
    def vectorized(self) -> bool:
        """Whether blocks are computed by one run."""
        return self._compiled.together is not None

    def row(self, row: Row) -> Row:
        """The result for one element."""
        return self._compiled.single()(*row, *self._captured)

    def rows(self, block: Block) -> Iterator[Row]:
        """The results for the elements, one by one."""
        plan, captured = self._compiled.single(), self._captured
        if not captured:
            return (plan(*row) for row in block.rows())
        return (plan(*row, *captured) for row in block.rows())

    def block(self, block: Block) -> Block | None:
        """The results for all elements, computed together; None where that cannot be, or one of them fails."""
        plan = self._compiled.together
        if plan is None or block.count < FEW or not block.columns:
            return None
        columns: Sequence[Any] = [column_of(c) if isinstance(c, list) else c for c in block.columns]
        if any(isinstance(column, list) for column in columns):
            return None
        try:
            columns = plan(*columns, *self._captured)
        except Exception:
            return None  # of which element, the one-by-one run shows
        return Block(columns, block.count)


def trace_elements(function: Callable[..., Any], arguments: Sequence[Structure], what: str, make: Make) -> Traced:
    """Traces `function(*arguments)`. make: from the handle of a dataset, and the structure of its elements, to one."""
    if not callable(function):
        raise TypeError(f"{what} takes a function; got {function!r}")
    name = getattr(function, "__name__", type(function).__name__).strip("<>")
    converted = function if isinstance(function, NO_SOURCE) else staged(function)
    outer = current_recorder()
    call = apart(converted) if isinstance(outer, Graph) else converted
    found: list[Structure] = []

    def flat(*leaves: Any) -> list[Any]:
        found.clear()  # of an attempt before
        values = iter(leaves)
        elements = [
            arg.pack([make(v, Structure(s.element_spec)) if isinstance(s, DatasetSpec) else v
                      for s, v in zip(arg.leaves, values)])  # noqa: B905  # leaves of the other arguments remain
            for arg in arguments
        ]  # fmt: skip
        result = call(*elements)
        result = as_element(tuple(result) if isinstance(result, list) else result, what)
        found.append(structure_of(result))
        return [getattr(leaf, "handle", leaf) for leaf in _leaves(result)]

    leaves = [leaf for argument in arguments for leaf in argument.leaves]
    if isinstance(outer, Graph):
        return _traced_within(outer, flat, leaves, name, found, what)
    specs = [TensorSpec(leaf.shape, leaf.dtype, f"element_{i}") for i, leaf in enumerate(leaves)]
    flat.__name__ = flat.__qualname__ = name
    concrete = as_function(flat, autograph=False).get_concrete_function(*specs)
    concrete.state.refuse(f"{what} {name!r} runs", "keep what it leaves there in a runtime.Variable, or return it")
    _require_results(found, what)
    return Traced(found[0], (), _Compiled(concrete.graph, concrete._memories, len(leaves)))


def _traced_within(
    outer: Graph, flat: Callable[..., Any], leaves: Sequence[Any], name: str, found: list[Structure], what: str
) -> Traced:
    """The function as a graph inside of the one that is being traced."""
    graph = Graph.within(outer, name)
    inputs = [graph.placeholder(leaf.dtype, leaf.shape, f"element_{i}") for i, leaf in enumerate(leaves)]
    results = trace(
        graph, lambda: [graph.recording.localize(t, what) for t in flat(*inputs)], f"the function of {what}"
    )
    _require_results(found, what)
    graph.outputs = results
    graph.functions = called_functions(graph)
    captured = tuple(tensor for tensor, _ in graph.recording.captures)
    graph.inputs = [*inputs, *(graph.recording.capture(tensor) for tensor in captured)]
    return Traced(found[0], captured, _Compiled(graph, (), len(leaves)))


def _require_results(found: Sequence[Structure], what: str) -> None:
    """Raises TypeError where no trace came to its end."""
    if not found:
        raise TypeError(f"{what}: the function raises for all elements, so that its results have no type")


def as_element(value: Any, what: str) -> Any:
    """What a function returned as an element: its leaves are tensors and datasets. Lists inside become tensors."""
    if value is None or (hasattr(type(value), "element_spec") and hasattr(type(value), "_nest_parts")):
        return value
    if is_inner(value):
        return structures.rebuild(value, [as_element(part, what) for _, part in structures.children(value)])
    if isinstance(value, Variable):
        value = value.value()
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{what}: {value!r} is no element of a dataset; elements are tensors, and tuples and dicts of them: {error}"
        ) from None


def _leaves(element: Any) -> list[Any]:
    return [leaf for _, leaf in as_leaves(element)]
