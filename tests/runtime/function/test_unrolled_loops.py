"""A Python loop that is traced more than 1,000 times over warns once, with its line, and says why it is unrolled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import runtime as tf
from autograph.operators import unrolling


@pytest.fixture
def unrolled() -> Iterator[None]:
    """All loops of Python are unrolled."""
    with tf.config.set_unroll_limit(10**9):
        yield


def long_for(x: Any) -> Any:
    for _ in range(1_001):
        x = x + 1
    return x


def long_while(x: Any) -> Any:
    count = 0
    while count < 1_500:
        x = x + 1
        count += 1
    return x


def with_break(x: Any) -> Any:
    for i in range(5_000):
        if i == 1_200:
            break
        x = x + 1
    return x


def just_enough(x: Any) -> Any:
    for _ in range(1_000):
        x = x + 1
    return x


def nothing_recorded(x: Any) -> Any:
    table = 0
    for i in range(3_000):
        table += i
    return x + table


@pytest.mark.parametrize(("program", "added"), [(long_for, 1_001), (long_while, 1_500), (with_break, 1_200)])
@pytest.mark.usefixtures("unrolled")
def test_it_warns_once_with_the_line(program: Any, added: int) -> None:
    with pytest.warns(tf.autograph.UnrolledLoopWarning, match=f"loop in '{program.__name__}'") as caught:
        assert int(tf.function(program)(tf.constant(2))) == 2 + added
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert 0 < caught[0].lineno - program.__code__.co_firstlineno <= 3


def test_it_says_why_the_loop_is_unrolled() -> None:
    def collected(x: Any) -> Any:
        found = {}
        for i in range(1_001):
            found[i] = x + i
        return found[1_000]

    with pytest.warns(tf.autograph.UnrolledLoopWarning, match="not one loop of the graph because .* gets longer"):
        assert int(tf.function(collected)(tf.constant(2))) == 2 + 1_000


@pytest.mark.parametrize("program", [just_enough, nothing_recorded])
@pytest.mark.usefixtures("unrolled")
def test_no_warning(program: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.function(program)(tf.constant(2))


def test_no_warning_without_a_trace() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tf.autograph.to_graph(long_for)(1) == 1_002


FEW = 100
"""As many iterations are worth a warning here, to save time."""


def summed(n: Any) -> Any:
    return sum(1 for v in list(range(FEW + 50)) if v < n)


def of_any(n: Any) -> Any:
    return any(v * v > n for v in list(range(FEW + 10)))


def of_all(n: Any) -> Any:
    return all(v != n for v in list(range(FEW + 10)))


def listed(n: Any) -> Any:
    return len([v for v in list(range(FEW + 10)) if v < n])


def filtered(n: Any) -> Any:
    total = 0
    for v in filter(lambda v: v < n, list(range(FEW + 10))):
        total += v
    return total


def from_a_generator(n: Any) -> Any:
    def small() -> Any:
        for v in list(range(FEW + 10)):
            if v < n:
                yield v

    return sum(small())


@pytest.mark.parametrize("program", [summed, of_any, of_all, listed, filtered, from_a_generator])
@pytest.mark.usefixtures("unrolled")
def test_many_items_of_python_are_gone_through_with_a_warning(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "MOST_ROUNDS", FEW)
    with pytest.warns(tf.autograph.UnrolledLoopWarning) as caught:
        assert int(tf.function(program)(tf.constant(6))) == program(6)
    assert {warning.filename for warning in caught} == {__file__}
    first = program.__code__.co_firstlineno
    assert all(first <= warning.lineno < first + 6 for warning in caught)


def test_loops_beside_one_another_count_together() -> None:
    def program(x: Any) -> Any:
        for _ in range(13):
            x = x + 1
        first, second = {}, {}
        for i in range(999):
            first[i] = x + i, x - i, x * i
        for i in range(999):
            second[i] = x + i, x - i, x * i
        return second[998][1]

    message = r"have recorded 1\d,\d+ operations.* gets longer"
    with pytest.warns(tf.autograph.UnrolledLoopWarning, match=message) as caught:
        assert int(tf.function(program)(tf.constant(2))) == 15 - 998
    assert len(caught) == 1
    assert caught[0].lineno - program.__code__.co_firstlineno in (4, 5, 6)
