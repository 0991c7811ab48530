"""Iterators of Python that a tensor's decision has left before their end: going on with them is refused, for Python has
gone through all of it. What no tensor has left goes on as in Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import assert_same

ITERATORS: dict[str, Callable[[], Iterator[Any]]] = {
    "list": lambda: iter([1, 2, 3, 4]),
    "range": lambda: iter(range(1, 5)),
    "dict": lambda: iter({1: 2, 2: 3, 3: 4, 4: 5}),
    "reversed": lambda: reversed([4, 3, 2, 1]),
    "map": lambda: map(abs, [1, 2, 3, 4]),
    "filter": lambda: filter(None, [1, 2, 3, 4]),
    "chain": lambda: itertools.chain([1, 2], [3, 4]),
    "islice": lambda: itertools.islice([1, 2, 3, 4], 4),
    "generator expression": lambda: (k for k in [1, 2, 3, 4]),
}

AROUND: dict[str, Callable[[Any], Any]] = {
    "enumerate": enumerate,
    "zip": lambda items: zip(items, [5, 6, 7, 8]),
    "zip of itself": lambda items: zip(items, items),
    "map of two": lambda items: map(lambda *pair: pair, items, [5, 6, 7, 8]),
}

GOING_ON: dict[str, Callable[[Any, Any], Any]] = {
    "next": lambda items, n: next(items, -1),
    "its method": lambda items, n: items.__next__(),
    "list": lambda items, n: list(items),
    "sum": lambda items, n: sum(items),
    "display": lambda items, n: [*items],
    "tuple": lambda items, n: (*items,),
    "arguments": lambda items, n: max(*items),
    "in": lambda items, n: 9 in items,
    "comprehension": lambda items, n: [v for v in items],
    "generator expression": lambda items, n: sum(v for v in items),
    "enumerate": lambda items, n: list(enumerate(items)),
    "any": lambda items, n: any(v > n for v in items),
}


def left(items, n):
    s = 0
    for v in items:
        if v > n:
            break
        s += v
    return s


def left_by_any(items, n):
    return any(v > n for v in items)


def left_by_all(items, n):
    return all(v < n for v in items)


def left_by_return(items, n):
    for v in items:
        if v > n:
            return v
    return 0


LEAVING = [left, left_by_any, left_by_all, left_by_return]


def refused(program: Callable[..., Any], *values: Any) -> None:
    with pytest.raises(StagingError, match="cannot be gone on with"):
        tf.function(program)(*map(tf.constant, values))


@pytest.mark.parametrize("kind", ITERATORS)
def test_of_each_kind(kind: str) -> None:
    make = ITERATORS[kind]

    def program(n):
        items = make()
        return left(items, n), next(items, -1)

    refused(program, 2)


@pytest.mark.parametrize("leave", LEAVING)
def test_left_in_each_way(leave: Callable[..., Any]) -> None:
    def program(n):
        items = iter([1, 2, 3, 4])
        return leave(items, n), next(items, -1)

    refused(program, 2)


def tuple_of_the_rest(n):
    items = iter([1, 2, 3, 4])
    for v in items:
        if v > n:
            break
    return (0, *items)


def arguments_of_a_function(n):
    items = iter([1, 2, 3, 4])
    for v in items:
        if v > n:
            break
    return left(*items)


def arguments_of_a_builtin(n):
    holder = {"items": iter([1, 2, 3, 4])}
    for v in holder["items"]:
        if v > n:
            break
    return max(0, *holder["items"])


def arguments_of_a_method(n):
    items = iter([1, 2, 3, 4])
    if any(v > n for v in items):
        return "{} {}".format(*items)
    return ""


@pytest.mark.parametrize(
    "program", [tuple_of_the_rest, arguments_of_a_function, arguments_of_a_builtin, arguments_of_a_method]
)
def test_gone_on_behind_a_star(program: Callable[..., Any]) -> None:
    refused(program, 2)


@pytest.mark.parametrize("use", GOING_ON)
def test_gone_on_in_each_way(use: str) -> None:
    go_on = GOING_ON[use]

    def program(n):
        items = iter([1, 2, 3, 4])
        left(items, n)
        return go_on(items, n)

    refused(program, 2)


@pytest.mark.parametrize("kind", AROUND)
def test_an_iterator_inside_of_another(kind: str) -> None:
    around = AROUND[kind]

    def program(n):
        items = iter([1, 2, 3, 4])
        s = 0
        for i, v in around(items):
            if v > n:
                break
            s += i
        return s, next(items, -1)

    refused(program, 2)


def test_gone_on_by_another_loop() -> None:
    def program(n):
        items = iter([1, 2, 3, 4])
        s = left(items, n)
        for v in items:
            s += 10 * v
        return s

    refused(program, 2)


def test_gone_on_by_the_loop_around() -> None:
    def program(n):
        items = iter([1, 2, 3, 4])
        s = 0
        for v in items:
            for w in items:
                if w > n:
                    break
                s += w
            s += 100 * v
        return s

    refused(program, 2)


def test_unpacked() -> None:
    def program(n):
        items = iter([1, 2, 3, 4])
        left(items, n)
        first, *rest = items
        return first, len(rest)

    refused(program, 2)


def long(n):
    items = iter(range(200))
    for v in items:
        if v > n:
            break
    return next(items, -1)


def test_one_loop_of_the_graph() -> None:
    refused(long, 2)


# -- what goes on


def to_its_end(n):
    items, s = iter([1, 2, 3, 4]), 0
    for v in items:
        s += v * n
    return s, next(items, -1)


def left_by_python(n):
    items, s = iter([1, 2, 3, 4]), 0
    for v in items:
        if v == 2:
            break
        s += v * n
    return s, next(items, -1), sum(items) * n


def a_list_again(n):
    items, s = [1, 2, 3, 4], 0
    for v in items:
        if v > n:
            break
        s += v
    for v in items:
        s += 10 * v
    return s


def by_position(n):
    """What the refusal says to do."""
    items, at, s = list(iter([1, 2, 3, 4])), 0, 0
    for v in items:
        at += 1
        if v > n:
            break
        s += v
    for i in range(len(items)):
        if i >= at:
            s += 10 * items[i]
    return s


def in_one_loop(n):
    """What it says, too."""
    is_left, s = False, 0
    for v in iter([1, 2, 3, 4]):
        if is_left:
            s += 10 * v
        elif v > n:
            is_left = True
        else:
            s += v
    return s


@pytest.mark.parametrize("program", [to_its_end, left_by_python, a_list_again, by_position, in_one_loop])
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 2, 3, 9)


def test_of_a_zip_one_part_of_which_is_at_its_end() -> None:
    def program(n):
        items = iter([1, 2, 3, 4])
        pairs = itertools.zip_longest(items, [5])
        s = 0
        for v, w in pairs:
            if v > n:
                break
            s += v
        return s, next(items, -1)

    refused(program, 2)
