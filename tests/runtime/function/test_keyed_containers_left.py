"""Dicts, sets and deques that a run makes, whose keys or items only it knows, left where the caller sees them."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import runtime as tf


class Store:
    def __init__(self) -> None:
        self.found: dict[Any, Any] = {}


class Place:
    k: Any = None


def a_dict(n: Any, b: Any) -> None:
    b.k = {}
    for i in range(n):
        b.k[i % 3] = i


def a_set(n: Any, b: Any) -> None:
    b.k = set()
    for i in range(n):
        b.k.add(i % 3)


def a_deque(n: Any, b: Any) -> None:
    b.k = deque(maxlen=3)
    for i in range(n):
        b.k.append(i)


def a_counter(n: Any, b: Any) -> None:
    b.k = Counter()
    for i in range(n):
        b.k[i % 3] += 1


def a_defaultdict(n: Any, b: Any) -> None:
    b.k = defaultdict(int)
    for i in range(n):
        b.k[i % 3] += 1


def of_lists(n: Any, b: Any) -> None:
    groups = defaultdict(list)
    for i in range(n):
        groups[i % 2].append(i)
    b.k = groups


def in_order(n: Any, b: Any) -> None:
    b.k = OrderedDict()
    for i in range(n):
        b.k[i % 3] = i * 0.5


def with_several_names(n: Any, b: Any) -> None:
    found = {}
    for i in range(n):
        found[i % 3] = i
    b.k = [found, found, {"x": found}]


def texts(n: Any, b: Any) -> None:
    seen, found = set(), {}
    for i in range(n):
        seen.add(str(i % 2))
        found[f"{i % 3}"] = i
    b.k = seen, found


def pairs(n: Any, b: Any) -> None:
    found = {}
    for i in range(n):
        found[i % 2, i % 3] = (i, 0.5)
    b.k = found


def on_one_way(n: Any, b: Any) -> None:
    found = {}
    for i in range(n):
        found[i % 2] = i
    if n > 2:
        b.k = found
    else:
        b.k = {}


def of_a_new_object(n: Any, b: Any) -> None:
    b.k = Store()
    for i in range(n):
        b.k.found[i % 2] = i
    b.k = b.k.found


def of_a_namespace(n: Any, b: Any) -> None:
    found, seen = {}, []
    for i in range(n):
        found[i % 2] = i
        seen.append(i)
    b.k = SimpleNamespace(found=found, seen=seen, last={"n": n * 1})
    b.k.last.clear()


@pytest.mark.parametrize("program", [
    a_dict, a_set, a_deque, a_counter, a_defaultdict, of_lists, in_order, with_several_names, texts, pairs, on_one_way,
    of_a_new_object, of_a_namespace,
], ids=lambda p: p.__name__)  # fmt: skip
def test_they_are_pythons(program: Callable[..., None]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 4, 5):
        expected, found = Place(), Place()
        program(n, expected)
        staged(tf.constant(n), found)
        assert repr(found.k) == repr(expected.k)
        if type(found.k) is list:
            assert found.k[0] is found.k[1] is found.k[2]["x"]
