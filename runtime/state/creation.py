"""How Variables come to be, and what a Function may create.

    class Count(runtime.Module):
        def __init__(self): self.count = None
        @runtime.function
        def __call__(self):
            if self.count is None:
                self.count = runtime.Variable(0)        # once, while the first trace runs
            return self.count.assign_add(1)

A Variable that code creates while a Function is traced exists from then on, as it would without the Function: its
initial value is computed at once, also where it depends on the arguments of the call (the operations that give it are
run now, and those with effects, such as random numbers, are not part of the graph). It must be kept by an object of the
program, because the next call runs the graph and creates nothing; one that nothing keeps is an error of the trace.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, resource
from runtime.errors import ShapeMismatchError, of_the_trace
from runtime.graph.effects import touches
from runtime.graph.graph import Graph
from runtime.graph.location import Location, definition, user_location
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild
from runtime.ops.flow.core import placeholder
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape, as_shape
from runtime.state.expected import memory_class
from runtime.state.scopes import current_scope, init_scope, trace_around
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Creations", "new_memory"]


def new_memory(initial: Any, dtype: Any, shape: Any, name: str | None, trainable: bool) -> Resource:
    """The memory of a new Variable. Raises ValueError without an initial value, and where none may be created."""
    if initial is None:
        raise ValueError("a Variable needs an initial_value: a tensor, a value, or a function that returns one")
    recorder = current_recorder()
    if isinstance(recorder, Graph) and recorder.recording.outer is not None:
        raise of_the_trace(
            ValueError(
                f"a Variable is created ({user_location() or 'at an unknown line'}) in a branch, loop or handler of"
                f" {recorder.recording.root_name!r} that depends on a tensor: whether and how often is only known when"
                " the graph runs. Create it before that statement (call or build what creates it once outside)"
            )
        )
    wanted = None if dtype is None else as_dtype(dtype)
    array, found = _initial_array(initial, wanted)
    static = TensorShape(array.shape) if shape is None else as_shape(shape)
    if not static.is_compatible_with(array.shape):
        raise ShapeMismatchError(f"the initial value has the shape {TensorShape(array.shape)}, shape= says {static}")
    memory = memory_class()(array, found, static, f"{current_scope()}{name or 'Variable'}:0", trainable)
    trace = trace_around()
    if trace is not None and trace.creations is not None:
        trace.creations.made.append((memory, user_location()))
    return memory


def _initial_array(initial: Any, dtype: DType | None) -> tuple[Array, DType]:
    """A fresh array of the initial value, and its dtype."""
    if callable(initial) and not hasattr(initial, "__as_tensor__"):
        with init_scope():
            initial = initial()
    graph = current_recorder()
    value = as_operand(initial)
    if isinstance(graph, Graph) and any(isinstance(leaf, SymbolicTensor) for leaf in nest.flatten(value)):
        tensor = convert_to_tensor(value, dtype)
        if graph.recording.tracing.creations is None:
            raise of_the_trace(
                ValueError(
                    "the initial value of a Variable is symbolic here, and has no value while a graph is built by hand"
                )
            )
        return graph.recording.tracing.creations.value_of(tensor), tensor.dtype
    with init_scope():
        eager: Any = convert_to_tensor(value, dtype)
        return np.array(eager._array, copy=True, order="C"), eager.dtype


@dataclass
class Creations:
    """What one trace creates. `given`: what the call gave for inputs of the graph, by the tensor's id."""

    graph: Graph
    function: Callable[..., Any]
    given: dict[int, Any] = field(default_factory=dict)
    made: list[tuple[Resource, Location | None]] = field(default_factory=list)
    lifted: dict[int, Operation] = field(default_factory=dict)
    """The operations that gave initial values, by id."""

    def value_of(self, tensor: SymbolicTensor) -> Array:
        """The value of a tensor of the graph, computed now from what the call gave."""
        from runtime.backends import compile_graph  # only what is traced needs it

        needed = self._needed(tensor)
        self._check_order(needed)
        self.lifted |= needed
        build = Rebuild(self.graph)
        for operation in self.graph.operations:
            if id(operation) in needed:
                build.copy(operation)
        inputs = [o.outputs[0] for o in needed.values() if o.op is placeholder]
        inputs = [t for t in self.graph.inputs if any(t is i for i in inputs)]
        values = [self._value(t) for t in inputs]
        (result,) = compile_graph(build.finish(inputs, [tensor])).function(*values)
        return np.array(result, tensor.dtype.numpy, copy=True, order="C")

    def forget_gone(self, since: int) -> None:
        """To be called where an `init_scope` ends: what only lived in it is over, and the graph knows nothing of it.
        since: how many there were before."""
        self.made[since:] = [one for one in self.made[since:] if one[0].variable() is not None]

    def finish(self) -> None:
        """To be called when the trace is over and nothing of ours holds its values. Raises ValueError for a Variable
        that no object keeps."""
        self._drop_lifted()
        if self.made and all(memory.variable() is not None for memory, _ in self.made):
            gc.collect()  # what only refers to itself, as frames and closures do, keeps nothing
        for memory, place in self.made:
            if memory.variable() is None:
                raise ValueError(
                    f"tf.function only supports singleton tf.Variables created on the first call: {self.graph.name!r}"
                    f" ({definition(self.function) or 'of an unknown file'}) creates the Variable {memory.name!r}"
                    f" ({place or 'at an unknown line'}), and no object keeps it, so that each call would need a new"
                    " one. Create it outside, or keep it: `if self.v is None: self.v = tf.Variable(...)`"
                )

    def _needed(self, tensor: SymbolicTensor) -> dict[int, Operation]:
        found: dict[int, Operation] = {}
        work = [tensor.op]
        while work:
            operation = work.pop()
            if id(operation) not in found:
                found[id(operation)] = operation
                work += [t.op for t in operation.inputs]
        return found

    def _check_order(self, needed: Mapping[int, Operation]) -> None:
        """What is read must not have been written before: the write is still to come, when the graph runs."""
        found = touches(self.graph)
        written: set[int] = set()
        for operation in self.graph.operations:
            touch = found.get(id(operation))
            if touch is None:
                continue
            if id(operation) in needed and (touch.anything or (touch.reads | touch.writes) & written):
                raise ValueError(
                    f"the initial value of a Variable ({user_location() or 'at an unknown line'}) depends on a Variable"
                    f" that {self.graph.name!r} assigns before: the assignment runs with the graph, the new Variable is"
                    " created now. Create it before the assignment, or outside of the function"
                )
            written |= touch.writes

    def _value(self, tensor: SymbolicTensor) -> Any:
        if tensor.dtype is resource:
            for memory, handle in self.graph.recording.tracing.resources.values():
                if handle is tensor:
                    return memory
        if id(tensor) not in self.given:
            raise ValueError(
                f"the initial value of a Variable ({user_location() or 'at an unknown line'}) depends on the argument"
                f" {tensor.op.name!r}, which has no value: {self.graph.name!r} is traced for a TensorSpec. Call it with"
                " tensors first, or create the Variable outside"
            )
        return self.given[id(tensor)]

    def _drop_lifted(self) -> None:
        """Operations with effects that only served initial values have run, and are no part of the graph."""
        graph = self.graph
        used = {id(t) for o in graph.operations if id(o) not in self.lifted for t in o.inputs}
        used |= {id(t) for t in graph.outputs}
        for operation in reversed([o for o in graph.operations if id(o) in self.lifted]):
            if any(id(t) in used for t in operation.outputs):
                used |= {id(t) for t in operation.inputs}
            elif operation.op is not placeholder:
                operation.graph.operations.remove(operation)
