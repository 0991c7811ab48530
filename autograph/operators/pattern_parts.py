"""Patterns of `match` that look inside a value: sequences and mappings; pattern_classes.py has those of classes.

    sequence(capture('first'), rest('others'))     # [first, *others]

What they look at decides at once (a key, mostly a length); the parts may be symbolic.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import getitem
from typing import Any

from autograph.errors import StagingError
from autograph.operators.membership import is_
from autograph.operators.pattern_tests import Captures, Pattern, all_of, decided, joined, once, wildcard
from autograph.operators.stager import PLAIN_TYPES, PYTHON, Stager, stager_of
from autograph.operators.variables import Undefined

__all__ = [
    "SequencePattern", "asked_of_kind", "found_all", "mapping", "rest", "sequence", "there", "where", "where_right",
]  # fmt: skip

_MISSING = object()


class SequencePattern(metaclass=ABCMeta):  # noqa: B024 (it has nothing to implement)
    """Register a class here, and sequence patterns take its values: also those of Python's own `match`.

    Unlike `collections.abc.Sequence` it says nothing about the class to anybody else.
    """

    __abc_tpflags__ = 1 << 5


def there(subject: Any) -> Any:
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
        subject = there(subject)
        if not _is_sequence(subject):
            return False
        owner = stager_of(subject)
        length: Any = 0
        if needed or star is None or owner is not PYTHON:
            length = len(subject) if owner is PYTHON else _length(owner, subject)
            if type(length) is not int:
                return _of_any_length(subject, owner, length, patterns, captures)
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
    return pattern is wildcard or (isinstance(pattern, rest) and pattern.name is None)


def _is_sequence(subject: Any) -> bool:
    match subject:
        case [*_]:
            return asked_of_kind(subject, (str, bytes)) is not True
    return bool(asked_of_kind(subject, Sequence))


def asked_of_kind(subject: Any, kind: type | tuple[type, ...]) -> Any:
    """Whether what stands for a value of another kind is of this one, as it says of itself."""
    asked = vars(type(subject)).get("__ag_asked__")
    return False if asked is None else asked(isinstance, (subject, kind))


def _length(owner: Stager, subject: Any) -> Any:
    """The length of a stager's value, which may be one, too; -1, less than any other, for one that has no parts."""
    try:
        return owner.builtin(len, (subject,), {})
    except (TypeError, ValueError):
        return -1


def _of_any_length(
    subject: Any, owner: Stager, length: Any, patterns: tuple[Pattern, ...], captures: Captures
) -> Any:
    """The test of a sequence whose length is staged. Its parts are taken where the length is right."""
    star, _ = _shape_of(patterns)
    needed = len(patterns) - (star is not None)
    right = length == needed if star is None else length >= needed

    def items() -> Iterator[Any]:
        for place, pattern in enumerate(patterns):
            behind = len(patterns) - place - 1
            key: Any = place if star is None or place < star else length - behind - 1
            if place == star:
                key = slice(place, length - behind)
            yield None if _takes_nothing(pattern) else where(owner, right, partial(getitem, subject, key))

    return where_right(right, all_of(patterns, items(), captures))


def where_right(right: Any, test: Any) -> Any:
    """The test of what is right in some runs, and of the parts that were taken where it is."""
    test, tester = decided(test)
    if test is False:
        return False
    return right if test is True else joined([decided(right), (test, tester)], "and_")


def where(owner: Stager, test: Any, read: Callable[[], Any]) -> Any:
    """What is read where a test holds; anything like it elsewhere, where nobody looks at it."""
    found: Any = Undefined("what is matched")

    def body() -> None:
        nonlocal found
        found = read()

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal found
        (found,) = values

    owner.if_stmt(test, body, lambda: None, lambda: (found,), set_state, ("what is matched",), 1)
    return found.value if getattr(type(found), "__ag_maybe_undefined__", False) is True else found


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
        subject = there(subject)
        if hasattr(type(subject), "__ag_found__") and subject.__ag_asked__(isinstance, (subject, Mapping)):
            return _of_some_keys(subject, keys(), patterns, others, captures)
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
    return bool(asked_of_kind(subject, Mapping))


def _of_some_keys(
    subject: Any, keys: tuple[Any, ...], patterns: tuple[Pattern, ...], others: str | None, captures: Captures
) -> Any:
    """The test of a mapping that has some keys in some runs only."""
    if len(set(keys)) < len(keys):
        raise ValueError(f"mapping pattern checks duplicate key ({keys!r})")
    test = found_all([subject.__ag_found__(key) for key in keys], patterns, captures)
    if test is not False and others is not None:
        captures[others] = subject.__ag_without__(keys)
    return test


def found_all(found: Iterable[tuple[Any, Any]], patterns: tuple[Pattern, ...], captures: Captures) -> Any:
    """The test of parts of which each is there in some runs only. found: whether it is there, and the part."""
    tests: list[tuple[Any, Stager]] = []
    for pattern, (flag, item) in zip(patterns, found, strict=True):
        for test, owner in (decided(flag), decided(flag is not False and pattern(item, captures))):
            if test is False:
                return False
            if test is not True:
                tests.append((test, owner))
    return joined(tests, "and_") if tests else True


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
