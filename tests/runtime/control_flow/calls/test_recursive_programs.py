"""Recursive programs give on tensors what Python gives; see the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.algorithms.test_algorithms import plain
from tests.runtime.control_flow.calls import backtracking, changes_of_recursion, divide_and_conquer

PROGRAMS = [*backtracking.PROGRAMS, *divide_and_conquer.PROGRAMS, *changes_of_recursion.PROGRAMS]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_python(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 2, 4):
        assert plain(staged(tf.constant(n, tf.int32))) == plain(program(n)), n


def test_gradients_go_through_what_is_reached() -> None:
    def product(x: Any, n: Any) -> Any:
        found = [x * 0.0 + 1.0]

        def go(k: Any) -> None:
            found[0] = found[0] * x
            if k > 1:
                go(k - 1)

        go(n)
        return found[0]

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(product)(x, tf.constant(4))
    assert (float(y), float(tape.gradient(y, x))) == (81.0, 4 * 27.0)


def test_an_array_of_the_caller_is_written_to() -> None:
    def fill(a: Any, n: Any) -> None:
        def go(k: Any) -> None:
            a[k] += 0.5
            if k > 0:
                go(k - 1)

        go(n)

    a = np.zeros(5)
    tf.function(fill)(a, tf.constant(3))
    assert a.tolist() == [0.5, 0.5, 0.5, 0.5, 0.0]


def under_two_names(n: Any) -> Any:
    log = [0, 0]

    def go(items: Any, k: Any) -> Any:
        log[k % 2] += k
        if k > 0:
            go(items, k - 1)
        return items[0]

    return go(log, n)


def raised(n: Any) -> Any:
    log = [0]

    def go(k: Any) -> None:
        log[0] += k
        if k == 0:
            raise ValueError("none is left")
        go(k - 1)

    try:
        go(n)
    except ValueError:
        log[0] += 100
    return log


def bound_anew(n: Any) -> Any:
    first, other = [0], [5]

    def go(k: Any) -> None:
        nonlocal first
        first = other
        first[0] += k
        if k > 0:
            go(k - 1)

    go(n)
    return first, other


class Link:
    def __init__(self) -> None:
        self.items = [1]
        self.last = self.items

    def go(self, k: Any) -> None:
        self.last = [k]
        if k > 0:
            self.go(k - 1)


def of_an_attribute(n: Any) -> Any:
    link = Link()
    link.go(n)
    return link.items, link.last


def a_set_under_two_names(n: Any) -> Any:
    seen = {7}

    def go(known: Any, k: Any) -> Any:
        seen.add(k % 3)
        if k > 0:
            return go(known, k - 1)
        return 1 if n % 3 in known else 0

    return go(seen, n), len(seen)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (a_set_under_two_names, "and is given it as an argument, too"),
        (bound_anew, "the variable 'first' is changed inside the function 'go'"),
        (of_an_attribute, r"the object \(Link\) .* is changed inside the function 'go'"),
        (under_two_names, "changes the list of the variable 'log', and is given it as an argument, too"),
        (raised, "changes the list of the variable 'log' inside a `try`"),
    ],
)
def test_what_a_graph_would_lose_is_refused(program: Callable[..., Any], words: str) -> None:
    with pytest.raises(StagingError, match=words):
        tf.function(program)(tf.constant(3))
