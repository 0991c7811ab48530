"""Layers, optimizers and generators where programs use them otherwise: decorated, in datasets, in branches, copied."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import runtime as tf

ONES = tf.ones([3, 4])


def test_a_model_whose_call_is_a_function() -> None:
    class Net(tf.layers.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense, self.drop = tf.layers.Dense(2), tf.layers.Dropout(0.5)

        @tf.function
        def call(self, x: Any, training: bool = False) -> Any:
            x = self.dense(x)
            if training:
                x = self.drop(x, training=training)
            if tf.reduce_sum(x) > 1e6:
                x = -x
            return x

    net = Net()
    np.testing.assert_allclose(net(ONES), ONES.numpy() @ net.dense.kernel.numpy(), rtol=1e-5)
    net.compile("sgd", "mse")
    losses = net.fit(ONES, tf.zeros([3, 2]), epochs=2, verbose=0).history["loss"]
    assert len(losses) == 2 and len(net.variables) == 2


def test_a_layer_without_the_constructor_of_its_base() -> None:
    class Scale(tf.layers.Layer):
        def __init__(self) -> None:
            pass

        def build(self, input_shape: Any) -> None:
            self.factor = self.add_weight("factor", [input_shape[-1]], initializer="ones")

        def call(self, inputs: Any) -> Any:
            return inputs * self.factor

    scale = Scale()
    np.testing.assert_array_equal(tf.function(scale)(ONES), ONES)
    assert scale.built and scale.trainable_variables[0].name == "scale/factor:0"


def test_a_layer_of_several_inputs() -> None:
    shapes = []

    class Both(tf.layers.Layer):
        def build(self, input_shape: Any) -> None:
            shapes.append(input_shape)
            self.factor = self.add_weight("factor", [input_shape[0][-1]], initializer="ones")

        def call(self, inputs: Any) -> Any:
            first, second = inputs
            return first * self.factor + second

    both = Both()
    np.testing.assert_array_equal(tf.function(both)([ONES, ONES]), 2 * ONES)
    np.testing.assert_array_equal(both((ONES, ONES)), 2 * ONES)
    assert shapes == [[[3, 4], [3, 4]]]


def test_in_datasets() -> None:
    """A model maps the batches; a generator gives each element a number of its own."""
    model, generator = tf.layers.Sequential([tf.layers.Dense(2)]), tf.random.Generator.from_seed(1)
    batches = tf.data.Dataset.from_tensor_slices(np.ones((4, 3), np.float32)).batch(2).map(model)
    assert all(np.array_equal(b, model(np.ones((2, 3), np.float32))) for b in batches)
    numbers = [float(v) for v in tf.data.Dataset.range(5).map(lambda i: generator.uniform([]))]
    assert generator.state.numpy().tolist() == [5, 0, 1]
    generator.reset_from_seed(1)
    assert numbers == [float(generator.uniform([])) for _ in range(5)]


def test_in_branches() -> None:
    """Slots are made whichever branch the first trace takes; a step that is not taken changes nothing, and a number
    that nobody uses is drawn all the same."""
    w, optimizer, generator = tf.Variable(1.0), tf.optimizers.Adam(0.1), tf.random.Generator.from_seed(2)

    @tf.function
    def step(wanted: Any) -> Any:
        if wanted:
            optimizer.apply_gradients([(tf.constant(1.0), w)])
            generator.normal([2])
        return w.read_value()

    assert float(step(tf.constant(False))) == 1 and int(optimizer.iterations) == 0
    np.testing.assert_allclose(step(tf.constant(True)), 0.9, rtol=1e-5)
    assert int(optimizer.iterations) == 1 and generator.state.numpy().tolist() == [1, 0, 2]


def test_copies() -> None:
    model = tf.layers.Sequential([tf.layers.Dense(2)])
    model(ONES)
    other = copy.deepcopy(model)
    np.testing.assert_array_equal(other(ONES), model(ONES))
    other.variables[0].assign_add(tf.ones([4, 2]))
    assert not np.array_equal(other(ONES), model(ONES))


class Trained(tf.Module):
    """A Variable and what trains it."""

    def __init__(self, optimizer: Any) -> None:
        self.w, self.optimizer = tf.Variable([1.0, -2.0], name="w"), optimizer

    def step(self) -> Any:
        self.optimizer.apply_gradients([(1.0 * self.w, self.w)])
        return self.w.numpy()


@pytest.mark.parametrize("kind", [tf.optimizers.Momentum, tf.optimizers.Adam])
def test_copies_of_optimizers(kind: Any) -> None:
    """A copy goes on from where it was made: for the variables that are copied with it, and for the same ones."""

    plain, first = Trained(kind(0.1)), Trained(kind(0.1))
    for one in (plain, first):
        one.step()
    wanted = plain.step().tolist()
    for copied in (copy.deepcopy(first), pickle.loads(pickle.dumps(first)), copy.deepcopy(copy.deepcopy(first))):
        assert copied.step().tolist() == wanted
        assert [v.name for v in copied.variables] == [v.name for v in first.variables]
        assert not {id(v) for v in copied.variables} & {id(v) for v in first.variables}
        assert len(copied.optimizer.variables) == len(first.optimizer.variables)
    alone = copy.deepcopy(first.optimizer)
    first.optimizer = alone
    assert first.step().tolist() == wanted
