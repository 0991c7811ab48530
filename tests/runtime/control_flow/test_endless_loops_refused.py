"""Loops over what goes on in Python without an end, left by a tensor: refused, in time and with a line."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph.operators import unrolling


def naturals() -> Iterator[int]:
    i = 0
    while True:
        yield i
        i += 1


MADE_BEFORE = itertools.count()


def made_before(n: Any) -> Any:
    for i in MADE_BEFORE:
        if i > n:
            return i


def of_floats(n: Any) -> Any:
    for v in itertools.count(0.5, 0.25):
        if v > tf.cast(n, tf.float32):
            return n


def accumulated(n: Any) -> Any:
    for v in itertools.accumulate(itertools.count(1)):
        if v > n:
            return v


def chained(n: Any) -> Any:
    for v in itertools.chain([1], itertools.count(2)):
        if v > n:
            return v


def pairs(n: Any) -> Any:
    for a, b in itertools.pairwise(itertools.count(1)):
        if a * b > n:
            return b


def zipped_generators(n: Any) -> Any:
    for a, b in zip(naturals(), naturals()):
        if a * b > n:
            return b


class Squares:
    def __getitem__(self, i: int) -> int:
        return i * i


def of_a_sequence_without_end(n: Any) -> Any:
    for v in Squares():
        if v > n:
            return v


def from_a_function(n: Any) -> Any:
    for v in iter(lambda: 3, None):
        if v > n:
            return v


@pytest.mark.parametrize(
    ("program", "most"),
    [
        (pairs, unrolling.MOST_ROUNDS),
        *((program, 100) for program in (
            made_before, of_floats, accumulated, chained, zipped_generators, of_a_sequence_without_end, from_a_function,
        )),
    ],
)  # fmt: skip
def test_what_goes_on_item_by_item_is_refused_after_a_while(
    program: Callable[[Any], Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unrolling, "MOST_ROUNDS", most)
    with pytest.raises(
        tf.autograph.StagingError, match=f"left depending on a tensor, and after {most:,} iterations"
    ) as found:
        tf.function(program)(tf.constant(5))
    lines = [entry.lineno for entry in found.traceback if str(entry.path) == __file__]
    assert lines[-1] - program.__code__.co_firstlineno == 0  # `lineno` counts from 0: the line of the `for`


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def __iter__(self) -> Counter:
        return self

    def __next__(self) -> int:
        self.value += 1
        return self.value


def of_a_class(n: Any) -> Any:
    for v in Counter():
        if v > n:
            return v


def taken_one_by_one(n: Any) -> Any:
    it = naturals()
    while True:
        v = next(it)
        if v > n:
            return v


def counted_one_by_one(n: Any) -> Any:
    it = itertools.count()
    i = next(it)
    while i < n:
        i = next(it)
    return i


def changed_meanwhile(n: Any) -> Any:
    items = [1, 2]
    total = n
    for v in itertools.cycle(items):
        total += v
        items.append(3)
        if total > 10:
            return total


@pytest.mark.parametrize("program", [of_a_class, taken_one_by_one, counted_one_by_one, changed_meanwhile])
def test_what_changes_with_each_item_is_refused_at_once(program: Callable[[Any], Any]) -> None:
    with pytest.raises(tf.autograph.StagingError, match="change"):
        tf.function(program)(tf.constant(5))


def test_lists_are_gone_through_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(n: Any) -> Any:
        for i, v in enumerate(list(range(150))):
            if v > n:
                return i
        return -1

    monkeypatch.setattr(unrolling, "MOST_ROUNDS", 100)
    assert int(tf.function(found)(tf.constant(140))) == 141
    with tf.config.set_unroll_limit(10**9), pytest.warns(tf.autograph.UnrolledLoopWarning):
        assert int(tf.function(found)(tf.constant(140))) == 141


def test_a_long_range_is_one_loop() -> None:
    def a_long_range(n: Any) -> Any:
        for i in range(10**9):
            if i > n:
                return i

    assert int(tf.function(a_long_range)(tf.constant(5))) == 6
