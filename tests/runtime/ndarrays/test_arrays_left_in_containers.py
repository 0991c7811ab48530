"""Arrays that runs leave in lists, deques, dicts and objects: as NumPy's, in content, identity and memory."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf


class Held:
    def __init__(self) -> None:
        self.h: list[Any] = []
        self.d: Any = collections.deque(maxlen=3)
        self.m: dict[str, Any] = {}
        self.best: Any = None
        self.o: Any = None
        self.x = np.zeros(2)
        self.n = [np.zeros(2)] * 3
        self.pairs: list[Any] = [(np.zeros(2), 1.0)]


class Node:
    def __init__(self, v: Any, nxt: Any = None) -> None:
        self.v, self.nxt = v, nxt


def window_of_arguments(s: Held, x: Any) -> Any:
    s.h.append(x)
    if len(s.h) > 3:
        s.h.pop(0)
    return np.mean(s.h, axis=0).sum()


def deque_of_new(s: Held, x: Any) -> Any:
    s.d.append(x * 2)
    return np.stack(list(s.d)).mean()


def deque_of_arguments(s: Held, x: Any) -> Any:
    s.d.append(x)
    s.d[0][0] += 1
    return s.d[-1].sum()


def one_array_under_two_keys(s: Held, x: Any) -> Any:
    s.m["a"] = s.m.get("a", np.zeros(2)) + x
    s.m["b"] = s.m["a"]
    s.m["a"][0] += 1
    return s.m["b"].sum()


def rotated(s: Held, x: Any) -> Any:
    s.n = s.n[1:] + [x * 1.5]
    return s.n[0].sum()


def first_to_the_end(s: Held, x: Any) -> Any:
    s.n.append(s.n.pop(0))
    s.n[0] = s.n[0] + x
    return s.n[1].sum()


def one_array_three_times(s: Held, x: Any) -> Any:
    s.n[0] += x
    return s.n[2].sum()


def in_a_tuple(s: Held, x: Any) -> Any:
    a, w = s.pairs[0]
    s.pairs[0] = (a + x, w * 0.5)
    return a.sum()


def best_argument(s: Held, x: Any) -> Any:
    if s.best is None or x.sum() > s.best.sum():
        s.best = x
    return s.best.sum()


def best_copied(s: Held, x: Any) -> Any:
    if s.best is None:
        s.best = x.copy()
    elif x.sum() > s.best.sum():
        s.best[:] = x
    return s.best.sum()


def chain_of_nodes(s: Held, x: Any) -> Any:
    s.o = Node(x, s.o)
    t = 0.0
    n = s.o
    k = 0
    while n is not None and k < 4:
        t = t + n.v.sum()
        n = n.nxt
        k += 1
    return t


def in_an_object(s: Held, x: Any) -> Any:
    if s.o is None:
        s.o = Node(np.zeros(2))
    s.o.v = s.o.v + x
    y = s.o.v
    s.x = y
    y[0] = 3
    return s.x.sum()


def list_in_a_dict(s: Held, x: Any) -> Any:
    s.m.setdefault("l", []).append(x * 2)
    return s.m["l"][-1].sum()


def by_an_inner_function(s: Held, x: Any) -> Any:
    def inner():
        s.x = s.x + x
        return s.x

    y = inner()
    y[1] = 5
    return s.x.sum()


def decayed(s: Held, x: Any) -> Any:
    s.h = [v * 0.5 for v in s.h] + [x]
    return sum(v.sum() for v in s.h)


def rolled(s: Held, x: Any) -> Any:
    if s.o is None:
        s.o = np.zeros((3, 2))
    s.o = np.roll(s.o, 1, axis=0)
    s.o[0] = x
    return s.o.mean()


def stacked(s: Held, x: Any) -> Any:
    if s.o is None:
        s.o = np.zeros((3, 2))
    s.o = np.vstack([s.o[1:], x])
    return s.o.mean()


def largest(s: Held, x: Any) -> Any:
    s.x = np.sort(np.concatenate([s.x, x]))[-4:]
    return s.x[0]


def none_or_new(s: Held, x: Any) -> Any:
    if x.sum() > 2:
        s.o = None
    else:
        s.o = x * 2
    return x.sum()


def swapped_by_a_condition(s: Held, x: Any) -> Any:
    a, b = s.n[0], s.n[1]
    if x.sum() > 1:
        a, b = b, a
    s.n[0] = a + x
    s.n[1] = b
    return s.n[0].sum()


PROGRAMS: list[Callable[[Held, Any], Any]] = [
    window_of_arguments, deque_of_new, deque_of_arguments, one_array_under_two_keys, rotated, first_to_the_end,
    one_array_three_times, in_a_tuple, best_argument, best_copied, chain_of_nodes, in_an_object, list_in_a_dict,
    by_an_inner_function, decayed, rolled, stacked, largest, none_or_new, swapped_by_a_condition,
]  # fmt: skip


def arrays_in(words: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, np.ndarray | tf.Tensor):
        yield words, value
    elif isinstance(value, list | tuple | collections.deque):
        for i, part in enumerate(value):
            yield from arrays_in(f"{words}[{i}]", part, seen)
    elif isinstance(value, dict | Held | Node) and id(value) not in seen:
        seen.add(id(value))
        for key, part in (value if isinstance(value, dict) else vars(value)).items():
            yield from arrays_in(f"{words}.{key}", part, seen)


def pattern(*values: Any) -> Any:
    """All arrays: what they hold, which of them are one, which share memory."""
    found = [row for i, value in enumerate(values) for row in arrays_in(str(i), value, set())]
    pairs = list(itertools.combinations(found, 2))
    return (
        [(words, type(a), np.asarray(a).tolist()) for words, a in found],
        [(p, q) for (p, a), (q, b) in pairs if a is b],
        [(p, q) for (p, a), (q, b) in pairs if np.shares_memory(a, b)],
    )


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_left_is_what_numpy_leaves(program: Callable[[Held, Any], Any]) -> None:
    mine, numpys = Held(), Held()
    xs = [np.array([i * 0.5, 1 - 0.1 * i]) for i in range(4)]
    ys = [x.copy() for x in xs]
    staged = tf.function(lambda x: program(mine, x))
    for i in range(7):
        np.testing.assert_allclose(staged(xs[i % 4]), program(numpys, ys[i % 4]), rtol=1e-12)
        assert pattern(mine, xs) == pattern(numpys, ys)
