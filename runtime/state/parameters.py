"""Variables as arguments of Functions: their spec, and what stands for them while the function is traced.

    @runtime.function
    def double(v): v.assign(v * 2)

    double(a), double(b)             # one trace: it takes the memory of a Variable of this dtype and shape

The trace does not belong to the Variable that it was made with, unless the function asks who that is (by `ref()`,
`name`, `handle`, a copy): then each Variable gets a trace of its own.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, float32
from runtime.errors import InaccessibleTensorError, of_the_trace
from runtime.ops.kernels.resource import Resource
from runtime.shapes import TensorShape, as_shape
from runtime.state.references import VariableReference
from runtime.state.variable import Variable
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Parameter", "VariableSpec"]


class VariableSpec:
    """What a Variable that is an argument must be like: `shape=None` for any shape; `name`: the parameter's."""

    __slots__ = ("dtype", "name", "shape", "trainable")

    def __init__(
        self, shape: Any = None, dtype: Any = float32, trainable: bool = True, name: str | None = None
    ) -> None:
        self.shape: TensorShape = as_shape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.trainable = trainable
        self.name = name

    @classmethod
    def from_value(cls, variable: Variable, name: str | None = None) -> VariableSpec:
        """The spec that describes a Variable exactly."""
        return cls(variable.shape, variable.dtype, variable.trainable, name)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a Variable (or spec) has this dtype and trainability, and a shape that can satisfy this one."""
        same = isinstance(other, Variable | VariableSpec) and self.dtype is other.dtype
        return same and self.trainable == other.trainable and other.shape.is_subtype_of(self.shape)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether each Variable that satisfies this spec satisfies `other` too."""
        return isinstance(other, VariableSpec) and other.is_compatible_with(self)

    def most_specific_common_supertype(self, others: Any) -> VariableSpec | None:
        """The narrowest spec that this and all `others` are subtypes of; None where dtype or trainability differ."""
        shape = self.shape
        for other in others:
            if not isinstance(other, VariableSpec) or (other.dtype, other.trainable) != (self.dtype, self.trainable):
                return None
            shape = shape.relax_with(other.shape)
        return VariableSpec(shape, self.dtype, self.trainable, self.name)

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """What stands for a Variable of this type in the function that is traced."""
        return placeholder_context._next(self)

    def flatten(self) -> list[VariableSpec]:
        """The spec itself: a TraceType may have it as a part."""
        return [self]

    def to_tensors(self, value: Any) -> list[Any]:
        """The value itself, a Variable."""
        return [value]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The next of them."""
        return next(tensors)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.shape.dims, self.dtype, self.trainable, self.name

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable!r}, name={self.name!r})"
        )


class Parameter(Variable):
    """Stands for a Variable that is an argument, while a function is traced."""

    __slots__ = ("_observed", "_placeholder", "_source")

    def __init__(self, handle: SymbolicTensor, like: Variable | VariableSpec) -> None:
        shown = f"{handle.op.name}:0"
        self._memory = Resource(np.empty(0), like.dtype, like.shape, shown, like.trainable)
        self._memory.variable = weakref.ref(self)
        self.constraint = like.constraint if isinstance(like, Variable) else None
        self._placeholder = handle
        self._observed = False
        self._source: Variable | None = like if isinstance(like, Variable) else None

    @property
    def input(self) -> SymbolicTensor:
        """The input of the graph that it is."""
        return self._placeholder

    def close(self) -> bool:
        """Ends the trace. Returns whether the trace depends on which Variable it was."""
        self._source = None
        return self._observed

    def _real(self) -> Variable:
        """The Variable that it stands for; the trace depends on it from now on."""
        self._observed = True
        if self._source is None:
            return self
        return self._source

    def _finder(self) -> Callable[[], Variable]:
        return lambda: self

    def _present_memory(self) -> Resource:
        self._leak()

    def _handle(self, recorder: Any) -> SymbolicTensor:
        return self._placeholder

    @property
    def name(self) -> str:
        return self._real()._memory.name

    @property
    def handle(self) -> Resource:
        return self._real()._memory

    def ref(self) -> VariableReference:
        return VariableReference(self._real())

    def value(self) -> Any:
        return self._leak() if current_recorder() is None else Variable.value(self)

    read_value = value
    __as_tensor__ = value

    def _leak(self) -> NoReturn:
        operation = self._placeholder.op
        raise InaccessibleTensorError(
            f"what stands for the Variable {operation.name!r}, an argument of"
            f" {operation.graph.recording.root_name!r}, is out of scope: it was used when the trace was over, or in"
            " init_scope; use the Variable that is passed, or one that the function does not take as an argument"
        )

    def __reduce__(self) -> NoReturn:
        raise of_the_trace(TypeError("a Variable that is an argument cannot be copied while the function is traced"))

    def __repr__(self) -> str:
        name = self._memory.name  # the parameter's: the trace serves Variables of all names
        if current_recorder() is not None:
            return self._shown(name)
        return f"<tf.Variable {name!r} shape={self.shape} dtype={self.dtype.name}>"
