"""The fields of an ExtensionType taken apart: its tensors in order, and what is left of the fields without them.

    layout, parts = taken_apart({"values": x, "sizes": (3, y)})
    layout.steps                # (".values", ".sizes[1]"): how the parts are reached
    layout.filled([a, b])       # {"values": a, "sizes": (3, b)}
    layout.key                  # equal where the Python values are, and the places of the tensors

Composite values among the fields are parts as tensors are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.composite.extension_kinds import ImmutableDict
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["Layout", "difference", "is_spec", "taken_apart"]


class _Part:
    def __repr__(self) -> str:
        return "a tensor"

    def __reduce__(self) -> str:
        return "PART"  # a copy is the very same


PART: Final = _Part()
"""Stands in a layout where a tensor is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """See the module's docstring. fields: by name, with PART in the place of each part."""

    fields: tuple[tuple[str, Any], ...]
    steps: tuple[str, ...]
    key: tuple[Any, ...]

    def filled(self, parts: Sequence[Any]) -> dict[str, Any]:
        """The fields with these parts."""
        remaining = iter(parts)
        return {name: _filled(field, remaining) for name, field in self.fields}

    def with_shapes(self, change: Callable[[TensorShape], TensorShape]) -> Layout:
        """The layout with other TensorShapes among the fields."""
        fields = tuple((name, _with_shapes(field, change)) for name, field in self.fields)
        return Layout(fields, self.steps, tuple((name, _key(value)) for name, value in fields))


def taken_apart(fields: Mapping[str, Any]) -> tuple[Layout, list[Any]]:
    """The layout of fields, and their parts."""
    found: list[tuple[str, Any]] = []
    empty = [(name, _emptied(value, f".{name}", found)) for name, value in fields.items()]
    key = tuple((name, _key(value)) for name, value in empty)
    return Layout(tuple(empty), tuple(step for step, _ in found), key), [part for _, part in found]


def is_spec(part: Any) -> bool:
    """Whether a part describes tensors rather than being one."""
    return isinstance(part, TensorSpec) or hasattr(type(part), "_nest_stands_for")


def _emptied(value: Any, step: str, found: list[tuple[str, Any]]) -> Any:
    if isinstance(value, Tensor | TensorSpec) or hasattr(type(value), "_nest_parts"):
        found.append((step, value))
        return PART
    if type(value) is tuple:
        return tuple(_emptied(item, f"{step}[{i}]", found) for i, item in enumerate(value))
    if type(value) is ImmutableDict:
        in_order = {key: _emptied(value[key], f"{step}[{key!r}]", found) for key in sorted(value)}
        return ImmutableDict({key: in_order[key] for key in value})
    return value


def _filled(field: Any, parts: Iterator[Any]) -> Any:
    if field is PART:
        return next(parts)
    if type(field) is tuple:
        return tuple(_filled(item, parts) for item in field)
    if type(field) is ImmutableDict:
        in_order = {key: _filled(field[key], parts) for key in sorted(field)}
        return ImmutableDict({key: in_order[key] for key in field})
    return field


def _with_shapes(field: Any, change: Callable[[TensorShape], TensorShape]) -> Any:
    if isinstance(field, TensorShape):
        return change(field)
    if type(field) is tuple:
        return tuple(_with_shapes(item, change) for item in field)
    if type(field) is ImmutableDict:
        return ImmutableDict({key: _with_shapes(field[key], change) for key in field})
    return field


def _key(value: Any) -> Any:
    """Equal for what one trace can serve: 1, 1.0 and True differ, and so do 0.0 and -0.0; nan is equal to itself."""
    if type(value) is tuple:
        return tuple, *map(_key, value)
    if type(value) is ImmutableDict:
        return ImmutableDict, *((_key(key), _key(value[key])) for key in sorted(value))
    return type(value), repr(value) if isinstance(value, float) else value


def difference(one: Layout, other: Layout) -> str:
    """In words, where two layouts differ."""
    for (name, a), (_, b) in zip(one.fields, other.fields, strict=True):
        if _key(a) != _key(b):
            return f"the field {name!r} is {a!r} in one and {b!r} in the other"
    return "they are alike"
