"""Generators of the user that converted loops go through: their control flow is staged, and so is the loop's body."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import say
from tests.runtime.control_flow.sizes import SIZES, compare


def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


def evens(t):
    for x in t:
        if x % 2 == 0:
            yield x
        else:
            yield x * 10
            if x > 4:
                return
    yield -1


def delegating(t):
    yield 100
    yield from evens(t)
    for x in t:
        yield from count(x)
    yield from [7, 8]


def in_branches(t):
    if len(t) > 2:
        yield t[0]
    elif len(t) > 0:
        for i, x in enumerate(t):
            yield i - x
    else:
        yield 5
        return
    yield 6


def with_else(t):
    for x in t:
        if x == 3:
            yield x
            break
    else:
        yield 50
    yield 60


def forever():
    i = 0
    while True:
        yield i
        i += 2


def counting_python(n):
    for i in range(n):
        yield i


def pairs_of(t):
    for i, x in enumerate(t):
        yield i, x


class Tree:
    """A tree that is known while tracing, with tensors in it."""

    def __init__(self, value, *below):
        self.value = value
        self.below = below

    def __iter__(self):
        return self.walk()

    def walk(self):
        yield self.value
        for tree in self.below:
            if self.value > 2:
                yield from tree.walk()

    def doubled(self, *, times=2):
        for value in self.walk():
            yield value * times


def total(t):
    s = 0
    for x in evens(t):
        s = s * 3 + x
    return s


def over_delegation(t):
    s = 0
    for x in delegating(t):
        s = s * 2 + x
    return s


def over_branches(t):
    s = 0
    for x in in_branches(t):
        s = s * 7 + x
    return s


def over_else(t):
    s = 0
    for x in with_else(t):
        s = s * 7 + x
    return s


def leaves_by_break(t):
    s = 0
    for x in delegating(t):
        if s > 120:
            break
        s += x
    else:
        s = -s
    return s


def leaves_by_return(t):
    for i, x in enumerate(evens(t)):
        if x > 10:
            return i * 100 + x
    return -1


def goes_on(t):
    s = 0
    for x in evens(t):
        if x == 4:
            continue
        s = s * 3 + x
    return s


def stops_forever(t):
    s = 0
    for i in forever():
        if i > len(t):
            break
        s += i
    return s


def two_loops(t):
    s = 0
    for x in evens(t):
        for y in count(x % 4):
            if y == 2:
                break
            s += x * y
        s += 1
    return s


def two_at_once(t):
    s = 0
    for x, i in zip(t, counting_python(3)):
        s += x * i
    return s


def test_two_at_once_are_python() -> None:
    staged = tf.function(two_at_once)
    for values in SIZES:
        tensor = tf.constant(values, tf.int32)
        assert int(staged(tensor)) == int(two_at_once(tensor))


def three_deep(t):
    def outer(limit):
        for x in t:
            for y in count(x):
                if y > limit:
                    return
                yield x + y

    def outermost():
        for x in outer(3):
            if x == 5:
                return
            yield x

    s = 0
    for x in outermost():
        if s > 20:
            break
        s = s + x
    return s


class Account:
    def __init__(self, t):
        self.t = t
        self.total = 0

    def amounts(self):
        self.total = self.total + 1
        for x in self.t:
            if x > 1:
                self.total = self.total + 10
                yield x


def attributes(t):
    account, other = Account(t), Account(t)
    for x in account.amounts():
        other.total = other.total + x
    return account.total, other.total


def unpacked(t):
    s = 0
    for i, x in pairs_of(t):
        s += i * x
    return s


def of_methods(t):
    n = len(t)
    tree = Tree(n + 1, Tree(n, Tree(7)), Tree(5, Tree(11), Tree(13)))
    s = 0
    for value in tree.walk():
        s = s * 3 + value
    for value in tree.doubled(times=n):
        s += value
    return s


def in_builtins(t):
    large = any(x > 4 for x in count(len(t)))
    return sum(evens(t)), max(evens(t)), [x + 1 for x in evens(t) if x > 0], list(count(len(t))), large


def of_closures(t):
    limit = len(t)

    def below():
        for x in t:
            if x < limit:
                yield x

    s = 0
    for x in below():
        limit = limit + 1
        s += x * limit
    return s


def late_effects(t):
    seen = 0

    def noting():
        nonlocal seen
        for x in t:
            seen = seen + x
            yield seen

    s = 0
    for x in noting():
        s += x
    return s, seen


def in_a_branch(t):
    s = 0
    if sum(t) > 5:
        for x in evens(t):
            s += x
    else:
        for x in count(len(t)):
            s -= x
    return s


def prints(t):
    def noisy():
        say("begin")
        for x in t:
            say("give", x)
            yield x
        say("end")

    s = 0
    for x in noisy():
        say("take", x)
        s += x
        if s > 6:
            break
    return s


def reads_a_variable_of_the_loop(t):
    total = 0
    for x in t:

        def near(n):
            for i in range(n):
                if i >= x:
                    yield i - x

        for y in near(5):
            total += y
    return total


def expressions_left_by_builtins(t):
    """Items of a list of Python's, each of which may raise: those behind the one that decides are not made."""
    n = len(t)
    values = [n, 3, 5]
    first = next((v for v in values if v > n), -1)
    return sum([any(70 // (v - 50) < n for v in values), all(v // (50 - v) < 2 for v in values), first])


PROGRAMS = [
    expressions_left_by_builtins, reads_a_variable_of_the_loop,
    total, over_delegation, over_branches, over_else, leaves_by_break, leaves_by_return, goes_on, stops_forever,
    two_loops, unpacked, three_deep, of_methods, attributes, in_builtins, of_closures, late_effects,
    in_a_branch, prints,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program(program: Any) -> None:
    compare(program, *SIZES)
