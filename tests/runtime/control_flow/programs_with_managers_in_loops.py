"""Programs with managers in loops, for test_programs_with_exceptions."""

from __future__ import annotations

import contextlib

from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import Block, Halt, Retry, Stop, span, swallow


def swallowed_in_each_iteration(x):
    total = 0
    for i in range(4):
        with Block("a", Stop):
            if x > i:
                raise Stop(i)
            total += i
        if total > 2:
            break
    return total


def return_out_of_two_managers(x):
    with span("a"):
        with span("b"):
            for i in range(3):
                if x > i + 2:
                    return i
    return -1


def entered_for_each_item(x):
    y = 0
    try:
        for i in range(x):
            with Block(i):
                if i == 4:
                    raise Stop(i)
                y += i
    except Stop as e:
        y = -e.code
    return y


def raised_through_a_generator_in_a_function(x):
    def f(v):
        with span("f"):
            if v > 3:
                raise Stop(v)
            return v

    y = 0
    for i in range(3):
        try:
            y += f(x + i)
        except Stop as e:
            y -= e.code
    return y


def swallowed_in_a_while(x):
    i = 0
    while i < 5:
        with swallow("w"):
            i += 1
            if i == x:
                raise Stop(i)
            if i > 3:
                break
            continue
        say("after", i)
    return i


def raised_or_entered(x):
    k = 0
    for i in range(x):
        if i == 2:
            try:
                raise Stop(i)
            except Stop as e:
                k += e.code
        else:
            with Block(i):
                k += 1
    return k


def division_swallowed_in_a_loop_with_else(x):
    res = 0
    for i in range(3):
        with Block("l", ZeroDivisionError) as b:
            res += 10 // (x - i)
            if res > 8:
                break
    else:
        res = -res
    return res


def one_manager_entered_twice(x):
    m = Block("m", Stop) if True else None
    y = 0
    for i in range(2):
        with m:
            y += i
            if x > i:
                raise Stop(i)
            y += 10
    return y


def manager_of_one_iteration(x):
    f = 0
    for i in range(3):
        with span(i) if i == 1 else contextlib.nullcontext():
            if x == i:
                continue
            f += 1
            if x == i + 3:
                break
    return f


def retried_by_an_iterator(x):
    for attempt in Retry(3):
        try:
            y = 12 // (x - attempt)
            break
        except ZeroDivisionError:
            say("retry", attempt)
    else:
        y = -1
    return y


def swallowed_in_an_endless_loop(x):
    y = 0
    while True:
        with Block("w", Stop):
            y += 1
            if y > 4:
                return y
            if y > x:
                raise Stop(y)
            if y == 2:
                continue
            y += 1
        y += 2


def suppressed_inside_and_outside(x):
    with contextlib.suppress(Stop):
        for i in range(5):
            with contextlib.suppress(Halt):
                if i == x:
                    raise Halt(i)
                if i + 2 == x:
                    raise Stop(i)
                say("i", i)
    return x


def raised_in_called_functions(x):
    def rec(n):
        with Block(n):
            if n > 4:
                raise Stop(n)
            return n * 2

    t = 0
    for k in (1, x, 3):
        try:
            t += rec(k)
        except Stop as e:
            t -= e.code
    return t


def left_in_three_ways_with_else(x):
    t = 0
    with Block("o"):
        for i in range(3):
            with Block(i, Stop):
                if i == x:
                    break
                if i + 1 == x:
                    raise Stop(i)
                t += 1
            t += 10
        else:
            t += 100
    return t


def continue_in_a_manager_and_a_cleanup(x):
    y = 0
    for i in range(2):
        try:
            with Block("b"):
                if x > 3:
                    y += 1
                    continue
                y += 10
        finally:
            y += 100
    return y


def managers_in_two_loops(x):
    t = 0
    for i in range(3):
        for j in range(3):
            with Block("z", ZeroDivisionError):
                if j == 2:
                    break
                t += 4 // (i + j - x)
                continue
            t += 100
    return t


PROGRAMS = [
    swallowed_in_each_iteration, return_out_of_two_managers, entered_for_each_item,
    raised_through_a_generator_in_a_function, swallowed_in_a_while, raised_or_entered,
    division_swallowed_in_a_loop_with_else, one_manager_entered_twice, manager_of_one_iteration,
    retried_by_an_iterator, swallowed_in_an_endless_loop, suppressed_inside_and_outside, raised_in_called_functions,
    left_in_three_ways_with_else, continue_in_a_manager_and_a_cleanup, managers_in_two_loops,
]  # fmt: skip
