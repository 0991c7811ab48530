"""Arguments that share memory with arrays that the function finds elsewhere: in attributes, globals, closures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

from .sharing_models import TABLE, Decorate, Model, alike, arrays_of, seen


def writes(self: Model, v: Any, x: Any) -> Any:
    v[0] = x
    return self.a[0] + 1


def adds(self: Model, v: Any, x: Any) -> Any:
    self.a += v
    return v * 2


def in_branch(self: Model, v: Any, x: Any) -> Any:
    if x > 0:
        v[1:] = x
    else:
        self.a[-1] = v[0] + x
    return self.a.sum() + v.sum()


def in_loop(self: Model, v: Any, x: Any) -> Any:
    i = tf.constant(0)
    while i < 3:
        v[i] += self.a[2] * x
        self.a[i + 1] -= v[0]
        i += 1
    return self.a


def binds(self: Model, v: Any, x: Any) -> Any:
    old = self.a
    self.a = self.a + v
    v[0] = x
    old[1] += self.a[0]
    return old


def keeps(self: Model, v: Any, x: Any) -> None:
    self.b = v
    v[0] += x
    self.a = self.b[::-1]


def by_list(self: Model, v: Any, x: Any) -> Any:
    v[1] = x
    self.items[1][0] = v[1] + self.items[0][1]
    return self.items[1] + self.pair[0]


METHODS = (writes, adds, in_branch, in_loop, binds, keeps, by_list)
OVERLAPS: tuple[Callable[[Model], Any], ...] = (
    lambda o: o.a, lambda o: o.a[::-1], lambda o: np.zeros(4), lambda o: o.b, lambda o: o.items[0],
    lambda o: o.a.view(),
)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_an_argument_that_an_attribute_has(method: Any) -> None:
    alike(method, *OVERLAPS)


@pytest.mark.parametrize("method", METHODS)
def test_a_first_call_with_each(method: Any) -> None:
    for make in OVERLAPS:
        alike(method, make, numbers=(1.5,))


def test_the_number_of_traces() -> None:
    for function in alike(writes, lambda o: o.a, lambda o: np.zeros(4)):
        assert function.experimental_get_tracing_count() <= 3  # for arrays that share nothing, and for that one
        o = Model()
        function(o, np.zeros(4), tf.constant(1.0, tf.float64))
        for make, more in ((lambda: o.a, 1), (lambda: o.a[:3], 2), (lambda: o.a, 0), (lambda: o.a[:3], 0)):
            before = function.experimental_get_tracing_count()
            for _ in range(3):
                function(o, make(), tf.constant(1.0, tf.float64))
            assert function.experimental_get_tracing_count() - before <= more + (more > 0), make


def test_globals_and_closures() -> None:
    held = np.zeros(4)

    def of_globals(self: Model, v: Any, x: Any) -> Any:
        TABLE[1] = x
        return v * 1

    def of_closures(self: Model, v: Any, x: Any) -> Any:
        v[0] = v[0] + x
        return held[0] * 2

    alike(of_globals, lambda o: TABLE, lambda o: TABLE[1:], lambda o: o.a)

    def cleared(o: Model) -> Any:
        held[:] = 0
        return held

    alike(of_closures, cleared, lambda o: held[::-1], lambda o: o.a)


def test_rows_of_a_matrix() -> None:
    def method(self: Model, v: Any, x: Any) -> Any:
        self.m[1] = v * x
        v[0] = self.row[1]
        return self.m.T

    alike(method, lambda o: o.row, lambda o: o.m[0], lambda o: o.m[1], lambda o: o.m[1, ::-1])


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_several_arguments() -> None:
    def method(self: Model, u: Any, v: Any) -> Any:
        u += v
        self.a[1:] = u[:3]
        v[0] = self.a[3]
        return u + self.b

    pairs: list[Callable[[Model], Any]] = [
        lambda o: (o.a, o.a), lambda o: (o.a, o.b), lambda o: (np.ones(4), o.a), lambda o: (o.a[::-1], o.a),
        lambda o: (np.ones(4), np.ones(4)), lambda o: (o.items[0], o.items[1]), lambda o: (o.b, o.table["p"]),
    ]  # fmt: skip

    def program(function: Decorate) -> list[Any]:
        o, f = Model(), function(method)
        found = []
        for make in pairs * 2:
            u, v = make(o)
            found.append((np.asarray(f(o, u, v)).tolist(), seen(*arrays_of(o), u, v)))
        return found

    assert program(tf.function) == program(lambda f: f)


def test_a_method() -> None:
    class Counter:
        def __init__(self) -> None:
            self.w = np.arange(4.0)

        @tf.function
        def step(self, v: Any) -> None:
            self.w += v

    one, other = Counter(), Counter()
    one.step(one.w)
    one.step(other.w)
    one.step(one.w[::-1])
    other.step(one.w)
    other.step(other.w)
    assert one.w.tolist() == [9.0, 9.0, 9.0, 9.0]
    assert other.w.tolist() == [18.0, 20.0, 22.0, 24.0]


def test_lists_of_arrays_as_arguments() -> None:
    def method(self: Model, vs: Any, x: Any) -> Any:
        for v in vs:
            v[0] += self.a[0] * x
        return vs[0] + vs[1]

    def program(function: Decorate, x: Any) -> list[Any]:
        o, f = Model(), function(method)
        calls = ([o.a, o.b], [o.b, o.a], [o.a, o.a], [o.a[1:], o.b[1:]], [np.ones(4), np.ones(4)])
        return [(np.asarray(f(o, [*vs], x)).tolist(), seen(*arrays_of(o))) for vs in (*calls, *calls)]

    assert program(tf.function, tf.constant(2.0, tf.float64)) == program(lambda f: f, np.float64(2.0))


def test_what_raises_leaves_all_as_it_was() -> None:
    @tf.function
    def f(o: Model, v: Any, x: Any) -> Any:
        v[0] = 7.0
        o.a[1] = 8.0
        if x > 0:
            raise ValueError("no")
        return o.a

    o = Model()
    for given in (o.a, o.a[::-1], o.a):
        before = seen(*arrays_of(o))
        with pytest.raises(ValueError, match="no"):
            f(o, given, tf.constant(1.0))
        assert seen(*arrays_of(o)) == before
    f(o, o.a[::-1], tf.constant(-1.0))
    assert o.a.tolist() == [1.0, 8.0, 3.0, 7.0]


def test_gradients() -> None:
    @tf.function
    def f(o: Model, v: Any, x: Any) -> Any:
        v[0] = x * 3.0
        return tf.reduce_sum(o.a * o.a)

    o, x = Model(), tf.constant(2.0, tf.float64)
    for given, wanted in ((o.a, 36.0), (o.a[1:], 36.0), (np.zeros(4), 0.0), (o.a, 36.0)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(o, given, x)
        gradient = tape.gradient(y, x)
        assert (0.0 if gradient is None else float(gradient)) == wanted


def test_places_that_come_to_share_later() -> None:
    def program(function: Decorate, x: Any) -> list[Any]:
        o, f, found = Model(), function(in_branch), []
        v = np.ones(4)
        for i in range(8):
            if i == 2:
                o.a = v
            elif i == 4:
                o.a = v[::-1]
            elif i == 6:
                o.a = v.copy()
            found.append((float(f(o, v, x)), seen(*arrays_of(o), v)))
        return found

    for number in (1.5, -1.5):
        assert program(tf.function, tf.constant(number, tf.float64)) == program(lambda f: f, np.float64(number))


def test_one_trace_by_itself_says_how_they_must_lie() -> None:
    o, x = Model(), tf.constant(1.0, tf.float64)
    concrete = tf.function(writes).get_concrete_function(o, np.zeros(4), x)
    concrete(o, np.zeros(4), x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"'v' shares memory with 'self.a'.*pass a copy"):
        concrete(o, o.a, x)
    assert o.a[0] == 1.0


def test_elements_of_another_type_are_refused() -> None:
    @tf.function
    def f(o: Model, v: Any) -> Any:
        v[0] = 1
        return o.a.sum()

    o = Model()
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="pass a copy"):
            f(o, o.a.view(np.int64))
    f(o, o.a.view(np.int64).copy())
    assert o.a[0] == 1.0


def test_functions_without_overlaps_have_one_trace() -> None:
    for method in (writes, adds, by_list):
        o, f = Model(), tf.function(method)
        for _ in range(4):
            f(o, np.ones(4), tf.constant(1.0, tf.float64))
        f(o, np.ones(4), tf.constant(1.0, tf.float64))
        count = f.experimental_get_tracing_count()
        f(o, o.items[0].copy(), tf.constant(1.0, tf.float64))
        assert f.experimental_get_tracing_count() == count <= 2
