"""Lists and dicts as operands of `and` and `or`: the value is the very object, and neither of them changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same


def list_that_may_be_none(x, y):
    left, right = [x, 2], [1, 2, 3]
    for _ in range(y):
        left.append(2)
    found = left if x < 1 else None
    return len(found or right), len(left), len(right)


def with_itself(x, y):
    left = [x, 2]
    for _ in range(y):
        left.append(2)
    found = left if x < 1 else None
    both = found and left
    return 0 if both is None else len(both), len(left)


def changed_after_or(x, y):
    left, right = [x, 2], [7]
    for _ in range(y):
        if len(left) > 0:
            left.pop()
    found = left or right
    found.append(3)
    return len(found), len(left), len(right)


def changed_after_and(x, y):
    left, right = [x, 2], [7]
    for _ in range(y):
        if len(left) > 0:
            left.pop()
    found = left and right
    found.append(3)
    return len(found), len(left), len(right)


def dicts(x, y):
    left, right = {1: x}, {2: y}
    found = (left if x > 3 else None) or right
    found[5] = 3
    return len(found), len(left), len(right)


def in_a_finally(x, y):
    left, right, found = [x, 2], [y, 5, 1], [x, x]
    try:
        if x % 2 == 1:
            raise ValueError
        left += [1]
    except ValueError:
        pass
    else:
        found = left if x < 1 else None
    finally:
        y += len(found or right)
    return y, len(left)


PROGRAMS = [list_that_may_be_none, with_itself, changed_after_or, changed_after_and, dicts, in_a_finally]


@pytest.mark.parametrize("program", PROGRAMS)
def test_operands(program: Callable[..., Any]) -> None:
    assert_same(program, (34, 5), (1, 5), (0, 5), (-2, 1), (4, 0))
