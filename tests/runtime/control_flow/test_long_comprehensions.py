"""Comprehensions over many items that Python knows: one loop of the graph where that can be, else Python's lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

N = 100


class Pair:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b


def summed(x: Any) -> Any:
    return sum(x * i for i in range(N))


def largest(x: Any) -> Any:
    return max(x * i for i in range(N)), min(x - i for i in range(N))


def conditions(x: Any) -> Any:
    return any(x == i for i in range(N)), all(x != i for i in range(N))


def filtered(x: Any) -> Any:
    kept = [i for i in range(N) if i > x * 10]
    return len(kept), kept[0], kept[-1]


def nested(x: Any) -> Any:
    return sum(i * j * x for i in range(N) for j in range(i))


def of_enumerated(x: Any) -> Any:
    return sum(i * v * x for i, v in enumerate([0.5, 1.5] * N))


def of_zipped(x: Any) -> Any:
    return [a * b * x for a, b in zip(range(N), reversed(range(N)))][10]


def elements(x: Any) -> Any:
    y = [x * i for i in range(N)]
    return y[3], y[-1], len(y), y[2:5], sum(y), max(y)


def gone_through(x: Any) -> Any:
    total = 0.0
    for i, y in enumerate([x + i for i in range(N)]):
        total = total + y * i
    for y, z in zip([x + i for i in range(N)], range(N)):
        total = total + y * z
    return total


def unpacked(x: Any) -> Any:
    first, second, *_ = [x * i for i in range(N)]
    return first + second


def changed(x: Any) -> Any:
    y = [x * i for i in range(N)]
    y.append(x)
    y[0] = x + 1
    y.extend([x, x])
    del y[5]
    z = y[:]
    z.reverse()
    return y[0], y[-1], len(y), z[1], y.index(x * 7)


def other_name(x: Any) -> Any:
    y = z = [x * i for i in range(N)]
    z.append(x)
    return len(y), y is z, y == z


def of_pairs(x: Any) -> Any:
    y = [(i, x * i) for i in range(N)]
    return y[4][0], y[4][1], [b for a, b in y if a == 3]


def of_lists(x: Any) -> Any:
    y = [[x * i, i] for i in range(N)]
    y[0][1] = x
    return y[0][1], y[1][0]


def of_rows(x: Any) -> Any:
    row = [0.0]
    y = [row for _ in range(N)]
    y[0][0] = x
    return y[50][0]


def of_objects(x: Any) -> Any:
    y = [Pair(i, x * i) for i in range(N)]
    y[3].a = x
    return y[3].a + y[4].b


def of_dicts(x: Any) -> Any:
    return [{"a": x * i} for i in range(N)][7]["a"]


def of_none(x: Any) -> Any:
    y = [None for _ in range(N)]
    return x if y[3] is None else -x


def of_shapes(x: Any) -> Any:
    y = [np.ones(i % 3) * x for i in range(N)]
    return y[2].sum() + len(y[1])


def of_choices(x: Any) -> Any:
    y = [x if i % 2 else -x for i in range(N)]
    return y[0], y[1]


def of_numbers(x: Any) -> Any:
    places = [3 * i for i in range(N)]
    names = [str(i) for i in range(N)]
    return np.arange(300.0)[places[7]] * x, len(names[50]), places[5] * x, {places[1]: x}[3]


def of_large_numbers(x: Any) -> Any:
    return x * ([3**i for i in range(N)][99] % 1000)


def with_effects(x: Any) -> Any:
    seen: list[Any] = []
    y = [seen.append(i) or x * i for i in range(N)]
    return len(seen), y[5], seen[7]


def with_a_walrus(x: Any) -> Any:
    y = [(last := x * i) for i in range(N)]
    return y[0] + last


def as_arrays(x: Any) -> Any:
    return np.array([x * i for i in range(N)]), np.stack([np.array([x, i]) for i in range(N)])


def joined(x: Any) -> Any:
    y = [x * i for i in range(N)] if x > 0 else [x]
    return len(y), y[0]


def of_functions(x: Any) -> Any:
    y = [lambda v, i=i: v * i for i in range(N)]
    return y[3](x)


def sets_and_dicts(x: Any) -> Any:
    table = {i: x * i for i in range(N)}
    kept = {i % 7 for i in range(N)}
    return table[5], len(table), len(kept)


def in_order(x: Any) -> Any:
    return sorted(x * ((i * 7) % N) for i in range(N))[3], list(x * i for i in range(N))[4]


def begun(x: Any) -> Any:
    numbers = (x * i for i in range(N))
    first = next(numbers)
    return first + next(numbers) + sum(numbers)


PROGRAMS = [
    summed, largest, conditions, filtered, nested, of_enumerated, of_zipped, elements, gone_through, unpacked, changed,
    other_name, of_pairs, of_lists, of_rows, of_objects, of_dicts, of_none, of_shapes, of_choices, of_numbers,
    of_large_numbers, with_effects, with_a_walrus, as_arrays, joined, of_functions, sets_and_dicts, in_order, begun,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for x in (1.5, -2.0, 3.0):
        try:
            wanted = plain(program(x))
        except (IndexError, ValueError) as error:
            with pytest.raises(type(error)):
                staged(tf.constant(x, tf.float64))
        else:
            assert plain(staged(tf.constant(x, tf.float64))) == wanted


STAGED = [summed, largest, filtered, nested, of_enumerated, of_zipped, gone_through, of_pairs]


@pytest.mark.parametrize("program", STAGED, ids=lambda p: p.__name__)
def test_the_graph_does_not_grow_with_the_items(program: Callable[[Any], Any]) -> None:
    assert len(tf.function(program).get_concrete_function(tf.constant(1.5)).graph.operations) < 60


def test_what_comes_of_python_alone_is_pythons() -> None:
    found = []

    @tf.function
    def f(x: Any) -> Any:
        places = [2 * i for i in range(N)]
        found.append(places[3])
        return x * places[3]

    assert float(f(tf.constant(2.0))) == 12.0
    assert found == [6] and type(found[0]) is int


def test_gradients() -> None:
    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: sum(x**2 * i for i in range(N)) + [x * i for i in range(N)][7])(x)
    assert float(tape.gradient(y, x)) == 2 * 1.5 * sum(range(N)) + 7


# -- rows of arrays


def sums_of_rows(a: Any) -> Any:
    return np.array([row.sum() for row in a])


def rows_that_pass(a: Any) -> Any:
    kept = [row[0] * 2 for row in a if row[1] > 0.5]
    return len(kept), kept[0], np.array(kept)


def views_are_kept(a: Any) -> Any:
    rows = [row for row in a]
    rows[3][1] = 7.0
    rows[5] *= 2
    return a[3, 1] + a[5, 0]


def some_views_are_kept(a: Any) -> Any:
    rows = [row for row in a if len(row) == 3]
    rows[0][0] = -1.0
    return a[0, 0], len(rows)


def written_while_gone_through(a: Any) -> Any:
    return np.array([scaled(row) for row in a]), a.sum()


def scaled(row: Any) -> Any:
    row *= 2
    return row.max()


def distances(a: Any) -> Any:
    return np.array([[((p - q) ** 2).sum() for q in a[:4]] for p in a])


ROWS = [sums_of_rows, rows_that_pass, views_are_kept, some_views_are_kept, written_while_gone_through, distances]


@pytest.mark.parametrize("program", ROWS, ids=lambda p: p.__name__)
def test_rows_as_in_numpy(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for seed in range(2):
        a = np.random.default_rng(seed).uniform(0, 1, (N, 3))
        b = a.copy()
        wanted, found = program(a), staged(b)
        for w, f in zip(tf.nest.flatten(wanted), tf.nest.flatten(found), strict=True):
            np.testing.assert_allclose(f, w, rtol=1e-12)
        np.testing.assert_allclose(b, a, rtol=1e-12)


@pytest.mark.parametrize("program", [sums_of_rows, rows_that_pass, distances], ids=lambda p: p.__name__)
def test_the_graph_does_not_grow_with_the_rows(program: Callable[[Any], Any]) -> None:
    graph = tf.function(program).get_concrete_function(np.ones((N, 3))).graph
    assert len(graph.operations) < 60
