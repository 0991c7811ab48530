"""Programs of the guides about training, with their import changed and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

RNG = np.random.default_rng(2)


def test_a_convolution_as_a_function() -> None:
    conv_layer = tf.keras.layers.Conv2D(100, 3)

    @tf.function
    def conv_fn(image: Any) -> Any:
        return conv_layer(image)

    image = tf.random.normal([1, 20, 20, 10])
    conv_layer(image)
    np.testing.assert_allclose(conv_layer(image), conv_fn(image), rtol=1e-5)
    assert conv_fn(image).shape == [1, 18, 18, 100]


def test_layers_in_a_list() -> None:
    hidden_size, n = 4, 5
    layers = [tf.keras.layers.Dense(hidden_size, activation=tf.nn.sigmoid) for _ in range(n)]
    perceptron = tf.keras.Sequential(layers)
    perceptron(tf.ones([1, 3]))
    w3, b3 = layers[3].trainable_variables
    assert (w3.shape, b3.shape) == ([4, 4], [4])
    assert [v.shape for v in perceptron.trainable_variables[:2]] == [[3, 4], [4]]
    assert len(perceptron.trainable_variables) == 2 * n


def test_two_heads_on_a_trunk() -> None:
    """The second training changes its head and leaves the trunk and the first head alone."""
    trunk = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh")])
    head1 = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    head2 = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    path1, path2 = tf.keras.Sequential([trunk, head1]), tf.keras.Sequential([trunk, head2])
    optimizer, loss_fn = tf.keras.optimizers.SGD(0.1), tf.keras.losses.MeanSquaredError()
    x = RNG.normal(size=(12, 3)).astype(np.float32)
    main_dataset = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
    small_dataset = tf.data.Dataset.from_tensor_slices((x, x[:, :2])).batch(6)
    for x, y in main_dataset:
        with tf.GradientTape() as tape:
            prediction = path1(x)
            loss = loss_fn(prediction, y)
        gradients = tape.gradient(loss, path1.trainable_variables)
        optimizer.apply_gradients(zip(gradients, path1.trainable_variables, strict=True))
    kept = path1.get_weights()
    path2(x)
    before = head2.get_weights()
    for x, y in small_dataset:
        with tf.GradientTape() as tape:
            prediction = path2(x)
            loss = loss_fn(prediction, y)
        gradients = tape.gradient(loss, head2.trainable_variables)
        optimizer.apply_gradients(zip(gradients, head2.trainable_variables, strict=True))
    assert all(map(np.array_equal, kept, path1.get_weights()))
    assert not any(map(np.array_equal, before, head2.get_weights()))
    assert len(path1.trainable_variables) == len(path2.trainable_variables) == 4


def test_a_loop_over_a_dataset_in_a_function() -> None:
    loss_fn = tf.keras.losses.MeanSquaredError()

    @tf.function
    def train(model: Any, dataset: Any, optimizer: Any) -> None:
        for x, y in dataset:
            with tf.GradientTape() as tape:
                prediction = model(x)
                loss = loss_fn(prediction, y)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    x = RNG.normal(size=(64, 2)).astype(np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((x, x @ [[2.0], [-1.0]])).batch(8)
    model, optimizer = tf.keras.layers.Dense(1), tf.keras.optimizers.Adam(0.1)
    model(x[:1])
    for _ in range(30):
        train(model, dataset, optimizer)
    np.testing.assert_allclose(model.kernel.numpy(), [[2], [-1]], atol=1e-2)
    assert int(optimizer.iterations) == 240


def test_a_dynamic_rnn() -> None:
    class DynamicRNN(tf.keras.Model):
        def __init__(self, rnn_cell: Any) -> None:
            super(DynamicRNN, self).__init__(self)
            self.cell = rnn_cell

        def call(self, input_data: Any) -> Any:
            input_data = tf.transpose(input_data, [1, 0, 2])
            outputs = tf.TensorArray(tf.float32, input_data.shape[0])
            state = self.cell.zero_state(input_data.shape[1], dtype=tf.float32)
            for i in tf.range(input_data.shape[0]):
                output, state = self.cell(input_data[i], state)
                outputs = outputs.write(i, output)
            return tf.transpose(outputs.stack(), [1, 0, 2]), state

    rnn = DynamicRNN(tf.keras.layers.LSTMCell(4))
    data = RNG.normal(size=(2, 5, 3)).astype(np.float32)
    eager, state = rnn(data)
    staged, staged_state = tf.function(rnn)(data)
    np.testing.assert_allclose(staged, eager, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(staged_state[1], state[1], rtol=1e-5, atol=1e-6)

    def gradients(data: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(rnn(data)[0] ** 2)
        return tape.gradient(loss, rnn.trainable_variables)

    for one, other in zip(gradients(data), tf.function(gradients)(data), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def train_step(w: Any, x: Any, y: Any, optimizer: Any) -> None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w * x - y))
    gradients = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(gradients, [w], strict=True))


def test_two_optimizers_with_one_function() -> None:
    """The guide has an error here: each optimizer creates Variables in its first trace. Their owner keeps them, so it
    works."""
    opt1, opt2 = tf.keras.optimizers.Adam(learning_rate=1e-2), tf.keras.optimizers.Adam(learning_rate=1e-3)
    w, x, y = tf.Variable(2.0), tf.constant([-1.0]), tf.constant([2.0])
    step = tf.function(train_step)
    for _ in range(3):
        step(w, x, y, opt1)
        step(w, x, y, opt2)
    np.testing.assert_allclose(w.numpy(), 2 - 3 * 0.011, rtol=1e-4)
    assert step.experimental_get_tracing_count() == 2


def test_a_concrete_function_for_each_optimizer() -> None:
    opt1, opt2 = tf.keras.optimizers.Adam(learning_rate=1e-2), tf.keras.optimizers.Adam(learning_rate=1e-3)
    w, x, y = tf.Variable(2.0), tf.constant([-1.0]), tf.constant([2.0])
    train_step_1 = tf.function(train_step).get_concrete_function(w, x, y, opt1)
    train_step_2 = tf.function(train_step).get_concrete_function(w, x, y, opt2)
    for i in range(10):
        if i % 2 == 0:
            train_step_1(w, x, y)
        else:
            train_step_2(w, x, y)
    assert int(opt1.iterations) == int(opt2.iterations) == 5
    np.testing.assert_allclose(w.numpy(), 2 - 5 * 0.011, rtol=1e-3)


@pytest.mark.parametrize("staged", [False, True])
def test_metrics_and_summaries(staged: bool, tmp_path: Path) -> None:
    def train_step(model: Any, optimizer: Any, images: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.keras.losses.mean_squared_error(labels, model(images))
        optimizer.minimize(loss, model.trainable_variables, tape=tape)
        return loss

    step = tf.function(train_step) if staged else train_step

    def train(model: Any, optimizer: Any, dataset: Any, log_freq: int = 10) -> None:
        avg_loss = tf.keras.metrics.Mean(name="loss", dtype=tf.float32)
        for images, labels in dataset:
            loss = step(model, optimizer, images, labels)
            avg_loss.update_state(loss)
            if tf.equal(optimizer.iterations % log_freq, 0):
                tf.summary.scalar("loss", avg_loss.result(), step=optimizer.iterations)
                avg_loss.reset_states()

    x = RNG.normal(size=(40, 2)).astype(np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(2)
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        train(tf.keras.layers.Dense(1), tf.keras.optimizers.SGD(0.1), dataset, 5)
    (path,) = tmp_path.iterdir()
    assert path.read_text().count('"loss"') == 4
    assert [int(line.split('"step": ')[1].split(",")[0]) for line in path.read_text().splitlines()] == [5, 10, 15, 20]


def test_the_names_of_keras() -> None:
    from runtime import keras
    from runtime.library.keras import layers
    from runtime.library.keras.layers import Dense
    from runtime.library.keras.optimizers import Adam

    assert keras is tf.keras and layers.Dense is Dense is tf.layers.Dense and Adam is tf.optimizers.Adam
    for name in ("activations", "initializers", "layers", "losses", "metrics", "optimizers"):
        module = getattr(keras, name)
        assert all(hasattr(module, part) for part in module.__all__), name
