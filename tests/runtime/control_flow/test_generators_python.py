"""Generators of the user that run as Python does them, and what is the same in both ways."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, say
from tests.runtime.control_flow.sizes import SIZES, compare


def evens(t):
    for x in t:
        if x % 2 == 0:
            yield x


def counting_python(n):
    for i in range(n):
        yield i


def guarded(t):
    try:
        for x in t:
            yield x
    finally:
        pass


def guarded_by_with(t):
    with contextlib.nullcontext():
        for x in t:
            yield x


def received(t):
    for x in t:
        back = yield x
        assert back is None


@pytest.mark.parametrize("generator", [guarded, guarded_by_with, received], ids=lambda generator: generator.__name__)
def test_generators_that_see_the_loop_run_as_python(generator: Any) -> None:
    def program(t):
        s = 0
        for x in generator(t):
            s += x
        return s

    assert tf.function(program)(tf.constant([1, 2, 3])).numpy() == 6  # a tensor of known length can be gone through
    unknown = tf.function(program, input_signature=[tf.TensorSpec([None], tf.int32)])
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as error:
        unknown(tf.constant([1, 2, 3]))
    assert "ran as plain Python" in " ".join(error.value.__notes__)


def test_a_generator_that_has_begun_goes_on_as_python() -> None:
    def program(n):
        items = counting_python(4)
        s = next(items) + next(items)
        for i in items:
            s = s * 10 + i
        return s + n

    assert tf.function(program)(tf.constant(0)).numpy() == program(0) == 123


def test_it_is_gone_through_once() -> None:
    def program(t):
        items = evens(t)
        s = 0
        for x in items:
            s += x
        for x in items:
            s += 1000
        return s

    compare(program, *SIZES)


def test_it_looks_like_a_generator() -> None:
    seen = []

    @tf.function
    def program(n):
        items = counting_python(2)
        seen.append((inspect.isgenerator(items), items.gi_code.co_name, list(items), items is iter(items)))
        with pytest.raises(TypeError):
            counting_python()
        return n

    program(tf.constant(1))
    assert seen == [(True, "counting_python", [0, 1], True)]


def test_errors_pass_through_the_generator() -> None:
    def checked(t):
        for x in t:
            if x <= 0:
                raise ValueError("not positive")
            yield x

    def program(t):
        s = 0
        for x in checked(t):
            if x > 8:
                raise KeyError("too large")
            s += x
        return s

    compare(program, [1, 2], [1, 0, 9], [9, 0], [])


def test_a_loop_over_a_generator_that_python_runs_is_not_left_depending_on_a_tensor() -> None:
    class Noted:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, traceback):
            tf.print("left with", "nothing" if kind is None else kind.__name__)

    def numbers(n):
        with Noted():
            yield n
            tf.print("went on")
        yield n + 1

    def all_of_them(n):
        total = 0
        for x in numbers(n):
            total += x
        return total

    def left(n):
        for x in numbers(n):
            if x > 3:
                return x
        return 0

    assert tf.function(all_of_them)(tf.constant(3)).numpy() == 7
    with pytest.raises(StagingError, match=r"the generator 'numbers' is left depending on a tensor.*'yield' in it"):
        tf.function(left)(tf.constant(3))


@contextlib.contextmanager
def span():
    say("begin")
    try:
        yield
    finally:
        say("end")


def within_a_span(n):
    with span():
        yield n
        say("went on")


def closed_after_a_handler(x):
    for item in within_a_span(3):
        try:
            say("item", item // x)
        except ArithmeticError:
            say("handler")
        break
    say("behind")
    return x


def test_a_left_generator_is_closed_where_the_loop_ends_also_after_a_handler_of_the_graph() -> None:
    assert_same(closed_after_a_handler, -1, 0, 4)


def test_a_staged_raise_in_a_loop_over_a_generator_that_python_runs_is_refused() -> None:
    def raises(x):
        for item in within_a_span(3):
            if x > item:
                raise ValueError("large")
        return x

    with pytest.raises(StagingError, match=r"exception.*the generator 'within_a_span'.*'yield' in it"):
        tf.function(raises)(tf.constant(4))


def left_in_a_branch(x):
    if x < 3:
        for item in within_a_span(x):
            return item * 2
    else:
        say("otherwise")
    return x


def left_by_an_error_of_the_trace(x):
    for item in within_a_span(x):
        say(item, not_assigned)  # noqa: F821
    not_assigned = x
    return not_assigned


@pytest.mark.parametrize("program", [left_in_a_branch, left_by_an_error_of_the_trace])
def test_a_left_generator_is_closed_in_the_branch_or_before_the_error_that_leaves_it(program: Any) -> None:
    assert_same(program, 1, 5)
