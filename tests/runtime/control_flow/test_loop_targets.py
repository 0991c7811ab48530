"""What a `for` over a tensor may bind: tuples, nested and with a star, attributes and elements; and what it leaves."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.runtime.control_flow.sizes import SIZES, compare


class Box:
    def __init__(self):
        self.value = 0


def attribute(t):
    box = Box()
    s = 0
    for box.value in t:
        s = s * 2 + box.value
    return s, box.value


def element(t):
    found = [0, 0]
    s = 0
    for found[1] in t:
        s = s * 2 + found[1]
    return s, found


def element_of_dict(t):
    found = {"last": 0}
    for found["last"] in t:
        pass
    return found


def pair_of_places(t):
    box, found = Box(), [0]
    for box.value, found[0] in enumerate(t):
        pass
    return box.value, found[0]


def target_read_after(t):
    x = -1
    for x in t:
        if x == 3:
            break
    return x


def target_assigned_inside(t):
    s = 0
    for x in t:
        x = x + 1
        s += x
    return s


def loop_else(t):
    for x in t:
        if x > 3:
            found = x
            break
    else:
        found = -1
    return found


def jumps(t):
    s = 0
    for i, x in enumerate(t):
        if x == 1:
            continue
        if x > 6:
            return s * 100 + i
        if s > 7:
            break
        s += x
    return s


@pytest.mark.parametrize(
    "program",
    [attribute, element, element_of_dict, pair_of_places, target_read_after, target_assigned_inside, loop_else, jumps],
    ids=lambda program: program.__name__,
)
def test_program(program: Any) -> None:
    compare(program, *SIZES)


def rest(t):
    s = 0
    for first, *middle, last in t:
        s += first * last + sum(middle)
    return s


def nested(t):
    s = 0
    for i, (a, (b, c)) in enumerate(zip(t[:, 0], t[:, 1:])):
        s += i * a + b * c
    return s


@pytest.mark.parametrize("program", [rest, nested], ids=lambda program: program.__name__)
def test_rows_of_three(program: Any) -> None:
    compare(program, [], [1, 2, 3], [1, 2, 3, 4, 5, 6], row=(3,))


def read_when_empty(t):
    for x in t:
        pass
    return x


def test_a_target_without_items_is_undefined() -> None:
    for signature in (None, [tf.TensorSpec([None], tf.int32)]):
        staged = tf.function(read_when_empty, input_signature=signature)
        assert staged(tf.constant([1, 5])).numpy() == 5
        with pytest.raises(UnboundLocalError, match="'x'"):
            staged(tf.constant([], tf.int32))


def test_loops_over_what_is_pythons() -> None:
    def numbers():
        yield from (1, 2)

    @tf.function
    def program(t):
        table = {"a": 1, "b": 2}
        s = t
        for key, value in table.items():
            s += value * len(key)
        for value in table.values():
            s += value
        for i in numbers():
            s += i
        return s

    assert program(tf.constant(0)).numpy() == 9
