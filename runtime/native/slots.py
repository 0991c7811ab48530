"""Places for values that several ways lead to: a variable of the function for each part that is not known beforehand.

    slot = Slot(w, type_)           # a number: one; an array: data, header, and each dim that its type leaves open
    slot.store(w, value)
    value = slot.load(w, owned=True)
"""

from __future__ import annotations

from runtime.errors import GraphError
from runtime.native.lists import Type
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import Writer

__all__ = ["Slot", "kinds_of", "texts_of", "value_of"]


class Slot:
    """See the module's docstring."""

    def __init__(self, w: Writer, type_: Type, names: list[str] | None = None) -> None:
        self.type = type_
        self.kinds = kinds_of(type_)
        self.names = [w.slot(kind) for kind in self.kinds] if names is None else names

    def store(self, w: Writer, value: NativeValue) -> None:
        for kind, name, text in zip(self.kinds, self.names, texts_of(value, self.type), strict=True):
            w.do(f"store {kind} {text}, ptr {name}")

    def load(self, w: Writer, owned: bool) -> NativeValue:
        parts = [w.let(f"load {kind}, ptr {name}") for kind, name in zip(self.kinds, self.names, strict=True)]
        return value_of(self.type, parts, owned)

    @staticmethod
    def parts_of(value: NativeValue, type_: Type) -> list[str]:
        """The value as arguments of a call."""
        return [f"{kind} {text}" for kind, text in zip(kinds_of(type_), texts_of(value, type_), strict=True)]


def kinds_of(type_: Type) -> list[str]:
    """The types of the parts of a value."""
    dims = type_.shape.dims
    if dims is None:
        raise GraphError("an array without a rank has no parts")
    return [in_register(type_.dtype)] if dims == () else ["ptr", "ptr", *("i64" for d in dims if d is None)]


def value_of(type_: Type, parts: list[str], owned: bool) -> NativeValue:
    """The value that has these parts."""
    dims = type_.shape.dims
    if not dims:
        return Number(parts[0], type_.dtype)
    given = iter(parts[2:])
    return Memory(parts[0], parts[1], tuple(str(next(given) if d is None else d) for d in dims), type_.dtype, owned)


def texts_of(value: NativeValue, type_: Type) -> list[str]:
    if isinstance(value, Number):
        return [value.text]
    dims = type_.shape.dims
    assert dims is not None
    return [value.data, value.header, *(text for text, dim in zip(value.dims, dims, strict=True) if dim is None)]
