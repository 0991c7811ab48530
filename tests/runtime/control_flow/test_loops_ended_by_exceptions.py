"""`while True` that only an exception ends, which the run raises: one loop of the graph, never a trace without end."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.operators import unrolling
from tests.runtime.comparing import assert_same

IN_TIME = 100
"""So many operations are plenty for a loop of the graph; one that is unrolled for ever gets there in a moment."""


@pytest.fixture(autouse=True)
def _in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace that does not end fails instead."""
    rounds = unrolling.Rounds.next

    def counted(self: unrolling.Rounds) -> None:
        rounds(self)
        if self._count > IN_TIME:
            raise tf.autograph.StagingError("the loop is unrolled without end")  # no exception of the program

    monkeypatch.setattr(unrolling.Rounds, "next", counted)


def popped_in_a_branch(x: Any) -> Any:
    d, total = [1.0, 2.0, 3.0], 0.0
    if x > 0:
        try:
            while True:
                total += d.pop()
        except IndexError:
            pass
    return x + total + len(d)


def popped_for_nothing(x: Any) -> Any:
    d = [1, 2, 3]
    if x > 0:
        try:
            while True:
                d.pop()
        except IndexError:
            pass
    return x + len(d)


def popped_from_a_deque(x: Any) -> Any:
    d, total = collections.deque([1.0, 2.0, 3.0]), 0.0
    if x > 0:
        try:
            while True:
                total = total * 2 + d.popleft()
        except IndexError:
            total += 10
    return x + total + len(d)


def texts(x: Any) -> Any:
    d, text = ["a", "b"], ""
    if x > 0:
        try:
            while True:
                text += d.pop()
        except IndexError:
            text += "!"
    return text + str(len(d))


def caught_around_the_branch(x: Any) -> Any:
    d, n = [1.0, 2.0, 3.0], 0
    try:
        if x > 0:
            while True:
                d.pop()
                n += 1
    except IndexError:
        n += 10
    return x + n + len(d)


def with_a_finally(x: Any) -> Any:
    d, n = [1.0, 2.0, 3.0], 0
    if x > 0:
        try:
            while True:
                d.pop()
                n += 1
        except IndexError:
            n += 10
        finally:
            n += 100
    return x + n + len(d)


def deleted(x: Any) -> Any:
    d, n = [1.0, 2.0, 3.0], 0
    if x > 0:
        try:
            while True:
                del d[0]
                n += 1
        except IndexError:
            n += 10
    return x + n + len(d)


def removed(x: Any) -> Any:
    d, n = [1.0, 1.0, 3.0], 0
    if x > 0:
        try:
            while True:
                d.remove(1.0)
                n += 1
        except ValueError:
            n += 10
    return x + n + len(d)


def of_an_outer_list_in_a_loop(x: Any) -> Any:
    d, total = [1.0, 2.0, 3.0], 0.0
    while x > 0:
        try:
            while True:
                total += d.pop()
        except IndexError:
            x = x - 1
    return x + total + len(d)


def of_a_list_of_the_loop(x: Any) -> Any:
    total = 0.0
    while x > 0:
        d = [1.0, 2.0, 3.0]
        try:
            while True:
                total += d.pop()
        except IndexError:
            x = x - 1
    return x + total


def outside_of_a_branch(x: Any) -> Any:
    d, total = [1.0, 2.0, 3.0], 0.0
    try:
        while True:
            total += d.pop() * x
    except IndexError:
        pass
    return x + total + len(d)


def never_caught(x: Any) -> Any:
    d = [1.0, 2.0, 3.0]
    if x > 0:
        while True:
            d.pop()
    return x + len(d)


def by_another_exception(x: Any) -> Any:
    d, n = [1.0, 2.0, 3.0, 4.0], 0
    if x > 0:
        try:
            while True:
                d.pop()
                n += 1
                if n == 2:
                    raise ValueError
        except ValueError:
            n += 10
    return x + n + len(d)


def items_of_a_dict(x: Any) -> Any:
    d, total = {"a": 1.0, "b": 2.0}, 0.0
    if x > 0:
        try:
            while True:
                total += d.popitem()[1]
        except KeyError:
            pass
    return x + total + len(d)


def elements_of_a_set(x: Any) -> Any:
    d, total = {1.0, 2.0}, 0.0
    if x > 0:
        try:
            while True:
                total += d.pop()
        except KeyError:
            pass
    return x + total + len(d)


def while_it_has_elements(x: Any) -> Any:
    d, total = [1.0, 2.0, 3.0], 0.0
    if x > 0:
        while d:
            total += d.pop()
    return x + total + len(d)


@pytest.mark.parametrize(
    "program",
    [
        popped_in_a_branch, popped_for_nothing, popped_from_a_deque, texts, caught_around_the_branch, with_a_finally,
        deleted, removed, of_an_outer_list_in_a_loop, of_a_list_of_the_loop, outside_of_a_branch, never_caught,
        by_another_exception, items_of_a_dict, elements_of_a_set, while_it_has_elements,
    ],
)  # fmt: skip
def test_they_end_where_python_ends(program: Callable[[Any], Any]) -> None:
    assert_same(program, 2.0, -3.0)
