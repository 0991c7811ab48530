"""Tables of tables: what stands at two or more positions of the run is read, written, swapped and changed in place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain


class Cell:
    def __init__(self, v):
        self.v = v
        self.items = [v]
        self.d = {"a": v}


def objects(k, j):
    m = [[Cell(1), Cell(2)], [Cell(3), Cell(4)]]
    m[k][j].v = 9
    m[k][j].items[0] += j
    m[k][j].d["a"] = k
    return [[c.v, c.items, c.d["a"]] for r in m for c in r]


def lists_in_a_dict(k, j):
    m = {0: [[1, 2], [3, 4]], 1: [[5, 6], [7, 8]]}
    m[k][j][1] = 9
    m[k][j][0] -= 1
    return (m[0], m[1])


def four_levels(k, j):
    m = [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[9, 2], [3, 4]], [[5, 6], [7, 1]]]]
    m[k][j][k][j] = 90
    m[k][0][j][1] += m[j][k][1][0]
    return m


def that_get_longer(k, j):
    m = [[[1], [2]], [[3], [4]]]
    m[k][j].append(7)
    m[k][j][0] = m[j][k][0]
    return ([[len(c) for c in r] for r in m], m[k][j][0])


def under_other_names(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    row = m[k]
    cell = row[j]
    cell[0] = 9
    row[j][1] += 1
    m[k][j][0] *= 2
    return (m, cell is m[k][j])


def swapped(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    m[k][j], m[j][k] = (m[j][k], m[k][j])
    m[k][j][0] = 70
    return m


def in_loops(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    for a in range(k + 1):
        for b in range(j + 1):
            m[a][b][0] += m[b][a][1]
            m[a][b][1] = a * b
    return m


def in_a_while(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    while m[k][j][0] < 10:
        m[k][j][0] += 3
    m[k][j][-1] = 5
    return m


def dicts(k, j):
    m = [[{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}]]
    m[k][j]["a"] += 5
    return [[d["a"] for d in r] for r in m]


def by_a_helper(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]

    def put(t, v):
        t[0] = v

    put(m[k][j], 50)
    if m[k][j][1] > 3:
        m[k][j][1] = 0
    del m[k][j][0]
    return [[len(c) for c in r] for r in m]


def of_an_argument(m, k, j):
    m[k][j][1] += 1
    return m[j][k][0]


def as_wholes(k, j):
    m = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    m[k][j][:] = [0, 0]
    m[j][k].reverse()
    m[k][j][j] = 5
    return m


PROGRAMS = [
    objects, lists_in_a_dict, four_levels, that_get_longer, under_other_names, swapped, in_loops, in_a_while, dicts,
    by_a_helper, as_wholes,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_python(program: Callable[[Any, Any], Any]) -> None:
    assert_same(program, *product((0, 1), repeat=2))


def test_of_an_argument() -> None:
    function = tf.function(of_an_argument)
    table = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    for k, j in ((0, 1), (1, 0)):
        expected, given = copy.deepcopy(table), copy.deepcopy(table)
        assert int(function(given, tf.constant(k), tf.constant(j))) == of_an_argument(expected, k, j)
        assert plain(given) == expected
