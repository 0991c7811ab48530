"""`==` and `!=` of tuples and lists that hold tensors, which Python would answer at once, are staged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def answers(x, y):
    p = (x, y)
    nested = [x, (y, [1])]
    return (
        p == (1, 2), p != (1, 2), [x] == [1], p == (1, 2, 3), nested == [1, (2, [1])], p == p, (x,) == [x],
        p == ("a", y), (p == (y, x)) is False, () == (), not p == (2, 1),
    )  # fmt: skip


def until_there(x, y):
    p, steps = (x, y), 0
    while p != (5, 6):
        p = (p[0] + 1, p[1] + 1)
        steps += 1
        if steps > 9:
            break
    return steps


def first_step_back(x, y):
    seen = [(0, 0), (1, 2), (3, 1)]
    for i, place in enumerate(seen):
        if place == (x, y):
            return i
    return -1


def among(x, y):
    return (x, y) in [(1, 2), (2, 1)], (x, y) not in ((0, 0), (x, 3)), [x] in [[1], [2, 3]], (1, 1) in [(x, y)]


def chained(x, y):
    return (x, 1) == (y, 1) == (2, 1), 1 if (x, y) == (1, 2) else 0


def in_a_helper(x, y):
    def same(a, b):
        return a == b

    return same((x, y), (2, 1)), same([x], [y]), same(x, y)


def state_of_a_machine(x, y):
    state = ("start", 0)
    for symbol in (x, y, x):
        if state == ("start", 0) and symbol == 1:
            state = ("one", 1)
        elif state[0] == "one":
            state = ("end", state[1] + 1)
    return state[1]


PROGRAMS = [answers, until_there, first_step_back, among, chained, in_a_helper, state_of_a_machine]


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python_answers(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, y in ((1, 2), (2, 1), (2, 2), (5, 6)):
        assert plain(function(tf.constant(x), tf.constant(y))) == plain(program(x, y)), (x, y)
    assert function.experimental_get_tracing_count() == 1


def test_what_is_refused_otherwise_is_refused_with_the_same_words() -> None:
    @tf.function(autograph=False)
    def unconverted(x: Any) -> int:
        return 1 if (x, 1) == (2, 1) else 0

    with pytest.raises(tf.errors.TruthOfTensorError, match="used as a Python `bool`"):
        unconverted(tf.constant(2))
    with pytest.raises(TypeError, match="tuples of tensors of shape .* cannot be compared; give another key"):
        tf.function(lambda x: sorted([(x, 1), (x, 2)]))(tf.constant([2, 3]))
