"""What conditions can hold in one run: both branches, `not`, `and`, `or`, selects and numbers of branches are known."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.control_flow.branches.possible import can_be


def _traced(check: Any) -> None:
    """Calls it with two bool tensors of a graph, and a number."""

    @tf.function
    def program(p, q, k):
        tf.autograph.experimental.do_not_convert(check)(p, q, k)
        return p

    program.get_concrete_function(
        tf.TensorSpec([], tf.bool), tf.TensorSpec([], tf.bool), tf.TensorSpec([], tf.int32)
    )


def test_conditions() -> None:
    def check(p, q, k):
        assert can_be([(p, True), (q, False)])
        assert not can_be([(p, True), (p, False)])
        assert not can_be([(p, True), (tf.logical_not(p), True)])
        assert not can_be([(tf.logical_and(p, q), True), (q, False)])
        assert not can_be([(tf.logical_or(p, q), False), (q, True)])
        assert can_be([(tf.logical_or(p, q), True), (q, False)])
        assert not can_be([(tf.where(p, q, tf.logical_not(q)), True), (p, True), (q, False)])
        assert can_be([(tf.where(p, q, tf.logical_not(q)), True), (p, False), (q, False)])

    _traced(check)


def test_branches() -> None:
    def check(p, q, k):
        found = tf.cond(p, lambda: False, lambda: q)
        assert not can_be([(found, True), (p, True)])
        assert not can_be([(found, True), (q, False)])
        assert can_be([(found, True), (p, False)])
        number = tf.cond(p, lambda: 2, lambda: tf.cond(q, lambda: 1, lambda: 0))
        assert not can_be([(number, 2), (p, False)])
        assert not can_be([(number, 1), (q, False)])
        assert not can_be([(tf.equal(number, 0), True), (q, True), (p, False)])
        assert can_be([(number, 1), (p, False)])

    _traced(check)


def test_what_nothing_is_known_of() -> None:
    def check(p, q, k):
        assert can_be([(k > 1, True), (k < 0, True)])
        assert can_be([(k, 3), (tf.equal(k, 3), False)])

    _traced(check)


def test_many_conditions_end() -> None:
    def check(p, q, k):
        flag = p
        for i in range(2000):
            flag = tf.logical_and(tf.logical_or(flag, k > i), k != i)
        assert can_be([(flag, True), (p, False)])

    _traced(check)
