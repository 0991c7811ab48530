"""Loops that count, in strips of turns: the results of Python at the ends of strips, and near the limits of 64 bits."""

import functools
import signal
import time

import numpy as np
import pytest

import runtime as tf

STRIP = 1 << 20
FAR = 1 << 62
TOP = (1 << 63) - 1


@functools.cache
def staged_of(function):
    return tf.function(function, backend="native")


def run(function, *numbers):
    """The result, and whether machine code came to its end."""
    staged = staged_of(function)
    given = [tf.constant(n, tf.int64) if isinstance(n, int) else n for n in numbers]
    (region,) = staged.get_concrete_function(*given).plan.regions
    before = region.given_up
    return np.asarray(staged(*given)).tolist(), region.given_up == before


def turns_of(start, stop, step):
    count = 0
    while start < stop:
        count += 1
        start += step
    return count


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000, STRIP, 3 * STRIP])
@pytest.mark.parametrize("turns", [0, 1, 2, STRIP - 1, STRIP, STRIP + 1, 2 * STRIP + 5])
def test_turns_in_strips(step, turns):
    for stop in (step * turns, step * turns - 1, -5):
        wanted = max(0, -(-stop // step))
        assert run(turns_of, 0, stop, step) == (wanted, True)
        assert run(turns_of, -FAR, -FAR + stop, step) == (wanted, True)


@pytest.mark.parametrize("step", [1, 3])
def test_a_step_that_is_known(step):
    def count(start, stop):
        turns = 0
        while start < stop:
            turns += 1
            start += step
        return turns

    for turns in (0, 1, STRIP, STRIP + 1, 2 * STRIP + 1):
        assert run(count, 0, step * turns) == (turns, True)


def test_a_limit_beyond_what_is_counted_to():
    found, by_machine_code = run(lambda a, b: turns_of(a, b, 1), TOP - 3, TOP)
    assert (found, by_machine_code) == (3, False)


@pytest.mark.parametrize("start", [0, FAR - 2, FAR + 2, TOP - 9, -FAR - 2, -TOP - 1])
def test_what_drifts_may_begin_anywhere(start):
    def drift(total, n):
        total = total + 0
        for i in range(n):
            total = total + 1 if i % 3 else total - 2
            if i == 1:
                total += 3
        return total

    assert run(drift, start, 9)[0] == start + 3


def test_what_drifts_over_the_end_of_64_bits():
    def drift(n):
        total = 9_223_372_036_854_775_800
        for i in range(n):
            if i >= 0:
                total += 1
        return total

    assert run(drift, 7)[0] == TOP
    with pytest.raises(tf.errors.IntegerRangeError):
        run(drift, 8)


def test_what_drifts_fast_is_tested_in_time():
    def drift(n):
        total, turns = 4_611_686_018_427_387_000, 0
        while turns != n:
            total += 1_000_000
            turns += 1
        return total

    assert run(drift, 3_000_000) == (4_611_686_018_427_387_000 + 3_000_000 * 1_000_000, False)


def test_a_sum_of_truths_drifts():
    def found(x):
        count = 0
        for i in range(len(x)):
            count += int(x[i] > 0.5)
        return count

    x = np.random.default_rng(0).uniform(size=10_000)
    assert run(found, x) == (int(np.sum(x > 0.5)), True)


@pytest.mark.parametrize("start", [0, 2, 11, FAR // 2, TOP // 4, -3])
def test_an_index_is_known_only_behind_where_it_was_one(start):
    def reads(x, j, n):
        total = 0
        for _ in range(n):
            if j < 8:
                x[j] += 1.0
            total = total ^ (j * 4)
            j = j + 5
        return total

    wanted = tf.function(reads, backend="numpy")(np.zeros(8), tf.constant(start, tf.int64), tf.constant(3, tf.int64))
    assert run(reads, np.zeros(8), start, 3) == (int(wanted), True)


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint8])
def test_an_index_of_any_dtype(dtype):
    def read(x, where, n):
        total = 0.0
        for i in range(n):
            total += x[where[i]]
        return total

    assert run(read, np.arange(10.0), np.array([0, 9, 5], dtype), 3) == (14.0, True)
    with pytest.raises((IndexError, tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError)):
        run(read, np.arange(10.0), np.array([0, 9, np.iinfo(dtype).max], dtype), 3)


def test_what_a_branch_finds_out_of_an_index_holds_in_it_alone():
    def grows(x, n):
        j = 2
        for _ in range(n):
            if j < 8:
                x[j] += 1.0
            j = j * 1000
        return j

    assert run(grows, np.zeros(8), 6) == (2 * 1000**6, True)
    with pytest.raises(tf.errors.IntegerRangeError):
        run(grows, np.zeros(8), 7)


def test_a_branch_gives_up_only_if_it_is_taken():
    def odd(n, m):
        total = 0
        for i in range(n):
            total = i * 4_611_686_018_427_387_904 if i % 2 == m else total + 1
        return total

    assert run(odd, 100, 2) == (100, True)


@pytest.mark.parametrize("step", [1, 3])
def test_signals_stop_a_steady_loop(step):
    def endless(n):
        total = 0.0
        for i in range(0, n, step):
            total = total * 0.5 + i
        return total

    staged = tf.function(endless, backend="native")
    staged(tf.constant(10, tf.int64))

    def stop(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)  # SIGINT may be ignored, as in jobs in the background of a shell
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.thread_time()
    try:
        with pytest.raises(KeyboardInterrupt):
            staged(tf.constant(1 << 50, tf.int64))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.thread_time() - start < 20
