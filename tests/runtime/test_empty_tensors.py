"""Tensors without elements: what numpy or arithmetic says of them, eager and staged; gradients have their shape."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def Z(*shape: int) -> np.ndarray:
    return np.zeros(shape)


INF = np.inf
NOWHERE = np.zeros(0, np.int32)

ROWS: dict[str, tuple[Callable[..., Any], list[Any], Any]] = {
    "argmax": (lambda x: tf.argmax(x, 1), [Z(0, 3)], np.zeros(0, np.int64)),
    "boolean_mask": (lambda x: tf.boolean_mask(x, np.zeros(0, bool)), [Z(0, 2)], Z(0, 2)),
    "cholesky of no rows": (tf.linalg.cholesky, [Z(2, 0, 0)], Z(2, 0, 0)),
    "cholesky of no matrices": (tf.linalg.cholesky, [Z(0, 2, 2)], Z(0, 2, 2)),
    "concat": (lambda a, b: tf.concat([a, b], 0), [Z(0, 3), Z(2, 3)], Z(2, 3)),
    "cumprod": (lambda x: tf.math.cumprod(x, 1), [Z(2, 0)], Z(2, 0)),
    "det of no rows": (tf.linalg.det, [Z(0, 0)], np.float64(1)),
    "det of no matrices": (tf.linalg.det, [Z(0, 2, 2)], Z(0)),
    "diag": (tf.linalg.diag, [Z(0)], Z(0, 0)),
    "eigh of no rows": (lambda x: tf.linalg.eigh(x)[0], [Z(2, 0, 0)], Z(2, 0)),
    "eigh of no matrices": (lambda x: tf.linalg.eigh(x)[1], [Z(0, 2, 2)], Z(0, 2, 2)),
    "einsum": (lambda a, b: tf.einsum("ij,jk->ik", a, b), [Z(2, 0), Z(0, 3)], Z(2, 3)),
    "einsum to a scalar": (lambda a: tf.einsum("ij->", a), [Z(0, 3)], np.float64(0)),
    "gather": (lambda x: tf.gather(x, NOWHERE), [Z(0, 3)], Z(0, 3)),
    "gather_nd": (lambda x: tf.gather_nd(x, NOWHERE.reshape(0, 1)), [Z(0, 3)], Z(0, 3)),
    "inv": (tf.linalg.inv, [Z(0, 0)], Z(0, 0)),
    "matmul": (tf.matmul, [Z(2, 0), Z(0, 3)], Z(2, 3)),
    "norm": (tf.norm, [Z(0)], np.float64(0)),
    "norm of order inf": (lambda x: tf.norm(x, INF), [Z(0)], np.float64(0)),
    "norm of a matrix": (lambda x: tf.norm(x, 2, axis=(0, 1)), [Z(0, 3)], np.float64(0)),
    "pad": (lambda x: tf.pad(x, [[1, 1]]), [Z(0)], Z(2)),
    "pinv": (tf.linalg.pinv, [Z(0, 3)], Z(3, 0)),
    "qr": (lambda x: tf.linalg.qr(x)[1], [Z(0, 3)], Z(0, 3)),
    "reduce_logsumexp": (tf.reduce_logsumexp, [Z(0)], np.float64(-INF)),
    "reduce_max": (tf.reduce_max, [Z(0)], np.float64(-INF)),
    "reduce_max of rows": (lambda x: tf.reduce_max(x, 1), [Z(2, 0)], np.full(2, -INF)),
    "reduce_mean": (tf.reduce_mean, [Z(0)], np.float64(np.nan)),
    "reduce_mean of columns": (lambda x: tf.reduce_mean(x, 0), [Z(2, 0)], Z(0)),
    "reduce_min": (tf.reduce_min, [Z(0)], np.float64(INF)),
    "reduce_std": (tf.math.reduce_std, [Z(0)], np.float64(np.nan)),
    "repeat": (lambda x: tf.repeat(x, 0), [Z(3)], Z(0)),
    "scatter_nd": (lambda x: tf.scatter_nd(NOWHERE.reshape(0, 1), x, [3]), [Z(0)], Z(3)),
    "segment_prod": (lambda x: tf.math.segment_prod(x, NOWHERE), [Z(0, 2)], Z(0, 2)),
    "slogdet": (lambda x: tf.linalg.slogdet(x)[1], [Z(3, 0, 0)], Z(3)),
    "solve": (tf.linalg.solve, [Z(0, 0), Z(0, 3)], Z(0, 3)),
    "solve for nothing": (tf.linalg.solve, [np.eye(2), Z(2, 0)], Z(2, 0)),
    "sort": (tf.sort, [Z(0)], Z(0)),
    "svd": (lambda x: tf.linalg.svd(x)[1], [Z(0, 3)], Z(0, 0)),
    "tensordot": (lambda a, b: tf.tensordot(a, b, 1), [Z(2, 0), Z(0, 3)], Z(2, 3)),
    "tile": (lambda x: tf.tile(x, [0, 2]), [Z(2, 3)], Z(0, 6)),
    "top_k": (lambda x: tf.math.top_k(x, 2)[0], [Z(0, 3)], Z(0, 2)),
    "trace": (tf.linalg.trace, [Z(0, 0)], np.float64(0)),
    "triangular_solve": (tf.linalg.triangular_solve, [Z(0, 0), Z(0, 3)], Z(0, 3)),
    "unique": (lambda x: tf.unique(x)[0], [Z(0)], Z(0)),
}

MODES = {
    "eager": None,
    "known": lambda x: tf.TensorSpec(list(x.shape), x.dtype),
    "unknown": lambda x: tf.TensorSpec([None] * x.ndim, x.dtype),
}


def run(function: Callable[..., Any], operands: list[Any], mode: str) -> Any:
    if MODES[mode] is not None:
        specs = [MODES[mode](x) for x in operands]
        function = tf.function(lambda *x, inner=function: inner(*x), autograph=False, input_signature=specs)
    return function(*map(tf.constant, operands))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ROWS)
def test_values_and_gradients(name: str, mode: str) -> None:
    function, operands, wanted = ROWS[name]
    found = np.asarray(run(function, operands, mode))
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)

    def gradients(*tensors: Any) -> Any:
        with tf.GradientTape() as tape:
            for tensor in tensors:
                tape.watch(tensor)
            result = function(*tensors)
        return tape.gradient(result, list(tensors), unconnected_gradients="zero")

    if wanted.dtype == np.float64 and (name, mode) != ("qr", "unknown"):  # whose gradient needs to know the sizes
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for gradient, x in zip(run(gradients, operands, mode), operands, strict=True):
                assert np.shape(gradient) == x.shape and np.asarray(gradient).dtype == x.dtype


def test_what_has_no_value_is_refused() -> None:
    for call in (lambda: tf.argmax(tf.zeros([2, 0]), 1), lambda: tf.reduce_mean(tf.zeros([0], tf.int32)),
                 lambda: tf.pad(tf.zeros([0]), [[1, 1]], "REFLECT")):  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError):
            call()
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.function(call, autograph=False)()
