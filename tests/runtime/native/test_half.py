"""float16 as machine code: each operation is one of float32 that is rounded back, as NumPy has it."""

import numpy as np
import pytest

import runtime as tf
from runtime.native.types import is_supported

pytestmark = pytest.mark.skipif(not is_supported(tf.float16), reason="this processor does not convert float16")

RNG = np.random.default_rng(0)
EDGES = [0.0, -0.0, 6e-8, -6e-8, 3e-5, 65504.0, -65504.0, np.inf, -np.inf, np.nan, 1.0, -2.5]


def halves(*shape):
    values = (RNG.normal(size=shape) * np.exp(2 * RNG.normal(size=shape))).astype(np.float16)
    values.flat[: len(EDGES)] = np.array(EDGES, np.float16)[: values.size]
    return values


def recurrence(x, n):
    total, least = x[0] - x[0], x[1]
    for i in range(n):
        total = total * tf.cast(0.75, tf.float16) + x[i] / x[n - 1 - i]
        if x[i] < least:
            least = x[i]
        x[i] = -abs(x[i]) + total
    return total, least, x


def chains(x, n):
    for _ in range(n):
        x = np.sqrt(np.abs(x)) * x - x / (x + x)
        x = np.where(x > 1, np.floor(x), np.exp(x) - np.tanh(x))
    return x


def sums(x, n):
    total = np.sum(x, axis=0) * 0
    for _ in range(n):
        total = total * 0.5 + np.sum(x, axis=0) + np.max(x, axis=0) - np.cumsum(x, axis=1)[0]
        x = x * 0.5 + np.prod(x[:, :1])
    return total


def casts(x, n):
    total = tf.cast(x, tf.float64) * 0
    for i in range(n):
        wide = tf.cast(x, tf.float64) * 1.0001 + tf.cast(tf.cast(x, tf.float32) / 3.0, tf.float64)
        x = tf.cast(wide, tf.float16) + tf.cast(i * 3001, tf.float16)
        total = total + wide
    return total, x


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", [recurrence, chains, sums, casts])
def test_program(program):
    """Those of float16 are written in order, each rounded: the bits of the plan over NumPy."""
    plain, staged = tf.function(program, backend="numpy"), tf.function(program, backend="native")
    x = halves(7, 5) if program is sums else halves(40)
    theirs, mine = np.copy(x), np.copy(x)
    wanted, found = plain(theirs, tf.constant(9)), staged(mine, tf.constant(9))
    for one, other in zip(tf.nest.flatten(found) + [mine], tf.nest.flatten(wanted) + [theirs], strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    plan = staged.get_concrete_function(mine, tf.constant(9)).plan
    assert [str(reason) for reason in plan.refused] == []
    assert {region.given_up for region in plan.regions} == {0}


def test_all_float16_numbers_there_and_back():
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)

    def there_and_back(x, n):
        for _ in range(n):
            x = tf.cast(tf.cast(x, tf.float64), tf.float16)
            x = tf.cast(tf.cast(x, tf.float32), tf.float16)
        return x

    found = tf.function(there_and_back, backend="native")(tf.constant(every), tf.constant(2))
    np.testing.assert_array_equal(np.asarray(found), every)


def test_float64_is_rounded_once():
    """Between two float16 numbers, near the middle, and where float32 has fewer digits or none."""
    middles = (np.arange(1, 2000, dtype=np.float64) * 2 + 1) * 2.0**-12
    given = np.concatenate([
        middles, middles * (1 + 2.0**-40), middles * (1 - 2.0**-40), 2.0**-25 * np.array([1, 1 + 2.0**-50, 3.0]),
        [65519.999999999, 65520.0, 65536.0, 1e300, 1e-300, 1e-40, np.inf, np.nan],
    ])  # fmt: skip
    given = np.concatenate([given, -given])

    def rounded(x, n):
        y = tf.cast(x, tf.float16)
        for _ in range(n):
            y = tf.cast(x, tf.float16)
        return y

    with np.errstate(over="ignore"):
        wanted = given.astype(np.float16)
    found = np.asarray(tf.function(rounded, backend="native")(tf.constant(given), tf.constant(2)))
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_bfloat16_says_that_it_is_not_compiled():
    @tf.function(jit_compile=True)
    def powers(x, n):
        for _ in range(n):
            x = x * x
        return x

    with pytest.raises(tf.errors.NotCompiledError, match="values of bfloat16 are not compiled"):
        powers(tf.cast(tf.constant(1.5), tf.bfloat16), tf.constant(3))
