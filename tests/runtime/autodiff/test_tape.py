"""`GradientTape`: what it watches and records, what it gives, and what it says where it cannot."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as tf


def both(function, *args):
    """The results of a function eagerly and as a Function, which must agree."""
    eager = function(*args)
    staged = tf.function(function)(*args)
    for a, b in zip(tf.nest.flatten(eager), tf.nest.flatten(staged), strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6)
    return eager


def test_gradient_of_a_watched_tensor():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    assert both(f, tf.constant(3.0)).numpy() == 6.0


def test_what_is_not_watched_has_no_gradient():
    def f(x, z):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * z
        return tape.gradient(y, z), tape.gradient(z, x), tape.gradient(y, [x])

    unwatched, unconnected, (known,) = both(f, tf.constant(3.0), tf.constant(4.0))
    assert unwatched is None and unconnected is None and known.numpy() == 4.0


def test_zeros_for_what_is_not_connected():
    def f(x, z):
        with tf.GradientTape() as tape:
            tape.watch([x, z])
            y = x * 2.0
        return tape.gradient(y, [x, z], unconnected_gradients=tf.UnconnectedGradients.ZERO)

    first, second = both(f, tf.constant(3.0), tf.constant([4.0, 5.0]))
    assert first.numpy() == 2.0 and second.numpy().tolist() == [0.0, 0.0]


def test_unconnected_gradients_takes_its_text_and_nothing_else():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert tape.gradient(tf.constant(2.0), x, unconnected_gradients="zero").numpy() == 0.0
    with pytest.raises(ValueError, match="nothing"), tf.GradientTape(persistent=True) as tape:
        tape.gradient(x, x, unconnected_gradients="nothing")


def test_a_tensor_by_itself():
    def f(x):
        with tf.GradientTape() as tape:
            x = x * 1.0
        return tape.gradient(x, [x])

    assert both(f, tf.constant([3.0, 4.0]))[0].numpy().tolist() == [1.0, 1.0]


def test_structures_of_sources_and_targets():
    def f(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            p, q = a * b, a + b
        return tape.gradient([p, (q,)], {"b": b, "a": (a,)})

    found = both(f, tf.constant(3.0), tf.constant(4.0))
    assert found["a"][0].numpy() == 5.0 and found["b"].numpy() == 4.0


def test_output_gradients():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x, output_gradients=[1.0, 10.0])

    assert both(f, tf.constant([3.0, 4.0])).numpy().tolist() == [6.0, 80.0]


def test_output_gradients_that_do_not_fit():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ValueError, match="1 targets, and 2 output_gradients"):
        tape.gradient([y], x, output_gradients=[y, y])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(3,\)"):
        tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0, 3.0]))


def test_intermediates_are_sources():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            z = y * y
        return tape.gradient(z, [y, x])

    y, x = both(f, tf.constant(3.0))
    assert (y.numpy(), x.numpy()) == (18.0, 108.0)


def test_variables_are_watched_when_they_are_read():
    v, fixed = tf.Variable([1.0, 2.0]), tf.Variable(2.0, trainable=False)

    def f():
        with tf.GradientTape() as tape:
            y = v * fixed
        return tape.gradient(y, [v, fixed])

    by_v, by_fixed = both(f)
    assert by_v.numpy().tolist() == [2.0, 2.0] and by_fixed is None


def test_a_variable_that_is_the_target_itself():
    v, other = tf.Variable([3.0, 4.0]), tf.Variable(1.0)
    fixed = tf.Variable([3.0, 4.0], trainable=False)

    def f():
        with tf.GradientTape() as tape:
            y = v
        with tf.GradientTape(persistent=True) as rows:
            z = v
        with tf.GradientTape(watch_accessed_variables=False) as blind:
            w = v
        with tf.GradientTape() as still:
            u = fixed
        by_both = rows.gradient(z, [v, other], output_gradients=tf.constant([2.0, 5.0]))
        return tape.gradient(y, v), *by_both, rows.jacobian(z, v), blind.gradient(w, v), still.gradient(u, fixed)

    one, two, by_other, jacobian, unwatched, of_fixed = both(f)
    assert one.numpy().tolist() == [1, 1] and two.numpy().tolist() == [2, 5] and by_other is None
    assert jacobian.numpy().tolist() == [[1, 0], [0, 1]] and unwatched is None and of_fixed is None


def test_watched_variables():
    v, w, fixed = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    seen = []

    def f():
        with tf.GradientTape() as tape:
            y = w * v * fixed + w
        seen.append(tape.watched_variables())
        return y

    both(f)
    assert [[x is a for x, a in zip(found, (w, v), strict=True)] for found in seen] == [[True, True]] * 2


def test_variables_that_are_not_watched_by_themselves():
    v, w = tf.Variable(3.0), tf.Variable(4.0)

    def f():
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(v)
            y = v * v * w
        return tape.gradient(y, [v, w])

    by_v, by_w = both(f)
    assert by_v.numpy() == 24.0 and by_w is None


def test_variables_that_are_arguments():
    def f(v):
        with tf.GradientTape() as tape:
            y = v * v
        return tape.gradient(y, v)

    assert both(f, tf.Variable(5.0)).numpy() == 10.0


def test_reads_before_and_after_an_assignment_count():
    def f():
        v = made
        with tf.GradientTape() as tape:
            y = v * v
            v.assign(y + 1.0)
            z = v * 10.0 + y
        return tape.gradient(z, v)

    made = tf.Variable(3.0)
    assert f().numpy() == 16.0
    made.assign(3.0)
    assert tf.function(f)().numpy() == 16.0


def test_a_tape_serves_once_unless_it_is_persistent():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, x)


def test_a_persistent_tape():
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * y
        return tape.gradient(z, x), tape.gradient(y, x)

    z, y = both(f, tf.constant(3.0))
    assert (z.numpy(), y.numpy()) == (108.0, 6.0)


def test_nested_tapes():
    def f(x):
        with tf.GradientTape() as third:
            third.watch(x)
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch(x)
                    y = tf.sin(x) * x
                one = first.gradient(y, x)
            two = second.gradient(one, x)
        return one, two, third.gradient(two, x)

    found = [g.numpy() for g in both(f, tf.constant(0.7, tf.float64))]
    sin, cos = math.sin(0.7), math.cos(0.7)
    np.testing.assert_allclose(found, [0.7 * cos + sin, 2 * cos - 0.7 * sin, -3 * sin - 0.7 * cos], rtol=1e-12)


def test_a_persistent_tape_records_its_own_gradients():
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x * x
            first = tape.gradient(y, x)
        return tape.gradient(first, x)

    assert both(f, tf.constant(2.0)).numpy() == 12.0


def test_stop_recording():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                z = y * y
            w = y + z
        return tape.gradient(w, x)

    assert both(f, tf.constant(3.0)).numpy() == 6.0


def test_reset():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            tape.reset()
            tape.watch(x)
            y = y + x
        return tape.gradient(y, x)

    assert both(f, tf.constant(3.0)).numpy() == 1.0


def test_what_was_computed_before_it_was_watched_does_not_count():
    def f(x):
        with tf.GradientTape() as tape:
            y = x * x
            tape.watch(x)
            z = y + x
        return tape.gradient(z, x)

    assert both(f, tf.constant(3.0)).numpy() == 1.0


def test_what_is_computed_outside_does_not_count():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        z = y * 2.0
        return tape.gradient(z, x)

    assert both(f, tf.constant(3.0)) is None
