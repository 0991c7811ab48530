"""A str and bytes of which a tensor decides: each comes back as what it was, and equals none of the other kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError, StagingTypeError
from tests.runtime.comparing import plain


class Log:
    def __init__(self) -> None:
        self.texts: Any = []
        self.codes: Any = [b"first"]
        self.queue: Any = deque()
        self.table: Any = {"a": b"none", b"a": "none"}
        self.names: Any = set()
        self.state: Any = b"none"
        self.maybe: Any = None


class Appends(Log):
    def step(self, x):
        if x > 0:
            self.texts.append(b"up")
        return x


class AppendsOneOfTwo(Log):
    def step(self, x):
        self.texts.append(b"up" if x > 0 else b"down")
        self.queue.append(("up", b"up") if x > 0 else ("down", b"down"))
        return x


class AppendsRows(Log):
    def step(self, x):
        self.texts.append([b"up"] if x > 0 else [b"down"])
        return x


class AppendsInALoop(Log):
    def step(self, x):
        i = 0
        while i < x:
            self.codes.append(b"step")
            i += 1
        return x


class Joins(Log):
    def step(self, x):
        if x > 0:
            self.state = self.state + b"+"
        return len(self.state)


class Fills(Log):
    def step(self, x):
        if x > 0:
            self.table["b"] = b"up"
            self.table[b"b"] = "up"
            self.names.add(b"up")
        else:
            self.table["a"] = b"down"
            self.names.add("up")
        return x


class MayBeNone(Log):
    def step(self, x):
        self.maybe = b"up" if x > 0 else None
        return x


class Reads(Log):
    def step(self, x):
        self.codes.append(b"up" if x > 0 else b"down")
        self.state = self.codes[-1]
        return x


CLASSES = [Appends, AppendsOneOfTwo, AppendsRows, AppendsInALoop, Joins, Fills, MayBeNone, Reads]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_what_runs_leave_is_what_python_leaves(kind: Any) -> None:
    model, other = kind(), kind()
    function = tf.function(model.step)
    for x in (1.0, -1.0, 2.0, -2.0):
        assert plain(function(tf.constant(x))) == other.step(x)
        assert repr(vars(model)) == repr(vars(other))


def not_equal_to_str(x: Any) -> Any:
    key = b"a" if x > 0 else b"b"
    return [1 if key == "a" else 2, 1 if key != "a" else 2, 1 if key == b"a" else 2, 1 if key == str(1) else 2]


def two_of_the_run(x: Any) -> Any:
    first = b"a" if x > 0 else b"b"
    second = "a" if x > 0 else "b"
    return [1 if first == second else 2, 1 if (first, 1) == (second, 1) else 2]


def looked_up(x: Any) -> Any:
    key = b"a" if x > 0 else b"b"
    other = "a" if x > 0 else "b"
    table = {"a": 1, "b": 2, b"a": 3, b"b": 4}
    return [table[key], table[other], {"a": 1}.get(key, 5), {"a": 1}.get(other, 5)]


def searched(x: Any) -> Any:
    key = b"a" if x > 0 else b"b"
    items = ["a"]
    if x > 0:
        items.append("b")
    found = [key in ("a", "b"), key in [b"a", "b"], key in {"a": 1}, b"a" in items, "a" in items, b"a" in key]
    return [1 if each else 2 for each in found]


def keys_of_the_run(x: Any) -> Any:
    table = {}
    table[b"a" if x > 0 else b"b"] = x
    return table


def members_of_the_run(x: Any) -> Any:
    return {b"a" if x > 0 else b"b"}, {"a" if x > 0 else "b"}


def keys_that_may_be_there(x: Any) -> Any:
    table = {"a": x}
    if x > 0:
        table[b"b"] = x
    key = b"b" if x > 1 else b"a"
    return [table.get(key, 7.0), 1 if key in table else 2]


def kinds(x: Any) -> Any:
    key = b"a" if x > 0 else b"b"
    return [1 if isinstance(key, bytes) else 2, 1 if isinstance(key, str) else 2, 1 if type(key) is bytes else 2]


def sizes(x: Any) -> Any:
    return len(b"\xc3\xa9" if x > 0 else b"b"), len("\u00e9" if x > 0 else "bb")


FUNCTIONS = [
    not_equal_to_str, two_of_the_run, looked_up, searched, keys_of_the_run, members_of_the_run, keys_that_may_be_there,
    kinds, sizes,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_two_are_told_apart(function: Callable[[Any], Any]) -> None:
    staged = tf.function(function)
    for x in (1.0, -1.0, 2.0):
        assert repr(plain(staged(tf.constant(x)))) == repr(function(x))


def added(x: Any) -> Any:
    return (b"a" if x > 0 else b"b") + "c"


def ordered(x: Any) -> Any:
    return (b"a" if x > 0 else b"b") < "c"


def part_of(x: Any) -> Any:
    return "a" in (b"a" if x > 0 else b"b")


def joined(x: Any) -> Any:
    return ",".join(["a", b"a" if x > 0 else b"b"])


@pytest.mark.parametrize("function", [added, ordered, part_of, joined], ids=lambda function: function.__name__)
def test_they_are_not_taken_together(function: Callable[[Any], Any]) -> None:
    for call, x in ((function, 1.0), (tf.function(function), tf.constant(1.0))):
        with pytest.raises(TypeError):
            call(x)


def one_or_the_other(x: Any) -> Any:
    return "a" if x > 0 else b"a"


def both_in_a_list(x: Any) -> Any:
    items = []
    if x > 0:
        items.append("a")
    items.append(b"a")
    return items


def both_in_a_loop(x: Any) -> Any:
    text: Any = "a"
    while x > 0:
        text = b"a"
        x = x - 1
    return text


@pytest.mark.parametrize("function", [one_or_the_other, both_in_a_list, both_in_a_loop], ids=lambda f: f.__name__)
def test_what_is_one_or_the_other_is_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingTypeError, match=r"is str or bytes, as a tensor decides \(at .*\.encode\(\)"):
        tf.function(function)(tf.constant(1.0))


def test_bytes_are_no_part_of_a_text() -> None:
    @tf.function
    def shown(x: Any) -> Any:
        return f"{b'a' if x > 0 else b'b'}"

    with pytest.raises(StagingError, match="decode them, or make the text, where they are known"):
        shown(tf.constant(1.0))


def test_a_string_tensor_equals_both() -> None:
    @tf.function
    def compared(text: Any) -> Any:
        return text == "a", text == b"a", text in ("a",), {"a": 1}[text], {b"a": 2}[text]

    assert plain(compared(tf.constant("a"))) == (True, True, True, 1, 2)
