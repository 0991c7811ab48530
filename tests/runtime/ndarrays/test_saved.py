"""Functions that write to arrays, in saved models: refused, where what is loaded would do something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

X = tf.constant(2.0, tf.float64)


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = np.zeros(3)

    @tf.function
    def put(self, a: Any, x: Any) -> Any:
        a[0] = x
        return a * 1

    @tf.function
    def keep(self, x: Any) -> Any:
        self.table[0] = x
        return self.table.sum()

    @tf.function
    def both(self, a: Any, b: Any) -> Any:
        return a + b

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def signed(self, a: Any) -> Any:
        a[0] = 9.0
        return a * 1


class Signed(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def put(self, a: Any) -> Any:
        a[0] = 9.0
        return a * 1


A = np.zeros(3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda model: model.put(np.zeros(3), X), r"put\(a, x\).*writes to the array 'a' of its caller.*a\.copy\(\)"),
        (lambda model: model.keep(X), r"keep\(x\).*writes to the array 'self\.table'.*runtime\.Variable"),
        (lambda model: model.both(A, A), r"both\(a, b\).*one array for 'a' and 'b'.*cache_clear"),
        (lambda model: model.signed(np.zeros(2)), r"signed\(a\).*writes to the array 'a' of its caller"),
    ],
)  # fmt: skip
def test_traces_that_know_more_of_arrays_than_what_they_hold(call: Any, words: str, tmp_path: Path) -> None:
    model = Model()
    call(model)
    with pytest.raises(ValueError, match=words):
        tf.saved_model.save(model, str(tmp_path / "model"))
    assert not list(tmp_path.iterdir())


def test_a_trace_for_a_tensor_takes_no_array_after_that(tmp_path: Path) -> None:
    model, signed = Model(), Signed()
    model.put(tf.constant(np.zeros(3)), X)
    for i, module in enumerate((model, signed)):
        path = str(tmp_path / str(i))
        tf.saved_model.save(module, path)
        function = tf.saved_model.load(path).put
        rest = (X,) if module is model else ()
        a = np.zeros(3)
        assert function(tf.constant(a), *rest).numpy()[0] == (9.0 if module is signed else 2.0)
        with pytest.raises(TypeError, match="made for a tensor 'a', and the function writes to it"):
            function(a, *rest)
        assert a.tolist() == [0.0] * 3


def test_a_copy_may_be_written_to(tmp_path: Path) -> None:
    class Copies(tf.Module):
        @tf.function
        def put(self, a: Any) -> Any:
            a = a.copy()
            a[0] = 9.0
            return a

    module, a = Copies(), np.zeros(3)
    module.put(a)
    tf.saved_model.save(module, str(tmp_path / "model"))
    assert tf.saved_model.load(str(tmp_path / "model")).put(a).numpy().tolist() == [9.0, 0.0, 0.0]
    assert a.tolist() == [0.0] * 3
