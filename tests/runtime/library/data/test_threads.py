"""Threads of pipelines: they overlap, they end, their errors surface at the consumer with the user's line."""

from __future__ import annotations

import gc
import threading
import time
import traceback
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import AUTOTUNE, Dataset
from tests.runtime.library.data.comparing import elements

SPEC = tf.TensorSpec([], tf.int64)


def ours() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("runtime.data")]


def await_no_threads() -> None:
    gc.collect()
    end = time.monotonic() + 5
    while ours() and time.monotonic() < end:
        time.sleep(0.005)
    assert ours() == []


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Any:
    yield
    await_no_threads()


@pytest.mark.parametrize("size", [1, 2, 100, AUTOTUNE])
def test_prefetch_changes_nothing_but_the_time(size: int) -> None:
    assert elements(Dataset.range(50).map(lambda x: x * 2).prefetch(size)) == list(range(0, 100, 2))
    assert elements(Dataset.range(50).prefetch(size).batch(7)) == elements(Dataset.range(50).batch(7))


def test_prefetch_makes_elements_while_the_consumer_works() -> None:
    """Each side waits for the other: this can only end if both run at the same time."""
    made, used = [threading.Event() for _ in range(3)], [threading.Event() for _ in range(3)]

    def source() -> Any:
        for i in range(3):
            if i:
                assert used[i - 1].wait(5)
            made[i].set()
            yield i

    iterator = iter(Dataset.from_generator(source, output_signature=SPEC).prefetch(2))
    for i in range(3):
        assert int(next(iterator)) == i
        used[i].set()
        assert i == 2 or made[i + 1].wait(5), "nothing is made ahead"


def test_prefetch_stays_within_its_buffer() -> None:
    calls: list[int] = []

    def source() -> Any:
        for i in range(100):
            calls.append(i)
            yield i

    iterator = iter(Dataset.from_generator(source, output_signature=SPEC).prefetch(3))
    next(iterator)
    time.sleep(0.05)
    assert len(calls) <= 5


@pytest.mark.parametrize("calls", [2, 4, AUTOTUNE])
def test_parallel_calls_keep_the_order(calls: int) -> None:
    def slow(x: Any) -> Any:
        time.sleep(0.002 * (x % 3 == 0))
        return np.int64(x + 1)

    dataset = Dataset.range(20).map(lambda x: tf.numpy_function(slow, [x], tf.int64), num_parallel_calls=calls)
    assert elements(dataset) == list(range(1, 21))


def test_parallel_calls_run_at_the_same_time() -> None:
    barrier = threading.Barrier(3, timeout=5)

    def meet(x: Any) -> Any:
        barrier.wait()
        return x

    dataset = Dataset.range(6).map(lambda x: tf.numpy_function(meet, [x], tf.int64), num_parallel_calls=3)
    assert elements(dataset) == list(range(6))


def failing(x: Any) -> Any:
    if x == 2:
        raise KeyError("lost")  # the line that is wanted
    return x


@pytest.mark.parametrize("parallel", [None, 3])
@pytest.mark.parametrize("ahead", [0, 2])
def test_an_error_surfaces_in_its_place_with_the_users_line(parallel: int | None, ahead: int) -> None:
    dataset = Dataset.range(5).map(lambda x: tf.numpy_function(failing, [x], tf.int64), parallel).prefetch(ahead)
    iterator = iter(dataset)
    assert [int(next(iterator)), int(next(iterator))] == [0, 1]
    with pytest.raises(KeyError, match="lost") as error:
        next(iterator)
    text = "".join(traceback.format_exception(error.value))
    assert "the line that is wanted" in text
    assert "test_threads.py" in text
    assert [int(next(iterator)), int(next(iterator))] == [3, 4], "the other elements come all the same"


def test_what_ends_the_program_is_no_exception_to_that() -> None:
    def generator() -> Any:
        yield 1
        raise SystemExit("enough")

    iterator = iter(Dataset.from_generator(generator, output_signature=tf.TensorSpec([], tf.int32)).prefetch(2))
    assert int(next(iterator)) == 1
    with pytest.raises(SystemExit, match="enough"):
        next(iterator)


def test_an_error_of_an_operation_names_the_users_line() -> None:
    iterator = iter(Dataset.range(-1, 3).map(lambda x: 6 // x).prefetch(2))
    assert int(next(iterator)) == -6
    with pytest.raises(ZeroDivisionError) as error:
        next(iterator)
    assert any("test_threads.py" in note for note in error.value.__notes__)
    assert [int(x) for x in iterator] == [6, 3]


@pytest.mark.parametrize(
    "step",
    [
        lambda d: d.prefetch(2),
        lambda d: d.map(lambda x: tf.numpy_function(lambda v: v, [x], tf.int64), num_parallel_calls=3),
        lambda d: d.interleave(lambda x: Dataset.from_tensors(x).repeat(), 2, num_parallel_calls=2),
        lambda d: d.prefetch(2).map(lambda x: x + 1).prefetch(3).batch(2),
        lambda d: Dataset.zip((d.prefetch(1), d.prefetch(2))),
        lambda d: d.prefetch(1).repeat().shuffle(3).take(100),
    ],
)
def test_an_iterator_that_is_left_leaves_no_thread(step: Any) -> None:
    iterator = iter(step(Dataset.counter()))
    next(iterator)
    assert ours()
    del iterator
    await_no_threads()
    for _ in step(Dataset.counter()):
        break
    await_no_threads()


def test_a_generator_that_a_thread_is_at_work_on_is_closed_afterwards() -> None:
    closed, working, going = threading.Event(), threading.Event(), threading.Event()

    def slow() -> Any:
        try:
            yield 0
            working.set()
            assert going.wait(5)
            yield 1
        finally:
            closed.set()

    def inner(x: Any) -> Any:
        return Dataset.from_generator(slow, output_signature=SPEC)

    iterator = iter(Dataset.range(1).interleave(inner, 1, num_parallel_calls=1))
    assert int(next(iterator)) == 0
    assert working.wait(5)
    del iterator
    gc.collect()
    going.set()
    assert closed.wait(5)


@pytest.mark.parametrize("calls", [None, 2])
def test_errors_among_interleaved_elements(calls: int | None) -> None:
    dataset = Dataset.range(2).interleave(
        lambda x: Dataset.range(-1, 2).map(lambda y: 6 // y + x * 100), 2, num_parallel_calls=calls
    )
    found: list[Any] = []
    iterator = iter(dataset)
    while True:
        try:
            found.append(int(next(iterator)))
        except ZeroDivisionError:
            found.append("error")
        except StopIteration:
            break
    assert found == [-6, 94, "error", "error", 6, 106]


def test_a_pass_to_the_end_leaves_no_thread() -> None:
    iterator = iter(Dataset.range(3).prefetch(2))
    assert [int(x) for x in iterator] == [0, 1, 2]
    end = time.monotonic() + 5
    while ours() and time.monotonic() < end:
        time.sleep(0.005)
    assert ours() == []


def test_threads_may_share_an_iterator() -> None:
    iterator = iter(Dataset.range(2000).map(lambda x: x * 2))
    found: list[int] = []

    def take() -> None:
        mine = [int(x) for x in iterator]
        found.extend(mine)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(0, 4000, 2))


def test_threads_may_share_a_function_that_takes_datasets() -> None:
    @tf.function
    def total(dataset: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in dataset.prefetch(2):
            s += x
        return s

    results: list[int] = []
    threads = [threading.Thread(target=lambda n=n: results.append((n, int(total(Dataset.range(n)))))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [(n, n * (n - 1) // 2) for n in range(8)]
