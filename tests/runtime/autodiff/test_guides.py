"""The programs of the guides on eager execution, tapes and functions that take gradients, as they stand there."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

STAGED = pytest.mark.parametrize("staged", [False, True])


def as_is(function, staged):
    return tf.function(function) if staged else function


@STAGED
def test_gradient_of_a_square(staged):
    w = tf.Variable([[1.0]])

    def f():
        with tf.GradientTape() as tape:
            loss = w * w
        return tape.gradient(loss, w)

    assert as_is(f, staged)().numpy().tolist() == [[2.0]]


@STAGED
def test_intermediate_values(staged):
    def f(x):
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.reduce_sum(x)
            z = tf.multiply(y, y)
        return t.gradient(z, [x, y])

    by_x, by_y = as_is(f, staged)(tf.ones((2, 2)))
    assert by_x.numpy().tolist() == [[8.0, 8.0], [8.0, 8.0]] and by_y.numpy() == 8.0


@STAGED
def test_control_flow_of_python_is_recorded(staged):
    def f(x, y):
        output = 1.0
        for i in range(y):
            if i > 1 and i < 5:
                output = tf.multiply(output, x)
        return output

    def grad(x, y):
        with tf.GradientTape() as t:
            t.watch(x)
            out = f(x, y)
        return t.gradient(out, x)

    x = tf.convert_to_tensor(2.0)
    assert [as_is(grad, staged)(x, y).numpy() for y in (6, 5, 4)] == [12.0, 12.0, 4.0]
    if staged:
        loops = tf.function(grad)
        assert [loops(x, tf.constant(y)).numpy() for y in (6, 5, 4)] == [12.0, 12.0, 4.0]


@STAGED
def test_higher_order(staged):
    x = tf.Variable(1.0)

    def f():
        with tf.GradientTape() as t, tf.GradientTape() as t2:
            y = x * x * x
        dy_dx = t2.gradient(y, x)
        return dy_dx, t.gradient(dy_dx, x)

    def nested():
        with tf.GradientTape() as t:
            with tf.GradientTape() as t2:
                y = x * x * x
            dy_dx = t2.gradient(y, x)
        return dy_dx, t.gradient(dy_dx, x)

    assert [g.numpy() for g in as_is(nested, staged)()] == [3.0, 6.0]
    first, second = as_is(f, staged)()
    assert first.numpy() == 3.0 and second is None


@STAGED
def test_linear_regression(staged):
    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.W = tf.Variable(5.0, name="weight")
            self.B = tf.Variable(10.0, name="bias")

        def __call__(self, inputs):
            return inputs * self.W + self.B

    numbers = np.random.default_rng(0)
    inputs = tf.constant(numbers.normal(size=2000).astype(np.float32))
    outputs = inputs * 3 + 2 + tf.constant(numbers.normal(size=2000).astype(np.float32))

    def loss(model, inputs, targets):
        return tf.reduce_mean(tf.square(model(inputs) - targets))

    def grad(model, inputs, targets):
        with tf.GradientTape() as tape:
            loss_value = loss(model, inputs, targets)
        return tape.gradient(loss_value, [model.W, model.B])

    model = Linear()
    optimizer = tf.optimizers.SGD(learning_rate=0.01)

    def step():
        optimizer.apply_gradients(zip(grad(model, inputs, outputs), [model.W, model.B], strict=True))

    before = loss(model, inputs, outputs).numpy()
    run = as_is(step, staged)
    for _ in range(300):
        run()
    assert before > 60 and loss(model, inputs, outputs).numpy() < 1.1
    np.testing.assert_allclose([model.W.numpy(), model.B.numpy()], [3.0, 2.0], atol=0.1)


@STAGED
def test_backtracking_line_search(staged):
    def line_search_step(fn, init_x, rate=1.0):
        with tf.GradientTape() as tape:
            tape.watch(init_x)
            value = fn(init_x)
        grad = tape.gradient(value, init_x)
        grad_norm = tf.reduce_sum(grad * grad)
        init_value = value
        while value > init_value - rate * grad_norm:
            x = init_x - rate * grad
            value = fn(x)
            rate /= 2.0
        return x, value

    def search(start):
        return line_search_step(lambda x: tf.reduce_sum(x * x * x * x), start)

    start = tf.constant([1.0, -0.5])
    x, value = as_is(search, staged)(start)
    rate, wanted, limit = 1.0, 1e9, None
    point = np.array([1.0, -0.5])
    slope = 4 * point**3
    limit = (point**4).sum()
    wanted = limit
    while wanted > limit - rate * (slope**2).sum():
        moved = point - rate * slope
        wanted = (moved**4).sum()
        rate /= 2
    np.testing.assert_allclose(x, moved, rtol=1e-6)
    np.testing.assert_allclose(value, wanted, rtol=1e-6)


@STAGED
def test_clip_gradient_by_norm(staged):
    @tf.custom_gradient
    def clip_gradient_by_norm(x, norm):
        y = tf.identity(x)

        def grad_fn(dresult):
            return [tf.clip_by_norm(dresult, norm), None]

        return y, grad_fn

    def f(v):
        with tf.GradientTape() as t:
            t.watch(v)
            output = clip_gradient_by_norm(v * v, 0.5)
            total = tf.reduce_sum(output * 3.0)
        return t.gradient(total, v)

    v = tf.constant([2.0, 3.0])
    scale = 0.5 / np.sqrt(18.0)
    np.testing.assert_allclose(as_is(f, staged)(v), 2 * np.array([2.0, 3.0]) * 3 * scale, rtol=1e-6)


def test_a_function_within_a_tape():
    @tf.function
    def add(a, b):
        return a + b

    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        result = add(v, 1.0)
    assert tape.gradient(result, v).numpy() == 1.0


def test_a_training_step_with_a_model_and_optimizers():
    class Network(tf.Module):
        def __init__(self):
            super().__init__()
            self.dense = tf.layers.Dense(1)

        def __call__(self, x):
            return self.dense(x)

    model, optimizer = Network(), tf.optimizers.Adam(0.1)
    x = tf.constant(np.random.default_rng(1).normal(size=(64, 2)).astype(np.float32))
    y = tf.reduce_sum(x * [2.0, -1.0], axis=1, keepdims=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    first = train_step(x, y).numpy()
    for _ in range(200):
        last = train_step(x, y).numpy()
    assert last < first / 1000 and train_step.experimental_get_tracing_count() == 1
