"""`finally` around staged code, and what a `try` in a graph cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import say
from tests.runtime.raising import assert_alike

INPUTS = (-7, -3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 12)


def positive(x, text="not positive"):
    if x <= 0:
        raise ValueError(text)
    return x


# -- finally -----------------------------------------------------------------------------------------------------------


def cleanup(x):
    try:
        y = positive(x)
        say("done")
    finally:
        say("finally", x)
    return y


def cleanup_with_handlers(x):
    y = 0
    try:
        if x > 5:
            raise KeyError("k")
        y = positive(x)
    except KeyError:
        y = 50
        say("handler")
    else:
        say("else")
        y += positive(3 - x)
    finally:
        say("finally", x)
    return y


def cleanup_reads_what_only_it_reads(x):
    seen = y = 0
    try:
        y = positive(x)
    except ValueError:
        say("handler")
    else:
        y += 10
        say("else")
    finally:
        seen = y * 2
    return seen


def cleanup_that_assigns(x):
    state = 0
    try:
        try:
            positive(x)
            state = 1
        finally:
            state = 2
    except ValueError:
        say("caught")
    return x + 10


def cleanup_of_a_return(x):
    try:
        if x > 3:
            return x
        y = positive(x)
    finally:
        say("finally")
    return y + 100


def cleanup_in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 5:
                break
            total += i
            if total > 8:
                raise OverflowError
        finally:
            say("after", i)
    return total


def cleanup_that_raises(x):
    try:
        positive(x)
    finally:
        if x < -2:
            raise KeyError("instead")
    return x


def cleanup_around_handlers_that_raise(x):
    try:
        try:
            positive(x)
        except ValueError as error:
            raise LookupError("again") from error
        finally:
            say("inner")
    finally:
        say("outer")
    return x


def returns_in_the_cleanup(x):
    try:
        positive(x)
        if x > 3:
            return 100
    finally:
        return 3 * x


def returns_in_a_branch_of_the_cleanup(x):
    y = 0
    try:
        y = 1
        positive(x)
        y = 2
    finally:
        say("finally", y)
        if x < -2:
            return y + 10
    return y


def breaks_in_the_cleanup(n):
    total = 0
    for i in range(n):
        try:
            total += i
            positive(3 - i)
            total += 10
        finally:
            if total > 40:
                break
    else:
        total = -total
    return total


def continues_in_the_cleanup(n):
    total = 0
    for i in range(n):
        try:
            if i == 2:
                break
            positive(i - 1)
            total += 10
        except ValueError:
            total += 1
            raise KeyError("again")
        finally:
            total += 100
            if i < 6:
                continue
    return total


def drops_what_python_raises(x):
    for i in range(3):
        try:
            [][i]
        finally:
            if x > i:
                break
    return x


@pytest.mark.parametrize(
    "program",
    [
        cleanup, cleanup_with_handlers, cleanup_reads_what_only_it_reads, cleanup_that_assigns, cleanup_of_a_return,
        cleanup_in_a_loop,
        cleanup_that_raises, cleanup_around_handlers_that_raise, returns_in_the_cleanup,
        returns_in_a_branch_of_the_cleanup, breaks_in_the_cleanup, continues_in_the_cleanup, drops_what_python_raises,
    ],
)  # fmt: skip
def test_finally_runs_on_both_ways(program: Callable[..., Any]) -> None:
    assert_alike(program, *INPUTS)


# -- refused -----------------------------------------------------------------------------------------------------------


class Bag(set):
    """A set of a class of the user's."""


def adds_to_a_set_before_it_raises(x):
    seen = Bag()
    try:
        seen.add(1)
        positive(x)
    except ValueError:
        seen.add(2)
    return x


def sets_a_row_before_it_raises(x):
    rows = [[1], [2]]
    try:
        rows[0] = [x]
        positive(x)
    except ValueError:
        x = -x
    return rows[0][0]


def keeps_a_list(x):
    parts = [x]
    try:
        parts = [x, x]
        positive(x)
    except ValueError:
        parts = parts + parts
    return parts[0]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (keeps_a_list, ("'parts'", "handler")),
        (adds_to_a_set_before_it_raises, ("'seen'", "`try`")),
        (sets_a_row_before_it_raises, ("'rows'", "`try`")),
    ],
)
def test_what_a_graph_cannot_know_is_refused(program: Callable[..., Any], words: tuple[str, ...]) -> None:
    with pytest.raises(StagingError) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    for word in words:
        assert word in str(error.value)
