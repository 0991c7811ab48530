"""`GradientTape` in and around `try`, branches and loops: what it records there, and what it cannot know."""

from __future__ import annotations

import pytest

import runtime as tf


def opened_in_a_try(x, n):
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            if n < 1:
                raise ValueError("no")
            y = x * x
        g = tape.gradient(y, x)
    except ValueError:
        g = -x
    return g


def opened_in_a_try_before_what_raises(x, n):
    g = x
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * tf.cast(4 // n, tf.float32)
        g = tape.gradient(y, x)
    except tf.errors.InvalidArgumentError:
        g = -x
    finally:
        g = g * 2.0
    return g


def made_before_the_try(x, n):
    tape = tf.GradientTape()
    try:
        with tape:
            tape.watch(x)
            if n < 1:
                raise ValueError("no")
            y = x * x
        g = tape.gradient(y, x)
    except ValueError:
        g = -x
    return g


def opened_in_each_iteration(x, n):
    g = x
    for i in tf.range(3):
        try:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
                if i + n > 2:
                    raise ValueError("no")
            g = g + tape.gradient(y, x)
        except ValueError:
            g = -g
    return g


def opened_around_the_try(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        try:
            if n < 1:
                raise ValueError("no")
            y = y * x
        except ValueError:
            y = y * 5.0
    return tape.gradient(y, x)


PROGRAMS = [
    opened_in_a_try, opened_in_a_try_before_what_raises, made_before_the_try, opened_in_each_iteration,
    opened_around_the_try,
]  # fmt: skip


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_tapes_and_exceptions(program, n):
    x, count = tf.constant(3.0), tf.constant(n)
    assert tf.function(program)(x, count).numpy() == program(x, count).numpy()


def test_what_a_tape_in_a_loop_computes_is_no_state_of_it():
    @tf.function
    def f(x, n):
        total = x
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                tape.watch(total)
                loss = total * total
            total = total - 0.1 * tape.gradient(loss, total)
        return total

    concrete = f.get_concrete_function(tf.constant(1.0), tf.constant(2))
    (loop,) = [o for o in concrete.graph.get_operations() if o.type == "while"]
    assert [t.dtype for t in loop.outputs] == [tf.int32, tf.float32]
    assert abs(f(tf.constant(1.0), tf.constant(2)).numpy() - 0.64) < 1e-6
