"""`try` around operations that raise when the graph runs: indices, divisors, and the buffers that handlers read."""

from __future__ import annotations

import runtime as tf
from tests.runtime.comparing import observe


def test_operations_that_raise_when_the_graph_runs() -> None:
    def divides(x):
        try:
            y = 12 // x
        except (ValueError, ZeroDivisionError):
            y = -1
        return y

    def result_is_not_read(x):
        found = True
        try:
            tf.gather(tf.constant([1, 2, 3]), x)
        except IndexError:
            found = False
        except ValueError:
            found = False
        return found

    def in_a_branch_of_the_body(x):
        y = 0
        try:
            if x > 0:
                y = tf.constant([4, 5])[x]
        except (IndexError, ValueError):
            y = 7
        return y

    for program in (divides, result_is_not_read, in_a_branch_of_the_body):
        staged = tf.function(program)
        for x in (0, 1, 2, 3, 5):
            expected, _ = observe(program, tf.constant(x))
            result, _ = observe(staged, tf.constant(x))
            assert result == expected, (program.__name__, x)
        assert staged.experimental_get_tracing_count() == 1


def test_what_the_body_computes_is_kept_for_the_handler() -> None:
    """The buffers that a handler reads are not written to by the body that failed."""

    def program(values, x):
        total = values * 2.0
        try:
            other = total + 1.0
            if x > 0:
                raise ValueError
            result = other * total
        except ValueError:
            result = total
        return result

    staged = tf.function(program)
    values = tf.ones([1000]) * 3.0
    for x in (1, 0, 1):
        expected = program(values, x)
        assert tf.reduce_all(staged(values, tf.constant(x)) == expected)
