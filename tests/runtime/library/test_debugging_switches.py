"""What is told of the work on request: devices of operations, frames of this distribution; what a list of values is."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.fixture
def placements() -> Iterator[None]:
    assert not tf.debugging.get_log_device_placement()
    tf.debugging.set_log_device_placement(True)
    yield
    tf.debugging.set_log_device_placement(False)


def test_each_operation_tells_its_device(placements: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert tf.debugging.get_log_device_placement()
    a, b = tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [4.0]])
    assert tf.matmul(a, b).numpy().tolist() == [[11]]
    assert capsys.readouterr().err.splitlines() == [f"Executing op matmul in device {CPU}"]
    with tf.device("/GPU:0"):
        assert (a + 1.0).numpy().tolist() == [[2, 3]]
    assert capsys.readouterr().err.splitlines() == [f"Executing op add in device {CPU}"]


def test_operations_of_graphs_tell_theirs_when_they_are_recorded(
    placements: None, capsys: pytest.CaptureFixture[str]
) -> None:
    f = tf.function(lambda x: tf.square(x) * 2)
    assert [f(tf.constant(3)).numpy() for _ in range(2)] == [18, 18]
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == [f"square: (square): {CPU}", f"multiply: (multiply): {CPU}"]
    f(tf.constant(4))
    assert capsys.readouterr().err == ""


def test_nothing_is_told_unless_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    tf.debugging.set_log_device_placement(True)
    tf.debugging.set_log_device_placement(False)
    assert not tf.debugging.get_log_device_placement()
    assert tf.square(tf.constant(3)).numpy() == 9
    assert capsys.readouterr().err == ""


def frames_of_an_error() -> list[str]:
    @tf.function
    def fails(x: Any) -> Any:
        return tf.reshape(x, [7])

    with pytest.raises(ValueError) as caught:
        fails(tf.constant(1))
    return [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]


def test_tracebacks_hold_the_frames_that_are_asked_for() -> None:
    assert tf.debugging.is_traceback_filtering_enabled()
    assert set(frames_of_an_error()) == {__file__}
    tf.debugging.disable_traceback_filtering()
    try:
        assert not tf.debugging.is_traceback_filtering_enabled()
        assert any("runtime/function" in name for name in frames_of_an_error())
    finally:
        tf.debugging.enable_traceback_filtering()
    assert tf.debugging.is_traceback_filtering_enabled()
    assert set(frames_of_an_error()) == {__file__}


def test_proper_iterables() -> None:
    for good in ([1], (), {1: 2}, iter([1]), [tf.constant(1)]):
        tf.debugging.assert_proper_iterable(good)
    for bad in (tf.constant([1]), np.ones(2), "ab", b"ab", 3, None, tf.Variable([1])):
        with pytest.raises(TypeError, match="list or tuple of values"):
            tf.debugging.assert_proper_iterable(bad)


def test_older_names_of_settings() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        calls.append(type(x).__name__)
        return x

    tf.config.experimental_run_functions_eagerly(True)
    try:
        assert tf.config.experimental_functions_run_eagerly()
        f(tf.constant(1))
        f(tf.constant(1))
    finally:
        tf.config.experimental_run_functions_eagerly(False)
    assert calls == ["EagerTensor", "EagerTensor"]
    assert tf.config.get_visible_devices("CPU") == tf.config.list_physical_devices("CPU")
