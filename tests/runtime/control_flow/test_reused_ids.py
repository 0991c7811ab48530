"""Objects of a trace come and go, and new ones get the addresses of dead ones: none may be taken for another."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.test_operands import effects_of_conditions
from tests.runtime.reused_ids import reused_ids


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def count(self, x: Any) -> Any:
        self.calls += 1
        return x - 1


def calls_with_effects(x):
    effects_of_conditions(x)
    effects_of_conditions(x - 1)
    return effects_of_conditions(x + 1)


def new_objects(x):
    found = []
    for start in (x, x + 1, x - 2):
        counter, seen, other = Counter(), [0], {"a": 0, "b": start}
        while start > 0:
            start = counter.count(start)
            seen[0] += other["b"]
            other["a"] += 1
        found.append((counter.calls, seen, other))
    return found


def new_objects_in_a_loop(x):
    total = 0
    for i in tf.range(3):
        counter, seen = Counter(), [0, 1]
        for j in tf.range(i + 1):
            if j < x:
                counter.count(x)
                seen[1] += j
        total += counter.calls + seen[1]
    return total


def new_lists(x):
    lengths = []
    for k in range(4):
        first, second = [], [k]
        for i in tf.range(k):
            if i < x:
                first.append(i)
        second = second + [x]
        while len(first) > 1 and x < 3:
            second[0] += first.pop()
        lengths.append((len(first), second))
    return lengths


def new_exceptions(x):
    found = []
    for k in (0, 1, 2):
        y = None if x > k else x
        try:
            y = x * 2 if x > 1 else None
            if x > k:
                raise ValueError(k)
            y = k
        except ValueError:
            y = -1 if y is None else y
        found.append(y)
    return found


def new_values_in_a_try(x):
    y = None
    try:
        y = x if x > -5 else None
        if x > 7:
            raise ValueError
        y = 3
        gc.collect()
        y = x + 1 if x > 0 else None
        if x > 1:
            raise ValueError
        y = 4
        gc.collect()
        y = x + 2 if x > -1 else None
        if x == 0:
            raise ValueError
    except ValueError:
        return 100 if y is None else y + 100
    return 0 if y is None else y


QUICK, ALL = 2, 6
LATER = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, ALL)]
SEEDS = pytest.mark.parametrize("seed", [*range(QUICK), *LATER])
PROGRAMS = (calls_with_effects, new_objects, new_objects_in_a_loop, new_lists, new_exceptions, new_values_in_a_try)


@SEEDS
@pytest.mark.parametrize("program", PROGRAMS)
def test_new_objects_are_not_taken_for_dead_ones(program: Callable[[Any], Any], seed: int) -> None:
    assert_same(program, 2, 0, -1)  # which imports what gives each other addresses of graphs and tensors
    with reused_ids(seed, [f"runtime.{room}" for room in ("control_flow", "heap", "graph", "passes", "engine")]):
        assert_same(program, 2, 0, -1)


@SEEDS
def test_what_a_dead_cached_function_could_reach_is_not_that_of_a_new_one(seed: int) -> None:
    def make(box: list[int]) -> Callable[[Any], Any]:
        @functools.cache
        def weight(v: Any) -> Any:
            return v * box[0]

        return weight

    def program(x: Any, last: int) -> Any:
        total = x
        for k in range(5):
            box = [k]
            weight = make(box)
            if x > 0:
                total += weight(x)
            if k == last:
                box[0] = 7
            if x > 1:
                total += weight(x)
            del weight
            gc.collect()
        return total

    with reused_ids(seed, ["runtime.control_flow"]):
        assert tf.function(program)(tf.constant(3), 5) == program(3, 5) == 63
        with pytest.raises(StagingError, match="'box'?.*was changed since it was called in a staged statement"):
            tf.function(program)(tf.constant(3), 4)
