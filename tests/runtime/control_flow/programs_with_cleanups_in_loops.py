"""Programs with `finally` in loops, for test_programs_with_exceptions."""

from __future__ import annotations

from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import Stop


def jumps_through_finally(x):
    i = 0
    while i < x:
        try:
            i += 1
            if i % 3 == 0:
                continue
            if i > 6:
                break
            if i == 5:
                return -i
        finally:
            say("fin", i)
    return i


def cleanup_before_a_handler(x):
    total = 0
    for i in range(x):
        try:
            try:
                if i == 3:
                    raise Stop(i)
                total += i
            finally:
                total += 100
        except Stop as e:
            total += e.code * 1000
            continue
        total += 1
    return total


def every_part_in_a_loop(x):
    y = 0
    for i in range(3):
        try:
            if x == i:
                break
            y += i
        except Stop:
            y = -1
        else:
            y += 10
        finally:
            y += 100
    else:
        y += 1000
    return y


def continue_through_finally(x):
    y = 0
    while True:
        try:
            y += 1
            if y > x:
                break
            if y == 4:
                raise Stop(y)
        except Stop:
            y += 10
            continue
        finally:
            say("f", y)
    return y


def break_in_finally(x):
    for i in range(3):
        for j in range(3):
            try:
                if i * j > x:
                    return i * 10 + j
                if j == x:
                    continue
            finally:
                if i == 2:
                    break
    return -1


def return_in_finally_in_a_loop(x):
    for i in range(2):
        try:
            continue
        finally:
            if x > 3:
                return 7
            say(i)
    return 8


def generator_with_a_cleanup(x):
    def outer():
        for i in range(3):
            try:
                yield i
            finally:
                pass

    t = 0
    for v in outer():
        t += v * x
    return t


def return_or_continue_through_finally(x):
    total = 0
    for i in range(x):
        try:
            if i % 2:
                continue
            if i > 5:
                return total
        finally:
            total += i
    return -total


def generator_with_a_cleanup_that_tells(x):
    def gen(n):
        try:
            for i in range(n):
                yield i
        finally:
            say("closed")

    out = 0
    for i in gen(3):
        out += i * x
    return out


def break_in_finally_after_a_raise(x):
    r = 0
    try:
        for i in range(x):
            try:
                if i == 3:
                    raise Stop(i)
            finally:
                r += 1
                if i == 5:
                    break
        r += 100
    except Stop:
        r = -r
    return r


def jumps_beside_a_handler(x):
    total = 0
    for i in range(4):
        try:
            if i == 1:
                continue
            if x == i:
                return total
            total += i
        except ValueError:
            total = -1
        finally:
            total += 10
    return total


def break_in_a_handler_through_finally(x):
    y = x
    while y > 0:
        try:
            y -= 1
            if y == 3:
                try:
                    raise Stop(y)
                except Stop:
                    break
        finally:
            y -= 1
    return y


PROGRAMS = [
    jumps_through_finally, cleanup_before_a_handler, every_part_in_a_loop, continue_through_finally, break_in_finally,
    return_in_finally_in_a_loop, generator_with_a_cleanup, return_or_continue_through_finally,
    generator_with_a_cleanup_that_tells, break_in_finally_after_a_raise, jumps_beside_a_handler,
    break_in_a_handler_through_finally,
]  # fmt: skip
