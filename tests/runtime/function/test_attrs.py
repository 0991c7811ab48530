"""Objects of attrs classes: structures in arguments and results of Functions, in branches and in loops."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

import attrs
import pytest

import runtime as tf
from runtime import nest

t = tf.constant


@attrs.define
class Point:
    x: Any
    y: Any = 2


@attrs.frozen
class Named:
    value: Any
    label: str = "a"


@dataclass(slots=True)
class Slotted:
    value: Any


def walk(p: Any) -> Any:
    if p.x > 0:
        p = attrs.evolve(p, x=p.x * 2)
    else:
        p = Point(p.x - 1, p.y)
    i = 0
    while i < p.x:
        p = Point(p.x - 1, p.y + i)
        i += 1
    return p


def test_tensors_in_fields_are_inputs_and_other_fields_choose_the_trace() -> None:
    seen = []

    @tf.function
    def f(point: Any, named: Any) -> Any:
        seen.append(named.label)
        return Point(point.x + named.value, named)

    for n in (1, 2):
        made = f(Point(t(n)), Named(t(10)))
        assert type(made) is Point and type(made.y) is Named
        assert (made.x.numpy(), made.y.value.numpy(), made.y.label.numpy()) == (n + 10, 10, b"a")
    assert f(Point(t(1)), Named(t(10), "b")).y.label.numpy() == b"b"
    assert f(Point(t(1), 3), Named(t(10))).x.numpy() == 11
    assert seen == ["a", "b", "a"]
    assert [i.name for i in f.get_concrete_function(Point(t(1)), Named(t(10))).inputs] == ["point_x:0", "named_value:0"]


@pytest.mark.parametrize("x", [-3, 0, 1, 5])
def test_as_results_of_branches_and_state_of_loops(x: int) -> None:
    made, plain = tf.function(walk)(Point(t(x), t(1))), walk(Point(x, 1))
    assert type(made) is Point
    assert (made.x.numpy(), made.y.numpy()) == (plain.x, plain.y)


def test_branches_of_different_classes_are_refused() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            y = Point(x, x)
        else:
            y = Named(x, x)  # type: ignore[assignment]
        return y

    with pytest.raises(TypeError, match="Point|Named"):
        f(t(1))


@pytest.mark.parametrize("kind", [Point, Slotted])
def test_objects_with_slots_in_lists_that_grow(kind: Any) -> None:
    @tf.function
    def f(n: Any) -> Any:
        out = []
        for i in tf.range(n):
            out.append(kind(i))
        return out

    made = f(t(3))
    assert [type(part) for part in made] == [kind] * 3
    assert [nest.flatten(part)[0].numpy() for part in made] == [0, 1, 2]


def test_what_attrs_has_written_is_not_asked_for_its_source() -> None:
    @attrs.define
    class Counted:
        value: Any
        count: Any = 1

        def __attrs_post_init__(self) -> None:
            if self.value > 3:
                self.count = 10

    linecache.clearcache()

    @tf.function
    def program(n):
        counted = Counted(n)
        for _ in range(n):
            counted = Counted(counted.value + 1, counted.count)
        return counted.value, counted.count

    assert [tuple(int(v) for v in program(tf.constant(n))) for n in (1, 5)] == [(2, 1), (10, 10)]
