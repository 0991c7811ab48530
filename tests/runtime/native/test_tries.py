"""`try` in machine code: the handler that takes what the plan over NumPy raises, and nothing else."""

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, OutOfRangeError


def divided(xs, ys):
    total = 0
    for x in xs:
        try:
            total += 10 // x
        except ZeroDivisionError:
            total -= 1
    return total


def by_the_second(xs, ys):
    total = 0
    for x in xs:
        try:
            if x > 3:
                raise ValueError("big")
            total += 100 // ys[x]
        except (ValueError, TypeError):
            total -= 1
        except IndexError:
            total -= 1000
        except ArithmeticError:
            total -= 50
        finally:
            total += 7
    return total


def the_first_that_fits(xs, ys):
    total = 0
    for x in xs:
        try:
            total += ys[x]
        except LookupError:
            total -= 1
        except IndexError:
            total -= 1000
    return total


def out_of_an_inner_one(xs, ys):
    total = 0
    for x in xs:
        try:
            try:
                total += ys[x] % x
            except IndexError:
                total += 5 // (x - 5)
        except ZeroDivisionError:
            total -= 40
    return total


def out_of_an_inner_loop(xs, ys):
    total = 0
    for x in xs:
        try:
            found = 0
            for i in range(10):
                found = found + ys[i] * x
                assert found < 12
            total += found
        except IndexError:
            total += 100
        except AssertionError:
            total += 3
    return total


def of_floats(xs, ys):
    total, step = 0.0, 4.0
    for _ in xs:
        step -= 1.0
        try:
            total += 1.0 / step + 7.0 // step + 7.0 % step
        except ZeroDivisionError:
            total -= 0.5
    return total


def with_a_variable(xs, ys):
    total = 0
    for x in xs:
        try:
            total += ys[x] + STATE
        except IndexError:
            total -= STATE
        STATE.assign(total)
    return total


def by_meaning(xs, ys):
    total = 0
    for x in xs:
        try:
            try:
                total += 6 // x
            except tf.errors.OutOfRangeError:
                total += 1000
        except InvalidArgumentError:
            total += 10
        except ZeroDivisionError:
            total += 20
    return total


def with_else(xs, ys):
    total = 0
    for x in xs:
        try:
            y = ys[x - 1]
        except OutOfRangeError:
            y = -3
        else:
            y = y * 2
        total = total * 2 + y
    return total


PROGRAMS = [
    divided, by_the_second, the_first_that_fits, out_of_an_inner_one, out_of_an_inner_loop, of_floats,
    with_a_variable, by_meaning, with_else,
]  # fmt: skip
GIVEN = [([3, 1, 0, 4, 2, 0, 9, -5], [1, 0, 3, 2]), ([1, 2], [5, 6, 7]), ([0], [0]), ([5, 5, -1, 6, 1], [2])]


def both(program, xs, ys):
    arguments = tf.constant(xs, tf.int64), tf.constant(ys, tf.int64)
    STATE.assign(2)
    staged = tf.function(program, backend="native")
    found, plan = staged(*arguments), staged.get_concrete_function(*arguments).plan
    assert not plan.refused, [str(reason) for reason in plan.refused]
    assert plan.regions
    STATE.assign(2)
    return np.asarray(found), np.asarray(tf.function(program, backend="numpy")(*arguments)), plan


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_what_the_plan_gives(program, given):
    found, wanted, plan = both(program, *given)
    assert found.tobytes() == wanted.tobytes()
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)


@pytest.mark.parametrize("program", [divided, the_first_that_fits, out_of_an_inner_loop], ids=lambda p: p.__name__)
def test_what_python_gives(program):
    for xs, ys in GIVEN:
        assert both(program, xs, ys)[0] == program(xs, ys)


def test_what_nothing_takes():
    def program(xs):
        total = 0
        for x in xs:
            try:
                total += 10 // x
            except IndexError:
                total -= 1
        return total

    with pytest.raises(ZeroDivisionError):
        tf.function(program, backend="native")(tf.constant([1, 0]))


def test_what_machine_code_only_gives_up_for():
    """No handler may take what is no error."""

    def program(xs):
        total = 9223372036854775800
        for x in xs:
            try:
                total = (total + x) - 9223372036854775800
            except Exception:
                total = 7
        return total

    given = tf.constant([1, 2], tf.int64)
    assert int(tf.function(program, backend="native")(given)) == int(tf.function(program, backend="numpy")(given))


@pytest.mark.parametrize("body", [
    lambda xs, x: tf.reduce_sum(xs // x), lambda xs, x: [x, x + 1][x], lambda xs, x: STATE.assign_add(x // x)
], ids=["arrays", "lists", "Variables"])  # fmt: skip
def test_what_stays_with_numpy(body):
    STATE.assign(0)

    def program(xs):
        total = xs[0]
        for x in xs:
            try:
                total += body(xs, x)
            except (ZeroDivisionError, IndexError):
                total -= 1
        return total

    given = tf.constant([1, 0, 1], tf.int64)
    staged = tf.function(program, backend="native")
    found, left = int(staged(given)), int(STATE)
    STATE.assign(0)
    assert found == int(tf.function(program, backend="numpy")(given))
    assert left == int(STATE)
    assert "try" in [reason.operation.type for reason in staged.get_concrete_function(given).plan.refused]


STATE = tf.Variable(0, dtype=tf.int64)
