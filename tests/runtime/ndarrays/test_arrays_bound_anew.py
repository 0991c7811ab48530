"""Attributes, elements and keys of the program that are bound to other arrays: double buffers, new arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning


class Solver:
    def __init__(self) -> None:
        self.u = np.arange(5.0)
        self.v = np.ones(5)
        self.w: Any = None
        self.pages = [np.zeros(3), np.ones(3)]
        self.table = {"a": np.zeros(3), "b": np.ones(3)}


def double_buffer(s: Solver, dt: Any) -> Any:
    s.v[1:-1] = s.u[1:-1] + dt * (s.u[2:] - 2 * s.u[1:-1] + s.u[:-2])
    s.u, s.v = s.v, s.u
    return s.u.sum()


def several_steps(s: Solver, dt: Any) -> Any:
    for _ in range(3):
        s.v[1:-1] = s.u[1:-1] + dt * (s.u[2:] - 2 * s.u[1:-1] + s.u[:-2])
        s.u, s.v = s.v, s.u
    return s.u.sum()


def delay_line(s: Solver, dt: Any) -> Any:
    s.v[:] = s.u * dt
    s.w = s.u
    s.u = s.v
    s.v = s.w
    return s.u.sum()


def another_name(s: Solver, dt: Any) -> Any:
    s.v[1:] = dt
    s.w = s.v
    s.w[0] = 7.0
    return s.v.sum()


def only_swapped(s: Solver, dt: Any) -> Any:
    s.u, s.v = s.v, s.u
    return s.u.sum() * dt


def elements(s: Solver, dt: Any) -> Any:
    s.pages[0][:] = s.pages[1] * dt + 1
    s.pages[0], s.pages[1] = s.pages[1], s.pages[0]
    return s.pages[0].sum()


def keys(s: Solver, dt: Any) -> Any:
    s.table["a"][:] = s.table["b"] * dt + 1
    s.table["a"], s.table["b"] = s.table["b"], s.table["a"]
    return s.table["a"].sum()


def new_each_time(s: Solver, dt: Any) -> Any:
    s.v[1:] = dt
    if s.w is not None:
        s.v[0] = s.w[1]
    s.w = s.v * 2
    return s.w.sum()


def made_first(s: Solver, dt: Any) -> Any:
    if s.w is None:
        s.w = np.zeros(5)
    s.w[:] = s.u + dt * s.v
    s.u, s.v, s.w = s.v, s.w, s.u
    return s.u.sum()


def new_dict(s: Solver, dt: Any) -> Any:
    if s.w is None:
        s.w = {"a": np.zeros(3), "b": np.ones(3)}
    s.w["a"][:] = s.w["b"] * dt + 1
    s.w["a"], s.w["b"] = s.w["b"], s.w["a"]
    return s.w["a"].sum()


def chosen(s: Solver, dt: Any) -> Any:
    if s.u[0] < dt:
        s.u, s.v = s.v, s.u
    s.u *= 1 + dt
    return s.u.sum()


def best_so_far(s: Solver, dt: Any) -> Any:
    s.u[::2] += dt - s.v[0]
    s.v[0] += dt
    if s.u.sum() > 9.8:
        s.w = s.u.copy()
    return s.u.sum()


def best_so_far_in_the_place_of_another(s: Solver, dt: Any) -> Any:
    s.v += dt
    if s.v[0] < 2.8:
        s.u = s.v * 2
    return s.u.sum()


def kept_where_nothing_was(s: Solver, dt: Any) -> Any:
    s.w = s.u * dt
    s.u += 1
    return s.u.sum()


def view(s: Solver, dt: Any) -> Any:
    s.v[1:] = dt
    s.w = s.v[1:]
    return s.w.sum()


def view_of_one(s: Solver, dt: Any) -> Any:
    s.w = s.u[1:] if s.u[0] < dt else s.v[1:]
    s.u += dt
    return s.w.sum()


def twice(s: Solver, dt: Any) -> Any:
    s.u = s.v = np.zeros(5)
    s.u[0] = dt
    return s.v.sum()


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else np.asarray(value).tolist()


PROGRAMS: list[Callable[[Solver, Any], Any]] = [
    double_buffer, several_steps, delay_line, another_name, only_swapped, elements, keys, new_each_time, made_first,
    new_dict, chosen, best_so_far, best_so_far_in_the_place_of_another, kept_where_nothing_was,
    view, view_of_one, twice,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_numpy_in_each_call(program: Callable[[Solver, Any], Any]) -> None:
    mine, numpys = Solver(), Solver()
    staged = tf.function(lambda dt: program(mine, dt))
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for _ in range(5):
            found = staged(tf.constant(0.5, tf.float64))
            assert float(found) == float(program(numpys, 0.5))
            assert plain(vars(mine)) == plain(vars(numpys))


def stepped(s: Solver) -> Any:
    s.u = s.u * 0.5 + s.v
    return s.u.sum()


def begun_again(s: Solver) -> Any:
    s.u = s.u + 1
    total = s.u.sum()
    s.u = np.zeros(5)
    return total


def in_a_dict(s: Solver) -> Any:
    for key in s.table:
        s.table[key] = s.table[key] * 2 + 1
    return s.table["a"].sum()


def in_a_list(s: Solver) -> Any:
    s.pages[0] = s.pages[1] + 2
    return s.pages[0].sum()


def turned_in_a_list(s: Solver) -> Any:
    s.pages[0], s.pages[1] = s.pages[1] * 2, s.pages[0] + 1
    return s.pages[0].sum()


@pytest.mark.parametrize("program", [stepped, begun_again, in_a_dict, in_a_list, turned_in_a_list])
def test_without_a_tensor_in_sight(program: Callable[[Solver], Any]) -> None:
    mine, numpys = Solver(), Solver()
    staged = tf.function(lambda: program(mine))
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for _ in range(5):
            assert plain(staged()) == plain(program(numpys))
            assert plain(vars(mine)) == plain(vars(numpys))


def test_methods_of_one_object_take_turns() -> None:
    class Filter:
        def __init__(self) -> None:
            self.x, self.p = np.zeros(2), np.eye(2)

        def predict(self) -> None:
            self.x = MOVES @ self.x
            self.p = MOVES @ self.p @ MOVES.T + 0.01 * np.eye(2)

        def update(self, z: Any) -> Any:
            gain = self.p[:, :1] / (self.p[0, 0] + 0.1)
            self.x = self.x + gain[:, 0] * (z - self.x[0])
            self.p = self.p - gain @ self.p[:1]
            return self.x

        def begin_again(self) -> None:
            self.x = np.zeros(2)

    mine, numpys = Filter(), Filter()
    calls = {name: tf.function(getattr(mine, name)) for name in ("predict", "update", "begin_again")}
    for name, *given in [("predict",), ("update", 1.0), ("predict",), ("predict",), ("update", 2.0), ("begin_again",),
                         ("update", 0.5), ("predict",), ("begin_again",), ("predict",)]:  # fmt: skip
        found, wanted = calls[name](*given), getattr(numpys, name)(*given)
        assert wanted is None or plain(found) == pytest.approx(plain(wanted), rel=1e-12)
        for key, value in vars(numpys).items():
            np.testing.assert_allclose(np.asarray(vars(mine)[key]), value, rtol=1e-12)


MOVES = np.array([[1.0, 0.1], [0.0, 1.0]])


def test_the_arrays_stay_the_ones_that_they_are() -> None:
    s = Solver()
    first, second = s.u, s.v
    staged = tf.function(lambda dt: double_buffer(s, dt))
    for _ in range(3):
        staged(tf.constant(0.5, tf.float64))
        first, second = second, first
        assert s.u is first and s.v is second
    assert staged.cache_info().made <= 2


def view_at(s: Solver, i: Any) -> Any:
    s.w = s.v[i : i + 2]
    return s.w.sum()


def test_a_view_at_a_place_of_the_run_is_that_view() -> None:
    s, t = Solver(), Solver()
    staged = tf.function(lambda i: view_at(s, i))
    for i in (1, 0, 2):
        assert float(staged(tf.constant(i))) == view_at(t, i)
        assert plain(vars(s)) == plain(vars(t))
        s.v[i] = t.v[i] = 7.0
        assert s.w.tolist() == t.w.tolist()


def test_an_array_takes_turns_with_new_ones() -> None:
    s, t = Solver(), Solver()

    def one_of_three(s: Solver, dt: Any) -> Any:
        s.u[0] += dt
        if s.u[0] < 0.8:
            s.v = s.u * 2
        elif s.u[0] < 1.3:
            s.v = s.u
        return s.u.sum() + 10 * s.v.sum()

    staged = tf.function(lambda dt: one_of_three(s, dt))
    for _ in range(4):
        assert float(staged(tf.constant(0.5, tf.float64))) == one_of_three(t, 0.5)
        assert plain(vars(s)) == plain(vars(t))
        assert (s.u is s.v) == (t.u is t.v)


class Node:
    def __init__(self, visits: Any) -> None:
        self.visits = visits


class Search:
    def __init__(self, number: int) -> None:
        self.counts = np.zeros(2 * number)
        self.nodes = [Node(np.zeros(1)) for _ in range(number)]
        self.parts = [Node(self.counts[2 * i : 2 * i + 2]) for i in range(number)]
        self.best = self.nodes[0]


def of_one_of_several(s: Search, i: Any) -> Any:
    node = s.nodes[i]
    node.visits += 1
    return node.visits[0]


def of_a_part(s: Search, i: Any) -> Any:
    s.parts[i].visits += i + 1
    return s.counts.sum()


def of_the_best(s: Search, i: Any) -> Any:
    node = s.nodes[i]
    node.visits += i + 1
    if node.visits[0] > s.best.visits[0]:
        s.best = node
    return s.best.visits[0]


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("program", [of_one_of_several, of_a_part, of_the_best])
def test_an_array_that_is_changed_in_place_stays_where_it_is(program: Any, number: int) -> None:
    plain, staged = Search(number), Search(number)
    arrays = [node.visits for node in staged.nodes + staged.parts]
    step = tf.function(program)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for i in (1, 0, 1, 1):
            assert float(step(staged, tf.constant(i))) == program(plain, i)
    assert all(node.visits is array for node, array in zip(staged.nodes + staged.parts, arrays, strict=True))
    assert staged.nodes.index(staged.best) == plain.nodes.index(plain.best)
    for was, now in zip(plain.nodes + plain.parts, staged.nodes + staged.parts, strict=True):
        assert now.visits.tolist() == was.visits.tolist()


def test_numbers_of_arrays_are_left_where_nothing_was() -> None:
    def program(s: Solver, x: Any) -> Any:
        s.w = x.max()
        s.mean = np.mean(s.u * x[0])  # type: ignore[attr-defined]
        return x.sum()

    plain, staged, step = Solver(), Solver(), tf.function(program)
    for factor in (1.0, -2.0, 3.0):
        assert float(step(staged, X * factor)) == program(plain, X * factor)
        assert (float(staged.w), float(staged.mean)) == (plain.w, plain.mean)  # type: ignore[attr-defined]


X = np.arange(1.0, 4.0)
