"""Loops that machine code takes over while they run: the results, errors and writes of the plan, from any turn on."""

import copy
import math

import numpy as np
import pytest

import runtime as tf
from runtime.native import adaptive as adaptive_backend
from runtime.native import handover
from tests.runtime.native.programs import PROGRAMS
from tests.runtime.native.test_programs import of_numbers, same


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Machine code is there after the first turn, and takes over; the plan as a whole is never hot."""
    monkeypatch.setattr(adaptive_backend, "HOT", math.inf)
    monkeypatch.setattr(handover, "HOT", 0.0)
    monkeypatch.setattr(handover, "in_background", lambda work: work())


def adaptive(function, *arguments):
    """The Function, and the loops of its plan."""
    staged = tf.function(function, backend="adaptive")
    return staged, staged.get_concrete_function(*arguments).plan._loops


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_programs(function, arguments):
    given = [of_numbers(value) for value in copy.deepcopy(arguments)]
    staged, loops = adaptive(function, *given)
    by_python = copy.deepcopy(arguments)
    assert same(staged(*given), function(*by_python))
    for now, wanted in zip(given, by_python, strict=True):
        assert same(now, wanted)
    assert loops.taken or function.__name__ in ("fibonacci", "greatest_divisor", "newton_root", "equations")


@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("step", [1, 3, -2])
def test_counts(turns, step):
    """As many turns as the loop has, whether or not it comes to the end by itself."""

    def program(n):
        total, i = 0, 100
        for i in range(5, n, step):
            total = total * 3 + i
        return total, i

    n = 5 + turns * step
    staged, loops = adaptive(program, tf.constant(n, tf.int64))
    assert tuple(map(int, staged(tf.constant(n, tf.int64)))) == program(n)
    assert loops.taken == (turns > 1)


def test_it_takes_over_when_it_is_there(monkeypatch):
    """Not before: the machine code of this one is made after ten looks at the clock."""
    waiting = []
    monkeypatch.setattr(handover, "_GROWTH", 1)
    monkeypatch.setattr(handover, "in_background", waiting.append)

    def program(n, x):
        for _ in range(n):
            x = x * 0.5 + 1.0
        return x

    given = tf.constant(40), tf.constant(0.3, tf.float64)
    staged, loops = adaptive(program, *given)
    wanted = program(40, 0.3)
    assert float(staged(*given)) == wanted
    assert (len(waiting), loops.taken) == (1, 0)
    waiting.pop()()
    assert float(staged(*given)) == wanted
    assert (len(waiting), loops.taken) == (0, 1)


def test_numbers_of_all_dtypes():
    def program(a, b, c, d, n):
        for i in range(n):
            a, b, c, d = a * a, b * tf.constant(0.7), c + tf.constant(3, tf.int8), d != (i % 3 == 0)
        return a, b, c, d

    given = tf.constant(77, tf.uint16), tf.constant(1.5), tf.constant(100, tf.int8), tf.constant(True), tf.constant(50)
    staged, loops = adaptive(program, *given)
    for one, other in zip(staged(*given), tf.function(program, backend="numpy")(*given), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert loops.taken == 1


def test_errors_are_those_of_the_plan():
    def program(a, n):
        total = 0.0
        for i in range(n):
            total += a[i]
        return total

    given = np.arange(20.0), tf.constant(100)
    staged, loops = adaptive(program, *given)
    with pytest.raises(IndexError) as found:
        staged(*given)
    with pytest.raises(IndexError) as wanted:
        tf.function(program, backend="numpy")(*given)
    assert str(found.value) == str(wanted.value)
    assert getattr(found.value, "__notes__", []) == getattr(wanted.value, "__notes__", [])
    assert loops.taken == 1


def test_arrays_that_are_one_are_not_written_to_together():
    """The plan writes in place behind the loop to what it takes for arrays of their own. The quotient, which no float
    holds, is left to the plan, which gives one array twice."""

    def program(a, c, k, n):
        b, total = a + 1.0, 0.0
        for i in range(n):
            b[i] = a[i]
            c = b
            total += k / 3
        b[0] = -7.0
        return b, c, a, total

    given = tf.range(9.0), tf.range(9.0), tf.constant(2**60 + 1, tf.int64), tf.constant(9)
    staged, loops = adaptive(program, *given)
    for one, other in zip(staged(*given), tf.function(program, backend="numpy")(*given), strict=True):
        np.testing.assert_array_equal(one, other)
    assert loops.taken == 1


def test_lists():
    def program(x, n):
        items = [x]
        for i in range(n):
            items.append(items[i] * 0.5 + i)
        return items

    given = tf.constant(1.0, tf.float64), tf.constant(9)
    staged, loops = adaptive(program, *given)
    assert [float(item) for item in staged(*given)] == program(1.0, 9)
    assert loops.taken == 1


def test_loops_within_a_function_that_stays():
    def program(n):
        text, total = tf.constant(""), 0
        for i in range(n):
            total += i * i
        for _ in range(5):
            text = text + "a"
        for i in range(n):
            total -= i
        return text, total

    staged, loops = adaptive(program, tf.constant(9))
    text, total = staged(tf.constant(9))
    assert text.numpy() == b"aaaaa"
    assert int(total) == sum(i * i - i for i in range(9))
    assert loops.taken == 2


def test_a_gradient():
    def program(x, n):
        for _ in range(n):
            if x > 1.5:
                x = x * 0.5
            x = x + x * 0.1
        return x

    def slope(backend):
        x = tf.constant(0.7, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(program, backend=backend)(x, tf.constant(30))
        return float(tape.gradient(y, x))

    assert slope("adaptive") == slope("numpy")


def test_it_is_left_alone_when_the_plan_stays():
    def program(n):
        total = 0
        for i in range(n):
            total += i
        return total

    staged, loops = adaptive(program, tf.constant(9))
    loops.closed = True
    assert int(staged(tf.constant(9))) == 36
    assert loops.taken == 0


def test_lists_that_are_changed_in_place_are_handed_over():
    def program(a, n):
        found, last = [a[0]], [0]
        for i in range(n):
            found.append(a[i % 5] + found[-1])
            last[-1] += i
        found.append(a[1])
        return np.array(found), np.array(last)

    for dtype in (np.float64, np.int64, np.float32):
        given = np.arange(5).astype(dtype), tf.constant(30)
        staged, loops = adaptive(program, *given)
        for one, other in zip(staged(*given), program(given[0], 30), strict=True):
            np.testing.assert_array_equal(one, other)
        assert loops.taken == 1
        assert ".append(" in staged.get_concrete_function(*given).plan.source
