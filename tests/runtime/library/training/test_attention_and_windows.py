"""Layers of attention, and layers over 1, 2 and 3 axes: gradients, files, copies, and what is refused.

What they compute is compared with recorded answers in tests/guides/windows.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import layers

from .both_ways import both_ways

RNG = np.random.default_rng(3)


def rows(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def test_attention_is_a_mean_of_values() -> None:
    query, value = rows(2, 3, 4), rows(2, 5, 4)
    scores = query @ value.swapaxes(1, 2)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    found, weights = layers.Attention()([query, value], return_attention_scores=True)
    np.testing.assert_allclose(weights, shares, rtol=1e-5)
    np.testing.assert_allclose(found, shares @ value, rtol=1e-5, atol=1e-6)


def test_heads_are_attention_of_projections() -> None:
    x, y = rows(2, 3, 4), rows(2, 5, 6)
    layer = layers.MultiHeadAttention(2, 3, value_dim=2)
    found = layer(x, y).numpy()
    q, qb, k, kb, v, vb, out, out_bias = layer.get_weights()
    wanted = out_bias
    for head in range(2):
        scores = (x @ q[:, head] + qb[head]) @ (y @ k[:, head] + kb[head]).swapaxes(1, 2) / np.sqrt(3)
        shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        wanted = wanted + shares @ (y @ v[:, head] + vb[head]) @ out[head]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(tf.function(layer)(x, y), found, rtol=1e-5, atol=1e-6)


def test_weights_are_left_out_in_training_only() -> None:
    x = tf.constant(rows(2, 6, 4))
    layer = layers.MultiHeadAttention(1, 2, dropout=0.5)
    plain, again = layer(x, x), layer(x, x)
    np.testing.assert_array_equal(plain, again)
    assert np.abs(layer(x, x, training=True) - plain).numpy().max() > 1e-4
    shares = layers.Attention(dropout=0.5)([x, tf.ones([2, 6, 1]), x], training=True)
    assert np.abs(shares - 1).max() > 1e-3


@pytest.mark.parametrize("name", [
    "Conv1D", "Conv2D", "Conv3D", "DepthwiseConv1D", "DepthwiseConv2D", "SeparableConv1D", "SeparableConv2D",
    "MaxPooling1D", "MaxPooling3D", "AveragePooling1D", "AveragePooling3D", "UpSampling1D", "UpSampling3D",
    "ZeroPadding1D", "ZeroPadding3D", "Cropping1D", "Cropping3D",
])  # fmt: skip
def test_functions_of_any_batch_give_the_same(name: str) -> None:
    args = {"Conv": (2, 2), "SeparableConv": (3, 2), "Cropping": ()}.get(name[:-2], (2,))
    both_ways(getattr(layers, name)(*args), rows(2, *(5, 4, 6)[: int(name[-2])], 3))


@pytest.mark.parametrize("name", ["UpSampling2D", "Conv2DTranspose"])
def test_images_of_any_size(name: str) -> None:
    layer = layers.UpSampling2D(2, interpolation="bilinear") if name == "UpSampling2D" else layers.Conv2DTranspose(1, 2)
    images = rows(2, 3, 4, 1)
    layer(images)
    traced = tf.function(layer.__call__).get_concrete_function(tf.TensorSpec([None, None, None, 1]))
    np.testing.assert_allclose(traced(images), layer(images), rtol=1e-5)


def test_models_with_attention_are_saved_and_copied(tmp_path: Path) -> None:
    given = tf.keras.Input(shape=(3, 4))
    seen = layers.MultiHeadAttention(2, 2)(given, given, use_causal_mask=True)
    seen = layers.Conv1D(3, 2, padding="causal")(layers.add([seen, given]))
    model = tf.keras.Model(given, layers.GlobalMaxPooling1D()(seen))
    x = rows(2, 3, 4)
    model.save(tmp_path / "model.keras")
    np.testing.assert_allclose(tf.keras.models.load_model(tmp_path / "model.keras").predict(x), model(x), rtol=1e-5)
    copy = tf.keras.models.clone_model(model)
    copy.set_weights(model.get_weights())
    np.testing.assert_allclose(copy(x), model(x), rtol=1e-6)


REFUSED: dict[str, tuple[Any, str]] = {
    "sequences for images": (lambda: layers.Conv2D(2, 2)(rows(2, 5, 3)), r"\[batch, height, width, channels\]"),
    "images for volumes": (lambda: layers.MaxPooling3D()(rows(2, 5, 5, 3)), r"\[batch, depth, height, width, channels"),
    "strides of two axes": (lambda: layers.AveragePooling1D(2, (1, 1)), "strides is a positive integer or one of them"),
    "causal images": (lambda: layers.Conv2D(1, 2, padding="causal"), "padding is 'valid' or 'same'"),
    "a mode": (lambda: layers.Conv1D(1, 2, padding="full"), "'valid' or 'same' or 'causal'"),
    "groups": (lambda: layers.Conv3D(3, 1, groups=2), "Conv3D: filters is a positive multiple of groups"),
    "a rim of three": (lambda: layers.ZeroPadding2D((1, 2, 3)), "ZeroPadding2D: padding is a number .* each of 2 axes"),
    "half a rim": (lambda: layers.Cropping1D(0.5), "Cropping1D: cropping is a number"),
    "nothing left": (lambda: layers.Cropping1D((2, 2))(rows(1, 4, 1)), r"\(2, 2\) of 4 elements: nothing is left"),
    "no list": (lambda: layers.Attention()(rows(2, 3, 4)), r"takes a list \[query, value\]"),
    "a score": (lambda: layers.Attention(score_mode="sum"), "score_mode is 'dot' or 'concat'"),
    "all left out": (lambda: layers.AdditiveAttention(dropout=1.0), r"rate is in \[0, 1\)"),
    "rows of rows": (lambda: layers.MultiHeadAttention(1, 2)(rows(1, 2, 3, 4), rows(1, 2, 3, 4)), "runtime.reshape"),
    "half a head": (lambda: layers.MultiHeadAttention(1.5, 2), "num_heads is a positive integer"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    make, words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        make()


def test_each_class_is_documented() -> None:
    for rank in (1, 2, 3):
        assert "padding" in getattr(layers, f"Conv{rank}D").__doc__
        assert "mean" in getattr(layers, f"AveragePooling{rank}D").__doc__
        assert "Zeros" in getattr(layers, f"ZeroPadding{rank}D").__doc__
