"""Classes of the user around a dict or list, with the methods of UserDict, UserList and `collections.abc`: these are
converted, for they call the class's own."""

from __future__ import annotations

from collections import UserDict, UserList
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence, MutableSet
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain


class Table(MutableMapping[Any, Any]):
    def __init__(self) -> None:
        self._held: Any = {}

    def __getitem__(self, key):
        return self._held[key]

    def __setitem__(self, key, value):
        self._held[key] = value

    def __delitem__(self, key):
        del self._held[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self):
        return len(self._held)


class Counts(UserDict[Any, Any]):
    def note(self, key):
        self[key] = self.get(key, 0) + 1


class Rows(MutableSequence[Any]):
    def __init__(self) -> None:
        self._held: Any = []

    def __getitem__(self, place):
        return self._held[place]

    def __setitem__(self, place, value):
        self._held[place] = value

    def __delitem__(self, place):
        del self._held[place]

    def __len__(self):
        return len(self._held)

    def insert(self, place, value):
        self._held.insert(place, value)


class Members(MutableSet[Any]):
    def __init__(self) -> None:
        self._held: Any = set()

    def __contains__(self, member):
        return member in self._held

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self):
        return len(self._held)

    def add(self, member):
        self._held.add(member)

    def discard(self, member):
        self._held.discard(member)


MAPPINGS = [Table, UserDict, Counts]
SEQUENCES = [Rows, UserList]


class Checked:
    """Elements that code reads and writes: no statement does that by itself."""

    def __init__(self) -> None:
        self.held: Any = {"a": 1.0}
        self.writes = 0

    def __getitem__(self, key):
        if key in self.held:
            return self.held[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.held[key] = value
        self.writes += 1

    def __delitem__(self, key):
        del self.held[key]


class Doubled(dict[Any, Any]):
    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value * 2)


def put(table: Any, x: Any) -> Any:
    if x > 0:
        table["a"] = x
    try:
        found = table["a"]
    except KeyError:
        found = x * 10
    return found, 1 if "a" in table else 2, len(table)


def get(table: Any, x: Any) -> Any:
    if x > 0:
        table["a"] = x
    return table.get("a", 5.0), table.setdefault("b", x), table["b"]


def take(table: Any, x: Any) -> Any:
    table["a"] = x
    if x > 1:
        table.pop("a")
    return len(table), table.pop("a", 7.0), len(table)


def empty(table: Any, x: Any) -> Any:
    first = table.setdefault("a", x)
    if x > 2:
        table.clear()
    return first, len(table)


def go_through(table: Any, x: Any) -> Any:
    table["b"] = 2.0
    if x > 0:
        table.update(a=x)
    total: Any = 0.0
    for key, value in table.items():
        total = total + value * (2.0 if key == "a" else 1.0)
    for value in table.values():
        total = total + value
    return total, [1 if ("b", 2.0) in table.items() else 2]


def push(rows: Any, x: Any) -> Any:
    if x > 0:
        rows.append(x)
    if x > 1:
        rows.extend([x, x])
    return len(rows), rows[-1] if len(rows) > 0 else 0.0


def pull(rows: Any, x: Any) -> Any:
    rows.append(1.0)
    rows.append(x)
    if x > 0:
        rows.pop()
    if x > 1:
        rows.insert(0, x)
    rows.reverse()
    return len(rows), rows[0]


class Holder:
    def __init__(self, kind: Any, program: Any) -> None:
        self.held = kind()
        self.program = program

    def step(self, x: Any) -> Any:
        return self.program(self.held, x)


CASES: list[tuple[Any, Callable[[Any, Any], Any]]] = [
    *((kind, program) for kind in MAPPINGS for program in (put, get, take, empty, go_through)),
    *((kind, program) for kind in SEQUENCES for program in (push, pull)),
]


def by_literal(x: Any) -> Any:
    table: Any = Checked()
    if x > 0:
        del table["a"]
    if x > 1:
        table["a"] = x
    try:
        found = table["a"]
    except KeyError:
        found = 7.0
    return found, table.writes


def by_name(x: Any) -> Any:
    table: Any = Checked()
    key = "a"
    if x > 0:
        del table[key]
    if x > 1:
        table[key] = x
    try:
        found = table[key]
    except KeyError:
        found = 7.0
    return found, table.writes


def in_a_loop(x: Any) -> Any:
    table: Any = Checked()
    i = 0.0
    while i < x:
        table["a"] = table["a"] + 1.0
        i += 1.0
    return table["a"], table.writes


def by_position(x: Any) -> Any:
    rows, table = Rows(), {}
    rows.append(1.0)
    table["k"] = rows
    i = 0.0
    while i < x:
        rows[0] = rows[0] + 1.0
        table["k"][0] = table["k"][0] + 1.0
        i += 1.0
    return list(rows)


def named_as_an_attribute(x: Any) -> Any:
    table: Any = Checked()
    table["writes"] = 2.0
    i = 0.0
    while i < x:
        table["writes"] = table["writes"] + i
        i += 1.0
    return table.writes, table["writes"]


def doubled(x: Any) -> Any:
    table = Doubled(a=1.0)
    i = 0.0
    while i < x:
        table["a"] = i
        i += 1.0
    if x > 2:
        table["a"] = x
    return table["a"]


PROGRAMS = [by_literal, by_name, in_a_loop, by_position, named_as_an_attribute, doubled]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_elements_of_code_are_no_places(program: Any) -> None:
    staged = tf.function(program)
    for x in (1.0, -1.0, 2.0, 3.0):
        assert plain(staged(tf.constant(x))) == program(x)


def plain_item(item: Any) -> Any:
    return float(item) if isinstance(item, tf.Tensor) else item


def named(case: Any) -> str:
    return str(case.__name__)


@pytest.mark.parametrize(("kind", "program"), CASES, ids=named)
def test_of_a_call(kind: Any, program: Any) -> None:
    staged = tf.function(lambda x: program(kind(), x))
    for x in (1.0, -1.0, 2.0, 3.0):
        assert plain(staged(tf.constant(x))) == program(kind(), x)


@pytest.mark.parametrize(("kind", "program"), [case for case in CASES if case[1] is not pull], ids=named)
def test_in_an_attribute(kind: Any, program: Any) -> None:
    one, other = Holder(kind, program), Holder(kind, program)
    function = tf.function(one.step)
    for x in (1.0, -1.0, 2.0, 3.0, 1.0):
        assert plain(function(tf.constant(x))) == other.step(x)
        assert [*map(repr, map(plain_item, one.held))] == [*map(repr, other.held)]
        assert list(vars(one.held)) == list(vars(other.held))


def test_a_set() -> None:
    def program(x: Any) -> Any:
        held = Members()
        held.add("b")
        if x > 0:
            held.add("a")
        held |= {"c"}
        if x > 1:
            held.remove("b")
        return len(held), 1 if "a" in held else 2, 1 if held == {"b", "c"} else 2, 1 if held.isdisjoint(["a"]) else 2

    staged = tf.function(program)
    for x in (1.0, -1.0, 2.0):
        assert plain(staged(tf.constant(x))) == program(x)
