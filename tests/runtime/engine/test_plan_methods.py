"""What plans write as Python and numpy say it: tests of loops, results of branches, reductions, tests that raise."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf


def found(a: Any, x: Any) -> Any:
    low, high, at = 0, len(a) - 1, -1
    while low <= high and at < 0:
        middle = (low + high) // 2
        if a[middle] == x:
            at = middle
        elif a[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return at


def test_what_a_branch_computes_goes_where_the_next_turn_reads_it() -> None:
    function = tf.function(found, backend="numpy")
    a = np.arange(0, 200, 2)
    for x in (0, 7, 64, 198, 500):
        assert int(function(a, tf.constant(x, tf.int64))) == found(a, x)
    lines = function.get_concrete_function(a, tf.constant(1, tf.int64)).plan.source.splitlines()
    assert any("while (" in line and " and " in line for line in lines), lines
    moves = [line for line in lines if re.fullmatch(r" *v\d+(, v\d+)* = v\d+(, v\d+)*  # .*", line)]
    assert len(moves) == 1, moves  # at = middle


def windows(a: Any, n: Any) -> Any:
    out = np.zeros(len(a), a.dtype)
    for i in range(n):
        part = a[max(i - 2, 0) : min(i + 3, 70)]
        out[i] = part.min() + part.max() * part.sum() + np.argmin(part) + np.argmax(part)
    return out, a.sum(), a.min(axis=0), a.prod()


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32, np.uint8])
def test_reductions_are_calls_of_numpys(dtype: Any) -> None:
    a = (np.arange(70) * 37 % 50 % 3).astype(dtype)
    function = tf.function(windows, backend="numpy")
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = windows(a, 70)
    for one, other in zip(function(a, tf.constant(70)), wanted, strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
    source = function.get_concrete_function(a, tf.constant(70)).plan.source
    assert "reduce_min(" not in source and "size(" not in source


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_nothing_has_no_extremes(name: str) -> None:
    def of_nothing(a: Any, n: Any) -> Any:
        return getattr(a[n:], name)()

    a = np.arange(5.0)
    function = tf.function(of_nothing, backend="numpy")
    assert float(function(a, tf.constant(3))) == getattr(a[3:], name)()
    with pytest.raises(ValueError) as wanted:
        of_nothing(a, 5)
    with pytest.raises(ValueError) as caught:
        function(a, tf.constant(5))
    assert str(caught.value) == str(wanted.value) or "empty" in str(caught.value)


def halves(x: Any) -> Any:
    if len(x) == 1:
        return x * 2
    even, odd = halves(x[::2]), halves(x[1::2])
    return np.concatenate([even + odd, even - odd])


def test_a_view_of_a_view_is_read_through_that_view() -> None:
    x = np.arange(64.0)
    function = tf.function(halves, backend="numpy")
    np.testing.assert_array_equal(function(x), halves(x))
    graph = function.get_concrete_function(x).graph
    assert sum(operation.type == "getitem" for operation in graph.operations) < 2 * len(x)


def test_a_view_of_a_view_shows_what_is_written_to_the_memory() -> None:
    def program(x: Any, n: Any) -> Any:
        inner = x[1::2]
        innermost = inner[::-1]
        before = innermost.sum()
        if n > 0:
            x[3] = 100.0
            inner[0] += innermost[0]
        for i in range(n):
            innermost[i] += i
        return before, innermost.copy(), inner * 2

    for n in (0, 3):
        x, y = np.arange(10.0), np.arange(10.0)
        for one, other in zip(tf.function(program, backend="numpy")(x, tf.constant(n)), program(y, n), strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(x, y)


def butterflies(x: Any, n: Any) -> Any:
    """What is read of an array before it is written to there, and needed afterwards."""
    out = x * 1
    for i in range(n):
        first, whole = out[2 * i : 2 * i + 2].copy(), out[:3] + 0
        left, right = out[i : i + 2], out[i + 2 : i + 4] * 2
        out[i : i + 2] = left + right
        kept = out[0:2].copy()
        out[i + 2 : i + 4] = first - right
        out[0] = kept[1] + whole[2]
    return out, first


@pytest.mark.parametrize("n", [1, 2, 7])
def test_parts_that_are_read_later_are_copied_in_the_place_of_the_array(n: int) -> None:
    x = np.arange(20.0)
    function = tf.function(butterflies, backend="numpy")
    for one, other in zip(function(x, tf.constant(n)), butterflies(x, n), strict=True):
        np.testing.assert_array_equal(one, other)
    source = function.get_concrete_function(x, tf.constant(n)).plan.source
    assert "asarray(setitem(" not in source, source
