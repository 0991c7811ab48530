"""insert, slices, extend and sums of lists as machine code: what Python's lists become."""

import numpy as np
import pytest

import runtime as tf


def sorted_by_insertion(x, n):
    found = []
    for i in range(n):
        place = 0
        while place < len(found) and found[place] < x[i]:
            place += 1
        found.insert(place, x[i])
    return found


def inserted_anywhere(n, low, high):
    found = []
    for i in range(n):
        found.insert(low, i)
        found.insert(high, -i)
        found.insert(-1, i * i)
    return found


def sliced(n, start, stop, step):
    found = []
    for i in range(n):
        found.append(i * 3)
    total = 0
    for k in range(3):
        part = found[start + k:stop:step]
        for value in part:
            total = (total * 7 + value) % 1000003
        part.append(k)
        found = found + part[:4] + found[-2:]
    return found, total, len(found)


def backwards(n):
    found = []
    for i in range(n):
        found.append(i)
        if len(found) > 5:
            found = found[::-1]
            found = found[:-2] + found[4:1:-1]
    return found


def doubled(n):
    found = [1]
    for i in range(n):
        found = found + found
        found.extend(found[1:3])
        if len(found) > 40:
            found = found[::3]
    return found


def rows(x, n):
    kept = []
    for i in range(n):
        kept.append(x[i])
        kept.insert(0, x[n - 1 - i] * 2.0)
        if len(kept) > 6:
            kept = kept[1:-1] + kept[2:4]
    total = kept[0]
    for row in kept:
        total = total + row
    return total, len(kept)


X = np.random.default_rng(0).normal(size=30)
PROGRAMS = [
    (sorted_by_insertion, (X, 30)), *((inserted_anywhere, (5, a, b)) for a in (0, 2, -2, 100) for b in (-100, -1, 3)),
    *((sliced, (9, a, b, c)) for a in (0, 3, -4, 50) for b in (9, -1, 2, -50) for c in (1, 2, 5)),
    (backwards, (20,)), (doubled, (9,)), (rows, (X.reshape(10, 3), 10)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_program(function, arguments):
    staged = STAGED.setdefault(function, tf.function(function, backend="native"))
    given = [tf.constant(a, tf.int64) if isinstance(a, int) else a.copy() for a in arguments]
    for one, other in zip(tf.nest.flatten(staged(*given)), tf.nest.flatten(function(*arguments)), strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)
    plan = staged.get_concrete_function(*given).plan
    assert [str(reason) for reason in plan.refused] == []
    assert plan.regions
    assert {region.given_up for region in plan.regions} == {0}


STAGED = {}


def test_steps_backwards_that_only_the_run_knows_are_the_plans():
    staged = tf.function(sliced, backend="native")
    found = staged(*(tf.constant(a, tf.int64) for a in (9, 8, -10, -2)))
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(sliced(9, 8, -10, -2)), strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)


def test_a_step_of_zero_raises():
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="zero"):
        tf.function(sliced, backend="native")(*(tf.constant(a, tf.int64) for a in (9, 0, 9, 0)))
