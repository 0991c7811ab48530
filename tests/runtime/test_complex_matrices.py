"""Linear algebra of complex matrices: the public forms against numpy, eager and in Functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(3)


def matrix(*shape: int) -> Any:
    return RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)


SQUARE, RIGHT, TALL, WIDE = matrix(2, 3, 3), matrix(2, 3, 2), matrix(4, 2), matrix(2, 4)
POSITIVE = SQUARE @ np.conj(np.swapaxes(SQUARE, -1, -2)) + np.eye(3)
LOWER = np.linalg.cholesky(POSITIVE)
ADJOINT = np.conj(np.swapaxes(SQUARE, -1, -2))

ROWS: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = [
    (tf.linalg.inv, (SQUARE,), np.linalg.inv(SQUARE)),
    (lambda x: tf.linalg.inv(x, adjoint=True), (SQUARE,), np.linalg.inv(ADJOINT)),
    (tf.linalg.solve, (SQUARE, RIGHT), np.linalg.solve(SQUARE, RIGHT)),
    (lambda a, b: tf.linalg.solve(a, b, adjoint=True), (SQUARE, RIGHT), np.linalg.solve(ADJOINT, RIGHT)),
    (lambda a, b: tf.linalg.triangular_solve(a, b, adjoint=True), (LOWER, RIGHT),
     np.linalg.solve(np.conj(np.swapaxes(LOWER, -1, -2)), RIGHT)),
    (tf.linalg.cholesky_solve, (LOWER, RIGHT), np.linalg.solve(POSITIVE, RIGHT)),
    (tf.linalg.logdet, (POSITIVE,), np.linalg.slogdet(POSITIVE).logabsdet),
    (lambda x: tf.linalg.slogdet(x).sign, (SQUARE,), np.linalg.slogdet(SQUARE).sign),
    (tf.linalg.pinv, (TALL,), np.linalg.pinv(TALL)), (tf.linalg.pinv, (WIDE,), np.linalg.pinv(WIDE)),
    (tf.linalg.lstsq, (TALL, matrix(4, 2)), None), (tf.linalg.lstsq, (WIDE, matrix(2, 2)), None),
    (tf.linalg.matrix_rank, (TALL @ WIDE,), np.array(2)),
    (tf.norm, (TALL,), np.linalg.norm(TALL).astype(complex)),
    (lambda x: tf.norm(x, 1), (TALL[0],), np.abs(TALL[0]).sum()),
    (lambda x: tf.norm(x, 2, axis=(0, 1)), (TALL,), np.linalg.norm(TALL, 2)),
    (lambda x: tf.linalg.normalize(x, axis=0)[0], (TALL,), TALL / np.linalg.norm(TALL, axis=0)),
    (lambda x: tf.linalg.normalize(x, 1, axis=0)[0], (TALL,), TALL / np.linalg.norm(TALL, 1, axis=0)),
    (lambda x: tf.linalg.eigh(x)[0], (POSITIVE,), np.linalg.eigvalsh(POSITIVE).astype(complex)),
    (lambda x: tf.linalg.svd(x, compute_uv=False), (TALL,), np.linalg.svd(TALL, compute_uv=False)),
    (np.linalg.inv, (SQUARE,), np.linalg.inv(SQUARE)),
    (np.linalg.solve, (SQUARE, RIGHT), np.linalg.solve(SQUARE, RIGHT)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "wanted"), ROWS)
def test_values_and_dtypes(function: Callable[..., Any], arguments: tuple[Any, ...], wanted: Any) -> None:
    tensors = [tf.constant(a) for a in arguments]
    if wanted is None:  # the shortest of the solutions that fit best
        wanted = np.linalg.pinv(arguments[0]) @ arguments[1]
    eager = function(*tensors)
    staged = tf.function(lambda *x: function(*x), autograph=False)(*tensors)
    for found in (eager, staged):
        assert np.asarray(found).dtype == (wanted.dtype if wanted.dtype != np.int64 else np.int32)
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_factors_give_the_matrix_back(kind: Any) -> None:
    x = tf.constant(matrix(2, 4, 3).astype(kind))
    close = 1e-5 if kind == np.complex64 else 1e-12
    q, r = tf.linalg.qr(x)
    s, u, v = tf.linalg.svd(x)
    assert s.dtype is (tf.float32 if kind == np.complex64 else tf.float64)
    product = tf.matmul(u * tf.cast(s, x.dtype)[:, None, :], v, adjoint_b=True)
    for found in (tf.matmul(q, r), product):
        np.testing.assert_allclose(np.asarray(found), np.asarray(x), rtol=close, atol=close)


def test_the_determinant_of_a_singular_complex_matrix_has_a_gradient() -> None:
    """det([[a, b], [c, d]]) = a d - b c."""
    x = tf.constant([[1 + 1j, 2], [2 + 2j, 4]], tf.complex128)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.det(x)
    wanted = np.conj([[4, -(2 + 2j)], [-2, 1 + 1j]])
    np.testing.assert_allclose(np.asarray(tape.gradient(y, x)), wanted, rtol=1e-12, atol=1e-12)


def test_sign_of_complex_numbers() -> None:
    x = tf.constant([3 + 4j, 0, -2], tf.complex128)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.imag(tf.sign(x))
    np.testing.assert_allclose(np.asarray(tf.sign(x)), [0.6 + 0.8j, 0, -1])
    # Only turning changes it: imag(x / |x|) falls along x's real axis by 4 * 3 / 5**3.
    np.testing.assert_allclose(np.asarray(tape.gradient(y, x))[0], -12 / 125 + 9j / 125)
