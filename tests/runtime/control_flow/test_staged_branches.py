"""Branches on tensors against Python's own: values that differ, are missing, are objects; state in objects; logic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say

COUNT = 0


def nested_returns(n):
    if n > 0:
        if n > 5:
            return n * 2
    elif n < -5:
        return n * 3
    return 7


def bare_return(n):
    if n > 0:
        say("positive")
        return
    say("other")


def returned_structure(n):
    if n > 0:
        return {"a": n, "b": (1, 2.5)}
    return {"a": 0, "b": (n, 1)}


def undefined_and_not_read(n):
    if n > 0:
        y = n
    return n


def undefined_and_read(n):
    if n > 0:
        y = n
    return y


def undefined_in_nested(n):
    if n > 0:
        if n > 3:
            z = n
    return z if n > 3 else 1


def deleted(n):
    y = n
    if n > 0:
        del y
    return y


def deleted_and_defined_again(n):
    y = n
    if n > 0:
        del y
    y = 2
    return y


def text(n):
    s = "a"
    if n > 0:
        s = "b"
    return s


def same_object(n):
    f = abs
    if n > 0:
        f = abs
        n = n + 1
    return f(n)


class Box:
    def __init__(self, value):
        self.value = value


def attribute(n):
    box = Box(0)
    if n > 2:
        box.value = n * 10
    for i in range(n):
        box.value += i
    return box.value


def new_attribute_in_both(n):
    box = Box(0)
    if n > 0:
        box.extra = n
    else:
        box.extra = -n
    return box.extra


def subscripts(n):
    d = {"k": 1, "deep": {"er": n}}
    s = [n, n + 1]
    if n > 2:
        d["k"] = n * 10
        s[1] *= 2
    while d["deep"]["er"] < 10:
        d["deep"]["er"] += 3
    return d, s


def aliases_of_a_list(n):
    s = [0, 0]
    t = s
    for i in range(n):
        s[0] += i
    return t, s


def nonlocal_in_inner_function(n):
    c = 0

    def count():
        nonlocal c
        if n > 2:
            c = n
        return c

    count()
    return c


def global_state(n):
    global COUNT
    COUNT = 1
    for i in range(n):
        COUNT += i
    if n > 3:
        COUNT = -COUNT
    count, COUNT = COUNT, 1
    return count


def late_binding(n):
    a = 0
    read = lambda: a
    for i in range(n):
        a = i + 1
    return read()


def swap(n):
    a, b = n, n + 1
    if n > 0:
        a, b = b, a
    return a, b


def two_targets(n):
    a = b = n
    a += 1
    if n > 0:
        a = b = a + 1
    return a, b


def ternaries(n):
    return (n if n > 0 else -n) + (1 if n == 3 else 2 if n == 4 else 3)


def loud(value, name):
    say(name)
    return value


def lazy_logic(n):
    x = loud(n > 0, "a") and loud(n < 10, "b") and loud(n != 5, "c")
    y = loud(n > 0, "d") or loud(n < -10, "e") or n == -5
    return x, y, not x


def chained(n):
    return 0 < loud(n, "once") <= 3 < loud(10, "lazy") > n


def asserted(n):
    assert n > 0, "positive numbers only"
    return n


def guarded_division(n):
    if n != 0:
        return 10 // n
    return 0


PROGRAMS = (
    nested_returns, bare_return, undefined_and_not_read, undefined_and_read, undefined_in_nested, deleted,
    deleted_and_defined_again, text, same_object, attribute, new_attribute_in_both, subscripts, aliases_of_a_list,
    nonlocal_in_inner_function, global_state, late_binding, swap, two_targets, ternaries, lazy_logic, chained, asserted,
    guarded_division,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_branch(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 6, 10, 11, -1, -5, -6, -11)


def test_literals_of_one_branch_take_the_dtype_of_the_other() -> None:
    @tf.function
    def relu(x):
        if x > 0:
            return x
        return 0

    for dtype in (tf.float32, tf.float64, tf.float16, tf.int64, tf.uint8, tf.int32):
        for v in (0, 3):
            result = relu(tf.constant(v, dtype))
            assert (result.numpy(), result.dtype) == (v, dtype)
    made = tf.function(returned_structure)(tf.constant(-2))
    assert [made["a"].numpy(), made["b"][0].numpy(), made["b"][1].numpy()] == [0, -2, 1]
    assert made["b"][1].dtype is tf.float64


def test_shapes_may_differ_between_branches() -> None:
    @tf.function
    def either(n):
        x = tf.zeros([2, 3])
        if n > 0:
            x = tf.zeros([4, 3])
        return x, str(x.shape)

    x, shape = either(tf.constant(1))
    assert (x.shape, shape.numpy()) == ((4, 3), b"(None, 3)")
    assert either(tf.constant(0))[0].shape == (2, 3)


def test_both_branches_are_traced_once_and_one_runs(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def fizzbuzz(n):
        for i in tf.range(1, n + 1):
            print("Tracing for loop")
            if i % 15 == 0:
                print("Tracing fizzbuzz branch")
                say("fizzbuzz")
            elif i % 3 == 0:
                print("Tracing fizz branch")
                say("fizz")
            elif i % 5 == 0:
                print("Tracing buzz branch")
                say("buzz")
            else:
                print("Tracing default branch")
                say(i)

    fizzbuzz(tf.constant(5))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "Tracing for loop", "Tracing fizzbuzz branch", "Tracing fizz branch", "Tracing buzz branch",
        "Tracing default branch",
    ]  # fmt: skip
    assert lines[5:] == ["1", "2", "fizz", "4", "buzz"]
    fizzbuzz(tf.constant(15))
    assert capsys.readouterr().out.split() == ("1 2 fizz 4 buzz fizz 7 8 fizz buzz 11 fizz 13 14 fizzbuzz".split())


def test_python_condition_traces_the_branch_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x, training):
        if training:
            print("training")
            return x
        print("serving")
        return -x

    assert f(tf.constant(1), True).numpy() == 1
    assert capsys.readouterr().out == "training\n"
