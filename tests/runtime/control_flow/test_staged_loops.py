"""Loops over tensors against Python's own: jumps in all nestings, ranges, rows, the variables after the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say


def break_continue(n):
    s = 0
    for i in range(n):
        if i == 2:
            continue
        if i == 6:
            break
        s += i
    return s, i if n > 0 else -1


def nested_jumps(n):
    s = i = 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        for j in range(i):
            if j == 4:
                break
            if j == 1:
                continue
            s += j
            if s > 30:
                return s
        else:
            s += 100
        say(i, s)
    return -s


def three_deep(n):
    s = 0
    for i in range(n):
        if i % 2 == 1:
            for j in range(i):
                if j > 2:
                    while s < 50:
                        s += j
                        if s == 17:
                            break
                    else:
                        continue
                    break
            s += 1
        else:
            s -= 1
    return s


def return_two_loops_up(n):
    s = 0
    for i in range(n):
        for j in range(i):
            s += j
            if s > 20:
                return s * 100
    return s


def while_true(n):
    while True:
        n = n - 3
        if n < 0:
            break
        if n == 1:
            return 1000
    return n


def return_only_in_loop(n):
    for i in range(n):
        if i * i > 10:
            return i
    return -1


def bare_return(n):
    for i in range(n):
        if i == 2:
            return
        say(i)


def for_else(n):
    for i in range(n):
        if i == 3:
            break
    else:
        return -1
    return i


def while_else(n):
    i = 0
    while i < n:
        if i == 3:
            break
        i += 1
    else:
        i = 100 + i
    return i


def last_value(n):
    for i in range(n):
        pass
    return i


def last_values_of_nested(n):
    for i in range(n):
        for j in range(i):
            k = j
    return i, j, k


def defined_late(n):
    for i in range(n):
        if i == 2:
            z = i
    if n > 3:
        return z
    return 0


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a, b


def gcd(n):
    m = 84
    while n != m:
        if n > m:
            n -= m
        else:
            m -= n
    return n


def finally_in_loop(n):
    s = 0
    for i in range(n):
        try:
            if i == 3:
                break
            s += i
        finally:
            s += 100
            say("finally", i)
    return s


class Block:
    def __enter__(self):
        say("enter")

    def __exit__(self, *error):
        say("exit")


def return_out_of_with(n):
    for i in range(n):
        with Block():
            if i == 2:
                return i
            say(i)
    return -1


def python_loop_turns_symbolic(n):
    x, k = 1, 0
    while x < 100:
        k += 1
        x = x * 2 if k < 3 else x * 2 + n
    return x, k


def python_while_with_tensor_break(n):
    i = 0
    while i < 3:
        i += 1
        if n == i:
            break
    else:
        i = -i
    return i


def python_for_with_tensor_break(n):
    s = 0
    for i in [1, 2, 3, 4]:
        if n < i:
            break
        if i == 2:
            continue
        s += i
        say("added", i)
    else:
        s = -s
    return s


def python_for_with_tensor_return(n):
    for i in (1, 2, 3):
        if n == i:
            return i * 100
        say(i)
    return 0


def bool_in_loop(n):
    found = False
    for i in range(n):
        if i == 4:
            found = True
    return found


def float_in_loop(n):
    s, t = 0, 1
    for i in range(n):
        s += 0.5
        t = t * 0.5 + s
    return s, t


def text_in_loop(n):
    s, t = "a", "same"
    for i in range(n):
        if i == 3:
            s = "b"
        t = "same"
    return s, t


def growing_shape(n):
    x = tf.zeros([1], tf.int32)
    for i in range(n):
        x = tf.concat([x, [i]], 0)
    return x


def no_state(n):
    for i in range(n):
        say(i)
    return n


def unused_target(n):
    total = 0
    for _ in tf.range(n):
        total += 2
    return total


def parameter_changes(n):
    for i in range(n):
        n += i
    return n


def loop_variable_changes(n):
    for i in range(n):
        say(i)
        i = i * 10
        say(i)
    return n


def helper_loop(a):
    while a > 10:
        a -= 7
    return a


def calls_helper(n):
    return helper_loop(n) + helper_loop(n * 2)


def inner_function(n):
    def clipped(k):
        if k > n:
            return k
        return n

    s = 0
    for i in range(n):
        s += clipped(i * 2)
    return s


SMALL = (0, 1, 2, 3, 4, 5, 6, 7, 9, 20)


@pytest.mark.parametrize(
    "program",
    [
        break_continue, nested_jumps, three_deep, return_two_loops_up, while_true, return_only_in_loop, bare_return,
        for_else, while_else, last_value, last_values_of_nested, defined_late, fibonacci, finally_in_loop,
        return_out_of_with, python_while_with_tensor_break, python_for_with_tensor_break,
        python_for_with_tensor_return, bool_in_loop, text_in_loop, growing_shape, no_state, unused_target,
        parameter_changes, loop_variable_changes, calls_helper, inner_function,
    ],
)  # fmt: skip
def test_loop(program: Callable[[Any], Any]) -> None:
    assert_same(program, *SMALL)


def test_loops_that_need_other_inputs() -> None:
    assert_same(gcd, 84, 60, 7, 36)
    assert_same(python_loop_turns_symbolic, 0, 1, 50, -1)


@pytest.mark.parametrize("n", SMALL)
def test_literals_become_floats_when_the_loop_makes_them_so(n: int) -> None:
    s, t = tf.function(float_in_loop)(tf.constant(n))
    assert (float(s), float(t)) == float_in_loop(n)
    assert s.dtype is tf.float64
