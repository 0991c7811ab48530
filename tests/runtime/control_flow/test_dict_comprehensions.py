"""Comprehensions of dicts and sets over tensors: Python's own where the keys are known while tracing, else refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import assert_same


def named(t):
    return {name: v * 2 for name, v in zip("abc", t)}


def numbered(t):
    return {i: v for i, v in enumerate(t)}, {i + 1: -v for i, v in enumerate(reversed(t)) if i != 1}


def nested(t):
    return {(i, k): v * k for i, v in enumerate(t) for k in (1, 2) if i < k}


def number_of_positions(t):
    return len({i % 2 for i, _ in enumerate(t)})


def dicts_of_pairs(t):
    table = dict(zip(("a", "b", "c"), t))
    return table, dict(a=t[0], **{"b": table["b"]})


def with_walrus(t):
    made = {i: (last := v + i) for i, v in enumerate(t)}
    return made, last


PROGRAMS = (named, numbered, nested, number_of_positions, dicts_of_pairs, with_walrus)


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, [1, 2, 3], [0, -5, 7])


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_in_a_loop(program: Callable[[Any], Any]) -> None:
    def looped(t):
        result = program(t)
        for _ in range(2):
            result = program(t)
            t = t[::-1]
        return result

    assert_same(looped, [1, 2, 3], [0, -5, 7])


def keys_of_the_run(t):
    return {v: 1 for v in t}


def test_keys_that_are_tensors() -> None:
    with pytest.raises(TypeError, match="is no key of a dict or a set"):
        tf.function(keys_of_the_run)(tf.constant([1, 2]))


def test_conditions_and_lengths_of_the_run_are_refused() -> None:
    def chosen(t):
        return {i: v for i, v in enumerate(t) if v > 1}

    message = "which items a dict comprehension makes depends on a value that is only known when the graph runs"
    with pytest.raises(StagingError, match=message):
        tf.function(chosen)(tf.constant([1, 2]))
    of_any_length = tf.function(numbered, input_signature=[tf.TensorSpec([None], tf.int32)])
    with pytest.raises(StagingError, match=message):
        of_any_length(tf.constant([1, 2]))
