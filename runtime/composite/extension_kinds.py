"""What a field of an ExtensionType may hold: checks and conversions.

    PythonValue(int).of_value("x", "M.size")        # TypeError: M.size: expected int, found a value of type str: 'x'
    AnyTensor(None).of_value([1.0, 2.0], "M.x")     # a tensor
    Items((PythonValue(int),), True).of_value([1, 2], "M.counts")       # (1, 2)

A kind has two faces: `of_value` for the fields of a value, `of_spec` for those of its Spec, where a TensorSpec stands
in the place of a tensor. Which annotation asks for which kind `runtime.composite.extension_annotations` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["AnyTensor", "Either", "ImmutableDict", "Items", "Kind", "MappingOf", "OfClass", "PythonValue"]


class Kind(Protocol):
    """What one annotation asks for."""

    def of_value(self, value: Any, where: str) -> Any:
        """The value as a field holds it. Raises TypeError that names the place."""
        ...

    def of_spec(self, value: Any, where: str) -> Any:
        """The same for the field of a Spec."""
        ...


class ImmutableDict(Mapping[Any, Any]):
    """A mapping that never changes: a field of an ExtensionType."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Any, Any]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


def _wrong(where: str, expected: Any, found: Any) -> TypeError:
    return TypeError(f"{where}: expected {expected}, found {_described(found)}")


def _described(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {value.shape} and dtype {value.dtype.name}"
    name = type(value).__name__
    return "None" if value is None else f"a value of type {name}: {_shortened(repr(value))}"


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}..."


# -- kinds ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PythonValue:
    """A Python value of this type."""

    type: type

    def of_value(self, value: Any, where: str) -> Any:
        if not isinstance(value, self.type):
            raise _wrong(where, self, value)
        return value

    of_spec = of_value

    def __str__(self) -> str:
        return "None" if self.type is type(None) else self.type.__name__


@dataclass(frozen=True, slots=True)
class AnyTensor:
    """A tensor, or what becomes one; with a spec, of its dtype and a shape that fits."""

    spec: TensorSpec | None

    def of_value(self, value: Any, where: str) -> Any:
        try:
            tensor = convert_to_tensor(value, None if self.spec is None else self.spec.dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{_wrong(where, self, value)} ({error})") from error
        if self.spec is not None and not self.spec.is_compatible_with(tensor):
            raise _wrong(where, self, tensor)
        return tensor

    def of_spec(self, value: Any, where: str) -> Any:
        if not isinstance(value, TensorSpec):
            raise _wrong(where, "a TensorSpec", value)
        if self.spec is not None and not self.spec.is_compatible_with(value):
            raise _wrong(where, f"a TensorSpec for {self}", value)
        return value

    def __str__(self) -> str:
        return "a tensor" if self.spec is None else f"a tensor of shape {self.spec.shape} and dtype {self.dtype}"

    @property
    def dtype(self) -> str:
        """The name of the dtype that is asked for."""
        return "" if self.spec is None else self.spec.dtype.name


@dataclass(frozen=True, slots=True)
class OfClass:
    """A ragged or sparse tensor, or another ExtensionType; with a spec, one that it describes."""

    type: type
    spec: Any = None

    def of_value(self, value: Any, where: str) -> Any:
        if not isinstance(value, self.type) or not (self.spec is None or self.spec.is_compatible_with(value)):
            raise _wrong(where, self, value)
        return value

    def of_spec(self, value: Any, where: str) -> Any:
        stands_for = getattr(type(value), "_nest_stands_for", None)
        fits = isinstance(stands_for, type) and issubclass(stands_for, self.type)
        if not fits or not (self.spec is None or self.spec.is_compatible_with(value)):
            raise _wrong(where, f"a spec of {self}" if self.spec is None else repr(self.spec), value)
        return value

    def __str__(self) -> str:
        return self.type.__name__ if self.spec is None else f"what {self.spec!r} describes"


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple of these, or (`any_number`) of any number of the first; a list becomes one."""

    kinds: tuple[Kind, ...]
    any_number: bool

    def of_value(self, value: Any, where: str) -> Any:
        return self._each(value, where, lambda kind: kind.of_value)

    def of_spec(self, value: Any, where: str) -> Any:
        return self._each(value, where, lambda kind: kind.of_spec)

    def _each(self, value: Any, where: str, face: Callable[[Kind], Callable[[Any, str], Any]]) -> Any:
        if not isinstance(value, list | tuple):
            raise _wrong(where, self, value)
        kinds = self.kinds * len(value) if self.any_number else self.kinds
        if len(kinds) != len(value):
            raise TypeError(f"{where}: expected {self}, found {len(value)} items: {_shortened(repr(value))}")
        return tuple(face(kind)(item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(kinds, value, strict=True)))

    def __str__(self) -> str:
        return f"a tuple of ({', '.join(map(str, self.kinds))}{', ...' if self.any_number else ''})"


@dataclass(frozen=True, slots=True)
class MappingOf:
    """A mapping from Python values; it becomes one that never changes."""

    key: Kind
    item: Kind

    def of_value(self, value: Any, where: str) -> Any:
        return self._each(value, where, self.item.of_value)

    def of_spec(self, value: Any, where: str) -> Any:
        return self._each(value, where, self.item.of_spec)

    def _each(self, value: Any, where: str, convert: Callable[[Any, str], Any]) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong(where, self, value)
        keys = [self.key.of_value(key, f"{where}: the key {key!r}") for key in value]
        return ImmutableDict({key: convert(value[key], f"{where}[{key!r}]") for key in keys})

    def __str__(self) -> str:
        return f"a mapping from {self.key} to {self.item}"


@dataclass(frozen=True, slots=True)
class Either:
    """What one of these is, the first that fits."""

    kinds: tuple[Kind, ...]

    def of_value(self, value: Any, where: str) -> Any:
        return self._first(value, where, [kind.of_value for kind in self.kinds])

    def of_spec(self, value: Any, where: str) -> Any:
        return self._first(value, where, [kind.of_spec for kind in self.kinds])

    def _first(self, value: Any, where: str, faces: Sequence[Callable[[Any, str], Any]]) -> Any:
        for convert in faces:
            try:
                return convert(value, where)
            except TypeError:
                continue
        raise _wrong(where, self, value)

    def __str__(self) -> str:
        return " or ".join(map(str, self.kinds))
