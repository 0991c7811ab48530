"""Python iterators around staged code: outside of it they are used as ever, inside of it they may not move."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import assert_same


def numbers() -> Iterator[int]:
    yield 1
    yield 2
    yield 3


def same_line_again() -> Iterator[int]:
    for _ in (7, 7, 7):
        yield 7


ITERATORS: dict[str, Callable[[], Iterator[Any]]] = {
    "list": lambda: iter([1, 2, 3]),
    "tuple": lambda: iter((1, 2, 3)),
    "dict": lambda: iter({1: 2, 2: 3}),
    "range": lambda: iter(range(1, 4)),
    "reversed": lambda: reversed([3, 2, 1]),
    "generator": numbers,
    "generator that yields one value": same_line_again,
    "generator expression": lambda: (k for k in [1, 2, 3]),
    "map": lambda: map(abs, [1, 2, 3]),
    "filter": lambda: filter(None, [1, 2, 3]),
    "zip": lambda: zip([1, 2], [3, 4], strict=True),
    "enumerate": lambda: enumerate([1, 2, 3], 1000),
    "count": lambda: itertools.count(1),
    "islice": lambda: itertools.islice([1, 2, 3], 3),
    "chain": lambda: itertools.chain([1, 2], [3]),
    "chain in its second part": lambda: moved(itertools.chain([1], [2, 3])),
    "cycle": lambda: itertools.cycle([1, 2, 3]),
    "repeat": lambda: itertools.repeat(1, 3),
    "accumulate": lambda: itertools.accumulate([1, 2, 3]),
    "starmap": lambda: itertools.starmap(max, [(1, 2), (3, 4)]),
    "takewhile": lambda: itertools.takewhile(bool, [1, 2, 3]),
    "pairwise": lambda: itertools.pairwise([1, 2, 3]),
    "product": lambda: itertools.product([1, 1], [1, 1]),
    "permutations": lambda: itertools.permutations([1, 1]),
    "tee": lambda: itertools.tee([1, 2, 3])[0],
    "zip_longest": lambda: itertools.zip_longest([1, 2, 3], [4]),
    "zip_longest, one part of which is at its end": lambda: moved(moved(itertools.zip_longest([1, 2, 3], [4]))),
    "calls of a function": lambda: iter(iter([1, 2, 3]).__next__, 5),
}


def moved(items: Iterator[Any]) -> Iterator[Any]:
    next(items)
    return items


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_an_iterator_may_not_move_in_a_branch(make: Callable[[], Iterator[Any]]) -> None:
    def program(n):
        items = make()
        if n > 0:
            n += 1
            next(items)
        else:
            next(items)
        return n

    with pytest.raises(StagingError, match=r"the iterator of the variable 'items' is changed inside a branch"):
        tf.function(program)(tf.constant(1))


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_an_iterator_may_not_move_in_a_loop(make: Callable[[], Iterator[Any]]) -> None:
    def program(n):
        items = make()
        for _ in range(n):
            next(items)
        return n

    # The second: of iterators of which nothing says where they are, which is so from Python 3.14 on.
    told = r"the iterator of the variable .items. is changed inside the body|.items. gives another value each time"
    with pytest.raises(StagingError, match=told):
        tf.function(program)(tf.constant(1))


TAKING: dict[str, Callable[[Any], Any]] = {
    "next": lambda items: next(items),
    "its method": lambda items: items.__next__(),
    "list": lambda items: list(items),
    "sum": lambda items: sum(items),
    "display": lambda items: [*items],
    "comprehension": lambda items: [v for v in items],
    "unpacked": lambda items: unpacked(items),
    "in": lambda items: 2 in items,
    "loop": lambda items: gone_through(items),
    "inside of another": lambda items: next(zip(items, [5, 6, 7])),
    "of a library": lambda items: collections.deque(items),
}


def unpacked(items: Any) -> Any:
    first, *rest = items
    return first, len(rest)


def gone_through(items: Any) -> Any:
    s = 0
    for v in items:
        s += v
    return s


@pytest.mark.parametrize("take", TAKING.values(), ids=TAKING)
def test_an_iterator_has_not_moved_where_that_is_refused(take: Callable[[Any], Any]) -> None:
    items = iter([1, 2, 3])

    def in_a_branch(n):
        if n > 0:
            take(items)
        return n

    def in_a_loop(n):
        for _ in range(n):
            take(items)
        return n

    said = r"the iterator .*'items' is changed.*Take its items before the statement"
    for program in (in_a_branch, in_a_loop):
        with pytest.raises(StagingError, match=said):
            tf.function(program)(tf.constant(1))
    assert list(items) == [1, 2, 3]


def test_a_list_of_its_items_in_its_place() -> None:
    """What the refusal says to do."""

    def program(n):
        items, at, s = list(iter([1, 2, 3])), 0, 0
        if n > 0:
            s += items[at]
            at += 1
        for _ in range(n - 1):
            s += 10 * items[at]
            at += 1
        return s, at

    assert_same(program, 0, 1, 2, 3)


def test_iterators_that_do_not_move_are_no_matter() -> None:
    def program(n):
        items = enumerate(numbers(), 1000)
        total = 0
        for place, k in items:
            if n > k:
                total += k * place
        rest = iter([4, 5])
        first = next(rest)
        while n > 0:
            inside = iter([1, 2])
            n -= next(inside)
            total += first
        return total + next(rest)

    assert_same(program, 0, 2, 5)
