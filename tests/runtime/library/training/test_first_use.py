"""Layers that make their weights in a branch or loop that depends on a tensor: as if they had been called before it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

X = np.arange(1.0, 7.0, dtype=np.float32).reshape(3, 2)


class Scale(tf.keras.layers.Layer):
    """Multiplies by three, with a weight of threes; counts how often it is built."""

    builds = 0

    def build(self, input_shape: Any) -> None:
        type(self).builds += 1
        self.factor = self.add_weight("factor", shape=[input_shape[-1]], initializer="ones")
        self.factor.assign(self.factor * 3.0)

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor


class Deep(tf.keras.layers.Layer):
    """Layers made in `__init__` and in `build`, in attributes and in a list, one of them used in a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Scale()
        self.parts: list[Any] = []
        self.more: Any = ()

    def build(self, input_shape: Any) -> None:
        self.parts.append(Scale())
        self.more = (Scale(),)

    def call(self, inputs: Any) -> Any:
        x = self.first(inputs)
        if tf.reduce_sum(x) > -1e9:
            x = self.parts[0](x)
        for part in self.more:
            x = part(x)
        return x


@pytest.fixture(params=[(Scale, 1), (Deep, 3)], ids=["one layer", "layers in layers"])
def model(request: Any) -> Any:
    made, power = request.param
    Scale.builds = 0
    found = made()
    found.power = power
    yield found
    assert Scale.builds == power == len(found.trainable_variables)


def test_in_a_loop(model):
    @tf.function
    def total(x, n):
        y = tf.zeros_like(x)
        for _ in tf.range(n):
            y += model(x)
        return y

    for n in (3, 0, 1):
        np.testing.assert_allclose(total(X, tf.constant(n)), n * X * 3.0**model.power)
    assert total.experimental_get_tracing_count() == 1


def test_what_a_layer_changes_of_its_class_is_not_another_threads(model):
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        staged = tf.function(lambda x: model(x))
        for _ in range(2):
            np.testing.assert_allclose(staged(X), X * 3.0**model.power)
    finally:
        done.set()
        other.join()
    assert staged.experimental_get_tracing_count() == 1


def test_in_a_loop_in_a_loop_with_a_break(model):
    @tf.function
    def total(x, n):
        y, count = tf.zeros_like(x), 0
        while n > 0:
            for i in tf.range(n):
                if i == 2:
                    break
                y += model(x)
                count += 1
            n -= 1
        return y, count

    y, count = total(X, tf.constant(4))
    assert int(count) == 2 + 2 + 2 + 1
    np.testing.assert_allclose(y, 7 * X * 3.0**model.power, rtol=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_in_both_branches(model, sign):
    @tf.function
    def chosen(x, n):
        if n > 0:
            y = model(x)
        else:
            y = model(2 * x)
        return y

    np.testing.assert_allclose(chosen(X, tf.constant(sign)), (X if sign > 0 else 2 * X) * 3.0**model.power)


@pytest.mark.parametrize("sign", [1, -1])
def test_in_one_branch_and_after_it(model, sign):
    @tf.function
    def chosen(x, n):
        y = model(x) if n > 0 else x
        return y + model(x)

    wanted = X * 3.0**model.power
    np.testing.assert_allclose(chosen(X, tf.constant(sign)), wanted + (wanted if sign > 0 else X))


def test_under_a_tape_in_a_loop(model):
    @tf.function
    def gradients(x, n):
        with tf.GradientTape() as tape:
            y = x
            for _ in tf.range(n):
                y = model(y)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, model.trainable_variables)

    for n in (2, 0):
        for gradient in gradients(X, tf.constant(n)):
            np.testing.assert_allclose(gradient, n * X.sum(0) * 3.0 ** (model.power * n - 1), rtol=1e-5)


def test_in_a_function_that_is_called_in_a_loop(model):
    @tf.function
    def inner(x):
        return model(x)

    @tf.function
    def total(x, n):
        y = tf.zeros_like(x)
        for _ in tf.range(n):
            y += inner(x)
        return y

    np.testing.assert_allclose(total(X, tf.constant(2)), 2 * X * 3.0**model.power)


def test_over_a_dataset(model):
    @tf.function
    def total(data):
        y = tf.zeros([2])
        for row in data:
            y += model(row[None])[0]
        return y

    np.testing.assert_allclose(total(tf.data.Dataset.from_tensor_slices(X)), X.sum(0) * 3.0**model.power)


def test_in_a_try_in_a_loop(model):
    @tf.function
    def total(x, n):
        y, bad = tf.zeros_like(x), 0
        for i in tf.range(n):
            try:
                y += model(x)
                if i == 1:
                    raise ValueError(i)
            except ValueError:
                bad += 1
        return y, bad

    y, bad = total(X, tf.constant(3))
    assert int(bad) == 1
    np.testing.assert_allclose(y, 3 * X * 3.0**model.power)


def test_what_else_the_statement_changes_is_done_once(model):
    class Log:
        def __init__(self) -> None:
            self.total = tf.constant(0.0)
            self.rows: list[Any] = []

    log = Log()

    @tf.function
    def run(x, n):
        log.total = tf.constant(0.0)
        rows = []
        for _ in tf.range(n):
            log.total += 1.0
            rows.append(tf.reduce_sum(x))
            x = model(x)
            log.total += 10.0
        return log.total, tf.stack(rows)

    total, rows = run(X, tf.constant(2))
    assert float(total) == 22
    np.testing.assert_allclose(rows, [X.sum(), X.sum() * 3.0**model.power])


def test_a_layer_that_is_made_in_the_loop():
    class Twice(tf.keras.layers.Layer):
        def build(self, input_shape: Any) -> None:
            self.factor = self.add_weight("factor", shape=[2], initializer="ones")

        def call(self, inputs: Any) -> Any:
            return inputs * self.factor * 2

    @tf.function
    def total(x, n):
        y = tf.zeros_like(x)
        for _ in tf.range(n):
            y += Twice()(x)
        return y

    with pytest.raises(ValueError, match="singleton"):
        total(X, tf.constant(2))


def test_several_set_ups_of_one_list():
    class Noting(tf.keras.layers.Layer):
        def __init__(self, notes: list[Any]) -> None:
            super().__init__()
            self.notes = notes

        def build(self, input_shape: Any) -> None:
            self.notes.append(self.add_weight("w", shape=[], initializer="ones"))

        def call(self, inputs: Any) -> Any:
            return inputs + 2.0

    class Both(tf.keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.all: list[Any] = []
            self.one, self.two = Noting(self.all), Noting(self.all)

        def call(self, inputs: Any) -> Any:
            return self.two(self.one(inputs))

    both = Both()

    @tf.function
    def run(x, n):
        for _ in tf.range(n):
            x = both(x)
        return x

    assert float(run(tf.constant(0.0), tf.constant(2))) == 8
    assert len(both.all) == 2


def test_a_set_up_that_changes_what_the_statement_changed_is_refused():
    shapes: list[Any] = []

    class Noting(tf.keras.layers.Layer):
        def build(self, input_shape: Any) -> None:
            shapes.append(input_shape)

        def call(self, inputs: Any) -> Any:
            return inputs

    layer = Noting()

    @tf.function
    def run(x, n):
        if n > 0:
            shapes.append(None)
            x = layer(x)
        else:
            shapes.append(None)
        return x

    with pytest.raises(StagingError, match="'shapes' is changed where a layer makes its weights"):
        run(X, tf.constant(1))
    assert shapes == [] and not layer.built


def test_an_error_in_the_first_use_leaves_nothing_half_done(model):
    @tf.function
    def run(x, n):
        y = x
        for _ in tf.range(n):
            y = model(y)
            y = tf.matmul(y, tf.zeros([7, 2]))
        return y

    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match=r"7"):
        run(X, tf.constant(1))
    model(tf.constant(X))
