"""`eval`, `exec`, `locals`, `vars` and `dir` in staged code show the names of the user, with their values there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import assert_same


def reads_names(n):
    total, unused = 0, 5
    if n > 2:
        extra = n + eval("unused")
        total = eval("extra + n")
    for i in range(n):
        total += eval("i * 2")
        step = eval("total + i")
    exec("total = 100")
    return total, vars()["unused"], len([name for name in ("n", "total", "unused", "none") if name in locals()])


def reads_a_name_of_one_branch(n):
    if n > 2:
        extra = n
    return eval("extra + 1"), locals()["extra"]


def asks_for_a_name(n):
    if n > 2:
        extra = n
    return n if "extra" in locals() else -n


def counts_names(n):
    if n > 2:
        extra = n
    return len(locals())


def lists_names(n):
    if n > 2:
        extra = n
    return len(dir())


def takes_all(n):
    if n > 2:
        extra = n
    return len({**locals()})


def takes_one_or(n):
    if n > 2:
        extra = n
    return locals().get("extra", 0)


@pytest.mark.parametrize("function", [asks_for_a_name, counts_names, lists_names, takes_all, takes_one_or])
def test_which_variables_there_are_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="whether 'extra' has a value depends on a tensor"):
        tf.function(function)(tf.constant(3))


def test_frame_readers_in_staged_code() -> None:
    assert_same(lambda n: (eval("n + 1"), locals()["n"]) if n > 1 else (0, 0), 1, 2)
    assert_same(reads_names, 0, 1, 3)
    assert_same(reads_a_name_of_one_branch, 3, 5)
    staged = tf.function(reads_a_name_of_one_branch)
    with pytest.raises(UnboundLocalError, match="extra"):
        staged(tf.constant(1))
