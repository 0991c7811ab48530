"""Patterns of `match` that look inside a value: sequences, mappings and instances of classes.

    sequence(capture('first'), rest('others'))     # [first, *others]

What they look at decides at once (a length, a key, a class); only the parts may be symbolic.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from autograph.errors import StagingError
from autograph.operators.membership import is_
from autograph.operators.pattern_tests import Captures, Pattern, all_of, once, wildcard
from autograph.operators.stager import PLAIN_TYPES, PYTHON, Stager, stager_of

__all__ = ["SequencePattern", "instance", "mapping", "rest", "sequence"]

_MISSING = object()
_MATCH_SELF = 1 << 22  # Python's own flag of `int`, `str`, ... whose one positional sub-pattern is the value itself


class SequencePattern(metaclass=ABCMeta):  # noqa: B024 (it has nothing to implement)
    """Register a class here, and sequence patterns take its values: also those of Python's own `match`.

    Unlike `collections.abc.Sequence` it says nothing about the class to anybody else.
    """

    __abc_tpflags__ = 1 << 5


def _there(subject: Any) -> Any:
    """The subject; of one that may be None, the value, where a condition around this code says that it is there."""
    if getattr(type(subject), "__ag_maybe_none__", False) is not True:
        return subject
    absent = is_(subject, None)
    if isinstance(absent, bool):
        return None if absent else stager_of(subject).load(subject, None)
    raise StagingError(
        "what is matched may be None, which is known only when the graph runs, and this pattern looks inside of it;"
        " write `case None` above this case, or test `is None` before the match"
    )


@once
def sequence(*patterns: Pattern) -> Pattern:
    """`[a, b]`, `(a, *others)`; at most one of them is `rest(name)`."""
    star, looks_inside = _shape_of(patterns)
    needed = len(patterns) - (star is not None)

    def match(subject: Any, captures: Captures) -> Any:
        kind = type(subject)
        if star is None and (kind is tuple or kind is list) and kind in PLAIN_TYPES:
            if len(subject) != needed:
                return False
            return all_of(patterns, subject, captures) if looks_inside else True
        subject = _there(subject)
        if not _is_sequence(subject):
            return False
        owner = stager_of(subject)
        length = 0
        if needed or star is None or owner is not PYTHON:
            length = len(subject) if owner is PYTHON else _known_length(owner, subject)
            if length < needed or (star is None and length != needed):
                return False
        return all_of(patterns, _items(subject, owner, length, patterns, star), captures) if looks_inside else True

    return match


def _shape_of(patterns: tuple[Pattern, ...]) -> tuple[int | None, bool]:
    """The place of the starred pattern, if there is one, and whether any pattern takes or tests something."""
    star, looks_inside = None, False
    for place, pattern in enumerate(patterns):
        if type(pattern) is rest:
            star = place
        looks_inside = looks_inside or not _takes_nothing(pattern)
    return star, looks_inside


class rest:
    """`*name` in a sequence pattern; name: None for `*_`. All of one name are equal (see `once`)."""

    __slots__ = ("name",)

    def __init__(self, name: str | None = None) -> None:
        self.name = name

    def __call__(self, subject: Any, captures: Captures) -> bool:
        if self.name is not None:
            captures[self.name] = subject
        return True

    def __eq__(self, other: object) -> bool:
        return type(other) is rest and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


def _takes_nothing(pattern: Pattern) -> bool:
    return pattern is wildcard or (type(pattern) is rest and pattern.name is None)


def _is_sequence(subject: Any) -> bool:
    match subject:
        case [*_]:
            return True
    asked = vars(type(subject)).get("__ag_asked__")
    return asked is not None and bool(asked(isinstance, (subject, Sequence)))


def _known_length(owner: Stager, subject: Any) -> int:
    """The length of a stager's value; -1, less than any other, for one that has no parts."""
    try:
        length = owner.builtin(len, (subject,), {})
    except (TypeError, ValueError):
        return -1
    if type(length) is int:
        return length
    raise StagingError(
        "a sequence pattern of `match` needs a length that is known while tracing, and this value's is not."
        " Give its first dimension in the input_signature, or compare `len(...)` in an `if`."
    )


def _items(subject: Any, owner: Stager, length: int, patterns: tuple[Pattern, ...], star: int | None) -> Iterable[Any]:
    """The parts of a sequence, one for each pattern."""
    if owner is not PYTHON or (star is not None and _takes_nothing(patterns[star])):
        return _fetched(subject, owner, length, patterns, star)  # `*_` takes nothing: Python fetches one by one
    if star is None:
        return _unpacked(subject, len(patterns))
    items = [item for item in subject]  # noqa: C416 (`list` would ask for the length)
    end = len(items) - (len(patterns) - star - 1)
    if end < star:
        raise ValueError(f"not enough values to unpack (expected at least {len(patterns) - 1}, got {len(items)})")
    return [*items[:star], items[star:end], *items[end:]]


def _fetched(
    subject: Any, owner: Stager, length: int, patterns: tuple[Pattern, ...], star: int | None
) -> Iterator[Any]:
    for place, pattern in enumerate(patterns):
        if _takes_nothing(pattern):
            yield None
        elif place == star:
            yield [subject[index] for index in range(place, length - (len(patterns) - place - 1))]
        elif star is None or place < star:
            yield subject[place]
        else:
            length = len(subject) if owner is PYTHON else length
            yield subject[length - (len(patterns) - place)]


def _unpacked(subject: Any, length: int) -> Iterable[Any]:
    if type(subject) is tuple or type(subject) is list:
        return subject  # its length has been compared
    items = list(islice(iter(subject), length + 1))
    if len(items) > length:
        raise ValueError(f"too many values to unpack (expected {length})")
    if len(items) < length:
        raise ValueError(f"not enough values to unpack (expected {length}, got {len(items)})")
    return items


def mapping(keys: Callable[[], tuple[Any, ...]], patterns: tuple[Pattern, ...], others: str | None = None) -> Pattern:
    """`{'a': x, **others}`"""

    def match(subject: Any, captures: Captures) -> Any:
        subject = _there(subject)
        if not _is_mapping(subject) or (patterns and len(subject) < len(patterns)):
            return False
        wanted = keys()
        items = _values(subject, wanted)
        if items is None:
            return False
        test = all_of(patterns, items, captures)
        if test is not False and others is not None:
            left = dict(subject)
            for key in wanted:
                del left[key]
            captures[others] = left
        return test

    return match


def _is_mapping(subject: Any) -> bool:
    match subject:
        case {}:
            return True
    asked = vars(type(subject)).get("__ag_asked__")
    if asked is not None and asked(isinstance, (subject, Mapping)):
        raise _in_some_runs("the keys", "in")
    return False


def _in_some_runs(parts: str, test: str) -> StagingError:
    return StagingError(
        f"what is matched has {parts} that this pattern looks for in some runs only; test that by `{test}` in an `if`,"
        " before the match"
    )


def _values(subject: Any, keys: tuple[Any, ...]) -> list[Any] | None:
    seen, items = set(), []
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        item = subject.get(key, _MISSING)
        if item is _MISSING:
            return None
        items.append(item)
    return items


def instance(
    kind: Callable[[], Any], positional: tuple[Pattern, ...] = (), keywords: Mapping[str, Pattern] | None = None
) -> Pattern:
    """`Point(0, y=t)`"""
    names = tuple(keywords) if keywords else ()
    patterns = (*positional, *keywords.values()) if keywords else positional

    def match(subject: Any, captures: Captures) -> Any:
        cls = kind()
        subject = _there(subject)
        asked = vars(type(subject)).get("__ag_asked__")
        match subject:
            case cls():
                if not patterns:
                    return True
            case _:
                if asked is None or not asked(isinstance, (subject, cls)):
                    return False
                if not patterns:
                    return True
        if asked is not None and not all(isinstance(asked(hasattr, (subject, name)), bool) for name in names):
            raise _in_some_runs("the attributes", "hasattr")
        items = _attributes(subject, cls, len(positional), names)
        return False if items is None else all_of(patterns, items, captures)

    return match


def _attributes(subject: Any, cls: type, positional: int, keywords: tuple[str, ...]) -> list[Any] | None:
    items: list[Any] = []
    if not positional:  # no name stands twice: Python's grammar sees to that
        try:
            for name in keywords:
                items.append(getattr(subject, name))
        except AttributeError:
            return None
        return items
    names: list[str] = []
    arguments = getattr(cls, "__match_args__", _MISSING)
    itself = arguments is _MISSING and bool(cls.__flags__ & _MATCH_SELF)
    arguments = () if arguments is _MISSING else arguments
    if not isinstance(arguments, tuple):
        raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(arguments).__name__})")
    allowed = 1 if itself else len(arguments)
    if allowed < positional:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({positional} given)")
    if itself:
        items.append(subject)
    else:
        names += arguments[:positional]
    seen = set()
    for place, name in enumerate([*names, *keywords]):
        if place < len(names) and not isinstance(name, str):
            raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
        if name in seen:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
        seen.add(name)
        try:
            items.append(getattr(subject, name))
        except AttributeError:
            return None
    return items
