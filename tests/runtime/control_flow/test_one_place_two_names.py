"""State that is reached in several ways: `a.k` and `b.k` where a is b, `s[i]` and `s[j]` where i == j, properties."""

from __future__ import annotations

import pytest

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
