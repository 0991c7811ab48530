"""Definitions, declarations and rare statements in staged code against Python's own: every row on tensors."""

from __future__ import annotations

import functools
import linecache
import sys
import textwrap
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

import autograph
import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same

COUNT = 0
_numbers = count()


def annotated(n):
    total: int = 0
    bare: int  # noqa: F842
    if n > 0:
        first: int = n
        total: int = first + 1
    else:
        first: float = n - 1
    for i in range(n):
        step: "what" = i  # noqa: F821
        total += step
    return total, first


def imports(n):
    if n > 0:
        import math
        from operator import add as plus

        r = plus(n, math.floor(2.5))
    else:
        import operator as op

        r = op.neg(n)
    for _ in range(n):
        from operator import mul

        r = mul(r, 2)
    return r


def declared_late(n):
    if n > 0:
        global COUNT
        COUNT = n
    else:
        COUNT = -n
    inner = 1

    def change():
        x = 5
        nonlocal inner
        inner = x + n
        return inner

    got = change()
    count, COUNT = COUNT + 0, 0
    return count, inner, got


def deletes(n):
    a = b = 1
    if n > 0:
        del a
        a = n
    else:
        del b
        b = 2
    for i in range(n):
        t = i
        del t
    return a + b


def holds_async(n):
    async def later(x):
        if x > 0:
            return await later(x - 1)
        async for y in x:
            async with y:
                pass
        return [z async for z in x]

    def numbers(k):
        yield k

    r = 0
    if n > 0:
        r = n
    return r if later and numbers else 0


def exception_groups(n):
    kind = 0
    try:
        if tf.__name__:
            raise ExceptionGroup("some", [ValueError(1), TypeError(2)])
    except* ValueError as group:
        kind += len(group.exceptions)
    except* TypeError:
        kind += 10
    if n > kind:
        kind = n
    return kind


def lambdas(n):
    f, g, h = (lambda x: x if x > 0 else -x), (lambda x: x * 2 if x > 2 else x), lambda x, y=n: (lambda z: z + y + x)
    return f(n), g(n), h(n)(1), (lambda *a, k=1, **kw: a[0] if a[0] > k else kw["m"])(n, k=2, m=7)


def kinds_of_parameters(n):
    def f(a, b=2, /, c=3, *rest, d, e=5, **more):
        if a > b:
            return a + c + d + len(rest)
        return more["z"] + e + d

    return f(n, d=1, z=0), f(n, 0, 1, 8, 9, d=n), f(*(n, 1), **{"d": 3, "z": n})


def twice(function):
    def wrapper(*args):
        return function(*args) + function(*args)

    return wrapper


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args):
        r = function(*args)
        return r if r > 3 else -r

    return wrapper


@twice
@wrapped
def decorated(n):
    if n > 2:
        return n * 2
    return n + 1


def calls_decorated(n):
    @wrapped
    @twice
    def inner(x):
        return x if x > 1 else x - 5

    return decorated(n), inner(n)


def local_classes(n):
    class Base:
        scale = 2

        def __init__(self, value):
            self.value = value if value > 0 else -value
            self.__hidden = value

        def go(self, k=1):
            if self.value > k:
                return self.value * self.scale
            return self.__hidden

    class Child(Base):
        def go(self):
            r = super().go(k=2)
            while r < 5:
                r += __class__.scale
            return r

        @property
        def half(self):
            return self.value // 2 if self.value > 1 else 0

        @classmethod
        def make(cls, v):
            return cls(v) if True else None

        @staticmethod
        def sign(v):
            return 1 if v > 0 else -1

    made = Child.make(n)
    return Base(n).go(), made.go(), made.half, Child.sign(n)


def metaclasses(n):
    class Meta(type):
        def __new__(mcls, name, bases, space, *, factor):
            return super().__new__(mcls, name, bases, {**space, "factor": factor})

        def __init__(cls, name, bases, space, **kw):
            super().__init__(name, bases, space)

    def mark(cls):
        cls.marked = 10
        return cls

    @mark
    class K(metaclass=Meta, factor=3):
        size = [i for i in range(3)][-1]
        if size > 1:
            def go(self, x):
                return x * self.factor if x > 0 else self.marked

    return K().go(n) + K.size


def python_control_flow_in_a_class(n):
    class Table:
        rows = []
        for i in range(3):
            rows.append(i)
        total = sum(rows) if rows else None
        while total > 2:
            total -= 1

        def look(self, k):
            r = 0
            for row in self.rows:
                if row < k:
                    r += row
            return r

    return Table().look(n) + Table.total


def late_default(n):
    def f(x, step=n + 1, *, last=(n if n > 0 else 7)):
        return x + step if x > last else last

    n = n * 10
    return f(n), f(n, 3, last=2)


ROWS = [annotated, imports, declared_late, deletes, holds_async, exception_groups, lambdas, kinds_of_parameters,
        calls_decorated, local_classes, metaclasses, python_control_flow_in_a_class, late_default]  # fmt: skip


@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
def test_each_row(function: Callable[..., Any]) -> None:
    assert_same(function, 0, 1, 2, 3, 5, -4)


TYPED = """
def f(n):
    type Pair[T] = tuple[T, T]
    def larger[T: int](a: T, b: T) -> T:
        if a > b:
            return a
        return b
    class Box[T]:
        def __init__(self, value: T) -> None:
            self.value = value
        def get(self) -> T:
            return self.value if self.value > 0 else -self.value
    pair: Pair[int] = (n, 2)
    return larger(*pair), Box[int](n).get()
"""
NEWER = [TYPED] if sys.version_info >= (3, 12) else []


def test_type_parameters() -> None:
    for text in NEWER:
        name = f"<typed {next(_numbers)}>"
        linecache.cache[name] = (len(text), None, textwrap.dedent(text).splitlines(True), name)
        space: dict[str, Any] = {"__name__": "typed"}
        exec(compile(text, name, "exec", dont_inherit=True), space)
        assert_same(space["f"], 0, 3, -4)


def decides_in_a_class(n):
    class K:
        if n > 0:
            a = 1
    return K


def loops_in_a_class(n):
    class K:
        for i in range(n):
            pass
    return K


def chooses_in_a_class(n):
    class K:
        a = 1 if n > 0 else 2
    return K


@pytest.mark.parametrize("function", [decides_in_a_class, loops_in_a_class, chooses_in_a_class])
def test_a_class_body_that_depends_on_a_tensor_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="in the body of a class cannot be staged.*before the `class` statement"):
        tf.function(function)(tf.constant(3))


def chooses_in_a_lambda(n):
    choose = lambda: (m := n + 1) * m if n > 0 else n
    return choose()


def chooses_in_a_function(n):
    def choose():
        return (m := n + 1) * m if n > 0 else n

    return choose()


def test_a_choice_in_a_lambda_with_variables_of_its_own_is_refused_with_the_remedy() -> None:
    converted = autograph.to_graph(chooses_in_a_lambda)
    assert [converted(n) for n in (-1, 0, 3)] == [chooses_in_a_lambda(n) for n in (-1, 0, 3)]
    with pytest.raises(StagingError, match="a ternary in a lambda .* Write the lambda as a function, with `def`"):
        tf.function(chooses_in_a_lambda)(tf.constant(3))
    for n in (-1, 0, 3):
        assert tf.function(chooses_in_a_function)(tf.constant(n)).numpy() == chooses_in_a_lambda(n)
