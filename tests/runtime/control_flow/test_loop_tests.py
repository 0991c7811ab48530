"""The test of a staged loop: what it assigns is state, what it prints is printed as often as in Python."""

from __future__ import annotations

import pytest

import runtime as tf


def count_up(limit):
    n = 0
    while (n := n + 1) < limit:
        pass
    return n


def nested(limit):
    total, k = 0, 0
    while (k := k + 2) < limit:
        while (total := total + 1) % (k + 1) != 0:
            pass
    return total, k


@pytest.mark.parametrize("limit", [-3, 0, 1, 2, 5, 40])
@pytest.mark.parametrize("function", [count_up, nested])
def test_a_walrus_in_the_test_is_state(function, limit):
    staged = tf.function(function)(tf.constant(limit))
    assert tf.nest.map_structure(int, staged) == function(limit)


def test_effects_of_the_test_happen_once_an_evaluation(capfd):
    def loud(n):
        tf.print("test", n)
        return n > 0

    @tf.function
    def down(n):
        while loud(n):
            n -= 1
        return n

    assert int(down(tf.constant(2))) == 0
    assert capfd.readouterr().err.split("\n")[:-1] == ["test 2", "test 1", "test 0"]
