"""`min`, `max`, `sorted` and `sort` of tuples and lists that hold tensors: item by item, as Python orders them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import runtime as tf


def smallest(x, y, z):
    return min((x, y), (y, z), (z, x)), max([(x, 1), (y, 2), (z, 0)]), min([(x, (y, z)), (y, (z, x))])


def in_order(x, y, z):
    pairs = [(x, y), (y, z), (z, x)]
    return sorted(pairs), sorted(pairs, reverse=True), sorted([[x, 1], [y, 0], [z, 2]])


def by_keys(x, y, z):
    values = [x, y, z, 3]
    return sorted(values, key=lambda v: (v % 2, -v)), min(values, key=lambda v: (v % 3, v))


def of_a_list_that_grows(x, y, z):
    pairs = []
    for i in range(x):
        pairs.append((i * y % 5, z - i))
    first = sorted(pairs)
    pairs.sort(key=lambda p: (p[1] % 2, p[0]), reverse=True)
    return first, pairs, max(pairs), min(pairs, key=lambda p: (p[1] % 2, p[0]))


def nearest(x, y, z):
    places = [(0, 3), (2, 2), (4, 1), (2, 0)]
    distance, place = min((abs(x - a) + abs(y - b), (a, b)) for a, b in places)
    return distance, place


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("program", [smallest, in_order, by_keys, of_a_list_that_grows, nearest])
def test_as_python_orders_them(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for given in [*product((1, 2, 4), repeat=3)][::2]:
        assert plain(function(*map(tf.constant, given))) == plain(program(*given)), given
    assert function.experimental_get_tracing_count() == 1


def test_tuples_of_several_lengths_cannot_be_one_value() -> None:
    assert tf.function(lambda x: max((1, x), (2,)))(tf.constant(5))[0].numpy() == 2
    assert len(tf.function(lambda x: max((x,), (x, 1)))(tf.constant(5))) == 2
    with pytest.raises(TypeError, match="1 and 2 parts"):
        tf.function(lambda x: max((x, 1), (2,)))(tf.constant(5))
