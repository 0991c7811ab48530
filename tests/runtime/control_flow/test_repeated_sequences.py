"""`[0] * n` where n is an integer tensor: the list n times over, as with an int of Python's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.runtime.comparing import assert_same


def zeros(n):
    return len([0] * n)


def from_the_left(n):
    items = n * [1, n]
    return len(items), sum(items)


def one_more(n):
    return len([False] * (n + 1))


def written_to(n):
    items = [0] * n
    if n > 2:
        items[2] = n
    for i in range(n):
        items[i] += i
    return sum(items)


def of_tensors(n):
    items = [n, n + 1] * (n % 3)
    return len(items), sum(items)


def none_of_them(n):
    return len([1, 2] * (n - 100))


def sieve(n):
    prime = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return count


def fibonacci(n):
    table = [0] * (n + 2)
    table[1] = 1
    for i in range(2, n + 1):
        table[i] = table[i - 1] + table[i - 2]
    return table[n]


def by_a_bool(n):
    large = n > 3
    return [1, 2] * large, large * [n], "ab" * large, len([0] * (n == 7)), (n > 1) * "x" + "y" * (n > 9)


PROGRAMS = (zeros, from_the_left, one_more, written_to, of_tensors, none_of_them, sieve, fibonacci, by_a_bool)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 3, 7, 20)


def test_eagerly_as_in_a_graph() -> None:
    assert [0, 1] * tf.constant(2) == [0, 1, 0, 1]


def test_a_number_that_is_known_at_the_trace() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.stack((x, x) * tf.size(tf.zeros([2, 2])))

    assert f(tf.constant(1.0)).shape == (8,)


def test_the_length_of_a_tuple_is_part_of_its_structure() -> None:
    with pytest.raises(StagingTypeError, match=r"Repeat a list, as in `list\(t\) \* n`"):
        tf.function(lambda n: (1, 2) * n)(tf.constant(3))
    assert int(tf.function(lambda n: len(list((1, 2)) * n))(tf.constant(3))) == 6


def test_floats_and_tensors_of_more_dimensions_multiply_the_elements() -> None:
    assert tf.function(lambda x: [1.0, 2.0] * x)(tf.constant(2.0)).numpy().tolist() == [2.0, 4.0]
    assert tf.function(lambda x: [1, 2] * x)(tf.constant([2, 3])).numpy().tolist() == [2, 6]
