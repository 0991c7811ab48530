"""Trace types that users write: an object says itself which trace it may use.

    class Fruit:
        def __tf_tracing_type__(self, context):
            return FruitType(type(self))        # a TraceType of the user's

Objects whose types are equal share a trace, and so does an object whose type is a subtype of the type of a trace. While
the function is traced it sees the type's `placeholder_value`: the object itself, unless the type says otherwise.

A type may tell which tensors its objects hold: `flatten` the specs, `to_tensors` those of an object, `from_tensors` an
object of such. Then each call gives the trace the tensors of its own object:

    class RowsType(TraceType):
        def flatten(self): return [TensorSpec([None, 3])]
        def to_tensors(self, value): return [value.rows]
        def from_tensors(self, tensors): return Rows(next(tensors))
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

from runtime import structures as nest
from runtime.marker import Marker
from runtime.state.parameters import VariableSpec
from runtime.tensor.spec import TensorSpec

__all__ = [
    "PlaceholderContext",
    "SupportsTracingProtocol",
    "TraceType",
    "TracingContext",
    "Typed",
    "TypedParts",
    "UselessTypeError",
    "has_tracing_type",
    "is_of_type",
    "is_whole",
    "with_objects",
    "with_parts",
    "with_placeholders",
    "with_types",
    "with_values",
    "without_values",
]


ABSENT: Final = Marker("ABSENT")


class TracingContext:
    """What `__tf_tracing_type__` is given: one for each call of a Function."""


@dataclass(frozen=True, slots=True)
class PlaceholderContext:
    """What `TraceType.placeholder_value` is given. value: the object of the call that is traced.

    `spec.placeholder_value(context)` gives the tensor that stands for the next of the specs that `flatten` tells.
    """

    _value: Any = ABSENT
    _tensors: Iterator[Any] = field(default_factory=lambda: iter(()))

    def _next(self, spec: Any) -> Any:
        """The tensor for the next spec. Raises TypeError where there is none that fits."""
        tensor = next(self._tensors, None)
        if tensor is None or not spec.is_compatible_with(tensor):
            has = "no more" if tensor is None else repr(tensor)
            raise TypeError(f"placeholder_value asks for a tensor of {spec!r}, but what `flatten` tells has {has} here")
        return tensor

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
        """What stands for the value while the function is traced: by default what `from_tensors` makes of the inputs,
        or the object that the call was given where the type tells of no tensors."""
        return self.from_tensors(placeholder_context._tensors) if self.flatten() else placeholder_context.value

    def flatten(self) -> list[Any]:
        """The TensorSpecs (or VariableSpecs) of the tensors in an object of this type, which become inputs."""
        return []

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors in an object, as `flatten` tells them."""
        return []

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """An object of this type with the next of these tensors in it."""
        raise TypeError(
            f"{type(self).__name__} tells of tensors by `flatten`: define from_tensors(self, tensors), which makes an"
            " object of them, or placeholder_value(self, placeholder_context)"
        )

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        """The value as one of this type: here the value itself, if it is."""
        return value

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
        value = ABSENT if found is value else value
        return TypedParts(found, value) if getattr(found, "flatten", list)() else cls(found, value)

    @property
    def has_value(self) -> bool:
        """False for a type alone."""
        return self.value is not ABSENT

    def placeholder(self) -> Any:
        """What the function sees while it is traced."""
        return self.type.placeholder_value(PlaceholderContext(self.value))

    def __repr__(self) -> str:
        return repr(self.type)


class TypedParts(Typed):
    """An object whose TraceType tells of its tensors: a structure of these.

    parts: specs at first, then the inputs of the graph that is made for them, or the tensors of a call.
    """

    __slots__ = ("parts",)

    def __init__(self, trace_type: TraceType, value: Any = ABSENT, parts: Sequence[Any] | None = None) -> None:
        super().__init__(trace_type, value)
        self.parts = list(trace_type.flatten() if parts is None else parts)

    def tensors(self) -> list[Any]:
        """Those of the object; for a type alone, the specs. Raises TypeError if they are not those that it tells of."""
        specs = self.type.flatten()
        if not self.has_value:
            return specs
        tensors = list(self.type.to_tensors(self.value))
        if len(tensors) != len(specs) or not all(map(_fits, specs, tensors)):
            raise UselessTypeError(
                self.value,
                f"`to_tensors` of its TraceType {type(self.type).__name__} gave {tensors!r}, which are not the tensors"
                f" that `flatten` tells of: {specs!r}",
            )
        return tensors

    def placeholder(self) -> Any:
        given = self.tensors() if any(map(_is_spec, self.parts)) else self.parts
        return self.type.placeholder_value(PlaceholderContext(self.value, iter(given)))

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f"[{i}]", part) for i, part in enumerate(self.parts)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> TypedParts:
        return TypedParts(self.type, self.value, parts)

    def _nest_check(self, other: Any) -> None:
        if not (isinstance(other, TypedParts) and (other.type == self.type or other.type.is_subtype_of(self.type))):
            raise TypeError(f"{other!r} is no {self.type!r}")


def _is_spec(part: Any) -> bool:
    return isinstance(part, TensorSpec | VariableSpec)


def _fits(spec: Any, tensor: Any) -> bool:
    return hasattr(tensor, "dtype") and hasattr(tensor, "shape") and bool(spec.is_compatible_with(tensor))


def is_whole(value: Any) -> bool:
    """Whether a value is a structure of parts, and not an object with a TraceType of its own."""
    return nest.is_nested(value) and not isinstance(value, TypedParts)


def with_parts(structure: Any) -> Any:
    """The structure with the tensors of such objects in it as parts, if their types tell of any."""
    return nest.map_structure(
        _with_parts, structure, nested=lambda value: nest.is_structure(value) and not has_tracing_type(value)
    )


def _with_parts(leaf: Any) -> Any:
    if not has_tracing_type(leaf) or _is_spec(leaf):
        return leaf
    typed = Typed.of(leaf, TracingContext())
    return TypedParts(typed.type, typed.value, typed.tensors()) if isinstance(typed, TypedParts) else leaf


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
    return nest.changed(value, lambda part: _replaced(part, by_id)) if nest.is_nested(value) else value


def with_placeholders(structure: Any) -> Any:
    """The structure as the traced function sees it."""
    return _mapped(structure, lambda typed: typed.placeholder())


def with_values(structure: Any) -> Any:
    """The structure with the objects themselves; what is a type alone stays."""
    return _mapped(structure, lambda typed: typed.value if typed.has_value else typed)


def with_objects(structure: Any) -> Any:
    """The structure with objects that `from_tensors` makes of the tensors in their places."""
    return _mapped(structure, lambda typed: typed.type.from_tensors(iter(typed.parts)) if _has_parts(typed) else typed)


def without_values(structure: Any) -> Any:
    """The structure with no objects of types that tell of tensors, which stay as its parts."""
    return _mapped(structure, lambda typed: TypedParts(typed.type, ABSENT, typed.parts) if _has_parts(typed) else typed)


def _has_parts(typed: Typed) -> bool:
    return isinstance(typed, TypedParts)


def _mapped(structure: Any, change: Any) -> Any:
    if not any(isinstance(leaf, Typed) for leaf in nest.flatten(structure, is_whole)):
        return structure
    changed = [change(leaf) if isinstance(leaf, Typed) else leaf for leaf in nest.flatten(structure, is_whole)]
    return nest.pack_sequence_as(structure, changed, is_whole)
