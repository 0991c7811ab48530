"""Gradients of random programs with loops, branches and lists: all ways agree, and they are those of the values."""

from __future__ import annotations

import importlib.util
import random

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.programs import program
from tests.runtime.autodiff.rich_programs import CALLS, HEADER, ROWS, rich_program
from tests.runtime.autodiff.ways import gradient, second

QUICK, ALL, IN_ONE_FILE = 10, 5000, 10
RICH_QUICK, RICH_ALL = 10, 1000


def load(seeds, folder, write=program, header="import runtime as tf\n\n\n"):
    """The functions of a file with these programs: autograph reads their source."""
    path = folder / f"programs_{seeds[0]}.py"
    path.write_text(header + "\n\n".join(map(write, seeds)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"program_{seed}") for seed in seeds]


def arguments(seed):
    numbers = np.random.default_rng(seed)
    return [numbers.uniform(-1, 1, shape) for shape in ((), (), 3)], int(numbers.integers(0, 4))


def differences(function, floats, n, step):
    found = []
    for place, value in enumerate(floats):
        slopes = np.zeros(np.shape(value))
        for index in np.ndindex(slopes.shape):
            ends = []
            for sign in (1, -1):
                moved = np.array(value)
                moved[index] += sign * step
                given = [*floats[:place], moved, *floats[place + 1 :]]
                ends.append(float(function(*map(tf.constant, map(np.asarray, given)), n)))
            slopes[index] = (ends[0] - ends[1]) / (2 * step)
        found.append(slopes)
    return found


def check(seed, function, write=program):
    floats, count = arguments(seed)
    args, n = [tf.constant(np.asarray(x)) for x in floats], tf.constant(count)
    eager, staged = [g.numpy() for g in gradient(function, *args, n)], tf.function(function)
    np.testing.assert_allclose(staged(*args, n), function(*args, n), rtol=1e-12)
    wide, near = differences(staged, floats, n, 1e-5), differences(staged, floats, n, 1e-6)
    for found, a, b in zip(eager, wide, near, strict=True):
        smooth = np.isclose(a, b, rtol=1e-4, atol=1e-5)  # else a branch is left within a step
        np.testing.assert_allclose(np.where(smooth, found, b), b, rtol=1e-4, atol=1e-5, err_msg=write(seed))
    if seed % 2:
        gradients = gradient(staged, *args, n)
    else:
        gradients = tf.function(lambda *args: gradient(function, *args))(*args, n)
    for found, wanted in zip(gradients, eager, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12, err_msg=write(seed))
    if seed % 20 == 0:
        twice = second(function, *args, n)
        for found, wanted in zip(second(staged, *args, n), twice, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10, err_msg=write(seed))


@pytest.mark.parametrize("start", range(0, QUICK, IN_ONE_FILE))
def test_random_programs(start, tmp_path):
    seeds = range(start, start + IN_ONE_FILE)
    for seed, function in zip(seeds, load(seeds, tmp_path), strict=True):
        check(seed, function)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(QUICK, ALL, IN_ONE_FILE))
def test_many_random_programs(start, tmp_path):
    test_random_programs(start, tmp_path)


@pytest.mark.parametrize("start", range(0, RICH_QUICK, IN_ONE_FILE))
def test_random_programs_of_more_kinds(start, tmp_path):
    seeds = range(start, start + IN_ONE_FILE)
    for seed, function in zip(seeds, load(seeds, tmp_path, rich_program, HEADER), strict=True):
        check(seed, function, rich_program)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(RICH_QUICK, RICH_ALL, IN_ONE_FILE))
def test_many_random_programs_of_more_kinds(start, tmp_path):
    test_random_programs_of_more_kinds(start, tmp_path)


def test_programs_have_all_that_there_is():
    text = "".join(map(program, range(200)))
    for word in ("break", "continue", "while", "return", "else:", ".append(", "for i", "tf.where", "a = A\n"):
        assert text.count(word) > 10
    text = "".join(map(rich_program, range(200)))
    for word in ("raise", "is None", "GradientTape", "TensorArray", "'y': [", "finally:", *CALLS, *ROWS):
        assert word.partition("{")[0] in text, word
    assert program(random.Random(1).randrange(ALL)) == program(random.Random(1).randrange(ALL))
