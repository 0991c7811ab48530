"""A Function that is traced again and again says which argument makes it so, its types, and what to do."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import RetracingWarning


class Options:
    pass


def warnings_of(function: Any, calls: list[tuple[Any, ...]]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for args in calls:
            function(*args)
    found = [w for w in caught if w.category is RetracingWarning]
    assert all(w.filename == __file__ for w in found)
    return [str(w.message) for w in found]


def sized(x):
    return tf.zeros([x])


def first(x, *others):
    return 0 if others and others[0] is None else 1


X = tf.constant(1.0)


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([(str(i),) for i in range(9)], "the argument 'x' changed each time, last from '3' to '4': .*pass a"),
        ([(X, i) for i in range(9)], "the argument 'others' changed each time, last from 3 to 4: .*pass a tensor"),
        (
            [(tf.zeros([n, 2]),) for n in range(9)],
            r"last from float32 Tensor, shape=\(3, 2\) to float32 Tensor, shape=\(4, 2\): .*reduce_retracing",
        ),
        ([([X, tf.zeros([n])],) for n in range(9)], r"shape=\(\); float32 Tensor, shape=\(4,\): use"),
        ([(np.zeros(n),) for n in range(9)], r"'x'.*float64 ndarray, shape=\(4,\).*input_signature"),
        ([(Options(), 1) for _ in range(9)], r"'x'.* \(an object of type Options\): .*pass the same object"),
    ],
)
def test_warned_once(calls: list[tuple[Any, ...]], words: str) -> None:
    (message,) = warnings_of(tf.function(first), calls)
    assert message.startswith("'first' was traced 5 times because ") and re.search(words, message), message


def test_numbers_that_are_constants_say_why() -> None:
    (message,) = warnings_of(tf.function(sized), [(i,) for i in range(9)])
    assert re.search("last from 3 to 4: .*its own, because the shape of what it returns depends on it; pass", message)


def test_arguments_that_differ_together_are_not_named() -> None:
    assert warnings_of(tf.function(first), [(i, i) for i in range(9)]) == []


def test_few_traces_many_calls_and_relaxed_shapes_are_no_reason() -> None:
    assert warnings_of(tf.function(first), [(i % 4,) for i in range(40)]) == []
    calls = [(tf.zeros([n]),) for n in range(40)]
    assert warnings_of(tf.function(first, reduce_retracing=True), calls) == []
    assert warnings_of(tf.function(first, input_signature=[tf.TensorSpec([None])]), calls) == []


def test_asking_for_traces_is_no_reason() -> None:
    function = tf.function(first)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RetracingWarning)
        for n in range(9):
            function.get_concrete_function(tf.TensorSpec([n]))
