"""What numpy refuses is refused with its class: while a function is traced, or in the run that has the wrong value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

V = np.array([1.0, 2.0, 4.0])

CALLS = {
    "repeat": (lambda v, n: np.repeat(v, n), -1), "repeat each": (lambda v, n: np.repeat(v, [1, 2, n]), -1),
    "diag": (lambda v, n: np.diag(v[:, None, None]), 0), "correlate": (lambda v, n: np.correlate(v, v, "nope"), 0),
    "gradient": (lambda v, n: np.gradient(v[:n]), 1),
    "gradient edges": (lambda v, n: np.gradient(v[:n], edge_order=2), 2),
    "insert": (lambda v, n: np.insert(v, n, 1.0), 4), "insert before": (lambda v, n: np.insert(v, n, 1.0), -4),
    "interp": (lambda v, n: np.interp(0.5, v, v[:n]), 2), "histogram": (lambda v, n: np.histogram(v, n), 0),
    "average": (lambda v, n: np.average(v, weights=np.multiply(v, n)), 0),
    "trim_zeros": (lambda v, n: np.trim_zeros(v, "x"), 0),
    "max of nothing": (lambda v, n: np.max(v[:n]), 0), "min along an axis": (lambda v, n: v[:n, None].min(axis=0), 0),
    "eye": (lambda v, n: np.eye(n), -1),
    "insert at 99": (lambda v, n: np.insert(v, 99, 1.0), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_it_is_refused_as_numpy_refuses_it(name: str) -> None:
    call, wrong = CALLS[name]
    with pytest.raises((ValueError, IndexError, ZeroDivisionError)) as wanted:
        call(V, wrong)
    for v in (V, tf.constant(V)):
        for n in (wrong, tf.constant(wrong)):
            with pytest.raises(wanted.type):
                tf.function(call)(v, n)
    with pytest.raises(wanted.type):
        tf.function(call, input_signature=[tf.TensorSpec([None], tf.float64), tf.TensorSpec([], tf.int64)])(V, wrong)


RIGHT = [
    ("repeat", 2), ("max of nothing", 1), ("min along an axis", 2), ("eye", 0), ("gradient", 3), ("interp", 3),
    ("average", 2), ("insert", 3), ("insert before", -3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "right"), RIGHT)
def test_the_same_call_with_what_is_right(name: str, right: int) -> None:
    call: Any = CALLS[name][0]
    for n in (right, tf.constant(right)):
        np.testing.assert_allclose(tf.function(call)(V, n), call(V, right))
