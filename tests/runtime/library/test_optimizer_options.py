"""`config.optimizer`: passes that are left out, which change nothing but the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import runtime as tf
from runtime import config
from runtime.passes import PIPELINE

OPTIMIZER = tf.config.optimizer


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    kept = dict(config._options)
    yield
    config._options.clear()
    config._options.update(kept)


def program(x: Any) -> Any:
    total = x
    for _ in tf.range(3):
        total = total + tf.constant(2.0) * 3.0 + tf.sin(x) * 1.0
    if tf.reduce_sum(total) > 0:
        return total + total * 0
    return -total


def nodes() -> int:
    """How many operations are left of the program's graph."""
    lowered = tf.function(program).lower(tf.TensorSpec([2], tf.float32))
    return lowered.as_text("optimized").count(" = ")


OPTIONS = ("constant_folding", "arithmetic_optimization", "dependency_optimization", "loop_optimization")


@pytest.mark.parametrize("options", [{name: False} for name in OPTIONS] + [{"disable_meta_optimizer": True}])
def test_the_result_is_the_same_without_passes(options: dict[str, bool]) -> None:
    x = tf.constant([0.5, 1.0])
    wanted = tf.function(program)(x).numpy()
    OPTIMIZER.set_experimental_options(options)
    assert config.passes_left_out()
    assert tf.function(program)(x).numpy() == pytest.approx(wanted)


def test_what_is_left_out_stays_in_the_graph() -> None:
    before = nodes()
    OPTIMIZER.set_experimental_options({"disable_meta_optimizer": True})
    assert nodes() > before
    OPTIMIZER.set_experimental_options({"disable_meta_optimizer": False})
    assert nodes() == before


def test_each_pass_has_an_option() -> None:
    OPTIMIZER.set_experimental_options({"disable_meta_optimizer": True})
    assert config.passes_left_out() == {transform.__name__ for transform in PIPELINE}
    OPTIMIZER.set_experimental_options({"disable_meta_optimizer": False})
    assert not config.passes_left_out()
    OPTIMIZER.set_experimental_options({"disable_model_pruning": True})
    assert config.passes_left_out() == {"drop_dead"}


def test_wrong_options() -> None:
    with pytest.raises(ValueError, match="no option 'folding'; it has arithmetic_optimization, constant_folding"):
        OPTIMIZER.set_experimental_options({"folding": True})
    with pytest.raises(ValueError, match="debug_stripper would change what a program does"):
        OPTIMIZER.set_experimental_options({"debug_stripper": True})
    OPTIMIZER.set_experimental_options({"layout_optimizer": False})
    assert OPTIMIZER.get_experimental_options()["layout_optimizer"] is False
