"""Heaps of tuples: numbers of Python and tensors, a text beside them; and other writes of tuples to an element that
only the run knows."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain


def dijkstra(w: Any, n: Any) -> Any:
    near = {0: [(1, w[0, 1]), (2, w[0, 2])], 1: [(2, w[1, 2]), (3, w[1, 3])], 2: [(3, w[2, 3])], 3: []}
    distance = dict.fromkeys(near, float("inf"))
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, c in near[u]:
            if d + c < distance[v]:
                distance[v] = d + c
                heapq.heappush(heap, (d + c, v))
    return list(distance.values())


def with_texts(w: Any, n: Any) -> Any:
    heap: list[Any] = []
    for i in range(4):
        heapq.heappush(heap, (w[0, i], i, "a"))
    return [heapq.heappop(heap)[:2] for _ in range(4)]


def numbers_and_tensors(w: Any, n: Any) -> Any:
    heap: list[Any] = [(0, 0)]
    for i in range(n):
        heapq.heappush(heap, (w[0, i], i))
    s = 0
    while heap:
        c, i = heapq.heappop(heap)
        s = s * 2 + c * i
    return s


def written_at_a_position(w: Any, n: Any) -> Any:
    rows: list[Any] = [(0, w[0, 1]), (1, 2.0), (2, w[2, 3])]
    rows[n - 2] = (7, w[1, 3])
    rows[-n + 1] = (8, 1)
    return rows, rows[n - 1][1]


@pytest.mark.parametrize(
    "program", [dijkstra, with_texts, numbers_and_tensors, written_at_a_position], ids=lambda program: program.__name__
)
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    weights = np.array([[0, 1.0, 4.0, 0.5], [1.0, 0, 2.0, 6.0], [4.0, 2.0, 0, 3.0], [0.5, 6.0, 3.0, 0]])
    staged = tf.function(program)
    for scale in (1.0, -1.0) if program is not dijkstra else (1.0, 3.0):
        found = staged(tf.constant(weights * scale), tf.constant(3))
        assert plain(found) == plain(program(weights * scale, 3))
