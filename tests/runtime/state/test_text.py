"""The text of a Variable in a graph: that of the same expression on the Variable itself, when the graph runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

VALUES: dict[str, Any] = {
    "scalar": 1.5, "vector": [1, 2], "matrix": [[1.0, 2.0], [3.0, 4.0]], "many": np.arange(2000),
    "none": np.zeros((2, 0)), "text": "an", "not ascii": "\xe9", "bytes": b"\xff\n", "texts": ["a", "b"], "bool": True,
}  # fmt: skip

TEXTS: dict[str, Callable[[Any], Any]] = {
    "{}": lambda v: f"{v}",
    "in text": lambda v: f"<{v}|{v!r}>",
    "!a": lambda v: f"{v!a}",
    "wide": lambda v: f"{v!r:>200}|{v!s:<150}",
    "in a list": lambda v: f"{[v, 3]}{(v,)}",
    "str": lambda v: str(v) + repr(v) + format(v) + ascii(v),
    "%": lambda v: "%s or %r" % (v, v),
    "format": lambda v: "{0} {0!r}".format(v),
    "join": lambda v: ",".join([str(v), "x"]),
}


@pytest.mark.parametrize("write", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_the_value_is_that_of_the_run(write: Callable[[Any], Any], value: Any) -> None:
    v = tf.Variable(value, name="v")

    @tf.function
    def found() -> Any:
        return write(v)

    @tf.function
    def given(v: Any) -> Any:
        return write(v)

    for _ in range(2):
        expected = write(v)
        assert found().numpy().decode() == given(v).numpy().decode() == expected
        if v.dtype.is_numeric:
            v.assign_add(v)
    assert (found.experimental_get_tracing_count(), given.experimental_get_tracing_count()) == (1, 1)


def test_a_format_spec_is_that_of_the_value() -> None:
    v = tf.Variable(2.0)
    shown = tf.function(lambda: f"{v:.3f}|{v:8}")
    assert shown().numpy().decode() == f"{v:.3f}|{v:8}" == "2.000|     2.0"
    v.assign(0.25)
    assert shown().numpy().decode() == "0.250|    0.25"


def test_text_is_written_where_it_stands_in_the_program() -> None:
    v = tf.Variable(0, name="v")

    @tf.function
    def count(n: Any) -> Any:
        log = ""
        for _ in range(n):
            v.assign_add(1)
            if v % 2 == 0:
                log += f"{v} "
        before = f"{v}"
        v.assign(0)
        return log + before

    shown = "<tf.Variable 'v:0' shape=() dtype=int32, numpy={}>".format
    assert count(tf.constant(5)).numpy().decode() == f"{shown(2)} {shown(4)} {shown(5)}"
    assert v.numpy() == 0


def test_errors_and_prints_tell_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    v = tf.Variable(5, name="v")

    @tf.function
    def check(limit: Any) -> Any:
        v.assign_add(1)
        tf.print(f"at {v}", output_stream=sys.stdout)
        if v > limit:
            raise ValueError(f"{v} is above {limit}")
        return limit

    check(tf.constant(6))
    with pytest.raises(ValueError, match=r"numpy=7> is above 6"):
        check(tf.constant(6))
    shown = "at <tf.Variable 'v:0' shape=() dtype=int32, numpy={}>\n".format
    assert capsys.readouterr().out == shown(6) + shown(7)


def test_while_tracing_it_shows_itself_without_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    v = tf.Variable(5, name="v")

    @tf.function
    def traced(w: Any) -> Any:
        print(f"tracing {v}, {w}")
        print("tracing", v, str(w))
        return v + w

    traced(tf.Variable(1, name="other"))
    shown = "<tf.Variable 'v:0' shape=() dtype=int32>", "<tf.Variable 'w:0' shape=() dtype=int32>"
    assert capsys.readouterr().out == f"tracing {shown[0]}, {shown[1]}\ntracing {shown[0]} {shown[1]}\n"
