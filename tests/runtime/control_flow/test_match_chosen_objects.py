"""`match` and `isinstance` of an object that a tensor chooses: its class, items and keys decide as in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


class Circle:
    __match_args__ = ("r",)

    def __init__(self, r: Any) -> None:
        self.r = r


class Square:
    def __init__(self, s: Any) -> None:
        self.s = s


class Box(Square):
    def __init__(self, s: Any, h: Any) -> None:
        super().__init__(s)
        self.h = h


class Line:
    """Its length is made when it is asked for, and cannot be asked of one without ends."""

    __match_args__ = ("length",)

    def __init__(self, ends: list[int]) -> None:
        self.ends = ends

    @property
    def length(self) -> int:
        return self.ends[1] - self.ends[0]


@dataclass(frozen=True)
class Point:
    x: Any
    y: Any


CIRCLE, SQUARE = Circle(5), Square(7)


def classes(n: Any) -> Any:
    shape = Circle(n) if n > 5 else (Square(n) if n > 2 else Box(n, 3))
    match shape:
        case Circle(r):
            return r * 3
        case Box(s=s, h=h):
            return s * h
        case Square(s=s) if s > 3:
            return s * s
        case Square(s=s):
            return -s
        case _:
            return -1


def classes_of_objects_from_outside(n: Any) -> Any:
    match CIRCLE if n > 2 else SQUARE:
        case Square():
            return 1
        case Circle():
            return 2
        case _:
            return 3


def alternatives(n: Any) -> Any:
    shape = Circle(n) if n > 5 else (Square(n) if n > 2 else Line([n, 9]))
    match shape:
        case Circle() | Line():
            return 1
        case Square() as square:
            return square.s


def properties(n: Any) -> Any:
    shape = Circle(n) if n > 2 else Line([n, 9])
    match shape:
        case Line(0):
            return 1
        case Line(length):
            return length * 10
        case Circle(4):
            return 40
        case _:
            return 0


def frozen(n: Any) -> Any:
    point = Point(n, 0) if n > 2 else Point(1, n)
    match point:
        case Point(x=x, y=0):
            return x
        case Point(x=1, y=y):
            return y * 10


def items(n: Any) -> Any:
    first, second = [n, 2], [3, n]
    row = first if n > 2 else second
    match row:
        case [_, 2]:
            return 10
        case [a, b]:
            return a * b
        case _:
            return -1


def lengths(n: Any) -> Any:
    row = [n, 2] if n > 2 else [3, n, 5]
    match row:
        case [a, b]:
            return a + b
        case [a, *_]:
            return a * 100
        case _:
            return -1


def mappings(n: Any) -> Any:
    first, second = {"k": n}, {"k": 2}
    match first if n > 2 else second:
        case {"k": 4}:
            return 40
        case {"k": k}:
            return k
        case _:
            return -1


def texts(n: Any) -> Any:
    match "ab" if n > 2 else "c":
        case [_, *_]:
            return 1
        case str():
            return 2


def functions(n: Any) -> Any:
    function = abs if n > 2 else len
    return callable(function), isinstance(function, int), type(function).__name__, hasattr(function, "nothing")


def numbers_beside_lists(n: Any) -> Any:
    total = 0
    for i in range(n):
        total += i
    return total == [1, 2], total != (1, 2), [total] == [total], [1, 2] == total, (total, 1) == [total, 1]


def builtin_classes(n: Any) -> Any:
    first, second = [n], {"k": 2}
    match first if n > 2 else second:
        case list():
            return 1
        case dict():
            return 2
        case _:
            return 3


def asked(n: Any) -> Any:
    shape = Circle(n) if n > 5 else (Box(n, 3) if n > 2 else Line([n, 9]))
    if isinstance(shape, Circle):
        return shape.r
    if isinstance(shape, Square | int):
        shape.h += 1
        return shape.s * shape.h
    return shape.ends[0] * 100


@pytest.mark.parametrize("program", [
    asked, classes, classes_of_objects_from_outside, alternatives, properties, frozen, items, lengths, mappings,
    builtin_classes, texts, functions, numbers_beside_lists,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (1, 3, 4, 7):
        assert alike(plain(staged(tf.constant(n))), plain(program(n)))
