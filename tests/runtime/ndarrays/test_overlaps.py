"""Several arrays that share memory, as arguments of one call: as with numpy, or refused before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import runtime as tf

X = tf.constant(1.5, tf.float64)
TABLE = np.zeros(4)


def shift(a: Any, b: Any, x: Any) -> Any:
    a[:] = b * 2 + x
    b[0] += a[-1]
    return a.sum(), b * 1


def in_a_loop(a: Any, b: Any, x: Any) -> Any:
    for i in range(len(a)):
        a[i] = b[i] + x
    return a + b


def in_a_staged_loop(a: Any, b: Any, x: Any) -> Any:
    while x > 0:
        a[0] += b[-1]
        b *= 0.5
        x -= 1
    return a


def in_branches(a: Any, b: Any, x: Any) -> Any:
    if x > 1:
        a[0] = x
    else:
        b[...] = a * 0.5
    return a * b


def ufuncs(a: Any, b: Any, x: Any) -> Any:
    np.add(a, x, out=b)
    b += a
    a -= x
    return a * b


PROGRAMS = [shift, in_a_loop, in_a_staged_loop, in_branches, ufuncs]

VECTORS: list[Callable[[Any], tuple[Any, Any]]] = [
    lambda v: (v, v), lambda v: (v, v[:]), lambda v: (v[1:], v[:-1]), lambda v: (v[::2], v[:6]),
    lambda v: (v[::-1], v), lambda v: (v[2:8], v[7:1:-1]), lambda v: (v[:6], v[6:]), lambda v: (v[::2], v[1::2]),
]  # fmt: skip
MATRICES: list[Callable[[Any], tuple[Any, Any]]] = [
    lambda m: (m, m.T), lambda m: (m[1:], m[:-1]), lambda m: (m[:, 1:], m[:, :-1]), lambda m: (m[0], m[:, 0]),
    lambda m: (m.T[1:], m.T[:-1]), lambda m: (m[1:3, 1:3], m[:2, :2]), lambda m: (m.ravel()[3:7], m[1]),
    lambda m: (m[::-1].T, m), lambda m: (m[::2, ::2], m[::2, 1::2]), lambda m: (m.reshape(2, 2, 4)[1], m[:2]),
]  # fmt: skip
CASES = [(np.arange(12.0), view) for view in VECTORS] + [(np.arange(16.0).reshape(4, 4), view) for view in MATRICES]


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_with_numpy(program: Any) -> None:
    function = tf.function(program)
    for memory, view in CASES:
        for x in (1.5, 0.5):
            expected, given = memory.copy(), memory.copy()
            wanted = program(*view(expected), x)
            found = function(*view(given), tf.constant(x, tf.float64))
            np.testing.assert_allclose(given, expected)
            for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
                np.testing.assert_allclose(np.asarray(one), other)


def put(a: Any, b: Any) -> Any:
    a[0] = 5.0
    return b.sum()


def test_one_trace_for_a_pattern() -> None:
    function = tf.function(put)
    for _ in range(3):
        v, m = np.zeros(4), np.zeros((2, 4))
        assert float(function(v, np.ones(4))) == 4.0
        assert float(function(v, v[::-1])) == 5.0
        assert float(function(m[0], m[1])) == 0.0
        assert float(function(m[1], m[1, ::-1])) == 5.0
    assert function.experimental_get_tracing_count() == 3  # of its own, reversed, and no pattern


def test_in_structures_and_with_an_input_signature() -> None:
    def f(pair: Any, table: Any) -> Any:
        pair[0][0] = 7.0
        return pair[1].sum() + table["a"].sum()

    v = np.arange(5.0)
    assert float(tf.function(f)([v, v[:2]], {"a": v[::-1]})) == 25.0
    assert v[0] == 7.0
    signed = tf.function(put, input_signature=[tf.TensorSpec([None], tf.float64)] * 2)
    v = np.arange(5.0)
    assert float(signed(v[1:], v[:-1])) == 10.0
    assert float(signed(v, v)) == 19.0
    assert v.tolist() == [5.0, 5.0, 2.0, 3.0, 4.0]
    assert float(signed(tf.constant(v), tf.constant(v))) == 19.0


def test_read_only_views() -> None:
    def f(a: Any, r: Any) -> Any:
        a[1] = 9.0
        return r * 1

    a = np.arange(4.0)
    part = a[1:]
    part.flags.writeable = False
    assert tf.function(f)(a, part).numpy().tolist() == [9.0, 2.0, 3.0]
    assert a.tolist() == [0.0, 9.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        tf.function(lambda a, r: f(r, a))(a, part)


def test_arrays_over_the_memory_of_others() -> None:
    v = np.zeros(4)
    assert float(tf.function(put)(v, np.frombuffer(memoryview(v), np.float64))) == 5.0
    assert v[0] == 5.0


V = np.arange(4.0)
BYTES = memoryview(V).cast("B")


@pytest.mark.parametrize(
    "other",
    [
        V.view(np.int64), np.frombuffer(BYTES[4:28], np.float64), np.broadcast_to(V[:1], (3,)),
        np.broadcast_to(V, (2, 4)),
    ],
)  # fmt: skip
def test_what_has_no_pattern_is_refused(other: Any) -> None:
    before = V.copy()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"'a' and 'b' share memory.*pass a copy.*b\.copy\(\)"):
        tf.function(put)(V, other)
    np.testing.assert_array_equal(V, before)
    tf.function(put)(V.copy(), other)


def test_an_array_that_meets_itself_is_refused() -> None:
    def f(a: Any) -> Any:
        a[0, 1] = 5.0
        return a * 1

    windows = as_strided(np.zeros(4), (3, 2), (8, 8))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"'a' lie at the same place.*a\.copy\(\)"):
        tf.function(f)(windows)
    tf.function(lambda a: a * 2)(windows)
    tf.function(f)(np.zeros((6, 4))[::2, ::2])


def test_a_trace_is_given_no_other_memory_than_it_knows() -> None:
    function, v = tf.function(put), np.zeros(4)
    apart = function.get_concrete_function(v, v.copy())
    one = function.get_concrete_function(v, v)
    read = tf.function(lambda a, b: a + b).get_concrete_function(v, v)
    for concrete, arguments, words in [
        (apart, (v, v), "two arrays when it was traced, and are one now"),
        (apart, (v, v[::-1]), "share memory"),
        (one, (v, v.copy()), "one array when it was traced, and are two now"),
        (read, (v, v.copy()), "one array when it was traced, and are two now"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            concrete(*arguments)
    np.testing.assert_array_equal(v, 0.0)
    assert float(one(v, v)) == 5.0


def test_a_trace_in_a_trace() -> None:
    concrete = tf.function(put).get_concrete_function(np.zeros(4), np.zeros(4))

    def rows(m: Any) -> Any:
        return concrete(m[0], m[1]), concrete(m.ravel()[:4], m.ravel()[4:])

    m = np.zeros((2, 4))
    tf.function(rows)(m)
    assert m.tolist() == [[5.0, 0.0, 0.0, 0.0], [0.0] * 4]
    programs: list[Any] = [
        lambda a: concrete(a[:4], a[:4]), lambda a: concrete(a[1:], a[:-1]), lambda a: concrete(a[::-1][1:], a[1:]),
    ]  # fmt: skip
    for program in programs:
        with pytest.raises(TypeError, match="'a' and 'b' share memory in another way"):
            tf.function(program)(np.zeros(5))


def test_an_argument_that_the_function_captures_too() -> None:
    @tf.function
    def f(a: Any) -> Any:
        a[0] = 5.0
        return TABLE.sum() * 1

    f(np.zeros(4))
    try:
        assert float(f(TABLE)) == 5.0
        assert float(f(TABLE[1:])) == 10.0
        assert TABLE.tolist() == [5.0, 5.0, 0.0, 0.0]
    finally:
        TABLE[:] = 0.0


class Model:
    def __init__(self) -> None:
        self.u, self.v = np.zeros(3), np.ones(3)

    @tf.function
    def step(self, u: Any) -> None:
        u += self.v


def test_an_argument_that_is_an_attribute_too() -> None:
    model = Model()
    model.step(model.u)
    assert model.u.tolist() == [1.0] * 3
    model.step(model.v)
    assert model.v.tolist() == [2.0] * 3


def test_vectors_with_other_strides_are_copied_as_if_they_did_not_overlap() -> None:
    @tf.function
    def f(a: Any, b: Any) -> None:
        a[:] = b

    v = np.array([3.0, 1.0, 4.0, 1.5, -2.0, 0.5, 2.5, 0.0])
    wanted = v.copy()
    wanted[::2] = v[:4].copy()
    f(v[::2], v[:4])
    assert v.tolist() == wanted.tolist()
