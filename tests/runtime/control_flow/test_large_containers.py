"""Containers with ten thousands of elements: a change of any of them in staged code is refused, and taken back."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.one_in import one_in

SIZE = 30_000


def same_address(things):
    things[0] = None
    things[0] = 1e300  # at the address, perhaps, of the number that has just died


def a_late_element(things):
    things[25_000] = 7


def one_more(things):
    things.add(-1)


def objects_in(things):
    things[1].append(5)


CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], None], str]] = {
    "a list at the start": (lambda: [float(i) for i in range(SIZE)], same_address, "the list of the variable"),
    "a list at the end": (lambda: [float(i) for i in range(SIZE)], a_late_element, "the list of the variable"),
    "the value of a key": (lambda: {i: float(i) for i in range(SIZE)}, a_late_element, "the dict of the variable"),
    "a set": (lambda: set(range(SIZE)), one_more, "the set of the variable"),
    "bytes": (lambda: bytearray(SIZE), a_late_element, "the bytearray of the variable"),
    "an array of objects": (lambda: np.array([None, [1], "a"], object), same_address, "the array of the variable"),
    "a list in an array": (lambda: np.array([None, [1], "a"], object), objects_in, r"the list 'things.flat\[1\]'"),
}


@pytest.mark.parametrize(
    ("name", "statement"), one_in(3, itertools.product(CHANGES, ("branch", "loop")), several=True)
)
def test_a_change_that_depends_on_a_tensor_is_refused(name: str, statement: str) -> None:
    make, change, words = CHANGES[name]
    things = make()

    def branch(x: Any) -> Any:
        if x > 0:
            change(things)
        return x

    def loop(x: Any) -> Any:
        while x > 0:
            change(things)
            x -= 1
        return x

    program = {"branch": branch, "loop": loop}[statement]
    with pytest.raises(StagingError, match=f"{words}.* is (changed inside|written to in the function)"):
        tf.function(program)(tf.constant(-1))


def test_a_change_of_an_array_is_part_of_the_graph() -> None:
    things = np.zeros(SIZE)

    @tf.function
    def program(x: Any) -> Any:
        if x > 0:
            a_late_element(things)
        return x

    program(tf.constant(-1))
    assert not things.any()
    program(tf.constant(1))
    assert things[25_000] == 7 and things.sum() == 7


@pytest.mark.parametrize("name", CHANGES)
def test_containers_that_stay_as_they_are_may_be_read(name: str) -> None:
    things = CHANGES[name][0]()

    @tf.function
    def program(x: Any) -> Any:
        if x > 0:
            x = x + len(things)
        return x

    assert program(tf.constant(1)).numpy() == 1 + len(things)
