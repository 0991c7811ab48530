"""Short calls hold no more than they need, in any thread, and are those of Python where machine code fails."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import runtime as tf
from runtime.engine import short_calls
from runtime.engine.short_calls import MISSED, in_python
from tests.runtime.function.short_ways import is_short, often

RATE = 2.0
T = tf.constant([1.0, 2.0])


def test_references_come_and_go(maker: str) -> None:
    function, x = tf.function(lambda x, y: (x + y, x)), np.arange(2.0)
    single = tf.function(lambda x: x + 1)
    often(function, T, T), often(single, x), often(single, T)
    held = (T, T._array, x, MISSED, T._array.dtype, function._traces.short)
    gc.collect()
    before = [sys.getrefcount(each) for each in held]
    for _ in range(1000):
        function(T, T), single(T), single(x), function._traces.short((x,)), function._traces.short((T, x))
    gc.collect()
    assert all(abs(sys.getrefcount(each) - was) < 20 for each, was in zip(held, before, strict=True))


def test_nothing_is_kept_alive_by_it(maker: str) -> None:
    class Model:
        def __init__(self) -> None:
            self.rate = 2.0

        @tf.function
        def step(self, x):
            return x * self.rate

    def is_gone() -> bool:
        gc.collect()
        return found() is None and argument() is None

    model, x = Model(), np.arange(2.0)
    step = model.step
    often(step, x)
    assert is_short(step, maker, x)
    found, argument = weakref.ref(model), weakref.ref(x)
    del model, x, step
    assert is_gone()


def test_threads(maker: str) -> None:
    function, wrong = tf.function(lambda x: x * RATE), []

    def work(number: float) -> None:
        x = tf.constant([number] * (1 + int(number) % 3))
        for _ in range(200):
            if not np.array_equal(function(x).numpy(), x.numpy() * 2):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(float(i),)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_where_the_machine_code_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = pytest.importorskip("runtime.native.caller")

    def fails() -> None:
        raise RuntimeError("no such processor")

    monkeypatch.setattr(caller, "_code", fails)
    monkeypatch.setattr(short_calls, "_maker", caller.short_call)
    function = tf.function(lambda x: x + 1)
    assert often(function, T).numpy().tolist() == [2, 3] and is_short(function, "function", T)
    assert short_calls._maker is in_python


@pytest.mark.parametrize("kind", [tuple, list])
def test_several_results_share_no_memory_with_the_callers_arrays(maker: str, kind: type) -> None:
    function, x, y = tf.function(lambda x, y: kind((x + y, x, y[1:], y * 2))), np.arange(3.0), np.ones(3)
    results = often(function, x, y)
    assert is_short(function, maker, x, y) and type(results) is kind
    assert not any(np.shares_memory(r.numpy(), a) for r in results for a in (x, y))
    x[:] = y[:] = 9
    assert [r.numpy().tolist() for r in results] == [[1, 2, 3], [0, 1, 2], [1, 1], [2, 2, 2]]
    held = x, y, MISSED
    before = [sys.getrefcount(each) for each in held]
    for _ in range(500):
        function(x, y)
    assert [sys.getrefcount(each) for each in held] == before
