"""match on tensors among other statements: generators, exceptions, values that may be None, lists, named tuples."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same


def none(n):
    best = None
    if n > 2:
        best = n
    match best:
        case None:
            return 0
        case 5:
            return 55
        case b:
            return b


NT = namedtuple("NT", "a b")


def nts(n):
    p = NT(n, n + 1)
    for i in range(n):
        match p:
            case NT(a=2, b=b):
                p = NT(b, i)
            case NT(a, b) if a > b:
                p = NT(a - b, b)
            case (a, b):
                p = NT(b + 1, a)
    return p.a, p.b


def guard_side(n):
    log = 0
    match n:
        case k if (log := log + 1) > 5:
            pass
        case 1 | 2 if (m := n * 2) > 2:
            log += m
        case _ if n > 3 and n < 10:
            log += 100
    return log


def try_in_arm(n):
    r = 0
    match n:
        case 0:
            try:
                r = 10
                raise ValueError("x")
            except ValueError:
                r += 1
            finally:
                r += 5
        case k if k > 0:
            while True:
                k -= 1
                if k < 2:
                    break
            r = k
    return r


def listed(n):
    out = []
    for i in range(4):
        match i + n:
            case 3:
                out.append(n)
            case [x]:
                out.append(0)
            case j:
                out.append(j)
    return out[0], out[-1], len(out)


def default_state(n):
    match n:
        case 0:
            y = 1
    if n == 0:
        return y
    return 5


def seq_capture_state(n, m):
    a = b = 0
    for i in range(n):
        match [i, m]:
            case [0, a]:
                b += 1
            case [a, 2] | [2, a]:
                b += 2
            case [_, *rest]:
                b += rest[0]
    return a, b


def floats(x):
    match x:
        case 0:
            return 1.0
        case 1.5 | 2:
            return 2.0
        case v if v > 0:
            return v
        case _:
            return -x


def numbers(k):
    match k:
        case 0:
            yield 1
            yield 2
        case [a, b] if a > b:
            yield a
        case x if x > 2:
            yield x


def gen(n):
    r = 0
    for v in numbers(n):
        match v:
            case 1:
                r += 10
            case w:
                r += w
    return r


def mixed(n):
    match n:
        case None:
            return 3
        case 3 | None:
            return 4
        case [_, _] | [_]:
            return 5
        case {'a': _} | str():
            return 6
        case True:
            return 7
    return 8


def shadow(n):
    match = case = n
    match match:
        case 0:
            return case
        case match:
            case = match + 1
    _ = 5
    match case:
        case 2 | 3:
            return _
    return match * 100 + case * 10 + _


PLACES = [none, guard_side, try_in_arm, listed, default_state, nts, gen, mixed, shadow]


@pytest.mark.parametrize("function", PLACES, ids=lambda f: f.__name__)
def test_each_place(function: Callable[..., Any]) -> None:
    assert_same(function, 0, 1, 2, 3, 5, 7)


def test_captures_that_are_state_of_a_loop() -> None:
    assert_same(seq_capture_state, *((n, m) for n in range(4) for m in range(4)))


def test_floats() -> None:
    assert_same(floats, 0.0, 1.5, 2.0, 3.25, -1.0)
