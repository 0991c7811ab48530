"""`custom_gradient` and `recompute_grad`, eagerly and in graphs, in loops and branches, with Variables."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.ways import agree, gradient, same, tensors


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


def test_the_example_of_the_guides():
    x = tf.constant(100.0)
    plain = tf.function(lambda x: tf.math.log(1 + tf.exp(x)))
    assert np.isnan(gradient(plain, x)[0].numpy())
    for function in (log1pexp, tf.function(log1pexp)):
        assert gradient(function, x)[0].numpy() == 1.0
    inside = tf.function(lambda x: gradient(log1pexp, x))
    assert inside(x)[0].numpy() == 1.0


def test_gradients_of_the_gradient():
    agree(lambda x: log1pexp(x) * x, 0.7)


def test_clipping_gradients():
    @tf.custom_gradient
    def clip(x):
        return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -0.5, 0.5)

    def f(v):
        return clip(v * 10.0) * 2.0

    x = tf.constant(3.0)
    for function in (f, tf.function(f), tf.function(lambda x: gradient(f, x))):
        found = function(x)[0] if function not in (f,) and isinstance(function(x), list) else gradient(function, x)[0]
        assert found.numpy() == 5.0


def test_in_loops_and_branches():
    def f(x, n):
        y = x
        for _ in tf.range(n):
            if y > 1.0:
                y = log1pexp(y)
            else:
                y = y * 1.5
        return y

    agree(f, 1.3, 4)


def test_the_rule_counts_and_not_the_operations():
    @tf.custom_gradient
    def odd(x, y):
        return x * y, lambda upstream: (upstream * 100.0, None)

    def f(x, y):
        return odd(x, y) + y

    x, y = tensors([2.0, 3.0])
    for found in (gradient(f, x, y), gradient(tf.function(f), x, y), tf.function(lambda *a: gradient(f, *a))(x, y)):
        assert [g.numpy() for g in found] == [100.0, 1.0]


def test_structures():
    @tf.custom_gradient
    def f(pair, scale):
        x, y = pair

        def grad(first, second):
            return first * 2.0, second * 3.0, 7.0 * (first + second)

        return {"a": x * scale, "b": y}, grad

    def g(x, y):
        found = f([x, y], 4.0)
        return found["a"] + found["b"]

    x, y = tensors([2.0, 3.0])
    for function in (g, tf.function(g)):
        assert [t.numpy() for t in gradient(function, x, y)] == [2.0, 3.0]


def test_variables():
    w, fixed = tf.Variable(3.0), tf.Variable(5.0, trainable=False)

    @tf.custom_gradient
    def linear(x):
        def grad(upstream, variables=None):
            assert [v is w for v in variables] == [True]
            return upstream * w * 10.0, [upstream * x * 100.0]

        return x * w * fixed, grad

    def by_all(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = linear(x)
        return tape.gradient(y, [x, w, fixed])

    x = tf.constant(2.0)
    around = tf.function(linear)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = around(x)
    for found in (by_all(x), tf.function(by_all)(x), tape.gradient(y, [x, w, fixed])):
        assert [None if g is None else g.numpy() for g in found] == [30.0, 200.0, None]


def test_variables_that_the_rule_does_not_take():
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def linear(x):
        return x * w, lambda upstream: upstream * w

    with pytest.raises(TypeError, match="linear.*Variable:0.*`variables`"):
        linear(tf.constant(1.0))


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (lambda upstream: (upstream, upstream), ValueError, "expected to return 1 gradients of arg.* returned 2"),
        (lambda upstream: tf.constant([1.0, 2.0]), ValueError, r"shape \(2,\)"),
        (None, TypeError, "must return its result and a function"),
    ],
)
def test_mistakes(rule, error, message):
    @tf.custom_gradient
    def f(x):
        return x * 2.0, rule

    with pytest.raises(error, match=message):
        gradient(f, tf.constant(1.0))


def test_custom_gradients_within_each_other():
    @tf.custom_gradient
    def outer(x):
        y = log1pexp(x)
        return y * y, lambda upstream: upstream * 2.0 * y * tf.sigmoid(x)

    agree(lambda x: outer(x) * x, 0.7)


def test_a_concrete_function_in_another_trace():
    concrete = tf.function(log1pexp).get_concrete_function(tf.TensorSpec([], tf.float64))
    agree(lambda x: concrete(x) * x if isinstance(x, tf.Tensor) else x, 0.7)


def test_recomputing():
    w = tf.Variable(1.3, dtype=tf.float64)
    runs = []

    @tf.recompute_grad
    def f(x):
        runs.append(1)
        for _ in range(3):
            x = tf.sin(x) * w
        return x

    plain = f.__wrapped__

    def by_all(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x) * x
        return tape.gradient(y, [x, w])

    x = tf.constant(0.7, tf.float64)
    wanted = by_all(plain, x)
    same(by_all(f, x), wanted)
    assert len(runs) == 3
    same(tf.function(lambda x: by_all(f, x))(x), wanted)
    same(by_all(tf.function(f), x), wanted)
    agree(lambda x: f(x) * x, 0.7)


def test_recomputing_keeps_nothing():
    held = []

    @tf.recompute_grad
    def f(x):
        y = tf.exp(x)
        held.append(y)
        return tf.reduce_sum(y * y)

    import gc
    import weakref

    x = tf.constant(np.ones(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        middle = weakref.ref(held.pop())
        gc.collect()
        assert middle() is None
    np.testing.assert_allclose(tape.gradient(y, x), 2 * np.exp(2.0) * np.ones(3))


def test_stop_gradient():
    def f(x):
        return x * tf.stop_gradient(x * x)

    x = tf.constant(3.0)
    for function in (f, tf.function(f)):
        assert gradient(function, x)[0].numpy() == 9.0


def test_the_rule_costs_nothing_when_the_graph_runs():
    f = tf.function(lambda x: log1pexp(x) + 1.0)
    concrete = f.get_concrete_function(tf.constant(1.0))
    assert "custom_gradient" in concrete.graph.as_text()
    assert "custom_gradient" not in concrete.optimized_graph.as_text()


@pytest.mark.parametrize("trainable", [True, False])
def test_a_function_that_is_computed_again_after_its_variable_has_changed(trainable):
    v = tf.Variable(2.0, trainable=trainable, name="scale")
    squared = tf.function(lambda x: x * v * v)

    def slope(x, changed, inner):
        f = tf.recompute_grad(lambda x: squared(x) if inner else x * v * v)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(2):
                y = f(y)
            if changed:
                v.assign(v + 3.0)
            else:
                v.assign(v + 0.0)
        return tape.gradient(y, x)

    x = tf.constant(3.0)
    for inner in (False, True):
        for way in (slope, tf.function(slope)):
            v.assign(2.0)
            assert way(x, tf.constant(False), inner).numpy() == 16.0
            with pytest.raises(RuntimeError, match="'scale:0', which it reads, has another value now"):
                way(x, tf.constant(True), inner)
