"""What one tensor of the elements of a list that grows is: its dtype, its shape, and whether it comes from literals.

    LeafType.of(1)                # an int32 scalar that still adapts to tensors
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError
from runtime.control_flow.branches.merge import TENSOR_LIKE, common_dtype, is_of_array, is_weak
from runtime.control_flow.optional.values import MaybeNone
from runtime.dtypes import DType, variant
from runtime.ops.list_value import EMPTY, boxed
from runtime.ops.lists import list_cast
from runtime.shapes import TensorShape
from runtime.tensor.convert import adopt, convert_to_tensor, make_constant, tensor_within
from runtime.tensor.literals import weak_dtype
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["REMEDY", "LeafType", "nothing"]


@dataclass(frozen=True, slots=True)
class LeafType:
    """One tensor of an element."""

    dtype: DType
    shape: TensorShape
    weak: bool = False
    declared: bool = False
    """True: the shape was said by the user; elements that do not fit it are refused instead of widening it."""
    of_array: bool = False
    """Whether it is a number of an array (`runtime.tensor.array_numbers`)."""

    @staticmethod
    def of(leaf: Any) -> LeafType:
        """The type of a tensor or of what can become one. Raises TypeError."""
        return LeafType(*facts_of(leaf), of_array=is_of_array([leaf]))

    @property
    def attributes(self) -> dict[str, Any]:
        """What the operations on handles are told."""
        return {"element_dtype": self.dtype, "element_shape": self.shape}

    def convert(self, leaf: Any) -> Any:
        """A leaf of an element as a tensor of this dtype."""
        return adopt(leaf, self.dtype, "append to a list")

    def read(self, part: Any) -> Any:
        """A leaf of an element that was read from a list: it still adapts to other tensors if all of them did."""
        if self.weak and isinstance(part, SymbolicTensor):
            part.weak = True
        if self.of_array and isinstance(part, SymbolicTensor):
            part.of_array = True
        return part

    def with_leaf(self, leaf: Any) -> LeafType:
        """The type that holds for `leaf` too. Raises TypeError, ValueError."""
        found, shape, weak = facts_of(leaf)
        dtype = self.dtype
        if weak or self.weak:
            dtype = common_dtype([_model(dtype, self.weak), _model(found, weak)], self._message)
        elif found is not dtype:
            raise TypeError(self._message(dtype, found))
        if self.declared and not shape.is_compatible_with(self.shape):
            raise ValueError(f"an element has shape {shape}, but the shape of the elements is {self.shape}")
        shape = self.shape if self.declared else self.shape.relax_with(shape)
        of_array = self._with_numbers(is_of_array([leaf]), weak)
        return replace(self, dtype=dtype, shape=shape, weak=self.weak and weak, of_array=of_array)

    def _with_numbers(self, of_array: bool, weak: bool) -> bool:
        """Whether all are numbers of arrays, or Python's beside such."""
        return (self.of_array or of_array) and (self.of_array or self.weak) and (of_array or weak)

    def join(self, other: Any) -> LeafType:
        """The type that holds for the elements of both. Raises TypeError where the dtypes differ, but for literals'."""
        if not isinstance(other, LeafType):
            raise TypeError(f"some elements of the list are {self}, others are {other}")
        dtype = self.dtype
        if self.weak or other.weak:
            dtype = common_dtype([_model(dtype, self.weak), _model(other.dtype, other.weak)], self._message)
        elif dtype is not other.dtype:
            raise TypeError(self._message(dtype, other.dtype))
        shape = self.shape.relax_with(other.shape)
        of_array = self._with_numbers(other.of_array, other.weak)
        return LeafType(dtype, shape, self.weak and other.weak, self.declared and other.declared, of_array)

    def cast(self, handle: Any, wanted: Any) -> Any:
        """The handle of a list of such leaves, as one of leaves of a wider type."""
        return handle if self.dtype is wanted.dtype else list_cast(handle, element_dtype=wanted.dtype)

    def __str__(self) -> str:
        return f"{self.dtype.name}{self.shape}"

    def _message(self, a: DType, b: DType) -> str:
        other = b if a is self.dtype else a
        return (
            f"the elements of the list are {self.dtype.name}, a new one is {other.name}: the elements of a list that"
            f" grows in a graph have one dtype; use runtime.cast(x, runtime.{self.dtype.name})"
        )


def _model(dtype: DType, weak: bool) -> Any:
    """Stands for the elements that are in the list where dtypes meet: a literal, or an array, which adapts to none."""
    if weak:
        return {"bool": False, "float": 0.0, "complex": 0j, "string": ""}.get(dtype.kind, 0)
    return np.zeros((), dtype.numpy) if dtype.kind != "string" else np.array(b"", object)


def facts_of(leaf: Any) -> tuple[DType, TensorShape, bool]:
    """Dtype, shape and whether it is a literal, of a tensor or of what can become one. Raises TypeError."""
    if getattr(leaf, "dtype", None) is variant or leaf is None or isinstance(leaf, MaybeNone):
        raise _no_tensor(leaf)
    if isinstance(leaf, list | tuple):  # where a tensor was expected, a nested list of numbers is one
        holds_tensors = isinstance(tensor_within(leaf), Tensor)
        return facts_of(convert_to_tensor(leaf)) if holds_tensors else (*_literal_facts(leaf), True)
    if isinstance(leaf, Tensor):
        return leaf.dtype, leaf.shape, is_weak(leaf)
    if not isinstance(leaf, TENSOR_LIKE):
        raise _no_tensor(leaf)
    return (*_literal_facts(leaf), is_weak(leaf))


def _literal_facts(value: Any) -> tuple[DType, TensorShape]:
    return weak_dtype(value), TensorShape(np.shape(value))


REMEDY: Final = (
    "Keep one list of all items and the number of the row in a second one, or rows of a fixed length as tensors"
    " (runtime.zeros, x[i, j] = v)"
)


def _no_tensor(leaf: Any) -> TypeError:
    kinds = "the elements of a list that grows in a graph are tensors, numbers, strings and structures of them"
    if getattr(leaf, "dtype", None) is variant:
        return StagingTypeError(f"{kinds}; got another such list. {REMEDY}")
    if leaf is None or isinstance(leaf, MaybeNone):
        may_be = "None" if leaf is None else "a value that is None in some runs"
        return StagingTypeError(
            f"{kinds}; got {may_be}. Keep a number that stands for None (-1, nan), or a second list of flags that says"
            " which elements are there"
        )
    return TypeError(f"{kinds}; got a value of type {type(leaf).__name__}")


def nothing() -> Any:
    """The handle of an empty list."""
    return make_constant(boxed(EMPTY))
