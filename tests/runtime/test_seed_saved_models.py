"""Programs of the guides that save models, with one line changed: `import runtime as tf`."""

from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain


def test_only_the_trunk_of_two_paths_is_saved_for_use_again(tmp_path: Path) -> None:
    """Transfer learning: both heads share the trunk, the second one is trained on its own."""
    layers = tf.keras.layers
    trunk = tf.keras.Sequential([layers.Dense(4, activation=tf.nn.sigmoid), layers.Dense(3)])
    head1, head2 = tf.keras.Sequential([layers.Dense(2)]), tf.keras.Sequential([layers.Dense(1)])
    path1, path2 = tf.keras.Sequential([trunk, head1]), tf.keras.Sequential([trunk, head2])
    optimizer = tf.keras.optimizers.SGD(0.1)
    rows = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    main_dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, :2])).batch(4)
    small_dataset = tf.data.Dataset.from_tensor_slices((rows, rows[:, 2:3])).batch(4)

    for x, y in main_dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((path1(x) - y) ** 2)
        gradients = tape.gradient(loss, path1.trainable_variables)
        optimizer.apply_gradients(zip(gradients, path1.trainable_variables))
    before = [v.numpy() for v in trunk.variables]
    for x, y in small_dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((path2(x) - y) ** 2)
        gradients = tape.gradient(loss, head2.trainable_variables)
        optimizer.apply_gradients(zip(gradients, head2.trainable_variables))
    assert all(np.array_equal(a, b.numpy()) for a, b in zip(before, trunk.variables))

    output_path = str(tmp_path / "trunk")
    tf.saved_model.save(trunk, output_path)
    loaded = tf.saved_model.load(output_path)
    x = tf.constant(rows)
    assert plain(loaded(x)) == plain(trunk(x))
    assert [v.name for v in loaded.trainable_variables] == [v.name for v in trunk.trainable_variables]


class Dense(tf.Module):
    def __init__(self, in_features, out_features, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([in_features, out_features], seed=1), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class SequentialModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(in_features=3, out_features=3)
        self.dense_2 = Dense(in_features=3, out_features=2)

    @tf.function
    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


def test_a_module_is_saved_as_functions_and_weights_and_is_no_object_of_its_class_any_more(tmp_path: Path) -> None:
    my_model = SequentialModule(name="the_model")
    given = [[2.0, 2.0, 2.0]], [[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]
    wanted = [plain(my_model(x)) for x in given]

    tf.saved_model.save(my_model, str(tmp_path / "the_saved_model"))
    new_model = tf.saved_model.load(str(tmp_path / "the_saved_model"))
    assert not isinstance(new_model, SequentialModule)
    assert [plain(new_model(x)) for x in given] == wanted
    assert len(new_model.submodules) == 2 and len(new_model.variables) == 4
    with pytest.raises(ValueError):
        new_model([[2.0, 2.0, 3.0, 4.0]])


def test_a_polymorphic_function_keeps_its_graphs(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function
        def my_relu(self, x):
            return tf.maximum(0.0, x)

    model = Model()
    for x in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0])):
        model.my_relu(x)
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded.my_relu(tf.constant(-5.5))) == 0.0
    assert plain(loaded.my_relu([1, -1])) == [1.0, 0.0]
    assert plain(loaded.my_relu(tf.constant([-1.0, 4.0]))) == [0.0, 4.0]
    signatures = loaded.my_relu.pretty_printed_concrete_signatures()
    assert signatures == model.my_relu.pretty_printed_concrete_signatures()
    with pytest.raises(ValueError, match="none of its 3 saved traces fits"):
        loaded.my_relu(tf.constant([1.0, 2.0, 3.0]))


def test_python_code_in_a_graph_is_not_saved(tmp_path: Path) -> None:
    """`py_function` is an escape hatch: what uses it cannot be saved."""
    model = tf.Module()

    @tf.function
    def py_plus(x, y):
        return tf.py_function(lambda x, y: x + y, [x, y], tf.float32)

    py_plus(tf.constant(1.0), tf.constant(2.0))
    model.plus = py_plus
    with pytest.raises(ValueError, match="py_function"):
        tf.saved_model.save(model, tmp_path)
