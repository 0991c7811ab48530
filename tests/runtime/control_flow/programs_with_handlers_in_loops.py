"""Programs with handlers in and around loops, for test_programs_with_exceptions."""

from __future__ import annotations

import runtime as tf
from tests.runtime.control_flow.raising_and_leaving import Stop


def raised_out_of_a_while(x):
    n = 0
    try:
        while n < 10:
            n += 1
            if n == x:
                raise Stop(n)
    except Stop as e:
        n = -e.code
    else:
        n += 100
    return n


def raised_after_a_cleanup_in_a_loop(x):
    n = 0
    while n < 20:
        try:
            n += x + 1
            try:
                if n > 10:
                    raise Stop(n)
            finally:
                n += 1
        except Stop as e:
            return e.code
        n += 1
    return -n


def else_that_continues(x):
    y = 0
    for i in range(4):
        try:
            if i == x:
                raise Stop(i)
        except Stop:
            pass
        else:
            y += 1
            continue
        break
    return y


def raised_or_divided(x):
    try:
        v = x
        for i in range(3):
            v = v - 1
            if v == 0:
                raise Stop(i)
            w = 12 // v
        return w
    except Stop as e:
        return 100 + e.code
    except ZeroDivisionError:
        return -5


def raised_out_of_two_loops(x):
    out = 0
    for i in range(3):
        try:
            for j in range(3):
                if i + j == x:
                    raise Stop(j)
                out += 1
        except Stop as e:
            out += 10 * e.code
            if i:
                return out
    return -out


def else_of_a_while_in_try(x):
    v = x
    try:
        while v > 0:
            v -= 2
            if v == 1:
                raise Stop(v)
        else:
            v = 50
    except Stop:
        v = 60
    return v


def handler_that_moves_the_loop_on(x):
    acc = 0
    i = 0
    while i < 4:
        j = 0
        try:
            while j < 4:
                j += 1
                if i * j == x:
                    raise Stop(j)
                acc += 1
        except Stop as e:
            acc += 100 * e.code
            i += 1
            if acc > 300:
                break
        i += 1
    return acc


def raised_in_an_endless_loop(x):
    try:
        k = x
        while True:
            k -= 1
            if k < 0:
                break
            if k == 4:
                raise Stop(k)
    except Stop as e:
        k = e.code * 10
    return k


def raised_over_a_tensor(x):
    total = 0
    try:
        for i in tf.range(x):
            if i == 4:
                raise Stop(i)
            total += i
        else:
            total += 1000
    except Stop as e:
        total = -total - e.code
    return total


def handler_before_a_cleanup(x):
    n = 0
    for k in range(3):
        try:
            n += 1
            if n > x:
                raise Stop(n)
        except Stop as e:
            n = e.code + 10
        try:
            if n > 11:
                break
        finally:
            n += 1
    return n


PROGRAMS = [
    raised_out_of_a_while, raised_after_a_cleanup_in_a_loop, else_that_continues, raised_or_divided,
    raised_out_of_two_loops, else_of_a_while_in_try, handler_that_moves_the_loop_on, raised_in_an_endless_loop,
    raised_over_a_tensor, handler_before_a_cleanup,
]  # fmt: skip
