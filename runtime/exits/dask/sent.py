"""`Sent`: a trace as a function of arrays and of the values of its Variables, which any process can call, and again.

    sent = Sent("run", step.get_concrete_function(spec))     # refuses what would have effects there
    sent.compute(sent.values(), [array])                     # the arrays of its outputs

It is pickled with its graph, so workers need none of the program's code, and nothing is traced there. Nothing that a
call does stays: it can be repeated elsewhere when a worker is lost.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.errors import InvalidArgumentError, NotExportableError
from runtime.exits.problems import Problem, listed
from runtime.exits.traces import check_trace
from runtime.function.concrete import ConcreteFunction
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.check import check
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import caught, raise_, reraise
from runtime.ops.flow.state import WRITES
from runtime.ops.kernels.resource import Resource
from runtime.ops.random import random
from runtime.ops.records.record import Array
from runtime.saved_model.pickled import by_graph
from runtime.shapes import TensorShape

__all__ = ["Sent", "sent"]

DRAWING: Final = frozenset({
    random.random_categorical, random.random_normal, random.random_shuffle, random.random_truncated_normal,
    random.random_uniform,
})  # fmt: skip
"""Operations that take numbers from the generator of the program."""

RAISING: Final = frozenset({caught, check, placeholder, raise_, reraise})
"""Operations with state that nobody can observe but by what they raise, which is raised here, too."""

REASONS: Final = {
    "print": "it would print where nobody reads it; return the value",
    "py_function": "it is Python code, which a graph does not hold",
}


@dataclass(frozen=True)
class Sent:
    """See the module's docstring. Made by `sent`, which checks the trace."""

    trace: ConcreteFunction

    def frozen(self) -> Sent:
        """One whose Variables keep the values of now, also if it runs in this process."""
        make, arguments = by_graph(self.trace)
        return Sent(make(*arguments))

    def values(self) -> list[Array]:
        """What the Variables of the trace hold now."""
        return [memory.read() for memory in self.trace.captured_inputs]

    def compute(self, values: Sequence[Array], arrays: Sequence[Array]) -> list[Array]:
        """The outputs of the graph, flat. values: as of `values`; arrays: of its other inputs."""
        self._check(arrays)
        memories = [
            Resource(np.asarray(value), memory.dtype, memory.shape, memory.name, memory.trainable)
            for value, memory in zip(values, self.trace.captured_inputs, strict=True)
        ]
        return [*self.trace.plan.function(*arrays, *memories)]

    def _check(self, arrays: Sequence[Array]) -> None:
        """A plan is right for its dtypes and shapes only, and the sizes that Dask knows may not be those there are."""
        for tensor, array in zip(self.trace.graph.inputs, arrays, strict=False):
            if array.dtype != tensor.dtype.numpy or not tensor.shape.is_compatible_with(array.shape):
                raise InvalidArgumentError(
                    f"{self.trace.header} was sent for {tensor.dtype.name}{tensor.shape}, and is given an array of"
                    f" {array.dtype} of the shape {TensorShape(array.shape)}"
                )

    def arrays(self, args: Sequence[Any], kwargs: Any) -> list[Array]:
        """The arrays of a call. Raises SignatureError for what does not fit, TypeError for a Variable."""
        given = self.trace._inputs.tensors(args, kwargs)
        for tensor in given:
            if not hasattr(tensor, "_array"):
                raise TypeError(f"{self.trace.header} is sent without Variables as arguments; let it find them itself")
        return [tensor._array for tensor in given]


def sent(what: str, trace: ConcreteFunction) -> Sent:
    """A trace for others. what: what it is for, in messages.

    Raises NotExportableError, with all lines and reasons, for what would write, print or draw random numbers there, and
    for what no pickle can hold: before anything is sent.
    """
    check_trace(what, trace)
    roots = (trace.graph, *trace.graph.functions.values())
    found = [o for root in roots for graph in nested_graphs(root) for o in graph.operations]
    problems = [Problem(operation, reason) for operation in found if (reason := _reason(operation))]
    if problems:
        raise NotExportableError(listed(f"{what}: {trace.header} cannot be sent to workers:", problems))
    try:
        by_graph(trace)
    except pickle.PicklingError as problem:
        raise NotExportableError(f"{what}: {problem}") from None
    return Sent(trace)


def _reason(operation: Operation) -> str:
    """Why an operation has to stay; empty if it can leave."""
    if operation.op in WRITES:
        return "it writes to a Variable, of which each call has its own copy there; return the value"
    if operation.type in REASONS:
        return REASONS[operation.type]
    if operation.op in RAISING or operation.subgraphs or not operation.stateful:
        return ""
    if operation.op in DRAWING:
        return "it draws from the program's generator; draw before, or use runtime.random.stateless_* with a seed"
    return "it has an effect, which would be one of another process"
