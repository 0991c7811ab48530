"""Items that are taken out of dicts: the last and the first, and those of keys of the run; OrderedDicts with tensors as
keys."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import plain


def made(x: Any, kind: Any = dict) -> Any:
    table = kind(a=1.0, b=2.0)
    if x > 0:
        table["c"] = x
    if x > 1:
        table["d"] = x + 1.0
    return table


def popitem(x: Any) -> Any:
    table = made(x)
    key, value = table.popitem()
    return key, value, len(table), table.get("c", 7.0), table.get("b", 8.0)


def all_items(x: Any) -> Any:
    table, total = made(x), 0.0
    while table:
        total = total * 2.0 + table.popitem()[1]
    return total, len(table)


def until_it_is_empty(x: Any) -> Any:
    table, total = {}, 0.0
    if x > 0:
        table["a"] = x
    for _ in range(2):
        try:
            total += table.popitem()[1]
        except KeyError:
            total += 10.0
    return total


def first_and_last(x: Any) -> Any:
    table = made(x, OrderedDict)
    first, last = table.popitem(last=False), table.popitem()
    return first, last, len(table)


def popped_in_a_branch(x: Any) -> Any:
    table = made(x)
    if x < 2:
        table.popitem()
    table["d"] = 5.0
    return table


def by_key(x: Any) -> Any:
    table = made(x)
    key = "c" if x > 1 else "a"
    found = table.pop(key), table.pop("d" if x > 1 else "e", 9.0)
    del table["b"]
    return found, len(table)


def deleted(x: Any) -> Any:
    table = made(x)
    key = "c" if x > 1 else "a"
    del table[key]
    table["a"] = 3.0
    return table


PROGRAMS = [popitem, all_items, until_it_is_empty, first_and_last, popped_in_a_branch, by_key, deleted]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_of_dicts_of_which_a_tensor_decides_what_they_have(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for x in (1.0, -1.0, 3.0):
        found, expected = plain(staged(tf.constant(x))), plain(program(x))
        assert found == expected
        assert not isinstance(expected, dict) or list(found) == list(expected)


def cache(x: Any, keys: Any) -> Any:
    held: Any = OrderedDict()
    hits = 0
    for key in keys:
        if key in held:
            held.move_to_end(key)
            hits += 1
        held[key] = key * x
        if len(held) > 2:
            held.popitem(last=False)
    return hits, list(held), list(held.values())


def moved_to_the_front(x: Any, keys: Any) -> Any:
    held: Any = OrderedDict()
    for key in keys:
        held[key] = x
        held.move_to_end(key, last=False)
    return held, held.popitem(), held.pop(keys[0], x)


def made_of_pairs(x: Any, keys: Any) -> Any:
    held = OrderedDict([(keys[0], x), (7.0, x), (keys[1], x)])
    other = OrderedDict(zip(keys, keys))
    other.popitem(last=False)
    return held, list(other), OrderedDict(held)


def in_order(x: Any, keys: Any) -> Any:
    first: Any = OrderedDict()
    second: Any = OrderedDict()
    for key in keys:
        first[key] = x
        second[key] = x
    same = first == second
    second.move_to_end(keys[0])
    return 1 if same else 2, 1 if first == second else 2, 1 if dict(first) == dict(second) else 2


ORDERED = [cache, moved_to_the_front, made_of_pairs, in_order]


@pytest.mark.parametrize("program", ORDERED, ids=lambda program: program.__name__)
def test_ordered_dicts_with_tensors_as_keys(program: Callable[[Any, Any], Any]) -> None:
    staged = tf.function(program)
    for keys in ([3.0, 1.0, 3.0, 2.0], [1.0, 2.0, 3.0, 1.0], [5.0, 5.0, 5.0, 5.0]):
        found = staged(tf.constant(2.0), tf.constant(keys))
        assert repr(plain(found)) == repr(plain(program(2.0, keys)))


class Tallies:
    def __init__(self) -> None:
        self.counts: Any = Counter()

    def count(self, x):
        if x > 0:
            self.counts["up"] += 1
        else:
            self.counts["down"] += 1
        return self.counts["up"]


def test_counts_in_an_attribute() -> None:
    one, other = Tallies(), Tallies()
    function = tf.function(one.count)
    for x in (1.0, -1.0, 2.0, 3.0, -2.0):
        assert plain(function(tf.constant(x))) == other.count(x)
        assert [type(held) for held in vars(one).values()] == [type(held) for held in vars(other).values()]
        assert repr(plain(vars(one))) == repr(plain(vars(other)))


def test_a_class_of_its_own_takes_no_keys_of_the_run() -> None:
    class Bag(dict[Any, Any]):
        pass

    @tf.function
    def program(x: Any) -> Any:
        bag = Bag()
        bag[x] = 1
        return len(bag)

    with pytest.raises(StagingError, match=r"into an object of Bag: .* derive the class from collections\.UserDict"):
        program(tf.constant(1.0))
