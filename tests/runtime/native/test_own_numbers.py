"""Divisions and powers of Python's own numbers as machine code: the values of Python, and what it raises."""

import numpy as np
import pytest

import runtime as tf


def repeated(step, start):
    def program(n):
        total = start * 0
        x = start
        for i in range(n):
            x = step(x, i)
            total = total * 0.5 + x
        return total

    return program


RAISES = {
    "by zero": (lambda x, i: x / 0, 1.5), "by itself without itself": (lambda x, i: x / (x - x), 1.5),
    "by a counter": (lambda x, i: x / i, 1.5), "counters": (lambda x, i: 1.0 + 3 / i, 1.5),
    "whole": (lambda x, i: x // (i * 0.5), 1.5), "rest": (lambda x, i: 1.0 + x % (i * 0.5), 1.5),
    "zero to a negative power": (lambda x, i: (x - 1.5) ** (i - 1), 1.5),
    "too large": (lambda x, i: (x + 1e300) ** 3, 1.5),
    "complex by zero": (lambda x, i: x / 0, 1.5 + 2j), "complex by itself": (lambda x, i: x / (x - x), 1.5 + 2j),
    "by a complex zero": (lambda x, i: 1 / (x * 0), 1j), "complex by a counter": (lambda x, i: x / i, 1j),
    "complex zero to a negative power": (lambda x, i: (x * 0) ** -1, 1j),
    "a size that is too large": (lambda x, i: x * 0 + abs(x * 1e308), 1.5 + 1.5j),
}  # fmt: skip

GIVES = {
    "quotients": (lambda x, i: (x + 0.37) / (i + 0.7), 1.1), "by a power of two": (lambda x, i: x / 8.0 + 1.0, 1.1),
    "powers": (lambda x, i: (x + 0.37) ** 1.3 * 0.3, 1.1),
    "own powers": (lambda x, i: 1.0 + 0.9 ** (i + 0.5) - (x * x + 1) ** -0.7, 1.1),
    "squares": (lambda x, i: (0.1 * i + 0.37) ** 2 + 0.5 * x, 1.1),
    "rests": (lambda x, i: (x + i) % 0.7 + (x // 0.3), 1.1),
    "complex quotients": (lambda x, i: (x + i * 1j) / (x * 0.3 - 0.7j), 1.1 + 0.2j),
    "by imaginary numbers": (lambda x, i: (x + 1.3) / (0.7j + i * 0.01), 1.1 + 0.2j),
    "complex squares": (lambda x, i: (0.1 * x + 0.3) ** 2 + 0.3j, 0.5 + 0.2j),
    "complex powers": (lambda x, i: (0.1 * x + 0.9) ** 7 - (x * 0.1) ** 3, 0.5 + 0.2j),
    "sizes": (lambda x, i: x * 0.5 + abs(x * 1e300) * 1e-300, 1.5 + 1.5j),
    "nan": (lambda x, i: x / float("nan"), 1.5), "infinite": (lambda x, i: x / float("inf") + 1, 1.5),
}  # fmt: skip

HOW = [{"backend": "numpy"}, {"backend": "native"}, {"jit_compile": True}]


@pytest.mark.parametrize("how", HOW, ids=["numpy", "native", "jit_compile"])
@pytest.mark.parametrize("name", RAISES)
def test_what_raises(name, how):
    program = repeated(*RAISES[name])
    staged = tf.function(program, **how)
    if how == HOW[2] and name == "complex zero to a negative power":
        with pytest.raises(tf.errors.NotCompiledError, match="Python's own"):
            staged(tf.constant(3))
        return
    with pytest.raises(Exception) as expected:
        program(3)
    with pytest.raises(expected.type):
        staged(tf.constant(3))


@pytest.mark.parametrize("how", HOW[:2], ids=["numpy", "native"])
@pytest.mark.parametrize("name", GIVES)
def test_values(name, how):
    """To the last bit; by machine code where the numbers are finite."""
    program = repeated(*GIVES[name])
    staged = tf.function(program, **how)
    np.testing.assert_array_equal(staged(tf.constant(40)).numpy(), program(40))
    if how == HOW[1]:
        plan = staged.get_concrete_function(tf.constant(40)).plan
        assert not plan.refused and [region.given_up for region in plan.regions] == [0]


def test_tensors_are_divided_as_before():
    def program(x, n):
        for _ in range(n):
            x = x / 0
        return x

    for how in HOW:
        assert np.isposinf(tf.function(program, **how)(tf.constant(1.5), tf.constant(2)).numpy())


def test_powers_that_are_not_known_are_pythons():
    program = repeated(lambda x, i: (x + 1) ** (i * 0.3 + 0.1j), 0.5 + 0.2j)
    staged = tf.function(program, backend="native")
    assert staged(tf.constant(9)).numpy() == program(9)
    assert "Python's own" in str(staged.get_concrete_function(tf.constant(9)).plan.refused[0])
