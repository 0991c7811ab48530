"""One tensor of the state of a staged loop: its type, which widens until it holds for all iterations.

    leaf = Leaf(0, int32, weak=True)         # `s = 0` before the loop
    leaf.widened("s", x)                     # Leaf(0, float32, ...), if x is a float32 tensor after an iteration
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError, StagingValueError
from runtime.control_flow.branches.merge import MISSING, TENSOR_LIKE, called, common_dtype, is_weak, zeros_of
from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import DType, bool_
from runtime.graph.graph import Graph
from runtime.ndarrays.restart import restart
from runtime.shapes import TensorShape
from runtime.state.variable import Variable, present_value, stands_for
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.literals import weak_dtype
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["LEGAL", "ZEROS", "Leaf", "Tensors", "convert_weakly", "flag"]

Tensors = Iterator[SymbolicTensor]

LEGAL: Final = "only tensors, numbers, strings, None and structures of them can change in a loop over tensors"

ZEROS: Final = object()
"""The initial value of what has none before the loop."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """One tensor of the state."""

    initial: Any
    dtype: DType = bool_
    shape: TensorShape = field(default_factory=lambda: TensorShape([]))
    weak: bool = False
    of_array: bool = False
    invariant: TensorShape | None = None
    choices: int = 0
    """Of how many functions it is the number, if it is one."""
    array: Any = None
    """What the variable is before the loop: a write to an array of numpy would change that."""

    @property
    def type(self) -> tuple[Any, ...]:
        """What the body is traced for."""
        return type(self), self.dtype, self.shape, self.choices

    @property
    def leaves(self) -> list[Leaf]:
        return [self]

    def start(self) -> SymbolicTensor:
        """The value before the first iteration, as a tensor of the graph around the loop."""
        if self.initial is ZEROS:
            value = zeros_of(self.dtype, self.shape)
        else:  # a Python float goes straight to the dtype of the loop: as a float32 it would have lost digits
            value = self.initial if type(self.initial) is float else convert_weakly(self.initial)
        return current_graph().recording.localize(adopt(value, self.dtype, "loop"), "loop")

    def parameter(self, graph: Graph, name: str) -> SymbolicTensor:
        tensor = graph.placeholder(self.dtype, self.shape, _node_name(name), self.weak)
        tensor.of_array = self.of_array
        stands_for(tensor, name, [self.initial])
        self._note_array(graph, tensor)
        return tensor

    def _note_array(self, graph: Graph, tensor: SymbolicTensor) -> None:
        """A write to the tensor would be one to the array of numpy that was there before the loop."""
        parts = graph.recording.tracing.writes.parts
        arrays = parts.get(id(self.initial), (None, [self.array]))[1]
        if isinstance(arrays[0], np.ndarray):
            parts[id(tensor)] = tensor, arrays

    def widened(self, name: str, result: Any) -> Leaf:
        if hasattr(type(result), "is_memory"):
            restart(self.array)
        result = present_value(result)
        if not isinstance(result, TENSOR_LIKE):
            kind = type(result).__name__
            raise StagingTypeError(
                f"{called(name)} is a Python object of type {kind} at the end of the iteration, but a tensor before the"
                f" loop; {LEGAL}"
            )
        result = convert_weakly(result)
        dtype = self._widened_dtype(name, result)
        shape = self._widened_shape(name, result)
        of_array = self._stays_of_array(result)
        kept = (not self.weak or is_weak(result)) and of_array == self.of_array
        if dtype is self.dtype and shape == self.shape and kept:
            return self
        weak = self.weak and is_weak(result)
        return dataclasses.replace(self, dtype=dtype, shape=shape, weak=weak, of_array=of_array)

    def _stays_of_array(self, result: Any) -> bool:
        """Whether it is a number of an array behind the loop: one is joined to others of its kind, or to Python's."""
        before, after = self.of_array, bool(getattr(result, "of_array", False))
        return (before or after) and (before or self.weak) and (after or is_weak(result))

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        before = next(parameters)
        if result is MISSING:
            return [before]
        if isinstance(result, Variable):
            raise StagingTypeError(
                f"{called(name)} is the variable {result.name!r} at the end of the iteration, but a tensor before the"
                " loop; say that its present value is meant: `v.value()`"
            )
        graph = current_graph()
        if result is not before and id(result) in graph.recording.tracing.aliases.found:
            raise StagingTypeError(
                f"{called(name)} may be one of several Variables after an iteration, depending on how many there were;"
                " say that the present value is meant: `v.value()`"
            )
        found = graph.recording.localize(adopt(result, self.dtype, name), name)
        graph.recording.tracing.writes.note_array(found, result)
        return [found]

    def final(self, outputs: Tensors) -> SymbolicTensor:
        tensor = next(outputs)
        tensor.weak, tensor.of_array = self.weak, self.of_array
        stands_for(tensor, tensor.op.name, [self.initial])
        self._note_array(tensor.op.graph, tensor)
        return tensor

    def _widened_dtype(self, name: str, result: Any) -> DType:
        def message(*_: DType) -> str:
            return (
                f"{called(name)} has dtype {self.dtype.name} before the loop, but dtype {result.dtype.name} after one"
                " iteration; use runtime.cast"
            )

        if result.dtype is self.dtype:
            unchanged: DType = self.dtype
            return unchanged
        if not self.weak and not is_weak(result):
            raise StagingTypeError(message())
        model = _literal_like(self.dtype) if self.weak else zeros_of(self.dtype, TensorShape([]))
        common: DType = common_dtype([model, result], message)
        return common

    def _widened_shape(self, name: str, result: Any) -> TensorShape:
        found = result._shape if isinstance(result, SymbolicTensor) else result.shape
        if found.is_subtype_of(self.shape):
            return self.shape
        if self.invariant is not None:
            raise StagingValueError(
                f"{called(name)} has shape {found} after one iteration, which does not conform with the shape invariant"
                f" {self.invariant}."
            )
        return self.shape.relax_with(found)


def flag(value: Any) -> Leaf:
    """The leaf of a bool."""
    return Leaf(value)


def convert_weakly(value: Any) -> Any:
    """The tensor of a literal, which still adapts to other tensors; tensors as they are."""
    if isinstance(value, Tensor):
        return value
    if not is_weak(value):
        return convert_to_tensor(value)
    tensor = convert_to_tensor(value, weak_dtype(value))
    if isinstance(tensor, SymbolicTensor):
        tensor.weak = True
    return tensor


def _literal_like(dtype: DType) -> Any:
    return {"bool": False, "float": 0.0, "complex": 0j, "string": ""}.get(dtype.kind, 0)


def _node_name(name: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "state"
