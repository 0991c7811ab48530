"""`match` on what has other parts in each run: lists that grow, tensors of any length, keys and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


class Node:
    label = "none"


@dataclass
class Point:
    x: Any
    y: Any = 0


def grown(x):
    items = []
    for i in range(x):
        items.append(x + i)
    return items


def lengths(x):
    match grown(x):
        case []:
            return 0
        case [a]:
            return a
        case [a, b]:
            return a * b
        case [a, _, c, *rest]:
            return a + c + len(rest)
    return -1


def items_and_constants(x):
    match grown(x):
        case [1]:
            return 10
        case [2, b] if b > 2:
            return 20 + b
        case [*_, 7]:
            return 30
        case [first, *middle, last] if first < last:
            return sum(middle)
    return -1


def pairs(x):
    items = []
    for i in range(x):
        items.append((i, x))
    match items:
        case [(a, b)]:
            return a + b
        case [(0, b), (c, _)]:
            return b * 10 + c
    return -1


def either_of_two(x):
    match grown(x):
        case [a] | [_, a]:
            return a
    return -1


def keys(x):
    d = {"z": 1}
    if x > 0:
        d["a"] = x
    if x > 2:
        d["b"] = [x, 2]
    match d:
        case {"a": 1}:
            return 100
        case {"a": value, "b": [first, second]}:
            return value + first + second
        case {"a": value, **others}:
            return value * 10 + len(others)
        case {"none": _}:
            return 5
        case {}:
            return 7
    return 8


def attributes(x):
    o = Node()
    if x > 0:
        o.a = x
    if x > 2:
        o.label = "some"
    match o:
        case Node(a=2):
            return 100
        case Node(none=_):
            return 5
        case Node(a=value, label="none"):
            return value
        case Node(a=value):
            return value * 10
        case Node():
            return 7
    return 8


def attributes_by_place(x):
    p = Point(x)
    if x > 1:
        p.z = x
    match p:
        case Point(1, 0):
            return 10
        case Point(a, _, z=z):
            return a + z
        case Point(a):
            return a
    return -1


PROGRAMS = (lengths, items_and_constants, pairs, either_of_two, keys, attributes, attributes_by_place)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program: Any) -> None:
    assert_same(program, -1, 0, 1, 2, 3, 4, 5)


def test_tensors_of_any_length() -> None:
    def program(x: Any) -> Any:
        match x:
            case [a]:
                return a
            case [a, b]:
                return a * b
            case [a, *_, b]:
                return a - b
        return -1

    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.int32)])
    for given in ([], [3], [3, 4], [9, 1, 1, 5]):
        assert int(staged(tf.constant(given, tf.int32))) == program(given)
