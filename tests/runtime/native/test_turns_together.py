"""Loops over integers of Python's that make several turns at once while these are small, and one with tests else."""

import pytest

import runtime as tf


def collatz(k):
    turns = 0
    while k != 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        turns += 1
    return turns, k


def growing(n):
    """Integers that leave what is small, and 64 bits at last."""
    k, other, turns = 1, -7, 0
    while turns < n and k != 5:
        k, other, turns = k * 3 + 1, other * 2 - k, turns + 1
    return k, other, turns


def back(n):
    """Large ones that become small, and large again."""
    k, up = 2**61 + n, 0
    while k != 3 and up < 90:
        k = k // 5 if up < 45 else k * 2 + 1
        up = up + 1
    return k, up


def greatest_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a, b


def outcome(function, *args):
    try:
        result = function(*args)
    except Exception as error:
        return type(error)
    return tuple(map(int, result))


PROGRAMS = {
    "collatz": (collatz, [(k,) for k in (*range(1, 20), 27, 97, 2**40 - 1, 2**40, 2**40 + 1, 3 * 2**55)]),
    "growing": (growing, [(n,) for n in (*range(30), 35, 36, 37, 38, 39, 40, 41, 60)]),
    "back": (back, [(n,) for n in (0, 1, 12345)]),
    "greatest divisor": (greatest_divisor, [(1071, 462), (2**62, 2**41 + 6), (-(2**50), 36), (7, 0), (0, 7)]),
}


@pytest.mark.parametrize("checks", [None, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_errors_are_those_of_the_plan(name, checks):
    program, values = PROGRAMS[name]
    with tf.config.check_overflow(checks):
        native, plain = (tf.function(program, backend=by, reduce_retracing=True) for by in ("native", "numpy"))
        for args in values:
            assert outcome(native, *args) == outcome(plain, *args)
            if checks is None and outcome(program, *args)[0] < 2**63:
                assert outcome(native, *args) == outcome(program, *args)
    plans = [concrete.plan for concrete in native._traces]
    assert not any(plan.refused for plan in plans)


def test_the_machine_code_has_them():
    native = tf.function(collatz, backend="native", reduce_retracing=True)
    for k in (3, 5, 7, 9):
        native(k)
    text = next(iter(native._traces)).plan.source
    assert "together" in text or any("together" in concrete.plan.source for concrete in native._traces)
