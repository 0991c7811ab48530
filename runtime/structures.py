"""Structures of values: lists, tuples, dicts, named tuples, dataclasses and attrs classes, nested in each other.

    >>> flatten({"b": 1, "a": (2, [3])})
    [2, 3, 1]
    >>> map_structure(lambda x: x * 10, (1, [2]))
    (10, [20])

The project itself walks through structures with this; users call `runtime.nest`. The leaves are everything else, None
included. Dicts count by sorted key (by insertion where keys cannot be sorted), so two dicts with the same keys have the
same structure. Classes of the attrs library are known by what it adds to them; it need not be installed. What an object
of a class that derives from those, or a dataclass, has in attributes beside its items and fields are parts, too. Depth
is bounded by Python's recursion limit, length is not.

A class of this project's own takes part through methods: `_nest_parts()` (as `children`), `_nest_rebuild(parts)` and
`_nest_check(other)`, which raises TypeError for one of its kind with which it does not agree; a class whose objects
describe those of another one names that as `_nest_stands_for`. Such an object is a structure here, and a leaf where
`nested` is `is_plain`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from runtime.structure_parts import (
    PLAIN,
    attributes,
    children,
    custom,
    field_names,
    has_fields,
    items_of,
    keys,
    like,
    rebuild,
    register,
    slots_of,
    static_of,
)  # fmt: skip

__all__ = [
    "assert_same_structure",
    "attributes",
    "check_depth",
    "children",
    "custom",
    "field_names",
    "flatten",
    "flatten_up_to",
    "flatten_with_paths",
    "has_fields",
    "has_rows",
    "is_nested",
    "is_nested_for_users",
    "is_plain",
    "is_plain_for_users",
    "is_separable",
    "is_structure",
    "items_within",
    "keys",
    "leaves_once",
    "like",
    "map_structure",
    "of_one_kind",
    "pack_sequence_as",
    "rebuild",
    "register",
    "slots_of",
    "static_of",
    "walked",
]


def is_nested(value: Any) -> bool:
    """Whether the value is a structure rather than a leaf."""
    kind = type(value)
    if kind in PLAIN:
        return True
    return isinstance(value, list | tuple | Mapping) or (
        (has_fields(value) or hasattr(kind, "_nest_parts") or custom(value) is not None) and not isinstance(value, type)
    )


def is_plain(value: Any) -> bool:
    """Whether the value is a structure of Python's: a ragged tensor, a growing list and their like are leaves."""
    return is_nested(value) and not hasattr(type(value), "_nest_parts")


def is_nested_for_users(value: Any) -> bool:
    """As `is_nested`, for `runtime.nest`: what an object has beside its items and fields is no part of it there."""
    return is_nested(value)


def is_plain_for_users(value: Any) -> bool:
    """The same of `is_plain`."""
    return is_plain(value)


def is_structure(value: Any) -> bool:
    """Whether the value is a structure of values; an array that is traced is one thing, though its value is a part."""
    return is_nested(value) and not hasattr(type(value), "__ag_traced_array__")


def is_separable(value: Any) -> bool:
    """Whether the value is one of Python's structures, or of an ExtensionType: each part is a value of its own."""
    return is_plain(value) or hasattr(type(value), "_nest_separable")


def has_rows(value: Any) -> bool:
    """Whether the value is a structure of which a row is that row of each part."""
    return is_plain(value) or hasattr(type(value), "_nest_with_shapes")


Test = Callable[[Any], bool]


def _inside(value: Any, nested: Test) -> list[tuple[str, Any]]:
    return items_of(value) if nested in _FOR_USERS else children(value)


_FOR_USERS: Final = frozenset({is_nested_for_users, is_plain_for_users})


def parts(value: Any) -> list[Any]:
    """The parts alone."""
    return [part for _, part in children(value)]


def parts_if_nested(value: Any) -> Sequence[Any]:
    """The parts of a structure; none of a leaf."""
    return parts(value) if is_nested(value) else ()


def parts_if_structure(value: Any) -> Sequence[Any]:
    """The parts of a structure of values; none of a leaf or of an array."""
    return parts(value) if is_structure(value) else ()


def parts_if_plain(value: Any) -> Collection[Any]:
    """What a list, tuple or dict of no other class holds, in its own order; none of other values."""
    return (value.values() if type(value) is dict else value) if type(value) in PLAIN else ()


def walked(values: Iterable[Any], inside: Callable[[Any], Iterable[Any]] = parts_if_nested) -> Iterator[Any]:
    """Values and all that is in them, each before its parts, and once: a structure may contain itself.

    inside: gives the parts of one.
    """
    pending, seen = list(values), {}
    while pending:
        value = pending.pop()
        if id(value) not in seen:
            seen[id(value)] = value  # kept: a part may have been made for this walk, and ids are given anew
            yield value
            pending += inside(value)


def items_within(values: Iterable[Any]) -> Iterator[Any]:
    """The values that are no lists and tuples, and the items in those that are."""
    pending, seen = list(values), {}
    while pending:
        value = pending.pop()
        if not isinstance(value, list | tuple):
            yield value
        elif id(value) not in seen:
            seen[id(value)] = value
            pending += value


def leaves_once(value: Any, nested: Test) -> list[Any]:
    """The leaves of a structure that may contain itself, each once."""
    return [part for part in walked([value], lambda part: parts(part) if nested(part) else ()) if not nested(part)]


_ENDLESS: Final = "a structure contains itself, or is nested deeper than Python's recursion limit"


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """The structure with what is made of its parts; the very one where each stays what it is."""
    before = parts(value)
    after = [change(part) for part in before]
    return value if all(map(operator.is_, before, after)) else rebuild(value, after)


def flatten(structure: Any, nested: Test = is_nested) -> list[Any]:
    """The leaves, from left to right."""
    if not nested(structure):
        return [structure]
    leaves: list[Any] = []
    stack: list[Iterator[tuple[str, Any]]] = [iter(_inside(structure, nested))]
    limit = sys.getrecursionlimit()
    while stack:
        if len(stack) > limit:
            raise ValueError(_ENDLESS)
        for _, item in stack[-1]:
            if nested(item):
                stack.append(iter(_inside(item, nested)))
                break
            leaves.append(item)
        else:
            stack.pop()
    return leaves


def check_depth(arguments: Mapping[str, Any]) -> None:
    """Raises ValueError, which names it, where one of the arguments contains itself."""
    for name, value in arguments.items():
        try:
            flatten(value)
        except ValueError as error:
            raise ValueError(f"the argument {name!r}: {error}; pass what is needed of it by itself") from None


def flatten_with_paths(structure: Any, path: str = "", nested: Test = is_nested) -> list[tuple[str, Any]]:
    """The leaves, each with its path: `[("['a'][0]", 2), ...]`."""
    if not nested(structure):
        return [(path, structure)]
    return [leaf for step, item in _inside(structure, nested) for leaf in flatten_with_paths(item, path + step, nested)]


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], nested: Test = is_nested) -> Any:
    """A structure like `structure` with these leaves. Raises ValueError if their number differs."""
    remaining = iter(flat_sequence)
    try:
        packed = _pack(structure, remaining, nested)
    except StopIteration:
        raise ValueError(f"the structure has more leaves than the {len(flat_sequence)} that were given") from None
    if next(remaining, _END) is not _END:
        raise ValueError(f"the structure has fewer leaves than the {len(flat_sequence)} that were given")
    return packed


_END = object()


def _pack(structure: Any, leaves: Iterator[Any], nested: Test) -> Any:
    if not nested(structure):
        return next(leaves)
    return rebuild(structure, [_pack(item, leaves, nested) for _, item in _inside(structure, nested)])


def map_structure(func: Callable[..., Any], *structures: Any, nested: Test = is_nested) -> Any:
    """The structure with `func` applied to each leaf; of several structures, to the leaves that correspond."""
    first, *others = structures
    if not others and not nested(first):
        return func(first)
    for other in others:
        assert_same_structure(first, other, nested=nested)
    columns = [flatten(structure, nested) for structure in structures]
    return pack_sequence_as(first, [func(*leaves) for leaves in zip(*columns, strict=True)], nested)


def flatten_up_to(shallow: Any, structure: Any, path: str = "", nested: Test = is_nested) -> list[Any]:
    """What stands in `structure` where `shallow` has its leaves: for `(a, b)` and `(1, [2, 3])`, that is `[1, [2, 3]]`.

    Raises ValueError where their lengths or keys differ above that; a list may stand for a tuple.
    """
    if not nested(shallow):
        return [structure]
    pairs = corresponding(shallow, structure, path, check_types=False, nested=nested)
    return [leaf for a, b, step in pairs for leaf in flatten_up_to(a, b, path + step, nested)]


Types = bool | Callable[[Any, Any], bool]
"""Whether two structures must have one type, or what says whether their types are alike."""


def of_one_kind(a: Any, b: Any) -> bool:
    """Whether users think of two structures as of one type: mappings; lists; named tuples of one name and fields."""
    if type(a) is type(b) or (isinstance(a, list) and isinstance(b, list)):
        return True
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return True
    fields = getattr(a, "_fields", None)
    return fields is not None and fields == getattr(b, "_fields", None) and type(a).__name__ == type(b).__name__


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: Types = True, path: str = "", nested: Test = is_nested
) -> None:
    """Raises TypeError where the types of two structures differ, ValueError where their lengths or keys do.

    With `check_types=False` a list may stand for a tuple.
    """
    if not nested(nest1) and not nested(nest2):
        return
    pairs = corresponding(nest1, nest2, path, check_types, nested)
    for a, b, step in pairs:
        assert_same_structure(a, b, check_types, path + step, nested)


def corresponding(
    nest1: Any, nest2: Any, path: str = "", check_types: Types = True, nested: Test = is_nested
) -> list[tuple[Any, Any, str]]:
    """The parts of two structures that correspond, and how they are reached. Raises TypeError or ValueError."""
    if nested(nest1) != nested(nest2):
        raise ValueError(_difference(path, nest1, nest2, "one is a structure and the other is not"))
    alike = check_types(nest1, nest2) if callable(check_types) else not check_types or type(nest1) is type(nest2)
    if not alike:
        raise TypeError(_difference(path, nest1, nest2, "their types differ"))
    kinds = [_own_kind(value) for value in (nest1, nest2)]
    if kinds[0] is not kinds[1]:
        raise TypeError(_difference(path, nest1, nest2, "their types differ"))
    if kinds[0] is not None:
        nest1._nest_check(nest2)
    elif custom(nest1) is not None and check_types and static_of(nest1) != static_of(nest2):
        why = f"they differ in {static_of(nest1)!r} and {static_of(nest2)!r}"
        raise ValueError(_difference(path, nest1, nest2, why))
    first, second = _inside(nest1, nested), _inside(nest2, nested)
    if len(first) != len(second):
        raise ValueError(_difference(path, nest1, nest2, f"they have {len(first)} and {len(second)} parts"))
    if nested not in _FOR_USERS and attributes(nest1) != attributes(nest2):
        raise ValueError(_difference(path, nest1, nest2, "they have other attributes"))
    for (step, _), (other, _) in zip(first, second, strict=True):
        if step != other and isinstance(nest1, Mapping):
            raise ValueError(_difference(path, nest1, nest2, f"their keys differ: {step} and {other}"))
    return [(a, b, step) for (step, a), (_, b) in zip(first, second, strict=True)]


def _own_kind(value: Any) -> type | None:
    """The class of a value of this project's own, or that which its class describes; None for Python's structures."""
    kind = type(value)
    return getattr(kind, "_nest_stands_for", kind) if hasattr(kind, "_nest_parts") else None


def _difference(path: str, a: Any, b: Any, why: str) -> str:
    where = f" at {path}" if path else ""
    return f"The two structures don't have the same nested structure{where}: {why}.\n\nFirst: {a!r}\n\nSecond: {b!r}"
