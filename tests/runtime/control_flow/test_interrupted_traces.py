"""A handler of a signal may raise at whatever line of a trace: that ends the trace, and is no part of the graph."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph
import runtime as tf


class TookTooLong(Exception):
    pass


def raises(number: int, frame: Any) -> None:
    raise TookTooLong


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, raises)
    yield
    signal.signal(signal.SIGTERM, before)


late = [True]


@autograph.do_not_convert
def passing(x: Any) -> Any:
    """What Python runs at any line, between two of the program's."""
    if late:
        signal.raise_signal(signal.SIGTERM)
    return x


def in_a_branch(x: Any) -> Any:
    if x > 0:
        x = passing(x) * 2
    return x


def in_a_loop(x: Any) -> Any:
    for _ in range(x):
        x = passing(x) + 1
    return x


def in_a_try(x: Any) -> Any:
    try:
        if x > 100:
            raise ValueError
        x = passing(x) * 2
    except ValueError:
        x = -x
    return x


@pytest.mark.parametrize("program", [in_a_branch, in_a_loop, in_a_try])
def test_the_trace_ends_and_another_one_is_made(program: Callable[[Any], Any]) -> None:
    function = tf.function(program)
    late[:] = [True]
    with pytest.raises(TookTooLong):
        function(tf.constant(-3))
    late.clear()
    for value in (-3, 3):
        assert int(function(tf.constant(value))) == program(value)
