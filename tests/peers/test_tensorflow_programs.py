"""The random differentiable programs in TensorFlow: under its tape as Python runs them, and in its graphs.

Its graphs have no lists that grow in loops, and no value after a loop for a name that some way out of it leaves unset.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime
from tests.runtime.autodiff.programs import program
from tests.runtime.autodiff.test_random_programs import arguments

QUICK, ALL, IN_ONE_FILE = 30, 3000, 10

pytestmark = pytest.mark.filterwarnings("ignore")


def load(module: str, seeds: range, folder: Path) -> Any:
    path = folder / f"{module}_{seeds[0]}.py"
    path.write_text(f"import {module} as tf\n\n\n" + "\n\n".join(map(program, seeds)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def slopes(module: Any, function: Any, floats: Any, count: int) -> list[Any]:
    """The value, its gradients, and the gradients of their sum."""
    args, n = [module.constant(np.asarray(x)) for x in floats], module.constant(count)
    with module.GradientTape() as outer:
        outer.watch(args)
        with module.GradientTape() as tape:
            tape.watch(args)
            value = function(*args, n)
        first = tape.gradient(value, args, unconnected_gradients="zero")
        total = module.add_n([module.reduce_sum(g) for g in first])
    second = outer.gradient(total, args, unconnected_gradients="zero")
    return [np.asarray(x) for x in (value, *first, *second)]


@pytest.mark.parametrize("start", range(0, QUICK, IN_ONE_FILE))
def test_random_programs(start: int, tmp_path: Path) -> None:
    seeds = range(start, start + IN_ONE_FILE)
    ours, theirs = (load(module, seeds, tmp_path) for module in ("runtime", "tensorflow"))
    for seed in seeds:
        name, (floats, count) = f"program_{seed}", arguments(seed)
        count = max(count, 1)  # its range raises where ours is empty
        wanted = slopes(tf, getattr(theirs, name), floats, count)
        compare(seed, slopes(runtime, runtime.function(getattr(ours, name)), floats, count), wanted)
        if seed % 3 == 0 and "[]" not in program(seed) and "return" not in program(seed).partition("return a * 1.1")[0]:
            compare(seed, slopes(tf, tf.function(getattr(theirs, name)), floats, count), wanted)


def compare(seed: int, found: list[Any], wanted: list[Any]) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10, err_msg=program(seed))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(QUICK, ALL, IN_ONE_FILE))
def test_many_random_programs(start: int, tmp_path: Path) -> None:
    test_random_programs(start, tmp_path)
