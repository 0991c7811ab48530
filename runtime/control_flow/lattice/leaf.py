"""What one tensor is where values meet: its dtype, its shape, and whether it still adapts to tensors beside it.

    LeafType.of(0)                                  # an int64 scalar that still adapts
    met([LeafType.of(0), LeafType.of(x)], message)  # float32, if x is a float32 tensor

A type only ever widens: a literal's dtype to that of the tensors beside it, a shape to what holds for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, Flag
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError
from runtime.config import literals_are_strict
from runtime.dtypes import DType, as_dtype, bool_, float64, variant
from runtime.graph.location import here
from runtime.marker import Marker
from runtime.ops.kernels.list_value import EMPTY, boxed
from runtime.shapes import TensorShape
from runtime.state.variable import Variable
from runtime.tensor.convert import adopt, as_operand, constant, convert_to_tensor, make_constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import KIND_ORDER, is_valued_member, weak_dtype
from runtime.tensor.symbolic import SymbolicTensor, text_class
from runtime.tensor.tensor import Tensor

__all__ = [
    "FLAG", "LITERALS", "MISSING", "TENSOR_LIKE", "LeafType", "convert_weakly", "is_of_array",
    "is_pythons_bool", "is_tensor_like", "is_weak", "met", "of_element", "zeros_of",
]  # fmt: skip

LITERALS: Final = (bool, int, float, complex, str, bytes, np.generic, np.ndarray)
"""Python values that can be tensors."""

TENSOR_LIKE: Final = (Tensor, *LITERALS)


def is_tensor_like(value: Any) -> bool:
    """Whether a value is a tensor, or a number, text or array that can be one. Arrays of objects and dates are objects
    of Python's."""
    return isinstance(value, TENSOR_LIKE) and not (isinstance(value, np.ndarray) and value.dtype.kind in "OMmV")


MISSING: Final = Marker("MISSING")
"""A leaf on a way that gives the variable no value."""

Message = Callable[[DType, DType], str]


@dataclass(frozen=True, slots=True)
class LeafType:
    """The type of one tensor."""

    dtype: DType
    shape: TensorShape
    weak: bool = False
    declared: bool = False
    """True: the shape was said by the user; what does not fit it is refused instead of widening it."""
    of_array: bool = False
    """Whether it is a number of an array (`runtime.tensor.array_numbers`)."""
    of_bytes: bool = False
    """Whether it stands for Python's bytes."""
    was_array: bool = field(default=False, compare=False)
    """Whether it is an array of numpy's on one of the ways, for which a tensor stands."""
    enumeration: type | None = field(default=None, compare=False)
    """That of which it is a member on some of the ways, and a number or text of Python's on others."""
    members: tuple[Enum, ...] | None = None
    """Those of an enumeration, where it is the number or text of one of them, in a list that grows."""
    tag: Any = None
    """What else code is traced for that sees such a tensor: of how many functions it is the number, for instance."""

    @staticmethod
    def of(value: Any) -> LeafType:
        """The type of a tensor, a Variable or what can become a tensor. Raises TypeError."""
        if isinstance(value, LeafType):
            return value
        if isinstance(value, Tensor | Variable):
            dtype, shape = value.dtype, value.shape
        else:
            dtype, shape = weak_dtype(value), TensorShape(np.shape(value))
        was_array = isinstance(value, np.ndarray) or (isinstance(value, SymbolicTensor) and value.was_array)
        of_array = is_of_array([value])
        enumeration = value.enumeration if isinstance(value, SymbolicTensor) else None
        enumeration = type(value) if is_valued_member(value) else enumeration
        of_bytes = text_class(value) is bytes
        return LeafType(
            dtype, shape, is_weak(value), of_array=of_array, of_bytes=of_bytes, was_array=was_array,
            enumeration=enumeration,
        )  # fmt: skip

    def is_kind_of(self, value: Any) -> bool:
        """Whether a value is a tensor, or a number that adapts, of this type as it is."""
        own = LeafType.of(as_operand(value))
        known = (self.dtype, self.shape, self.weak, self.of_array, self.of_bytes)
        return (own.dtype, own.shape, own.weak, own.of_array, own.of_bytes) == known

    @property
    def text(self) -> type | None:
        """str or bytes, for what stands for one of Python's; None for all others: a string tensor may equal both."""
        return (bytes if self.of_bytes else str) if self.weak and self.dtype.family == "string" else None

    @property
    def is_plain(self) -> bool:
        """Whether tensors of this type stand for numbers or texts of Python's, or for numbers of NumPy's."""
        return self.weak or (self.of_array and self.shape.rank == 0)

    def plain(self, tensor: EagerTensor) -> Any:
        """The number or text that the value of such a tensor stands for."""
        if self.of_array and not self.weak:
            return tensor._array[()]
        value = tensor._array.item()
        found = value.decode() if type(value) is bytes and not self.of_bytes else value
        return found if self.members is None else type(self.members[0])(found)

    @property
    def attributes(self) -> dict[str, Any]:
        """What the operations on handles of lists are told of its elements."""
        return {"element_dtype": self.dtype, "element_shape": self.shape}

    @property
    def leaves(self) -> list[LeafType]:
        """As other types of the lattice have several."""
        return [self]

    @property
    def traced(self) -> tuple[Any, ...]:
        """What of it code is traced for: where nothing else changes, the trace holds."""
        return self.dtype, self.shape, self.tag, self.of_bytes, self.members

    def parts(self, value: Any) -> list[Any]:
        """See `runtime.control_flow.lattice.types.Type`."""
        return [value]

    def value(self, tensors: Any) -> Any:
        """The next of the tensors, as one of this type."""
        return self.marked(next(tensors))

    def marked(self, tensor: Any) -> Any:
        """A tensor of this type: it still adapts to others if all did that it may be."""
        if isinstance(tensor, SymbolicTensor):
            tensor.weak, tensor.of_array, tensor.of_bytes = self.weak, self.of_array, self.of_bytes
            tensor.was_array, tensor.enumeration = self.was_array, self.enumeration
        return tensor

    def adopted(self, value: Any, where: str) -> Any:
        """A leaf of a value as a tensor of this dtype. Raises DtypeMismatchError, which names the place."""
        return adopt(as_operand(value), self.dtype, where)

    def zeros(self) -> Any:
        """A tensor of this type, in the place of one that is not there."""
        return zeros_of(self.dtype, self.shape)

    def __str__(self) -> str:
        return f"{self.dtype.name}{self.shape}"


FLAG: Final = LeafType(bool_, TensorShape([]))


def met(
    leaves: Sequence[LeafType], message: Message, subject: str = "a value", in_list: bool = False
) -> LeafType:
    """The type of what is one of these. Raises StagingTypeError with `message(a, b)` for dtypes that do not meet, and
    for str beside bytes. subject: what it is, in words. in_list: whether all are elements of one list."""
    first, *others = leaves
    if not others:
        return first
    shape = first.shape
    for other in others:
        shape = shape.relax_with(other.shape)
    of_array = any(leaf.of_array for leaf in leaves) and all(leaf.of_array or leaf.weak for leaf in leaves)
    was_array = any(leaf.was_array for leaf in leaves)
    weak, declared = all(leaf.weak for leaf in leaves), all(leaf.declared for leaf in leaves)
    members = first.members if all(leaf.members == first.members for leaf in leaves) else None
    if in_list and weak and len({leaf.dtype.is_bool for leaf in leaves}) > 1:
        raise _bools_beside_numbers()
    enumeration = next((leaf.enumeration for leaf in leaves if leaf.enumeration is not None), None)
    if in_list and members is None and any(leaf.enumeration is not enumeration for leaf in leaves):
        raise _members_beside_others(enumeration)
    texts = {leaf.text for leaf in leaves} if weak else set()
    if texts >= {str, bytes}:
        raise StagingTypeError(
            f"{subject} is str or bytes, as a tensor decides{here()}: tensors cannot tell the two apart, so make all of"
            " them one of the two (`.encode()`, `.decode()`)"
        )
    return replace(
        first, dtype=_common_dtype(leaves, message), shape=shape, weak=weak, declared=declared, of_array=of_array,
        was_array=was_array, of_bytes=bytes in texts, members=members, enumeration=enumeration,
    )  # fmt: skip


def of_element(value: Any, members: tuple[Enum, ...] | None) -> LeafType:
    """The type of what is put into a list. members: those of the enumeration that it is a member of. Raises TypeError,
    and StagingTypeError for what is a bool on some ways, or a member."""
    if getattr(value, "or_bool", None) is not None:
        raise _bools_beside_numbers()
    kind = getattr(value, "enumeration", None)
    if members is None and kind is not None and not issubclass(kind, Flag):  # of which any number is one
        raise _members_beside_others(kind)
    return replace(LeafType.of(value), members=members)


def _bools_beside_numbers() -> StagingTypeError:
    """For a list of Python's, in which each element is what it is."""
    return StagingTypeError(
        f"some elements of a list that grows in the graph are bools, and others are numbers{here()}: the elements of"
        " such a list have one dtype, and True would be 1 in it. Write numbers (`int(flag)`), or bools (`n != 0`)"
    )


def _members_beside_others(kind: Any) -> StagingTypeError:
    return StagingTypeError(
        f"some elements of a list that grows in the graph are members of {kind.__name__}, and others are none{here()}:"
        f" put in members alone (`{kind.__name__}(...)`), or their numbers and texts (`.value`)"
    )


def _common_dtype(leaves: Sequence[LeafType], message: Message) -> DType:
    """The dtype in which tensors and literals meet."""
    strong, weak = ([leaf.dtype for leaf in leaves if leaf.weak is is_weak] for is_weak in (False, True))
    adapting = set(weak)
    if any(dtype.is_integer for dtype in strong) and all(leaf.of_array or leaf.weak for leaf in leaves):
        floats = [dtype for dtype in strong if dtype.is_floating]
        if floats:  # as between numbers of NumPy: `best = np.inf`, and then `best = a[i]` on some ways
            target = as_dtype(np.result_type(*(dtype.numpy for dtype in strong)))
            adapting |= {*strong}
            strong = [target, *strong]
    if strong:
        target = strong[0]
        if target.is_integer and any(dtype.is_floating for dtype in weak) and not literals_are_strict():
            adapting.add(target)
            target = float64  # as where the two are added
    elif all(d.family in KIND_ORDER for d in weak):
        target = max(weak, key=lambda d: (KIND_ORDER[d.family], d.size))
    else:
        target = weak[0]
    for dtype in strong + weak:
        is_literal_fit = dtype in adapting and KIND_ORDER.get(dtype.family, 9) <= KIND_ORDER.get(target.family, -1)
        if dtype is not target and not is_literal_fit:
            raise StagingTypeError(message(target, dtype))
    return target


def is_weak(leaf: Any) -> bool:
    """Whether a leaf adapts to the dtype of others: Python literals, and symbolic tensors that came from them."""
    if isinstance(leaf, SymbolicTensor):
        return leaf.weak
    return type(leaf) in (bool, int, float, complex, str, bytes) or is_valued_member(leaf)


def is_pythons_bool(leaf: Any) -> Any:
    """Whether a leaf is a bool of Python's, or a tensor that came from one: a flag where a tensor decides that."""
    if isinstance(leaf, LeafType | SymbolicTensor):
        known = leaf.or_bool if isinstance(leaf, SymbolicTensor) else None
        return leaf.weak and (leaf.dtype.is_bool if known is None else known)
    return type(leaf) is bool


def is_of_array(leaves: Iterable[Any]) -> bool:
    """Whether what is one of these leaves is a number of an array: one of them is such, the others are Python's."""
    found = False
    for leaf in leaves:
        of_array = isinstance(leaf, np.generic) or (isinstance(leaf, SymbolicTensor) and leaf.of_array)
        if not of_array and not is_weak(leaf):
            return False
        found = found or of_array
    return found


def zeros_of(dtype: DType, shape: TensorShape) -> Any:
    """Zeros (empty strings, an empty list) of a shape; a dimension that is not known has size 0."""
    if dtype is variant:
        return make_constant(boxed(EMPTY))
    sizes = tuple(d or 0 for d in shape.dims or ())
    if dtype.family == "string":
        return constant(np.full(sizes, b"", object))
    return constant(np.zeros(sizes, dtype.numpy))


def convert_weakly(value: Any) -> Any:
    """The tensor of a literal, which still adapts to other tensors; tensors as they are."""
    if isinstance(value, Tensor):
        return value
    if not is_weak(value):
        return convert_to_tensor(value)
    return LeafType.of(value).marked(convert_to_tensor(value, weak_dtype(value)))
