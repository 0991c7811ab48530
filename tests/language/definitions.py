"""Rows of the language table: functions and classes."""

from __future__ import annotations

import functools
import sys
from functools import partial
from typing import Any

import runtime as tf
from tests.language import construct

staged = partial(construct.staged, "Functions and classes")


class Vector:
    """A class with a constructor, a property, operators and a method that holds control flow."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y if y > 0 else -y

    @property
    def larger(self) -> Any:
        return self.x if self.x > self.y else self.y

    def __add__(self, other: Any) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __call__(self, k: Any) -> Any:
        return self.x * k if k > 0 else self.y

    @staticmethod
    def clipped(x: Any) -> Any:
        return x if x < 9 else 9

    @classmethod
    def square(cls, x: Any) -> Vector:
        return cls(x, x)


class Base:
    """A class with a private method."""

    def __half(self, v: Any) -> Any:
        return v // 2 if v > 0 else v

    def step(self, v: Any) -> Any:
        return self.__half(v)


class Derived(Base):
    """Calls the method that it overrides."""

    def step(self, v: Any) -> Any:
        return super().step(v) + 100


def power(x, n):
    """Calls itself depending on a tensor."""
    if n == 0:
        return 1
    return x * power(x, n - 1)


def is_even(n):
    """Calls a function that calls it."""
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    """Calls a function that calls it."""
    return False if n == 0 else is_even(n - 1)


def countdown(n):
    """A generator of the user."""
    while n > 0:
        yield n
        n = n - 1


def closing(n):
    """A generator that does something when it is closed."""
    try:
        yield n
        yield n + 1
    finally:
        tf.print("closed", output_stream=sys.stdout)


@staged("functions that are called", "Converted when they are called, and so is what they call.", 4, -4, graph="cond")
def through_helper(x):
    def magnitude(v):
        if v < 0:
            return -v
        return v

    return magnitude(x) + magnitude(x - 1)


@staged("lambdas", "Converted, also several on a line.", 4, -4)
def through_lambdas(x):
    f, g = (lambda v: v if v > 0 else 0), (lambda v: v * 2)
    return f(x), g(x)


@staged("closures", "Late binding as in Python.", 4, 0, graph="while")
def closed_over(n):
    k = 1
    f = lambda: k * 10
    for _ in range(n):
        k += 1
    return f()


@staged("all kinds of parameters", "Defaults, `*args`, keyword-only, `**kwargs`, positional-only.", 4)
def parameters(x):
    def f(a, /, b=2, *rest, c=3, **more):
        return a + b + sum(rest) + c + more["d"]

    return f(x, d=5), f(x, 1, 1, 1, c=x, d=x)


@staged("`functools.partial`", "Sees through it to the function, and converts that.", 4, -4)
def partially(x):
    def clipped(low, v):
        return low if v < low else v

    return functools.partial(clipped, 0)(x)


@staged("decorators", "The wrapper and what it wraps are both converted.", 4, -4)
def decorated(x):
    def twice(f):
        @functools.wraps(f)
        def wrapper(v):
            return f(f(v))

        return wrapper

    @twice
    def step(v):
        return v - 1 if v > 0 else v + 1

    return step(x)


@staged("recursion on a Python value", "Unrolled while tracing.", 4)
def unrolled(x):
    def tower(k):
        return x if k == 0 else x * tower(k - 1)

    return tower(3)


@staged("recursion on a tensor", "A function of the graph, called by `call` operations.", (2, 10), (3, 0),
        graph="call", uses=(power,))
def recursive(x, n):
    return power(x, n)


@staged("mutual recursion", "Functions of the graph that call each other.", 6, 7, graph="call", uses=(is_even, is_odd))
def mutual(n):
    return is_even(n)


@staged("generators that a loop consumes", "The generator becomes part of the loop.", 4, 0, uses=(countdown,))
def consumed(n):
    total = 0
    for k in countdown(n):
        total += k * k
    return total


@staged("all items of a generator", "A list; so does a Function give them that is made of a generator function.", 4, 0,
        uses=(countdown,))
def all_items(n):
    return list(countdown(n))


@staged("generators with a `yield` in `try` or `with`, or that `zip` or `itertools` go through",
        "Python takes their items while tracing; the loop may not be left, nor raise, depending on a tensor.", 4, 0,
        uses=(closing,))
def taken_item_by_item(n):
    total = 0
    for k, weight in zip(closing(n), [1, 10]):
        if k > 4:
            total += k * weight
    return total


@staged("constructors", "`__init__` is converted.", (3, -4), (5, 4), uses=(Vector,))
def constructed(x, y):
    v = Vector(x, y)
    return v.x, v.y


@staged("properties", "The getter is converted.", (3, -4), (5, 4))
def through_property(x, y):
    return Vector(x, y).larger


@staged("operators of your classes", "`__add__` and the like are converted.", (3, -4), (5, 4))
def added(x, y):
    return (Vector(x, y) + Vector(1, 1)).larger


@staged("callable objects", "`__call__` is converted.", (3, -4), (5, 4))
def called(x, y):
    return Vector(x, y)(y)


@staged("class methods and static methods", "Converted as functions.", 3, -3)
def class_method(x):
    return Vector.square(x).larger, Vector.clipped(x * 4)


@staged("`super()` and private names", "Mean what they mean in a class.", 3, -3, uses=(Base, Derived))
def inherited(x):
    return Derived().step(x)


@staged("`functools.lru_cache`",
        "Calls with Python values ask the cache while tracing; in staged statements, and with tensors, the function"
        " itself is called.", 3, -3)
def cached(x):
    @functools.lru_cache
    def table(k):
        return k * k

    return x * table(3) if x > 0 else table(4)


@staged("classes in functions", "The body runs as Python while tracing; its methods are converted.", 3, -3)
def local_class(x):
    class Box:
        scale = 10

        def open(self, v):
            return v * self.scale if v > 0 else 0

    return Box().open(x)


@staged("`functools.singledispatch`", "Dispatches while tracing; what it finds is converted.", 3, -3)
def dispatched(x):
    @functools.singledispatch
    def clipped(v):
        return v if v > 0 else 0

    return clipped(x)


@staged("setters of properties", "Converted.", 3, -3)
def through_setter(x):
    class Dial:
        def __init__(self):
            self._value = 0

        @property
        def value(self):
            return self._value

        @value.setter
        def value(self, v):
            self._value = v if v > 0 else 0

    dial = Dial()
    dial.value = x - 1
    dial.value += 2
    return dial.value


@staged("`__getitem__`, `__iter__` and `__len__` of your classes", "Converted.", 3, -3)
def sequence(x):
    class Pair:
        def __getitem__(self, i):
            return x * i if x > 0 else i

        def __iter__(self):
            return iter([x, 2])

        def __len__(self):
            return 2

    pair = Pair()
    total = 0
    for part in pair:
        total += part
    return pair[3], total, len(pair)


@staged("`__bool__` of your classes", "Conditions, `not`, `and`, `or`, `assert` and `bool` ask it.", 3, 0, graph="cond")
def truth_of_an_object(x):
    class Budget:
        def __init__(self, amount):
            self.amount = amount

        def __bool__(self):
            return self.amount > 1

    return 1 if Budget(x) else 2


@staged("`yield from`", "Goes through the other generator, here a staged `range`.", 3, 0, graph="while")
def delegated(n):
    def numbers(k):
        yield from range(k)
        yield 100

    total = 0
    for k in numbers(n):
        total += k
    return total


@staged("`import` inside", "Imports while tracing.", 3)
def imported(x):
    import math

    return x + math.factorial(4)
