"""The backend "interpreter": a graph operation by operation, each by the kernel on its record, with nothing clever.

    @runtime.function(backend="interpreter")
    def f(x): ...

    outputs = run_graph(graph, [np.float32(1), np.ones(3)])

It is slow and obviously right: the oracle that other engines and the passes are tested against. Errors carry the user's
line as those of plans do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from autograph.depth import raise_limit, restore_limit
from autograph.operators.handlers import matches
from runtime.dtypes import resource
from runtime.engine.failures import explain_failure, name_endless
from runtime.engine.scalars import scalar_text, waiting
from runtime.engine.times import Times
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task, drive
from runtime.graph.operation import Operation
from runtime.graph.overflow import checked, is_checked, may_leave, too_large
from runtime.graph.own_numbers import compute_numbers, is_of_numbers, is_shift, refuse_shift
from runtime.ops.flow.control import call_node, cond_node, switch_node, try_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.exceptions import resolve_class
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.records.record import Array, Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["InterpreterBackend", "run_graph"]

RECURSION: Final = 12
"""How many times as many frames as usual a graph may use that calls functions: each call takes four of them."""


class Program:
    """What holds for a whole run: the functions that may be called, and which integers are as large as they are."""

    def __init__(self, functions: Mapping[str, Graph], times: Times | None = None) -> None:
        self.functions = functions
        self.times = times
        """What each operation takes is added here."""
        self._waiting: dict[int, set[int]] = {}

    def waiting(self, graph: Graph) -> set[int]:
        """The integers of a graph that are wrapped around, or refused, only with what is computed from them."""
        if id(graph) not in self._waiting:
            self._waiting[id(graph)] = waiting(graph)
        return self._waiting[id(graph)]


class Interpreted:
    """`runtime.backends.Plan`: the graph itself."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def function(self, *arrays: Array) -> tuple[Array, ...]:
        return tuple(run_graph(self._graph, arrays))

    @property
    def source(self) -> str:
        return self._graph.as_text()


class InterpreterBackend:
    """`runtime.backends.Backend`. It refuses nothing."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        return []

    def compile(self, graph: Graph, whole: bool = False) -> Interpreted:
        return Interpreted(graph)


def run_graph(graph: Graph, arguments: Sequence[Any], times: Times | None = None) -> list[Array]:
    """The values of the graph's outputs. arguments: a value for each input, the memory of a Variable for a handle.

    times: what each operation takes is added here; of a call, the seconds of all that it runs.
    """
    given = [_as_value(value, tensor) for value, tensor in zip(arguments, graph.inputs, strict=True)]
    frames, quiet = raise_limit(times=RECURSION if graph.functions else 1), silence()
    try:
        results: list[Array] = drive(_run(graph, given, Program(graph.functions, times)))
        return results
    finally:
        restore(quiet)
        restore_limit(frames)


def _as_value(value: Any, tensor: SymbolicTensor) -> Any:
    return value if tensor.dtype is resource else np.asarray(value, tensor.dtype.numpy)


def _run(graph: Graph, arrays: Sequence[Any], program: Program) -> Task:
    values = {id(tensor): value for tensor, value in zip(graph.inputs, arrays, strict=True)}
    unbounded = program.waiting(graph)
    for operation in graph.operations:
        if operation.op is placeholder:
            continue
        given = [values[id(tensor)] for tensor in operation.inputs]
        control = _CONTROL.get(operation.op)
        started = 0.0 if program.times is None else time.perf_counter()
        if control is not None:
            results = yield control(operation, given, program)
        elif any(id(t) in unbounded and is_checked(t) for t in operation.outputs):
            values[id(operation.outputs[0])] = _exactly(operation, given)
            continue
        else:
            results = _computed(operation, given)
        if program.times is not None and not operation.subgraphs:
            program.times.add(operation, started, given, results)
        for tensor, result in zip(operation.outputs, results, strict=True):
            array = values[id(tensor)] = _as_value(result, tensor)
            assert tensor.shape.is_compatible_with(array.shape), f"{operation}: {array.shape} is not {tensor.shape}"
    return [values[id(tensor)] for tensor in graph.outputs]


def _computed(operation: Operation, arrays: list[Any]) -> Sequence[Any]:
    """The results of an operation on arrays. Whatever it raises tells the user's line."""
    try:
        if any(type(array) is int for array in arrays):
            return [_in_range(operation, _exactly(operation, arrays))]
        if is_of_numbers(operation):
            return [compute_numbers(operation, arrays)]
        if is_shift(operation):
            refuse_shift(int(arrays[1]))
        if may_leave(operation):
            return [checked(operation.op)(*arrays, **operation.attributes)]
        result = operation.op.run(arrays, operation.attributes)
        return [result] if operation.op.outputs == 1 else result
    except Exception as error:
        explain_failure(error, operation, error.__traceback__, lambda: arrays)
        raise


def _exactly(operation: Operation, arrays: list[Any]) -> int:
    """The result in Python's integers, as large as it is; or a bool."""
    expression = scalar_text(operation)
    assert expression is not None
    try:
        number: int = eval(expression.format(*[f"({int(array)})" for array in arrays]), {})
        return number
    except ZeroDivisionError:
        signs = [np.asarray(np.sign(int(array)), operation.inputs[0].dtype.numpy) for array in arrays]
        operation.op.run(signs, operation.attributes)  # which says so
        raise


def _in_range(operation: Operation, number: int) -> int:
    dtype = operation.outputs[0].dtype
    if dtype.is_integer and not np.iinfo(dtype.numpy).min <= number <= np.iinfo(dtype.numpy).max:
        too_large(number, dtype.name)
    return number


# -- control flow -------------------------------------------------------------------------------------------------


def _cond(operation: Operation, arrays: list[Any], program: Program) -> Task:
    return (yield _run(operation.attributes["then_graph" if arrays[0] else "else_graph"], arrays[1:], program))


def _switch(operation: Operation, arrays: list[Any], program: Program) -> Task:
    branches, chosen = operation.attributes["branches"], int(arrays[0])
    return (yield _run(branches[chosen if 0 <= chosen < len(branches) else -1], arrays[1:], program))


def _while(operation: Operation, arrays: list[Any], program: Program) -> Task:
    test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
    state, invariants = arrays[: len(body.outputs)], arrays[len(body.outputs) :]
    turns, limit = 0, operation.attributes["maximum_iterations"]
    while (limit is None or turns < limit) and (yield _run(test, [*state, *invariants], program))[0]:
        state = yield _run(body, [*state, *invariants], program)
        turns += 1
    return state


def _call(operation: Operation, arrays: list[Any], program: Program) -> Task:
    """Python's own recursion stands for that of the program, so that it ends as in Python; in Python 3.12, which counts
    the frames of C by themselves and lets nobody allow more, after some hundred levels."""
    yield from ()
    function = operation.attributes["function"]
    try:
        return drive(_run(program.functions[function], arrays, program))
    except RecursionError as error:
        name_endless(error, function)
        explain_failure(error, operation, None, list)
        raise


def _try(operation: Operation, arrays: list[Any], program: Program) -> Task:
    yield from ()
    try:
        return drive(_run(operation.attributes["body_graph"], arrays, program))
    except BaseException as error:
        classes = [tuple(map(resolve_class, kinds)) for kinds in operation.attributes["classes"]]
        chosen = next((i for i, kinds in enumerate(classes) if matches(type(error), kinds)), None)
        if chosen is None:
            raise
        return drive(_run(operation.attributes["handlers"][chosen], arrays, program))


_CONTROL: Final[dict[Op, Callable[[Operation, list[Any], Program], Task]]] = {
    call_node: _call, cond_node: _cond, switch_node: _switch, try_node: _try, while_node: _while,
}  # fmt: skip
