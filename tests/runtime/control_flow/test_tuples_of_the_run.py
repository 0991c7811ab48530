"""Loops over sets of tuples of which only the run knows the members; sets made of dicts of the run: as in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.algorithms.test_algorithms import alike, plain


def through_pairs(a: Any) -> Any:
    seen = set()
    for i, v in enumerate(a):
        seen.add((v % 4, i % 3))
    digits = 0
    for i, j in seen:
        digits = (digits * 7 + i * 3 + j) % 1_000_003
    return digits, [i * 4 + j for i, j in seen], sum(i - j for i, j in seen), len(list(seen)), {j for _, j in seen}


def neighbours(a: Any) -> Any:
    alive = {(v, w) for v, w in zip(a, a[1:])}  # noqa: RUF007
    born = set()
    for x, y in alive:
        for dx in (-1, 0, 1):
            if (x + dx, y + 1) not in alive:
                born.add((x + dx, y + 1))
    total = 0
    for cell in born:
        total = (total * 31 + cell[0] * 5 + cell[1]) % 1_000_003
    return total, len(born)


def of_dicts(a: Any) -> Any:
    d = {}
    for i, v in enumerate(a):
        d[v] = i
    s = set(a[:3])
    t = {v + 1 for v in s}
    t.update(d)
    return (sorted(set(d)), sorted(s & set(d)), s.issubset(d), s.issuperset(d), s.isdisjoint(d), sorted(s.union(d)),
            sorted(s.difference(d)), sorted(t), sorted(set(d.items())), sorted(set(d.values())))  # fmt: skip


def displays(a: Any) -> Any:
    x, y = a[0], a[1]
    return sorted({v % 5 for v in [x, y, 3]}), sorted({v: v + 1 for v in (x, y)}.items())


PROGRAMS = (displays, through_pairs, neighbours, of_dicts)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("values", [[3, 1, 4, 1, 5, 9, 2, 6, 3], [70, 3, -7, 1, 1, 1, 2, 9, 9, 12, 40, 8, 64, 0]])
def test_as_in_python(program: Any, values: list[int]) -> None:
    found = plain(tf.function(program)(tf.constant(np.array(values))))
    assert alike(found, plain(program(values)))


@pytest.mark.parametrize("kind", [np.int32, np.float64, np.bool_])
def test_tuples_of_other_numbers(kind: Any) -> None:
    def f(a: Any) -> Any:
        seen = set()
        for v in a:
            seen.add((v, v))
        return [v for v, _ in seen]

    values = np.array([3, 1, 4, 0, 5], kind)
    assert np.asarray(tf.function(f)(tf.constant(values))).tolist() == f(values.tolist())


@pytest.mark.parametrize("member", [lambda v: ((v, 1), 2), lambda v: (v, v / 2)], ids=["nested", "kinds"])
def test_orders_that_are_not_known_are_refused(member: Any) -> None:
    with pytest.raises(StagingTypeError, match=r"Go through `sorted\(s\)`"):
        tf.function(lambda a: [m[1] for m in {member(v) for v in a}])(tf.constant([1, 2]))
