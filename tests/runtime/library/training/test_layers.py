"""Layers against numpy: eager, in Functions that are the first to call them, trained, frozen, nested."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import layers
from runtime.library.layers import activations, initializers

from .both_ways import both_ways

RNG = np.random.default_rng(7)
X = RNG.normal(size=(5, 3)).astype(np.float32)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def test_dense() -> None:
    layer = layers.Dense(4, activation="tanh", bias_initializer="ones", name="last")
    assert not layer.built and layer.variables == ()
    found = both_ways(layer, X)
    kernel, bias = layer.trainable_variables
    assert (kernel.name, bias.name) == ("last/kernel:0", "last/bias:0") and layer.built
    np.testing.assert_allclose(found, np.tanh(X @ kernel.numpy() + 1), rtol=1e-5)
    wide = RNG.normal(size=(2, 6, 3)).astype(np.float32)
    np.testing.assert_allclose(both_ways(layer, wide), np.tanh(wide @ kernel.numpy() + 1), rtol=1e-5)
    plain = layers.Dense(2, use_bias=False, activation=tf.nn.relu, kernel_initializer=initializers.Constant(0.5))
    np.testing.assert_allclose(both_ways(plain, X), np.maximum(X.sum(1, keepdims=True) / 2, 0).repeat(2, 1), rtol=1e-5)
    assert len(plain.variables) == 1 and plain.count_params() == 6
    assert layers.Dense(1)(X.astype(np.float64)).dtype is tf.float32
    assert layers.Dense(1, dtype="float64")(X).dtype is tf.float64


def test_layers_without_weights() -> None:
    cube = RNG.normal(size=(2, 3, 4)).astype(np.float32)
    assert both_ways(layers.Flatten(), cube).shape == (2, 12)
    assert both_ways(layers.Reshape([4, -1]), cube).shape == (2, 4, 3)
    np.testing.assert_allclose(both_ways(layers.ReLU(), cube), np.maximum(cube, 0))
    np.testing.assert_allclose(both_ways(layers.Activation("sigmoid"), cube), sigmoid(cube), rtol=1e-5)
    shares = np.exp(cube) / np.exp(cube).sum(1, keepdims=True)
    np.testing.assert_allclose(both_ways(layers.Softmax(axis=1), cube), shares, rtol=1e-5)


def test_dropout_only_in_training() -> None:
    model = layers.Sequential([layers.Flatten(), layers.Dropout(0.5)])
    ones = tf.ones([10, 100])
    assert model(ones).numpy().min() == 1
    staged = tf.function(model.__call__)
    for call in (model, staged):
        assert set(np.unique(call(ones, training=True).numpy())) == {0, 2}
        assert set(np.unique(call(ones, training=False).numpy())) == {1}


def test_embedding() -> None:
    table = layers.Embedding(5, 3)
    found = table([[4, 0], [1, 1]])
    np.testing.assert_array_equal(found, table.embeddings.numpy()[[[4, 0], [1, 1]]])


def test_lstm_cell() -> None:
    """The equations, over four steps, by hand; the loop over time as a part of a graph."""
    cell = layers.LSTMCell(4)
    xs = RNG.normal(size=(4, 2, 3)).astype(np.float32)
    state = cell.zero_state(2, tf.float32)
    cell(xs[0], state)
    kernel, recurrent, bias = (v.numpy() for v in cell.trainable_variables)
    assert kernel.shape == (3, 16) and bias.tolist() == [0] * 4 + [1] * 4 + [0] * 8
    np.testing.assert_allclose(recurrent @ recurrent.T, np.eye(4), atol=1e-6)
    h = c = np.zeros((2, 4))
    for x in xs:
        i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)

    @tf.function
    def run(xs: Any) -> Any:
        state = cell.get_initial_state(xs[0])
        output = state[0]
        for x in xs:
            output, state = cell(x, state)
        return output, state

    for x in xs:
        output, state = cell(x, state)
    for found in ((output, state), run(xs), run.get_concrete_function(tf.TensorSpec([None, 2, 3], tf.float32))(xs)):
        np.testing.assert_allclose(found[0], h, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found[1][1], c, rtol=1e-4, atol=1e-5)
    assert cell.state_size == [4, 4] and cell.output_size == 4


def test_a_function_may_be_the_first_to_call_a_layer() -> None:
    """Also a branch or loop of it, and threads at one time; there is one set of weights, and one trace."""
    model = layers.Sequential([layers.Dense(4, activation="relu"), layers.Dense(1)])

    @tf.function
    def f(x: Any) -> Any:
        total = tf.zeros([5, 1])
        for _ in range(2):
            if tf.reduce_sum(x) > -1e9:
                total += model(x)
        return total

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: f(X).numpy(), range(8)))
    assert len(model.variables) == 4
    for result in results:
        np.testing.assert_allclose(result, 2 * model(X), rtol=1e-5)
    assert f.experimental_get_tracing_count() == 1


def test_weights_that_need_a_size_that_is_unknown() -> None:
    layer = layers.Dense(2)
    with pytest.raises(ValueError, match=r"axis -1.*'dense'|'dense'.*axis -1"):
        tf.function(layer.__call__).get_concrete_function(tf.TensorSpec([2, None], tf.float32))
    layer.build([None, 3])
    assert layer(X).shape == [5, 2]


def test_models_of_layers() -> None:
    class Scale(layers.Layer):
        def build(self, input_shape: Any) -> None:
            self.factor = self.add_weight("factor", [input_shape[-1]], initializer="ones")
            self.seen = self.add_weight("seen", initializer="zeros", trainable=False)

        def call(self, inputs: Any) -> Any:
            if tf.reduce_sum(inputs) > 1e9:
                return inputs
            self.seen.assign_add(1.0)
            return inputs * self.factor

    class Net(layers.Model):
        def __init__(self) -> None:
            super().__init__()
            self.first = layers.Dense(4)
            self.parts = [Scale(), layers.Dense(2, name="out")]

        def call(self, inputs: Any) -> Any:
            x = self.first(inputs)
            for part in self.parts:
                x = part(x)
            return x

    net = Net()
    f = tf.function(net.__call__)
    np.testing.assert_allclose(f(X), net(X), rtol=1e-5)
    names = [v.name for v in net.variables]
    assert names == ["net/dense/kernel:0", "net/dense/bias:0", "net/scale/factor:0", "net/scale/seen:0",
                     "net/out/kernel:0", "net/out/bias:0"]  # fmt: skip
    assert float(net.parts[0].seen) == 2
    assert len(net.trainable_variables) == 5 and len(net.non_trainable_variables) == 1
    net.first.trainable = False
    assert [v.name for v in net.trainable_weights] == names[2:3] + names[4:]
    assert len(net.non_trainable_weights) == 3 and len(net.weights) == 6
    values = net.get_weights()
    net.set_weights([v * 0 for v in values])
    assert not np.any(net(X))
    with pytest.raises(ValueError, match="6 weights"):
        net.set_weights(values[:1])


def test_sequential() -> None:
    model = layers.Sequential()
    model.add(layers.Dense(2))
    model.add(tf.nn.relu)
    assert model(X).numpy().min() >= 0
    model.pop()
    assert len(model.layers) == 1
    with pytest.raises(TypeError, match="function of a tensor"):
        model.add(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no layers"):
        layers.Sequential().pop()


def test_a_sequential_that_knows_its_input() -> None:
    """As the guides write it: the weights are there before the first call, named after the model."""
    model = tf.keras.Sequential([
        tf.keras.layers.Flatten(input_shape=(28, 28)), tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(10),
    ], name="digits")  # fmt: skip
    assert [v.shape for v in model.trainable_variables] == [[784, 8], [8], [8, 10], [10]]
    assert model.trainable_variables[0].name == "digits/dense/kernel:0" and model.count_params() == 6370
    assert model(tf.zeros([3, 28, 28])).shape == [3, 10]
    for first in (tf.keras.Input(shape=(3,)), tf.keras.layers.InputLayer(input_shape=[3])):
        model = tf.keras.Sequential([first, tf.keras.layers.Dense(2)])
        assert len(model.variables) == 2 and model(X).shape == [5, 2]
    model = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, input_shape=(8, 8, 1))])
    model.add(tf.keras.layers.Flatten())
    model.add(tf.keras.layers.Dense(2, input_shape=(7,)))
    assert model.variables[2].shape == [144, 2]
    later = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(None, 3))])
    assert len(later.variables) == 2 and later(tf.zeros([1, 4, 3])).shape == [1, 4, 2]


def test_training_a_staged_model() -> None:
    """A model learns the sum of its inputs, with batches in a loop of the graph."""
    tf.random.set_seed(4)
    model = layers.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(1)])
    optimizer = tf.optimizers.Adam(0.02)
    data = RNG.uniform(-1, 1, size=(20, 16, 3)).astype(np.float32)

    @tf.function
    def train(batches: Any) -> Any:
        loss = 0.0
        for batch in batches:
            with tf.GradientTape() as tape:
                loss = tf.losses.MeanSquaredError()(tf.reduce_sum(batch, 1, keepdims=True), model(batch))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    losses = [float(train(data)) for _ in range(15)]
    assert losses[-1] < 0.01 < losses[0]
    assert train.experimental_get_tracing_count() == 1 and int(optimizer.iterations) == 300


@pytest.mark.parametrize(
    ("name", "variance"),
    [("glorot_uniform", 2 / 500), ("glorot_normal", 2 / 500), ("he_uniform", 2 / 200), ("he_normal", 2 / 200),
     ("lecun_normal", 1 / 200), ("random_normal", 0.05**2), ("random_uniform", 0.1**2 / 12)],
)  # fmt: skip
def test_initializers(name: str, variance: float) -> None:
    tf.random.set_seed(5)
    values = initializers.get(name)((200, 300), tf.float64)
    assert values.dtype is tf.float64 and abs(values.numpy().mean()) < 3e-3
    np.testing.assert_allclose(values.numpy().var(), variance, rtol=0.03)


def test_fans_of_kernels_and_other_initializers() -> None:
    tf.random.set_seed(6)
    kernel = initializers.HeNormal()((3, 3, 40, 50))
    np.testing.assert_allclose(kernel.numpy().var(), 2 / (9 * 40), rtol=0.05)
    assert initializers.get(None)((2,)).numpy().tolist() == [0, 0]
    assert initializers.get("ones")((2,)).numpy().tolist() == [1, 1]
    layer = layers.Dense(200, kernel_initializer=tf.random.normal, bias_initializer=tf.zeros, dtype="float64")
    layer.build([None, 300])
    assert layer.kernel.dtype is tf.float64 and abs(float(tf.math.reduce_std(layer.kernel)) - 1) < 0.02
    assert initializers.Constant([1, 2])((2,), tf.float64).numpy().tolist() == [1, 2]
    wide = initializers.Orthogonal(gain=2.0)((2, 5)).numpy()
    np.testing.assert_allclose(wide @ wide.T, 4 * np.eye(2), atol=1e-5)
    assert initializers.VarianceScaling(distribution="untruncated_normal")((4, 4)).shape == [4, 4]
    cut = initializers.TruncatedNormal(stddev=1.0)((1000,)).numpy()
    assert np.abs(cut).max() <= 2 and math.isclose(cut.mean(), 0, abs_tol=0.1)
    one, two = (initializers.GlorotUniform(seed=3)((4,)).numpy().tolist() for _ in range(2))
    assert one != two  # a seed gives a sequence, of which each call takes the next part


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: layers.Dense(0), lambda: layers.Dense(2, activation="wobble"), lambda: layers.Dropout(1.0),
        lambda: layers.Dense(2, kernel_initializer="wobble"), lambda: layers.Conv2D(2, 3, padding="full"),
        lambda: layers.Conv2D(2, (3, 3, 3)), lambda: layers.Conv2D(3, 2, groups=2), lambda: layers.LSTMCell(0),
        lambda: layers.Conv2D(2, 3, data_format="channels_first"),
        lambda: layers.Conv2D(4, 1, groups=2)(tf.ones([1, 2, 2, 3])),
        lambda: initializers.Orthogonal()((3,)),
    ],
)  # fmt: skip
def test_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):
        wrong()


def test_what_is_no_activation_or_initializer() -> None:
    with pytest.raises(TypeError, match="activation"):
        activations.get(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="initializer"):
        initializers.get(3)  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="call"):
        layers.Layer()(X)


BAD_LAYERS: dict[str, Any] = {
    "a row alone": (lambda: tf.layers.Dense(2)(tf.ones([3])), r"'dense' takes .* rank >= 2.*\(3,\)"),
    "a number alone": (lambda: tf.layers.Dense(2)(3.0), "'dense' takes a tensor with axes"),
    "flatten a number": (lambda: tf.layers.Flatten()(3.0), "'flatten' takes a tensor with axes"),
    "units with a fraction": (lambda: tf.layers.Dense(2.5), "Dense: units is a positive integer; got 2.5"),
    "cells with a fraction": (lambda: tf.layers.LSTMCell(2.5), "LSTMCell: units is a positive integer"),
    "filters with a fraction": (lambda: tf.layers.Conv2D(2.5, 3), "Conv2D: filters is a positive integer"),
    "a kernel with a fraction": (lambda: tf.layers.Conv2D(2, (3, 1.5)), "kernel_size is a positive integer"),
    "a kernel of three sizes": (lambda: tf.layers.Conv2D(2, (3, 1, 2)), "kernel_size is .* two of them"),
    "half a state": (lambda: tf.layers.LSTMCell(2)(tf.ones([1, 3]), [tf.zeros([1, 2])]), r"its state as \[h, c\]"),
    "a state in one": (lambda: tf.layers.LSTMCell(2)(tf.ones([1, 3]), tf.zeros([2, 1, 2])), r"its state as \[h, c\]"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_LAYERS)
def test_layers_say_what_they_take(name: str) -> None:
    make, text = BAD_LAYERS[name]
    with pytest.raises(ValueError, match=text):
        make()


def test_lists_of_rows_are_one_tensor() -> None:
    class Sum(tf.layers.Layer):
        def call(self, inputs: Any) -> Any:
            return inputs[0] + inputs[1]

    dense = tf.layers.Dense(2, kernel_initializer="ones")
    np.testing.assert_array_equal(dense([[1, 2], [3.5, 4]]), [[3, 3], [7.5, 7.5]])
    assert tf.layers.Flatten()([[[1.0], [2.0]]]).shape == [1, 2]
    assert float(Sum()([1.0, 2.0])) == 3  # a structure of two scalars


def test_flatten_no_rows() -> None:
    for shape in (None, [None, None, None], [None, 3, 4], [0, None, 4], [0, 3, 4]):
        flat = tf.function(tf.layers.Flatten(), input_signature=[tf.TensorSpec(shape, tf.float32)])
        assert flat(tf.zeros([0, 3, 4])).shape == [0, 12]
