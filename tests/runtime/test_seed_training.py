"""Programs of the guides with tapes, optimizers and datasets, with one line changed: `import runtime as tf`."""

import contextlib
import io
import sys

import numpy as np
import pytest

import runtime as tf


def test_the_gradient_of_a_function() -> None:
    @tf.function
    def add(a, b):
        return a + b

    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        result = add(v, 1.0)
    assert repr(tape.gradient(result, v)) == "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"


def measure_graph_size(f, *args):
    g = f.get_concrete_function(*args).graph
    return len(g.as_graph_def().node)


def test_graphs_do_not_grow_with_the_data_of_a_dataset() -> None:
    @tf.function
    def train(dataset):
        loss = tf.constant(0)
        for x, y in dataset:
            loss += tf.abs(y - x)  # Some dummy computation.
        return loss

    small_data = [(1, 1)] * 3
    big_data = [(1, 1)] * 10
    assert (measure_graph_size(train, small_data), measure_graph_size(train, big_data)) == (11, 32)
    small, big = (
        tf.data.Dataset.from_generator(lambda data=data: data, (tf.int32, tf.int32)) for data in (small_data, big_data)
    )
    assert measure_graph_size(train, small) == measure_graph_size(train, big) < 11
    far = tf.data.Dataset.from_generator(lambda: [(1, 5), (7, 4)], (tf.int32, tf.int32))
    assert train(far).numpy() == 7


def test_an_iterator_of_a_dataset_advances_with_each_call() -> None:
    @tf.function
    def good_consume_next(iterator):
        # This is ok, iterator is a tf.data.Iterator
        tf.print("Value:", next(iterator), output_stream=sys.stdout)

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        iterator = iter(tf.data.Dataset.range(10))
        for _ in range(3):
            good_consume_next(iterator)
    assert out.getvalue() == "Value: 0\nValue: 1\nValue: 2\n"
    assert good_consume_next.experimental_get_tracing_count() == 1


class Adam:
    """The method as its paper has it, in numpy."""

    def __init__(self, rate: float) -> None:
        self.rate, self.m, self.v, self.step = rate, 0.0, 0.0, 0

    def change(self, slope: float) -> float:
        self.step += 1
        self.m, self.v = 0.9 * self.m + 0.1 * slope, 0.999 * self.v + 0.001 * slope**2
        m, v = self.m / (1 - 0.9**self.step), self.v / (1 - 0.999**self.step)
        return -self.rate * m / (np.sqrt(v) + 1e-7)


def slope_at(w: float) -> float:
    return 2 * (w * -1.0 - 2.0) * -1.0


def train_step(w, x, y, optimizer):
    with tf.GradientTape() as tape:
        L = tf.reduce_sum(tf.square(w * x - y))
    gradients = tape.gradient(L, [w])
    optimizer.apply_gradients(zip(gradients, [w], strict=True))


def test_one_function_for_two_optimizers() -> None:
    """The guide shows a ValueError at the second one; here each creates its Variables when it is first used."""
    step = tf.function(train_step)
    w, x, y = tf.Variable(2.0), tf.constant([-1.0]), tf.constant([2.0])
    wanted = 2.0
    for rate in (1e-2, 1e-3):
        step(w, x, y, tf.keras.optimizers.Adam(learning_rate=rate))
        wanted += Adam(rate).change(slope_at(wanted))
        assert w.numpy() == pytest.approx(wanted, rel=1e-6)


def test_a_concrete_function_for_each_optimizer() -> None:
    opt1 = tf.keras.optimizers.Adam(learning_rate=1e-2)
    opt2 = tf.keras.optimizers.Adam(learning_rate=1e-3)
    w, x, y = tf.Variable(2.0), tf.constant([-1.0]), tf.constant([2.0])

    # Not decorated: a Function for each optimizer.
    train_step_1 = tf.function(train_step).get_concrete_function(w, x, y, opt1)
    train_step_2 = tf.function(train_step).get_concrete_function(w, x, y, opt2)
    wanted, methods = 2.0, (Adam(1e-2), Adam(1e-3))
    for i in range(10):
        if i % 2 == 0:
            train_step_1(w, x, y)  # `opt1` is not used as a parameter.
        else:
            train_step_2(w, x, y)
        wanted += methods[i % 2].change(slope_at(wanted))
    assert w.numpy() == pytest.approx(wanted, rel=1e-5)
    assert (opt1.iterations.numpy(), opt2.iterations.numpy()) == (5, 5)
