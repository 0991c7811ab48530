"""Gradients of the random differentiable programs, first and second, beside those of JAX.

JAX gets the text of the program, with its own functions under the names of `tf`, and plain Python control flow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import runtime
from tests.peers.jax_names import NAMES
from tests.runtime.autodiff.programs import program
from tests.runtime.autodiff.test_random_programs import arguments, load
from tests.runtime.autodiff.ways import gradient, second

QUICK, ALL, IN_ONE_FILE = 60, 5000, 20


def of_jax(seed: int) -> Any:
    """The program with JAX in the place of `tf`."""
    names: dict[str, Any] = {"tf": NAMES}
    exec(program(seed), names)
    return names[f"program_{seed}"]


def weighted(gradients: Any) -> Any:
    return sum((g * (i + 1.5)).sum() for i, g in enumerate(gradients))


def compare(seed: int, function: Any) -> None:
    floats, count = arguments(seed)
    floats = [np.asarray(x) for x in floats]
    args, n = [runtime.constant(x) for x in floats], runtime.constant(count)
    other = of_jax(seed)
    value, slopes = jax.value_and_grad(other, (0, 1, 2))(*floats, count)
    np.testing.assert_allclose(function(*args, n), value, rtol=1e-12, err_msg=program(seed))
    staged = runtime.function(function)
    for way in (function, staged):
        for found, wanted in zip(gradient(way, *args, n), slopes, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11, err_msg=program(seed))
    if seed % 4 == 0:
        curves = jax.grad(lambda *x: weighted(jax.grad(other, (0, 1, 2))(*x, count)), (0, 1, 2))(*floats)
        for found, wanted in zip(second(staged, *args, n), curves, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10, err_msg=program(seed))


@pytest.mark.parametrize("start", range(0, QUICK, IN_ONE_FILE))
def test_random_programs(start: int, tmp_path: Path) -> None:
    seeds = range(start, start + IN_ONE_FILE)
    for seed, function in zip(seeds, load(seeds, tmp_path), strict=True):
        compare(seed, function)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(QUICK, ALL, IN_ONE_FILE))
def test_many_random_programs(start: int, tmp_path: Path) -> None:
    test_random_programs(start, tmp_path)
