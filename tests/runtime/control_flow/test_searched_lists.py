"""`index` and `count` of Python's lists and tuples that hold tensors, or are searched for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

PROGRAMS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: [a, b].index(2),
    lambda a, b: (a, b).index(2),
    lambda a, b: [1, 2, 3].index(a),
    lambda a, b: [a, b, 2].index(2, 1),
    lambda a, b: [a, 2, b].index(2, 0, 2),
    lambda a, b: [a, b].index(b),
    lambda a, b: [a, "x", 2].index(2),
    lambda a, b: (a, b).count(2),
    lambda a, b: [a, b, 2, 3].count(2),
    lambda a, b: [1, 2, 2].count(a),
    lambda a, b: ["x", None].count(a),
    lambda a, b: ["p", "q"][[a, b].index(b)] == "q",
    lambda a, b: [a, b].index(2) * 0.5,
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_it_is_what_python_finds(number: int) -> None:
    program = PROGRAMS[number]
    staged = tf.function(program)
    for a, b in ((2, 1), (1, 2), (2, 2), (5, 7)):
        try:
            expected = program(a, b)
        except ValueError as error:
            with pytest.raises(ValueError, match="not in" if "not in" in str(error) else ""):
                staged(tf.constant(a), tf.constant(b))
        else:
            np.testing.assert_array_equal(staged(tf.constant(a), tf.constant(b)), expected)


def test_a_handler_takes_that_nothing_was_found() -> None:
    def place(a: Any) -> Any:
        try:
            return [a, a + 1].index(3)
        except ValueError:
            return -1

    for a in (2, 3, 9):
        assert int(tf.function(place)(tf.constant(a))) == place(a)
