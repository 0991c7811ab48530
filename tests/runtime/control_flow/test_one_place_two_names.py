"""State that is reached in several ways: `a.k` and `b.k` where a is b, `s[i]` and `s[j]` where i == j, properties."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


class Box:
    def __init__(self):
        self.k = 0


def same_object_in_loop(n):
    a = b = Box()
    for i in range(n):
        a.k = a.k + 1
        b.k = b.k * 2
    return a.k, b.k


def three_names_in_while(n):
    a = Box()
    b = c = a
    x = 0
    while x < n:
        a.k += 1
        b.k += 10
        x += 1
        c.k += x
        if c.k > 50:
            break
    return a.k, x


def same_list_in_branch(n):
    s = t = [1, 2]
    if n > 0:
        s[0] = 5
        t[0] = 6
        t[1] = s[0] + n
    return s, t


def same_element(n):
    s = [1, 2]
    i = j = 0
    for _ in range(n):
        s[i] = s[i] + 5
        s[j] = s[j] * 2
    return s


def same_object_in_branch(n):
    a = b = Box()
    if n > 0:
        a.k = 5
        b.k = b.k + a.k
    return a.k


def different_objects(n):
    a, b = Box(), Box()
    for i in range(n):
        a.k += 1
        b.k += a.k
    return a.k, b.k


@pytest.mark.parametrize(
    "program",
    [
        same_object_in_loop, three_names_in_while, same_list_in_branch, same_element, same_object_in_branch,
        different_objects,
    ],
)  # fmt: skip
def test_one_place_is_one_variable(program):
    assert_same(program, 0, 1, 2, 5)


class Celsius:
    def __init__(self):
        self.kelvin = 273

    @property
    def degrees(self):
        return self.kelvin - 273

    @degrees.setter
    def degrees(self, value):
        self.kelvin = value + 273


def property_in_for(n):
    t = Celsius()
    for _ in range(n):
        t.degrees += 1
    return t.kelvin


def property_in_while(n):
    t = Celsius()
    while n > 0:
        t.degrees += 1
        n -= 1
    return t.kelvin


@pytest.mark.parametrize("program", [property_in_for, property_in_while])
def test_property_that_computes_is_state_of_the_object(program):
    assert_same(program, 0, 1, 4)


class Windowed:
    """A property that is set by writing to an array; what it reads is another one."""

    def __init__(self):
        self.a, self.kept = np.array([3.0, 1.0, 4.0]), np.zeros(3)

    @property
    def view(self):
        return self.kept

    @view.setter
    def view(self, value):
        self.a[:] = value


def written_in_a_branch(o, n):
    s = 1.0
    if n % 3 > 0:
        s = 2.0
        o.a = np.ones(3)
    else:
        o.view = 2.0
    return s


def written_in_a_handler(o, n):
    s = 1.0
    try:
        s += 0.5 * (100 // (n % 3))
        o.a = np.roll(o.a, 1)
    except ZeroDivisionError:
        o.view = o.a[::-1]
    return s


def written_in_a_loop(o, n):
    s = 1.0
    for _ in range(n):
        s += 1.0
        o.view = 2.0
        o.a = np.ones(3) * s
    return s


@pytest.mark.parametrize("program", [written_in_a_branch, written_in_a_handler, written_in_a_loop])
def test_no_setter_writes_to_an_array_that_the_statement_makes(program):
    o, plain, staged = Windowed(), Windowed(), tf.function(program)
    for n in (2, 3, 0, 4):
        assert float(staged(o, tf.constant(n))) == program(plain, n)
        assert (o.a.tolist(), o.kept.tolist()) == (plain.a.tolist(), plain.kept.tolist())
