"""Memory: guard pages around buffers, what comes back when regions are dropped, what happens where there is none."""

import gc
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.native.region import Region


def run(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, env=os.environ)


@pytest.mark.parametrize("options", [[], pytest.param(["--all"], marks=pytest.mark.slow)], ids=["some", "all"])
def test_no_element_out_of_bounds(options):
    done = run("-m", "tests.runtime.native.guarded", *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("programs, True, True\n")


def test_an_element_out_of_bounds_would_be_seen():
    assert run("-m", "tests.runtime.native.guarded", "--break").returncode == -signal.SIGSEGV


def resident():
    """The bytes of memory that the process holds now."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def graph_of_a_loop():
    def loop(n):
        total = 0.0
        for i in range(n):
            total = total * 0.5 + i
        return total

    (region,) = tf.function(loop, backend="native").get_concrete_function(tf.constant(3)).plan.regions
    return region.graph


def regions_leave_nothing(count, each, compiled, tmp_path):
    """Makes so many regions and drops them; `each` may leave so many bytes."""
    graph = graph_of_a_loop()
    with tf.config.native_cache(False if compiled else tmp_path / "code"):
        made = []
        for number in range(count):
            region = Region(graph)
            assert region(np.int32(5)) == (6.125,)
            if number in (count // 3, count - 1):
                made.append(resident())
    first, last = made
    assert last - first < 6_000_000 + count * each


needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")


@needs_proc
@pytest.mark.parametrize(
    ("count", "compiled", "each"), [(100, True, 100_000), (300, False, 0)], ids=["compiled", "loaded"]
)
def test_some_regions(count, compiled, each, tmp_path):
    """The 100 KB are those of llvmlite's pass managers, which give back what they take of 80 KB only at the end."""
    regions_leave_nothing(count, each, compiled, tmp_path)


@pytest.mark.slow
@needs_proc
def test_10000_regions(tmp_path):
    regions_leave_nothing(10_000, 0, False, tmp_path)


def test_32_threads():
    def loop(a, n):
        items = []
        for i in range(n):
            items.append(a[i % 7] * i)
        total = 0.0
        for x in items:
            total = total * 0.5 + x
        return total

    staged = tf.function(loop, backend="native")
    a = np.arange(7.0)
    wanted = {n: loop(a, n) for n in (100, 1000, 5000)}
    wrong = []

    def work(number):
        for turn in range(6):
            n = (100, 1000, 5000)[(number + turn) % 3]
            own = staged if number % 4 else tf.function(loop, backend="native")
            if float(own(a, tf.constant(n))) != wanted[n]:
                wrong.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
def test_interrupts_at_random_times():
    def loop(a, n):
        items = []
        for i in range(n):
            a[i % 100] += 1.0
            items.append(a[i % 7])
        return a, len(items)

    staged = tf.function(loop, backend="native")
    n = tf.constant(4_000_000)
    given = np.zeros(100)
    staged(given, n)
    wanted, given = given.copy(), np.zeros(100)
    chance = random.Random(5)
    stopped = 0

    def stop(number, frame):
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for _ in range(40):
            try:
                signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.03))
                staged(given, n)
                signal.setitimer(signal.ITIMER_REAL, 0)
                np.testing.assert_array_equal(given, wanted)
                given[...] = 0.0
            except InterruptedError:
                stopped += 1
                if given.any():  # it came behind the loop, where results are handed over
                    np.testing.assert_array_equal(given, wanted)
                    given[...] = 0.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert stopped
    staged(given, n)
    np.testing.assert_array_equal(given, wanted)


def test_recursion_in_a_thread_with_a_small_stack(tmp_path):
    program = """
        import threading
        import runtime as tf

        def depth(n, a, b, c, d, e):
            if n == 0:
                return a + b * c - d * e
            x = depth(n - 1, a + 1, b ^ n, c + a, d - b, e + c)
            y = depth(0, b, c, d, e, a)
            return x % 1000 + y % 1000 + a * 3 + b - c + d * e

        def expected(n, *rest):
            return depth(n, *rest)

        staged = tf.function(depth, backend="native")
        given = [tf.constant(k, tf.int64) for k in (5, 1, 2, 3, 4, 5)]
        staged(*given)
        found = []

        def work():
            for n in (10, 100, 900):
                found.append(int(staged(tf.constant(n, tf.int64), *given[1:])) == expected(n, 1, 2, 3, 4, 5))

        threading.stack_size(512 * 1024)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        print(found)
    """
    file = tmp_path / "program.py"  # whose lines can be found
    file.write_text(textwrap.dedent(program))
    done = run(str(file))
    assert (done.returncode, done.stdout) == (0, "[True, True, True]\n"), done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not bound the memory of a process")
def test_no_memory():
    def work(n):
        items = []
        for i in tf.range(n):
            items.append(tf.cast(i, tf.float64))
        return len(items), items[-1]

    staged = tf.function(work, backend="native")
    assert float(staged(tf.constant(100))[1]) == 99.0
    (region,) = staged.get_concrete_function(tf.constant(100)).plan.regions
    limit = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 50_000_000, limit[1]))
    try:
        assert region.function(20_000_000) is None  # 160 MB, and 320 MB of room
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)
    assert region.function(1000) == (1000, 999.0)


def test_a_fork_has_the_machine_code_of_its_parent():
    program = """
        import os
        import runtime as tf
        from tests.runtime.native.test_cache import loop, result_of_new_function
        staged = tf.function(loop, backend="native")
        staged(tf.constant(9))
        child = os.fork()
        if not child:
            right = float(staged(tf.constant(9))) == loop(9) and result_of_new_function() == loop(9)
            os._exit(0 if right else 1)
        print(os.waitpid(child, 0)[1], float(staged(tf.constant(9))) == loop(9))
    """
    done = run("-W", "ignore", "-c", textwrap.dedent(program))
    assert (done.returncode, done.stdout) == (0, "0 True\n"), done.stderr
