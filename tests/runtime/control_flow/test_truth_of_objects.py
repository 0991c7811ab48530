"""Objects whose `__bool__` or `__len__` gives a tensor: conditions ask it, wherever Python asks for their truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.runtime.comparing import assert_same, say


class Counter:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        say("asked")
        return self.value > 2


class Pile:
    def __init__(self, height):
        self.height = height

    def __len__(self):
        if self.height > 3:
            return 3
        return self.height


def branch(x):
    if Counter(x):
        return 1
    return 2


def ternary_and_logic(x):
    c = Counter(x)
    a = 1 if c else 2
    b = 10 if (c and x > 4) else 20
    d = 100 if not c or x == 3 else 200
    return a + b + d + (1000 if bool(c) else 2000)


def loop(x):
    c = Counter(x)
    n = 0
    while c:
        c.value -= 1
        n += 1
    return n


def asserted(x):
    assert Counter(x), "too small"
    return x


def length(x):
    pile = Pile(x)
    return len(pile) * 10 + (1 if pile else 2)


@pytest.mark.parametrize("program", [branch, ternary_and_logic, loop, asserted, length])
def test_as_in_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 2, 3, 6)


@pytest.mark.parametrize("program", [branch, length])
def test_in_a_loop(program: Callable[..., Any]) -> None:
    def in_a_loop(n):
        result = 0
        for i in range(n):
            result = result * 7 + program(i)
        return result

    assert_same(in_a_loop, 0, 5)


def test_a_truth_that_python_knows() -> None:
    class Known:
        def __bool__(self):
            return False

    class Wrong:
        def __bool__(self):
            return 3

    assert tf.function(lambda x: x if Known() else -x)(tf.constant(1)).numpy() == -1
    with pytest.raises(TypeError, match="__bool__ should return bool, returned int"):
        tf.function(lambda x: x if Wrong() else -x)(tf.constant(1))


def test_code_that_is_not_converted_is_refused() -> None:
    with pytest.raises(StagingTypeError, match="`__bool__` of Counter gives"):
        tf.function(lambda x: list(filter(None, [Counter(x)])))(tf.constant(1))
