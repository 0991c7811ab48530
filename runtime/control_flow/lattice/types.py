"""The kinds of what a variable can be: which tensors a value is made of, and how it comes back from them.

    f = math.sin            Exact: one object, on all ways
    i = 0                   LeafType: a tensor
    n, True or 5            OrBool: a number, and the flag "is a bool"
    pair = (i, f)           Parts: a structure
    best = x or None        Optional: a value, and the flag "present"
    y, after `if p: y = x`  Undefinable: a value, and the flag "defined"
    TensorList([1])         Growing: the handles of a list that grows
    f = sin if p else cos   Functions: the number of one of several functions
    Mode.RUN, of a call     Members: the number of a member of an enumeration

Where values meet, `join` finds the type that holds for all of them. `parts` gives the leaves of a value of a type, one
for each of `leaves`, and `value` makes it of tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, Flag
from typing import Any, Final, Protocol

from autograph.errors import StagingTypeError
from runtime import structures as nest
from runtime.control_flow.calls.chosen import ChosenFunction, number_in
from runtime.control_flow.lattice.leaf import FLAG, MISSING, LeafType, is_pythons_bool
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer, with_all_keys
from runtime.control_flow.objects.refs import Choice, objects_of
from runtime.control_flow.optional.values import (
    NONE,
    Untyped,
    View,
    inside_of,
    maybe_none,
    presence,
    restore,
    view,
    with_inside,
)
from runtime.dtypes import int32, variant
from runtime.ndarrays.traced import TracedArray
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "KINDS", "Exact", "Functions", "Growing", "Members", "Optional", "OrBool", "Parts", "Probe", "Type",
    "Undefinable", "as_growing", "called", "corresponding", "is_returned",
]  # fmt: skip


def called(name: str) -> str:
    """A variable's name for a message."""
    return "the value that the function returns" if is_returned(name) else repr(name)


def is_returned(name: str) -> bool:
    """Whether it is what `return` gives, which is kept in a variable that users never wrote: no iteration follows."""
    return name.startswith("retval_")


class Type(Protocol):
    """See the module's docstring."""

    @property
    def leaves(self) -> list[LeafType]:
        """The types of the tensors, in order."""
        ...

    def parts(self, value: Any) -> list[Any]:
        """The leaves of a value, MISSING where it has none; of MISSING all of them are."""
        ...

    def value(self, tensors: Iterator[Any]) -> Any:
        """The value that the next tensors are."""


@dataclass(frozen=True, eq=False)
class Exact:
    """The same value on all ways."""

    held: Any

    @property
    def leaves(self) -> list[LeafType]:
        return []

    def parts(self, value: Any) -> list[Any]:
        return []

    def value(self, tensors: Iterator[Any]) -> Any:
        return self.held


@dataclass(frozen=True, eq=False)
class OrBool:
    """A number of Python's that is a bool on some ways, as is seen in its text, its class, and where it is left."""

    type: LeafType
    flag: Type

    @property
    def leaves(self) -> list[LeafType]:
        return [self.type, *self.flag.leaves]

    def parts(self, value: Any) -> list[Any]:
        return [value, *self.flag.parts(MISSING if value is MISSING else is_pythons_bool(value))]

    def value(self, tensors: Iterator[Any]) -> Any:
        number = self.type.value(tensors)
        flag = self.flag.value(tensors)
        if isinstance(number, SymbolicTensor):
            number.or_bool = flag
        return number


@dataclass(frozen=True, eq=False)
class Parts:
    """A structure like `model`: a list, tuple, dict, dataclass, or a value that is made of several tensors."""

    model: Any
    types: tuple[Type, ...]

    @property
    def leaves(self) -> list[LeafType]:
        found = [leaf for type_ in self.types for leaf in type_.leaves]
        if not hasattr(type(self.model), "_nest_static"):
            return found
        static = self.model._nest_static()
        return [replace(leaf, tag=(static, leaf.tag)) for leaf in found]

    def parts(self, value: Any) -> list[Any]:
        inner = [MISSING] * len(self.types) if value is MISSING else corresponding(self.model, value)
        return [leaf for type_, part in zip(self.types, inner, strict=True) for leaf in type_.parts(part)]

    def value(self, tensors: Iterator[Any]) -> Any:
        return nest.rebuild(self.model, [type_.value(tensors) for type_ in self.types])


def corresponding(model: Any, value: Any, path: str = "") -> list[Any]:
    """The parts of a structure, in the order of those of `model`. Raises TypeError, ValueError for another one."""
    if isinstance(model, TracedArray) and isinstance(value, Tensor):
        return [value]
    if isinstance(model, Grown):
        value = model.holding(value)
    elif isinstance(model, MaybeContainer):
        _, value = with_all_keys([model, value])
    elif type(value) is type(model) and (joined := getattr(type(model), "_nest_joined", None)) is not None:
        value = value._nest_as(joined([model, value]))
    return [part for _, part, _ in nest.corresponding(model, value, path)]


@dataclass(frozen=True, eq=False)
class Optional:
    """What may be None. Its zeros are those of `type`."""

    type: Type
    flag: Type = FLAG

    @property
    def leaves(self) -> list[LeafType]:
        return [*self.type.leaves, *self.flag.leaves]

    def parts(self, value: Any) -> list[Any]:
        if value is MISSING:
            return [*self.type.parts(value), *self.flag.parts(value)]
        seen = presence(value)
        return [*self.type.parts(MISSING if seen.value is NONE else seen.value), *self.flag.parts(seen.present)]

    def value(self, tensors: Iterator[Any]) -> Any:
        value = self.type.value(tensors)
        return maybe_none(value, self.flag.value(tensors))


@dataclass(frozen=True, eq=False)
class Undefinable:
    """What may have no value. placeholder: stands for it then."""

    type: Type
    flag: Type
    placeholder: Any

    @property
    def leaves(self) -> list[LeafType]:
        return [*self.type.leaves, *self.flag.leaves]

    def parts(self, value: Any) -> list[Any]:
        seen = view(value)
        return [*self.type.parts(MISSING if seen.defined is False else seen.value), *self.flag.parts(seen.defined)]

    def value(self, tensors: Iterator[Any]) -> Any:
        value = self.type.value(tensors)
        return restore(View(self.flag.value(tensors), value, self.placeholder))


@dataclass(frozen=True, eq=False)
class Functions:
    """One of several functions, by number."""

    functions: tuple[Callable[..., Any], ...]

    @property
    def leaves(self) -> list[LeafType]:
        return [LeafType(int32, TensorShape([]), tag=len(self.functions))]

    def parts(self, value: Any) -> list[Any]:
        return [value if value is MISSING else number_in(value, self.functions)]

    def value(self, tensors: Iterator[Any]) -> Any:
        return ChosenFunction(next(tensors), self.functions)


@dataclass(frozen=True, eq=False)
class Members:
    """A member of an enumeration, by its number."""

    kind: type[Enum]

    @staticmethod
    def of(value: Any) -> Members | None:
        """The type of a member, or of one of several; None for others, and for flags, whose members are not known."""
        if isinstance(value, Members):
            return value
        (kind, *others) = {type(one) for one in objects_of(value)}
        return None if others or not issubclass(kind, Enum) or issubclass(kind, Flag) else Members(kind)

    @property
    def leaves(self) -> list[LeafType]:
        return [LeafType(int32, TensorShape([]), tag=self.kind)]

    def parts(self, value: Any) -> list[Any]:
        return [value if value is MISSING else Choice(True, [*self.kind]).number(value)]

    def value(self, tensors: Iterator[Any]) -> Any:
        return Choice(True, [*self.kind]).at(next(tensors))


@dataclass(frozen=True, eq=False)
class Growing:
    """A list that grows. elements: what is known of its elements; name: that of the variable, for messages."""

    name: str
    elements: ElementType | None

    @property
    def leaves(self) -> list[LeafType]:
        tags: list[Any] = [None]
        if self.elements is not None:
            tags = [(leaf, self.elements.of_row) for leaf in self.elements.leaves]
        return [LeafType(variant, TensorShape([]), tag=tag) for tag in tags]

    def parts(self, value: Any) -> list[Any]:
        if value is MISSING:
            return [MISSING] * len(self.leaves)
        return list(as_growing(self.name, value).detached().handles_as(self.elements))

    def value(self, tensors: Iterator[Any]) -> Any:
        return TensorList.like(self.elements, [next(tensors) for _ in self.leaves])


def as_growing(name: str, value: Any, elements: ElementType | Grown | None = None) -> Any:
    """A list, dict, set or deque as one that grows. Raises StagingTypeError where its elements cannot be tensors of one
    kind.

    elements: what those of an empty list will be; for what is no list, one of its kind.
    """
    items = inside_of(value)
    if isinstance(elements, Grown):
        return with_inside(value, elements.holding(items))
    if type(items) is not list:
        return value
    try:
        return with_inside(value, TensorList(items, kind=elements, instead_of=items))
    except (TypeError, ValueError) as error:
        raise no_growing(name, error) from None


def no_growing(name: str, error: Exception) -> StagingTypeError:
    """For a list whose elements cannot be those of one that grows."""
    return StagingTypeError(
        f"the length of the list {called(name)} depends on a tensor, so that it would become a list that grows in"
        f" the graph, but its elements cannot be tensors of one kind: {error}"
    )


@dataclass(frozen=True, eq=False)
class Probe:
    """Stands for None while it is found out what the body of a loop puts into its place."""

    @property
    def leaves(self) -> list[LeafType]:
        return [replace(FLAG, tag="not known to be more than None")]

    def parts(self, value: Any) -> list[Any]:
        return [MISSING if value is MISSING else False]

    def value(self, tensors: Iterator[Any]) -> Any:
        return Untyped(next(tensors))


KINDS: Final = (LeafType, OrBool, Exact, Parts, Optional, Undefinable, Functions, Members, Growing, Probe)
