"""SciPy's linear algebra in functions that are traced: as SciPy does it, on ndarrays and on tensors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as la
from scipy.linalg import cholesky, inv

import runtime as tf
from runtime.tensor.numpy_calls.scipy_linear import FUNCTIONS, INSTEAD

A = np.array([[4.0, 1.0, 0.5], [0.3, 3.0, 0.2], [0.1, 0.7, 2.0]])
B = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]])
V = np.array([1.0, -2.0, 0.5])

CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "inv": lambda a, b, v: inv(a, check_finite=False),
    "inv of a kind": lambda a, b, v: la.inv(a, assume_a="sym", lower=True),
    "det": lambda a, b, v: la.det(a),
    "solve": lambda a, b, v: la.solve(a, b) + la.solve(a, v)[:, None],
    "solve overwriting": lambda a, b, v: la.solve(a + 0.0, b + 0.0, overwrite_a=True, overwrite_b=True),
    "solve pos": lambda a, b, v: la.solve(a, b, assume_a="pos"),
    "solve pos of the lower": lambda a, b, v: la.solve(a, b, assume_a="pos", lower=True),
    "solve upper triangular": lambda a, b, v: la.solve(a, b, assume_a="upper triangular"),
    "solve transposed": lambda a, b, v: la.solve(a, b, transposed=True),
    "solve_triangular": lambda a, b, v: la.solve_triangular(a, b) + la.solve_triangular(a, v)[:, None],
    "solve_triangular lower": lambda a, b, v: la.solve_triangular(a, b, lower=True, trans="T"),
    "solve_triangular unit": lambda a, b, v: la.solve_triangular(a, b, 1, unit_diagonal=True),
    "cholesky": lambda a, b, v: cholesky(a),
    "cholesky lower": lambda a, b, v: cholesky(a, lower=True),
    "cho_solve": lambda a, b, v: la.cho_solve((cholesky(a), False), b),
    "cho_solve lower": lambda a, b, v: la.cho_solve((cholesky(a, True), True), v),
    "lstsq": lambda a, b, v: la.lstsq(a[:, :2], b)[0],
    "pinv": lambda a, b, v: la.pinv(a[:, :2]),
    "qr": lambda a, b, v: np.abs(la.qr(b)[1]),
    "qr economic": lambda a, b, v: np.abs(la.qr(b, mode="economic")[0]),
    "qr r": lambda a, b, v: np.abs(la.qr(b, mode="r")[0]),
    "svd": lambda a, b, v: la.svd(b)[1],
    "svd of parts": lambda a, b, v: np.abs(la.svd(b, full_matrices=False)[2]),
    "svdvals": lambda a, b, v: la.svdvals(b) + la.svd(b, compute_uv=False),
    "eigh": lambda a, b, v: la.eigh(a)[0],
    "eigh of the upper": lambda a, b, v: np.abs(la.eigh(a, lower=False)[1]),
    "eigvalsh": lambda a, b, v: la.eigvalsh(a) + la.eigh(a, eigvals_only=True),
    "eigvals": lambda a, b, v: np.sort(np.real(la.eigvals(a))),
    "eig": lambda a, b, v: np.sort(np.real(la.eig(a)[0])),
    "norm": lambda a, b, v: la.norm(a) + la.norm(v, 1) + la.norm(b, "fro"),
    "norm of rows": lambda a, b, v: la.norm(b, axis=1, keepdims=True),
    "block_diag": lambda a, b, v: la.block_diag(a, v, 3.0, b),
    "toeplitz": lambda a, b, v: la.toeplitz(v),
    "toeplitz of both": lambda a, b, v: la.toeplitz(v, b[:, 0]),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_as_scipy(name: str, dtype: Any) -> None:
    arrays = [x.astype(dtype) for x in (A, B, V)]
    expected = CALLS[name](*arrays)
    for given in (arrays, list(map(tf.constant, arrays))):
        found = np.asarray(tf.function(CALLS[name])(*given))
        assert (found.shape, found.dtype) == (np.shape(expected), np.asarray(expected).dtype)
        np.testing.assert_allclose(found, expected, rtol=2e-4 if dtype is np.float32 else 1e-10, atol=1e-5)


def test_each_function_is_called() -> None:
    named = {name for call in CALLS.values() for name in call.__code__.co_names}
    assert set(FUNCTIONS) <= named


@pytest.mark.parametrize("name", ["solve_triangular", "cho_solve", "cholesky", "solve pos", "solve_triangular lower"])
def test_of_complex_numbers(name: str) -> None:
    turned = A * 1j
    a = A + A.T + turned - turned.T
    arrays = [a, B + 0.5j * B[::-1], V * (1 + 1j)]
    np.testing.assert_allclose(tf.function(CALLS[name])(*arrays), CALLS[name](*arrays), rtol=1e-10)


def test_gradients_and_lists_of_numbers() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.reduce_sum(la.solve(x, [[1.0], [2.0], [3.0]], assume_a="pos"))

    x = tf.constant(A)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    step = 1e-6
    moved = [[f(A + step * np.eye(3)[[i]].T @ np.eye(3)[[j]]) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(tape.gradient(y, x), (np.array(moved) - y.numpy()) / step, atol=1e-4)


def test_state_of_a_filter_that_calls_it() -> None:
    class Filter:
        def __init__(self) -> None:
            self.p = A @ A.T

        def step(self, z: Any) -> Any:
            root = cholesky(self.p, lower=True)
            self.p = root @ root.T * 0.9 + np.eye(3)
            return inv(self.p) @ z

    staged, plain = Filter(), Filter()
    step = tf.function(staged.step)
    for _ in range(3):
        np.testing.assert_allclose(step(V), plain.step(V))
        np.testing.assert_allclose(staged.p, plain.p)
        assert type(staged.p) is np.ndarray


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: la.qr(a, pivoting=True), "`pivoting` has no operation"),
        (lambda a: la.eigh(a, a), "`b` has no operation"),
        (lambda a: la.pinv(a, return_rank=True), "`return_rank` has no operation"),
        (la.expm, INSTEAD["expm"]),
        (la.lu_factor, "scipy.linalg.solve is recorded"),
    ],
)
def test_others_are_refused(call: Any, message: str) -> None:
    for given in (A, tf.constant(A)):
        with pytest.raises(TypeError, match=r"scipy\.linalg\.\w+ cannot be recorded.*" + re.escape(message)):
            tf.function(lambda a: call(a + 1.0))(given)


def test_a_structure_that_scipy_does_not_know() -> None:
    with pytest.raises(ValueError, match="round is not a recognized matrix structure"):
        tf.function(lambda a: la.solve(a, V, assume_a="round"))(A)


def test_what_is_to_be_taken_is_there() -> None:
    for text in INSTEAD.values():
        for name in re.findall(r"scipy\.linalg\.(\w+)", text):
            assert name in FUNCTIONS
