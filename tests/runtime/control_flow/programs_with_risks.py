"""Programs whose operations fail by themselves when a graph runs, for test_programs_with_exceptions."""

from __future__ import annotations

import runtime as tf
from tests.runtime.comparing import say
from tests.runtime.control_flow.raising_and_leaving import Stop


def division_skipped(x):
    best = None
    for i in range(5):
        try:
            v = 12 // (x - i)
        except ZeroDivisionError:
            continue
        if best is None or v > best:
            best = v
    return best


def assertion_with_a_message(x):
    try:
        assert x > 2, f"small {x}"
        z = 1
    except AssertionError as e:
        say(str(e))
        z = 2
    finally:
        z = z + 10 if x > 0 else 7
    return z


def generator_left_beside_a_handler(x):
    def gen():
        for i in range(5):
            with_ = i * 2
            yield with_

    t = 0
    for v in gen():
        try:
            if v > x:
                break
            t += 12 // (v - 2)
        except ZeroDivisionError:
            t += 1000
    return t


def iterator_left_in_a_handler(x):
    total = 0
    items = iter([1, 2, 0, 4])
    for v in items:
        try:
            total += x // v
        except ZeroDivisionError:
            break
    return total


def division_in_a_staged_loop(x):
    t = 0
    for i, v in enumerate(tf.range(4)):
        try:
            t += 6 // (v - x)
        except ZeroDivisionError:
            t += 100
            if i > 1:
                break
    return t


def place_in_a_list(x):
    try:
        y = [1, 2, 3][x]
    except IndexError:
        y = -1
    return y


def key_of_a_dict(x):
    try:
        y = {0: 5, 3: 6}[x]
    except KeyError:
        y = -1
    return y


def deleted_before_it_is_read(x):
    y = 1
    try:
        if x > 3:
            del y
        z = y
    except NameError:
        z = -1
    return z


def division_in_a_sum(x):
    try:
        return sum(12 // (x - i) for i in range(3))
    except ZeroDivisionError:
        return -1


def two_names_at_once(x):
    a, b = 0, 0
    try:
        a, b = 1, 10 // x
    except ZeroDivisionError:
        b = a
    return a * 10 + b


def place_in_a_tensor(x):
    try:
        t = tf.constant([1, 2, 3])[x]
    except IndexError:
        t = tf.constant(-1)
    return t


def division_in_lambdas(x):
    y = (lambda: 10 // x)() if x > 3 else 0
    try:
        y += (lambda v: 10 // v)(x - 4)
    except ZeroDivisionError:
        y = -y
    return y


def division_in_and(x):
    try:
        z = x > 3 and 10 // (x - 5) > 1
    except ZeroDivisionError:
        z = x < 0
    return z


def division_in_a_ternary(x):
    f = lambda v: 10 // v
    try:
        y = f(x) if x < 5 else f(x - 5)
    except ZeroDivisionError:
        y = -1
    return y


def element_of_a_dict(x):
    d = {"a": x, "b": 0}
    try:
        d["b"] = 10 // d["a"]
    except ZeroDivisionError:
        d["b"] = -1
    return d["a"] + d["b"]


def else_without_a_risk(x):
    y = 0
    try:
        pass
    except Stop:
        y = 5
    else:
        if x > 3:
            y = 1
    finally:
        y += 2
    return y


def walrus_before_a_risk(x):
    z = 0
    try:
        z = 1
        [z := z + 12 // (x - k) for k in range(3)]
    except ZeroDivisionError:
        z = -z
    return z


def zip_before_a_risk(x):
    z = 0
    try:
        for a, b in zip([1, 2, 3], tf.range(3)):
            z += a // (b - x + 1)
    except ZeroDivisionError:
        z = z * 10 + 5
    return z


def none_after_a_handler(x):
    n = None
    try:
        n = 10 // x
    except ZeroDivisionError:
        pass
    if n is None:
        return -1
    return n


def list_beside_a_handler(x):
    res = []
    for i in range(3):
        res.append(i)
        try:
            v = 6 // (x - i)
        except ZeroDivisionError:
            v = 0
        res.append(v)
    return tf.stack(res)


def text_of_a_division(x):
    n = 3
    while n:
        n -= 1
        try:
            if n == x:
                continue
            y = 12 // (n - x)
        except ArithmeticError as e:
            say("never", str(e))
        else:
            if y > 3:
                break
    return n


def handler_that_is_never_asked(x):
    y = 1
    try:
        y = y + sum_to_(x)
    except RecursionError:
        y = -1
    return y


def sum_to_(n):
    total = 0
    for i in range(n):
        total += i
    return total


def division_in_a_handler(x):
    try:
        return [10 // x, 5][0]
    except ZeroDivisionError as e:
        try:
            return 10 // (x + 0)
        except ZeroDivisionError as f:
            return -1 if f is not e else -2


def division_that_returns(x):
    def sub(v):
        for i in range(3):
            if v == i:
                return i
            try:
                12 // (v - i - 3)
            except ZeroDivisionError:
                return 50 + i
        return -1

    return sub(x)


def shape_that_does_not_fit(x):
    try:
        t = tf.reshape(tf.range(6), [x, -1])
        return tf.shape(t)[1]
    except ValueError:
        return -1


def place_beyond_the_end(x):
    a = tf.range(5)
    total = 0
    for i in range(4):
        try:
            total += a[i + x]
        except IndexError:
            total += 1000
            break
    return total


PROGRAMS = [
    division_skipped, assertion_with_a_message, generator_left_beside_a_handler, iterator_left_in_a_handler,
    division_in_a_staged_loop, place_in_a_list, key_of_a_dict, deleted_before_it_is_read, division_in_a_sum,
    two_names_at_once, place_in_a_tensor, division_in_lambdas, division_in_and, division_in_a_ternary,
    element_of_a_dict, else_without_a_risk, walrus_before_a_risk, zip_before_a_risk, none_after_a_handler,
    list_beside_a_handler, text_of_a_division, handler_that_is_never_asked, division_in_a_handler,
    division_that_returns, shape_that_does_not_fit, place_beyond_the_end,
]  # fmt: skip
