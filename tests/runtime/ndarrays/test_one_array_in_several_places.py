"""An array that attributes, a view of it and a tuple lead to: a run that binds it once more on one way keeps it one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import runtime as tf


class Model:
    def __init__(self, in_a_tuple: bool, is_view: bool, begins: str) -> None:
        self.a = np.array([3.0, 1.0, 4.0])
        self.b = self.a[::-1] if is_view else self.a
        self.m = np.zeros((2, 2))
        self.pair = (self.a, np.zeros(2)) if in_a_tuple else ()
        self.extra = {"same": self.b, "view": self.a[::-1], "new": np.zeros(3)}[begins]


def bound(o: Any, n: Any) -> None:
    if n % 2 == 0:
        o.extra = o.b


def written_before(o: Any, n: Any) -> None:
    o.m[0] += 1.0
    if n % 2 == 0:
        o.extra = o.b


def bound_again(o: Any, n: Any) -> None:
    o.m[0] += 1.0
    for _ in range(2):
        if n % 2 == 0:
            o.extra = o.b


@pytest.mark.parametrize("program", [bound, written_before, bound_again])
@pytest.mark.parametrize(("in_a_tuple", "is_view", "begins"), list(product([0, 1], [0, 1], ["same", "view", "new"])))
def test_it_stays_one(program: Callable[[Any, Any], None], in_a_tuple: bool, is_view: bool, begins: str) -> None:
    for n in (1, 2):
        expected, found = (Model(in_a_tuple, is_view, begins) for _ in range(2))
        program(expected, n)
        tf.function(program)(found, tf.constant(n))
        assert type(found.extra) is np.ndarray
        np.testing.assert_array_equal(found.extra, expected.extra)
        np.testing.assert_array_equal(found.m, expected.m)
        assert np.shares_memory(found.extra, found.a) == np.shares_memory(expected.extra, expected.a)
        assert np.shares_memory(found.b, found.a)
        assert not in_a_tuple or found.pair[0] is found.a
