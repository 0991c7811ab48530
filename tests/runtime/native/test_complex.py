"""Complex numbers as machine code: single ones as Python computes them, arrays as NumPy does."""

import copy

import numpy as np
import pytest

import runtime as tf


def mandelbrot(n, most):
    total = 0
    for i in range(n):
        for j in range(n):
            c = complex(-2.0 + 2.5 * i / n, -1.25 + 2.5 * j / n)
            z = 0j
            turns = 0
            while turns < most and abs(z) <= 2.0:
                z = z * z + c
                turns += 1
            total += turns
    return total


def escapes(grid, most):
    n, m = grid.shape
    turns = np.zeros((n, m), np.int64)
    for i in range(n):
        for j in range(m):
            z = 0j
            for _ in range(most):
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                z = z * z + grid[i, j]
                turns[i, j] += 1
    return turns


def fourier(x):
    n = len(x)
    found = np.zeros(n, complex)
    for k in range(n):
        total = 0j
        for m in range(n):
            total += x[m] * np.exp(-2j * np.pi * k * m / n)
        found[k] = total
    return found


def newton(z, n):
    for _ in range(n):
        if z == 0:
            z = z + (1 + 1j)
        z = z - (z * z * z - 1.0) / (3.0 * z * z)
    return z


def conjugates(x, n):
    total, largest = x[0] - x[0], 0.0
    for i in range(n):
        total = total + x[i] * np.conj(x[i]) - (-x[i]) * 2.5 + i
        largest = max(largest, abs(x[i]))
        if x[i] != x[0]:
            x[i] = -x[i]
    return total, largest, x


def listed(z, n):
    found = []
    for i in range(n):
        found.append(z)
        z = z * 1j + i
    return found[n - 1], z, len(found)


def horner(c, z, n):
    def power(z, k):
        return 1.0 + 0j if k == 0 else z * power(z, k - 1)

    total = 0j
    for k in range(n):
        total += c[k] * power(z, k)
    return total


def of_arrays(z, c, n):
    for k in range(n):
        z = z * z + c * k - np.conj(c)
        z = np.where(z.real > 2.0, -z, z.real + 0j)
    return z, np.zeros_like(z), z.imag + 1.0


DRAWN = np.random.default_rng(0).normal(size=40) + 1j * np.random.default_rng(1).normal(size=40)
EDGES = np.array([complex(a, b) for a in (0.0, -0.0, np.inf, np.nan, 1e308) for b in (-0.0, -np.inf, np.nan, 3.0)])
PROGRAMS = [
    (mandelbrot, (20, 30)), (escapes, (DRAWN.reshape(8, 5), 20)), (fourier, (DRAWN,)), (newton, (DRAWN[3], 12)),
    (newton, (0j, 3)), (conjugates, (DRAWN, 40)), (conjugates, (EDGES, 20)), (listed, (2 - 1j, 9)),
    (horner, (DRAWN, 0.5 + 0.25j, 9)), (of_arrays, (DRAWN, DRAWN[::-1].copy(), 7)), (of_arrays, (EDGES, EDGES, 2)),
]  # fmt: skip


def given(arguments):
    kinds = {int: tf.int64, float: tf.float64, complex: tf.complex128}
    return [tf.constant(a, kinds[type(a)]) if type(a) in kinds else copy.copy(a) for a in arguments]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_program(function, arguments):
    plain, staged = tf.function(function, backend="numpy"), tf.function(function, backend="native")
    theirs, mine = given(arguments), given(arguments)
    wanted, found = plain(*theirs), staged(*mine)
    for one, other in zip(tf.nest.flatten(found) + mine, tf.nest.flatten(wanted) + theirs, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    plan = staged.get_concrete_function(*mine).plan
    assert [str(reason) for reason in plan.refused] == []
    assert {region.given_up for region in plan.regions} == {0}


def test_products_of_arrays_with_jit_compile_are_rounded_once_more_or_less():
    def product(z, c, n):
        for _ in range(n):
            z = z * c + c
        return z

    found = tf.function(product, jit_compile=True)(DRAWN, DRAWN / 4, tf.constant(5))
    np.testing.assert_allclose(np.asarray(found), product(DRAWN, DRAWN / 4, 5), rtol=1e-13)


def test_an_array_that_begins_in_the_middle_of_sixteen_bytes():
    def copied(x, y, n):
        for i in range(n):
            y[i] = x[n - 1 - i]
        return y

    shifted = [np.zeros(81)[1:].view(np.complex128), np.zeros(82)[2:].view(np.complex128)]
    staged = tf.function(copied, backend="native")
    for memory in shifted:
        memory[:] = DRAWN
        np.testing.assert_array_equal(staged(memory, np.zeros(40, complex), tf.constant(40)), DRAWN[::-1])


def test_absolute_values_of_arrays_are_numpys():
    def sizes(z, n):
        total = np.abs(z)
        for _ in range(n):
            z = z * 0.5 + 1j
            total = total + np.abs(z)
        return total

    z = np.random.default_rng(2).normal(size=1000) + 1j * np.random.default_rng(3).normal(size=1000)
    wanted = np.asarray(tf.function(sizes, backend="numpy")(z, tf.constant(9)))
    np.testing.assert_array_equal(np.asarray(tf.function(sizes, backend="native")(z, tf.constant(9))), wanted)
    np.testing.assert_allclose(np.asarray(tf.function(sizes, jit_compile=True)(z, tf.constant(9))), wanted, rtol=1e-14)


def test_numbers_that_are_given_and_got():
    def turned(z, w, n):
        for _ in range(n):
            z, w = w * 1j, z.real
            w = w + 0j
        return z, w

    staged = tf.function(turned, backend="native")
    for z, w in ((1 + 2j, 3j), (-1.0 + 0j, -1 - 1j), (complex(-1, np.nan), complex(np.inf, -0.0))):
        found = staged(tf.constant(z, tf.complex128), tf.constant(w, tf.complex128), tf.constant(3))
        np.testing.assert_array_equal([complex(v) for v in found], turned(z, w, 3))


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS[2:], ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_program_of_complex64(function, arguments):
    """Each operation as NumPy has it for complex64, which is another rounding than that of single floats."""

    def narrow(values):
        return [
            tf.constant(a, {int: tf.int64, complex: tf.complex64}[type(a)]) if type(a) in (int, complex)
            else a.astype(np.complex64) for a in values
        ]  # fmt: skip

    plain, staged = tf.function(function, backend="numpy"), tf.function(function, backend="native")
    with np.errstate(all="ignore"):
        theirs, mine = narrow(arguments), narrow(arguments)
    wanted, found = plain(*theirs), staged(*mine)
    for one, other in zip(tf.nest.flatten(found) + mine, tf.nest.flatten(wanted) + theirs, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    plan = staged.get_concrete_function(*mine).plan
    assert [str(reason) for reason in plan.refused] == []
    assert {region.given_up for region in plan.regions} == {0}


def test_quotients_of_pythons_own_numbers():
    def quotients(n):
        z, total = 1.5 + 2j, 0j
        for i in range(n):
            z = z + 1j
            total += (0.1 + 0.7j) / z + z / (3.0 + 0.3j)
        return total

    staged = tf.function(quotients, backend="native")
    assert complex(staged(tf.constant(50))) == quotients(50)
