# ruff: noqa: F821  (reading what may be undefined is what these programs do)
"""Variables that are defined on some ways through staged code only: an error where Python has one, and only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, observe, say


def in_one_branch(n):
    if n > 0:
        y = n
    return y


def in_one_branch_unread(n):
    if n > 0:
        y = n
    return n


def in_one_branch_read_there(n):
    if n > 0:
        y = n
    if n > 0:
        return y
    return -1


def in_nested_branches(n):
    if n > 0:
        if n > 3:
            y = (n, 1)
    elif n < -3:
        y = (0, n)
    if n > 3 or n < -3:
        return y
    say("unread")
    if n == 2:
        return y
    return n, n


def deleted_in_one_branch(n):
    y = n
    if n > 0:
        del y
    return y


def deleted_and_defined_again(n):
    y = n
    if n > 0:
        del y
        if n > 2:
            y = 7
    return y


def deleted_twice(n):
    y = n
    if n > 0:
        del y
    if n > 2:
        del y
    say("after")
    return n


def loop_that_may_not_run(n):
    for i in range(n):
        y = i * 2
    return y


def loop_variable_after_the_loop(n):
    for i in range(n):
        pass
    return i


def loop_unread(n):
    for i in range(n):
        y = i * 2
    return n


def conditional_in_a_loop(n):
    for i in range(n):
        if i == 2:
            y = i * 10
    return y


def read_in_later_iterations(n):
    s = 0
    for i in range(n):
        if i > 0:
            s += last
        last = i * i
    return s


def read_in_later_iterations_else(n):
    s = 0
    for i in range(n):
        if i == 0:
            last = 5
        else:
            last = last + i
        s += last
    return s, last


def read_in_the_first_iteration(n):
    for i in range(n):
        say("first")
        z = y
        y = i
    return n


def read_in_an_iteration_at_times(n):
    for i in range(n):
        if i > 1:
            say(y)
        if i > 2:
            y = i
    return n


def read_in_nested_loops(n):
    s = 0
    for i in range(n):
        for j in range(i):
            if j > 0 or i > 1:
                s += last
            last = j + i
    return s


def read_in_a_while(n):
    i = 0
    while i < n:
        if i % 2 == 1:
            step = before + 1
        else:
            step = 2
        before = step
        i += step
    return i, before


def structures_in_later_iterations(n):
    s = 0
    for i in range(n):
        if i > 0:
            a, (b, c) = kept
            s += a + b + c
        kept = (i, (i * 2, 1))
    return s


def deleted_in_a_loop(n):
    y = 5
    for i in range(n):
        if i == 2:
            del y
    return y


def deleted_and_set_in_a_loop(n):
    y = 5
    for i in range(n):
        if i % 2 == 0:
            del y
        else:
            y = i
    return y


def deleted_twice_in_a_loop(n):
    y = 5
    for i in range(n):
        if i >= 1:
            del y
    return n


def literal_and_tensor(n):
    for i in range(n):
        if i > 1:
            y = 2.5
        else:
            y = 1
    if n > 1:
        return y * 1.0
    return -1.0


def in_the_test_of_a_while(n):
    i = 0
    while i < n and (i == 0 or y < 10):
        y = i * 4
        i += 1
    return i


def none_or_undefined(n):
    if n > 0:
        y = None if n > 2 else n
    return y


def in_closures(n):
    if n > 0:
        y = n
    read = lambda: y
    return read()


def in_methods(n):
    class Counter:
        def count(self, m):
            for i in range(m):
                if i > 0:
                    total = total + i
                else:
                    total = 0
            return total

    return Counter().count(n)


def caught_by_name(n):
    if n > 0:
        y = n
    z = n + 1
    del z
    return y if n > 0 else -1


PROGRAMS = (
    in_one_branch, in_one_branch_unread, in_one_branch_read_there, in_nested_branches, deleted_in_one_branch,
    deleted_and_defined_again, deleted_twice, loop_that_may_not_run, loop_variable_after_the_loop, loop_unread,
    conditional_in_a_loop, read_in_later_iterations, read_in_later_iterations_else, read_in_the_first_iteration,
    read_in_an_iteration_at_times, read_in_nested_loops, read_in_a_while, structures_in_later_iterations,
    deleted_in_a_loop, deleted_and_set_in_a_loop, deleted_twice_in_a_loop, literal_and_tensor, in_the_test_of_a_while,
    none_or_undefined, in_closures, in_methods, caught_by_name,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 6, -1, -5)


@pytest.mark.parametrize(
    ("program", "given", "line", "name"),
    [
        (in_one_branch, 0, 3, "y"),
        (loop_variable_after_the_loop, 0, 3, "i"),
        (read_in_the_first_iteration, 1, 3, "y"),
        (read_in_an_iteration_at_times, 3, 3, "y"),
        (deleted_in_a_loop, 3, 5, "y"),
    ],
)
def test_the_error_names_the_variable_and_the_line(program: Any, given: int, line: int, name: str) -> None:
    expected, _ = observe(program, given)
    result, _ = observe(tf.function(program), tf.constant(given))
    assert isinstance(result, UnboundLocalError) and isinstance(expected, UnboundLocalError)
    assert f"cannot access local variable {name!r} where it is not associated with a value" in str(result)
    place = f"test_staged_undefined.py:{program.__code__.co_firstlineno + line}"
    assert place in f"{result} {getattr(result, '__notes__', '')}"


@pytest.mark.parametrize(("reads", "times"), [(False, 1), (True, 2)])
def test_a_body_is_traced_again_only_if_it_read_the_variable(
    reads: bool, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    @tf.function
    def counted(n):
        for i in range(n):
            print("traced")
            if reads and i > 0:
                say(y)
            y = i
        return n

    counted.get_concrete_function(tf.constant(1))
    assert capsys.readouterr().out.count("traced") == times


def test_a_value_that_an_iteration_leaves_undefined_may_have_any_shape() -> None:
    """What is kept of it from before has another shape than what the iteration would have given."""

    @tf.function
    def grown(x: Any, limit: Any) -> Any:
        while tf.reduce_sum(x) < 100:
            x = x * 2
            if tf.size(x) > limit:
                return x
            x = tf.concat([x, x[:1]], 0)
        return x

    def plain(x: list[int], limit: int) -> list[int]:
        while sum(x) < 100:
            x = [2 * v for v in x]
            if len(x) > limit:
                return x
            x = [*x, x[0]]
        return x

    for limit in (1, 4, 5, 50):
        for start in ([1, 2, 3], [60, 60], [5]):
            found = grown(tf.constant(start), tf.constant(limit))
            assert found.numpy().tolist() == plain(start, limit)

    @tf.function
    def last_long(rows: Any) -> Any:
        for row in rows:
            if tf.size(row) > 1:
                found = row * 10
        return found

    assert last_long(tf.ragged.constant([[1], [2, 3], [4, 5, 6], [], [7]])).numpy().tolist() == [40, 50, 60]
    with pytest.raises(UnboundLocalError, match="found"):
        last_long(tf.ragged.constant([[1], [], [7], [8], [9]]))
