"""The fields of a class that derives from ExtensionType: found by its annotations, given to its constructor.

    class Masked(ExtensionType):
        values: Tensor
        mask: Tensor
        fill: float = 0.0

    fields_of(Masked)                                   # three Fields, those of base classes first
    signature_of(fields_of(Masked), with_defaults=True)     # (values, mask, fill=0.0)

An annotation that names what is defined further down (`Optional["Node"]`) is looked up when it is needed.
"""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.composite.extension_annotations import kind_of
from runtime.composite.extension_kinds import Kind
from runtime.composite.extension_layout import Layout, taken_apart

__all__ = ["Field", "bound", "close", "collected", "fields_of", "finished", "refuse_change", "signature_of"]

RESERVED: Final = frozenset({"Spec"})
"""Names that no field may have; nor those that begin like the names of the protocol."""

RESERVED_PREFIXES: Final = ("_nest_", "_extension_", "__")


class UndefinedAnnotation(TypeError):
    """An annotation names what is not defined (yet)."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field. default: what its value is where none is given, or `inspect.Parameter.empty`."""

    name: str
    annotation: Any
    kind: Kind
    default: Any = inspect.Parameter.empty

    @property
    def has_default(self) -> bool:
        """Whether it may be left out."""
        return self.default is not inspect.Parameter.empty


@dataclass(slots=True)
class _Pending:
    """Annotations of a class that name what was not defined yet."""

    own: Mapping[str, Any]
    scope: Mapping[str, Any]


def collected(cls: type, depth: int) -> bool:
    """Finds the fields that a class adds, and keeps them with those of its bases in it. Returns whether it adds any.

    depth: how many frames below this one the class is being made. Raises TypeError.
    """
    hints = {} if "_extension_is_base" in vars(cls) else _annotations(cls)
    own = {name: hint for name, hint in hints.items() if not _is_of_class(hint)}
    for name in own:
        if name in RESERVED or name.startswith(RESERVED_PREFIXES):
            raise TypeError(f"{cls.__name__}: no field may be called {name!r}, which has a meaning in ExtensionTypes")
    frame = sys._getframe(depth)
    around = frame.f_locals if frame.f_globals.get("__name__") == cls.__module__ else {}
    _resolve(cls, _Pending(own, {**around, cls.__name__: cls}), may_wait=True)
    return bool(own)


def _annotations(cls: type) -> Mapping[str, Any]:
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return inspect.get_annotations(cls)


def _is_of_class(hint: Any) -> bool:
    """Whether an annotation says that a name is no field: ClassVar."""
    if isinstance(hint, str):
        return hint.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar"))
    return hint is typing.ClassVar or typing.get_origin(hint) is typing.ClassVar


def _resolve(cls: Any, pending: _Pending, may_wait: bool) -> None:
    def carrier() -> None: ...

    carrier.__annotations__ = dict(pending.own)
    names = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    try:
        fields = {field.name: field for base in reversed(cls.__mro__[1:]) for field in _own_fields(base)}
        hints = typing.get_type_hints(carrier, dict(names), dict(pending.scope))
    except (NameError, UndefinedAnnotation) as error:
        if may_wait:
            cls._extension_fields = pending
            return
        words = f"{cls.__name__}: an annotation names what is not defined: {error}"
        raise error if isinstance(error, UndefinedAnnotation) else UndefinedAnnotation(words) from error
    for name, hint in hints.items():
        where = f"{cls.__name__}.{name}"
        default = vars(cls).get(name, inspect.Parameter.empty)
        fields[name] = Field(name, hint, kind_of(hint, where), default)
        if fields[name].has_default:
            fields[name].kind.of_value(default, f"the default of {where}")
    cls._extension_fields = tuple(fields.values())


def _own_fields(base: type) -> tuple[Field, ...]:
    return fields_of(base) if "_extension_fields" in vars(base) else ()


def fields_of(cls: Any) -> tuple[Field, ...]:
    """The fields of a class. Raises TypeError where an annotation names what is still not defined."""
    pending = cls._extension_fields
    if isinstance(pending, _Pending):
        _resolve(cls, pending, may_wait=False)
    return cls._extension_fields


def signature_of(fields: tuple[Field, ...], with_defaults: bool) -> inspect.Signature:
    """That of a constructor. What has no default and follows on what has one is given by keyword."""
    made: list[inspect.Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for field in fields:
        default = field.default if with_defaults else inspect.Parameter.empty
        if made and default is inspect.Parameter.empty and made[-1].default is not inspect.Parameter.empty:
            kind = inspect.Parameter.KEYWORD_ONLY
        made.append(inspect.Parameter(field.name, kind, default=default, annotation=field.annotation))
    return inspect.Signature(made)


def bound(name: str, signature: inspect.Signature, args: Any, kwargs: Any) -> Mapping[str, Any]:
    """The arguments by field. Raises TypeError that names the class."""
    try:
        found = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    found.apply_defaults()
    return found.arguments


def finished(made: Any, fields: tuple[Field, ...], face: str, name: str) -> None:
    """What a constructor leaves becomes the value: its fields are checked and converted, by this face of their kinds.

    Raises TypeError that names the field, ValueError where the constructor has left one out.
    """
    given = vars(made)
    missing = [repr(f.name) for f in fields if f.name not in given and not f.has_default]
    if missing:
        raise ValueError(f"{name}: the constructor sets no value for {', '.join(missing)}")
    values = {f.name: getattr(f.kind, face)(given.get(f.name, f.default), f"{name}.{f.name}") for f in fields}
    close(made, *taken_apart(values), values)


def close(made: Any, layout: Layout, parts: Sequence[Any], values: Mapping[str, Any] | None = None) -> Any:
    """The object with these fields, which never change from now on."""
    vars(made).update(layout.filled(parts) if values is None else values)
    vars(made)["_extension_layout"], vars(made)["_extension_parts"] = layout, tuple(parts)
    return made


def refuse_change(made: Any, name: str, fields: tuple[Field, ...]) -> None:
    """Raises AttributeError where an attribute may not be set: constructors set fields, and nothing else does."""
    kind = type(made).__qualname__
    if "_extension_layout" in vars(made):
        raise AttributeError(f"{kind} never changes: {name!r} cannot be set or deleted; make another value instead")
    if all(field.name != name for field in fields):
        names = ", ".join(field.name for field in fields)
        raise AttributeError(f"{kind} has no field {name!r}: its fields are {names}. Annotate it in the class")
