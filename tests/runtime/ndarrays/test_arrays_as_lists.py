"""Lists of what arrays hold: `a.tolist()`, `list(a)` and `items.extend(a)`, also where only the run knows how many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.ndarrays.comparing import assert_same


def listed(x: Any) -> Any:
    return x.tolist()


def listed_and_longer(x: Any) -> Any:
    items = (x * 2).tolist()
    items.append(1.5)
    return items, len(items), sum(v / 2 for v in items)


def listed_in_two_levels(x: Any) -> Any:
    rows = x.reshape(1, -1).tolist()
    rows[0][1] = 7
    return rows, x


def listed_of_unknown_length(x: Any) -> Any:
    items = [0]
    items += np.flatnonzero(x < 1).tolist()
    return len(items), items[-1]


@pytest.mark.parametrize("program", [listed, listed_and_longer, listed_in_two_levels, listed_of_unknown_length],
                         ids=lambda f: f.__name__)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "bool"])
def test_tolist(program: Callable[[Any], Any], dtype: str) -> None:
    assert_same(program, np.array([0, 5, 1, 2, 0]).astype(dtype))


def test_tolist_of_complex_numbers() -> None:
    assert_same(listed_and_longer, np.array([1j, 2 - 1j]))


def test_numbers_of_a_list_take_the_dtype_of_a_tensor_beside_them() -> None:
    @tf.function
    def f(x: Any, t: Any) -> Any:
        return [v + t for v in x.tolist()]

    found = f(tf.constant([1.0, 2.0], tf.float32), tf.constant(0.5, tf.float64))
    assert [v.dtype for v in found] == [tf.float64] * 2 and [float(v) for v in found] == [1.5, 2.5]


def test_many_elements_are_no_list() -> None:
    with pytest.raises(OperatorNotAllowedInGraphError, match="tolist"):
        tf.function(listed)(np.zeros((200, 200)))


def extended(x: Any) -> Any:
    items = list(np.flatnonzero(x > 1))
    items.extend(np.flatnonzero(x < 1))
    return len(items), items[-1], items[0]


def extended_in_a_loop(x: Any) -> Any:
    waiting, total = list(np.flatnonzero(x > 1)), 0
    while waiting:
        at = waiting.pop()
        total += at
        if at == 3:
            waiting.extend(np.flatnonzero(x < 1))
    return total


@pytest.mark.parametrize("program", [extended, extended_in_a_loop], ids=lambda f: f.__name__)
def test_extend(program: Callable[[Any], Any]) -> None:
    for values in ([0.0, 5.0, 0.3, 2.0, 0.5], [2.0, 0.0, 3.0, 4.0, 1.0]):
        assert_same(program, np.array(values))
