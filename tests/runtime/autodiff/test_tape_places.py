"""`GradientTape` in and around `try`, branches and loops: what it records there, and what it cannot know."""

from __future__ import annotations

import pytest

import autograph
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


def opened_again_in_a_branch(x, n):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    if n > 0:
        with tape:
            z = y * y
        g = tape.gradient(z, x)
    else:
        g = tape.gradient(y, x)
    return g


def opened_anew_in_each_iteration(x, n):
    tape = tf.GradientTape(persistent=True)
    g = x
    for _ in tf.range(n):
        with tape:
            tape.watch(x)
            y = x * x
        g = g + tape.gradient(y, x)
    return g


def asked_in_a_handler(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        try:
            if n < 1:
                raise ValueError("no")
            g = x
        except ValueError:
            g = tape.gradient(y, x)
    return g


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize(
    "program", [opened_again_in_a_branch, opened_anew_in_each_iteration, asked_in_a_handler], ids=lambda p: p.__name__
)
def test_tapes_that_are_opened_and_asked_in_parts(program, n):
    x, count = tf.constant(3.0), tf.constant(n)
    assert tf.function(program)(x, count).numpy() == program(x, count).numpy()


def ended_in_branches(x, n):
    tape = tf.GradientTape(persistent=True)
    if n > 0:
        with tape:
            tape.watch(x)
            y = x * x
    else:
        with tape:
            tape.watch(x)
            y = x * 3.0
    return tape.gradient(y, x)


def ended_in_a_loop(x, n):
    tape = tf.GradientTape()
    y = x
    for _ in tf.range(n):
        with tape:
            tape.watch(x)
            y = x * x
    return tape.gradient(y, x)


def ended_in_the_body_of_a_try(x, n):
    tape = tf.GradientTape(persistent=True)
    y = x
    try:
        with tape:
            tape.watch(x)
            y = x * x
            if n < 1:
                raise ValueError("no")
    except ValueError:
        return tape.gradient(y, x)
    return x


def ended_again_in_a_branch(x, n):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    if n > 0:
        with tape:
            y = y * y
    return tape.gradient(y, x)


@pytest.mark.parametrize(
    "program",
    [ended_in_branches, ended_in_a_loop, ended_in_the_body_of_a_try, ended_again_in_a_branch],
    ids=lambda program: program.__name__,
)
def test_what_was_recorded_in_a_statement_that_has_ended_is_refused(program):
    with pytest.raises(Exception, match="which has come to its end.*or open the tape around it"):
        tf.function(program)(tf.constant(3.0), tf.constant(1))


def test_what_was_recorded_in_a_function_is_refused_outside():
    tape = tf.GradientTape(persistent=True)

    @tf.function
    def f(x):
        with tape:
            tape.watch(x)
            return x * x

    x = tf.constant(3.0)
    y = f(x)
    with pytest.raises(autograph.StagingError, match="or Function.*which has come to its end"):
        tape.gradient(y, x)
    with tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    with pytest.raises(Exception, match="with: the tape was opened before"):
        tf.function(lambda x: f.python_function(x) * 2.0)(x)


def test_what_a_tape_keeps_of_earlier_iterations_is_refused():
    @tf.function
    def f(x, n):
        tape = tf.GradientTape(persistent=True)
        y = g = x
        for _ in tf.range(n):
            with tape:
                tape.watch(x)
                y = y * x
            g = tape.gradient(y, x)
        return g

    with pytest.raises(Exception, match="made before it and keeps what it records"):
        f(tf.constant(3.0), tf.constant(2))


def remembered(x, n):
    y = tf.zeros([])
    try:
        y = x * x
        if n < 1:
            raise ValueError("no")
        y = y * x
    except ValueError:
        y = y * 5.0
    return y


def remembered_but_not_dependent(x, n):
    k = tf.constant(2.0)
    try:
        k = k * 3.0
        if n < 1:
            raise ValueError("no")
        y = x
    except ValueError:
        y = k * x * x
    return y


def remembered_or_as_before(x, n):
    y = x * x
    try:
        if n < 1:
            raise ValueError("no")
        y = tf.stop_gradient(y * 2.0)
        if n < 2:
            raise ValueError("no")
    except ValueError:
        y = y * 5.0 * x
    return y


def slope(f):
    def g(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n)
        return tape.gradient(y, x, unconnected_gradients="zero")

    return g


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize(
    "program", [remembered, remembered_but_not_dependent, remembered_or_as_before], ids=lambda p: p.__name__
)
def test_the_gradient_of_what_a_handler_has_from_the_body(program, n):
    x, count = tf.constant(3.0), tf.constant(n)
    for staged in (slope(tf.function(program)), tf.function(slope(program))):
        assert staged(x, count).numpy() == slope(program)(x, count).numpy()
