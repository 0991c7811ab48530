"""Loops over tensors against Python's own: jumps in all nestings, ranges, rows, the variables after the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain, say


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
    assert s.dtype is tf.float32


def digits(a, b, c):
    out = 0
    for i in range(a, b, c):
        out = out * 10 + i
    return out


def tensor_range(a, b, c):
    out = 0
    for i in tf.range(a, b, c):
        out = out * 10 + i
    return out


def literal_start(n):
    out = 0
    for i in range(2, n):
        out = out * 10 + i
    return out


def literal_negative_step(n):
    out = 0
    for i in range(n, 0, -2):
        out = out * 10 + i
        last = i
    return out, last if n > 0 else -1


@pytest.mark.parametrize("program", [digits, tensor_range])
def test_range_of_tensors(program: Callable[..., Any]) -> None:
    assert_same(program, (0, 5, 2), (5, 0, -2), (0, -5, 1), (3, 3, 1), (0, 5, -1), (7, 1, -3), (-3, 4, 3), (1, 2, 9))


def test_range_with_step_zero_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="zero"):
        tf.function(digits)(tf.constant(0), tf.constant(3), tf.constant(0))


def test_range_with_literals() -> None:
    assert_same(literal_start, *range(-2, 9))
    assert_same(literal_negative_step, *range(-3, 10))


def test_range_keeps_the_dtype_of_its_bound() -> None:
    @tf.function
    def total(n):
        s = tf.constant(0, n.dtype)
        for i in range(n):
            s += i
        return s

    for dtype in (tf.int64, tf.int32, tf.int16, tf.uint8):
        result = total(tf.constant(5, dtype))
        assert (result.numpy(), result.dtype) == (10, dtype)


def test_loop_over_a_range_is_one_loop_whatever_its_length() -> None:
    @tf.function
    def total(n):
        s = 0
        for i in range(n):
            s += i
        return s

    concrete = total.get_concrete_function(tf.constant(3))
    assert [o.type for o in concrete.graph.operations].count("while") == 1
    assert total(tf.constant(100_000)).numpy() == sum(range(100_000)) - 2**32, "int32 wraps around"


# -- rows ----------------------------------------------------------------------------------------------------------


def rows(n, signature=None):
    @tf.function(input_signature=signature)
    def total(t):
        s = tf.zeros(t.shape[1:], tf.int32) if signature is None else tf.constant([0, 0])
        for row in t:
            if tf.reduce_sum(row) > 10:
                break
            s += row
        return s

    return total(n)


@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None, 2], tf.int32)]])
@pytest.mark.parametrize(
    ("values", "expected"),
    [([[1, 2], [3, 4]], [4, 6]), ([[1, 2], [30, 4], [1, 1]], [1, 2]), ([[9, 9]], [0, 0]), ([], [0, 0])],
)
def test_rows_of_a_tensor(values: Any, expected: Any, signature: Any) -> None:
    tensor = tf.reshape(tf.constant(values, tf.int32), [-1, 2])
    assert rows(tensor, signature).numpy().tolist() == expected


def test_rows_of_an_unknown_rank_and_of_a_captured_tensor() -> None:
    table = tf.constant([1, 2, 3])

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def total(t):
        s = 0
        for row in t:
            for other in table:
                s += row * other
        return s

    assert total(tf.constant([1, 10])).numpy() == 66
    assert total(tf.constant([], tf.int32)).numpy() == 0


def pairs(n):
    s = 0
    for a, b in tf.reshape(tf.range(6), [3, 2]) + n:
        s += a * b
    return s


def rest(n):
    s = 0
    for a, *others in tf.reshape(tf.range(6), [2, 3]) + n:
        s += a * others[1]
    return s, len(others)


def nested_targets(n):
    s = 0
    for a, (b, c) in tf.reshape(tf.range(8), [2, 2, 2]) * n:
        s += a[0] + b * c
    return s


@pytest.mark.parametrize("program", [pairs, rest, nested_targets])
def test_rows_are_unpacked(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 5):
        assert plain(staged(tf.constant(n))) == plain(program(n))


def test_rows_that_do_not_fit_the_targets() -> None:
    @tf.function
    def triples(t):
        s = 0
        for a, b, c in t:
            s += a
        return s

    with pytest.raises(ValueError, match="not enough values to unpack"):
        triples(tf.ones([2, 2], tf.int32))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        triples.get_concrete_function(tf.TensorSpec([None, None], tf.int32))


def test_loop_over_a_scalar_names_it() -> None:
    @tf.function
    def bad(t):
        for row in t:
            t += row
        return t

    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot iterate over a scalar tensor"):
        bad(tf.constant(1))


# -- options --------------------------------------------------------------------------------------------------------


def test_maximum_iterations_of_a_statement() -> None:
    @tf.function
    def bounded(n, most):
        s = 0
        while s < n:
            tf.autograph.experimental.set_loop_options(maximum_iterations=most)
            s += 1
        return s

    assert bounded(tf.constant(10), 3).numpy() == 3
    assert bounded(tf.constant(2), 3).numpy() == 2
    assert bounded(tf.constant(10), tf.constant(4)).numpy() == 4
    assert bounded(tf.constant(10), 0).numpy() == 0


def test_shape_invariants_of_a_statement() -> None:
    @tf.function
    def doubled(x, n, dims):
        for _ in range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape(dims))])
            x = tf.concat([x, x], 0)
        return x, str(x.shape)

    x, shape = doubled(tf.ones([1, 2]), tf.constant(3), [None, 2])
    assert (x.shape, shape.numpy()) == ((8, 2), b"(None, 2)")
    with pytest.raises(ValueError, match=r"'x' has shape \(2, 2\) after one iteration, which does not conform"):
        doubled(tf.ones([1, 2]), tf.constant(3), [1, 2])
    with pytest.raises(ValueError, match=r"'x' has shape \(1, 2\) before the loop, which does not conform"):
        doubled(tf.ones([1, 2]), tf.constant(3), [None, 3])


def test_eager_tensors_captured_by_a_loop() -> None:
    step = tf.constant([1.5, 2.5])

    @tf.function
    def climb(n):
        x = tf.zeros([2])
        for _ in range(n):
            x += step
        return x

    assert climb(tf.constant(3)).numpy().tolist() == [4.5, 7.5]
    assert climb(tf.constant(0)).numpy().tolist() == [0, 0]
