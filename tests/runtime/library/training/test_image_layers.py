"""Layers over images, against numpy and against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import layers

from .both_ways import both_ways

RNG = np.random.default_rng(8)


def test_conv2d_and_pooling() -> None:
    images = RNG.normal(size=(2, 6, 6, 3)).astype(np.float32)
    layer = layers.Conv2D(4, (3, 2), strides=2, padding="same", activation="relu", bias_initializer="ones")
    found = both_ways(layer, images)
    wanted = tf.nn.relu(tf.nn.conv2d(images, layer.kernel, 2, "SAME") + 1)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    assert layer.kernel.shape == [3, 2, 3, 4]
    assert layers.Conv2D(6, 2, groups=3)(images).shape == [2, 5, 5, 6]
    blocks = images.reshape(2, 3, 2, 3, 2, 3)
    np.testing.assert_allclose(both_ways(layers.MaxPooling2D(), images), blocks.max((2, 4)))
    for layer_, wanted_ in ((layers.AveragePooling2D(2), blocks.mean((2, 4))),
                            (layers.GlobalAveragePooling2D(), images.mean((1, 2)))):  # fmt: skip
        np.testing.assert_allclose(both_ways(layer_, images), wanted_, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("padding", ["same", "valid"])
@pytest.mark.parametrize(("kernel", "strides", "dilation"), [(3, 2, 1), ((2, 3), (1, 3), 1), (2, 1, 2), (1, 2, 1)])
def test_conv2d_transpose_is_the_way_back_of_conv2d(padding: str, kernel: Any, strides: Any, dilation: int) -> None:
    """The sum of conv2d(y) * x is that of y * conv2d_transpose(x), for all x and y."""
    images = RNG.normal(size=(2, 4, 5, 3)).astype(np.float32)
    layer = layers.Conv2DTranspose(6, kernel, strides, padding, dilation_rate=dilation)
    found = both_ways(layer, images)
    sizes, spread = np.broadcast_to(kernel, 2), np.broadcast_to(strides, 2)
    beyond = np.maximum((sizes - 1) * dilation + 1 - spread, 0) if padding == "valid" else 0
    assert found.shape == (2, *(np.array([4, 5]) * spread + beyond), 6)
    other = RNG.normal(size=found.shape).astype(np.float32)
    there = tf.nn.conv2d(other, layer.kernel, strides, padding.upper(), dilations=dilation).numpy()
    np.testing.assert_allclose((there * images).sum(), (other * found).sum(), rtol=1e-3, atol=1e-3)


def test_conv2d_transpose_has_bias_and_activation() -> None:
    layer = layers.Conv2DTranspose(2, 3, activation="relu", bias_initializer="ones")
    assert layer(tf.zeros([1, 2, 2, 3])).numpy().tolist() == np.ones([1, 4, 4, 2]).tolist()
    assert [w.shape.as_list() for w in layer.weights] == [[3, 3, 2, 3], [2]]


def test_up_sampling_and_the_largest_of_an_image() -> None:
    images = RNG.normal(size=(2, 3, 2, 2)).astype(np.float32)
    found = both_ways(layers.UpSampling2D((2, 3)), images)
    np.testing.assert_array_equal(found, np.kron(images, np.ones([1, 2, 3, 1])))
    np.testing.assert_array_equal(both_ways(layers.GlobalMaxPooling2D(), images), images.max((1, 2)))
