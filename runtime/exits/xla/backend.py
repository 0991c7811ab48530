"""The backend "jax": a graph as one program of XLA, compiled for each shape that its inputs have.

    @runtime.function(backend="jax")
    def step(x): ...

What a program does in Python it does here, errors included: the program says whether anything has failed (a division by
zero, an index outside, an assert, a whole number that leaves 64 bits), and then nothing of it counts: the plan over
numpy runs with the same arguments, and raises, or has the right number. Variables change when the program is over.

Where shapes depend on whole numbers among the arguments (`x[:n]`, a list with n elements), these are known while the
program is made, and there is a program for each value of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import resource, variant
from runtime.engine.plan import compile_plan
from runtime.engine.protocol import Plan
from runtime.errors import NotCompiledError
from runtime.exits.problems import Problem, listed
from runtime.exits.rules import Refused
from runtime.exits.xla.library import jax, jax_library
from runtime.exits.xla.lowering import Misfit, Unlike, problems_of
from runtime.exits.xla.program import Program, jax_settings
from runtime.exits.xla.values import Row, row_of
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.kernels.list_value import ListValue, boxed
from runtime.ops.records.record import Array

__all__ = ["JaxBackend", "JaxPlan"]

KEPT: Final = 64
"""So many programs are kept, where whole numbers among the arguments decide over shapes."""
FEW: Final = 8
"""So many of them a vector may have that is taken for a shape."""


class JaxBackend:
    """`runtime.backends.Backend`."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        """The operations without a rule. Others are refused when the shapes of the arguments are known."""
        return [(problem.operation, problem.reason) for problem in problems_of(graph, True, False)]

    def compile(self, graph: Graph, whole: bool = False) -> JaxPlan:
        """The plan. Raises NotCompiledError, with all operations that have no rule."""
        jax_library()
        problems = problems_of(graph, True, False)
        if problems:
            raise _refusal(graph, problems)
        return JaxPlan(graph)


def _refusal(graph: Graph, problems: list[Problem]) -> NotCompiledError:
    return NotCompiledError(listed(f"{graph.name!r} cannot be a program of XLA, as backend='jax' wants it:", problems))


class JaxPlan:
    """`runtime.backends.Plan`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._program = Program(graph, guarded=True)
        self._compiled: dict[Any, Callable[..., Any]] = {}
        self._fixed: list[int] = []
        """Which arguments have to be known: whole numbers, once a shape has been found to depend on values."""
        self._numpy: Plan | None = None
        self._misfits: set[Any] = set()
        self._shown: Any = None
        self._lock = threading.Lock()

    @property
    def numpy(self) -> Plan:
        """The plan that tells what failed."""
        if self._numpy is None:
            self._numpy = compile_plan(self._graph)
        return self._numpy

    @property
    def function(self) -> Callable[..., tuple[Array, ...]]:
        """Runs the program, which is made for the shapes of its arguments."""
        return self._run

    def _run(self, *given: Any) -> tuple[Array, ...]:
        arrays, memories = [], []
        for value, tensor in zip(given, self._graph.inputs, strict=True):
            if tensor.dtype is resource:
                memories.append(value)
            else:
                arrays.append(_entering(value, tensor.dtype))
        if len({id(memory) for memory in memories}) != len(memories):
            return self.numpy.function(*given)  # two names of one Variable
        values = [memory.read() for memory in memories]
        key = tuple(_kind(value) for value in (*arrays, *values))
        made = None if key in self._misfits else self._computed(arrays, values, key)
        if made is None or bool(made[2]):
            return self.numpy.function(*given)
        outputs = tuple(_leaving(v, t.dtype) for v, t in zip(made[0], self._graph.outputs, strict=True))
        for place, value in zip(self._program.written, made[1], strict=True):
            memories[place].take(np.array(value, memories[place].dtype.numpy))
        return outputs

    def _computed(self, arrays: list[Any], values: list[Any], key: Any) -> Any:
        """What the program gives; None where it raises for all values of these shapes."""
        try:
            with jax_settings():
                compiled = self._program_for(arrays)
                self._shown = compiled, arrays, values
                return compiled(arrays, values)
        except Misfit:
            self._misfits.add(key)
            return None
        except Unlike as problem:
            for rank in (0, 1):
                numbers = [i for i, array in enumerate(arrays) if _may_be_sizes(array, rank)]
                if len(numbers) > len(self._fixed):
                    self._fixed = numbers
                    return self._computed(arrays, values, key)
            raise _refusal(self._graph, [Problem(problem.operation, str(problem))]) from None

    def _program_for(self, arrays: list[Any]) -> Callable[..., Any]:
        """The compiled program; one for each value of arguments that have to be known, of which the last are kept."""
        key = tuple(arrays[i].tobytes() for i in self._fixed)
        known = {i: arrays[i] for i in self._fixed}
        with self._lock:
            found = self._compiled.pop(key, None)
            if found is None:
                found = jax.jit(lambda given, values: self._program(_with(known, given), values))
                if len(self._compiled) >= KEPT:
                    del self._compiled[next(iter(self._compiled))]
            self._compiled[key] = found
        return found

    @property
    def source(self) -> str:
        """The program for the arguments of the last run, as StableHLO; before there was one, the graph."""
        if self._shown is None:
            return self._graph.as_text()
        with jax_settings():
            return str(self._shown[0].lower(*self._shown[1:]).as_text())


def _with(known: dict[int, Any], given: list[Any]) -> list[Any]:
    return [known.get(place, array) for place, array in enumerate(given)]


def _may_be_sizes(value: Any, rank: int) -> bool:
    """Whether it is a whole number, or with rank 1 a vector of a few, such as a shape that a gradient is given."""
    return not isinstance(value, Row) and value.dtype.kind in "iu" and value.ndim <= rank and value.size <= FEW


def _kind(value: Any) -> Any:
    if isinstance(value, Row):
        return "list", value.capacity, value.length.plus, None if value.buffer is None else value.buffer.shape
    return value.dtype, value.shape


def _entering(value: Any, dtype: Any) -> Any:
    """An argument as JAX takes it; a list as its elements in a row."""
    if dtype is not variant:
        return np.asarray(value, dtype.numpy)
    try:
        return row_of(value)
    except Refused as problem:
        raise NotCompiledError(f"an argument of backend='jax': {problem}") from None


def _leaving(value: Any, dtype: Any) -> Any:
    if dtype is not variant:
        return np.array(value, dtype.numpy)
    length = int(value.length.value())
    rows = np.array(value.buffer) if value.buffer is not None else np.zeros((length, 0))
    return boxed(ListValue.of(rows[i, ...].copy() for i in range(length)))
