"""What the elements of a `TensorList` are: their structure, and dtype and shape of each leaf.

    ElementType.of((x, 1))        # a pair: x's dtype and shape, and an int32 scalar that still adapts to tensors
    ElementType.of([])            # a list of a length of its own: a handle, and what is known of the elements in it

An element type only ever widens: a literal's dtype to that of the tensors beside it, a shape to what holds for all.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograph.errors import StagingTypeError
from runtime import structures as nest
from runtime.control_flow.lattice.leaf import TENSOR_LIKE, LeafType, is_weak, met, of_element, zeros_of
from runtime.control_flow.lists.element_refusals import REMEDY, no_tensor, of_another_structure
from runtime.control_flow.lists.element_structures import are_same, flat_up_to, has_lists, is_row, is_walked, with_rows
from runtime.control_flow.lists.member_elements import members_with
from runtime.control_flow.objects.ref_members import as_value
from runtime.dtypes import DType, variant
from runtime.ndarrays.chosen import ChosenArray
from runtime.ops.lists.lists import list_cast, list_rows
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import convert_to_tensor, tensor_within
from runtime.tensor.literals import weak_dtype
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import text_class
from runtime.tensor.tensor import Tensor

__all__ = ["ElementType", "LeafType", "RowType", "agreed", "joined", "nothing", "own_list"]


@dataclass(frozen=True, slots=True)
class RowType:
    """A list of a length of its own in an element: one handle, or a bundle of those of its leaves.

    rows: what its elements are; None as long as nothing is known of them.
    """

    rows: ElementType | None
    dtype: DType = variant
    shape: TensorShape = field(default_factory=lambda: TensorShape([]))
    weak: bool = False
    declared: bool = False

    @property
    def attributes(self) -> dict[str, Any]:
        """What the operations on handles are told."""
        return {"element_dtype": self.dtype, "element_shape": self.shape}

    def __str__(self) -> str:
        return f"lists of {self.rows or 'unknown elements'}"


@dataclass(frozen=True, slots=True)
class ElementType:
    """The type of all elements of a list. `model` is a structure with anything as its leaves.

    of_row: of a list that was read from another one, and is a copy of it: see `rows`.
    """

    model: Any
    leaves: tuple[LeafType | RowType, ...]
    of_row: bool = False

    @property
    def holds_numbers(self) -> bool:
        """Whether there are only numbers of arrays and of Python's in it, so that numpy makes an array of them all."""
        leaves = [leaf for leaf in self.leaves if isinstance(leaf, LeafType) and leaf.shape.rank == 0]
        return len(leaves) == len(self.leaves) and all(leaf.of_array or leaf.weak for leaf in leaves)

    @staticmethod
    def of(element: Any) -> ElementType:
        """The type of one element. Raises TypeError for what cannot be in a graph."""
        leaves = tuple(
            RowType(_elements_of(leaf)) if is_row(leaf) else _leaf_of(leaf)
            for leaf in nest.flatten(element, is_walked)
        )
        if not leaves:
            raise StagingTypeError(
                f"an element of a list that grows in the graph is {element!r}, which holds nothing that a graph could"
                f" keep, and could not grow in it. {REMEDY}"
            )
        model = nest.map_structure(lambda leaf: 0, element, nested=is_walked) if is_walked(element) else None
        return ElementType(model, leaves)

    @staticmethod
    def of_all(items: Iterable[Any]) -> ElementType | None:
        """The type of several elements; None where there are none. Raises TypeError, ValueError."""
        found = list(map(ElementType.of, items))
        return functools.reduce(ElementType.join, found) if found else None

    @staticmethod
    def rows_of(tensor: Any) -> ElementType:
        """The type of a tensor's rows."""
        of_bytes = text_class(tensor) is bytes
        return ElementType(None, (LeafType(tensor.dtype, tensor.shape[1:], is_weak(tensor), of_bytes=of_bytes),))

    @staticmethod
    def declared(dtype: DType, shape: Any = None) -> ElementType:
        """The type of elements that are one tensor each, as the user says it. shape None: not said."""
        return ElementType(None, (LeafType(dtype, as_shape(shape), declared=shape is not None),))

    def with_element(self, element: Any) -> ElementType:
        """The type that holds for `element` too. Raises TypeError, ValueError."""
        if self.has_lists and not are_same((found := ElementType.of(element)).model, self.model):
            return self.join(found)
        pairs = zip(self.leaves, self.flat(element), strict=True)
        return replace(self, leaves=tuple(_with(leaf, value) for leaf, value in pairs))

    def join(self, other: ElementType) -> ElementType:
        """The type that holds for the elements of both lists. Lists that differ in length become rows of their own."""
        model = self.model if are_same(self.model, other.model) else with_rows(self.model, other.model)
        return self._with_model(model)._joined(other._with_model(model))

    def _joined(self, other: ElementType) -> ElementType:
        self.flat(other.model)
        if (self.model is None) != (other.model is None):
            raise TypeError(f"some elements of the list are {self}, others are {other}")
        pairs = zip(self.leaves, other.leaves, strict=True)
        return ElementType(self.model, tuple(_join(a, b) for a, b in pairs), self.of_row or other.of_row)

    @property
    def has_lists(self) -> bool:
        """Whether lists are in the elements, or each of them is one."""
        return self.has_rows or (self.model is not None and has_lists(self.model))

    @property
    def has_rows(self) -> bool:
        """Whether lists of a length of their own are in the elements."""
        return any(isinstance(leaf, RowType) for leaf in self.leaves)

    @property
    def is_row_itself(self) -> bool:
        """Whether each element is a list of a length of its own."""
        return self.model is None and isinstance(self.leaves[0], RowType)

    @property
    def can_be_rows(self) -> bool:
        """Whether each element is a list, of a known length or of its own."""
        return self.is_row_itself or (type(self.model) is list and len(self.model) == len(self.leaves))

    def as_rows(self) -> ElementType:
        """The elements, which are lists, as lists of lengths of their own. Raises TypeError for those of two dtypes."""
        return self._with_model(None)

    def _with_model(self, model: Any) -> ElementType:
        """The elements with a structure that has leaves where these have lists, which are rows there."""
        if are_same(model, self.model):
            return self
        found = flat_up_to(model, self.pack(self.leaves))
        leaves = tuple(leaf if isinstance(leaf, LeafType | RowType) else _row_of(leaf) for leaf in found)
        return ElementType(model, leaves, self.of_row)

    def cast(self, handles: Sequence[Any], wanted: ElementType) -> tuple[Any, ...]:
        """The handles of a list of such elements, as those of a list of elements of a wider type."""
        parts = flat_up_to(wanted.model, self.pack(map(_Own, self.leaves, handles)))
        return tuple(map(_cast_part, parts, wanted.leaves))

    def check_said(self, wanted: ElementType) -> None:
        """Raises ValueError where what a program says of the elements contradicts what they are."""
        (said,) = wanted.leaves
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
        if type(element) is ChosenArray and self.model is not None:
            what = "one of several arrays is an element of a list that grows in the graph, which keeps values"
            raise StagingTypeError(f"{what}. Put a copy into the list (`rows.append(a.copy())`)")
        return flat_up_to(self.model, element)

    def pack(self, leaves: Any) -> Any:
        """The element with these leaves."""
        return nest.pack_sequence_as(self.model, list(leaves))

    @property
    def spec(self) -> Any:
        """The element as a structure of TensorSpecs."""
        return self.pack(TensorSpec(leaf.shape, leaf.dtype) for leaf in self.leaves)

    def __str__(self) -> str:
        shown = list(map(str, self.leaves))
        return shown[0] if self.model is None else str(self.pack(shown))


# -- lists that become rows


@dataclass(frozen=True, slots=True, eq=False)
class _Own:
    """A leaf of the elements of a list, and its handle."""

    leaf: LeafType | RowType
    handle: Any


def _row_of(parts: Any) -> RowType:
    """The row that lists are, by the leaves of their elements. Raises TypeError for those of two dtypes, of tuples."""
    if type(parts) is not list:
        raise TypeError(f"lists that differ in length hold a {type(parts).__name__}, not tensors or lists. {REMEDY}")
    leaves = [part if isinstance(part, LeafType | RowType) else _row_of(part) for part in parts]
    return RowType(functools.reduce(ElementType.join, [ElementType(None, (leaf,)) for leaf in leaves]))


def _cast_part(part: Any, wanted: LeafType | RowType) -> Any:
    """The handle of a leaf, or of the row that a list of leaves becomes."""
    if isinstance(part, _Own):
        return _cast(part.leaf, part.handle, wanted)
    assert isinstance(wanted, RowType) and wanted.rows is not None
    (inner,) = wanted.rows.leaves
    return list_rows([_cast_part(one, inner) for one in part])


# -- one leaf of the elements


def _leaf_of(value: Any) -> LeafType:
    """The type of a leaf of an element. Raises TypeError for what cannot be in a list."""
    plain = as_value(value)
    if isinstance(value, list | tuple):  # where a tensor was expected, a nested list of numbers is one
        if isinstance(tensor_within(value), Tensor):
            return LeafType.of(convert_to_tensor(value))
        return LeafType(weak_dtype(value), TensorShape(np.shape(value)), weak=True)
    if not isinstance(plain, TENSOR_LIKE) or getattr(plain, "dtype", None) is variant:
        raise no_tensor(value)
    return of_element(plain, members_with(value))


def _with(known: LeafType | RowType, value: Any) -> LeafType | RowType:
    """The type that holds for a leaf too. Raises TypeError, ValueError."""
    if isinstance(known, RowType):
        return _join(known, RowType(_elements_of(value)))
    if isinstance(value, list | tuple) and known.shape.rank == 0 and not known.declared:
        raise of_another_structure(known, value)
    found = _leaf_of(value)
    if known.declared:
        if not found.shape.is_compatible_with(known.shape):
            raise ValueError(f"an element has shape {found.shape}, but the shape of the elements is {known.shape}")
        found = replace(found, shape=known.shape, declared=True)
    return _join(known, found)


def _join(a: LeafType | RowType, b: LeafType | RowType) -> LeafType | RowType:
    """The type that holds for both. Raises TypeError where the dtypes differ, but for literals'."""
    if isinstance(a, RowType) and isinstance(b, RowType):
        return RowType(joined([a.rows, b.rows]))
    if isinstance(a, RowType) or isinstance(b, RowType):
        raise TypeError(f"some elements of the list are {a}, others are {b}")
    own = a.dtype

    def message(first: DType, second: DType) -> str:
        other = second if first is own else first
        return (
            f"the elements of the list are {own.name}, a new one is {other.name}: the elements of a list that"
            f" grows in a graph have one dtype; use runtime.cast(x, runtime.{own.name})"
        )

    return met([a, b], message, "an element of a list that grows in the graph", in_list=True)


def _cast(old: LeafType | RowType, handle: Any, new: LeafType | RowType) -> Any:
    """The handle of a list of such leaves, as one of leaves of a wider type. Raises StagingTypeError."""
    if isinstance(old, LeafType):
        return handle if old.dtype is new.dtype else list_cast(handle, element_dtype=new.dtype)
    assert isinstance(new, RowType)
    if new.rows is None:
        return handle
    before = [leaf.dtype for leaf in old.rows.leaves] if old.rows is not None else [None]
    after = [leaf.dtype for leaf in new.rows.leaves]
    if before == after or (old.rows is None and len(after) == 1):
        return handle
    if len(before) != 1 or len(after) != 1:
        raise StagingTypeError(
            "the lists in a list that grows in the graph have tuples as elements, of which the first one has shown"
            " too late what they are. Keep each part of the tuples in lists of its own"
        )
    return list_cast(handle, element_dtype=_innermost(new))


def nothing() -> Any:
    """The handle of an empty list."""
    return zeros_of(variant, TensorShape([]))


# -- several lists


def joined(types: Iterable[ElementType | None]) -> ElementType | None:
    """The type that holds for the elements of several lists; None where nothing is known of any."""
    known = [elements for elements in types if elements is not None]
    return functools.reduce(ElementType.join, known) if known else None


def own_list(elements: ElementType | None) -> ElementType | None:
    """The type of the elements of a list that has them for itself, though they come from a row."""
    return elements if elements is None or not elements.of_row else replace(elements, of_row=False)


def agreed(types: Iterable[ElementType | None]) -> ElementType | None:
    """`joined`, and None where there is no such type."""
    try:
        return joined(types)
    except (TypeError, ValueError):
        return None


def _elements_of(value: Any) -> ElementType | None:
    """What the elements of a list are that is an element. Raises TypeError for what is no list."""
    if hasattr(type(value), "handles_as"):
        return own_list(value.elements)
    if type(value) is not list:
        raise TypeError(f"some elements of the list are lists; got a value of type {type(value).__name__}")
    return ElementType.of_all(value)


def _innermost(row: RowType) -> DType:
    """The dtype of the tensors in lists in lists."""
    leaf: LeafType | RowType = row
    while isinstance(leaf, RowType):
        assert leaf.rows is not None
        leaf = leaf.rows.leaves[0]
    return leaf.dtype
