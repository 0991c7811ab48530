"""ConversionOptions, Feature and the options of loops: equality, text, and what is refused."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import autograph
from autograph.options import STANDARD_OPTIONS, ConversionOptions, Feature


def double(x: int) -> int:
    return x * 2


def test_set_loop_options_does_nothing_in_python() -> None:
    total = 0
    for i in range(3):
        autograph.set_loop_options(maximum_iterations=1, shape_invariants=[(total, None)])
        total += i
    assert total == 3
    assert autograph.experimental.set_loop_options is autograph.set_loop_options
    assert list(inspect.signature(autograph.set_loop_options).parameters) == [
        "parallel_iterations",
        "swap_memory",
        "maximum_iterations",
        "shape_invariants",
        "checkpoint_every",
        "unroll",
    ]


def test_options() -> None:
    assert ConversionOptions() == ConversionOptions(False, False, True, Feature.ALL)
    assert ConversionOptions(optional_features=None).features == ()  # type: ignore[arg-type]
    mixed = ConversionOptions(optional_features=(Feature.EQUALITY_OPERATORS, Feature.ASSERT_STATEMENTS))
    assert mixed == ConversionOptions(optional_features=[Feature.ASSERT_STATEMENTS, Feature.EQUALITY_OPERATORS])  # type: ignore[arg-type]
    assert hash(mixed) == hash(ConversionOptions(optional_features=mixed.features))
    assert mixed.uses(Feature.EQUALITY_OPERATORS) and not mixed.uses(Feature.BUILTIN_FUNCTIONS)
    everything = ConversionOptions(optional_features=Feature.ALL)
    assert [feature for feature in Feature if everything.uses(feature)] == [Feature.ALL, *Feature.all()]
    below = ConversionOptions(recursive=True, user_requested=True, optional_features=Feature.ALL).call_options()
    assert (below.recursive, below.user_requested, below.internal_convert_user_code) == (True, False, True)
    assert ConversionOptions(recursive=False).call_options().internal_convert_user_code is False
    assert STANDARD_OPTIONS.call_options() == STANDARD_OPTIONS
    assert Feature.all_but(Feature.BUILTIN_FUNCTIONS) == tuple(
        feature for feature in Feature.all() if feature is not Feature.BUILTIN_FUNCTIONS
    )
    assert Feature.all_but(Feature.all()) == ()


@pytest.mark.parametrize(("wrong", "shown"), [("LISTS", "'LISTS'"), (3, "3"), ([Feature.LISTS, "x", 1], "'x', 1")])
def test_what_is_no_feature_is_refused(wrong: Any, shown: str) -> None:
    with pytest.raises(TypeError, match=f"members of autograph.Feature, found {shown}$"):
        autograph.to_code(double, experimental_optional_features=wrong)
    with pytest.raises(TypeError, match=f"members of autograph.Feature, found {shown}$"):
        Feature.all_but(wrong)


def test_the_text_of_options_is_the_expression_that_makes_them() -> None:
    for features in ((), (Feature.ALL,), (Feature.ASSERT_STATEMENTS, Feature.BUILTIN_FUNCTIONS)):
        options = ConversionOptions(recursive=True, optional_features=features)
        assert eval(options.as_text(), {"ag__": autograph.operators}) == options
