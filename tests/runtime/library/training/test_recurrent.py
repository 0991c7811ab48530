"""Recurrent layers against their formulas in numpy, eagerly and as one loop of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import ShapeMismatchError

RNG = np.random.default_rng(5)
X = RNG.normal(size=(3, 5, 4)).astype(np.float32)
MASK = np.array([[1, 1, 1, 1, 1], [0, 0, 1, 0, 1], [1, 1, 0, 0, 0]], bool)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def lstm(x: Any, states: list[Any], kernel: Any, recurrent: Any, bias: Any) -> list[Any]:
    h, c = states
    i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return [sigmoid(o) * np.tanh(c), c]


def gru(x: Any, states: list[Any], kernel: Any, recurrent: Any, bias: Any) -> list[Any]:
    (h,) = states
    given, own = np.split(x @ kernel + bias[0], 3, axis=1), np.split(h @ recurrent + bias[1], 3, axis=1)
    z, r = sigmoid(given[0] + own[0]), sigmoid(given[1] + own[1])
    return [z * h + (1 - z) * np.tanh(given[2] + r * own[2])]


def plain(x: Any, states: list[Any], kernel: Any, recurrent: Any, bias: Any) -> list[Any]:
    return [np.tanh(x @ kernel + states[0] @ recurrent + bias)]


STEPS = {"LSTM": (lstm, 2), "GRU": (gru, 1), "SimpleRNN": (plain, 1)}


def reference(kind: str, layer: Any, x: Any, states: Any = None, mask: Any = None, backwards: bool = False) -> Any:
    """All outputs, and the last states: float64, one step after the other."""
    step, count = STEPS[kind]
    weights = [w.astype(np.float64) for w in layer.get_weights()]
    states = [np.zeros((len(x), 6)) for _ in range(count)] if states is None else states
    outputs, last = [], np.zeros((len(x), 6))
    for t in range(x.shape[1])[:: -1 if backwards else 1]:
        made = step(x[:, t], states, *weights)
        flags = np.ones((len(x), 1), bool) if mask is None else mask[:, t, None]
        last = np.where(flags, made[0], last)
        states = [np.where(flags, new, old) for new, old in zip(made, states, strict=True)]
        outputs.append(last)
    return np.stack(outputs, 1) if outputs else np.zeros((len(x), 0, 6)), states


def layer_of(kind: str, **options: Any) -> Any:
    layer = getattr(tf.keras.layers, kind)(6, **options)
    layer(X)
    layer.set_weights([RNG.normal(size=w.shape).astype(np.float32) / 2 for w in layer.get_weights()])
    return layer


def close(found: Any, wanted: Any) -> None:
    assert tuple(found.shape) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("kind", STEPS)
def test_outputs_and_states(kind: str, backwards: bool, staged: bool) -> None:
    layer = layer_of(kind, return_sequences=True, return_state=True, go_backwards=backwards)
    call = tf.function(layer, reduce_retracing=True) if staged else layer
    for x in (X, X[:1, :3], X[:, :1], X[:0], X[:, :0]):
        outputs, *states = call(tf.constant(x))
        wanted, wanted_states = reference(kind, layer, x, backwards=backwards)
        close(outputs, wanted)
        assert len(states) == len(wanted_states)
        for state, other in zip(states, wanted_states, strict=True):
            close(state, other)
    layer.return_sequences = layer.return_state = False
    close(layer(X), reference(kind, layer, X, backwards=backwards)[0][:, -1])


@pytest.mark.parametrize("kind", STEPS)
def test_masks_and_first_states(kind: str) -> None:
    layer = layer_of(kind, return_sequences=True)
    first = [RNG.normal(size=(3, 6)).astype(np.float32) for _ in range(STEPS[kind][1])]
    staged = tf.function(lambda x, mask, states: layer(x, initial_state=states, mask=mask))
    for mask in (MASK, ~MASK):
        wanted, _ = reference(kind, layer, X, first, mask)
        close(layer(X, initial_state=first, mask=mask), wanted)
        close(layer(X, initial_state=first, mask=mask.astype(np.int32)), wanted)
        close(staged(tf.constant(X), tf.constant(mask), [tf.constant(s) for s in first]), wanted)
    if len(first) == 1:
        close(layer(X, initial_state=first[0]), reference(kind, layer, X, first)[0])


@pytest.mark.parametrize("kind", STEPS)
def test_one_trace_for_all_batches_and_times(kind: str) -> None:
    layer = layer_of(kind, return_sequences=True)
    staged = tf.function(layer, input_signature=[tf.TensorSpec([None, None, 4])])
    for x in (X, X[:2, :4], np.zeros((1, 70, 4), np.float32), X[:, :0], X[:0]):
        close(staged(x), reference(kind, layer, x)[0])
    assert staged.experimental_get_tracing_count() == 1
    graph = staged.get_concrete_function().graph
    assert sum(op.type == "while" for op in graph.get_operations()) == 1
    assert len(graph.get_operations()) < 60


@pytest.mark.parametrize("kind", STEPS)
def test_gradients(kind: str) -> None:
    """Against central differences, also with a mask, in a Function of unknown batch and time."""
    layer = layer_of(kind, return_sequences=True, dtype=tf.float64)
    x = RNG.normal(size=(2, 3, 4))

    def loss(x: Any, *weights: Any) -> Any:
        for variable, value in zip(layer.trainable_variables, weights, strict=True):
            variable.assign(value)
        return tf.reduce_sum(layer(x, mask=tf.constant(MASK[:2, 2:])) ** 2)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 4], tf.float64)])
    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = tf.reduce_sum(layer(x, mask=tf.constant(MASK[:2, 2:])) ** 2)
        return tape.gradient(value, [x, *layer.trainable_variables])

    values = [x, *layer.get_weights()]
    found = [np.asarray(tf.convert_to_tensor(g)) for g in gradients(x)]
    for which, gradient in enumerate(found):
        for place in list(np.ndindex(gradient.shape))[:: max(gradient.size // 5, 1)]:
            ends = []
            for change in (1e-6, -1e-6):
                moved = [np.array(v) for v in values]
                moved[which][place] += change
                ends.append(float(loss(*map(tf.constant, moved))))
            assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("staged", [False, True])
def test_states_that_are_kept(staged: bool) -> None:
    layer = layer_of("LSTM", stateful=True, return_sequences=True)
    call = tf.function(layer) if staged else layer
    layer.reset_state()
    whole, _ = reference("LSTM", layer, np.concatenate([X, X], 1))
    close(np.concatenate([call(tf.constant(X)), call(tf.constant(X))], 1), whole)
    layer.reset_states()
    close(call(tf.constant(X)), whole[:, :5])
    assert [state.shape.as_list() for state in layer.states] == [[3, 6], [3, 6]]
    assert len(layer.variables) == 3


def test_states_of_another_batch_are_not_repeated_in_silence() -> None:
    layer, kept = layer_of("GRU"), layer_of("GRU", stateful=True)
    one = np.ones((1, 6), np.float32)
    spec = [tf.TensorSpec([None, None, 4]), tf.TensorSpec([None, 6])]
    staged = tf.function(lambda x, state: layer(x, initial_state=state), input_signature=spec)
    close(staged(X[:1], one), reference("GRU", layer, X[:1], [one])[0][:, -1])
    for call in (lambda: layer(X, initial_state=one), lambda: staged(X, one), lambda: kept(X[:1]),
                 lambda: tf.function(kept, input_signature=spec[:1])(X[:1])):  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"a state is \[batch, 6\]"):
            call()


def test_masks_of_another_size_are_refused_when_the_graph_runs() -> None:
    layer = layer_of("GRU")
    spec = [tf.TensorSpec([None, None, 4]), tf.TensorSpec([None, None], tf.bool)]
    staged = tf.function(lambda x, mask: layer(x, mask=mask), input_signature=spec)
    close(staged(X, MASK), reference("GRU", layer, X, mask=MASK)[0][:, -1])
    for mask in (MASK[:1], MASK[:, 1:], np.ones((3, 9), bool)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"a mask is \[batch, time\]"):
            staged(X, mask)


def test_dropout() -> None:
    """Off outside of training; in training the same features of a sequence are left out in each step."""
    layer = tf.keras.layers.SimpleRNN(
        4, activation=None, dropout=0.5, kernel_initializer=lambda shape, dtype: tf.eye(4),
        recurrent_initializer="zeros", return_sequences=True,
    )  # fmt: skip
    x = np.ones((50, 6, 4), np.float32)
    close(layer(x), x)
    for training in (True, tf.constant(True)):
        found = np.asarray(layer(x, training=training))
        assert set(np.unique(found)) == {0.0, 2.0}
        assert (found == found[:, :1]).all()
        assert 0.3 < (found == 0).mean() < 0.7
    close(tf.function(layer)(x, training=tf.constant(False)), x)
    recurrent = tf.keras.layers.SimpleRNN(
        4, activation=None, recurrent_dropout=0.5, kernel_initializer="zeros", use_bias=False,
        recurrent_initializer=lambda shape, dtype: tf.eye(4), return_sequences=True,
    )  # fmt: skip
    found = np.asarray(recurrent(x, initial_state=np.ones((50, 4), np.float32), training=True))
    assert set(np.unique(found)) == {0.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}
    assert ((found[:, 0] == 0) == (found[:, -1] == 0)).all()


@pytest.mark.parametrize("staged", [False, True])
def test_both_directions(staged: bool) -> None:
    layer = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(6, return_sequences=True))
    call = tf.function(layer) if staged else layer
    found = np.asarray(call(tf.constant(X)))
    forward, backward = layer.forward_layer, layer.backward_layer
    close(found[..., :6], reference("LSTM", forward, X)[0])
    close(found[..., 6:], reference("LSTM", backward, X, backwards=True)[0][:, ::-1])
    assert [w.name for w in layer.weights][::3] == [
        f"bidirectional/{part}_lstm/lstm_cell/kernel:0" for part in ("forward", "backward")
    ]
    assert not np.allclose(forward.get_weights()[0], backward.get_weights()[0])


def test_a_cell_of_ones_own_is_converted() -> None:
    class Capped(tf.keras.layers.Layer):  # type: ignore[misc, name-defined]
        state_size, output_size = 4, 4

        def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
            h = states[0] + inputs
            if tf.reduce_max(h) > 3.0:
                h = h / 2.0
            return (h if not training else -h), [h]

    layer = tf.keras.layers.RNN(Capped(), return_sequences=True, return_state=True)
    x, wanted, h = np.full((2, 4, 4), 1.5, np.float32), [], 0.0
    for _ in range(4):
        h = h + 1.5
        h = h / 2 if h > 3 else h
        wanted.append(h)
    for call in (layer, tf.function(layer)):
        outputs, state = call(tf.constant(x))
        close(outputs[0, :, 0], wanted)
        close(state, np.full((2, 4), h))
        close(call(tf.constant(x), training=True)[0][0, :, 0], -np.array(wanted))


def test_one_vector_of_each_sequence() -> None:
    mean, most = tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.GlobalMaxPooling1D(keepdims=True)
    for wrap in (lambda layer: layer, tf.function):
        close(wrap(mean)(X), X.mean(1))
        close(wrap(most)(X), X.max(1, keepdims=True))
        close(wrap(mean)(X, mask=MASK), (X * MASK[..., None]).sum(1) / MASK.sum(1)[:, None])


def test_in_models() -> None:
    tf.random.set_seed(3)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(20, 5), tf.keras.layers.LSTM(8, return_sequences=True), tf.keras.layers.GRU(6),
        tf.keras.layers.Dense(1)])  # fmt: skip
    words = RNG.integers(0, 20, (64, 7))
    labels = (words[:, -1] > 9).astype(np.float32)[:, None]
    model.compile(tf.keras.optimizers.Adam(0.03), tf.keras.losses.BinaryCrossentropy(from_logits=True))
    losses = model.fit(words, labels, batch_size=8, epochs=15, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 3
    assert [w.name for w in model.layers[1].weights] == [
        f"sequential/lstm/lstm_cell/{part}:0" for part in ("kernel", "recurrent_kernel", "bias")
    ]


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "rank": (lambda: tf.layers.LSTM(3)(np.zeros((2, 3), np.float32)), ShapeMismatchError, r"\[batch, time, features\]"),
    "cell": (lambda: tf.layers.RNN(tf.layers.Dense(3)), ValueError, "a cell has state_size"),
    "states": (lambda: tf.layers.LSTM(6)(X, initial_state=[np.zeros((3, 6), np.float32)]), ValueError, "2 tensors; 1"),
    "size": (lambda: tf.layers.GRU(6)(X, initial_state=np.zeros((3, 5), np.float32)), ShapeMismatchError, r"\(3, 5\)"),
    "mask": (lambda: tf.layers.GRU(6)(X, mask=MASK[:, 1:]), ShapeMismatchError, r"\[batch, time\]"),
    "direction": (lambda: tf.layers.Bidirectional(tf.layers.Dense(3)), ValueError, "new recurrent layer"),
    "merge": (lambda: tf.layers.Bidirectional(tf.layers.LSTM(3), "add"), ValueError, "merge_mode is None or one of"),
    "same way": (lambda: tf.layers.Bidirectional(tf.layers.LSTM(3), backward_layer=tf.layers.LSTM(3)),
                 ValueError, "different directions"),
    "no sequences": (lambda: tf.layers.GlobalMaxPooling1D()(X[0]), ShapeMismatchError, r"\[batch, time, features\]"),
    "units": (lambda: tf.layers.LSTM(2.5), ValueError, "LSTMCell: units is a positive integer"),
    "dropout": (lambda: tf.layers.LSTM(2, dropout=1.0), ValueError, r"dropout is in \[0, 1\)"),
    "batch": (lambda: tf.function(tf.layers.LSTM(2, stateful=True),
                                  input_signature=[tf.TensorSpec([None, 5, 4])]).get_concrete_function(),
              ValueError, "stateful: the size of the batch"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(name: str) -> None:
    call, error, words = WRONG[name]
    with pytest.raises(error, match=words):
        call()
