"""`TensorSpec`: dtype and static shape of a tensor that is to come, e.g. an argument of a Function.

>>> TensorSpec([None], runtime.int32, name="x")
TensorSpec(shape=(None,), dtype=tf.int32, name='x')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.dtypes import DType, as_dtype, float32
from runtime.shapes import TensorShape, as_shape

__all__ = ["TensorSpec"]


class TensorSpec:
    """What a tensor must look like. `shape=None` accepts any rank."""

    __slots__ = ("dtype", "name", "shape")
    value_type: type
    """The class of what it describes."""

    def __init__(self, shape: Any = None, dtype: Any = float32, name: str | None = None) -> None:
        self.shape: TensorShape = as_shape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec that describes a tensor exactly."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """The spec with the shape and dtype of another one; with its name, unless one is given."""
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor (or spec) has this dtype and a shape that can satisfy this one."""
        other = spec_or_tensor
        return self.dtype is other.dtype and self.shape.is_compatible_with(other.shape)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether each tensor that satisfies this spec satisfies `other` too."""
        return isinstance(other, TensorSpec) and self.dtype is other.dtype and self.shape.is_subtype_of(other.shape)

    def most_specific_common_supertype(self, others: Any) -> TensorSpec | None:
        """The narrowest spec that this and all `others` are subtypes of; None where the dtypes differ."""
        shape = self.shape
        for other in others:
            if not isinstance(other, TensorSpec) or other.dtype is not self.dtype:
                return None
            shape = shape.relax_with(other.shape)
        return TensorSpec(shape, self.dtype, self.name)

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The narrowest spec that this and `other` are subtypes of. Raises ValueError where there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"no TensorSpec describes both {self!r} and {other!r}: their dtypes differ")
        return found

    # -- as a part of a TraceType (runtime.function.trace_protocol) -------------------------------------------------

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """The tensor that stands for a value of this type in the function that is traced."""
        return placeholder_context._next(self)

    def flatten(self) -> list[TensorSpec]:
        """The spec itself."""
        return [self]

    def to_tensors(self, value: Any) -> list[Any]:
        """The value itself, a tensor."""
        return [value]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The next of the tensors."""
        return next(tensors)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.dtype, self.shape.dims, self.name) == (
            other.dtype,
            other.shape.dims,
            other.name,
        )

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape.dims, self.name))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
