"""What Functions return: numbers become tensors, structures and None stay, objects are refused."""

from __future__ import annotations

import functools
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain

Point = namedtuple("Point", "x y")


@dataclass
class Pair:
    left: Any
    right: Any


@pytest.mark.parametrize(
    "shaped",
    [
        lambda x: x, lambda x: [x, {"a": x}], lambda x: (x, (x,)), lambda x: [x, [x]], lambda x: [[x, x]],
        lambda x: {"b": x, "a": [x, None]}, lambda x: Point(x, None), lambda x: Pair(x, [x]), lambda x: None,
        lambda x: (None, None), lambda x: (), lambda x: [], lambda x: {}, lambda x: (x, None), lambda x: [x, ()],
        lambda x: OrderedDict(z=x, a=x), lambda x: (x, [], x), lambda x: [{}, x], lambda x: {1: x, "s": x},
    ],
)  # fmt: skip
def test_structures(shaped: Any) -> None:
    made = tf.function(shaped)(tf.constant(5))
    expected = shaped(5)
    assert repr(plain(made)) == repr(expected)
    assert type(made) is type(expected) or isinstance(made, tf.Tensor)
    tf.nest.map_structure(lambda leaf: leaf is None or isinstance(leaf, tf.Tensor) or pytest.fail(repr(leaf)), made)
    caller = tf.function(lambda x: shaped(x) if x is None else tf.function(shaped)(x))
    assert repr(plain(caller(tf.constant(5)))) == repr(expected), "the same inside of another Function"


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (7, tf.int32, 7), (2**40, tf.int64, 2**40), (True, tf.bool, True), (1.5, tf.float32, 1.5),
        ("é", tf.string, "é"), (b"b", tf.string, b"b"), (1j, tf.complex128, 1j), (np.int16(3), tf.int16, 3),
        (np.arange(2), tf.int64, [0, 1]),
    ],
)  # fmt: skip
def test_python_values_become_tensors(value: Any, dtype: Any, expected: Any) -> None:
    made = tf.function(lambda: value)()
    assert made.dtype is dtype
    assert plain(made) == plain(expected)


@pytest.mark.parametrize("value", [object(), {1, 2}, len, tf.TensorShape([None]), [object()]])
def test_objects_are_refused(value: Any) -> None:
    f = tf.function(lambda: value)
    place = r"<lambda>\(\) \(.*test_results\.py:\d+\)"
    with pytest.raises(TypeError, match=place + " returned a .*, but a Function returns tensors, numbers"):
        f()
    assert f.experimental_get_tracing_count() == 0


def test_eager_tensor_that_is_captured_can_be_returned() -> None:
    table = tf.constant([1, 2])
    f = tf.function(lambda x: (table, x))
    assert plain(f(tf.constant(3))) == ([1, 2], 3)
    assert plain(f(tf.constant(4))) == ([1, 2], 4)


def test_argument_returned_twice() -> None:
    a, b = tf.function(lambda x: (x, x))(tf.constant([1]))
    assert plain((a, b)) == ([1], [1])


def test_callees_are_inlined() -> None:
    @tf.function
    def inner(x: Any, scale: Any = 2) -> Any:
        if x > 0:
            return x * scale
        return 0

    @tf.function
    def outer(x: Any) -> Any:
        total = 0
        for i in range(x):
            total += inner(i, scale=3)
        return total, inner(x)

    assert plain(outer(tf.constant(4))) == (18, 8)
    assert inner.experimental_get_tracing_count() == 0
    assert plain(inner(tf.constant(4))) == 8


def test_recursion_on_python_values(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def recursive(n: Any) -> Any:
        if n > 0:
            print("tracing")
            return recursive(n - 1)
        return 1

    assert recursive(5).numpy() == 1
    assert capsys.readouterr().out.split() == ["tracing"] * 5


def test_recursion_on_python_values_is_unrolled_and_on_tensors_is_one_function() -> None:
    @tf.function
    def factorial(n: Any) -> Any:
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    assert factorial(5).numpy() == 120
    assert factorial(tf.constant(5)).numpy() == 120 and factorial(tf.constant(1)).numpy() == 1
    assert factorial.experimental_get_tracing_count() == 2

    class Counter:
        @tf.function
        def down(self, n: Any) -> Any:
            return self.down(n - 1) if n > 0 else n

        @tf.function
        def endless(self, n: Any) -> Any:
            return self.endless(n - 1)

    assert Counter().down(tf.constant(3)).numpy() == 0 and Counter().down(3).numpy() == 0
    with pytest.raises(RecursionError, match="'endless' calls itself with arguments of the same types"):
        Counter().endless(tf.constant(3))


def test_a_shape_is_returned_as_its_sizes() -> None:
    def shapes(x):
        return x.shape, {"rows": x[0].shape, "sum": x.sum()}

    given = np.ones((2, 3))
    (rows, columns), other = tf.function(shapes)(given)
    assert (int(rows), int(columns), int(other["rows"][0]), float(other["sum"])) == (2, 3, 3, 6.0)


def test_each_tensor_is_in_its_place() -> None:
    def shaped(x: Any) -> Any:
        return {"b": x, "a": [x + 1, {"d": x + 2, "c": (x + 3, None)}], "e'": x + 4, "\ud800": x + 5}

    assert repr(plain(tf.function(shaped)(tf.constant(5)))) == repr(shaped(5))
    deep: Any = lambda x: functools.reduce(lambda inner, _: [inner], range(60), x)
    assert repr(plain(tf.function(deep, autograph=False)(tf.constant(5)))) == repr(deep(5))
