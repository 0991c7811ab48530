"""What cannot leave: all reasons at once, with the lines of the user, and no file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.errors import NotExportableError
from tests.runtime.exits.export.running import run, written

FLOAT = tf.TensorSpec([], tf.float32)


def test_all_reasons_at_once_with_their_lines(tmp_path: Path) -> None:
    def program(x):
        tf.print("x is", x)
        for _ in tf.range(3):
            x = x + tf.random.normal([])
        tf.debugging.assert_greater(x, 0.0)
        return x

    target = tmp_path / "f.onnx"
    target.write_bytes(b"before")
    with pytest.raises(NotExportableError) as error:
        tf.export.onnx(program, target, input_signature=[FLOAT])
    text, first = str(error.value), program.__code__.co_firstlineno
    assert "program(x) cannot leave, and nothing was written" in text
    for line, what in ((1, "print: it prints"), (3, "random_normal: it draws"), (4, "check: it raises an error")):
        assert any(f"{__file__}:{first + line} in program" in row and what in row for row in text.splitlines()), text
    assert isinstance(error.value, NotImplementedError)
    assert target.read_bytes() == b"before" and [*tmp_path.iterdir()] == [target]


@pytest.mark.parametrize(
    ("function", "signature", "words"),
    [
        (lambda x: x * 2, [tf.TensorSpec([], tf.complex64)], "complex64"),
        (lambda x: x + "a", [tf.TensorSpec([], tf.string)], "string"),
        (lambda x: x * 2.0, [tf.TensorSpec(None, tf.float32)], "input_signature"),
        (lambda x, n: tf.reshape(x, n), [tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.int32)],
         "ensure_shape"),
        (lambda x: tf.py_function(lambda v: v, [x], tf.float32), [FLOAT], "Python code"),
        (lambda x: tf.linalg.svd(x)[0], [tf.TensorSpec([2, 2], tf.float32)], "factorisation"),
    ],
)  # fmt: skip
def test_a_reason(function, signature, words: str, tmp_path: Path) -> None:
    with pytest.raises(NotExportableError, match=words):
        tf.export.onnx(function, tmp_path / "f.onnx", input_signature=signature)
    assert not [*tmp_path.iterdir()]


def test_a_function_that_calls_itself(tmp_path: Path) -> None:
    @tf.function
    def sum_to(n):
        if n <= 0:
            return 0
        return n + sum_to(n - 1)

    with pytest.raises(NotExportableError, match="calls itself"):
        tf.export.onnx(sum_to, tmp_path / "f.onnx", input_signature=[tf.TensorSpec([], tf.int32)])


def test_places_and_arrays_of_the_program(tmp_path: Path) -> None:
    def writes(a):
        a[0] = 1.0
        return a.sum()

    function = tf.function(writes)
    function(np.zeros(3, np.float32))
    with pytest.raises(NotExportableError, match="writes to an array of its caller"):
        tf.export.onnx(function, tmp_path / "f.onnx")


def test_branches_that_nest_too_deeply(tmp_path: Path) -> None:
    def program(x):
        made = lambda: x
        for depth in range(40):
            made = branches(x, float(depth), made)
        return made()

    def branches(x, depth, inner):
        return lambda: tf.cond(x > depth, inner, lambda: x + depth)

    with pytest.raises(NotExportableError, match="inside of each other"):
        tf.export.onnx(program, tmp_path / "f.onnx", input_signature=[FLOAT])


def test_which_trace_is_meant(tmp_path: Path) -> None:
    function = tf.function(lambda x: x + 1)
    with pytest.raises(ValueError, match="has 0 traces; say with input_signature"):
        tf.export.onnx(function, tmp_path / "f.onnx")
    function(tf.constant(1))
    function(tf.constant(1.0))
    with pytest.raises(ValueError, match="has 2 traces"):
        tf.export.onnx(function, tmp_path / "f.onnx")
    with pytest.raises(ValueError, match="signature already"):
        tf.export.onnx(function.get_concrete_function(FLOAT), tmp_path / "f.onnx", input_signature=[FLOAT])
    with pytest.raises(TypeError, match="takes a Function"):
        tf.export.onnx(3, tmp_path / "f.onnx")
    assert not [*tmp_path.iterdir()]


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"autograph-runtime\[onnx\]"):
        tf.export.onnx(lambda x: x, tmp_path / "f.onnx", input_signature=[FLOAT])


def test_inside_of_a_function(tmp_path: Path) -> None:
    @tf.function
    def program(x):
        tf.export.onnx(lambda x: x, tmp_path / "f.onnx", input_signature=[FLOAT])
        return x

    with pytest.raises(RuntimeError, match="outside of Functions"):
        program(tf.constant(1.0))


def test_checks_that_are_left_out(tmp_path: Path) -> None:
    def program(x):
        tf.print("x is", x)
        assert x > 0.0, "positive"
        if x > 5.0:
            tf.debugging.assert_less(x, 10.0)
        if x > 50.0:
            raise ValueError("too large")
        return tf.sqrt(x)

    with pytest.raises(NotExportableError, match="drop_checks=True"):
        tf.export.onnx(program, tmp_path / "f.onnx", input_signature=[FLOAT])
    ran = written(program, tmp_path / "f.onnx", [FLOAT], drop_checks=True)
    assert [float(run(ran, [np.float32(x)])[0]) for x in (4, 100)] == [2, 10]
