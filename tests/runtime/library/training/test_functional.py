"""Models of inputs and outputs: what they refuse, and that they are saved, copied and trained as others."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

K = tf.keras
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def small() -> Any:
    inputs = K.Input(shape=(4,))
    return K.Model(inputs, K.layers.Dense(2, kernel_regularizer="l2")(inputs) + 1)


def test_it_is_saved_with_its_call(tmp_path: Path) -> None:
    model = small()
    tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded(X), model(X))


def test_its_weights_are_in_a_checkpoint(tmp_path: Path) -> None:
    model, other = small(), small()
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "of"))
    tf.train.Checkpoint(model=other).restore(path)
    np.testing.assert_array_equal(other(X), model(X))


def test_a_copy_has_weights_and_regularizers_of_its_own() -> None:
    model = small()
    other = copy.deepcopy(model)
    np.testing.assert_array_equal(other(X), model(X))
    other.set_weights([w * 2 for w in other.get_weights()])
    assert float(other.losses[0]) == pytest.approx(4 * float(model.losses[0]))


def test_a_deep_model_is_put_together_without_recursion() -> None:
    inputs = K.Input(shape=(4,))
    value = inputs
    layer = K.layers.Activation("relu")
    for _ in range(60):
        value = layer(value)
    model = K.Model(inputs, value)
    np.testing.assert_array_equal(model(X), np.maximum(X, 0))
    assert len(model.layers) == 2


def test_symbols_say_what_takes_them() -> None:
    x = K.Input(shape=(4,), name="x")
    assert repr(x) == "<Symbol x: shape=(None, 4), dtype=float32>"
    with pytest.raises(TypeError, match=r"only layers take it.*layers.Lambda"):
        tf.nn.relu(x)
    with pytest.raises(TypeError, match="no truth value"):
        assert x
    with pytest.raises(TypeError, match="not iterated over"):
        list(x)


def test_models_that_are_refused() -> None:
    x = K.Input(shape=(4,))
    with pytest.raises(ValueError, match="give the shape"):
        K.Input()
    with pytest.raises(ValueError, match="outputs are what Input and layers"):
        K.Model(x, X)
    with pytest.raises(ValueError, match="has 1 inputs; 2 were given"):
        small()([X, X])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(None, 4\); got \(3, 2\)"):
        small()(X[:, :2])
    two = K.Model([x, K.Input(shape=(4,), name="other")], K.layers.Dense(1)(x))
    with pytest.raises(ValueError, match=r"\['input_layer', 'other'\]; \['other'\] is not given"):
        two({"input_layer": X})


def test_layers_that_were_called_with_symbols_more_than_once_have_no_one_output() -> None:
    layer, x = K.layers.Dense(1), K.Input(shape=(4,))
    with pytest.raises(AttributeError, match="0 times"):
        _ = layer.output
    first = layer(x)
    assert layer.output is first and layer.input is x
    second = layer(x)
    with pytest.raises(AttributeError, match="2 times"):
        _ = layer.output
    assert first is not second


def test_a_program_may_have_attributes_of_these_names() -> None:
    class Net(K.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.output = K.layers.Dense(1)

        def call(self, inputs: Any) -> Any:
            return self.output(inputs)

    assert Net()(X).shape == [3, 1]


def test_terms_of_another_graph_are_refused() -> None:
    layer = K.layers.Dense(1, activity_regularizer="l2")
    layer(X)
    assert len(layer.losses) == 1
    tf.function(layer)(X)
    with pytest.raises(ValueError, match="read them where the model is called"):
        _ = layer.losses
    layer(X)
    assert len(layer.losses) == 1


def test_weights_of_losses_are_numbers() -> None:
    with pytest.raises(ValueError, match="loss_weights are numbers; got .* metrics="):
        small().compile("sgd", "mse", ["mae"])
    with pytest.raises(ValueError, match="there are the outputs add; got a, b"):
        small().compile("sgd", {"a": "mse", "b": "mse"})
    with pytest.raises(ValueError, match="there are the outputs a, b; got c"):
        K.Model().compile("sgd", {"a": "mse", "b": "mse"}, metrics={"c": "mae"})


def test_a_model_of_a_dict_has_a_loss_for_each_key() -> None:
    class Net(K.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.last = K.layers.Dense(2)

        def call(self, inputs: Any) -> Any:
            found = self.last(inputs)
            return {"a": found, "b": found * 2}

    model = Net()
    model.compile("sgd", {"b": "mae", "a": "mse"}, loss_weights={"a": 0.5})
    y = {"a": X[:, :2], "b": X[:, 2:]}
    found = model.evaluate(X, y, verbose=0, return_dict=True)
    said = model(X)
    wanted = [np.mean((said["a"] - y["a"]) ** 2), np.mean(np.abs(said["b"] - y["b"]))]
    assert list(found) == ["loss", "a_loss", "b_loss"]
    np.testing.assert_allclose(list(found.values()), [0.5 * wanted[0] + wanted[1], *wanted], rtol=1e-5)


def test_a_weight_of_the_one_loss_counts() -> None:
    once, twice = small(), small()
    twice.set_weights(once.get_weights())
    once.compile("sgd", "mse")
    twice.compile("sgd", "mse", loss_weights=2.0)
    term = float(once.losses[0])
    found = [model.evaluate(X, X[:, :2], verbose=0) - term for model in (once, twice)]
    assert found[1] == pytest.approx(2 * found[0], rel=1e-5)


def test_clones_of_other_models_are_refused() -> None:
    class Net(K.Model):  # type: ignore[misc]
        pass

    with pytest.raises(ValueError, match="make another one of its class"):
        K.models.clone_model(Net())


def test_layers_are_cloned_with_those_that_they_were_made_of() -> None:
    model = K.Sequential([K.Input(shape=(None, 4)), K.layers.Bidirectional(K.layers.LSTM(2)), K.layers.Dense(1)])
    clone = K.models.clone_model(model)
    assert [w.shape for w in clone.weights] == [w.shape for w in model.weights]
    clone.set_weights(model.get_weights())
    np.testing.assert_array_equal(clone(X[None]), model(X[None]))


def test_a_sequence_of_any_length_makes_the_weights_at_once() -> None:
    model = K.Sequential([K.Input(shape=(None, 4)), K.layers.LSTM(2), K.layers.Dense(1)])
    assert [w.name for w in model.weights][-1] == "sequential/dense/bias:0" and len(model.weights) == 5
    assert model.output.shape.as_list() == [None, 1] and len(model.layers) == 2
    with pytest.raises(ValueError, match="let it begin with Input"):
        _ = K.Sequential([K.layers.Dense(1)]).outputs
