"""Traces, Functions without a name and saved models as pickles: the same results, Variables of their own, no code."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

ROOT = Path(__file__).resolve().parents[3]
X = np.array([1.0, -3.0], np.float32)


def scaled() -> tuple[Any, Any]:
    """A Function that no name leads to, and its Variable."""
    weights = tf.Variable([2.0, 3.0], name="weights")

    @tf.function
    def scale(x: Any, times: int = 2) -> Any:
        if tf.reduce_sum(x) < 0:
            x = x * weights
        return {"y": x * times}

    return scale, weights


def test_a_trace_is_pickled_with_the_values_of_its_variables() -> None:
    scale, weights = scaled()
    trace = scale.get_concrete_function(tf.TensorSpec([2], tf.float32))
    weights.assign([4.0, 5.0])
    again = pickle.loads(pickle.dumps(trace))
    assert again(X)["y"].numpy().tolist() == trace(X)["y"].numpy().tolist() == [8.0, -30.0]
    again.variables[0].assign([1.0, 1.0])
    assert again(X)["y"].numpy().tolist() == [2.0, -6.0] and weights.numpy().tolist() == [4.0, 5.0]


def test_a_function_without_a_name_is_pickled_by_its_graphs() -> None:
    scale, _ = scaled()
    scale(X)
    again = pickle.loads(pickle.dumps([scale, scale]))
    assert again[0] is again[1] is not scale
    assert again[0](X)["y"].numpy().tolist() == [4.0, -18.0]
    twice = pickle.loads(pickle.dumps(again[0]))
    assert twice(X)["y"].numpy().tolist() == [4.0, -18.0]


def test_an_array_that_is_written_goes_along() -> None:
    total = np.zeros(2, np.float32)

    @tf.function
    def add(x: Any) -> Any:
        total[:] += x
        return total.sum()

    trace = add.get_concrete_function(tf.TensorSpec([2], tf.float32))
    again = pickle.loads(pickle.dumps(trace))
    assert [float(again(X)), float(again(X)), total.tolist()] == [-2.0, -4.0, [0.0, 0.0]]


def test_a_saved_model_is_one_thing(tmp_path: Path) -> None:
    model = tf.Module()
    model.scale, model.weights = scaled()
    model.scale(X)
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for again in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
        again.weights.assign([1.0, 1.0])
        assert again.scale(X)["y"].numpy().tolist() == [2.0, -6.0]
    assert copy.copy(loaded).weights is loaded.weights
    assert loaded.scale(X)["y"].numpy().tolist() == [4.0, -18.0]


def test_what_a_graph_cannot_hold_is_named() -> None:
    @tf.function
    def asks(x: Any) -> Any:
        return tf.py_function(lambda y: y, [x], tf.float32)

    trace = asks.get_concrete_function(tf.TensorSpec([2], tf.float32))
    with pytest.raises(pickle.PicklingError, match=r"asks\(x\) cannot be pickled by its graph: .*py_function"):
        pickle.dumps(trace)


def test_an_error_of_a_graph_is_pickled_without_the_graph() -> None:
    quotient = tf.function(lambda x: x // 0)
    with pytest.raises(ZeroDivisionError) as caught:
        quotient(tf.constant(1))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is tf.errors.DivisionByZeroError and str(again) == str(caught.value)
    assert again.__notes__ == caught.value.__notes__ and caught.value.op is not None and again.op is None


PROGRAM = """
import pickle, sys
import runtime as tf

w = tf.Variable(3.0)

@tf.function
def triple(x):
    return x * w

if sys.argv[1:] == ["call"]:
    triple(2.0)
assert pickle.loads(pickle.dumps(triple)) is triple
sys.stdout.buffer.write(pickle.dumps(triple))
"""


@pytest.mark.parametrize("way", ["call", "name"])
def test_a_function_of_the_main_program_finds_its_name_or_its_graph(way: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(path), way], env=environment, capture_output=True, check=True)
    if way == "call":
        assert float(pickle.loads(done.stdout)(2.0)) == 6.0
    else:
        with pytest.raises(pickle.UnpicklingError, match="this program has no Function 'triple', and the pickle no gr"):
            pickle.loads(done.stdout)
