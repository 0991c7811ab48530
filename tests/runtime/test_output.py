"""runtime.print: the text, the stream, the order; eagerly and as an operation of a graph."""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.interpreter import run_graph
from runtime.ops.text.output import text_of

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.arange(10), "[0 1 2 ... 7 8 9]"), (np.arange(6), "[0 1 2 3 4 5]"), (np.arange(7), "[0 1 2 ... 4 5 6]"),
        (np.int32(5), "5"), (np.zeros((0,)), "[]"), (np.zeros((2, 0)), "[[]\n []]"),
        (np.array([True, False]), "[True False]"),
        (np.array([[1, 2], [3, 4]]), "[[1 2]\n [3 4]]"),
        (np.arange(8).reshape(2, 2, 2), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        (np.arange(8)[:, None], "[[0]\n [1]\n [2]\n ...\n [5]\n [6]\n [7]]"),
        (np.float32(0.1), "0.1"), (np.float32(1e8), "1e+08"), (np.float32(1 / 3), "0.333333343"), (np.float32(2), "2"),
        (np.float64(0.1), "0.1"), (np.float64(1 / 3), "0.33333333333333331"), (np.float32("nan"), "nan"),
        (np.float32("-inf"), "-inf"), (np.float16(0.1), "0.1"), (np.complex64(1 + 2j), "(1,2)"),
        (b"ab", "ab"), (np.array([b"a", "é".encode()], object), '["a" "é"]'), (np.array(b"\xff", object), "\\xff"),
    ],
)  # fmt: skip
def test_text(value: Any, text: str) -> None:
    assert text_of(value, 3) == text


def test_summarize() -> None:
    assert text_of(np.arange(10), 1) == "[0 ... 9]"
    assert text_of(np.arange(10), -1) == "[0 1 2 3 4 5 6 7 8 9]"
    assert text_of(np.arange(10), 0) == "[...]"


def printed(capsys: pytest.CaptureFixture[str], *inputs: Any, **options: Any) -> str:
    """What a graph prints that holds one print; the eager call must print the same."""
    graph = tf.Graph("g")
    with graph.as_default():
        assert tf.print(*inputs, **options) is None
    assert capsys.readouterr() == ("", ""), "nothing is printed while the graph is built"
    run_graph(graph, [])
    from_graph = capsys.readouterr()
    assert tf.print(*inputs, **options) is None
    assert capsys.readouterr() == from_graph
    return from_graph.err


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ((), "\n"),
        (("a", 1, 2.5, None, True), "a 1 2.5 None True\n"),
        ((tf.constant([1, 2]), "x"), "[1 2] x\n"),
        (([tf.constant(1), 2, "s"], (tf.constant(1.5),)), "[1, 2, 's'] (1.5,)\n"),
        (({"b": tf.constant(1), "a": [tf.constant(True)]},), "{'b': 1, 'a': [True]}\n"),
        ((Point(tf.constant(1), "p"),), "Point(x=1, y='p')\n"),
        ((tf.constant("text"), b"bytes"), "text b'bytes'\n"),
        ((np.arange(8),), "[0 1 2 ... 5 6 7]\n"),
        (("", tf.constant(1), ""), " 1 \n"),
    ],
)
def test_inputs(capsys: pytest.CaptureFixture[str], inputs: Any, text: str) -> None:
    assert printed(capsys, *inputs) == text


def test_separators(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, tf.constant(1), 2, "c", sep=", ", end="!") == "1, 2, c!"


def test_streams(capsys: pytest.CaptureFixture[str]) -> None:
    tf.print(tf.constant(1), output_stream=sys.stdout)
    tf.print(tf.constant(2), output_stream=sys.stderr)
    assert capsys.readouterr() == ("1\n", "2\n")
    with pytest.raises(ValueError, match=r"sys\.stderr, sys\.stdout"):
        tf.print(1, output_stream="stdlog")


def test_the_stream_is_looked_up_when_the_graph_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = tf.Graph("g")
    with graph.as_default():
        tf.print("later", output_stream=sys.stdout)
    written: list[str] = []

    class Stream:
        write = staticmethod(written.append)
        flush = staticmethod(lambda: None)

    monkeypatch.setattr(sys, "stdout", Stream)
    run_graph(graph, [])
    assert written == ["later\n"]


def test_prints_keep_their_order_and_see_values(capsys: pytest.CaptureFixture[str]) -> None:
    graph = tf.Graph("g")
    x = graph.placeholder(tf.int32, [None], "x")
    with graph.as_default():
        tf.print("x =", x)
        tf.print("sum =", tf.reduce_sum(x))
    assert all(op.stateful for op in graph.operations if op.type == "print")
    run_graph(graph, [[1, 2, 3]])
    assert capsys.readouterr().err == "x = [1 2 3]\nsum = 6\n"
