"""What kinds of values staged statements carry: literals, structures, Python objects, functions, strings."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: Any
    y: Any = 0
    norm: Any = dataclasses.field(init=False, default=0.0)


@dataclasses.dataclass
class Box:
    x: Any

    def __post_init__(self):
        self.twice = 1


def bool_or_int(n):
    y = True
    if n > 0:
        y = 2
    return y + 1


def int_or_float(n):
    y = 1
    if n > 0:
        y = 2.5
    return y * 1.0


def float_into_int(n):
    s = 0
    for i in range(n):
        s += 0.5
    return s * 1.0


def float_into_int_in_nested_loops(n):
    s = 0
    for i in range(n):
        for j in range(i):
            if j > 0:
                s += 1.5
    return s * 1.0


def float_into_ints_of_structures(n):
    d = {"s": 0, "c": (0, True)}
    for i in range(n):
        d = {"s": d["s"] + 0.25, "c": (d["c"][0] + 1, d["c"][1] and i < 3)}
    return d["s"] * 1.0, d["c"]


def frozen_dataclass(n):
    p = Point(0, 1)
    for i in range(n):
        p = dataclasses.replace(p, x=p.x + i)
    if n > 2:
        p = Point(p.x * 2, p.y)
    return p.x, p.y, p.norm


def dataclass_with_more_attributes(n):
    box = Box(1)
    for i in range(n):
        box = Box(box.x + i)
    return box.x, box.twice


def nested_structures(n):
    p = Pair(0, [1, {"k": 2}])
    for i in range(n):
        p = Pair(p.b[0] + p.a, [i, {"k": p.a}])
    return p


def swapped_structures(n):
    a, b = (1, (2, n)), (n, (0, 5))
    for i in range(n):
        a, b = b, a
    return a, b


def equal_objects(n):
    color, kind, shape, dtype = Color.RED, int, tf.TensorShape([2]), tf.float32
    if n > 0:
        color, kind, shape, dtype = Color.RED, int, tf.TensorShape([2]), tf.float32
    for i in range(n):
        color = Color.RED
    return (1 if color is Color.RED else 2), kind(3), tf.ones(shape, dtype)


def same_level(n):
    level = Level.LOW
    for i in range(n):
        level = Level.LOW
    return 1 if level is Level.LOW else 2


def changed_level(n):
    level = Level.LOW
    if n > 0:
        level = Level.HIGH
    return 1 if level == Level.LOW else 2


def changed_level_in_loop(n):
    level = Level.LOW
    for i in range(n):
        if i > 1:
            level = Level.HIGH
    return 1 if level == Level.LOW else 2


def chosen_text(n):
    s = "a"
    for i in range(n):
        s = "b"
    return s if n < 3 else "c"


def grown_text(n):
    s = ""
    for i in range(n):
        s = s + "b"
    return s


def flag(n):
    done = False
    for i in range(n):
        done = done or i > 2
    return done


def chosen_builtin(n):
    f = abs
    if n > 2:
        f = lambda x: x * 2
    return f(n)


def chosen_functions(n):
    def a(x):
        return x + 1

    def b(x):
        if x > 3:
            return x * 2
        return -x

    f = a
    if n > 2:
        f = b
    if n > 4:
        f = abs
    return f(n) + f(1)


def function_or_none(n):
    f = None
    if n > 0:
        f = abs
    if n > 2:
        f = lambda x: x * 5
    return f(n) if f is not None else -100


def functions_changed_in_loops(n):
    def a(x):
        return x + 1

    def b(x):
        if x > 3:
            return x * 2
        return -x

    f, g, s = a, b, 0
    for i in range(n):
        s += f(i)
        f, g = g, f
        if i == 3:
            f = abs
    return s, f(2), g(-1)


def chosen_methods(n):
    class Scale:
        def __init__(self, k):
            self.k = k

        def go(self, x):
            return x * self.k

    small, large = Scale(2), Scale(n)
    f = large.go if n > 2 else small.go
    return f(n) + f(1)


def functions_in_structures(n):
    pair = (abs, 1)
    if n > 0:
        pair = (lambda x: -x, n)
    f, y = pair
    return f(n - 2) + y


PROGRAMS = (
    bool_or_int, int_or_float, float_into_int, float_into_int_in_nested_loops, float_into_ints_of_structures,
    frozen_dataclass, dataclass_with_more_attributes, nested_structures, swapped_structures, equal_objects, same_level,
    changed_level, changed_level_in_loop, chosen_text, grown_text, flag, chosen_builtin, chosen_functions,
    function_or_none, functions_changed_in_loops, chosen_methods, functions_in_structures,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 7, -2)


def test_one_of_the_chosen_functions_runs(capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    def loud(x):
        tf.print("loud", output_stream=sys.stdout)
        return x

    def quiet(x):
        return -x

    @tf.function
    def program(n):
        f = loud if n > 0 else quiet
        return f(n)

    assert [program(tf.constant(v)).numpy() for v in (2, -2)] == [2, 2]
    assert capsys.readouterr().out == "loud\n"


def test_shapes_are_relaxed_where_they_differ() -> None:
    @tf.function
    def doubled(n):
        x, y = tf.ones([1, 2]), (tf.zeros([3]), 0)
        for _ in range(n):
            x = tf.concat([x, x], 0)
            y = (y[0][1:], y[1] + tf.shape(x)[0])
        return x, y, str(x.shape), str(y[0].shape)

    x, (a, b), shape, shape_of_a = doubled(tf.constant(2))
    assert (x.shape, a.shape, b.numpy()) == ((4, 2), (1,), 6)
    assert (shape.numpy(), shape_of_a.numpy()) == (b"(None, 2)", b"(None,)")
    assert doubled(tf.constant(0))[0].shape == (1, 2)
