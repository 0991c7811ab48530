"""Functions that write to arrays, called otherwise: with tapes, from threads, eagerly, pickled, without autograph."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np
import pytest

import runtime as tf

COUNT = np.zeros(3)
X = tf.constant(2.0, tf.float64)


@tf.function
def count(x: Any) -> Any:
    COUNT[0] += x
    return COUNT.sum()


def put(a: Any, x: Any) -> Any:
    a[0] = x
    return a.sum()


def test_gradients_go_through_views() -> None:
    def f(a: Any, v: Any) -> Any:
        a[1:] *= v
        a[0] = v * v
        a.ravel()[2] += v
        return np.sum(a * a)

    v, step = tf.constant(3.0, tf.float64), 1e-6
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(v)
        y = tf.function(f)(np.arange(3.0), v)
    wanted = (f(np.arange(3.0), 3 + step) - f(np.arange(3.0), 3 - step)) / (2 * step)
    for _ in range(2):
        assert float(tape.gradient(y, v)) == pytest.approx(wanted, rel=1e-6)


def test_threads_may_share_captured_arrays() -> None:
    COUNT[:] = 0
    count(X)
    threads = [threading.Thread(target=lambda: [count(X) for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert COUNT[0] % 2 == 0 and 4.0 <= COUNT[0] <= 82.0  # each write is one that a run has made


def test_pickled_functions_write_to_the_same_arrays() -> None:
    COUNT[:] = 0
    assert float(pickle.loads(pickle.dumps(count))(X)) == 2.0
    assert COUNT[0] == 2.0


def test_eagerly_and_without_conversion() -> None:
    for function in (tf.function(put), tf.function(put, autograph=False)):
        for eagerly in (False, True):
            tf.config.run_functions_eagerly(eagerly)
            try:
                a = np.zeros(2)
                function(a, X)
            finally:
                tf.config.run_functions_eagerly(False)
            np.testing.assert_array_equal(a, [2.0, 0.0])


def test_traces_for_any_size() -> None:
    function = tf.function(put, reduce_retracing=True)
    for size in (2, 3, 4, 5):
        a = np.zeros(size)
        function(a, X)
        assert a[0] == 2.0 and a.sum() == 2.0
    assert function.experimental_get_tracing_count() == 2
