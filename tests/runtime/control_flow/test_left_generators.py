"""Generators over values of Python that a tensor ends, where all their items go into one: `list(g(x))`."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


def until(items: Any, most: Any) -> Any:
    for item in items:
        yield item
        if item > most:
            break


def some_until(items: Any, most: Any) -> Any:
    for place, item in enumerate(items):
        if item > 0:
            yield item * place
        if item > most:
            return


def before(items: Any, most: Any) -> Any:
    for item in items:
        if item > most:
            break
        yield item + 1


USES = {
    "list": list,
    "comprehension": lambda items: [v * 2 for v in items],
    "with a condition": lambda items: [v for v in items if v != 3],
    "sorted": lambda items: sorted(items),
    "sum": sum,
    "dict": lambda items: {k: 1 for k in items},
    "joined": lambda items: "".join(str(v) for v in items),
    "of others": lambda items: [w for v in items for w in range(v)],
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("generator", [until, some_until, before], ids=lambda g: g.__name__)
def test_its_items_end_where_the_tensor_says(generator: Any, use: str) -> None:
    of = USES[use]

    def program(a: Any, b: Any, c: Any, most: Any) -> Any:
        return of(generator([a, b, c], most))

    staged = tf.function(program)
    for values in ((1, 2, 3), (3, 0, 1), (5, 5, 5), (0, 0, 0)):
        for most in (-1, 1, 9):
            found = staged(*map(tf.constant, (*values, most)))
            assert alike(plain(found), plain(program(*values, most))), (values, most)
