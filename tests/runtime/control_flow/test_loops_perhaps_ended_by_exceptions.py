"""Loops of Python that go on until something of the run raises, as it may for any reason: they end, or are refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.operators import unrolling
from tests.runtime.comparing import assert_same


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop has gone round often after ten times, and for ever after a hundred."""
    rounds = unrolling.Rounds.next

    def counted(self: unrolling.Rounds) -> None:
        rounds(self)
        if self._count > 100:
            raise tf.autograph.StagingError("the loop is unrolled without end")

    monkeypatch.setattr(unrolling.Rounds, "next", counted)
    monkeypatch.setattr(unrolling, "MOST_ROUNDS", 10)


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


def while_an_attribute_says_so(x: Any) -> Any:
    class Going:
        on = True

    d, total = [1.0, 2.0], 0.0
    if x > 0:
        d.append(x)
    try:
        while Going.on:
            total += d.pop()
    except IndexError:
        return total


def while_a_number_is_large(x: Any) -> Any:
    d, total, number = [1.0, 2.0], 0.0, 3
    if x > 0:
        d.append(x)
    try:
        while number > 2:
            total += d.pop()
    except IndexError:
        return total


def while_one(x: Any) -> Any:
    d, total = [1.0, 2.0], 0.0
    if x > 0:
        d.append(x)
    try:
        while 1:
            total += d.pop()
        else:
            total = 100.0
    except IndexError:
        return total


@pytest.mark.parametrize(
    ("program", "inputs"),
    [
        (while_an_attribute_says_so, (2.0, -3.0)),
        (while_a_number_is_large, (2.0, -3.0)),
        (while_one, (2.0, -3.0)),
        (read_one_by_one, (2.0, -3.0)),
        (divided, (3, 1)),
        (counted, (2.0, -3.0)),
        (while_a_variable_says_so, (2.0, -3.0)),
        (with_a_break_that_never_comes, (2.0, -3.0)),
    ],
)
def test_what_may_only_perhaps_end_a_loop_ends_it(program: Callable[[Any], Any], inputs: Any) -> None:
    assert_same(program, *inputs)


def rows(x: Any) -> Any:
    total, i = 0.0, 0
    try:
        while True:
            total += x[i]
            i += 1
    except IndexError:
        return total


def test_elements_of_tensors_of_any_length_are_read_to_their_end() -> None:
    staged = tf.function(rows, input_signature=[tf.TensorSpec([None], tf.float32)])
    for values in ([], [1.0, 2.5], [1.0] * 30):
        assert float(staged(tf.constant(values, tf.float32))) == sum(values)


def test_items_that_python_pulls_without_end_are_refused() -> None:
    def program(x: Any) -> Any:
        d, total = [1.0, 2.0], 0.0
        if x > 0:
            d.append(x)
        try:
            for item in iter(d.pop, None):
                total += item
        except IndexError:
            return total

    with pytest.raises(tf.autograph.StagingError, match="has been unrolled 10 times .* goes on until something raises"):
        tf.function(program)(tf.constant(2.0))


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
