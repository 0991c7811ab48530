"""Recurrent layers against those of Keras, with the same weights: outputs, states, gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime

keras = tf.keras
RNG = np.random.default_rng(3)
X = RNG.normal(size=(3, 5, 4)).astype(np.float32)
MASK = np.array([[1, 1, 1, 1, 1], [0, 0, 1, 0, 1], [1, 1, 0, 0, 0]], bool)
STATES = RNG.normal(size=(2, 3, 6)).astype(np.float32)
SIZES = {"LSTM": 2, "GRU": 1, "SimpleRNN": 1}
"""How many tensors a state is."""

LAYERS: list[tuple[str, dict[str, Any]]] = [
    *((kind, options) for kind in SIZES for options in (
        {}, {"return_sequences": True}, {"return_state": True}, {"return_sequences": True, "return_state": True},
        {"go_backwards": True, "return_sequences": True}, {"use_bias": False}, {"activation": "relu"},
        {"stateful": True, "return_sequences": True}, {"unroll": True}, {"kernel_initializer": "he_normal"})),
    ("LSTM", {"recurrent_activation": "linear", "unit_forget_bias": False}), ("GRU", {"reset_after": False}),
    ("GRU", {"reset_after": False, "use_bias": False, "return_sequences": True}),
    ("GRU", {"recurrent_activation": "tanh"}),
]  # fmt: skip

pytestmark = pytest.mark.filterwarnings("ignore")


def twins(kind: str, options: dict[str, Any]) -> tuple[Any, Any]:
    """The same layer twice, with weights that are all different."""
    theirs, ours = (getattr(library.layers, kind)(6, **options) for library in (keras, runtime))
    theirs(X), ours(X)
    weights = [RNG.normal(size=w.shape).astype(np.float32) / 2 for w in theirs.trainable_weights]
    for layer in (theirs, ours):
        for variable, value in zip(layer.trainable_weights, weights, strict=True):
            assert tuple(variable.shape) == value.shape
            variable.assign(value)
        if options.get("stateful"):
            layer.reset_states()
    return theirs, ours


def parts(result: Any) -> list[Any]:
    return [np.asarray(part) for part in (result if isinstance(result, list | tuple) else [result])]


def compare(found: Any, wanted: Any) -> None:
    assert len(parts(found)) == len(parts(wanted))
    for one, other in zip(parts(found), parts(wanted), strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5 * max(1.0, float(np.abs(other).max())))


@pytest.mark.parametrize(("kind", "options"), LAYERS)
def test_layers(kind: str, options: dict[str, Any]) -> None:
    theirs, ours = twins(kind, options)
    batch = 3 if options.get("stateful") else None
    staged = runtime.function(ours, input_signature=[runtime.TensorSpec([batch, None, 4])])
    compare(ours(X), theirs(X))
    if options.get("stateful"):
        compare(staged(X[::-1]), theirs(X[::-1]))
        ours.reset_state(), theirs.reset_states()
    for x in (X, X[:, :1], X[:, ::-1]):
        compare(staged(x), theirs(x))


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("options", [{}, {"return_sequences": True, "return_state": True}, {"go_backwards": True}])
def test_masks_and_first_states(kind: str, options: dict[str, Any]) -> None:
    theirs, ours = twins(kind, options)
    states = list(STATES[: SIZES[kind]])
    for mask, first in ((MASK, None), (None, states), (MASK, states), (~MASK, states)):
        wanted = theirs(
            tf.constant(X), mask=None if mask is None else tf.constant(mask),
            initial_state=None if first is None else [tf.constant(s) for s in first],
        )  # fmt: skip
        compare(ours(X, mask=mask, initial_state=first), wanted)
        call = runtime.function(lambda x, m, s, ours=ours: ours(x, mask=m, initial_state=s))
        compare(call(runtime.constant(X), None if mask is None else runtime.constant(mask),
                     None if first is None else [runtime.constant(s) for s in first]), wanted)  # fmt: skip


@pytest.mark.parametrize("zeros", [False, True])
def test_outputs_of_steps_that_the_mask_leaves_out(zeros: bool) -> None:
    options = {"return_sequences": True, "zero_output_for_mask": zeros}
    theirs, ours = (library.layers.RNN(library.layers.LSTMCell(6), **options) for library in (keras, runtime))
    theirs(X), ours(X)
    ours.set_weights(theirs.get_weights())
    compare(ours(X, mask=MASK), theirs(tf.constant(X), mask=tf.constant(MASK)))


@pytest.mark.parametrize(("kind", "options"), [row for row in LAYERS if not {"stateful", "unroll"} & row[1].keys()])
@pytest.mark.parametrize("staged", [False, True])
def test_gradients(kind: str, options: dict[str, Any], staged: bool) -> None:
    theirs, ours = twins(kind, options)
    found = []
    for module, layer in ((tf, theirs), (runtime, ours)):

        def gradients(x: Any, mask: Any, module: Any = module, layer: Any = layer) -> Any:
            with module.GradientTape() as tape:
                tape.watch(x)
                result = layer(x, mask=mask)
                total = sum(module.reduce_sum(part * part * (i + 1)) for i, part in enumerate(
                    result if isinstance(result, list | tuple) else [result]))  # fmt: skip
            return tape.gradient(total, [x, *layer.trainable_weights])

        call = module.function(gradients) if staged and module is runtime else gradients
        found.append(call(module.constant(X), module.constant(MASK)))
    compare(found[1], found[0])


def test_a_cell_of_ones_own() -> None:
    made = []
    for library in (keras, runtime):

        class Leaky(library.layers.Layer):  # type: ignore[misc, name-defined]
            state_size = 4
            output_size = 4

            def call(self, inputs: Any, states: Any) -> Any:
                h = states[0] * 0.5 + inputs
                return h * 2.0, [h]

        layer = library.layers.RNN(Leaky(), return_sequences=True, return_state=True)
        made.append([layer(tf.constant(X) if library is keras else X), layer])
    compare(made[1][0], made[0][0])
    compare(runtime.function(made[1][1])(X), made[0][0])


@pytest.mark.parametrize("options", [{}, {"return_sequences": True}, {"return_sequences": True, "return_state": True}])
@pytest.mark.parametrize("merge_mode", ["concat", "sum", "mul", "ave", None])
def test_both_directions(merge_mode: str | None, options: dict[str, Any]) -> None:
    for kind in SIZES:
        theirs, ours = (
            library.layers.Bidirectional(getattr(library.layers, kind)(6, **options), merge_mode=merge_mode)
            for library in (keras, runtime)
        )
        theirs(X), ours(X)
        weights = [RNG.normal(size=w.shape) for w in theirs.get_weights()]
        theirs.set_weights(weights), ours.set_weights(weights)
        compare(ours(X), theirs(X))
        states = [STATES[i % 2] for i in range(2 * SIZES[kind])]
        given = {"mask": tf.constant(MASK), "initial_state": [tf.constant(s) for s in states]}
        wanted = theirs(tf.constant(X), **given)
        compare(runtime.function(lambda x, ours=ours, s=states: ours(x, initial_state=s, mask=MASK))(X), wanted)


@pytest.mark.parametrize("kind", ["GRUCell", "LSTMCell", "SimpleRNNCell"])
def test_cells(kind: str) -> None:
    theirs, ours = (getattr(library.layers, kind)(6) for library in (keras, runtime))
    x, states = X[:, 0], [*STATES[: 2 if kind == "LSTMCell" else 1]]
    theirs(tf.constant(x), [tf.constant(s) for s in states]), ours(x, states)
    weights = [RNG.normal(size=w.shape) for w in theirs.weights]
    theirs.set_weights(weights), ours.set_weights(weights)
    wanted, wanted_states = theirs(tf.constant(x), [tf.constant(s) for s in states])
    found, found_states = ours(x, states)
    compare([found, *found_states], [wanted, *wanted_states])
    assert ours.state_size == theirs.state_size


@pytest.mark.parametrize("keepdims", [False, True])
def test_one_vector_of_each_sequence(keepdims: bool) -> None:
    for kind in ("GlobalAveragePooling1D", "GlobalMaxPooling1D"):
        theirs, ours = (getattr(library.layers, kind)(keepdims=keepdims) for library in (keras, runtime))
        compare(ours(X), theirs(X))
        compare(runtime.function(ours, input_signature=[runtime.TensorSpec([None, None, 4])])(X), theirs(X))
    theirs, ours = (library.layers.GlobalAveragePooling1D(keepdims=keepdims) for library in (keras, runtime))
    compare(ours(X, mask=MASK), theirs(tf.constant(X), mask=tf.constant(MASK)))


def test_kept_states_are_no_weights() -> None:
    theirs, ours = twins("LSTM", {"stateful": True})
    assert [w.shape for w in ours.get_weights()] == [w.shape for w in theirs.get_weights()]
