"""What the elements of a `TensorList` are: their structure, and dtype and shape of each leaf.

    ElementType.of((x, 1))        # a pair: x's dtype and shape, and an int32 scalar that still adapts to tensors

An element type only ever widens: a literal's dtype to that of the tensors beside it, a shape to what holds for all.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError
from runtime import structures as nest
from runtime.control_flow.branches.merge import TENSOR_LIKE, common_dtype, is_weak
from runtime.control_flow.optional.values import MaybeNone
from runtime.dtypes import DType, variant
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import adopt, convert_to_tensor, tensor_within
from runtime.tensor.literals import literal_dtype
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["ElementType", "LeafType", "agreed", "joined"]


@dataclass(frozen=True, slots=True)
class LeafType:
    """One tensor of an element."""

    dtype: DType
    shape: TensorShape
    weak: bool = False
    declared: bool = False
    """True: the shape was said by the user; elements that do not fit it are refused instead of widening it."""

    @staticmethod
    def of(leaf: Any) -> LeafType:
        """The type of a tensor or of what can become one. Raises TypeError."""
        return LeafType(*_facts(leaf))

    @property
    def attributes(self) -> dict[str, Any]:
        """What the operations on handles are told."""
        return {"element_dtype": self.dtype, "element_shape": self.shape}

    def convert(self, leaf: Any) -> Any:
        """A leaf of an element as a tensor of this dtype."""
        return adopt(leaf, self.dtype, "append to a list")

    def with_leaf(self, leaf: Any) -> LeafType:
        """The type that holds for `leaf` too. Raises TypeError, ValueError."""
        found, shape, weak = _facts(leaf)
        dtype = self.dtype
        if weak or self.weak:
            dtype = common_dtype([_model(dtype, self.weak), _model(found, weak)], self._message)
        elif found is not dtype:
            raise TypeError(self._message(dtype, found))
        if self.declared and not shape.is_compatible_with(self.shape):
            raise ValueError(f"an element has shape {shape}, but the shape of the elements is {self.shape}")
        shape = self.shape if self.declared else self.shape.relax_with(shape)
        return replace(self, dtype=dtype, shape=shape, weak=self.weak and weak)

    def join(self, other: LeafType) -> LeafType:
        """The type that holds for the elements of both. Raises TypeError where the dtypes differ, but for literals'."""
        dtype = self.dtype
        if self.weak or other.weak:
            dtype = common_dtype([_model(dtype, self.weak), _model(other.dtype, other.weak)], self._message)
        elif dtype is not other.dtype:
            raise TypeError(self._message(dtype, other.dtype))
        shape = self.shape.relax_with(other.shape)
        return LeafType(dtype, shape, self.weak and other.weak, self.declared and other.declared)

    def _message(self, a: DType, b: DType) -> str:
        other = b if a is self.dtype else a
        return (
            f"the elements of the list are {self.dtype.name}, a new one is {other.name}: the elements of a list that"
            f" grows in a graph have one dtype; use runtime.cast(x, runtime.{self.dtype.name})"
        )


@dataclass(frozen=True, slots=True)
class ElementType:
    """The type of all elements of a list. `model` is a structure with anything as its leaves."""

    model: Any
    leaves: tuple[LeafType, ...]

    @staticmethod
    def of(element: Any) -> ElementType:
        """The type of one element. Raises TypeError for what cannot be in a graph."""
        leaves = tuple(LeafType(*_facts(leaf)) for leaf in nest.flatten(element))
        if not leaves:
            raise StagingTypeError(
                f"an element of a list that grows in the graph is {element!r}, which holds nothing that a graph could"
                f" keep, and could not grow in it. {_REMEDY}"
            )
        model = nest.map_structure(lambda leaf: 0, element) if nest.is_nested(element) else None
        return ElementType(model, leaves)

    @staticmethod
    def rows_of(tensor: Any) -> ElementType:
        """The type of a tensor's rows."""
        return ElementType(None, (LeafType(tensor.dtype, tensor.shape[1:], is_weak(tensor)),))

    @staticmethod
    def declared(dtype: DType, shape: Any = None) -> ElementType:
        """The type of elements that are one tensor each, as the user says it. shape None: not said."""
        return ElementType(None, (LeafType(dtype, as_shape(shape), declared=shape is not None),))

    def with_element(self, element: Any) -> ElementType:
        """The type that holds for `element` too. Raises TypeError, ValueError."""
        pairs = zip(self.leaves, self.flat(element), strict=True)
        return ElementType(self.model, tuple(leaf.with_leaf(value) for leaf, value in pairs))

    def join(self, other: ElementType) -> ElementType:
        """The type that holds for the elements of both lists."""
        self.flat(other.model)
        pairs = zip(self.leaves, other.leaves, strict=True)
        return ElementType(self.model, tuple(a.join(b) for a, b in pairs))

    def check_said(self, said: LeafType) -> None:
        """Raises ValueError where what a program says of the elements contradicts what they are."""
        if len(self.leaves) != 1 or not (self.leaves[0].dtype is said.dtype or self.leaves[0].weak):
            raise ValueError(
                f"incompatible dtype; specified: {said.dtype.name}, inferred from the elements: {self}"
            )
        if not self.leaves[0].shape.is_compatible_with(said.shape):
            raise ValueError(
                f"incompatible shape; specified: {said.shape}, inferred from the elements: {self.leaves[0].shape}"
            )

    def flat(self, element: Any) -> list[Any]:
        """The leaves of an element. Raises TypeError if its structure is another one."""
        try:
            return nest.flatten_up_to(self.model, element)
        except (TypeError, ValueError) as error:
            raise TypeError(f"the elements of a list that grows in a graph have one structure.\n\n{error}") from None

    def pack(self, leaves: Any) -> Any:
        """The element with these leaves."""
        return nest.pack_sequence_as(self.model, list(leaves))

    @property
    def spec(self) -> Any:
        """The element as a structure of TensorSpecs."""
        return self.pack(TensorSpec(leaf.shape, leaf.dtype) for leaf in self.leaves)

    def __str__(self) -> str:
        shown = [f"{leaf.dtype.name}{leaf.shape}" for leaf in self.leaves]
        return shown[0] if self.model is None else str(self.pack(shown))


def joined(types: Iterable[ElementType | None]) -> ElementType | None:
    """The type that holds for the elements of several lists; None where nothing is known of any."""
    known = [elements for elements in types if elements is not None]
    return functools.reduce(ElementType.join, known) if known else None


def agreed(types: Iterable[ElementType | None]) -> ElementType | None:
    """`joined`, and None where there is no such type."""
    try:
        return joined(types)
    except (TypeError, ValueError):
        return None


def _model(dtype: DType, weak: bool) -> Any:
    """Stands for the elements that are in the list where dtypes meet: a literal, or an array, which adapts to none."""
    if weak:
        return {"bool": False, "float": 0.0, "complex": 0j, "string": ""}.get(dtype.kind, 0)
    return np.zeros((), dtype.numpy) if dtype.kind != "string" else np.array(b"", object)


def _facts(leaf: Any) -> tuple[DType, TensorShape, bool]:
    """Dtype, shape and whether it is a literal, of a tensor or of what can become one. Raises TypeError."""
    if getattr(leaf, "dtype", None) is variant or leaf is None or isinstance(leaf, MaybeNone):
        raise _no_tensor(leaf)
    if isinstance(leaf, list | tuple):  # where a tensor was expected, a nested list of numbers is one
        holds_tensors = isinstance(tensor_within(leaf), Tensor)
        return _facts(convert_to_tensor(leaf)) if holds_tensors else (*_literal_facts(leaf), True)
    if isinstance(leaf, Tensor):
        return leaf.dtype, leaf.shape, is_weak(leaf)
    if not isinstance(leaf, TENSOR_LIKE):
        raise _no_tensor(leaf)
    return (*_literal_facts(leaf), is_weak(leaf))


def _literal_facts(value: Any) -> tuple[DType, TensorShape]:
    return literal_dtype(value), TensorShape(np.shape(value))


_REMEDY: Final = (
    "Keep one list of all items and the number of the row in a second one, or rows of a fixed length as tensors"
    " (runtime.zeros, x[i, j] = v)"
)


def _no_tensor(leaf: Any) -> TypeError:
    kinds = "the elements of a list that grows in a graph are tensors, numbers, strings and structures of them"
    if getattr(leaf, "dtype", None) is variant:
        return StagingTypeError(f"{kinds}; got another such list. {_REMEDY}")
    if leaf is None or isinstance(leaf, MaybeNone):
        may_be = "None" if leaf is None else "a value that is None in some runs"
        return StagingTypeError(
            f"{kinds}; got {may_be}. Keep a number that stands for None (-1, nan), or a second list of flags that says"
            " which elements are there"
        )
    return TypeError(f"{kinds}; got a value of type {type(leaf).__name__}")
