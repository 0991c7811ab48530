"""`model.save` and `keras.models.load_model`: models in files, for programs without their code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

K = tf.keras
RNG = np.random.default_rng(5)
ROWS = RNG.normal(size=(24, 4)).astype(np.float32)
LABELS = ROWS.sum(1, keepdims=True)


def sequential() -> Any:
    model = K.Sequential([
        K.layers.Input(shape=(4,)), K.layers.Dense(5, activation="relu", kernel_regularizer="l2"),
        K.layers.BatchNormalization(gamma_regularizer="l1"), K.layers.Dense(1)])  # fmt: skip
    model.compile("adam", "mse")
    return model


class Net(K.Model):
    def __init__(self) -> None:
        super().__init__()
        self.last = K.layers.Dense(2)

    def call(self, inputs: Any) -> Any:
        return self.last(inputs)


def test_a_loaded_model_predicts_and_is_trained_as_the_first_one(tmp_path: Path) -> None:
    model = sequential()
    model.fit(ROWS, LABELS, verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = K.models.load_model(tmp_path / "model.keras")
    assert isinstance(loaded, K.Model) and loaded.name == model.name
    np.testing.assert_allclose(loaded.predict(ROWS), model.predict(ROWS), rtol=1e-6)
    np.testing.assert_allclose(loaded.losses, model.losses, rtol=1e-6)
    for each in (model, loaded):
        each.compile(K.optimizers.SGD(0.1), "mse")
    first, second = (each.fit(ROWS, LABELS, epochs=2, shuffle=False, verbose=0).history for each in (model, loaded))
    np.testing.assert_allclose(second["loss"], first["loss"], rtol=1e-5)
    for mine, others in zip(loaded.get_weights(), model.get_weights(), strict=True):
        np.testing.assert_allclose(mine, others, rtol=1e-4, atol=1e-6)
    assert [layer.name for layer in loaded.layers] == [layer.name for layer in model.layers]


def test_classes_of_programs_several_outputs_and_loaded_models(tmp_path: Path) -> None:
    net = Net()
    net(ROWS)
    net.save(tmp_path / "net")
    K.models.load_model(tmp_path / "net").save(tmp_path / "again")
    np.testing.assert_array_equal(K.models.load_model(tmp_path / "again").predict(ROWS), net.predict(ROWS))
    given = K.Input(shape=(4,))
    both = K.Model(given, [K.layers.Dense(2)(given), K.layers.Dense(3)(given)])
    K.models.save_model(both, tmp_path / "both")
    for mine, others in zip(K.models.load_model(tmp_path / "both").predict(ROWS), both.predict(ROWS), strict=True):
        np.testing.assert_array_equal(mine, others)


def test_inputs_of_other_widths_are_taken_as_the_first_model_took_them(tmp_path: Path) -> None:
    words, other = K.Input(shape=(3,), dtype="int32"), K.Input(shape=(2,))
    model = K.Model([words, other], [K.layers.Embedding(5, 2)(words), K.layers.Dense(1)(other)])
    model.save(tmp_path / "model")
    given = [np.array([[1, 4, 0]]), np.array([[1, 2]])]  # int64
    for mine, others in zip(K.models.load_model(tmp_path / "model").predict(given), model.predict(given), strict=True):
        np.testing.assert_array_equal(mine, others)
    with pytest.raises(ValueError, match="int32"):
        K.models.load_model(tmp_path / "model").predict([np.array([[0.5, 1.0, 2.0]]), given[1]])


def test_another_process_needs_no_code(tmp_path: Path) -> None:
    net = Net()
    expected = float(tf.reduce_sum(net(tf.ones([3, 4]))))
    net.save(tmp_path / "net")
    program = f"""
import numpy as np
import runtime
model = runtime.keras.models.load_model({str(tmp_path / "net")!r})
print(model.predict(np.ones((3, 4), np.float32)).sum())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(expected, rel=1e-5)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="call it once, or build it"):
        K.Sequential([K.layers.Dense(2)]).save(tmp_path / "none")
    penalized = K.Sequential([K.layers.Dense(2, activity_regularizer="l2", name="penalized")])
    penalized(ROWS)
    with pytest.raises(ValueError, match="adds a term to the loss in each call"):
        penalized.save(tmp_path / "none")
    with pytest.raises(TypeError, match=r"runtime\.saved_model\.save"):
        K.models.save_model(tf.Module(), tmp_path / "none")
    net = Net()
    net(ROWS)
    with pytest.raises(FileExistsError, match="overwrite=True"):
        net.save(tmp_path, overwrite=False)
    assert not list(tmp_path.iterdir())


def test_layers_without_names_are_numbered_as_those_of_keras() -> None:
    made = [K.layers.Dense(1), K.layers.Dense(1, name="own"), K.layers.Dense(1), Net(), K.layers.LSTM(1)]
    made += [K.layers.Conv2D(1, 1), K.layers.GlobalMaxPooling2D()]
    names = ["dense", "own", "dense_1", "net", "lstm", "conv2d", "global_max_pooling2d"]
    assert [layer.name for layer in made] == names
    assert (made[3].last.name, made[4].cell.name) == ("dense_2", "lstm_cell")
    K.backend.clear_session()
    assert K.layers.Dense(1).name == "dense"


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "SimpleRNN"])
def test_weights_of_recurrent_layers_are_terms_of_the_loss(kind: str) -> None:
    layer = getattr(K.layers, kind)(
        3, kernel_regularizer=K.regularizers.L2(0.5), recurrent_regularizer=K.regularizers.L1(0.25),
        bias_regularizer="l2", activity_regularizer="l1", bias_initializer="ones",
    )  # fmt: skip
    out = layer(tf.constant(RNG.normal(size=(2, 5, 4)), tf.float32)).numpy()
    kernel, recurrent, bias = layer.get_weights()
    expected = [0.01 * np.abs(out).sum() / 2, 0.5 * (kernel**2).sum(), 0.25 * np.abs(recurrent).sum(),
                0.01 * (bias**2).sum()]  # fmt: skip
    np.testing.assert_allclose([float(term) for term in layer.losses], expected, rtol=1e-5)


@pytest.mark.parametrize("kind", ["BatchNormalization", "LayerNormalization"])
def test_weights_of_normalizations_are_terms_of_the_loss(kind: str) -> None:
    layer = getattr(K.layers, kind)(gamma_regularizer=K.regularizers.L2(0.5), beta_regularizer="l1")
    layer(ROWS)
    layer.set_weights([np.full(4, 2.0), np.full(4, -3.0), *layer.get_weights()[2:]])
    np.testing.assert_allclose([float(term) for term in layer.losses], [0.5 * 16, 0.01 * 12], rtol=1e-6)
