"""Trace types that users write: an object says itself which trace it may use.

    class Fruit:
        def __tf_tracing_type__(self, context):
            return FruitType(type(self))        # a TraceType of the user's

Objects whose types are equal share a trace, and so does an object whose type is a subtype of the type of a trace. While
the function is traced it sees the type's `placeholder_value`: the object itself, unless the type says otherwise.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from runtime import structures as nest
from runtime.state.parameters import VariableSpec
from runtime.tensor.spec import TensorSpec

__all__ = [
    "PlaceholderContext",
    "SupportsTracingProtocol",
    "TraceType",
    "TracingContext",
    "Typed",
    "UselessTypeError",
    "has_tracing_type",
    "is_of_type",
    "with_placeholders",
    "with_types",
    "with_values",
]


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


class TracingContext:
    """What `__tf_tracing_type__` is given: one for each call of a Function."""


@dataclass(frozen=True, slots=True)
class PlaceholderContext:
    """What `TraceType.placeholder_value` is given. value: the object of the call that is traced."""

    _value: Any = ABSENT

    @property
    def has_value(self) -> bool:
        """False where a trace is made for a type alone: `get_concrete_function(FruitType(Apple))`."""
        return self._value is not ABSENT

    @property
    def value(self) -> Any:
        """The object that the trace is made with. Raises TypeError where there is none."""
        if self._value is ABSENT:
            raise TypeError(
                "a trace for a TraceType alone needs an object to trace with: give get_concrete_function an object of"
                " that type, or define placeholder_value(self, placeholder_context) in the TraceType"
            )
        return self._value


class TraceType(abc.ABC):
    """What a trace depends on, of an argument. Subclasses are returned by `__tf_tracing_type__`; they are hashable."""

    @abc.abstractmethod
    def is_subtype_of(self, other: Any) -> bool:
        """Whether a value of this type may use a trace that was made for `other`."""

    @abc.abstractmethod
    def most_specific_common_supertype(self, others: Sequence[Any]) -> TraceType | None:
        """Narrowest type that this and all `others` are subtypes of, for `reduce_retracing`; None if there is none."""

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """What stands for the value while the function is traced: by default the object that the call was given."""
        return placeholder_context.value

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool:
        """Whether both types share one trace."""

    @abc.abstractmethod
    def __hash__(self) -> int:
        """Equal types have equal hashes."""

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in getattr(self, "__dict__", {}).items())
        return f"{type(self).__name__}({inside})"


TraceType.register(TensorSpec)
TraceType.register(VariableSpec)


@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """An object that says itself which TraceType it has."""

    def __tf_tracing_type__(self, context: Any) -> TraceType:
        """The type of this object."""
        ...


class UselessTypeError(Exception):
    """`__tf_tracing_type__` of `value` returned what cannot choose a trace."""

    def __init__(self, value: Any, why: str) -> None:
        super().__init__(why)
        self.value = value


class Typed:
    """Stands for an object that has a TraceType of its own, among the arguments. It is no structure: a leaf."""

    __slots__ = ("type", "value")

    def __init__(self, trace_type: TraceType, value: Any = ABSENT) -> None:
        self.type = trace_type
        self.value = value

    @classmethod
    def of(cls, value: Any, context: TracingContext) -> Typed:
        """By the object's own word. Raises UselessTypeError if that is no TraceType, or one that has no hash."""
        found = value if isinstance(value, TraceType) else type(value).__tf_tracing_type__(value, context)
        if not isinstance(found, TraceType):
            raise UselessTypeError(
                value,
                f"__tf_tracing_type__ of {type(value).__name__} returned {found!r}, which is no TraceType; derive its"
                " class from runtime.types.experimental.TraceType",
            )
        try:
            hash(found)
        except TypeError as error:
            raise UselessTypeError(
                value,
                f"its TraceType {type(found).__name__} cannot be hashed ({error}), so that a trace for it could not be"
                " found again; define __hash__ beside __eq__, over the same fields",
            ) from None
        return cls(found) if found is value else cls(found, value)

    @property
    def has_value(self) -> bool:
        """False for a type alone."""
        return self.value is not ABSENT

    def placeholder(self) -> Any:
        """What the function sees while it is traced."""
        return self.type.placeholder_value(PlaceholderContext(self.value))

    def __repr__(self) -> str:
        return repr(self.type)


def has_tracing_type(value: Any) -> bool:
    """Whether an object says itself which TraceType it has, or is one."""
    return hasattr(type(value), "__tf_tracing_type__") or isinstance(value, TraceType)


def is_of_type(value: Any, general: Typed) -> bool:
    """Whether an object may be given where a trace was made for a type."""
    if not has_tracing_type(value):
        return False
    given = Typed.of(value, TracingContext()).type
    return given == general.type or bool(given.is_subtype_of(general.type))


def with_types(structure: Any, types: Sequence[Typed]) -> Any:
    """The structure with the Typed objects in the place of what they stand for."""
    return _replaced(structure, {id(typed.value if typed.has_value else typed.type): typed for typed in types})


def _replaced(value: Any, by_id: dict[int, Typed]) -> Any:
    known = by_id.get(id(value))
    if known is not None:
        return known
    if not nest.is_nested(value):
        return value
    before = [part for _, part in nest.children(value)]
    after = [_replaced(part, by_id) for part in before]
    return value if all(a is b for a, b in zip(before, after, strict=True)) else nest.rebuild(value, after)


def with_placeholders(structure: Any) -> Any:
    """The structure as the traced function sees it."""
    return _mapped(structure, lambda typed: typed.placeholder())


def with_values(structure: Any) -> Any:
    """The structure with the objects themselves; what is a type alone stays."""
    return _mapped(structure, lambda typed: typed.value if typed.has_value else typed)


def _mapped(structure: Any, change: Any) -> Any:
    if not any(type(leaf) is Typed for leaf in nest.flatten(structure)):
        return structure
    return nest.map_structure(lambda leaf: change(leaf) if type(leaf) is Typed else leaf, structure)
