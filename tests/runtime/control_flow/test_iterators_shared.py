"""Iterators over tensors that are gone through in several places: where they stand, and who takes their items."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.control_flow.sizes import SIZES, compare


def chunks(t):
    items = iter(t)
    s = 0
    for a, b in zip(items, items):
        s = s * 10 + a * b
    return s


def chunks_of_three(t):
    items = iter(t)
    return [a + b * c for a, b, c in zip(items, items, items)]


def numbered_rest(t):
    items = iter(t)
    s = next(items, 50)
    for i, x in enumerate(items, 1):
        if x > 3:
            break
        s += i * x
    for x in items:
        s += 100 * x
    return s


def mapped_rest(t):
    items = iter(t)
    s = next(items, 50)
    for x in map(lambda v: v * 2, items):
        s += x
    return s, next(items, -1)


def zipped_rest(t):
    items = iter(t)
    s = next(items, 50)
    for x, y in zip(items, t):
        s += x * y
    return s


def by_two_loops(t):
    items = iter(t)
    s = 0
    for x in items:
        for y in items:
            s += x * y
            break
    return s


def search(t):
    items = iter(t)
    found = any(x > 3 for x in items)
    return found, sum(items)


def header(t):
    items = iter(t)
    count = next(items, 0)
    s = 0
    for i, x in zip(range(count), items):
        s += x
    return s


@pytest.mark.parametrize(
    "program",
    [chunks, chunks_of_three, numbered_rest, mapped_rest, zipped_rest, by_two_loops, search, header],
    ids=lambda program: program.__name__,
)
def test_program(program: Any) -> None:
    compare(program, *SIZES)


def lent(t):
    items = iter(t)
    pairs = zip(items, t)
    return next(items, 0), sum(a * b for a, b in pairs)


def test_an_iterator_that_a_zip_took_is_refused() -> None:
    with pytest.raises(StagingError, match="is a part of a 'zip'"):
        tf.function(lent)(tf.constant([1, 2, 3]))


def moved_in_a_branch(t):
    items = iter(t)
    if sum(t) > 4:
        a = next(items, 0)
    else:
        a = -1
    return a * 10 + next(items, 0)


def test_an_iterator_that_moves_in_a_branch_is_right_or_refused() -> None:
    staged = tf.function(moved_in_a_branch, input_signature=[tf.TensorSpec([None], tf.int32)])
    for values in ([1, 2], [4, 1, 3]):
        tensor = tf.constant(values)
        try:
            found = int(staged(tensor))
        except StagingError as error:
            assert "iterator" in str(error)
        else:
            assert found == int(moved_in_a_branch(tensor))
