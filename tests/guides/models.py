"""Programs over models of layers, as the guides on functional models, regularizers and masks write them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

X: Final = (np.sin(np.arange(24.0)).reshape(6, 4)).astype(np.float32)
Y: Final = (np.cos(np.arange(18.0)).reshape(6, 3)).astype(np.float32)
WORDS: Final = np.array([[1, 2, 0, 0], [3, 0, 0, 0], [4, 1, 2, 3]])


def weights_of(model: Any) -> None:
    """Gives all weights known values."""
    model.set_weights([np.cos(np.arange(w.size) + i).reshape(w.shape) / 2 for i, w in enumerate(model.get_weights())])


def _two_ways(m: Any) -> Any:
    """One input, a branch around a layer, and two outputs."""
    k = m.keras
    inputs = k.Input(shape=(4,), name="features")
    hidden = k.layers.Dense(4, activation="relu", name="hidden")(inputs)
    added = k.layers.add([inputs, hidden])
    score = k.layers.Dense(1, name="score")(added)
    kind = k.layers.Dense(3, name="kind")(k.layers.Dropout(0.5)(added))
    model = k.Model(inputs=inputs, outputs=[score, kind], name="both")
    weights_of(model)
    return model


def _no_dropout(m: Any) -> Any:
    k = m.keras
    inputs = k.Input(shape=(4,))
    hidden = k.layers.Dense(4, activation="relu")(inputs)
    model = k.Model(inputs, [k.layers.Dense(1, name="score")(hidden), k.layers.Dense(3, name="kind")(hidden)])
    weights_of(model)
    return model


def _two_inputs(m: Any, structure: Any = list) -> Any:
    k = m.keras
    left, right = k.Input(shape=(4,), name="left"), k.Input(shape=(3,), name="right")
    merged = k.layers.concatenate([k.layers.Dense(2)(left), right])
    inputs = {"left": left, "right": right} if structure is dict else [left, right]
    model = k.Model(inputs, k.layers.Dense(2)(merged))
    weights_of(model)
    return model


def _fitted(model: Any, y: Any, **options: Any) -> Any:
    model.compile("sgd", **options)
    history = model.fit(X, y, batch_size=2, epochs=2, shuffle=False, verbose=0).history
    return {name: [float(v) for v in values] for name, values in history.items()}


def _regularized(m: Any, **options: Any) -> Any:
    model = m.keras.Sequential([m.keras.Input(shape=(4,)), m.keras.layers.Dense(3, **options)])
    weights_of(model)
    return model


def _losses(m: Any, **options: Any) -> Any:
    model = _regularized(m, **options)
    model(X)
    return [m.convert_to_tensor(loss) for loss in model.losses]


def _of_embedding(m: Any) -> Any:
    layer = m.keras.layers.Embedding(5, 3, embeddings_regularizer="l2")
    layer(WORDS)
    weights_of(layer)
    return [m.convert_to_tensor(loss) for loss in layer.losses]


def _of_convolution(m: Any) -> Any:
    layer = m.keras.layers.Conv2D(2, 2, kernel_regularizer="l1", bias_regularizer="l2")
    layer(X.reshape(1, 6, 4, 1))
    weights_of(layer)
    return [m.convert_to_tensor(loss) for loss in layer.losses]


class _Shared:
    """A layer that is used twice in one model."""

    def __call__(self, m: Any) -> Any:
        k = m.keras
        first, second = k.Input(shape=(4,)), k.Input(shape=(4,))
        shared = k.layers.Dense(2)
        model = k.Model([first, second], k.layers.subtract([shared(first), shared(second)]))
        weights_of(model)
        return [len(model.weights), len(model.layers), model([X, X[::-1]])]


def _in_parts(m: Any) -> Any:
    """A model in a model, and one of what is in the middle."""
    k = m.keras
    inner = k.Sequential([k.Input(shape=(4,)), k.layers.Dense(5, activation="tanh"), k.layers.Dense(2)])
    inputs = k.Input(shape=(4,))
    outer = k.Model(inputs, k.layers.Dense(1)(inner(inputs)))
    weights_of(outer)
    middle = k.Model(inner.inputs, inner.layers[0].output)
    return [outer(X), middle(X), [layer.name.split("_")[0] for layer in outer.layers]]


def _cloned(m: Any) -> Any:
    model = _two_ways(m)
    clone = m.keras.models.clone_model(model)
    different = any(a is b for a, b in zip(model.weights, clone.weights))
    clone.set_weights(model.get_weights())
    return [different, [layer.name.split("_")[0] for layer in clone.layers], clone(X)]


def _cloned_sequential(m: Any) -> Any:
    model = _regularized(m, kernel_regularizer="l2")
    clone = m.keras.models.clone_model(model)
    weights_of(clone)
    return [clone(X), [m.convert_to_tensor(loss) for loss in clone.losses]]


def _slopes(m: Any) -> Any:
    model = _two_inputs(m)
    with m.GradientTape() as tape:
        loss = m.reduce_sum(model([X, Y]) ** 2) + m.add_n([0.0, *model.losses])
    return tape.gradient(loss, model.trainable_variables)


def _parts_of(m: Any) -> Any:
    model = _two_ways(m)
    return [
        [layer.name.split("_")[0] for layer in model.layers], [list(w.shape) for w in model.get_weights()],
        [list(shape) for shape in model.output_shape], list(model.input_shape), model.count_params(),
        model.get_layer("kind").units, model.get_layer(index=1).name, len(model.inputs), len(model.outputs), model.name,
    ]  # fmt: skip


def _counts(m: Any) -> Any:
    """What a summary counts."""
    lines: list[str] = []
    model = _two_ways(m)
    model.get_layer("hidden").trainable = False
    model.summary(print_fn=lambda line, *more, **options: lines.append(line))
    words = "\n".join(lines)
    return ["hidden (Dense)" in words, "39" in words, "19" in words, "20" in words]


class _Noted:
    """A layer that adds a term to the loss."""

    def __call__(self, m: Any) -> Any:
        class Noting(m.keras.layers.Layer):  # type: ignore[misc]
            def call(self, inputs: Any) -> Any:
                self.add_loss(m.reduce_mean(inputs**2))
                return inputs

        k = m.keras
        model = k.Sequential([k.Input(shape=(4,)), Noting(), k.layers.Dense(3)])
        weights_of(model)
        model(X)
        model(X * 2)
        return [[m.convert_to_tensor(loss) for loss in model.losses], _fitted(model, Y, loss="mse")]


def _masked(m: Any, make: Callable[[Any], Any]) -> Any:
    model = m.keras.Sequential([m.keras.layers.Embedding(5, 3, mask_zero=True), *make(m.keras.layers)])
    model(WORDS)
    weights_of(model)
    return model(WORDS)


def _of_layers(make: Callable[[Any], Any]) -> Program:
    return lambda m: _masked(m, make)


def _tagged(m: Any) -> Any:
    """The loss of a step that the mask leaves out does not count."""
    model = m.keras.Sequential([m.keras.layers.Embedding(5, 3, mask_zero=True), m.keras.layers.Dense(2)])
    model(WORDS)
    weights_of(model)
    model.compile("sgd", loss=m.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    found = model.fit(WORDS, WORDS % 2, epochs=2, batch_size=3, verbose=0).history["loss"]
    return [float(v) for v in found]


def _of_two_masks(m: Any, merge: Callable[[Any], Any]) -> Any:
    k = m.keras.layers
    x, y = k.Embedding(5, 3, mask_zero=True), k.Embedding(5, 3, mask_zero=True)
    for i, layer in enumerate((x, y)):
        layer.build((None, 4))
        layer.set_weights([np.cos(np.arange(15.0) + i).reshape(5, 3)])
    layer = k.SimpleRNN(2)
    found = merge(k)([x(WORDS), y(WORDS[::-1])])
    layer(found)
    weights_of(layer)
    return layer(found)


def _staged(m: Any) -> Any:
    model = _two_ways(m)
    return m.function(lambda x: model(x, training=False))(m.constant(X))


def _arithmetic(m: Any) -> Any:
    inputs = m.keras.Input(shape=(4,))
    outputs = (inputs * 2 + 1) / (inputs**2 + 3) - inputs[:, :1]
    return m.keras.Model(inputs, -outputs)(X)


FUNCTIONAL: Final[dict[str, Program]] = {
    "model of two outputs": lambda m: _two_ways(m)(X),
    "model of two outputs: its parts": _parts_of,
    "model of two outputs: in a function": _staged,
    "model of two outputs: predict": lambda m: [m.constant(a) for a in _two_ways(m).predict(X, verbose=0)],
    "model of two outputs: summary": _counts,
    "model of two inputs": lambda m: _two_inputs(m)([X, Y]),
    "model of two inputs: by name": lambda m: _two_inputs(m)({"left": X, "right": Y}),
    "model of two inputs: of a dict": lambda m: _two_inputs(m, dict)({"left": X, "right": Y}),
    "model of two inputs: slopes": _slopes,
    "a layer that is shared": _Shared(),
    "a model in a model": _in_parts,
    "arithmetic between layers": _arithmetic,
    "an input that is not among the inputs": lambda m: m.keras.Model(
        m.keras.Input(shape=(4,)), m.keras.layers.Dense(1)(m.keras.Input(shape=(4,)))
    ),
    "a model of a tensor": lambda m: m.keras.Model(m.constant(X), m.constant(X)),
    "integers for an input of floats": lambda m: _two_inputs(m)([np.ones((2, 4), np.int64), np.ones((2, 3), np.int32)]),
    "Input of a dtype": lambda m: [
        m.keras.Input(shape=(2, 3), dtype="int32").dtype == "int32", list(m.keras.Input(shape=(2, 3)).shape),
        list(m.keras.Input(shape=(), batch_size=4).shape), list(m.keras.Input(batch_shape=(2, None)).shape),
    ],
    "clone_model": _cloned,
    "clone_model of a Sequential": _cloned_sequential,
    "Model with an empty name": lambda m: m.keras.Model(name="").built,
    "fit of two outputs": lambda m: _fitted(
        _no_dropout(m), [Y[:, :1], Y], loss=["mse", "mae"], loss_weights=[0.5, 2.0]
    ),
    "fit of two outputs, by name": lambda m: _fitted(
        _no_dropout(m), {"score": Y[:, :1], "kind": Y}, loss={"score": "mse", "kind": "mse"},
        metrics={"kind": ["mae"]},
    ),
}  # fmt: skip


def _merging(name: str, **options: Any) -> Program:
    return lambda m: getattr(m.keras.layers, name)(**options)([X[:, :3], Y])


MERGING: Final[dict[str, Program]] = {
    **{name: _merging(name) for name in ("Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply")},
    "Subtract": _merging("Subtract"),
    "Concatenate along the batch's next axis": lambda m: m.keras.layers.Concatenate(axis=1)([X, Y]),
    "Add of three": lambda m: m.keras.layers.add([Y, Y * 2, Y + 1]),
    "average": lambda m: m.keras.layers.average([Y, Y * 2]),
    "multiply": lambda m: m.keras.layers.multiply([Y, Y * 2]),
    "maximum": lambda m: m.keras.layers.maximum([Y, X[:, :3]]),
    "minimum": lambda m: m.keras.layers.minimum([Y, X[:, :3]]),
    "subtract": lambda m: m.keras.layers.subtract([Y, X[:, :3]]),
    "Dot": _merging("Dot", axes=1),
    "Dot normalized": _merging("Dot", axes=-1, normalize=True),
    "dot of matrices": lambda m: m.keras.layers.dot(
        [X.reshape(2, 3, 4), np.ascontiguousarray(Y.reshape(2, 3, 3))], axes=(1, 2)
    ),
    "Add of one": lambda m: m.keras.layers.Add()([X]),
    "Subtract of three": lambda m: m.keras.layers.Subtract()([X, X, X]),
}  # fmt: skip

REGULARIZERS: Final[dict[str, Program]] = {
    "L1": lambda m: m.keras.regularizers.L1(0.3)(m.constant(X)),
    "L2": lambda m: m.keras.regularizers.L2(0.3)(m.constant(X)),
    "L1L2": lambda m: m.keras.regularizers.L1L2(l1=0.1, l2=0.2)(m.constant(X)),
    "l1_l2": lambda m: m.keras.regularizers.l1_l2(l1=0.1, l2=0.2)(m.constant(X)),
    "l1 and l2": lambda m: [m.keras.regularizers.l1(0.5)(m.constant(X)), m.keras.regularizers.l2(0.5)(m.constant(X))],
    "get": lambda m: m.keras.regularizers.get("l2")(m.constant(X)),
    "get of no name": lambda m: m.keras.regularizers.get("l3"),
    "L2 below 0": lambda m: m.keras.regularizers.L2(float("inf")),
    "kernel_regularizer": lambda m: _losses(m, kernel_regularizer="l2"),
    "bias_regularizer": lambda m: _losses(m, bias_regularizer=m.keras.regularizers.L1(0.2)),
    "activity_regularizer": lambda m: _losses(m, activity_regularizer="l1"),
    "all regularizers": lambda m: _losses(
        m, kernel_regularizer=lambda x: m.reduce_sum(x) * 0.1, bias_regularizer="l1", activity_regularizer="l2"
    ),
    "embeddings_regularizer": _of_embedding,
    "kernel_regularizer of a convolution": _of_convolution,
    "fit with regularizers": lambda m: _fitted(_regularized(m, kernel_regularizer="l2"), Y, loss="mse"),
    "fit with all regularizers": lambda m: _fitted(
        _regularized(m, kernel_regularizer="l1", activity_regularizer="l2"), Y, loss="mse", metrics=["mae"]
    ),
    "fit with add_loss": _Noted(),
}  # fmt: skip


MASKS: Final[dict[str, Program]] = {
    "mask_zero before an LSTM": _of_layers(lambda k: [k.LSTM(2)]),
    "mask_zero before a GRU with sequences": _of_layers(lambda k: [k.GRU(2, return_sequences=True)]),
    "mask_zero through layers": _of_layers(
        lambda k: [k.Dense(3), k.Dropout(0.1), k.LayerNormalization(), k.Activation("tanh"), k.LSTM(2)]
    ),
    "mask_zero through an LSTM": _of_layers(lambda k: [k.LSTM(3, return_sequences=True), k.SimpleRNN(2)]),
    "mask_zero before both directions": _of_layers(lambda k: [k.Bidirectional(k.LSTM(2)), k.Dense(1)]),
    "mask_zero before a mean": _of_layers(lambda k: [k.GlobalAveragePooling1D()]),
    "mask_zero of two": lambda m: _of_two_masks(m, lambda k: k.Add()),
    "mask_zero of two, multiplied": lambda m: _of_two_masks(m, lambda k: k.Multiply()),
    "mask_zero of two, side by side": lambda m: _of_two_masks(m, lambda k: k.Concatenate()),
    "mask_zero of two, one after the other": lambda m: _of_two_masks(m, lambda k: k.Concatenate(axis=1)),
    "compute_mask": lambda m: m.keras.layers.Embedding(5, 3, mask_zero=True).compute_mask(m.constant(WORDS)),
    "compute_mask without mask_zero": lambda m: m.keras.layers.Embedding(5, 3).compute_mask(m.constant(WORDS)),
    "mask_zero and the loss": _tagged,
    "LeakyReLU": lambda m: m.keras.layers.LeakyReLU(negative_slope=0.1)(X),
    "LeakyReLU below 0": lambda m: m.keras.layers.LeakyReLU(negative_slope=-1.0),
    "Lambda": lambda m: m.keras.layers.Lambda(lambda x: x * 3)(m.constant(X)),
    "Lambda in a Sequential": lambda m: m.keras.Sequential([m.keras.layers.Lambda(lambda x: x + 1)])(X),
    "Lambda with arguments": lambda m: m.keras.layers.Lambda(lambda x, by: x * by, arguments={"by": 2.0})(X),
}  # fmt: skip

def _goes_on(m: Any) -> Any:
    """The training of a model that was saved, in the loaded one."""
    k = m.keras
    model = k.Sequential([k.Input(shape=(4,)), k.layers.Dense(5, activation="tanh"), k.layers.Dense(3)])
    weights_of(model)
    model.compile(k.optimizers.Adam(0.05), loss=k.losses.MeanSquaredError(), metrics=["mae"])
    model.fit(X, Y, batch_size=2, epochs=2, shuffle=False, verbose=0)
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/model.keras")
        loaded = k.models.load_model(f"{folder}/model.keras")
    history = loaded.fit(X, Y, batch_size=2, epochs=2, shuffle=False, verbose=0).history
    return [int(loaded.optimizer.iterations), {name: [float(v) for v in values] for name, values in history.items()}]


FILES: Final[dict[str, Program]] = {"a saved model goes on": _goes_on}

PROGRAMS: Final[dict[str, Program]] = {**FUNCTIONAL, **MERGING, **REGULARIZERS, **MASKS, **FILES}
