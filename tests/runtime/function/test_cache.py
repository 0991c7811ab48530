"""How traces are kept: once for each type in any number of threads, none for failures, nothing left behind."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any
from unittest import mock

import numpy as np
import pytest

import runtime as tf
from runtime.function import cache

t = tf.constant


def in_threads(count: int, work: Any) -> list[BaseException]:
    """Runs `work(i)` in threads that start together; returns what they raised."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run(i: int) -> None:
        try:
            start.wait()
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return errors


def test_threads_trace_each_type_once() -> None:
    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(x.dtype)
        time.sleep(0.02)  # lets the other threads come while the trace is being made
        return x + 1 if x > 0 else -x

    results: dict[int, Any] = {}

    def work(i: int) -> None:
        results[i] = [f(t(i) if i % 2 else t(float(-i))).numpy() for _ in range(3)]

    assert in_threads(16, work) == []
    assert sorted(d.name for d in seen) == ["float32", "int32"]
    assert all(results[i] == [i + 1 if i % 2 else i] * 3 for i in range(16))


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_threads_with_functions_that_call_each_other() -> None:
    @tf.function
    def even(n: int, x: Any) -> Any:
        return x if n == 0 else odd(n - 1, x) + 1

    @tf.function
    def odd(n: int, x: Any) -> Any:
        return x if n == 0 else even(n - 1, x) + 2

    def work(i: int) -> None:
        for n in range(6):
            made = (odd, even)[i % 2](n, t(10))
            assert made.numpy() == 10 + sum((1 + (k + i + 1) % 2) for k in range(n))

    assert in_threads(8, work) == []


def test_threads_trace_into_graphs_of_their_own() -> None:
    def work(i: int) -> None:
        @tf.function
        def f(x: Any) -> Any:
            for _ in range(20):
                x = x + i
                time.sleep(0.0005)
            return x

        assert f(t(0)).numpy() == 20 * i
        assert len(f.get_concrete_function(t(0)).graph.operations) <= 42

    assert in_threads(8, work) == []


@pytest.mark.parametrize("error", [KeyError("boom"), KeyboardInterrupt(), ZeroDivisionError("x"), RecursionError("r")])
def test_failing_trace_leaves_nothing_behind(error: BaseException) -> None:
    broken = [True]

    @tf.function
    def f(x: Any) -> Any:
        y = x + 1
        if broken[0]:
            raise error
        return y

    for _ in range(2):
        with pytest.raises(type(error)) as caught:
            f(t(1))
        assert caught.value is error
        assert tf.executing_eagerly()
        assert f.experimental_get_tracing_count() == 0
    broken[0] = False
    assert f(t(1)).numpy() == 2
    assert f.experimental_get_tracing_count() == 1


def test_run_that_fails_keeps_the_trace() -> None:
    @tf.function
    def f(x: Any) -> Any:
        assert x > 0, "positive"
        return x

    assert f(t(1)).numpy() == 1
    with pytest.raises(AssertionError, match="positive"):
        f(t(-1))
    assert f(t(2)).numpy() == 2
    assert f.experimental_get_tracing_count() == 1


def test_object_that_looks_like_a_tensor_inside_is_not_taken_for_one() -> None:
    class Wrapper:
        _array = np.zeros((), np.float32)

    @tf.function
    def is_wrapped(x: Any) -> Any:
        return isinstance(x, Wrapper)

    kept = Wrapper()
    assert [is_wrapped(v).numpy().item() for v in (t(1.0), t(1.0), kept, t(1.0), kept)] == [
        False, False, True, False, True,
    ]  # fmt: skip


def test_object_that_answers_every_attribute() -> None:
    magic = mock.MagicMock()
    magic.scale = 3
    scaled = tf.function(lambda thing, x: x * thing.scale)
    assert [scaled(magic, t(v)).numpy() for v in (1, 2)] == [3, 6]
    assert scaled.experimental_get_tracing_count() == 1


def test_method_that_is_a_function_as_an_argument() -> None:
    class Model:
        def __init__(self, weight: int) -> None:
            self.weight = weight

        @tf.function
        def step(self, x: Any) -> Any:
            return x * self.weight

    seen = []

    @tf.function
    def run(step: Any, x: Any) -> Any:
        seen.append(step)
        return step(x) + 1

    two, three = Model(2), Model(3)
    assert [run(m.step, t(5)).numpy() for m in (two, three, two, three)] == [11, 16, 11, 16]
    assert len(seen) == 2


def test_frozen_sets_and_slices_count_by_their_parts() -> None:
    seen = []

    @tf.function
    def f(x: Any) -> int:
        seen.append(x)
        return 0

    for value in (frozenset({1, 2}), frozenset({2, 1}), frozenset({1.0, 2}), slice(1), slice(0, 1), slice(None, 1)):
        f(value)
    assert seen == [frozenset({1, 2}), frozenset({1.0, 2}), slice(1), slice(0, 1)]
    with pytest.raises(TypeError, match="argument 'x' of type slice cannot be hashed"):
        f(slice(t(1), None))


def test_structure_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="contains itself"):
        tf.function(lambda x: 0)(endless)


def shapes_seen(function: Any, *shapes: list[int]) -> list[str]:
    return [function(tf.zeros(shape)).numpy().decode() for shape in shapes]


def test_reduce_retracing_leaves_open_what_differs() -> None:
    @tf.function(reduce_retracing=True)
    def shape_of(x: Any) -> Any:
        return str(x.shape)

    assert shapes_seen(shape_of, [2, 3], [2, 4], [2, 5], [3, 3], [2, 3], [1, 1], [4], [5, 6, 7], [2, 9]) == [
        "(2, 3)", "(2, None)", "(2, None)", "(None, None)", "(2, 3)", "(None, None)", "<unknown>", "<unknown>",
        "(2, None)",
    ]  # fmt: skip
    assert shape_of.experimental_get_tracing_count() == 4
    assert shape_of(tf.zeros([2, 3], tf.int32)).numpy() == b"(2, 3)", "dtypes are never mixed"


def test_reduce_retracing_in_structures_and_beside_python_values() -> None:
    seen = []

    @tf.function(reduce_retracing=True)
    def f(pair: Any, flag: bool) -> Any:
        seen.append((str(pair["a"].shape), str(pair["b"].shape), flag))
        return pair["a"] + tf.reduce_sum(pair["b"])

    for n, flag in ((1, True), (2, True), (3, True), (4, False), (5, False), (6, False)):
        assert f({"a": t([1.0]), "b": tf.ones([n])}, flag).numpy() == [1 + n]
    assert seen == [
        ("(1,)", "(1,)", True), ("(1,)", "(None,)", True), ("(1,)", "(4,)", False), ("(1,)", "(None,)", False),
    ]  # fmt: skip


def test_remembered_short_ways_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "REMEMBERED", 8)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def total(x: Any) -> Any:
        return tf.reduce_sum(x)

    for n in range(1, 60):
        assert total(tf.ones([n], tf.int32)).numpy() == n
        assert len(total._traces.quick) <= 8 and len(total._traces._served) <= 8
    assert total.experimental_get_tracing_count() == 1


def test_rounds_of_create_trace_call_and_delete_leave_nothing() -> None:
    class Model:
        @tf.function
        def step(self, x: Any) -> Any:
            return x + 1

    def one_round() -> None:
        table = t([1.0, 2.0])

        @tf.function
        def f(x: Any, n: int) -> Any:
            if x > 0:
                return x * n + table
            return -x + table

        f(t(1.0), 2)
        f(t(-1.0), 2)
        assert Model().step(t(1)).numpy() == 2

    def objects() -> int:
        gc.collect()
        return len(gc.get_objects())

    for _ in range(20):
        one_round()
    before = objects()
    for _ in range(200):
        one_round()
    assert objects() - before < 200, "less than one object a round"
    assert len(Model.step._bound) == 0


def test_traces_are_dropped_while_other_threads_call() -> None:
    rate = tf.Variable(3)

    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            return x * rate
        return -x

    def work(i: int) -> None:
        for n in range(30):
            if i == 0:
                f.cache_clear()
            else:
                assert f(t(n)).numpy() == 3 * n
                assert f(t(-n)).numpy() == n

    assert in_threads(6, work) == []
    assert f.cache_info().traces <= 1
    f.cache_clear()
    assert f.cache_info().traces == 0 and f(t(2)).numpy() == 6
