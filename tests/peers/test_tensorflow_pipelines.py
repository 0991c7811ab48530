"""Random pipelines of datasets, built here and in TensorFlow: the same specs, elements, cardinalities and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import runtime
from tests.peers.pipelines import STEPS, pipeline, shape_of

QUICK, ALL, IN_ONE_TEST = 150, 3000, 10
ENOUGH = 60

pytestmark = pytest.mark.filterwarnings("ignore")


def plain(element: Any) -> Any:
    """An element as Python values: dtype and list of each tensor, the elements of a dataset."""
    if isinstance(element, dict):
        return {name: plain(part) for name, part in element.items()}
    if isinstance(element, tuple):
        return tuple(map(plain, element))
    if hasattr(element, "element_spec"):
        return ["dataset of", [plain(part) for part in element]]
    array = np.asarray(element.numpy())
    return array.dtype.kind, array.tolist()


def run(build: Callable[[Any], Any], module: Any) -> tuple[list[Any], int]:
    """The spec and the elements up to an error, which stands there by the name of its class; the cardinality."""
    made: list[Any] = []
    count = -3
    try:
        dataset = build(module)
        made.append(shape_of(dataset.element_spec))
        count = int(dataset.cardinality())
        for element in dataset.take(ENOUGH):
            made.append(plain(element))
    except Exception as error:
        made.append(type(error).__name__)
    return made, count


def as_written(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Without TensorFlow's rewriting, which joins a map and a batch into one step that fails for a rest of elements
    of several shapes although the rest is dropped."""

    def built(module: Any) -> Any:
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        return build(module).with_options(options)

    return built


@pytest.mark.parametrize("start", range(0, QUICK, IN_ONE_TEST))
def test_random_pipelines(start: int) -> None:
    for seed in range(start, start + IN_ONE_TEST):
        text, build = pipeline(seed, tf)
        (found, count), (wanted, theirs) = run(build, runtime), run(as_written(build), tf)
        assert found == wanted, text
        check_cardinality(text, count, theirs, len(found) - 1)


def check_cardinality(text: str, ours: int, theirs: int, made: int) -> None:
    """Ours may be known where theirs is not, if it is right. TensorFlow takes it for granted that what repeats without
    end is not empty."""
    if ours != theirs:
        knows = ours >= 0 and theirs == tf.data.UNKNOWN_CARDINALITY and min(ours, ENOUGH) == made
        assert knows or (ours == tf.data.UNKNOWN_CARDINALITY and "without end" in text), (text, ours, theirs)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(QUICK, ALL, IN_ONE_TEST))
def test_many_random_pipelines(start: int) -> None:
    test_random_pipelines(start)


def test_each_step_is_taken() -> None:
    text = "".join(pipeline(seed, runtime)[0] for seed in range(QUICK))
    assert [name for name in STEPS if f"('{name}'," not in text] == []
