"""Python values and structures of them as JSON: what arguments, results and attributes of a saved model are.

    describe((1, {"k": 2.5}))        # {"tuple": [1, {"dict": [["k", {"float": "2.5"}]]}]}
    value_of(...)                    # the same value again

None, booleans, strings and integers of 64 bits are themselves; all else is an object with one key, which says what it
is. What is none of these is handed to `leaf`, and comes back through `leaves`: tensors, Variables, saved objects.
A named tuple comes back as one of a class made for its name and fields: files bring no classes.
"""

from __future__ import annotations

import functools
import json
import keyword
import unicodedata
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.dtypes import DType
from runtime.errors import FormatError
from runtime.graph.literals import DTYPES, float_of, print_float
from runtime.shapes import TensorShape

__all__ = [
    "Leaf", "NotSavable", "describe", "described_dims", "dims_of", "named_tuple", "text_of", "value_of",
    "with_named_tuples",
]  # fmt: skip

DEEPEST: Final = 60
"""Structures nest at most so deep in a saved model."""

SMALL: Final = 1 << 63

Leaf = Callable[[Any], Any]


class NotSavable(Exception):
    """A value that a saved model cannot hold; the message says why, and what to do."""


# -- writing --------------------------------------------------------------------------------------------------------


def describe(value: Any, leaf: Leaf, depth: int = 0, own: frozenset[type] = frozenset()) -> Any:
    """The value as JSON. `leaf` is asked for what is no plain value, and raises NotSavable for what it does not know.

    own: structures that `leaf` is asked for, too. Raises NotSavable also for structures that are nested too deep.
    """
    if depth > DEEPEST:
        raise NotSavable(f"structures that are nested more than {DEEPEST} deep, or hold themselves, cannot be saved")
    kind = type(value)
    if kind in own:
        return leaf(value)
    if value is None or kind in (bool, str) or (kind is int and -SMALL <= value < SMALL):
        return value
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    if kind in (list, tuple):
        return {kind.__name__: [describe(v, leaf, depth + 1, own) for v in value]}
    if kind in (dict, OrderedDict):
        pairs = [[describe(k, leaf, depth + 1, own), describe(v, leaf, depth + 1, own)] for k, v in value.items()]
        return {"dict" if kind is dict else "ordered": pairs}
    if kind in (frozenset, set):
        members = [describe(v, leaf, depth + 1, own) for v in value]
        return {kind.__name__: sorted(members, key=json.dumps)}
    if kind is slice:
        return {"slice": [describe(v, leaf, depth + 1, own) for v in (value.start, value.stop, value.step)]}
    if isinstance(value, tuple) and (fields := getattr(value, "_fields", None)) is not None:
        if not _are_names(kind.__name__, fields):
            raise NotSavable(f"the named tuple {kind.__name__} has fields that no named tuple can be made of again")
        return {"named": [kind.__name__, list(fields), [describe(v, leaf, depth + 1, own) for v in value]]}
    return leaf(value)


_PLAIN: Final[dict[type, Callable[[Any], Any]]] = {
    int: lambda value: {"int": hex(value)},
    float: lambda value: {"float": print_float(value)},
    complex: lambda value: {"complex": [print_float(value.real), print_float(value.imag)]},
    bytes: lambda value: {"bytes": value.decode("latin-1")},
    range: lambda value: {"range": [value.start, value.stop, value.step]},
    DType: lambda value: {"dtype": value.name},
    TensorShape: lambda value: {"shape": described_dims(value)},
}


# -- reading --------------------------------------------------------------------------------------------------------


def value_of(described: Any, leaves: Mapping[str, Callable[[Any], Any]]) -> Any:
    """The value that `describe` made this of; `leaves` has what reads the others, by their key. Raises FormatError."""
    kind = type(described)
    if described is None or kind in (bool, str, int):
        return described
    if kind is not dict or len(described) != 1:
        raise FormatError(f"a value of a saved model is {described!r:.80}, which describes nothing")
    ((head, body),) = described.items()
    if head in leaves:
        return leaves[head](body)
    if head not in _READERS:
        raise FormatError(f"a saved model has a value of the unknown kind {head!r:.80}")
    try:
        return _READERS[head](body, lambda part: value_of(part, leaves))
    except FormatError:
        raise
    except (TypeError, ValueError, OverflowError, LookupError, SyntaxError, AttributeError) as error:
        raise FormatError(f"a saved model has the {head} {body!r:.80}, which cannot be read: {error}") from None


def _items(body: Any, read: Leaf) -> list[Any]:
    if type(body) is not list:
        raise TypeError("it is no list")
    return [read(part) for part in body]


def _mapping(body: Any, read: Leaf) -> dict[Any, Any]:
    pairs = [(read(key), read(value)) for key, value in body]
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key comes twice")
    return made


def _integers(body: Any, count: int) -> list[int]:
    if type(body) is not list or len(body) != count or any(type(n) is not int for n in body):
        raise ValueError(f"it is no list of {count} integers")
    return body


def _named(body: Any, read: Leaf) -> Any:
    name, fields, parts = body
    values = _items(parts, read)
    if type(fields) is not list or len(values) != len(fields):
        raise ValueError("it has not one value for each field")
    return named_tuple(name, tuple(fields))(*values)


def text_of(described: Any, key: str) -> str:
    """A text of an object of JSON. Raises FormatError."""
    found = described.get(key) if type(described) is dict else None
    if type(found) is not str:
        raise FormatError(f"a saved model lacks the text {key!r} in {described!r:.80}")
    return found


def described_dims(shape: TensorShape) -> Any:
    """A shape as JSON."""
    return None if shape.dims is None else list(shape.dims)


def dims_of(body: Any) -> TensorShape:
    """A shape as it is described: null, or a list of sizes and nulls. Raises FormatError."""
    if body is not None and (
        type(body) is not list
        or not all(d is None or (type(d) is int and 0 <= d < SMALL) for d in body)
    ):
        raise FormatError(f"{body!r:.80} is no shape")
    return TensorShape(body)


_READERS: Final[dict[str, Callable[[Any, Leaf], Any]]] = {
    "bytes": lambda body, read: body.encode("latin-1"),
    "complex": lambda body, read: complex(float_of(body[0]), float_of(body[1])),
    "dict": _mapping,
    "dtype": lambda body, read: DTYPES[body],
    "float": lambda body, read: float_of(body),
    "frozenset": lambda body, read: frozenset(_items(body, read)),
    "int": lambda body, read: int(body, 16),
    "list": _items,
    "named": _named,
    "ordered": lambda body, read: OrderedDict(_mapping(body, read)),
    "range": lambda body, read: range(*_integers(body, 3)),
    "set": lambda body, read: set(_items(body, read)),
    "shape": lambda body, read: dims_of(body),
    "slice": lambda body, read: slice(*[_items(body, read)[i] for i in range(3)]),
    "tuple": lambda body, read: tuple(_items(body, read)),
}


# -- named tuples ---------------------------------------------------------------------------------------------------


def _are_names(name: Any, fields: Any) -> bool:
    """Whether these are plain identifiers: what `namedtuple` makes code of holds nothing else."""
    words = [name, *fields]
    plain = all(
        type(w) is str and w.isidentifier() and not keyword.iskeyword(w) and unicodedata.normalize("NFKC", w) == w
        for w in words
    )
    return plain and len(set(fields)) == len(fields) and not any(f.startswith("_") for f in fields)


def named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """The class that stands for all named tuples of this name with these fields. Raises FormatError."""
    if not _are_names(name, fields):
        raise FormatError(f"no named tuple has the name {name!r:.80} and the fields {fields!r:.200}")
    return _made(name, fields)


@functools.cache
def _made(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields, module=__name__)


def with_named_tuples(value: Any) -> Any:
    """The value with the classes that `named_tuple` makes in the place of the caller's own."""
    kind = type(value)
    if kind in (list, tuple):
        parts = [with_named_tuples(part) for part in value]
        return value if all(a is b for a, b in zip(value, parts, strict=True)) else kind(parts)
    if kind in (dict, OrderedDict):
        changed = {key: with_named_tuples(part) for key, part in value.items()}
        return value if all(changed[key] is part for key, part in value.items()) else kind(changed)
    fields = getattr(value, "_fields", None)
    if isinstance(value, tuple) and fields is not None and _are_names(kind.__name__, fields):
        return _made(kind.__name__, tuple(fields))(*map(with_named_tuples, value))
    return value
