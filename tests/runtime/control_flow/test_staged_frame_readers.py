"""`eval`, `exec`, `locals`, `vars` and `dir` in staged code show the names of the user, with their values there."""

from __future__ import annotations

import pytest

import runtime as tf
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
    return total, vars()["unused"], len([name for name in dir() if name in ("n", "total", "unused")])


def reads_a_name_of_one_branch(n):
    if n > 2:
        extra = n
    return eval("extra + 1"), locals()["extra"]


def test_frame_readers_in_staged_code() -> None:
    assert_same(lambda n: (eval("n + 1"), locals()["n"]) if n > 1 else (0, 0), 1, 2)
    assert_same(reads_names, 0, 1, 3)
    assert_same(reads_a_name_of_one_branch, 3, 5)
    staged = tf.function(reads_a_name_of_one_branch)
    with pytest.raises(UnboundLocalError, match="extra"):
        staged(tf.constant(1))
