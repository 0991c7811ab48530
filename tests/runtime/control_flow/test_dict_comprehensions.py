"""Comprehensions of dicts and sets over tensors: Python's own where the keys are known while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain


def named(t):
    return {name: v * 2 for name, v in zip("abc", t)}


def numbered(t):
    return {i: v for i, v in enumerate(t)}, {i + 1: -v for i, v in enumerate(reversed(t)) if i != 1}


def nested(t):
    return {(i, k): v * k for i, v in enumerate(t) for k in (1, 2) if i < k}


def number_of_positions(t):
    return len({i % 2 for i, _ in enumerate(t)})


def dicts_of_pairs(t):
    table = dict(zip(("a", "b", "c"), t))
    return table, dict(a=t[0], **{"b": table["b"]})


def with_walrus(t):
    made = {i: (last := v + i) for i, v in enumerate(t)}
    return made, last


PROGRAMS = (named, numbered, nested, number_of_positions, dicts_of_pairs, with_walrus)


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, [1, 2, 3], [0, -5, 7])


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_in_a_loop(program: Callable[[Any], Any]) -> None:
    def looped(t):
        result = program(t)
        for _ in range(2):
            result = program(t)
            t = t[::-1]
        return result

    assert_same(looped, [1, 2, 3], [0, -5, 7])


def keys_of_the_run(t):
    return {v: i for i, v in enumerate(t)}, len({v % 2 for v in t})


def chosen(t):
    return {i: v for i, v in enumerate(t) if v > 1}, {i for i, v in enumerate(t) if v > 1}


@pytest.mark.parametrize("program", [keys_of_the_run, chosen, numbered])
def test_keys_that_only_the_run_knows(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.int32)])
    for values in ([1, 2, 1, 7], [-3, 0, 0], [4]):
        found, wanted = staged(tf.constant(values)), program(values)
        for one, other in zip(found, wanted, strict=True):
            assert one == other if not isinstance(other, dict) else {k: int(v) for k, v in one.items()} == other


def test_their_order_is_that_in_which_they_came() -> None:
    staged = tf.function(lambda t: {v: 1 for v in t})
    assert list(staged(tf.constant([5, 2, 5, 9, 2]))) == [5, 2, 9]


def keys_made_of_a_scalar(x):
    return {x * i: i for i in range(3)}, {i: x * i for i in (1, 2)}


def members_made_of_a_scalar(x):
    return len({x % i for i in (1, 2, 3)}), sorted({x + i for i in [1, 2, 1]}), sorted(frozenset({x for _ in range(3)}))


def sums_of_subsets(x):
    sums = {0}
    for item in (x, 2, x + 1):
        sums |= {item + known for known in sums}
    return sorted(sums), x + 3 in sums


@pytest.mark.parametrize("program", [keys_made_of_a_scalar, members_made_of_a_scalar, sums_of_subsets])
def test_what_is_made_of_a_scalar_and_items_of_pythons_is_of_the_graph(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (0, 1, 3):
        assert plain(staged(tf.constant(x, tf.int64))) == plain(program(x))
