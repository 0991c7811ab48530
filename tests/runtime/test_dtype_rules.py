"""The dtype rules: strict between tensors, weak for Python literals and ndarrays. One row of each table is one rule."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError

F32 = tf.constant([1.0, 2.0])
F64 = tf.constant([1.0, 2.0], tf.float64)
I32 = tf.constant([1, 2])
I64 = tf.constant([1, 2], tf.int64)
I8 = tf.constant([1, 2], tf.int8)
I16 = tf.constant([1, 2], tf.int16)
U8 = tf.constant([200, 2], tf.uint8)
BOOL = tf.constant([True, False])
TEXT = tf.constant(["a", "b"])

RESULTS: list[tuple[str, Any, tf.DType]] = [
    ("f32 + 1", lambda: F32 + 1, tf.float32),
    ("f32 * 2", lambda: F32 * 2, tf.float32),
    ("2 / f32", lambda: 2 / F32, tf.float32),
    ("f32 + np.float64(1)", lambda: F32 + np.float64(1), tf.float32),
    ("np.float64(1) + f32", lambda: np.float64(1) + F32, tf.float32),
    ("f32 + ndarray f64", lambda: F32 + np.ones(2), tf.float32),
    ("f32 + True", lambda: F32 + True, tf.float32),
    ("i32 + True", lambda: I32 + True, tf.int32),
    ("i32 + np.int64(3)", lambda: I32 + np.int64(3), tf.int32),
    ("i32 / i32", lambda: I32 / I32, tf.float64),
    ("i32 / 2", lambda: I32 / 2, tf.float64),
    ("i64 / i64", lambda: I64 / I64, tf.float64),
    ("i8 / i8", lambda: I8 / I8, tf.float32),
    ("i16 / i16", lambda: I16 / I16, tf.float32),
    ("u8 / u8", lambda: U8 / U8, tf.float32),
    ("i32 // 2", lambda: I32 // 2, tf.int32),
    ("i32 + 1.5", lambda: I32 + 1.5, tf.float64),
    ("0.5 - i64", lambda: 0.5 - I64, tf.float64),
    ("i8 ** 0.5", lambda: I8**0.5, tf.float64),
    ("i32 // 0.5", lambda: I32 // 0.5, tf.float64),
    ("maximum(i32, 0.5)", lambda: tf.maximum(I32, 0.5), tf.float64),
    ("i32 ** 2", lambda: I32**2, tf.int32),
    ("reduce_sum(i32)", lambda: tf.reduce_sum(I32), tf.int32),
    ("reduce_sum(i8)", lambda: tf.reduce_sum(I8), tf.int8),
    ("reduce_prod(i32)", lambda: tf.reduce_prod(I32), tf.int32),
    ("cumsum(i32)", lambda: tf.cumsum(I32), tf.int32),
    ("reduce_mean(i32)", lambda: tf.reduce_mean(I32), tf.int32),
    ("1", lambda: tf.constant(1), tf.int32),
    ("1.5", lambda: tf.constant(1.5), tf.float32),
    ("True", lambda: tf.constant(True), tf.bool),
    ("'a'", lambda: tf.constant("a"), tf.string),
    ("2**40", lambda: tf.constant(2**40), tf.int64),
    ("[1, 2.5]", lambda: tf.constant([1, 2.5]), tf.float32),
    ("ndarray f64", lambda: tf.constant(np.ones(2)), tf.float64),
    ("ndarray i64", lambda: tf.constant(np.arange(2)), tf.int64),
    ("maximum(0., [1, -1])", lambda: tf.maximum(0.0, [1, -1]), tf.float32),
    ("maximum(0, f32)", lambda: tf.maximum(0, F32), tf.float32),
    ("add(1, 2.)", lambda: tf.add(1, 2.0), tf.float32),
    ("where(p, 1, 2.)", lambda: tf.where(BOOL, 1, 2.0), tf.float32),
    ("where(p, 0, f32)", lambda: tf.where(BOOL, 0, F32), tf.float32),
    ("range(3.)", lambda: tf.range(3.0), tf.float32),
    ("range(3)", lambda: tf.range(3), tf.int32),
    ("range(0, 1, 0.5)", lambda: tf.range(0, 1, 0.5), tf.float32),
    ("range(i64)", lambda: tf.range(tf.constant(3, tf.int64)), tf.int64),
    ("range(3, dtype=f64)", lambda: tf.range(3, dtype=tf.float64), tf.float64),
    ("argmax", lambda: tf.argmax(F32), tf.int64),
    ("argsort", lambda: tf.argsort(F32), tf.int32),
    ("shape", lambda: tf.shape(F32), tf.int32),
    ("size", lambda: tf.size(F32), tf.int32),
    ("rank", lambda: tf.rank(F32), tf.int32),
    ("where(p)", lambda: tf.where(BOOL), tf.int64),
    ("linspace(0, 1, 3)", lambda: tf.linspace(0, 1, 3), tf.float64),
    ("linspace(0., 1., 3)", lambda: tf.linspace(0.0, 1.0, 3), tf.float32),
    ("zeros", lambda: tf.zeros([2]), tf.float32),
    ("ones", lambda: tf.ones([2]), tf.float32),
    ("eye", lambda: tf.eye(2), tf.float32),
    ("one_hot", lambda: tf.one_hot([1], 2), tf.float32),
    ("fill", lambda: tf.fill([2], 3), tf.int32),
    ("zeros_like(i32)", lambda: tf.zeros_like(I32), tf.int32),
    ("random.uniform", lambda: tf.random.uniform([2]), tf.float32),
    ("abs(complex)", lambda: tf.abs(tf.constant(3 + 4j)), tf.float64),
    ("i32 < 5", lambda: I32 < 5, tf.bool),
    ("clip_by_value(f32, 0, 1)", lambda: tf.clip_by_value(F32, 0, 1), tf.float32),
    ("text + text", lambda: TEXT + "c", tf.string),
    ("stack([f32, 1])", lambda: tf.stack([F32[0], 1]), tf.float32),
    ("constant(1, f32)", lambda: tf.constant(1, tf.float32), tf.float32),
]

REFUSED: list[tuple[str, Any, type[Exception], tuple[str, ...]]] = [
    ("i32 + f32", lambda: I32 + F32, TypeError, ("int32", "float32", "runtime.cast")),
    ("i32 + f32", lambda: I32 + F32, InvalidArgumentError, ("int32", "float32")),
    ("f32 + f64", lambda: F32 + F64, DtypeMismatchError, ("float32", "float64", "ndarray")),
    ("i32 + i64", lambda: I32 + I64, DtypeMismatchError, ("int32", "int64")),
    ("f32 == i32", lambda: F32 == I32, DtypeMismatchError, ("float32", "int32")),
    ("i32 & 1.5", lambda: I32 & 1.5, DtypeMismatchError, ("1.5", "int32")),
    ("i32 + f32", lambda: I32 + F32, DtypeMismatchError, ("float32", "int32")),
    ("i32 + 'a'", lambda: I32 + "a", DtypeMismatchError, ("'a'", "int32")),
    ("bool + bool", lambda: BOOL + BOOL, DtypeMismatchError, ("bool",)),
    ("bool + 1", lambda: BOOL + 1, DtypeMismatchError, ("bool",)),
    ("i32 // 0", lambda: I32 // 0, InvalidArgumentError, ("zero",)),
    ("i32 % 0", lambda: I32 % 0, InvalidArgumentError, ("zero",)),
    ("i32 ** -1", lambda: I32**-1, InvalidArgumentError, ("negative",)),
    ("-u8", lambda: -U8, DtypeMismatchError, ("uint8",)),
    ("sqrt(4)", lambda: tf.sqrt(4), DtypeMismatchError, ("int32", "runtime.cast")),
    ("exp(i32)", lambda: tf.exp(I32), DtypeMismatchError, ("int32", "runtime.cast")),
    ("log(i32)", lambda: tf.math.log(I32), DtypeMismatchError, ("int32", "runtime.cast")),
    ("tanh(i32)", lambda: tf.tanh(I32), DtypeMismatchError, ("int32", "runtime.cast")),
    ("floor(i32)", lambda: tf.floor(I32), DtypeMismatchError, ("int32",)),
    ("norm(i32)", lambda: tf.norm(I32), DtypeMismatchError, ("int32",)),
    ("reduce_sum(bool)", lambda: tf.reduce_sum(BOOL), DtypeMismatchError, ("bool",)),
    ("reduce_all(i32)", lambda: tf.reduce_all(I32), DtypeMismatchError, ("int32",)),
    ("logical_and(i32)", lambda: tf.logical_and(I32, I32), DtypeMismatchError, ("int32",)),
    ("constant(1.5, int32)", lambda: tf.constant(1.5, tf.int32), TypeError, ("1.5", "int32")),
    ("constant([[1], [2, 3]])", lambda: tf.constant([[1], [2, 3]]), ValueError, ("lengths",)),
    ("constant(None)", lambda: tf.constant(None), TypeError, ("None",)),
    ("constant(2**31, int32)", lambda: tf.constant(2**31, tf.int32), ValueError, ("int32",)),
    ("convert f32 to f64", lambda: tf.convert_to_tensor(F32, tf.float64), ValueError, ("float32", "float64")),
    ("stack([1, 2.])", lambda: tf.stack([1, 2.0]), TypeError, ("int32", "float32")),
    ("concat([[1], [2.]])", lambda: tf.concat([[1], [2.0]], 0), TypeError, ("int32", "float32")),
    ("concat([i32, f32])", lambda: tf.concat([I32, F32], 0), TypeError, ("int32", "float32")),
    ("matmul(i32, f32)", lambda: tf.eye(2) @ tf.eye(2, dtype=tf.int32), TypeError, ("int32", "float32")),
    ("cast('a')", lambda: tf.cast("a", tf.float32), DtypeMismatchError, ("string",)),
    ("text < number", lambda: TEXT < 1, DtypeMismatchError, ("string",)),
    ("where(i32)", lambda: tf.where(I32, 1, 2), DtypeMismatchError, ("bool", "int32")),
    ("gather(f32, [0.5])", lambda: tf.gather(F32, [0.5]), DtypeMismatchError, ("indices", "float32")),
    ("uniform int without maxval", lambda: tf.random.uniform([2], dtype=tf.int32), ValueError, ("maxval",)),
]


@pytest.mark.parametrize(("call", "dtype"), [pytest.param(c, d, id=text) for text, c, d in RESULTS])
def test_result_dtype(call: Any, dtype: tf.DType) -> None:
    assert call().dtype is dtype


@pytest.mark.parametrize(("call", "dtype"), [pytest.param(c, d, id=text) for text, c, d in RESULTS])
def test_result_dtype_in_a_graph(call: Any, dtype: tf.DType) -> None:
    with tf.Graph("g").as_default():
        assert call().dtype is dtype


@pytest.mark.parametrize(
    ("call", "error", "words"), [pytest.param(c, e, w, id=f"{text}-{e.__name__}") for text, c, e, w in REFUSED]
)
def test_refused(call: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("text", "call", "wanted"),
    [
        ("int32 wraps", lambda: tf.constant(2**31 - 1) + 1, -(2**31)),
        ("uint8 wraps", lambda: tf.constant(200, tf.uint8) + tf.constant(100, tf.uint8), 44),
        ("int8 sum wraps", lambda: tf.reduce_sum(tf.constant([100, 100], tf.int8)), -56),
        ("int32 mean does not overflow", lambda: tf.reduce_mean(tf.constant([2**31 - 1, 2**31 - 1])), 2**31 - 1),
        ("mean truncates to zero", lambda: tf.reduce_mean([-1, -2]), -1),
        ("x / 0", lambda: tf.constant(1.0) / 0, float("inf")),
        ("-x / 0", lambda: tf.constant(-1.0) / 0, float("-inf")),
        ("i / 0", lambda: tf.constant(1) / 0, float("inf")),
        ("half to even", lambda: tf.round(tf.constant(2.5)), 2.0),
        ("half to even, negative", lambda: tf.round(tf.constant(-1.5)), -2.0),
        ("cast truncates", lambda: tf.cast(-1.7, tf.int32), -1),
        ("cast to bool", lambda: tf.cast(0.5, tf.bool), True),
        ("python sign of //", lambda: tf.constant(-7) // 2, -4),
        ("python sign of %", lambda: tf.constant(-7) % 3, 2),
        ("maximum of no floats", lambda: tf.reduce_max(tf.zeros([0])), float("-inf")),
        ("maximum of no integers", lambda: tf.reduce_max(tf.zeros([0], tf.int32)), -(2**31)),
        ("minimum of no integers", lambda: tf.reduce_min(tf.zeros([0], tf.int8)), 127),
        ("a range up to the end of uint8", lambda: tf.range(250, 255, 4, dtype=tf.uint8)[-1], 254),
        ("a range down to the end of int8", lambda: tf.range(-120, -128, -7, dtype=tf.int8)[-1], -127),
        ("argmax is along axis 0", lambda: tf.argmax([[1, 9], [5, 2]])[0], 1),
    ],
)  # fmt: skip
def test_values_at_the_edges(text: str, call: Any, wanted: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call().numpy() == wanted


def test_nan_comes_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(tf.math.log(-1.0).numpy())
        assert np.isnan((tf.constant(0.0) / 0.0).numpy())
        assert np.isnan(tf.reduce_mean(tf.zeros([0])).numpy())


@pytest.mark.parametrize("compare", [operator.eq, operator.ne])
def test_equality_with_what_cannot_be_equal(compare: Any) -> None:
    wanted = compare is operator.ne
    assert compare(F32, None) is wanted
    assert compare(tf.ones([2, 3]), tf.ones([4])) is wanted


def test_weak_results_stay_weak_in_a_graph() -> None:
    """What came from Python literals alone adapts later, as the literals would."""
    graph = tf.Graph("g")
    x = graph.placeholder(tf.float64, [], "x")
    with graph.as_default():
        assert (tf.add(1, 2) * x).dtype is tf.float64
        assert (tf.constant(np.float32(1)) + 1).dtype is tf.float32


def test_strict_literals_bring_the_error_back() -> None:
    halved = tf.function(lambda n: n * 0.5)
    with tf.config.strict_literals(True):
        for call in (lambda: I32 * 0.5, lambda: 1.5 < I64, lambda: halved(I32)):
            with pytest.raises(DtypeMismatchError, match="does not fit the dtype int"):
                call()
        assert (F32 * 2).dtype is tf.float32
    assert halved(I32).numpy().tolist() == (I32.numpy() * 0.5).tolist()
    with pytest.raises(TypeError, match="strict_literals takes True or False; got 1"):
        tf.config.strict_literals(1)  # type: ignore[arg-type]


def test_a_number_of_the_program_is_compared_with_all_its_bits() -> None:
    def steps(n: Any) -> Any:
        large, count = 1, 0
        while large < n and count < 9:
            large *= 1_000_003
            count += 1
        return count, large > n, n == large - 2**32 * (large // 2**32)

    for n in (1, 7, 2**31 - 1):
        found = [t.numpy() for t in tf.function(steps)(tf.constant(n, tf.int32))]
        assert found == list(steps(n))


@pytest.mark.parametrize(
    ("x", "y", "remedy"),
    [
        (F32, F64, "use runtime.cast(x, 'float64')"),
        (F64, F32, "use runtime.cast(y, 'float64')"),
        (I32, I64, "use runtime.cast(x, 'int64')"),
        (I64, F32, "use runtime.cast(x, 'float32')"),
        (BOOL, I32, "use runtime.cast(x, 'int32')"),
        (F32, tf.constant([1j, 2j]), "use runtime.cast(x, 'complex128')"),
        (I8, U8, "use runtime.cast(x, 'int16') and runtime.cast(y, 'int16')"),
        (TEXT, I32, "use runtime.strings.as_string(y)"),
    ],
)
def test_the_recommended_cast_is_the_one_that_loses_nothing_and_it_works(x: Any, y: Any, remedy: str) -> None:
    with pytest.raises(TypeError, match="nothing is cast silently") as caught:
        tf.add(x, y)
    assert remedy in str(caught.value)
    names = {"x": x, "y": y}
    for cast in remedy.removeprefix("use ").split(" and "):
        name = "x" if "(x" in cast else "y"
        names[name] = eval(cast, {"runtime": tf}, {"x": x, "y": y})
    tf.add(names["x"], names["y"])
