"""Parts of images with something around them, and images as JPEG files of qualities that are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

RNG = np.random.default_rng(3)
IMAGES = RNG.uniform(2.0, 3.0, (2, 4, 5, 3)).astype(np.float32)


@pytest.mark.parametrize("noise", ["uniform", "gaussian"])
def test_what_stands_outside_is_in_the_range_of_the_image(noise: str) -> None:
    found = tf.image.extract_glimpse(IMAGES, [30, 31], [[0.0, 0.0]] * 2, noise=noise).numpy()
    np.testing.assert_array_equal(found[:, 13:17, 13:18], IMAGES)
    outside = found[:, :13]
    if noise == "uniform":
        assert outside.min() >= IMAGES.min() and outside.max() <= IMAGES.max()
    assert outside.mean() == pytest.approx(2.5, abs=0.1) and outside.std() == pytest.approx(IMAGES.std(), rel=0.2)


def test_gradients_reach_the_pixels_of_the_window() -> None:
    images = tf.constant(IMAGES)
    with tf.GradientTape() as tape:
        tape.watch(images)
        y = tf.reduce_sum(tf.image.extract_glimpse(images, [2, 2], [[1.0, 2.0]] * 2, True, False, "zero"))
    expected = np.zeros(IMAGES.shape)
    expected[:, 3:, 4:] = 1
    np.testing.assert_array_equal(tape.gradient(y, images), expected)


def test_an_unknown_noise_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="uniform, gaussian, zero"):
        tf.image.extract_glimpse(IMAGES, [2, 2], [[0.0, 0.0]] * 2, noise="loud")


def test_a_quality_is_drawn_in_each_run() -> None:
    image = IMAGES[0] - 2
    qualities = [tf.image.adjust_jpeg_quality(image, level).numpy() for level in range(20, 24)]
    drawn = tf.function(lambda x: tf.image.random_jpeg_quality(x, 20, 24))
    found = [drawn(tf.constant(image)).numpy() for _ in range(40)]
    assert all(any(np.array_equal(one, level) for level in qualities) for one in found)
    assert any(not np.array_equal(one, found[0]) for one in found)
    first, second = (tf.image.stateless_random_jpeg_quality(image, 5, 95, [1, 2]) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("limits", [(-1, 3), (5, 5), (5, 101)])
def test_qualities_that_are_none(limits: tuple[int, int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="min_jpeg_quality < max_jpeg_quality <= 100"):
        tf.image.random_jpeg_quality(IMAGES[0], *limits)


def test_a_quality_of_the_run_is_checked() -> None:
    encode = tf.function(lambda quality: tf.image.encode_jpeg(np.zeros((2, 2, 3), np.uint8), quality=quality))
    with pytest.raises(tf.errors.InvalidArgumentError, match="quality is from 0 to 100; got 101"):
        encode(tf.constant(101))
