"""Values of a program's ExtensionTypes as JSON, and back: by the name that the class has for saved models.

    class Masked(ExtensionType):
        __name__ = "my_library.Masked"
        values: runtime.Tensor

A saved model brings no classes: the program that loads it has the class of that name.
"""

from __future__ import annotations

from typing import Any

from runtime.composite.extension_kinds import ImmutableDict
from runtime.composite.extension_layout import taken_apart
from runtime.composite.extension_spec import rebuilt
from runtime.composite.extension_type import NAMED, ExtensionType
from runtime.saved_model.values import Leaf, NotSavable, describe

__all__ = ["described_extension", "extension_of", "fixed_of"]


def described_extension(value: ExtensionType, leaf: Leaf) -> Any:
    """The fields of a value. leaf: describes tensors. Raises NotSavable where the class has no name."""
    kind = type(value)
    name = vars(kind).get("__name__")
    if not isinstance(name, str):
        raise NotSavable(
            f"it takes or returns a {kind.__name__}, whose class has no name for saved models; give it one:"
            f" __name__ = 'my_library.{kind.__name__}' in the class"
        )

    def field(part: Any) -> Any:
        return {"fixed": describe(dict(part), field)} if type(part) is ImmutableDict else leaf(part)

    fields = value._extension_layout.filled(value._extension_parts)
    return {"extension": [name, [[key, describe(part, field)] for key, part in fields.items()]]}


def extension_of(body: Any, read: Leaf) -> Any:
    """A value of its fields. Raises ValueError where there is no class of its name, or it has other fields."""
    name, described = body
    kind: Any = NAMED.get(name)
    if kind is None:
        raise ValueError(
            f"it has values of the ExtensionType {name!r:.80}: define (or import) the class of this __name__ first"
        )
    layout, parts = taken_apart({key: read(part) for key, part in described})
    return rebuilt(kind, layout, parts)


def fixed_of(body: Any, read: Leaf) -> Any:
    """A dict among the fields."""
    return ImmutableDict(read(body))
