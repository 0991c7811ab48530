"""Gradients of random programs of `try` statements: those of Python, where nothing is staged."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.test_random_programs import load
from tests.runtime.autodiff.try_programs import try_program
from tests.runtime.autodiff.ways import gradient, second

QUICK, ALL, IN_ONE_FILE = 10, 610, 20


def check(seed, function):
    """What became of each gradient: equal, or refused because the way back is lost in a loop or another `try`."""
    found = collections.Counter()
    staged = tf.function(function)
    inside = tf.function(lambda x: gradient(function, x))
    for x in map(tf.constant, np.random.default_rng(seed).uniform(-1, 1.2, (3, 3))):
        try:
            value, first, twice = function(x), gradient(function, x), second(function, x)
        except Exception as error:
            with pytest.raises(type(error)):
                staged(x)
            continue
        np.testing.assert_allclose(staged(x), value, rtol=1e-12, err_msg=try_program(seed))
        ways = ((lambda: gradient(staged, x), first), (lambda: inside(x), first), (lambda: second(staged, x), twice))
        for way, wanted in ways:
            try:
                made = way()
            except LookupError as error:
                assert "cannot go back to where that was" in str(error)
                found["lost"] += 1
            else:
                np.testing.assert_allclose(made, wanted, rtol=1e-8, atol=1e-10, err_msg=try_program(seed))
                found["equal"] += 1
    return found


def check_all(seeds, tmp_path):
    found = collections.Counter()
    for seed, function in zip(seeds, load(seeds, tmp_path, try_program), strict=True):
        found += check(seed, function)
    assert found["equal"] > max(50, 10 * found["lost"])


def test_random_handlers(tmp_path):
    check_all(range(QUICK), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(QUICK, ALL, IN_ONE_FILE))
def test_many_random_handlers(start, tmp_path):
    check_all(range(start, start + IN_ONE_FILE), tmp_path)
