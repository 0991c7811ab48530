"""`while True` that only an exception ends, which the run raises: one loop of the graph, never a trace without end."""

from __future__ import annotations

import collections
import itertools
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


def read_one_by_one(x: Any) -> Any:
    d, total, i = [1.0, 2.0], 0.0, 0
    if x > 0:
        d.append(x)
    try:
        while True:
            total += d[i]
            i += 1
    except IndexError:
        return total + i


def divided(n: Any) -> Any:
    total = 0
    try:
        while True:
            total += 12 // n
            n -= 1
    except ZeroDivisionError:
        return total


def counted(x: Any) -> Any:
    d, total = [1.0, 2.0], 0.0
    if x > 0:
        d.append(x)
    try:
        for i in itertools.count():
            total += d[i]
    except IndexError:
        return total


def while_a_variable_says_so(x: Any) -> Any:
    d, total, goes_on = [1.0, 2.0], 0.0, True
    if x > 0:
        d.append(x)
    try:
        while goes_on:
            total += d.pop()
    except IndexError:
        return total


def with_a_break_that_never_comes(x: Any, last: float | None = None) -> Any:
    d, total = [1.0, 2.0], 0.0
    if x > 0:
        d.append(x)
    try:
        while True:
            if last is not None:
                total += last
                break
            total += d.pop()
    except IndexError:
        return total


@pytest.mark.parametrize(
    ("program", "inputs"),
    [
        (read_one_by_one, (2.0, -3.0)),
        (divided, (3, 1)),
        (counted, (2.0, -3.0)),
        (while_a_variable_says_so, (2.0, -3.0)),
        (with_a_break_that_never_comes, (2.0, -3.0)),
    ],
)
def test_what_may_only_perhaps_end_a_loop_ends_it(
    program: Callable[[Any], Any], inputs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unrolling, "MOST_ROUNDS", 10)
    assert_same(program, *inputs)


def rows(x: Any) -> Any:
    total, i = 0.0, 0
    try:
        while True:
            total += x[i]
            i += 1
    except IndexError:
        return total


def test_elements_of_tensors_of_any_length_are_read_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "MOST_ROUNDS", 10)
    staged = tf.function(rows, input_signature=[tf.TensorSpec([None], tf.float32)])
    for values in ([], [1.0, 2.5], [1.0] * 30):
        assert float(staged(tf.constant(values, tf.float32))) == sum(values)


def test_what_python_ends_is_unrolled() -> None:
    """Numbers that may not be divided by do not make a loop one of the graph at once."""

    def program(n: Any) -> Any:
        names, total = ["a", "b", "c"], 0
        while True:
            total += 12 // n
            if not names.pop():
                return total
            if not names:
                raise KeyError(total)

    staged = tf.function(program)
    with pytest.raises(KeyError, match="12"):
        staged(tf.constant(3))
    graph = staged.get_concrete_function(tf.constant(3)).graph
    assert "while" not in {operation.type for operation in graph.operations}
