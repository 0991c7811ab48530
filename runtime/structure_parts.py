"""What structures are made of: items of a list, tuple or dict, fields of a dataclass, and attributes beside them.

    class Batch(list): ...

    batch = Batch([x, y])
    batch.mask = m
    children(batch)               # [("[0]", x), ("[1]", y), (".mask", m)]
    rebuild(batch, [1, 2, 3])     # Batch([1, 2]), whose mask is 3

Which structures there are, and how they are walked through, is in `runtime.structures`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MemberDescriptorType
from typing import Any, Final

from autograph.cache import kept_by_identity

__all__ = [
    "PLAIN", "attributes", "children", "custom", "field_names", "has_fields", "items_of", "keys", "like", "rebuild",
    "register", "slots_of", "static_of",
]  # fmt: skip

PLAIN: Final = frozenset({list, tuple, dict})


@dataclasses.dataclass(frozen=True, slots=True)
class Custom:
    """How values of a class of a program are taken apart and put together."""

    take_apart: Callable[[Any], tuple[Sequence[Any], Any]]
    """The parts, and what of the value is none: something that can be hashed, and goes into `put_together`."""
    put_together: Callable[[Any, Sequence[Any]], Any]


_CUSTOM: dict[type, Custom] = {}
"""The classes that programs have registered."""


def register(kind: type, take_apart: Any, put_together: Any) -> None:
    """Makes values of a class structures. Raises ValueError for a class that is known already."""
    if kind in _CUSTOM or issubclass(kind, list | tuple | Mapping):
        raise ValueError(f"{kind.__qualname__} is known as a structure already")
    _CUSTOM[kind] = Custom(take_apart, put_together)


def custom(value: Any) -> Custom | None:
    """How a value is taken apart whose class a program has registered, or that says so by `__tf_flatten__`."""
    kind = type(value)
    found = _CUSTOM.get(kind)
    if found is None and hasattr(kind, "__tf_flatten__"):
        found = _CUSTOM[kind] = Custom(_components, lambda static, parts: kind.__tf_unflatten__(static, tuple(parts)))
    return found


def _components(value: Any) -> tuple[Sequence[Any], Any]:
    static, parts = value.__tf_flatten__()
    return parts, static


def static_of(value: Any) -> Any:
    """What of a structure is no part of it, beside its class: two values that differ in it are of different types."""
    if hasattr(type(value), "_nest_static"):
        return value._nest_static()
    found = custom(value)
    return None if found is None else found.take_apart(value)[1]


def has_fields(value: Any) -> bool:
    """Whether a value is an object of a dataclass, or of a class of the attrs library."""
    kind = type(value)
    return hasattr(kind, "__dataclass_fields__") or hasattr(kind, "__attrs_attrs__")


def field_names(value: Any) -> list[str]:
    """The fields of such an object, in order."""
    if hasattr(type(value), "__attrs_attrs__"):
        return [field.name for field in type(value).__attrs_attrs__]
    return [field.name for field in dataclasses.fields(value)]


@kept_by_identity
def slots_of(kind: type) -> Sequence[tuple[str, MemberDescriptorType]]:
    """The slots that objects of a class have, by their names; those that C code keeps are none."""
    bases = [vars(base) for base in reversed(kind.__mro__) if "__slots__" in vars(base)]
    return tuple((n, slot) for held in bases for n, slot in held.items() if isinstance(slot, MemberDescriptorType))


@kept_by_identity
def _slots_beside(kind: type) -> Sequence[str]:
    """Those that are no fields."""
    fields = getattr(kind, "__dataclass_fields__", ()) or [a.name for a in getattr(kind, "__attrs_attrs__", ())]
    return tuple(name for name, _ in slots_of(kind) if name not in fields and name != "_attrs_cached_hash")


def attributes(value: Any) -> list[str]:
    """The attributes of a structure that are neither its items nor fields."""
    kind = type(value)
    if kind in PLAIN:
        return []
    held: Any = getattr(value, "__dict__", ())
    if not isinstance(value, list | tuple | dict):
        if not has_fields(value) or hasattr(kind, "_nest_parts") or custom(value) is not None:
            return []
        fields = field_names(value)
        held = [name for name in held if name not in fields and name != "_attrs_cached_hash"]
    return [*held, *(name for name in _slots_beside(kind) if hasattr(value, name))]


def children(value: Any) -> list[tuple[str, Any]]:
    """The parts of a structure in order, each with how it is reached: `[0]`, `['key']`, `.field`; attributes last."""
    found = items_of(value)
    if type(value) not in PLAIN:
        found += [(f".{name}", _attribute(value, name)) for name in attributes(value)]
    return found


def _attribute(value: Any, name: str) -> Any:
    """An attribute as it is held: whether it is there at all may depend on the run, which reading it would ask."""
    held: dict[str, Any] = getattr(value, "__dict__", {})
    return held[name] if name in held else getattr(value, name)


def items_of(value: Any) -> list[tuple[str, Any]]:
    """The parts without those."""
    if isinstance(value, Mapping):
        return [(f"[{key!r}]", value[key]) for key in keys(value)]
    if isinstance(value, list | tuple):
        names = getattr(value, "_fields", None)
        return [(f"[{i}]" if names is None else f".{names[i]}", item) for i, item in enumerate(value)]
    if hasattr(value, "_nest_parts"):
        return list(value._nest_parts())
    if (found := custom(value)) is not None:
        return [(f"[{i}]", part) for i, part in enumerate(found.take_apart(value)[0])]
    return [(f".{name}", getattr(value, name)) for name in field_names(value)]


def keys(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys of a dict in the order in which its parts count."""
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def rebuild(structure: Any, items: Sequence[Any]) -> Any:
    """A structure of the same type with other parts, given in the order of `children`; attributes for which none is
    given are its own. No constructor of the user's is called."""
    kind = type(structure)
    if kind is list or kind is tuple:
        return kind(items)
    if kind is dict:
        by_key = dict(zip(keys(structure), items, strict=True))
        return {key: by_key[key] for key in structure}  # the insertion order of the original
    if isinstance(structure, Mapping):
        by_key = dict(zip(keys(structure), items, strict=False))
        contents = {key: by_key[key] for key in structure}
        return like(structure, contents, _held(structure, items[len(by_key) :]))
    if isinstance(structure, list | tuple):
        size = len(structure)
        return like(structure, items[:size], _held(structure, items[size:]))
    if hasattr(structure, "_nest_rebuild"):
        return structure._nest_rebuild(items)
    if (found := custom(structure)) is not None:
        return found.put_together(found.take_apart(structure)[1], items)
    made = object.__new__(kind)
    names = field_names(structure)
    for name, item in zip(names, items, strict=False):
        object.__setattr__(made, name, item)
    if hasattr(structure, "_attrs_cached_hash"):  # attrs keeps the hash of the original's fields there
        object.__setattr__(made, "_attrs_cached_hash", None)
    return _with_attributes(made, _held(structure, items[len(names) :]))


def _held(structure: Any, values: Sequence[Any]) -> Iterable[tuple[str, Any]]:
    names = attributes(structure)
    return zip(names, values or [_attribute(structure, name) for name in names], strict=True)


_HEAP_TYPE: Final = 1 << 9  # a flag of classes that no C code has made


def like(structure: Any, contents: Any, held: Iterable[tuple[str, Any]]) -> Any:
    """A list, tuple or mapping of the class of `structure` with these contents and attributes."""
    kind = type(structure)
    base: Any = next(known for known in kind.__mro__ if not known.__flags__ & _HEAP_TYPE)  # whose objects C code makes
    if isinstance(structure, tuple):
        return _with_attributes(base.__new__(kind, contents), held)
    if not isinstance(structure, list | dict):
        return kind(contents)
    made = base.__new__(kind)
    if isinstance(structure, list):
        base.extend(made, contents)
        return _with_attributes(made, held)
    for key, value in contents.items():
        base.__setitem__(made, key, value)
    if hasattr(structure, "default_factory"):
        made.default_factory = getattr(structure, "default_factory", None)
    return _with_attributes(made, held)


def _with_attributes(made: Any, held: Iterable[tuple[str, Any]]) -> Any:
    for name, value in held:
        object.__setattr__(made, name, value)
    return made
