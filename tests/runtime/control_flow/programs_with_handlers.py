"""Programs whose handlers catch what a graph raises, for test_programs_with_exceptions."""

from __future__ import annotations

from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import Halt, Stop, raise_if


def raised_again_sometimes(x):
    def inner(v):
        try:
            if v > 4:
                raise Halt(v)
            return v
        except Halt as e:
            if v > 6:
                raise
            return e.code + 1
        finally:
            say("inner", v)

    try:
        return inner(x) + inner(x + 1)
    except Stop as e:
        return -e.code


def raised_instead_in_a_handler(x):
    try:
        try:
            raise_if(x)
        except Stop as e:
            raise Halt(e.code + 1) from e
    except Halt as e:
        return e.code * 10
    return 0


def kept_from_the_exception(x):
    e2 = None
    try:
        if x > 2:
            raise Stop(x)
    except Stop as e:
        e2 = e.code
    return 0 if e2 is None else e2


def handlers_in_handlers(x):
    y = 0
    try:
        y = 1
        try:
            y = 2
            if x > 5:
                raise Halt(y)
            if x > 2:
                raise Stop(y)
            y = 3
        except Halt:
            y += 10
            if x > 6:
                raise Stop(y)
        y += 100
    except Stop as e:
        y = y * 1000 + e.code
    return y


def raised_by_what_changes_a_variable(x):
    y = 0

    def bump():
        nonlocal y
        y += 1
        if y > x:
            raise Stop(y)

    try:
        bump()
        bump()
        bump()
    except Stop:
        return y
    return 10 * y


def raised_in_a_list(x):
    def check(v):
        if v < 0:
            raise ValueError(v)
        return v

    return [check(v) for v in (x, x - 2)][1]


def handlers_of_a_class_and_its_parent(x):
    try:
        if x > 2:
            if x > 4:
                raise Halt(x)
            raise Stop(x)
        y = 1
    except Halt as e:
        y = e.code
        try:
            if x > 5:
                raise Stop(y)
        except Stop as f:
            y += f.code
    except Stop as e:
        y = -e.code
    return y


def raised_in_match(x):
    try:
        match x:
            case 0:
                raise Stop(0)
            case 3:
                y = 3
            case _ if x > 5:
                raise Halt(x)
            case _:
                y = 9
    except Halt as e:
        y = e.code
    return y


def raised_three_times(x):
    try:
        try:
            try:
                if x > 4:
                    raise Halt(x)
                10 // x
            except ZeroDivisionError as e:
                raise Stop(1) from e
        except Halt as e:
            raise KeyError(e.code)
    except (Stop, KeyError) as e:
        return len(e.args)
    return 0


def changed_before_each_risk(x):
    a = x
    b = 1
    try:
        a, b = b, a // b
        if a == b:
            raise Stop(a)
        b //= x - 3
    except Stop as e:
        a = 100 + e.code
    except ZeroDivisionError:
        a, b = a + 1, b + 1
    return a * 100 + b


def nothing_or_an_exception(x):
    def helper(v):
        if v == 0:
            raise Stop(0)
        if v > 5:
            return None
        return v

    try:
        r = helper(x)
    except Stop:
        r = 77
    return -1 if r is None else r


def text_in_a_handler(x):
    s = "n"
    try:
        s = f"v{x}"
        if x > 3:
            raise Stop(x)
        s += "!"
    except Stop as e:
        s += f"<{e.code}>"
    return s


def floats_in_a_handler(x):
    y = 1.5
    try:
        y = y * 2
        if x > 3:
            raise Stop(x)
        y = y + 1
    except Stop:
        y = y / 2
    return y


def tuple_in_a_handler(x):
    p = (1, x)
    try:
        p = (p[1], p[0])
        if x > 3:
            raise Stop(x)
        p = (5, 5)
    except Stop:
        pass
    return p[0] * 10 + p[1]


def none_in_a_handler(x):
    n = None
    try:
        if x > 3:
            n = x
        if x == 5:
            raise Stop(0)
    except Stop:
        return 0 if n is None else n + 100
    return -1 if n is None else n


def exception_made_before(x):
    err = Stop(7)
    try:
        if x > 3:
            raise err
        y = 0
    except Stop as e:
        y = e.code
    return y


def classes_in_a_variable(x):
    kinds = (Stop, KeyError)
    try:
        if x > 3:
            raise Stop(x)
        if x > 1:
            raise KeyError("k")
    except kinds as e:
        return len(e.args) * 10
    return 0


def raised_in_else(x):
    try:
        a = 1
        if x > 3:
            raise Stop(0)
        b = 2
    except Stop:
        b = 3
    else:
        a = b + 5
        if x < 0:
            raise KeyError(a)
    return a * 10 + b


PROGRAMS = [
    raised_again_sometimes, raised_instead_in_a_handler, kept_from_the_exception, handlers_in_handlers,
    raised_by_what_changes_a_variable, raised_in_a_list, handlers_of_a_class_and_its_parent, raised_in_match,
    raised_three_times, changed_before_each_risk, nothing_or_an_exception, text_in_a_handler, floats_in_a_handler,
    tuple_in_a_handler, none_in_a_handler, exception_made_before, classes_in_a_variable, raised_in_else,
]  # fmt: skip
