"""What decides in staged code: numbers and text by Python's truth, as eager tensors and Python's own values do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def odd(n):
    return 1 if n % 2 else 2


def counts_down(n):
    steps = 0
    while n:
        n -= 1
        steps += 1
    return steps


def skips(n):
    out = 0
    for i in range(n):
        if i % 3:
            continue
        out += i
    return out


def nested(n):
    if n and n % 2:
        return 5
    elif not n:
        return 6
    return 7


def and_or(n):
    return n and n + 3, n or 7, not n


def checked(n):
    try:
        assert n, "nothing"
    except AssertionError:
        return -1
    return n


def filtered(n):
    return sum(i for i in range(n) if i % 2)


@pytest.mark.parametrize("program", [odd, counts_down, skips, nested, and_or, checked, filtered])
def test_numbers(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 6)


@pytest.mark.parametrize("number", [0.0, -0.0, 0.5, float("nan"), float("inf")])
def test_floats(number: float) -> None:
    assert tf.function(odd)(tf.constant(2.0)).numpy() == 2
    assert tf.function(lambda x: 1 if x else 2)(tf.constant(number)).numpy() == (1 if number else 2)


@pytest.mark.parametrize("text", ["", "a"])
def test_text(text: str) -> None:
    assert tf.function(lambda s: 1 if s else 2)(tf.constant(text)).numpy() == (1 if text else 2)


@pytest.mark.parametrize("value", [[], [1], [[0]]])
def test_one_value_of_any_rank(value: list[Any]) -> None:
    """What has more or fewer values than one has no truth: test_staged_refusals."""
    if not value:
        with pytest.raises(ValueError, match="runtime.reduce_any or runtime.reduce_all"):
            tf.function(lambda x: 1 if x else 2)(tf.constant(value))
    else:
        assert tf.function(lambda x: 1 if x else 2)(tf.constant(value)).numpy() == (1 if value == [1] else 2)
