"""Writes to elements in plans: in place where nobody can tell, so that a loop of n writes costs n and not n squared."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.engine.plan import compile_plan
from runtime.errors import OutOfRangeError


def sieve(n):
    flags = tf.ones([n], tf.bool)
    i = 2
    while i * i < n:
        if flags[i]:
            j = i * i
            while j < n:
                flags[j] = False
                j += i
        i += 1
    return flags


def running_sum(x, n):
    for i in range(1, n):
        x[i] += x[i - 1]
    return x


def rows(x, n):
    for i in range(n):
        x[i % 3] = x[(i + 1) % 3] * 0.5 + 1
    return x


def columns(x, n):
    for i in range(n):
        x[:, i % 3] = x[i % 3] + 1
        x[0, 1:] = x[0, :-1]
    return x


def kept_as_it_was(x, n):
    y = x
    for i in range(n):
        x[i % 3] = x[i % 3] * 2
    return x, y


def best_so_far(x, n):
    best = x
    for i in range(n):
        x[i % 3] = x[i % 3] + 1
        if i % 4 == 2:
            best = x
    return best, x


def all_states(x, n):
    states = []
    for i in range(n):
        states.append(x)
        x[i % 3] = x[i % 3] - 1
        states.append(x)
    return tf.stack(states) if n > 0 else tf.stack([x])


def two_that_swap(x, n):
    y = x * 2
    for i in range(n):
        x[i % 3] = 1.0
        y[i % 2] = y[i % 2] - 1
        x, y = y, x
    return x, y


def views(x, n):
    for i in range(n):
        row = x[0]
        x[0] = x[1]
        x[1] = row
        x[::-1] = x
    return x


def caught(x, n):
    for i in range(n):
        try:
            x[i % 3] = x[i % 3] + 10
            x[i] = x[i] + 1
        except tf.errors.OutOfRangeError:
            x[0] = x[0] - 1
    return x


def helper(x, i):
    x[i] = 0.0
    return x


def through_a_call(x, n):
    for i in range(n):
        y = helper(x + 0.0, i % 3)
        x[1] = x[1] + y[1]
    return x


LOOPS = [rows, columns, kept_as_it_was, best_so_far, all_states, two_that_swap, views, caught, through_a_call]


@pytest.mark.parametrize("program", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_writes_in_a_staged_loop(program: Callable[..., Any], n: int) -> None:
    argument = np.arange(9, dtype=np.float32).reshape(3, 3)
    argument.flags.writeable = False
    wanted = autograph.to_graph(program)(tf.constant(argument), n)
    staged = tf.function(program)
    for _ in range(2):
        found = staged(tf.constant(argument), tf.constant(n))
        tf.nest.map_structure(lambda a, b: np.testing.assert_array_equal(a.numpy(), b.numpy()), found, wanted)


def code_of(program: Callable[..., Any], *arguments: Any) -> str:
    return compile_plan(tf.function(program).get_concrete_function(*arguments).graph).source


def test_one_copy_before_the_loop_is_all() -> None:
    source = code_of(running_sum, tf.constant([1, 2, 3]), tf.constant(3))
    before, loop = source.split("for ", 1)
    assert before.count("= a0.copy()") == 1
    assert "copy()" not in loop and "= setitem(" not in loop


def test_no_copy_where_the_plan_made_the_buffer_itself() -> None:
    def doubled(x, n):
        y = x * 2
        for i in range(n):
            y[i] = y[i] + 1
        return y

    assert "copy()" not in code_of(doubled, tf.constant([1.0, 2.0]), tf.constant(2))


def test_what_is_read_later_is_copied_and_the_copy_written_to() -> None:
    def both(x, n):
        y = x + 0.0
        y[n] = x[0] * 2  # in place
        y[()] = y + 1.0
        z = y + 0.0
        y[1, n] = z[0, 0] * 3
        return y, z

    given = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    kept = [given.copy(order="K"), given.copy(order="K")]
    kept[0][1] = given[0] * 2
    kept[0] += 1
    kept[1] = kept[0].copy()
    kept[0][1, 1] = kept[1][0, 0] * 3
    for found, wanted in zip(tf.function(both)(tf.constant(given), tf.constant(1)), kept, strict=True):
        np.testing.assert_array_equal(found.numpy(), wanted)

    source = code_of(lambda x, n: (x, setting(x, n)), tf.constant(given), tf.constant(1))
    assert source.count('.copy("K")') == 1 and "= setitem(" not in source


def setting(x, n):
    x = x * 1.0
    y = x
    x[n, 0] = y[0, n]
    return x, y


def test_a_loop_inside_of_a_branch_inside_of_a_loop_writes_in_place() -> None:
    source = code_of(sieve, tf.constant(10))
    assert source.count(".copy()") == 1 and "= setitem(" not in source
    assert np.flatnonzero(tf.function(sieve)(tf.constant(60)).numpy()).tolist()[2:8] == [2, 3, 5, 7, 11, 13]


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_that_is_out_of_range_raises_the_error_of_the_kernel(index: int) -> None:
    @tf.function
    def write(x, i):
        y = x + 1
        y[i] = 0.0
        return y

    assert write(tf.constant([1.0, 2.0, 3.0]), tf.constant(-3)).numpy().tolist() == [0, 3, 4]
    with pytest.raises(OutOfRangeError, match=f"setitem: the index \\[{index}\\]"):
        write(tf.constant([1.0, 2.0, 3.0]), tf.constant(index))


@pytest.mark.parametrize("dtype", [tf.bool, tf.uint8, tf.int64, tf.uint64, tf.float16, tf.float64, tf.complex64])
def test_elements_of_each_dtype(dtype: Any) -> None:
    def write(x, value, n):
        for i in range(n):
            x[i] = value
        return x

    x, value = tf.cast(tf.constant([0, 1, 1, 0]), dtype), tf.cast(tf.constant(1), dtype)
    found = tf.function(write)(x, value, tf.constant(3))
    assert found.dtype == dtype and found.numpy().tolist() == [1, 1, 1, 0]
    assert x.numpy().tolist() == tf.cast(tf.constant([0, 1, 1, 0]), dtype).numpy().tolist()


def test_texts() -> None:
    def write(x, n):
        for i in range(n):
            x[i] = "other"
        return x

    assert tf.function(write)(tf.constant(["a", "b"]), tf.constant(1)).numpy().tolist() == [b"other", b"b"]


def test_memory_does_not_grow_with_the_number_of_writes() -> None:
    staged = tf.function(running_sum, backend="numpy")
    argument = tf.constant(np.ones(20_000))
    staged(argument, tf.constant(len(argument)))
    gc.collect()
    tracemalloc.start()
    try:
        staged(argument, tf.constant(len(argument)))
        assert tracemalloc.get_traced_memory()[1] < 2.5 * argument.numpy().nbytes
    finally:
        tracemalloc.stop()


def test_time_is_linear() -> None:
    staged = tf.function(running_sum)

    def seconds(n: int) -> float:
        argument = tf.constant(np.ones(n))
        staged(argument, tf.constant(len(argument)))
        start = time.process_time()
        staged(argument, tf.constant(len(argument)))
        return time.process_time() - start

    short, long = min(seconds(5_000) for _ in range(3)), min(seconds(80_000) for _ in range(3))
    assert long < 40 * short, "16 times as many writes"


def test_running_sum_is_that_of_python() -> None:
    numbers = [3, 1, 4, 1, 5]
    assert tf.function(running_sum)(tf.constant(numbers), tf.constant(5)).numpy().tolist() == running_sum(numbers, 5)


@pytest.mark.parametrize("width", [1, 3])
def test_slices_of_which_the_run_knows_the_ends_are_written_as_python_does(width: int) -> None:
    """A value of the shape of the place by a statement; one that is broadcast, or does not fit, by the kernel."""

    def program(x, values, n):
        for i in range(100):
            k = i % (n + 1)
            x[k : k + 3] = values + x[k] * 0.5
        return x

    function = tf.function(program, backend="numpy")
    x, values = np.arange(8.0), np.arange(float(width)) + 1
    wanted = program(x.copy(), values, 4)
    n = tf.constant(4, tf.int64)
    assert "if v" in (text := function.lower(x, values, n).as_text("plan")) and ".shape == " in text
    np.testing.assert_array_equal(function(x.copy(), values, n), wanted)
    if width == 3:
        with pytest.raises(ValueError, match=r"a value of shape \(3,\) cannot be written to the place \[6:9\]"):
            function(x.copy(), values, tf.constant(6, tf.int64))
