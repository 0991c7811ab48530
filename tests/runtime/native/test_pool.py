"""Memory of large arrays that is kept for the next ones."""

import ctypes
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.native.pool import LEAST_KEPT, MOST_KEPT, POOL


def kept():
    return {address for address in POOL if address}


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


@pytest.fixture
def native():
    """softmax as machine code: it has one array of the size of its result."""
    staged = tf.function(softmax, backend="native", input_signature=[tf.TensorSpec([None, 64], tf.float64)])
    (region,) = staged.get_concrete_function().plan.regions

    def call(x):
        found = np.asarray(staged(tf.constant(x)))
        assert region.given_up == 0
        return found

    return call


def table(rows, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, 64))


def test_a_large_array_is_kept_and_taken_again(native):
    x = table(LEAST_KEPT // 64)
    native(x)
    before = kept()
    assert before
    for _ in range(5):
        np.testing.assert_array_equal(native(x), softmax(x))
        assert kept() == before


def test_sizes_of_all_kinds(native):
    """Never more than there are places, and results that nobody writes to."""
    found = []
    for rows in (200, 4000, 300, 9000, 1100, 30_000, 2500, 200, 4000):
        x = table(rows, rows)
        found.append((native(x), softmax(x)))
        assert len(kept()) <= len(POOL)
    for one, other in found:
        np.testing.assert_array_equal(one, other)


def test_what_is_too_large_is_given_back(native):
    x = table((MOST_KEPT + LEAST_KEPT) // 8 // 64 + 200)
    np.testing.assert_array_equal(native(x), softmax(x))
    rooms = [ctypes.c_int64.from_address(address + 8).value for address in kept()]
    assert rooms
    assert max(rooms) <= MOST_KEPT


def test_small_arrays_are_not_kept(native):
    native(table(200))
    before = kept()
    native(table(10))
    assert kept() == before


def test_threads(native):
    given = [table(rows, rows) for rows in (300, 301, 700, 1500)]
    wanted, wrong = [softmax(x) for x in given], []
    for x in given:
        native(x)

    def work():
        for _ in range(20):
            for x, one in zip(given, wanted, strict=True):
                if not np.array_equal(native(x), one):
                    wrong.append(x.shape)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(kept()) <= len(POOL)


def test_lists_that_grow():
    """Memory that was kept may have more room than was asked for."""

    def program(n):
        items = [0.0]
        for i in range(n):
            items.append(items[i] * 0.5 + i)
        total = 0.0
        for item in items:
            total = total * 0.25 + item
        return total

    staged = tf.function(program, backend="native")
    for n in (100_000, 20_000, 70_000, 100_000):
        assert float(staged(tf.constant(n))) == program(n)
