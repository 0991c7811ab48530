"""`bisect` and `heapq` of lists that hold tensors; staged code of packages, which they are examples of."""

from __future__ import annotations

import bisect
import heapq
import importlib
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf


def among_numbers(x, y):
    numbers = [1, 3, 3, 7, 20]
    return bisect_left(numbers, x), bisect.bisect_right(numbers, x), bisect.bisect(numbers, y, 1)


def among_tensors(x, y):
    low, high = min(x, y), max(x, y)
    return bisect.bisect_left([low, high, 30], 5), bisect.bisect([low, high], high)


def by_a_key(x, y):
    return bisect.bisect_left([(1, "a"), (4, "b"), (9, "c")], x, key=lambda pair: pair[0])


def grade(x, y):
    return bisect.bisect([60, 70, 80, 90], x + y)


def plain(value: Any) -> Any:
    return [*map(plain, value)] if isinstance(value, list | tuple) else int(value)


@pytest.mark.parametrize("program", [among_numbers, among_tensors, by_a_key, grade])
def test_as_python_finds_them(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, y in ((3, 1), (0, 9), (7, 7), (64, 21), (5, 80)):
        assert plain(function(tf.constant(x), tf.constant(y))) == plain(program(x, y)), (x, y)
    assert function.experimental_get_tracing_count() == 1


def pushed_and_popped(x, y):
    heap = []
    for value in (x, y, 3, x - y, 5):
        heapq.heappush(heap, value)
    first = heapq.heappop(heap)
    return first, heapq.heappushpop(heap, y), heapq.heapreplace(heap, x), tuple([heapq.heappop(heap) for _ in range(4)])


def made_a_heap(x, y):
    heap = [9, x, 4, y, 7, x + y]
    heapq.heapify(heap)
    return heap, heapq.nsmallest(2, heap), heapq.nlargest(3, heap, key=lambda v: -v % 5)


def shortest_way(x, y):
    """Dijkstra's algorithm over four places, with a heap of pairs."""
    roads = {0: [(1, x), (2, 4)], 1: [(2, 1), (3, y)], 2: [(3, 3)], 3: []}
    distance = [0, 1000, 1000, 1000]
    for _ in range(3):
        for place, others in roads.items():
            for other, length in others:
                distance[other] = min(distance[other], distance[place] + length)
    nearest = heapq.nsmallest(2, [(distance[i], i) for i in range(1, 4)])
    return tuple(distance), nearest[0][1]


def inserted(x, y):
    numbers = [1, 4, 9]
    bisect.insort(numbers, x)
    bisect.insort_left(numbers, y)
    return numbers


@pytest.mark.parametrize("program", [pushed_and_popped, made_a_heap, shortest_way, inserted])
def test_heaps_and_lists_in_order(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, y in ((3, 1), (0, 9), (7, 7), (64, 21)):
        assert plain(function(tf.constant(x), tf.constant(y))) == plain(program(x, y)), (x, y)


def test_staged_code_of_a_package_changes_lists_as_python_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a branch of it changes in place is changed where the branch runs, as in the user's own code."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "kept_in_lists.py").write_text(
        "def note(x, found, best):\n"
        "    if x > 2:\n"
        "        found[0] = found[0] + x\n"
        "        best['x'] = x\n"
        "    while found[1] < x:\n"
        "        found[1] += 2\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    package = importlib.import_module("kept_in_lists")
    autograph.set_conversion_rules(include=["kept_in_lists"])

    def program(x: Any) -> Any:
        found, best = [1, 1], {"x": 0}
        package.note(x, found, best)
        return found[0], found[1], best["x"]

    try:
        function = tf.function(program)
        for x in (1, 2, 3, 8):
            assert plain(function(tf.constant(x))) == plain(program(x)), x
    finally:
        autograph.set_conversion_rules()
