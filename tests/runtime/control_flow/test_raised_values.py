"""Exceptions whose arguments and text hold tensors show the values, as they do without a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike


class Stop(Exception):
    pass


class Coded(Exception):
    def __init__(self, message: Any, code: Any) -> None:
        super().__init__(message)
        self.code = code


def in_a_branch(x):
    if x > 2:
        raise Stop(x % 97)
    return x


def f_string(x):
    raise ValueError(f"bad {x} and {x + 1:5d}")


def percent(x):
    raise ValueError("bad %s of %d" % (x, x + 2))


def formatted(x):
    raise ValueError("bad {} of {:>4}".format(x, x + 2))


def an_argument(x):
    raise Stop(x % 97, "rest")


def attributes(x):
    raise Coded(f"code {x}", x + 1)


def after_effects(x):
    say("before", x)
    raise Stop(f"after {x}")


def from_a_helper(x):
    def fail(y):
        raise Stop(f"in a helper: {y}")

    return fail(x + 1)


def from_another(x):
    try:
        raise KeyError("k", x)
    except KeyError as error:
        raise Stop(f"again {x}") from error


def in_a_loop(x):
    for i in range(x):
        if i == 3:
            raise Stop(f"at {i} of {x}")
    raise Stop(f"behind {x}")


class Checker:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def check(self, x: Any) -> Any:
        if x > self.limit:
            raise Stop("limit {limit}, found {found}".format(limit=self.limit, found=x))
        return x


def in_a_method(x):
    return Checker(4).check(x)


@pytest.mark.parametrize(
    "program",
    [
        in_a_branch, f_string, percent, formatted, an_argument, attributes, after_effects, from_a_helper, from_another,
        in_a_loop, in_a_method,
    ],
)  # fmt: skip
def test_the_values_are_shown(program: Callable[..., Any]) -> None:
    assert_alike(program, -7, 0, 3, 5, 100)
    if program is percent:  # in which an eager tensor shows more than the number
        return
    staged = tf.function(program)
    for x in (-7, 0, 3, 5, 100):
        expected, _ = observe(program, tf.constant(x))
        result, _ = observe(staged, tf.constant(x))
        assert str(result) == str(expected), "the text is that of eager code"


def test_what_holds_no_tensor_is_raised_while_tracing() -> None:
    def program(x):
        raise ValueError(f"rank {x.shape.rank} is not wanted")

    with pytest.raises(ValueError, match="rank 0 is not wanted"):
        tf.function(program).get_concrete_function(tf.constant(1))
