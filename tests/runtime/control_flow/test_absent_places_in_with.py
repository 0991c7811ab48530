"""Keys and attributes that are not there, and that a `with` whose body may raise would remove: they stay away."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same, say


class Span:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


@contextlib.contextmanager
def made_of_a_generator():
    try:
        yield
    finally:
        say("left")


class Halt(Exception):
    pass


class Node:
    pass


def shown(d):
    return " ".join(f"{k} {v}" for k, v in d.items())


def key_that_is_asked_for(x, y):
    d = {"p": x, "q": 1}
    with Span():
        if x > 30:
            raise Halt
        if "r" in d:
            del d["r"]  # noqa: RUF051
    return shown(d)


def key_in_a_handler(x, y):
    d = {"p": x, "q": 1}
    with Span():
        if x > 30:
            raise Halt
        try:
            pass
        except Halt:
            if "r" in d:
                del d["r"]  # noqa: RUF051
    return shown(d)


def key_that_is_missed(x, y):
    d = {"p": x, "q": 1}
    with Span():
        if x > 30:
            raise Halt
        if y > 5:
            del d["r"]
    return shown(d)


def key_that_another_way_makes(x, y):
    d = {"p": x, "q": 1}
    with Span():
        if x > 30:
            raise Halt
        if y > 5:
            d["r"] = y
        if "s" in d:
            del d["s"]  # noqa: RUF051
    return shown(d)


def key_with_a_generator(x, y):
    d = {"p": x, "q": 1}
    with made_of_a_generator():
        if x > 30:
            raise Halt
        d.pop("r", None)
    return shown(d)


def attribute_with_a_generator(x, y):
    node = Node()
    with made_of_a_generator():
        if x > 30:
            raise Halt
        if hasattr(node, "r"):
            del node.r
    return hasattr(node, "r") * 1 + x


def attribute(x, y):
    node = Node()
    with Span():
        if x > 30:
            raise Halt
        if hasattr(node, "r"):
            del node.r
    return hasattr(node, "r") * 1 + x


PROGRAMS = [
    key_that_is_asked_for, key_in_a_handler, key_that_is_missed, key_that_another_way_makes, attribute,
    key_with_a_generator, attribute_with_a_generator,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_not_there(program: Callable[..., Any]) -> None:
    assert_same(program, (-1, -89), (40, 1), (1, 9))
