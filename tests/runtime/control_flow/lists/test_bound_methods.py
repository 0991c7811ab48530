"""Methods that a variable keeps, of lists, sets and dicts that become ones of the graph: `add = seen.add`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.runtime.comparing import plain


def appended(x: Any, n: Any) -> Any:
    items: list[Any] = []
    add = items.append
    for i in range(n):
        if x * i > 2:
            add(x * i)
    add(x)
    return items


def appended_and_taken(x: Any, n: Any) -> Any:
    items: list[Any] = []
    add, take = items.append, items.pop
    for i in range(n):
        add(x * i)
        if x * i > 3:
            take()
    return items, len(items)


def in_branches(x: Any, n: Any) -> Any:
    items = [x]
    add = items.append
    if x > 0:
        add(x)
    if n > 2:
        add(x + 1)
    return items, len(items)


def looked_up(x: Any, n: Any) -> Any:
    table: dict[Any, Any] = {}
    get = table.get
    for i in range(n):
        table[x * i] = i
    return get(x, 7)


def seen_before(x: Any, n: Any) -> Any:
    seen: set[Any] = set()
    add = seen.add
    count = 0
    for i in range(n):
        v = (x * i) % 3
        if v not in seen:
            add(v)
            count += 1
    return count, len(seen)


def different(values: Any) -> Iterator[Any]:
    seen: set[Any] = set()
    add = seen.add
    for value in values:
        if value not in seen:
            add(value)
            yield value


def of_a_generator(x: Any, n: Any) -> Any:
    total = 0.0
    for v in different([x, 2.0, 1.0, x]):
        total = total + v
    return total, len(list(different([x, 1.0, x])))


def fill(add: Callable[[Any], None], x: Any, n: Any) -> None:
    for _ in range(n):
        add(x)


def handed_over(x: Any, n: Any) -> Any:
    items: list[Any] = []
    fill(items.append, x, n)
    add = items.append
    fill(add, x + 1, n)
    add(x)
    return items


PROGRAMS = [appended, appended_and_taken, in_branches, looked_up, seen_before, of_a_generator, handed_over]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_they_are_those_of_what_takes_its_place(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x, n in ((1.0, 3), (2.0, 5), (-1.0, 4), (3.0, 0)):
        assert plain(staged(tf.constant(x), tf.constant(n))) == plain(program(x, n)), (x, n)


PACKAGE = """
def different(values, key=None):
    seen = set()
    add = seen.add
    for value in values:
        if value not in seen:
            add(value)
            yield value
"""


def test_the_variables_of_a_package_that_is_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "takes_different_ones.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(folder))
    package = importlib.import_module("takes_different_ones")
    autograph.set_conversion_rules(include=["takes_different_ones"])

    def program(x: Any) -> Any:
        return list(package.different([x, x * 0 + 1.0, x])), len(list(package.different([1.0, x, 2.0])))

    try:
        function = tf.function(program)
        for x in (2.0, 1.0, 3.0):
            assert plain(function(tf.constant(x))) == plain(program(x)), x
    finally:
        autograph.set_conversion_rules()
