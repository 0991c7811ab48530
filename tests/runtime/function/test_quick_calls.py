"""The short way to a trace leads to the trace that the long way finds, whatever came before."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.function import function, quick_calls
from runtime.function.quick_calls import quick_key


class Text(str):
    __slots__ = ()


A, B, WIDE = tf.constant([1.0, 2.0]), tf.constant([3, 4]), tf.constant([1.0, 2.0, 3.0])
CALLS: list[tuple[Any, ...]] = [
    (A,), (B,), (WIDE,), (A, B), (B, A),
    ({"w": A, "b": B},), ({"b": B, "w": A},), ({"w": B, "b": A},), ({"w": A},), ({"w": WIDE, "b": B},),
    ({Text("w"): A},), ({1: A},), ({True: A},), ({1.0: A},), ({},), ({"w": {"b": A}},), ({"w": 1.0, "b": A},),
    ([A, B],), ((A, B),), ([A],), ([A, [B]],), ([],), ((),),
    (A, 1), (A, True), (A, 1.0), (A, None), (A, "1"), (A, b"1"), (A, 0.0), (A, -0.0), (A, Text("1")), (1, A), ("x",),
    ((1, 2), A), ((1, 2.0), A), ((True, 2), A), ((0.0,), A), ((-0.0,), A), ((1, A),), ((A, 1),), ((Text("1"),), A),
    ([1, 2], A), (A, [A, B]), ({"w": A}, {"w": A}), (A, {"w": A}), ({"w": A}, A), ([A], B),
]  # fmt: skip


def described(*args):
    """What a trace sees of its arguments, as a text that is fixed when it is traced; and a sum that is not."""
    seen = repr(tf.nest.map_structure(lambda leaf: leaf.dtype.name if tf.is_tensor(leaf) else (type(leaf), leaf), args))
    keys = [[(type(key), key) for key in value] for value in args if isinstance(value, dict)]
    total = tf.constant(0.0)
    for leaf in tf.nest.flatten(args):
        if tf.is_tensor(leaf):
            total = total + tf.reduce_sum(tf.cast(leaf, tf.float32) ** 2.0)
    return tf.constant(f"{seen} {sorted(map(repr, keys))}"), total


def answers(order: list[int]) -> list[tuple[bytes, float, int]]:
    function = tf.function(described, autograph=False)
    found = []
    for number in order:
        text, total = function(*CALLS[number])
        found.append((text.numpy(), float(total), function.experimental_get_tracing_count()))
    return found


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize("seed", range(5))
def test_both_ways_find_the_same_traces(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    order = random.Random(seed).choices(range(len(CALLS)), k=3 * len(CALLS))
    short = answers(order)
    monkeypatch.setattr(function, "OFTEN", 1)
    assert short == answers(order)

    def none(args: Any, open_numbers: bool = False) -> Any:
        raise TypeError

    monkeypatch.setattr(quick_calls, "quick_key", none)
    assert short == answers(order)


def test_the_short_way_is_taken() -> None:
    for call in [({"w": A, "b": B}, [A, B], 3), (A, "text"), ((A,),)]:
        function = tf.function(described, autograph=False)
        function(*call)
        assert quick_key(call)[0] in function._quick


def test_dicts_in_another_order_have_traces_of_their_own() -> None:
    function = tf.function(lambda d: [value * 2.0 for value in d.values()], autograph=False)
    for given in [{"w": 1.0, "b": 5.0}, {"b": 5.0, "w": 1.0}, {"w": 2.0, "b": 3.0}, {"b": 3.0, "w": 2.0}] * 2:
        made = function({key: tf.constant(value) for key, value in given.items()})
        assert [float(value) for value in made] == [value * 2 for value in given.values()]
    assert function.experimental_get_tracing_count() == 2


def test_a_changed_global_is_seen_on_the_short_way() -> None:
    scale = 2.0
    function = tf.function(lambda d: d["w"] * scale, autograph=False)
    assert [float(function({"w": tf.constant(3.0)})) for _ in range(3)] == [6.0] * 3
    scale = 5.0
    assert float(function({"w": tf.constant(3.0)})) == 15.0


def bump(a, b, scale=1.0):
    a[0] = a[0] + b[1] * scale
    return a, b


X = np.arange(4.0)
LAYOUTS = [
    lambda: (np.arange(4.0), np.arange(4.0)), lambda: (np.arange(4.0),) * 2, lambda: (np.arange(4.0)[::-1], np.ones(4)),
    lambda: (lambda m: (m[1:], m[:-1]))(np.arange(5.0)), lambda: (lambda m: (m[2:], m[:2]))(np.arange(4.0)),
    lambda: (np.arange(4.0), np.arange(4)), lambda: (np.arange(4.0), np.ones(3)), lambda: (np.arange(4.0), X),
    lambda: (np.arange(4.0), np.arange(4.0).astype(">f8")), lambda: (np.arange(4, dtype=np.float32), np.ones(2)),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize("seed", range(5))
def test_arrays_on_the_short_way(seed: int) -> None:
    function = tf.function(bump)
    for number in random.Random(seed).choices(range(len(LAYOUTS)), k=40):
        for scale in ((), (0.5,), (2.5,), (np.float64(0.0),)):
            wanted, given = LAYOUTS[number](), LAYOUTS[number]()
            results = function(*given, *scale)
            for result, array, now in zip(bump(*wanted, *scale), given, results, strict=True):
                np.testing.assert_array_equal(array, result)
                np.testing.assert_array_equal(now, result)
                assert array.dtype == result.dtype
                assert np.shares_memory(now.numpy(), array) is False


def test_the_short_way_is_taken_for_arrays() -> None:
    for call in [(np.arange(3.0),), (np.arange(3.0), np.ones(2), 2, 0.5), (np.arange(3.0), A)]:
        function = tf.function(lambda a, *rest: (a.__setitem__(0, 7.0), rest[:1]))
        function(*call)
        assert quick_key(call)[0] in function._quick
        call[0][0] = 1.0
        function(*call)
        assert call[0][0] == 7.0


def test_results_show_nothing_of_the_arrays_of_the_caller() -> None:
    def swapped(a, b):
        a[:], b[:] = b.copy(), a.copy()
        return a, b[1:], b

    for program in (swapped, lambda a, b: (a, a.T, b.reshape(3, 1)), lambda a, b: np.where(len(a) > 2, a, b)):
        function = tf.function(program)
        for _ in range(3):
            given, wanted = [np.arange(3.0), np.ones(3)], [np.arange(3.0), np.ones(3)]
            results, expected = function(*given), program(*wanted)
            for one, other in zip(tf.nest.flatten((results, given)), tf.nest.flatten((expected, wanted)), strict=True):
                np.testing.assert_array_equal(one, other)
            for result in tf.nest.flatten(results):
                assert not any(np.shares_memory(result.numpy(), array) for array in given)


def test_what_raises_leaves_arrays_as_they_were() -> None:
    @tf.function
    def f(a, n):
        a[0] = 5.0
        assert n > 0
        return a

    a = np.zeros(2)
    for _ in range(2):
        with pytest.raises(AssertionError):
            f(a, A[0] * -1.0)
        assert a[0] == 0.0
    f(a, A[0])
    assert a[0] == 5.0


def test_an_array_that_is_captured_and_given_is_one_in_each_call() -> None:
    held = np.zeros(2)
    function = tf.function(lambda a: (a.__setitem__(0, a[0] + 1.0), held[0] * 2.0)[1])
    for i in range(1, 4):
        assert function(held).numpy() == 2.0 * i
        assert function(np.ones(2)).numpy() == 2.0 * i
    assert held[0] == 3.0


def test_variables_are_read_with_arrays() -> None:
    v = tf.Variable(1.0, dtype=tf.float64)
    function = tf.function(lambda a: (v.assign_add(1.0), a * v)[1])
    assert [function(np.ones(1)).numpy()[0] for _ in range(4)] == [2.0, 3.0, 4.0, 5.0]
