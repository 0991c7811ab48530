"""Jacobians, derivatives along a direction, `gradients` of a graph, `check_gradients`."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

X = tf.constant([0.3, 0.4], tf.float64)
V = tf.constant([1.0, 2.0], tf.float64)


def f(x):
    return tf.stack([tf.sin(x[0]) * x[1], x[1] ** 3, x[0]])


JACOBIAN = np.array([[np.cos(0.3) * 0.4, np.sin(0.3)], [0.0, 3 * 0.16], [1.0, 0.0]])


def in_all_ways(function, *args):
    return [function(*args), tf.function(function)(*args)]


def test_jacobian():
    def by_tape(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.jacobian(y, x)

    for found in in_all_ways(by_tape, X):
        np.testing.assert_allclose(found, JACOBIAN)
    assert tf.function(by_tape).get_concrete_function(X).structured_outputs.shape == (3, 2)


def test_jacobian_of_structures():
    def by_tape(x, z):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, z])
            y = x * x[0]
        return tape.jacobian(y, {"x": x, "z": z}), tape.jacobian(y, z, unconnected_gradients="zero")

    for found, zeros in in_all_ways(by_tape, X, V):
        np.testing.assert_allclose(found["x"], [[0.6, 0.0], [0.4, 0.3]])
        assert found["z"] is None and zeros.numpy().tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_jacobian_through_a_loop():
    def by_tape(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = y * x
        return tape.jacobian(y, x)

    for found in in_all_ways(by_tape, X, tf.constant(2)):
        np.testing.assert_allclose(found, np.diag(3 * np.array([0.3, 0.4]) ** 2))


def test_hessian():
    def by_tapes(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(x**3) * x[0]
            g = inner.gradient(y, x)
        return outer.jacobian(g, x)

    for found in in_all_ways(by_tapes, tf.constant([1.0, 2.0])):
        np.testing.assert_allclose(found, [[12.0, 12.0], [12.0, 12.0]])


def test_batch_jacobian():
    def by_tape(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stack([x[:, 0] * x[:, 1], x[:, 1] ** 2, x[:, 0]], axis=1)
        return tape.batch_jacobian(y, x)

    for found in in_all_ways(by_tape, tf.constant([[1.0, 2.0], [3.0, 4.0]])):
        np.testing.assert_allclose(found, [[[2, 1], [0, 4], [1, 0]], [[4, 3], [0, 8], [1, 0]]])


def test_batch_jacobian_of_what_is_no_batch():
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x)
    with pytest.raises(ValueError, match=r"\(\).*\(1, 2\)"):
        tape.batch_jacobian(y, x)


def test_a_tape_that_is_used_has_no_jacobian():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = f(X)
    tape.jacobian(y, X)
    with pytest.raises(RuntimeError, match="persistent"):
        tape.jacobian(y, X)


def test_derivative_along_a_direction():
    def along(x):
        with tf.autodiff.ForwardAccumulator(x, V) as accumulator:
            y = f(x)
            inside = accumulator.jvp(y)
            constant = tf.constant(1.0)
        return inside, accumulator.jvp([y, x]), accumulator.jvp(constant)

    for inside, (again, same), nothing in in_all_ways(along, X):
        np.testing.assert_allclose(inside, JACOBIAN @ [1.0, 2.0])
        np.testing.assert_allclose(again, JACOBIAN @ [1.0, 2.0])
        assert same.numpy().tolist() == [1.0, 2.0] and nothing is None


def test_direction_through_a_function():
    with tf.autodiff.ForwardAccumulator(X, V) as accumulator:
        y = tf.function(f)(X)
    np.testing.assert_allclose(accumulator.jvp(y), JACOBIAN @ [1.0, 2.0])


def test_hessian_times_a_vector():
    def product(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0])) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x**3) * x[0]
            g = tape.gradient(y, x)
        return accumulator.jvp(g)

    for found in in_all_ways(product, tf.constant([1.0, 2.0])):
        np.testing.assert_allclose(found, [36.0, 36.0])


def test_direction_of_a_variable():
    v = tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(v, tf.constant(10.0)) as accumulator:
        y = v * v
    assert accumulator.jvp(y).numpy() == 60.0


@pytest.mark.parametrize(
    ("primals", "tangents", "message"),
    [([X], [X, X], "1 primals, and 2 tangents"), (X, tf.constant([1.0], tf.float64), r"\(1,\)"), (3, 4, "3")],
)
def test_directions_that_do_not_fit(primals, tangents, message):
    with pytest.raises(ValueError, match=message):
        tf.autodiff.ForwardAccumulator(primals, tangents)


def test_gradients_of_a_graph():
    w = tf.Variable(2.0)

    @tf.function
    def g(x):
        y = x * x * w
        z = -y
        if x > 0.0:
            z = y * y
        return tf.gradients(z, [x, w, y]), tf.gradients(z, x, grad_ys=10.0), tf.gradients(z, x, stop_gradients=[y])

    all_, scaled, stopped = g(tf.constant(3.0))
    assert [t.numpy() for t in all_] == [432.0, 324.0, 36.0]
    assert scaled[0].numpy() == 4320.0 and stopped == [None]


def test_gradients_needs_a_graph():
    with pytest.raises(RuntimeError, match="GradientTape"):
        tf.gradients(X, X)


def test_check_gradients():
    tf.autodiff.check_gradients(lambda x, n: tf.reduce_sum(tf.sin(x) * x), [0.3, 1.2], 3)
    tf.autodiff.check_gradients(tf.function(f), [0.3, 1.2])
    tf.autodiff.check_gradients(lambda x: x * x, tf.constant(1.5))


def test_check_gradients_finds_what_is_wrong():
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda upstream: upstream * x * 1.9

    @tf.custom_gradient
    def wrong_at_second(x):
        return x * x, lambda upstream: upstream * 2.0 * tf.stop_gradient(x)

    with pytest.raises(AssertionError, match=r"gradient by argument 0 at \[\] is .* but differences .* 2.24"):
        tf.autodiff.check_gradients(wrong, 1.0)
    tf.autodiff.check_gradients(wrong_at_second, 1.0, order=1)
    with pytest.raises(AssertionError, match="gradient of the gradient"):
        tf.autodiff.check_gradients(wrong_at_second, 1.0)
    with pytest.raises(ValueError, match="no argument"):
        tf.autodiff.check_gradients(wrong, 1)
    with pytest.raises(ValueError, match="order"):
        tf.autodiff.check_gradients(wrong, 1.0, order=3)


@pytest.mark.parametrize("n", [0, 1])
def test_gradients_in_branches_by_what_is_around(n):
    @tf.function
    def f(x, n):
        y = x * x
        if n > 0:
            g = tf.gradients(y * x, x)[0]
        else:
            g = tf.gradients(y, x)[0]
        return g

    assert f(tf.constant(3.0), tf.constant(n)).numpy() == [6.0, 27.0][n]


def test_gradients_in_loops_by_their_variables_alone():
    @tf.function
    def by_the_variable(x, n):
        y = g = x
        for _ in tf.range(n):
            g = tf.gradients(x * y * y, y)[0]
            y = y * 1.5
        return g

    @tf.function
    def by_what_is_before(x, n):
        y = g = x
        for _ in tf.range(n):
            y = y * x
            g = tf.gradients(y, x)[0]
        return g

    @tf.function
    def stopped(x, n):
        y = g = x
        for _ in tf.range(n):
            g = tf.gradients(y * x, x, stop_gradients=[y])[0]
            y = y * 2.0
        return g

    x, n = tf.constant(3.0), tf.constant(2)
    assert (by_the_variable(x, n).numpy(), stopped(x, n).numpy()) == (2 * 3 * 4.5, 6.0)
    with pytest.raises(Exception, match="gradients: a y depends on a variable that a staged loop changes"):
        by_what_is_before(x, n)


def test_gradients_in_a_handler_of_what_the_body_made():
    @tf.function
    def f(x, n, of_body):
        before = x * x
        try:
            y = before * x
            if n < 1:
                raise ValueError("no")
            g = x
        except ValueError:
            g = tf.gradients(y if of_body else before, x)[0]
        return g

    assert f(tf.constant(3.0), tf.constant(0), False).numpy() == 6.0
    with pytest.raises(Exception, match="a handler .*reads 'y' with the value that the body of the `try` gave it"):
        f(tf.constant(3.0), tf.constant(0), True)
