"""match on tensors against Python's own: values, structure, guards, what is bound, jumps in the arms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass
class Point:
    x: Any
    y: Any = 0


def values(n):
    match n:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case Level.HIGH:
            return 30
        case -1:
            return 40
        case _:
            return 50


def arms_assign(n):
    a, b = 1, 2
    match n:
        case 0:
            a = n + 5
        case 1:
            b = n + 6
            a = b
        case k if k > 3:
            b = k
    return a, b


def nothing_taken(n):
    r = 7
    match n:
        case 100:
            r = 8
    return r


def guards(n):
    match n:
        case 0 | 1 | 2 as k if k % 2 == 0:
            return k + 100
        case 2 | 3:
            return 200
        case k if k < 0:
            return -k
        case other if other > 4:
            r = other * 2
        case rest:
            r = rest
    return r + 1


def bound_where_guard_fails(n):
    k = -7
    match n:
        case 1 | 2 | 3 as k if n > 2:
            return 100
    return k


def bound_in_one_arm(n):
    match [n, 2]:
        case [0, a]:
            r = a
        case [1, b] if b > 1:
            r = b * 10
        case [c, _]:
            r = c
    return r


def pairs(n, m):
    match (n, m):
        case (0, 0):
            return 1
        case (0, y) if y > 2:
            return y
        case (x, 0) | (0, x):
            return x * 100
        case [x, y]:
            return x + y


def chosen_captures(n, m):
    match [n, [m, 5]]:
        case [0, [a, b]] | [a, [0, b]] | [b, [a, 5]]:
            return a, b


def objects(n, m):
    match Point(n, m):
        case Point(x=0, y=t):
            return t
        case Point(1, 2 | 3):
            return 23
        case Point(x, y) if x > y:
            return x - y
        case Point(y=z):
            return z * 1000


def mappings(n, m):
    match {"kind": "add", "left": n, "right": {"value": m}}:
        case {"kind": "sub"}:
            return -1
        case {"kind": "add", "left": 0, "right": r}:
            return r["value"]
        case {"left": a, "right": {"value": 1 | 2 as b}, **others}:
            return a * 10 + b + len(others)
        case {"right": {"value": b}}:
            return b


def in_a_loop(n):
    total, seen = 0, 0
    for i in range(n):
        match i % 4:
            case 0:
                continue
            case 1:
                total += i
            case 2 if total > 20:
                break
            case k:
                total += k * 100
        seen += 1
    return total, seen


def in_a_while_with_return(n):
    while n > 0:
        match n:
            case 5:
                return 55
            case 10 | 9:
                n -= 3
            case _:
                n -= 1
    return n


def nested(n, m):
    match n:
        case 0:
            match m:
                case 0:
                    r = 1
                case k:
                    r = k + 1
        case j if j > 1:
            r = 5
            if m > 2:
                match [m, j]:
                    case [3, q] | [q, 2]:
                        r = q
        case _:
            r = 6
    return r


def effects(n):
    match n:
        case 0:
            say("zero")
        case 1 | 2 as k:
            say("few", k)
        case _:
            say("many")
    return n


def bools(n):
    done = False
    i = 0
    while i < n:
        match done:
            case False:
                i += 1
            case True:
                i += 2
        done = i > 2
    return i


def called(n):
    def inner(v):
        match v:
            case [0, w] if w > 1:
                return w
            case [v, _]:
                return v

    pick = lambda v: inner([v, 3])
    return inner([n, n]) + pick(n)


class Machine:
    def __init__(self, n):
        self.n = n

    def step(self):
        match self.n:
            case 0:
                self.n = 5
            case 1 | 2:
                self.n += 1
        return self.n


def in_a_method(n):
    machine = Machine(n)
    machine.step()
    return machine.step()


ONE = [values, arms_assign, nothing_taken, guards, bound_where_guard_fails, bound_in_one_arm, in_a_loop,
       in_a_while_with_return, effects, bools, called, in_a_method]  # fmt: skip
TWO = [pairs, chosen_captures, objects, mappings, nested]


@pytest.mark.parametrize("function", ONE, ids=lambda f: f.__name__)
def test_one_tensor(function: Callable[..., Any]) -> None:
    assert_same(function, -1, 0, 1, 2, 3, 4, 5, 6, 10, 17)


@pytest.mark.parametrize("function", TWO, ids=lambda f: f.__name__)
def test_two_tensors(function: Callable[..., Any]) -> None:
    assert_same(function, *((n, m) for n in (0, 1, 2, 5) for m in (0, 1, 2, 3)))


def rows(t):
    match t:
        case [a]:
            return a
        case [0, b]:
            return b
        case [a, b] if a > b:
            return a - b
        case [a, *rest, 9]:
            return a + rest[0]
        case [a, *_]:
            return -a
        case _:
            return 1000


@pytest.mark.parametrize("shown", [[3], [0, 4], [5, 4], [4, 5], [1, 2, 3, 9], [1, 2, 3], 6])
def test_a_tensor_is_a_sequence_of_its_rows(shown: Any) -> None:
    assert_same(rows, (shown,))
    if shown != 6:
        assert int(rows(tf.constant(shown))) == rows(shown), "in plain Python too"
