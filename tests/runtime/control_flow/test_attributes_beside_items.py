"""Objects that are structures, and keep something in attributes beside their items or fields, as Python has it."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import runtime as tf


@dataclasses.dataclass
class Batch:
    a: Any

    def __post_init__(self) -> None:
        self.v = self.a * 2


class Row(tuple):
    pass


class Items(list):
    pass


class Table(dict):
    pass


class Slotted(list):
    __slots__ = ("v",)


class Named(list):
    def __init__(self, v: Any, items: Any) -> None:
        super().__init__(items)
        self.v = v


class Pair(collections.namedtuple("Pair", "a")):
    pass


class Kept:
    pass


def with_v(made: Any, v: Any) -> Any:
    made.v = v
    return made


MAKERS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "dataclass": lambda item, v: with_v(Batch(item), v),
    "tuple": lambda item, v: with_v(Row([item]), v),
    "list": lambda item, v: with_v(Items([item]), v),
    "dict": lambda item, v: with_v(Table(a=item), v),
    "named tuple": lambda item, v: with_v(Pair(item), v),
    "slots": lambda item, v: with_v(Slotted([item]), v),
    "constructor": lambda item, v: Named(v, [item]),
}


def in_a_branch(make, x):
    p = make(x, x * 2)
    if x > 0:
        p = make(x + 1, x * 3)
    return p.v


def set_in_a_branch(make, x):
    p = make(x, x * 2)
    q = p
    if x > 0:
        p.v = x
    return q.v


def by_a_ternary(make, x):
    p = make(x, x + 1) if x > 0 else make(-x, x - 1)
    return p.v


def in_a_loop(make, x):
    p, i = make(x, x * 2), 0
    while i < x:
        p = make(x, p.v + 1)
        i += 1
    return p.v


def set_in_a_loop(make, x):
    p, i = make(x, x * 2), 0
    while i < x:
        p.v = p.v + 1
        i += 1
    return p.v


def in_a_recursion(make, x):
    def last(p, n):
        if n <= 0:
            return p.v
        return last(make(x, p.v * 2), n - 1)

    return last(make(x, x + 1), x)


def by_a_helper(make, x):
    def less(p):
        if p.v > 0:
            return p
        p.v = p.v - 1
        return p

    return less(less(make(x, x * 2))).v


def in_a_list_that_grows(make, x):
    made, i = [], 0
    while i < x:
        made.append(make(x, x + i))
        i += 1
    total = 0.0
    for p in made:
        total = total + p.v
    return total


def by_another_function(make, x):
    inner = tf.function(lambda p: p.v + 1)
    return inner(make(x, x * 2)) + inner(make(x * 3, x))


PROGRAMS: Final = (
    in_a_branch, set_in_a_branch, by_a_ternary, in_a_loop, set_in_a_loop, in_a_recursion, by_a_helper,
    in_a_list_that_grows, by_another_function,
)  # fmt: skip


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_made_in_the_function(program: Callable[..., Any], kind: str) -> None:
    staged = tf.function(functools.partial(program, MAKERS[kind]))
    for x in (1.0, -2.0, 3.0):
        expected = program(MAKERS[kind], x)
        result = staged(tf.constant(x, tf.float64))
        assert float(result) == expected


VALUES: Final[dict[str, tuple[Callable[[float], Any], Callable[[Any], Any]]]] = {
    "number": (lambda k: k, lambda v: v),
    "text": (lambda k: "a" * int(k), lambda v: len(v)),
    "tensor": (lambda k: tf.constant(k, tf.float64), lambda v: v),
    "array": (lambda k: np.array([k, 1.0]), lambda v: v.sum()),
    "list": (lambda k: [k], lambda v: v[0]),
    "object": (lambda k: with_v(Kept(), k), lambda v: v.v),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("value", VALUES)
def test_arguments(value: str, kind: str) -> None:
    make, use = VALUES[value]
    staged = tf.function(lambda p, x: use(p.v) * x)
    for item in (lambda k: 1.0, lambda k: tf.constant(k, tf.float64)):
        for k in (1.0, 2.0, 3.0):
            argument = MAKERS[kind](item(k), make(k))
            assert float(staged(argument, tf.constant(2.0, tf.float64))) == float(use(make(k))) * 2


@pytest.mark.parametrize("kind", MAKERS)
def test_results(kind: str) -> None:
    staged = tf.function(lambda x: MAKERS[kind](x, x * 2))
    for x in (1.0, -2.0):
        made = staged(tf.constant(x))
        assert type(made) is type(MAKERS[kind](x, x))
        assert float(made.v) == 2 * x


@pytest.mark.parametrize("kind", MAKERS)
def test_left_in_an_attribute(kind: str) -> None:
    kept = Kept()
    kept.p = MAKERS[kind](1.0, 1.0)

    def step(x):
        before = kept.p.v
        kept.p = MAKERS[kind](x, x * 2)
        return before

    staged = tf.function(step)
    assert [float(staged(tf.constant(x))) for x in (1.0, -2.0, 3.0)] == [1.0, 2.0, -4.0]
    assert float(kept.p.v) == 6.0


def test_attributes_are_no_leaves_for_users() -> None:
    made = MAKERS["list"](1, "kept")
    assert tf.nest.flatten(made) == [1]
    assert tf.nest.map_structure(lambda x: x + 1, made).v == "kept"
