"""Assertions: `ag__.assert_stmt`, decided by the owner of the test.

Example:
    assert_stmt(x > 0, lambda: f"x is {x}")  # the message is evaluated only if the test fails
"""

from __future__ import annotations

from typing import Any

from autograph.operators.stager import PYTHON, Thunk, stager_of
from autograph.operators.truth import asked

__all__ = ["assert_stmt"]


def assert_stmt(test: Any, message: Thunk | None) -> None:
    """`assert test, message()`; `message` is None where the statement has no message."""
    if test is not True:
        test = asked(test) if stager_of(test) is PYTHON else test
        stager_of(test).assert_stmt(test, message)
