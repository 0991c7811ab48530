"""Many threads on one Function, and many Functions that come and go."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import runtime as tf

THREADS = 32
ROOT = Path(__file__).resolve().parents[3]


def test_threads_share_one_trace_a_signature() -> None:
    traced: list[str] = []
    ready = threading.Barrier(THREADS)

    @tf.function
    def collatz(x: Any) -> Any:
        traced.append(str(x.shape))
        steps = tf.zeros_like(x)
        while tf.reduce_any(x > 1):
            if tf.reduce_all(x > 0):
                steps += tf.cast(x > 1, tf.int32)
            x = tf.where(x % 2 == 0, x // 2, tf.where(x > 1, 3 * x + 1, x))
        return steps

    def call(i: int) -> Any:
        size = 1 + i % 4
        ready.wait()
        return [collatz(tf.fill([size], value)).numpy().tolist() for value in (6, 7, 6)], size

    with ThreadPoolExecutor(THREADS) as pool:
        for result, size in pool.map(call, range(THREADS)):
            assert result == [[8] * size, [16] * size, [8] * size]
    assert sorted(traced) == ["(1,)", "(2,)", "(3,)", "(4,)"]


def test_threads_trace_different_functions_at_the_same_time() -> None:
    ready = threading.Barrier(8)

    def call(i: int) -> Any:
        @tf.function
        def climb(n: Any) -> Any:
            total = i
            for k in range(n):
                if k % 2 == 0:
                    total += k
            return total

        ready.wait()
        return climb(tf.constant(10)).numpy()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(8))) == [i + 20 for i in range(8)]


def test_threads_bind_one_function_to_an_instance() -> None:
    class Model:
        traced = 0

        @tf.function
        def step(self, x: Any) -> Any:
            type(self).traced += 1
            return x + 1

    model = Model()
    ready = threading.Barrier(THREADS)

    def call(i: int) -> Any:
        ready.wait()
        return model.step(tf.constant(i)).numpy()

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(call, range(THREADS))) == list(range(1, THREADS + 1))
    assert Model.traced == 1


def test_tasks_do_not_see_each_others_traces() -> None:
    async def main() -> Any:
        async def call(i: int) -> Any:
            f = tf.function(lambda x: x + i if x > 0 else x)
            await asyncio.sleep(0)
            assert tf.executing_eagerly()
            return f(tf.constant(1)).numpy()

        return await asyncio.gather(*map(call, range(5)))

    assert asyncio.run(main()) == [1, 2, 3, 4, 5]


def make(i: int) -> Any:
    offset = tf.constant(i)

    class Model:
        @tf.function
        def step(self, x: Any) -> Any:
            total = offset
            while x > 0:
                if x % 2 == 0:
                    total += x
                x -= 1
            return total

    model = Model()
    assert model.step(tf.constant(4)).numpy() == i + 6

    @tf.function
    def free(x: Any) -> Any:
        return model.step(x) if x > 0 else x

    assert free(tf.constant(2)).numpy() == i + 2
    return [weakref.ref(o) for o in (Model, model, Model.step, free, free.get_concrete_function(tf.constant(2)).graph)]


def what_is_left(first: int, count: int) -> dict[str, int]:
    """What is left of `count` rounds of `make`, after `first` others that fill what is meant to stay."""
    for i in range(first):
        make(i)
    gc.collect()
    gc.freeze()  # what collections have to walk from now on is what is made from now on
    modules, blocks = len(sys.modules), sys.getallocatedblocks()
    alive = 0
    for i in range(count):
        references = make(i)
        gc.collect()
        alive += sum(reference() is not None for reference in references)
    del references
    gc.collect()
    return {
        "alive": alive, "modules": len(sys.modules) - modules, "blocks": sys.getallocatedblocks() - blocks
    }  # fmt: skip


def test_functions_that_are_dropped_leave_nothing() -> None:
    # In a process of its own: threads of the test runner, and what other tests have left, take and give memory too.
    program = f"import json; from {__name__} import what_is_left; print(json.dumps(what_is_left(60, 40)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    left = json.loads(done.stdout.splitlines()[-1])
    assert (left["alive"], left["modules"]) == (0, 0)
    # Python's tables of weak references to classes go on growing for some hundred rounds; a Function has 350 blocks.
    assert left["blocks"] < 40 * 20, left


def test_a_thousand_functions() -> None:
    gc.collect()
    modules = len(sys.modules)
    references = []
    for i in range(1000):
        f = tf.function(lambda x: x + i, autograph=False)
        assert f(tf.constant(1)).numpy() == i + 1
        references.append(weakref.ref(f))
        del f
    gc.collect()
    assert not any(r() for r in references)
    assert len(sys.modules) == modules


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_traces_of_many_objects_do_not_add_up() -> None:
    class Thing:
        pass

    f = tf.function(lambda thing, x: x + 1)
    for _ in range(200):
        assert f(Thing(), tf.constant(1)).numpy() == 2
    assert len(f.pretty_printed_concrete_signatures().split("\n\n")) <= 2
