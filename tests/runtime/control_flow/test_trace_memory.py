"""What tracing remembers is gone when the trace is over: neither the graph nor what the program made is kept."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import autograph
import runtime as tf

MADE: list[weakref.ref[Any]] = []


class Thing:
    def __init__(self) -> None:
        self.total = 0
        MADE.append(weakref.ref(self))

    def add(self, amount: Any) -> None:
        self.total += amount


def cached_in_a_branch(x):
    @functools.cache
    def weight(k):
        return tf.constant(2) * k

    return weight(3) * x if x > 0 else x


def chosen_item(x):
    rows = [[x, x + 1], [x - 1, x]]
    row = rows[tf.clip_by_value(x, 0, 1)]
    return row[0]


def effects_of_nested_loops(x):
    thing = Thing()
    for i in tf.range(x):
        for j in tf.range(i):
            thing.add(j)
    return thing.total


def declared_list(x):
    items = [Thing().total]
    autograph.set_element_type(items, tf.int32)
    for i in tf.range(x):
        items.append(i)
    return autograph.stack(items)


def growing_list(x):
    items = []
    for i in tf.range(x):
        items.append(i)
    return len(items)


def array_of_two(x):
    first, second = [x], [x, x]
    for _ in tf.range(x):
        first[0] += 1
        second = [second[1], second[0]]
    return first, second


PROGRAMS = (cached_in_a_branch, chosen_item, effects_of_nested_loops, declared_list, growing_list, array_of_two)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_graph_is_gone_with_its_function(program: Callable[[Any], Any]) -> None:
    function = tf.function(program)
    function(tf.constant(3))
    graph = weakref.ref(function.get_concrete_function(tf.constant(3)).graph)
    del function
    gc.collect()
    assert graph() is None


@pytest.mark.parametrize("program", PROGRAMS)
def test_objects_of_the_trace_are_gone_with_it(program: Callable[[Any], Any]) -> None:
    MADE.clear()
    function = tf.function(program)
    function(tf.constant(3))
    gc.collect()
    assert [thing() for thing in MADE] == [None] * len(MADE)
    assert function.experimental_get_tracing_count() == 1
