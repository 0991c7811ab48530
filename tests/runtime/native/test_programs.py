"""Programs as machine code: the results of Python and NumPy, to the last bit, and all loops compiled."""

import copy

import numpy as np
import pytest

import runtime as tf
from tests.runtime.native.programs import PROGRAMS


def same(found, wanted):
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    found = np.asarray(found)
    return found.dtype.kind == np.asarray(wanted).dtype.kind and np.array_equal(found, wanted, equal_nan=True)


def of_numbers(value):
    """The argument as a tensor, so that Python's own numbers are no constants of the trace."""
    return tf.constant(value, tf.int64 if isinstance(value, int) else tf.float64) if np.isscalar(value) else value


def compiled(function, arguments):
    """The Function, its result, and what it did to its arguments."""
    staged = tf.function(function, backend="native")
    given = [of_numbers(value) for value in copy.deepcopy(arguments)]
    result = staged(*given)
    return staged.get_concrete_function(*given).plan, result, given


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_program(function, arguments):
    plan, result, given = compiled(function, arguments)
    by_python = copy.deepcopy(arguments)
    assert same(result, function(*by_python))
    for now, wanted in zip(given, by_python, strict=True):
        assert same(now, wanted)
    assert plan.regions
    assert [str(reason) for reason in plan.refused] == []
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS[::4], ids=lambda v: getattr(v, "__name__", ""))
def test_the_plan_over_numpy_gives_the_same(function, arguments):
    by_numpy = tf.function(function, backend="numpy")(*[of_numbers(v) for v in copy.deepcopy(arguments)])
    _, result, _ = compiled(function, arguments)
    tf.nest.map_structure(lambda a, b: np.testing.assert_array_equal(np.asarray(a), np.asarray(b)), result, by_numpy)


def test_a_gradient_goes_through_machine_code():
    def program(x):
        total = x
        for i in range(200):
            if total > 1.5:
                total = total * 0.5
            total = total + x * 0.1
        return total

    def slope(backend):
        x = tf.constant(0.7, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(program, backend=backend)(x)
        return float(tape.gradient(y, x))

    step = 1e-6
    by_difference = (program(0.7 + step) - program(0.7 - step)) / (2 * step)
    assert slope("native") == slope("numpy")
    assert slope("native") == pytest.approx(by_difference, rel=1e-6)


def test_an_array_that_is_still_read_is_not_written_to():
    def program(a, n):
        total = 0.0
        for i in range(1, n):
            old = a.copy()
            a[i] = old[i - 1] + 1.0
            total += old[i] * a[i]
        return a, total

    arguments = (np.random.default_rng(3).normal(size=80), 80)
    plan, result, _ = compiled(program, arguments)
    assert same(result, program(*copy.deepcopy(arguments)))
    assert plan.regions


def test_what_stays_in_python_is_said():
    @tf.function(backend="native")
    def program(n):
        total = tf.constant("")
        for _ in range(n):
            total = total + "a"
        return total

    plan = program.get_concrete_function(tf.constant(3)).plan
    assert program(tf.constant(3)).numpy() == b"aaa"
    assert [reason.operation.type for reason in plan.refused] == ["while"] or plan.refused


def test_functions_that_call_each_other_and_one_that_stays_in_python():
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    def odd(n):
        if n == 0:
            return False
        try:
            assert n != 13, "unlucky"
        except AssertionError:
            return True
        return even(n - 1)

    staged = tf.function(even, backend="native")
    assert [bool(staged(tf.constant(n))) for n in range(20)] == [bool(even(n)) for n in range(20)]
