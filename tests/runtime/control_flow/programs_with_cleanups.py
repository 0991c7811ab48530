"""Programs with `finally` on the ways of jumps and exceptions, for test_programs_with_exceptions."""

from __future__ import annotations

import functools

from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import Box, Stop, raise_if


def element_in_finally(x):
    state = {"n": 0}
    try:
        state["n"] = x
        if x > 3:
            raise Stop(state["n"])
        state["n"] += 1
    finally:
        state["n"] += 10
    return state["n"]


def return_in_finally_of_one_branch(x):
    y = 5
    try:
        try:
            y = 10 // x
        finally:
            y = 6
            if x < 0:
                return y
    except ZeroDivisionError:
        return y + 1
    return y + 2


def finally_after_a_handler_returns(x):
    try:
        return 10 // x
    except ZeroDivisionError:
        return -1
    finally:
        say("done", x)


def every_part_changes(x):
    a = 0
    try:
        a = 1
        b = 10 // x
        a = 2
    except ZeroDivisionError:
        b = a
    else:
        b += a * 100
    finally:
        a = a + 10
    return a * 1000 + b


def cleanup_of_a_recursion(x):
    def f(n):
        if n <= 0:
            return 0
        try:
            if n == 3:
                raise Stop(n)
            return n + f(n - 1)
        except Stop:
            return 100
        finally:
            say(n)

    return f(x)


def cleanup_that_adds(x):
    y = x
    try:
        pass
    finally:
        y += 1
    try:
        y = y // (x - 3)
    except ArithmeticError:
        pass
    return y


def handler_in_finally(x):
    y = 3
    try:
        if x > 3:
            raise Stop(x)
    finally:
        try:
            y = 12 // (x - 4)
        except ZeroDivisionError:
            say("zero")
    return y


def raised_again_before_finally(x):
    y = 0
    try:
        y = 1
        if x > 3:
            raise Stop(1)
    except Stop:
        y = 2
        raise_if(x - 3)
    finally:
        say("y", y)
    return y


def return_replaced_in_finally(x):
    try:
        if x > 3:
            return 1
    finally:
        if x > 5:
            return 2
    return 3


def decorator_with_a_cleanup(x):
    def deco(f):
        @functools.wraps(f)
        def w(*a):
            try:
                return f(*a)
            except Stop as e:
                return -e.code
            finally:
                say("call")

        return w

    @deco
    def g(v):
        if v > 3:
            raise Stop(v)
        return v

    return g(x) + g(2)


def cleanup_in_each_branch(x):
    y = 0
    try:
        if x > 3:
            try:
                raise Stop(x)
            finally:
                y = 5
        else:
            try:
                y = 6
            finally:
                y += 1
    except Stop as e:
        y += e.code
    return y


def return_through_finally_decides(x):
    def f():
        try:
            if x > 3:
                return 1
            return 2
        finally:
            say("f")

    try:
        if f() == 1:
            raise Stop(0)
    except Stop:
        return 10
    return 20


def attribute_in_every_part(x):
    log = Box(0)
    try:
        log.v = 1
        if x > 3:
            raise Stop(0)
        log.v = 2
    except Stop:
        log.v += 10
    finally:
        log.v *= 3
    return log.v


def unbound_name_in_a_raise(x):
    y = 0
    try:
        try:
            y = 1
            if x < 0:
                raise KeyError(a)
            if x > 3:
                raise Stop(0)
        except KeyError:
            y = 10
        finally:
            y += 100
    except NameError:
        y += 1000
    except Stop:
        y += 2000
    return y


PROGRAMS = [
    element_in_finally, return_in_finally_of_one_branch, finally_after_a_handler_returns, every_part_changes,
    cleanup_of_a_recursion, cleanup_that_adds, handler_in_finally, raised_again_before_finally,
    return_replaced_in_finally, decorator_with_a_cleanup, cleanup_in_each_branch, return_through_finally_decides,
    attribute_in_every_part, unbound_name_in_a_raise,
]  # fmt: skip
