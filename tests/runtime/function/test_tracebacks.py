"""Tracebacks of traced and of run functions show the user's lines; the frames of this distribution on request."""

from __future__ import annotations

import subprocess
import sys
import traceback
from typing import Any

import pytest

import runtime as tf


class Odd(Exception):
    def __init__(self, a: int, b: str) -> None:
        super().__init__(a, b)
        self.code = a


def reshaped(x: Any) -> Any:
    if x > 0:
        y = tf.reshape(x + tf.constant([1.0, 2.0]), [7])
    else:
        y = x
    return y


def while_tracing(x: Any) -> Any:
    for _ in tf.range(3):
        x = x + reshaped(x)
    return x


def raised_in_python(x: Any) -> Any:
    for i in range(3):
        if i == 2:
            raise Odd(3, "bad")
        x = x + 1
    return x


def checked(x: Any) -> Any:
    assert x < 5, "too much"
    return x


def while_running(x: Any) -> Any:
    while x < 10:
        x = x + checked(x)
    return x


def recursive(x: Any, n: int) -> Any:
    if n == 0:
        return tf.reshape(x, [7])
    for _ in tf.range(2):
        x = recursive(x, n - 1)
    return x


def entries(fn: Any, *args: Any) -> tuple[BaseException, list[tuple[str, int]]]:
    """The exception, and function and line (counted from its first) of each entry after this function's."""
    with pytest.raises(Exception) as caught:
        fn(*args)
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if f.name != "entries"]
    assert {f.filename for f in frames} <= {__file__}
    first = {f.__name__: f.__code__.co_firstlineno for f in (reshaped, while_tracing, raised_in_python, checked,
                                                              while_running, recursive)}  # fmt: skip
    return caught.value, [(f.name, (f.lineno or 0) - first[f.name]) for f in frames]


def test_an_error_of_an_operation_while_tracing() -> None:
    error, found = entries(tf.function(while_tracing), tf.constant(1.0))
    assert found == [("while_tracing", 2), ("reshaped", 2)]
    assert any("while the main branch was traced" in note for note in error.__notes__)


def test_an_exception_of_the_user_keeps_type_arguments_and_attributes() -> None:
    error, found = entries(tf.function(raised_in_python), tf.constant(1))
    assert found == [("raised_in_python", 3)]
    assert type(error) is Odd and error.args == (3, "bad") and error.code == 3


def test_an_assertion_while_running() -> None:
    fn = tf.function(while_running)
    for _ in range(2):  # traced and run; only run
        error, found = entries(fn, tf.constant(1))
        assert found[-1] == ("checked", 1)
        assert type(error) is AssertionError and str(error) == "too much"


def test_each_call_of_a_recursion_has_its_entry() -> None:
    _, found = entries(tf.function(recursive), tf.constant(1), 2)
    assert [name for name, _ in found] == ["recursive"] * 3


def test_a_call_with_wrong_arguments_ends_at_the_call() -> None:
    _, found = entries(tf.function(checked))
    assert found == []


FULL = """
import traceback, runtime as tf
@tf.function
def f(x):
    return tf.reshape(x, [7])
try:
    f(tf.constant([1]))
except Exception as error:
    print(sum("runtime" in frame.filename for frame in traceback.extract_tb(error.__traceback__)))
"""


@pytest.mark.parametrize(("setting", "some"), [("full", True), ("", False)])
def test_all_frames_on_request(setting: str, some: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAPH_TRACEBACK", setting)
    result = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True)
    assert (int(result.stdout) > 0) is some
