"""Optimizers, losses, metrics and layers against those of Keras, from the same weights and data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime

keras = tf.keras
RNG = np.random.default_rng(1)
LOGITS, IMAGES = RNG.normal(size=(5, 3)).astype(np.float32), RNG.normal(size=(2, 7, 6, 4)).astype(np.float32)
BITS, CHANCES = (RNG.uniform(size=(5, 3)) > 0.5).astype(np.float32), RNG.uniform(size=(5, 3)).astype(np.float32)
CLASSES, WEIGHTS = RNG.integers(0, 3, 5), RNG.uniform(size=5).astype(np.float32)

pytestmark = pytest.mark.filterwarnings("ignore")

OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {}), ("SGD", {"momentum": 0.9}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("Adam", {}),
    ("Adam", {"amsgrad": True}), ("RMSprop", {}), ("RMSprop", {"momentum": 0.5, "centered": True}), ("Adagrad", {}),
    ("SGD", {"clipnorm": 0.5}), ("SGD", {"global_clipnorm": 0.5}), ("SGD", {"clipvalue": 0.5}),
    ("SGD", {"weight_decay": 0.1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_optimizers(name: str, options: dict[str, Any]) -> None:
    theirs, ours = tf.Variable([1.0, -2.0, 0.5]), runtime.Variable([1.0, -2.0, 0.5])
    first = getattr(keras.optimizers, name)(0.1, **options)
    second = getattr(runtime.optimizers, name)(0.1, **options)
    for i in range(6):
        gradient = np.sin(np.arange(3) + i).astype(np.float32)
        first.apply_gradients([(tf.constant(gradient), theirs)])
        second.apply_gradients([(runtime.constant(gradient), ours)])
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-5, atol=1e-5)


LOSSES: list[tuple[str, dict[str, Any], Any, Any]] = [
    ("MeanSquaredError", {}, BITS, LOGITS), ("MeanAbsoluteError", {}, BITS, LOGITS),
    ("Huber", {"delta": 0.5}, BITS, LOGITS), ("BinaryCrossentropy", {}, BITS, CHANCES),
    ("BinaryCrossentropy", {"from_logits": True, "label_smoothing": 0.1}, BITS, LOGITS),
    ("CategoricalCrossentropy", {}, BITS, CHANCES),
    ("CategoricalCrossentropy", {"from_logits": True, "label_smoothing": 0.1}, BITS, LOGITS),
    ("SparseCategoricalCrossentropy", {}, CLASSES, CHANCES),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, CLASSES, LOGITS),
]  # fmt: skip


@pytest.mark.parametrize("reduction", ["sum_over_batch_size", "sum", "none"])
@pytest.mark.parametrize(("name", "options", "y_true", "y_pred"), LOSSES)
def test_losses(name: str, options: dict[str, Any], y_true: Any, y_pred: Any, reduction: str) -> None:
    theirs = getattr(keras.losses, name)(reduction=reduction, **options)
    ours = getattr(runtime.losses, name)(reduction=reduction, **options)
    for weights in (None, WEIGHTS):
        found, wanted = (loss(y_true, y_pred, sample_weight=weights) for loss in (ours, theirs))
        np.testing.assert_allclose(found, np.asarray(wanted), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "options", "y_true", "y_pred"),
    [("Accuracy", {}, CLASSES, np.array([0, 1, 2, 1, 0])), ("BinaryAccuracy", {}, BITS, CHANCES),
     ("BinaryAccuracy", {"threshold": 0.3}, BITS, CHANCES), ("CategoricalAccuracy", {}, BITS, CHANCES),
     ("SparseCategoricalAccuracy", {}, CLASSES, CHANCES)],
)  # fmt: skip
def test_metrics(name: str, options: dict[str, Any], y_true: Any, y_pred: Any) -> None:
    theirs, ours = getattr(keras.metrics, name)(**options), getattr(runtime.metrics, name)(**options)
    for weights in (None, WEIGHTS):
        theirs.update_state(y_true, y_pred, sample_weight=weights)
        ours.update_state(y_true, y_pred, sample_weight=weights)
        np.testing.assert_allclose(ours.result(), theirs.result().numpy(), rtol=1e-5)


def test_layers_with_the_same_weights() -> None:
    for make in (lambda layers: layers.Dense(5, "gelu"),
                 lambda layers: layers.Conv2D(4, 3, strides=2, padding="same", activation="relu"),
                 lambda layers: layers.MaxPooling2D(3, 2, "same"), lambda layers: layers.AveragePooling2D(2),
                 lambda layers: layers.Flatten(), lambda layers: layers.GlobalAveragePooling2D()):  # fmt: skip
        theirs, ours = make(keras.layers), make(runtime.layers)
        theirs(IMAGES), ours(IMAGES)
        ours.set_weights(theirs.get_weights())
        np.testing.assert_allclose(ours(IMAGES), theirs(IMAGES).numpy(), rtol=1e-4, atol=1e-5)


def test_the_lstm_cell_with_the_same_weights() -> None:
    theirs, ours = keras.layers.LSTMCell(4), runtime.layers.LSTMCell(4)
    x, h, c = LOGITS[:2], *RNG.normal(size=(2, 2, 4)).astype(np.float32)
    theirs(x, [tf.constant(h), tf.constant(c)]), ours(x, [h, c])
    ours.set_weights(theirs.get_weights())
    wanted, (_, wanted_c) = theirs(x, [tf.constant(h), tf.constant(c)])
    found, (_, found_c) = ours(x, [h, c])
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found_c, wanted_c.numpy(), rtol=1e-4, atol=1e-5)


def twins(make: Any, data: Any) -> tuple[Any, Any]:
    """The same model twice, with the same weights."""
    theirs, ours = make(keras.layers, keras.Sequential), make(runtime.layers, runtime.layers.Sequential)
    theirs(data), ours(data)
    ours.set_weights(theirs.get_weights())
    return theirs, ours


MODELS: dict[str, tuple[Any, Any]] = {
    "dense": (lambda l, s: s([l.Dense(6, "tanh"), l.Dense(5, "relu", use_bias=False), l.Dense(3)]), LOGITS),
    "convolutions": (lambda l, s: s([
        l.Conv2D(5, 3, padding="same", activation="relu"), l.MaxPooling2D(2), l.Conv2D(4, 2, strides=2), l.Flatten(),
        l.Dense(3)]), IMAGES),
    "pooling": (lambda l, s: s([
        l.AveragePooling2D(2), l.GlobalAveragePooling2D(), l.Dropout(0.5), l.Dense(3)]), IMAGES),
    "images that grow": (lambda l, s: s([
        l.Conv2DTranspose(3, 3, strides=2, padding="same", activation="relu"), l.Conv2DTranspose(2, 2, strides=3),
        l.UpSampling2D((1, 2)), l.GlobalMaxPooling2D(), l.Dense(3)]), IMAGES),
    "embedding": (lambda l, s: s([l.Embedding(7, 4), l.Flatten(), l.Dense(3, "softmax")]),
                  np.array([[1, 6, 0], [2, 2, 5]])),
    "reshape": (lambda l, s: s([l.Reshape([3, 1]), l.Flatten(), l.Activation("sigmoid"), l.Softmax()]), LOGITS),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_models_and_their_gradients(name: str) -> None:
    make, data = MODELS[name]
    found = []
    for module, model in zip((tf, runtime), twins(make, data), strict=True):
        with module.GradientTape() as tape:
            y = model(module.constant(data))
            loss = module.reduce_sum(y * module.constant(np.arange(1, 1 + y.shape[-1]), module.float32))
        gradients = [module.convert_to_tensor(g) for g in tape.gradient(loss, model.trainable_variables)]
        found.append([y, *gradients])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, np.asarray(one), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "RMSprop", "Adagrad"])
def test_training_in_a_function_takes_the_same_way(optimizer: str) -> None:
    make, data = MODELS["convolutions"]
    labels = np.array([2, 0])
    losses: list[list[float]] = []
    weights = []
    for module, library, model in zip((tf, runtime), (keras, runtime), twins(make, data), strict=True):
        loss_of = library.losses.SparseCategoricalCrossentropy(from_logits=True)
        stepper = getattr(library.optimizers, optimizer)(0.01)

        @module.function
        def step(x: Any, y: Any, model: Any = model, loss_of: Any = loss_of, stepper: Any = stepper) -> Any:
            with module.GradientTape() as tape:
                loss = loss_of(y, model(x))
            variables = model.trainable_variables
            stepper.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss

        losses.append([float(step(module.constant(data), module.constant(labels))) for _ in range(8)])
        weights.append(model.get_weights())
    np.testing.assert_allclose(losses[1], losses[0], rtol=2e-3)
    for one, other in zip(*weights, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4)


def test_slopes_of_the_lstm_cell() -> None:
    theirs, ours = keras.layers.LSTMCell(4), runtime.layers.LSTMCell(4)
    x, h, c = LOGITS[:2], *RNG.normal(size=(2, 2, 4)).astype(np.float32)
    theirs(x, [tf.constant(h), tf.constant(c)]), ours(x, [h, c])
    ours.set_weights(theirs.get_weights())
    found = []
    for module, cell in ((tf, theirs), (runtime, ours)):
        state = [module.constant(h), module.constant(c)]
        with module.GradientTape() as tape:
            for _ in range(3):
                y, state = cell(module.constant(x), state)
            loss = module.reduce_sum(y * y)
        found.append(tape.gradient(loss, cell.trainable_variables))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, one.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["Mean", "Sum"])
def test_running_values(name: str) -> None:
    """Of vectors: of a matrix Keras 3 counts the mean of each row once, Keras 2 and we each element."""
    theirs, ours = getattr(keras.metrics, name)(), getattr(runtime.metrics, name)()
    for values, weights in (([1.0, 5.0], None), (3.0, 0.5), ([2.0, 4.0], [0.0, 2.0])):
        theirs.update_state(values, sample_weight=weights), ours.update_state(values, sample_weight=weights)
        np.testing.assert_allclose(ours.result(), theirs.result().numpy(), rtol=1e-6)
    theirs.reset_state(), ours.reset_state()
    assert float(ours.result()) == float(theirs.result()) == 0


SCHEDULES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("ExponentialDecay", (0.1, 7, 0.5), {}), ("ExponentialDecay", (0.1, 7, 0.5), {"staircase": True}),
    ("InverseTimeDecay", (0.1, 7, 0.5), {}), ("InverseTimeDecay", (0.1, 7, 0.5), {"staircase": True}),
    ("PiecewiseConstantDecay", ([3, 8], [1.0, 0.5, 0.1]), {}), ("PolynomialDecay", (0.1, 7), {}),
    ("PolynomialDecay", (0.1, 7, 0.01, 0.5), {"cycle": True}), ("CosineDecay", (0.1, 7), {}),
    ("CosineDecay", (0.1, 7, 0.2), {"warmup_target": 0.5, "warmup_steps": 4}), ("CosineDecayRestarts", (0.1, 3), {}),
    ("CosineDecayRestarts", (0.1, 3, 1.5, 0.9, 0.1), {}), ("CosineDecayRestarts", (0.1, 3, 1.0), {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "options"), SCHEDULES)
def test_learning_rates_that_change(name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    theirs, ours = (
        getattr(library.optimizers.schedules, name)(*arguments, **options) for library in (keras, runtime.keras)
    )
    for step in range(20):
        assert float(ours(step)) == pytest.approx(float(theirs(step)), rel=1e-5, abs=1e-7), step
    w, v = tf.Variable(1.0), runtime.Variable(1.0)
    first, second = keras.optimizers.Adam(theirs), runtime.optimizers.Adam(ours)
    for _ in range(12):
        first.apply_gradients([(tf.constant(0.5), w)])
        second.apply_gradients([(runtime.constant(0.5), v)])
    assert float(v) == pytest.approx(float(w), rel=1e-5)


NORMALIZATIONS: list[tuple[str, dict[str, Any]]] = [
    ("LayerNormalization", {}), ("LayerNormalization", {"axis": [1, 3], "epsilon": 0.1}),
    ("LayerNormalization", {"axis": 1, "scale": False}), ("LayerNormalization", {"center": False}),
    ("BatchNormalization", {}), ("BatchNormalization", {"axis": 1, "momentum": 0.5}),
    ("BatchNormalization", {"center": False, "epsilon": 0.1}), ("BatchNormalization", {"scale": False}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), NORMALIZATIONS)
@pytest.mark.parametrize("staged", [False, True])
def test_normalizations_and_their_gradients(name: str, options: dict[str, Any], staged: bool) -> None:
    theirs, ours = (getattr(library.layers, name)(**options) for library in (keras, runtime))
    theirs(IMAGES), ours(IMAGES)
    weights = [RNG.uniform(0.5, 2, size=w.shape).astype(np.float32) for w in theirs.get_weights()]
    theirs.set_weights(weights), ours.set_weights(weights)
    for training in (False, True, True, False):
        found = []
        for module, layer in ((tf, theirs), (runtime, ours)):
            given = {} if name == "LayerNormalization" else {"training": training}

            def run(x: Any, module: Any = module, layer: Any = layer, given: Any = given) -> Any:
                with module.GradientTape() as tape:
                    tape.watch(x)
                    y = layer(x, **given)
                    total = module.reduce_sum(y * y * module.sin(x * 3.0))
                return [y, *tape.gradient(total, [x, *layer.trainable_weights])]

            call = module.function(run) if staged else run
            found.append([np.asarray(part) for part in (*call(module.constant(IMAGES)), *layer.get_weights())])
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4)
