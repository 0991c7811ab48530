"""`runtime.signal`: transforms beside numpy's, frames and spectra beside loops, windows beside their formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(3)
C = RANDOM.normal(size=(2, 4, 6)) + 1j * RANDOM.normal(size=(2, 4, 6))
R = RANDOM.normal(size=(2, 4, 6))
LONG = RANDOM.normal(size=(2, 21))

TRANSFORMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], Any]] = {
    "fft": (tf.signal.fft, np.fft.fft, C),
    "ifft": (tf.signal.ifft, np.fft.ifft, C),
    "fft2d": (tf.signal.fft2d, np.fft.fft2, C),
    "ifft2d": (tf.signal.ifft2d, np.fft.ifft2, C),
    "fft3d": (tf.signal.fft3d, np.fft.fftn, C),
    "ifft3d": (tf.signal.ifft3d, np.fft.ifftn, C),
    "rfft": (tf.signal.rfft, np.fft.rfft, R),
    "rfft longer": (lambda x: tf.signal.rfft(x, [9]), lambda x: np.fft.rfft(x, 9), R),
    "rfft shorter": (lambda x: tf.signal.rfft(x, 3), lambda x: np.fft.rfft(x, 3), R),
    "irfft": (tf.signal.irfft, np.fft.irfft, C),
    "irfft odd": (lambda x: tf.signal.irfft(x, fft_length=[7]), lambda x: np.fft.irfft(x, 7), C),
    "rfft2d": (lambda x: tf.signal.rfft2d(x, [5, 4]), lambda x: np.fft.rfft2(x, (5, 4)), R),
    "irfft2d": (lambda x: tf.signal.irfft2d(x, [3, 9]), lambda x: np.fft.irfft2(x, (3, 9)), C),
    "fftshift": (tf.signal.fftshift, np.fft.fftshift, R),
    "ifftshift": (lambda x: tf.signal.ifftshift(x, axes=[1]), lambda x: np.fft.ifftshift(x, axes=1), R),
    "frame": (lambda x: tf.signal.frame(x, 5, 3), lambda x: framed(x, 5, 3), LONG),
    "frame with an end": (
        lambda x: tf.signal.frame(x, 5, 4, pad_end=True, pad_value=7), lambda x: framed(x, 5, 4, 7), LONG,
    ),
    "frame of rows": (
        lambda x: tf.signal.frame(x, 2, 1, axis=1), lambda x: np.stack([x[:, i : i + 2] for i in range(3)], 1), R,
    ),
    "frame of too few": (lambda x: tf.signal.frame(x, 30, 2), lambda x: np.zeros((2, 0, 30)), LONG),
    "overlap_and_add": (lambda x: tf.signal.overlap_and_add(x, 2), lambda x: added(x, 2), R),
    "stft": (
        lambda x: tf.signal.stft(x, 6, 2), lambda x: np.fft.rfft(framed(x, 6, 2) * hann(6), 8), LONG,
    ),
    "stft all given": (
        lambda x: tf.signal.stft(x, 6, 4, fft_length=7, window_fn=None, pad_end=True),
        lambda x: np.fft.rfft(framed(x, 6, 4, 0), 7), LONG,
    ),
}  # fmt: skip


def framed(x: Any, length: int, step: int, end: float | None = None) -> Any:
    if end is not None:
        x = np.concatenate([x, np.full((*x.shape[:-1], length), end)], -1)
    last = 21 if end is not None else x.shape[-1] - length + 1
    return np.stack([x[..., i : i + length] for i in range(0, last, step)], -2)


def added(frames: Any, step: int) -> Any:
    count, length = frames.shape[-2:]
    total = np.zeros((*frames.shape[:-2], (count - 1) * step + length))
    for i in range(count):
        total[..., i * step : i * step + length] += frames[..., i, :]
    return total


def hann(n: int) -> Any:
    return np.hanning(n + 1)[:-1]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_and_frames(name: str) -> None:
    ours, numpys, x = TRANSFORMS[name]
    open_shape = tf.TensorSpec([None] * x.ndim, x.dtype)
    for call in (ours, tf.function(ours, input_signature=[open_shape])):
        found = np.asarray(call(tf.constant(x)))
        wanted = numpys(x)
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_a_signal_comes_back_from_its_spectra() -> None:
    @tf.function
    def there_and_back(x: Any) -> Any:
        spectra = tf.signal.stft(x, 8, 2)
        return tf.signal.inverse_stft(spectra, 8, 2, window_fn=tf.signal.inverse_stft_window_fn(2))

    x = tf.constant(np.concatenate([np.zeros((2, 8)), LONG, np.zeros((2, 9))], 1))
    np.testing.assert_allclose(there_and_back(x)[:, 8:29], LONG, atol=1e-12)
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(there_and_back(x)[:, 8:29] * LONG)
    np.testing.assert_allclose(tape.gradient(total, x)[:, 8:29], LONG, atol=1e-12)


def test_windows() -> None:
    @tf.function
    def windows(n: Any) -> Any:
        return (
            tf.signal.hann_window(n), tf.signal.hann_window(n, periodic=False, dtype=tf.float64),
            tf.signal.hamming_window(n, dtype=tf.float64), tf.signal.kaiser_window(n, 5.0, tf.float64),
        )  # fmt: skip

    for n in (1, 6, 7):
        periodic = 1 - n % 2
        wanted = (
            np.hanning(n + periodic)[:n].astype(np.float32), np.hanning(n), np.hamming(n + periodic)[:n],
            np.kaiser(n, 5.0),
        )  # fmt: skip
        for found, expected in zip(windows(tf.constant(n)), wanted, strict=True):
            assert found.dtype.numpy == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_what_is_refused() -> None:
    for call, error, words in (
        (lambda: tf.signal.fft([1.0]), tf.errors.DtypeMismatchError, "complex"),
        (lambda: tf.signal.frame([1.0], 0, 1), tf.errors.InvalidArgumentError, "got 0 and 1"),
        (lambda: tf.signal.rfft([1.0], [1, 2]), tf.errors.InvalidArgumentError, "1 elements"),
        (lambda: tf.signal.frame([1.0], 1.5, 1), TypeError, "frame_length"),
    ):
        with pytest.raises(error, match=words):
            call()
