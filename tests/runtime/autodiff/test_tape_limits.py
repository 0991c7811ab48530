"""`GradientTape` at its limits: integers, constants, rows, scopes, shapes of the run, threads of tapes, mistakes."""

from __future__ import annotations

from contextvars import copy_context

import pytest

import runtime as tf
from tests.runtime.autodiff.test_tape import both


def test_integers_have_no_gradients():
    x = tf.constant(3)
    with tf.GradientTape() as tape:
        with pytest.warns(UserWarning, match="int32"):
            tape.watch(x)
        y = x * x
    with pytest.warns(UserWarning, match="int32"):
        assert tape.gradient(y, x) is None


def test_a_constant_of_the_trace():
    @tf.function
    def f():
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    assert f().numpy() == 6.0


def test_rows_of_a_tensor_are_known():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = sum(row * row for row in x)
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0, 6.0]


def test_init_scope_is_outside_of_tapes():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.init_scope():
            y = x * x
    assert tape.gradient(y, x) is None


def test_broadcasting_is_summed():
    def f(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = x * y
        return tape.gradient(z, [x, y])

    x, y = tf.constant([[1.0], [2.0]]), tf.constant([1.0, 2.0, 3.0])
    by_x, by_y = both(f, x, y)
    assert by_x.numpy().tolist() == [[6.0], [6.0]] and by_y.numpy().tolist() == [3.0, 3.0, 3.0]
    unknown = tf.function(f, input_signature=[tf.TensorSpec(None), tf.TensorSpec([None])])
    by_x, by_y = unknown(x, y)
    assert by_x.numpy().tolist() == [[6.0], [6.0]] and by_y.numpy().tolist() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda tape, x: tape.gradient(x, x), RuntimeError, "nothing was recorded"),
        (lambda tape, x: tape.watch(x), RuntimeError, "not open"),
        (lambda tape, x: tape.__enter__().watch(3.0), ValueError, r"3.0; make a tensor of it with runtime.constant"),
        (lambda tape, x: tape.__enter__().gradient(x, "x"), TypeError, "'x'"),
        (lambda tape, x: tape.__enter__().gradient("y", x), TypeError, "'y'"),
        (lambda tape, x: tape.__enter__().__enter__(), ValueError, "open already"),
    ],
)
def test_mistakes(use, error, message):
    with pytest.raises(error, match=message):
        copy_context().run(use, tf.GradientTape(), tf.constant(1.0))  # a tape that stays open is open in there


def test_tapes_that_are_closed_in_another_order():
    x = tf.constant(3.0)
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    first.watch(x)
    second.__enter__()
    second.watch(x)
    y = x * x
    first.__exit__(None, None, None)
    z = y * y
    second.__exit__(None, None, None)
    assert first.gradient(y, x).numpy() == 6.0 and second.gradient(z, x).numpy() == 108.0


def test_a_tape_in_a_generator():
    def values(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            yield y
            yield tape.gradient(y, x)

    x = tf.constant(3.0)
    steps = values(x)
    next(steps)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x * 5.0
        assert next(steps).numpy() == 6.0
    assert tape.gradient(z, x).numpy() == 5.0


@pytest.mark.parametrize("where", ["loop", "branch"])
@pytest.mark.parametrize("what", ["watch", "stop_recording", "reset"])
def test_what_a_tape_around_a_staged_statement_refuses_within(what, where):
    def change(tape, y):
        if what == "watch":
            tape.watch(y)
        elif what == "reset":
            tape.reset()
        else:
            with tape.stop_recording():
                y = y * 2.0
        return y * y

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            if where == "loop":
                for _ in tf.range(2):
                    y = change(tape, y * 1.0)
            elif x > 1.0:
                y = change(tape, y * 1.0)
        return tape.gradient(y, x)

    with pytest.raises(Exception, match=f"{what}: the tape was opened before a staged loop or branch"):
        f(tf.constant(2.0))


def test_what_is_from_outside_may_be_watched_within():
    @tf.function
    def f(x, n):
        with tf.GradientTape() as tape:
            y = x * 1.0
            for _ in tf.range(n):
                tape.watch(x)
                y = y * x
        return tape.gradient(y, x)

    assert f(tf.constant(2.0), tf.constant(2)).numpy() == 8.0


def test_an_eager_tape_in_a_trace():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.function(lambda x: x * x)(x)
        stopping = tf.function(lambda x: _stopped(tape, x))
        with pytest.raises(Exception, match="stop_recording: the tape was opened before"):
            stopping(x)
    assert tf.function(lambda z: z * tape.gradient(y, x))(tf.constant(10.0)).numpy() == 60.0


def _stopped(tape, x):
    with tape.stop_recording():
        return x * x
