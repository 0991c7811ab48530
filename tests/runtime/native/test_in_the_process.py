"""Machine code in the process: signals that stop it, threads at once, memory that is given back."""

import faulthandler
import gc
import resource
import signal
import threading
import time

import numpy as np
import pytest

import runtime as tf
from runtime.engine import short_calls
from runtime.native import caller


def native(function):
    return tf.function(function, backend="native")


def region_of(staged, *arguments):
    (region,) = staged.get_concrete_function(*arguments).plan.regions
    return region


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
def test_a_signal_stops_a_loop():
    @native
    def forever(x):
        while x > 0.0:
            x = x * 0.5 + 0.5
        return x

    def stop(number, frame):
        raise InterruptedError("enough")

    assert float(forever(tf.constant(-1.0))) == -1.0
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        start = time.perf_counter()
        with pytest.raises(InterruptedError, match="enough"):
            forever(tf.constant(1.0))
        assert time.perf_counter() - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert float(forever(tf.constant(-1.0))) == -1.0


def nested(x, n):
    while x > 0.0:
        for _ in range(n):
            x = x * 0.5 + 0.5
    return x


def tree(x, n):
    if n == 0:
        return x
    return tree(x, n - 1) + tree(x * 0.5, n - 1)


def of_arrays(x, n):
    a = np.ones((400, 400))
    while x > 0.0:
        a = a @ a * 0.0025
    return a[0, 0]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
@pytest.mark.parametrize(("function", "n"), [(nested, 1_000_000), (tree, 60), (of_arrays, 0)])
def test_a_signal_stops_what_has_no_long_loop_of_numbers(function, n):
    staged = native(function)
    n, go = tf.constant(n), tf.constant(1.0, tf.float64)
    assert staged.get_concrete_function(go, n).plan.regions

    def stop(number, frame):
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGALRM, stop)
    faulthandler.dump_traceback_later(120, exit=True)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        start = time.perf_counter()
        with pytest.raises(InterruptedError, match="enough"):
            staged(go, n)
        assert time.perf_counter() - start < 10
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_run_at_once():
    @native
    def count(n):
        total = 0.0
        for i in range(n):
            total = total * 0.999 + i
        return total

    wanted = float(count(tf.constant(100_000)))
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(float(count(tf.constant(100_000))) for _ in range(20)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 160


def peak():
    """The most bytes that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_memory_of_regions_is_given_back():
    from runtime.native.region import Region

    @native
    def program(a):
        for i in range(len(a) - 1):
            old = a.copy()
            a[i] = old[i + 1]
        return a

    given = np.arange(3000.0)
    program(given.copy())
    graph = region_of(program, given).graph
    for _ in range(3):
        program(given.copy())
    start = peak()
    for _ in range(10):
        program(given.copy())  # 3,000 copies of 24,000 bytes each
    assert peak() - start < 20_000_000
    for _ in range(20):
        Region(graph).prepare()
    gc.collect()
    start = peak()
    for _ in range(40):
        Region(graph).prepare()
    gc.collect()
    assert peak() - start < 40 * 400_000


def test_functions_hold_their_machine_code() -> None:
    def halved(x):
        while x > 1.0:
            x = x / 2.0
        return x

    call = region_of(native(halved), tf.constant(1.0)).function
    gc.collect()
    assert call(np.float32(6.0))[0] == 0.75 and call.__name__ == "region"


def test_short_calls_hold_theirs_where_two_threads_made_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller, "_code", caller._code.__wrapped__)  # one for each
    monkeypatch.setattr(short_calls, "_maker", caller.short_call)
    function = tf.function(lambda x: x + 1)
    x = tf.constant([1.0, 2.0])
    for _ in range(300):
        assert function(x).numpy().tolist() == [2, 3]
    made = function._traces.short
    gc.collect()
    assert made((x,)).numpy().tolist() == [2, 3]
    assert made.__name__ == "region"
