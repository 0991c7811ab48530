"""Loops over what has no end, left by a tensor, are staged where the items can be computed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf


def first_square(n: Any) -> Any:
    for i in itertools.count(1):
        if i * i > n:
            return i


def in_steps(n: Any) -> Any:
    for i in itertools.count(100, -7):
        if i < n:
            break
    return i


def from_a_tensor(n: Any) -> Any:
    for i in itertools.count(n, 3):
        if i % 5 == 4:
            return i


def summed(n: Any) -> Any:
    total = 0
    for i in itertools.count():
        if total > n:
            break
        if i % 3 == 0:
            continue
        total += i
    return total


def in_turn(n: Any) -> Any:
    total = 0
    for v in itertools.cycle([1, 2, 5]):
        if total > n:
            break
        total += v
    return total


def in_turn_over_pairs(n: Any) -> Any:
    total = 0
    for a, b in itertools.cycle([(1, 2), (3, -1)]):
        total += a * b + 2
        if total > n:
            return total, a


def the_same_again(n: Any) -> Any:
    total = n
    for v in itertools.repeat(3):
        total -= v
        if total < 0:
            return total


def as_often_as(n: Any) -> Any:
    total = 0
    for v in itertools.repeat(3, n):
        total += v
    return total


def zipped(n: Any) -> Any:
    for i, v in zip(itertools.count(), itertools.cycle([1, -1])):
        if v * i > n:
            return i


def numbered(n: Any) -> Any:
    for k, i in enumerate(itertools.count(2, 2)):
        if i * k > n:
            return k


def mapped(n: Any) -> Any:
    for v in map(lambda i: i * i, itertools.count()):
        if v > n:
            return v


def filtered(n: Any) -> Any:
    for v in filter(lambda i: i % 3 == 0, itertools.count()):
        if v > n:
            return v


def in_a_generator_expression(n: Any) -> Any:
    return next(i for i in itertools.count() if i * i > n)


def any_of_all(n: Any) -> Any:
    return any(i * i > n for i in itertools.count())


def nested(n: Any) -> Any:
    for i in itertools.count(1):
        for j in itertools.count(i):
            if i * j > n:
                return i + j
            if j > 2 * i:
                break


def gone_on_with(n: Any) -> Any:
    it = itertools.count(1)
    for i in it:
        if i * i > n:
            break
    return next(it) + i


def beside_a_list(n: Any) -> Any:
    found = -1
    for i, name in zip(itertools.count(), ["a", "bb", "ccc"]):
        if len(name) > n:
            found = i
            break
    return found


def ended_by_python(n: Any) -> Any:
    names = ["a", "b", "c"]
    for i in itertools.count():
        if names[i] == "c":
            break
    return i + n


def first_by_python(n: Any) -> Any:
    kinds = []
    for i in itertools.count():
        kinds.append(type(i).__name__)
        if i == 2:
            break
    return n if kinds == ["int"] * 3 else -n


def raised(n: Any) -> Any:
    last = 0
    try:
        for i in itertools.count():
            last = i
            if i * 2 > n:
                raise ValueError
    except ValueError:
        return last


def naturals() -> Iterator[int]:
    i = 0
    while True:
        yield i
        i += 1


def of_a_generator(n: Any) -> Any:
    for v in naturals():
        if v * v > n:
            return v


def of_a_numbered_generator(n: Any) -> Any:
    for k, v in enumerate(naturals()):
        if v * v > n:
            return v + k


def while_true(n: Any) -> Any:
    i = 0
    while True:
        i += 1
        if i * i > n:
            return i


def a_list_that_grows(n: Any) -> Any:
    items: list[Any] = []
    while True:
        items.append(len(items))
        if len(items) > n:
            return items[-1]


def islice(n: Any) -> Any:
    for v in itertools.islice(itertools.count(), 2, 50):
        if v > n:
            return v
    return -1


STAGED = [
    first_square, in_steps, from_a_tensor, summed, in_turn, in_turn_over_pairs, the_same_again, as_often_as, zipped,
    numbered, mapped, filtered, in_a_generator_expression, any_of_all, nested, gone_on_with, beside_a_list,
    ended_by_python, first_by_python, raised, of_a_generator, of_a_numbered_generator, while_true, a_list_that_grows,
    islice,
]  # fmt: skip


@pytest.mark.parametrize("program", STAGED)
def test_it_ends_where_python_ends(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (2, 7, 30):
        np.testing.assert_array_equal(staged(tf.constant(n)), program(n))
    assert staged.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("program", [first_square, in_turn, the_same_again, mapped])
def test_how_long_it_goes_on_is_no_matter_of_the_trace(program: Callable[[Any], Any]) -> None:
    graph = tf.function(program).get_concrete_function(tf.TensorSpec([], tf.int64)).graph
    assert len(graph.operations) < 60


class _Counted:
    def __init__(self, step):
        self.step, self.seen = step, 0


def tensors_and_numbers_in_turn(n: Any) -> Any:
    together = sum(a * b for a, b in zip(itertools.cycle([n, 1.0]), [1.0, 2.0, 3.0], strict=False))
    rows = [row[0] * row[1] for _, row in zip(range(3), itertools.cycle([(n, 1), (2.0, 3)]), strict=False)]
    total = 0
    for step in itertools.cycle([n, 2.0, 3]):
        total = total + step
        if total > 20:
            break
    return together, rows, total


def objects_in_turn(n: Any) -> Any:
    total, steps = 0, [_Counted(n), _Counted(2.0)]
    for step in itertools.cycle(steps):
        total = total + step.step
        step.seen += 1
        if total > 9:
            break
    return total, steps[0].seen, steps[1].seen


@pytest.mark.parametrize("program", [tensors_and_numbers_in_turn, objects_in_turn], ids=lambda f: f.__name__)
def test_items_of_several_types_in_turn(program: Callable[..., Any]) -> None:
    def plain(value: Any) -> Any:
        return list(map(plain, value)) if isinstance(value, tuple | list) else float(value)

    function = tf.function(program)
    for n in (1.0, 3.0):
        assert plain(function(tf.constant(n))) == plain(program(n))
