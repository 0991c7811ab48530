"""Comparisons that Python makes of the truths of parts: of tuples, dataclasses and objects that hold tensors."""

from __future__ import annotations

import bisect
import dataclasses
import functools
import operator
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import runtime as tf


@dataclass(order=True)
class Place:
    row: Any
    column: Any = 0


class Below(Place):
    pass


@dataclass(frozen=True)
class Named:
    value: Any
    name: Any = dataclasses.field(default="", compare=False)


class Pair(NamedTuple):
    first: Any
    second: Any


class Weight:
    """Ordered by a tuple of its own."""

    def __init__(self, kg):
        self.kg = kg

    def key(self):
        return (self.kg, 1)

    def __eq__(self, other):
        if not isinstance(other, Weight):
            return NotImplemented
        return self.key() == other.key()

    def __lt__(self, other):
        return self.key() < other.key()


@functools.total_ordering
class Level:
    def __init__(self, height):
        self.height = height

    def __eq__(self, other):
        return self.height == other.height

    def __lt__(self, other):
        return self.height < other.height


class Asked:
    asked = 0

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        Asked.asked += 1
        return self.value == other.value


def dataclasses_equal(x):
    p, q = Place(x), Place(3.0)
    nested = Place(x, [x, Place(x)]) == Place(3.0, [3.0, Place(3.0)])
    return p == q, p != q, p == 3, p != 3, (p == q) is True, 1 if p == q else 0, nested, 0 if not p == q else 1


def dataclasses_of_other_classes(x):
    named = Named(x, 1) == Named(3.0, 2), Named(x) != Named(3.0)
    return Place(x) == Below(x), Below(x) == Below(3.0), Below(x) < Below(3.0), named


def dataclasses_in_order(x):
    return Place(x) < Place(3.0), Place(x) >= Place(3.0, 1), Place(1.0) < Place(x) <= Place(4.0, x)


def no_order_between_classes(x):
    try:
        return Place(x) < 3
    except TypeError:
        return -1


def a_loop_until(x):
    place, steps = Place(x), 0
    while place < Place(6.0):
        place = Place(place.row + 1)
        steps += 1
    return steps


def two_tuples(x):
    a, b = (x, 1), (3.0, 2)
    return a == b, a < b, a >= b, 1 if a <= b else 0, a < b < (4.0, x), [a] != [b], [a] <= [b]


def of_several_kinds(x):
    p, q = Pair(x, 1), Pair(3.0, 1)
    named = p == q, p < q, p >= (3.0, 1), sorted([p, q, Pair(4.0, 0)])[1].first
    a, b = {"p": Place(x), "q": [x]}, {"q": [3.0], "p": Place(3.0)}
    of_deques = deque([x, 1]) == deque([3.0, 1]), deque([x]) < deque([3])
    return named, a == b, a != b, OrderedDict(a) == OrderedDict(b), of_deques


def of_a_class(x):
    a, b = Weight(x), Weight(3.0)
    return a == b, a != b, a < b, a == 3, a != 3, [a, 1] == [b, 1], (a, 2) < (b, 1)


def by_total_ordering(x):
    a, b = Level(x), Level(3.0)
    return a > b, a >= b, a <= b, a != b


def among(x):
    places, p = [Place(1.0), Place(3.0), Place(3.0)], Place(x)
    return p in places, p not in (Place(5.0), Place(6.0)), places.count(p), Weight(x) in [Weight(3.0), Weight(1.0)]


def found(x):
    places = [Place(1.0), Place(3.0), Place(5.0)]
    place = places.index(Place(x))
    places.remove(Place(x))
    return place, places[0].row, places[1].row


def sorted_objects(x):
    weights = [Weight(x), Weight(2.0), Weight(3.0), Weight(x + 1)]
    weights.sort()
    rows = [w.kg for w in weights]
    weights.sort(reverse=True)
    weights[0].kg = 9.0
    return rows, [w.kg for w in weights], sorted([Place(x, 2), Place(3.0, 1)])[0].column


def sorted_by_a_key(x):
    places = [Place(2.0, 1), Place(x, 2), Place(1.0, 3)]
    ordered = sorted(places, key=lambda p: p.row)
    ordered[0].column = 7
    return [p.column for p in places], [p.column for p in ordered], max(places, key=lambda p: p).column


def sorted_in_a_loop(x):
    weights, i = [Weight(2.0), Weight(x), Weight(1.0)], 0
    while i < x:
        weights.sort(key=lambda w: w.kg)
        weights[0].kg = weights[0].kg + 3
        i += 1
    return [w.kg for w in weights]


def sorted_in_a_branch(x):
    weights = [Weight(2.0), Weight(x), Weight(1.0)]
    if x > 2:
        weights.sort()
    return [w.kg for w in weights]


def best_so_far(x):
    best, rows = Place(0.0), []
    for row in [x, 2.0, x + 1]:
        place = Place(row)
        if place > best:
            best = place
        rows.append(best.row)
    return rows, min(Place(x), Place(3.0)).row, max([Place(x), Place(3.0)]).row


def bisected(x):
    places = [Place(1.0), Place(4.0)]
    by_operators = operator.lt(Place(x), places[1]), operator.ne((x, 1), (3.0, 1)), operator.eq(Weight(x), Weight(3.0))
    return bisect.bisect_left([(1.0, 0), (3.0, 0), (4.0, 1)], (x, 0)), bisect.bisect(places, Place(x)), by_operators


def asked_no_further(x):
    Asked.asked = 0
    same = [Asked(x), Asked(1.0)] == [Asked(3.0), Asked(1.0)]
    first = Asked.asked
    is_there = Asked(x) in [Asked(1.0), Asked(3.0), Asked(5.0)]
    return same, first, is_there, Asked.asked, [Asked(1.0), Asked(3.0), Asked(5.0)].index(Asked(x)), Asked.asked


PROGRAMS = [
    dataclasses_equal, dataclasses_of_other_classes, dataclasses_in_order, no_order_between_classes, a_loop_until,
    two_tuples, of_several_kinds, of_a_class, by_total_ordering, among, found, sorted_objects, sorted_by_a_key,
    sorted_in_a_loop, sorted_in_a_branch, best_so_far, bisected, asked_no_further,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python_answers(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x in (1.0, 3.0, 5.0):
        assert plain(function(tf.constant(x))) == plain(program(x)), x
    assert function.experimental_get_tracing_count() == 1


def test_classes_have_their_own_methods_again() -> None:
    own = Place.__eq__, Place.__lt__, Level.__gt__
    assert tf.function(lambda x: Place(x) == Place(3.0))(tf.constant(3.0))
    assert (Place.__eq__, Place.__lt__, Level.__gt__) == own


def test_an_equality_of_the_users_is_no_dataclass_s() -> None:
    @dataclass
    class Odd:
        value: Any

        def __eq__(self, other):
            return self.value > other.value

    assert plain(tf.function(lambda x: [Odd(x) == Odd(3.0), Odd(x) != Odd(3.0)])(tf.constant(4.0))) == [True, False]


def test_many_objects_are_not_each_compared_with_each() -> None:
    with pytest.raises(TypeError, match=r"sorting 65 objects .* give a key="):
        tf.function(lambda x: sorted([Weight(x * i) for i in range(65)])[0].kg)(tf.constant(1.0))
