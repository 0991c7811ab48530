"""Arrays that code makes which is not converted: generators of random numbers, copies, whatever a library returns."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.ndarrays.comparing import assert_same

WEIGHTS = np.array([1.0, 2.0, 3.0])


def drawn(x: Any) -> Any:
    w = np.random.default_rng(0).normal(size=3)
    w -= x
    return w


def drawn_by_the_module(x: Any) -> Any:
    np.random.seed(0)
    w = np.random.randn(3)
    w[1:] -= x[1:]
    np.add(w, x, out=w)
    return w


def drawn_and_seen_otherwise(x: Any) -> Any:
    w = np.random.RandomState(0).normal(size=3)
    u = w.reshape(1, 3)
    u += x
    return w


def permuted(x: Any) -> Any:
    w = np.random.default_rng(0).permutation(3)
    for i in range(3):
        w[i] += x[i] * 10
    return w


def several(x: Any) -> Any:
    a, b = np.random.default_rng(0).normal(size=(2, 3))
    a += x
    return a + b


class Layer:
    def __init__(self, rng: Any) -> None:
        self.weights = rng.normal(size=3)

    def step(self, gradient: Any) -> None:
        self.weights -= 0.1 * gradient


def trained(x: Any) -> Any:
    rng = np.random.default_rng(1)
    layers = [Layer(rng), Layer(rng)]
    losses = []
    for _ in range(5):
        out = x
        for layer in layers:
            out = out * layer.weights
        losses.append(out.sum())
        for layer in reversed(layers):
            layer.step(out)
    return losses[-1], layers[0].weights, layers[1].weights


def a_view_of_a_copy(x: Any) -> Any:
    w = copy.deepcopy([WEIGHTS])[0]
    u = w.reshape(1, 3)
    u += x
    return w


def a_flat_view_of_a_copy(x: Any) -> Any:
    w = copy.deepcopy({"a": WEIGHTS})
    v = np.ravel(w["a"])
    v += x
    return w["a"]


def itself(x: Any) -> Any:
    w = copy.deepcopy(SimpleNamespace(a=WEIGHTS))
    v = np.asarray(w.a)
    v += x
    return w.a


PROGRAMS = [
    drawn, drawn_by_the_module, drawn_and_seen_otherwise, permuted, several, trained, a_view_of_a_copy,
    a_flat_view_of_a_copy, itself,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_writes_are_seen(program: Callable[[Any], Any]) -> None:
    assert_same(program, np.array([0.1, 0.2, 0.3]))
    assert WEIGHTS.tolist() == [1.0, 2.0, 3.0]


def read_from_bytes(x: Any) -> Any:
    w = pickle.loads(BYTES)["a"]
    u = w.reshape(1, 3)
    u += x
    return w


BYTES = pickle.dumps({"a": WEIGHTS})


def test_a_view_of_what_only_other_code_has_made_is_refused() -> None:
    with pytest.raises(StagingError, match="which code without conversion made"):
        tf.function(read_from_bytes)(np.array([0.1, 0.2, 0.3]))


def pickled(x: Any) -> Any:
    return len(pickle.dumps([x]))


@pytest.mark.parametrize("given", [tf.constant(1.0), np.ones(3)], ids=["tensor", "array"])
def test_pickling_says_what_to_do(given: Any) -> None:
    with pytest.raises(OperatorNotAllowedInGraphError, match="was pickled"):
        tf.function(pickled)(given)
