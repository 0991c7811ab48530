"""Programs with managers around what raises, for test_programs_with_exceptions."""

from __future__ import annotations

import contextlib

from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import (
    Block,
    Closable,
    Counting,
    Halt,
    Stop,
    span,
    swallow,
    translate,
    twice,
)


def swallowed_by_a_generator(x):
    y = 0
    with swallow("a"), Block("b"):
        y = 1
        if x > 3:
            raise Stop(x)
        y = 2
    return y


def translated_beside_a_division(x):
    try:
        with translate():
            if x > 3:
                raise Stop(x)
            y = 10 // x
    except ValueError as e:
        y = -1
    except ZeroDivisionError:
        y = -2
    return y


def counted_in_python(x):
    c = Counting()
    y = 0
    try:
        with c:
            if x > 3:
                raise Stop(x)
            y = c.n
    except Stop:
        y = 50 + c.n
    return y + c.n


def return_out_of_a_generator(x):
    with twice(x) as d:
        if d > 10:
            return d
        d += 1
    return d


def swallowed_by_the_outer_one(x):
    y = x
    with Block("o", (Stop,)):
        with Block("i"):
            y += 1
            if x > 2:
                raise Halt(1)
        y += 10
    y += 100
    return y


def suppressed_beside_a_value(x):
    with contextlib.nullcontext(x) as a, contextlib.suppress(Stop):
        a = a + 1
        if a > 3:
            raise Stop(a)
        a = a * 2
    return a


def handled_inside_of_a_generator(x):
    y = 0
    with span("a"):
        try:
            if x > 3:
                raise Stop(1)
        except Stop:
            y = 1
        y += 1
    return y


def generator_of_the_function_with_else(x):
    @contextlib.contextmanager
    def local(v):
        before = v
        try:
            yield v + 1
        except ZeroDivisionError:
            say("zero", before)
        else:
            say("fine", before)

    r = -1
    with local(x) as v:
        r = 10 // x
        r += v
    return r


def raised_or_passed_by_a_generator(x):
    with span("a") as n:
        if x > 5:
            raise Halt(2)
        if x > 3:
            raise KeyError(n)
    return x


def class_of_the_function_that_asks(x):
    class Local:
        def __enter__(self):
            return x

        def __exit__(self, k, e, t):
            if k is Stop:
                say("stop")
            return k is Halt

    y = 0
    with Local() as v:
        y = v
        if x > 5:
            raise Halt(1)
        if x > 3:
            raise Stop(1)
        y += 10
    return y


def return_through_a_manager_and_two_cleanups(x):
    y = 0
    try:
        with Block("a"):
            try:
                if x > 3:
                    return 1
                y = 5
            finally:
                say("f1")
        y += 1
    finally:
        say("f2", y)
    return y


def stack_without_exceptions(x):
    y = 0
    try:
        with contextlib.ExitStack() as s:
            y = 1 + x
    finally:
        y += 1
    return y


def three_managers_and_returns(x):
    with Block("a") as a, Block("b", ZeroDivisionError) as b:
        y = 6 // x
        with Block("c", Stop):
            if y > 2:
                raise Stop(y)
            return y
        return -y
    return 100


def raised_on_entering(x):
    class M:
        def __enter__(s):
            if x > 3:
                raise Stop(3)
            return x

        def __exit__(s, *a):
            say("left")

    try:
        with M() as v:
            y = v + 1
    except Stop:
        y = -1
    return y


def raised_on_leaving(x):
    class M:
        def __enter__(s):
            return x

        def __exit__(s, k, e, t):
            if x > 3:
                raise Halt(9)

    try:
        with M() as v:
            if v == 5:
                raise Stop(1)
            y = v + 1
    except Halt as e:
        y = -e.code
    except Stop:
        y = -50
    return y


def suppressed_or_handled(x):
    v = 0
    try:
        v = 1
        with contextlib.suppress(KeyError):
            v = 2
            if x > 3:
                raise Stop(0)
            if x > 1:
                raise KeyError(0)
            v = 3
        v *= 10
    except Stop:
        v = -v
    return v


def closed_after_an_exception(x):
    with contextlib.closing(Closable()) as c:
        if x > 3:
            raise Stop(1)
        y = c.v + x
    return y


PROGRAMS = [
    swallowed_by_a_generator, translated_beside_a_division, counted_in_python, return_out_of_a_generator,
    swallowed_by_the_outer_one, suppressed_beside_a_value, handled_inside_of_a_generator,
    generator_of_the_function_with_else, raised_or_passed_by_a_generator, class_of_the_function_that_asks,
    return_through_a_manager_and_two_cleanups, stack_without_exceptions, three_managers_and_returns,
    raised_on_entering, raised_on_leaving, suppressed_or_handled, closed_after_an_exception,
]  # fmt: skip
