"""Many threads that call, trace, clear and change Functions at the same moment, and traces that wait for threads."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import runtime as tf
from runtime.function import trace_lock

THREADS = 32
pytestmark = pytest.mark.filterwarnings(
    "ignore::runtime.errors.TraceEffectWarning", "ignore::runtime.errors.RetracingWarning"
)


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    """Threads take turns after a few instructions each."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], Any], threads: int = THREADS) -> list[Any]:
    """What `work(i)` gives in each of the threads, which start at the same moment."""
    ready = threading.Barrier(threads)

    def run(i: int) -> Any:
        ready.wait()
        return work(i)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


class Model(tf.Module):
    """Functions in Functions, with staged control flow, Variables and a number that is guarded."""

    def __init__(self, factor: int) -> None:
        self.factor = factor
        self.calls = tf.Variable(0)
        self.traced: list[Any] = []

    @tf.function
    def scaled(self, x: Any) -> Any:
        return x * self.factor

    @tf.function
    def step(self, x: Any, mode: str) -> Any:
        self.traced.append((mode, x.shape.as_list()))
        self.calls.assign_add(1)
        total = tf.zeros_like(x)
        for i in tf.range(3):
            if i % 2 == 0:
                total += self.scaled(x)
            else:
                total -= x
        return total if mode == "sum" else -total


def expected(value: int, size: int, factor: int, mode: str) -> list[int]:
    total = 2 * value * factor - value
    return [total if mode == "sum" else -total] * size


def test_one_trace_a_signature_and_no_mixed_graphs() -> None:
    model = Model(5)
    lock = threading.Lock()

    def work(i: int) -> int:
        draw = random.Random(i)
        for _ in range(6):
            size, value, mode = draw.randint(1, 3), draw.randint(-9, 9), draw.choice(["sum", "negative"])
            with lock if i % 2 else tf.name_scope("none"):
                result = model.step(tf.fill([size], value), mode)
            assert result.numpy().tolist() == expected(value, size, 5, mode)
        return 6

    assert sum(together(work)) == model.calls.numpy() == THREADS * 6
    signatures = {(mode, (size,)) for mode in ("sum", "negative") for size in (1, 2, 3)}
    assert sorted((mode, tuple(shape)) for mode, shape in model.traced) == sorted(signatures)
    assert model.step.experimental_get_tracing_count() == len(signatures)


def test_different_functions_are_traced_at_the_same_moment() -> None:
    models = [Model(i) for i in range(THREADS)]

    def work(i: int) -> None:
        for size in (1, 2):
            result = models[i].step(tf.fill([size], 3), "sum").numpy().tolist()
            assert result == expected(3, size, i, "sum")

    together(work)
    assert [model.step.experimental_get_tracing_count() for model in models] == [2] * THREADS
    assert [int(model.calls.numpy()) for model in models] == [2] * THREADS


def test_guards_are_traced_anew_once() -> None:
    model = Model(1)
    factors = (2, 3, 1, 2, 3)
    threads = 16
    meeting = threading.Barrier(threads)

    def work(i: int) -> None:
        for factor in factors:
            if meeting.wait() == 0:
                model.factor = factor
            meeting.wait()
            for size in (1, 2):
                found = model.step(tf.fill([size], i), "sum").numpy().tolist()
                assert found == expected(i, size, factor, "sum")

    together(work, threads)
    assert model.step.experimental_get_tracing_count() == 2 * len(set(factors))


class Thing:
    rate = 1.0


def test_what_another_thread_changes_while_a_function_is_traced_is_guarded() -> None:
    thing = Thing()
    thing.rate = 1.0

    @tf.function
    def f(x: Any) -> Any:
        y = x * thing.rate
        pool.submit(double, thing).result(timeout=20)
        return y

    with ThreadPoolExecutor(1) as pool:
        found = [f(tf.constant(1.0)).numpy() for _ in range(4)]
        assert found[0] in (1, 2, 4)
        assert found[1:] == [4, 4, 4]
        thing.rate = 7.0
        assert f(tf.constant(1.0)).numpy() == 7


def double(thing: Thing) -> None:
    if thing.rate < 4:
        thing.rate *= 2


def test_traces_are_cleared_while_others_call() -> None:
    model = Model(3)

    def work(i: int) -> int:
        if i % 8 == 0:
            for _ in range(3):
                model.step.cache_clear()
                model.scaled.cache_clear()
                time.sleep(0.002)
            return 0
        for k in range(4):
            size = 1 + (i + k) % 2
            assert model.step(tf.fill([size], k), "sum").numpy().tolist() == expected(k, size, 3, "sum")
        return 4

    assert sum(together(work)) == model.calls.numpy()
    info = model.step.cache_info()
    assert info.traces <= 2 <= info.made


def test_each_thread_makes_variables_of_its_own() -> None:
    def work(i: int) -> Any:
        class Counter:
            total: Any = None

            @tf.function
            def add(self, x: Any) -> Any:
                if self.total is None:
                    self.total = tf.Variable(i)
                return self.total.assign_add(x)

        counter = Counter()
        return [counter.add(tf.constant(1)).numpy() for _ in range(3)]

    assert together(work) == [[i + 1, i + 2, i + 3] for i in range(THREADS)]


# -- traces that wait for threads


def in_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(timeout=20)


@pytest.mark.parametrize("other", [[1, 2], 7], ids=["another signature", "the same signature"])
def test_a_trace_waits_for_a_thread_that_calls_the_function(other: Any) -> None:
    found = []
    outermost = threading.current_thread()

    @tf.function
    def f(x: Any) -> Any:
        if threading.current_thread() is outermost:
            found.append(in_thread(lambda: f(tf.constant(other))).numpy().tolist())
        return tf.where(x > 0, x + 1, x)

    assert f(tf.constant(1)).numpy() == 2
    assert found == [[2, 3] if other == [1, 2] else 8]
    assert f(tf.constant(other)).numpy().tolist() == found[0]
    assert f.experimental_get_tracing_count() == (2 if other == [1, 2] else 1)


def test_two_traces_that_wait_for_each_other() -> None:
    inside = threading.Barrier(2)
    vector = tf.TensorSpec([2], tf.int32)
    waited = set()

    def meet(me: str) -> None:
        if me not in waited:
            waited.add(me)
            inside.wait(timeout=20)

    @tf.function
    def f(x: Any) -> Any:
        if x.shape.rank == 0:
            meet("f")
            g.get_concrete_function(vector)
        return x + 1

    @tf.function
    def g(x: Any) -> Any:
        if x.shape.rank == 0:
            meet("g")
            f.get_concrete_function(vector)
        return x + 2

    assert together(lambda i: (f, g)[i](tf.constant(1)).numpy(), 2) == [2, 3]
    assert [f(tf.constant([1, 2])).numpy().tolist(), g(tf.constant([1, 2])).numpy().tolist()] == [[2, 3], [3, 4]]
    assert (f.experimental_get_tracing_count(), g.experimental_get_tracing_count()) == (2, 2)


def test_a_long_trace_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_lock, "STANDS_STILL", 0.3)
    traced = []

    @tf.function
    def f(x: Any) -> Any:
        traced.append(1)
        end = time.thread_time() + 0.5
        while time.thread_time() < end:
            pass
        return x + 1

    assert together(lambda i: f(tf.constant(i)).numpy(), 4) == [1, 2, 3, 4]
    assert len(traced) == 1
