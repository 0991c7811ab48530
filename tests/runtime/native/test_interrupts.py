"""Signals at any moment: what they leave is as it was, or as it is to be, and the next run is right."""

import signal
import time

import numpy as np
import pytest

import runtime as tf

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")


class Stop(Exception):
    """What the signal raises."""


def sieve(prime, n):
    for i in range(2, n):
        if prime[i]:
            j = i * i
            while j < n:
                prime[j] = 0
                j += i
    return prime


def swapped(x, n):
    y = x * 0.5
    for _ in range(n):
        for i in range(1, len(x) - 1):
            y[i] = 0.25 * (x[i - 1] + 2.0 * x[i] + x[i + 1])
        x, y = y, x
    return x


def listed(x, n):
    found = []
    for i in range(n):
        found.append(x[i % 100] * i)
        if i % 3 == 2:
            found[i // 2] = found[i] + 1.0
    total = 0.0
    for i in range(n):
        total += found[i]
    return total


def tree(x, n):
    def leaves(k):
        return x[k] if k < 2 else leaves(k - 1) + leaves(k - 2)

    return leaves(n)


def kernels(x, n):
    for _ in range(n):
        x = np.sort(np.abs(x * 0.75 - 0.25)) * 1.5 + 0.125
    return x


PROGRAMS = [
    (sieve, np.ones(300_000, np.int64), 300_000), (swapped, np.random.default_rng(0).uniform(size=3000), 3000),
    (listed, np.arange(100.0), 800_000), (tree, np.arange(40.0), 29),
    (kernels, np.random.default_rng(1).uniform(size=20_000), 8),
]  # fmt: skip


def stop(number, frame):
    raise Stop


def interrupted(run, x, n, wanted, delays):
    """Runs as often as there are delays, with a signal after each of them; returns how many runs it stopped."""
    stopped, before = 0, signal.signal(signal.SIGALRM, stop)
    try:
        for delay in delays:
            mine, count = x.copy(), tf.constant(n)
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                found = run(mine, count)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Stop:
                stopped += 1
                assert mine.tobytes() in (x.tobytes(), wanted[1].tobytes())
                continue
            np.testing.assert_array_equal(np.asarray(found), wanted[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return stopped


def check(function, x, n, times):
    run = tf.function(function, backend="native")
    run(x.copy(), tf.constant(n))
    mine = x.copy()
    start = time.perf_counter()
    wanted = np.asarray(run(mine, tf.constant(n))), mine
    (region, *_) = run.get_concrete_function(mine, tf.constant(n)).plan.regions
    taken = time.perf_counter() - start
    delays = np.random.default_rng(2).uniform(1e-5, taken, times)
    assert interrupted(run, x, n, wanted, delays) > 0
    assert region.given_up == 0
    last = x.copy()
    np.testing.assert_array_equal(np.asarray(run(last, tf.constant(n))), wanted[0])


@pytest.mark.parametrize(("function", "x", "n"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_signals_at_some_moments(function, x, n):
    check(function, x, n, 12)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "x", "n"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_signals_at_many_moments(function, x, n):
    check(function, x, n, 1000)
