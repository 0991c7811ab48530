"""The names and signatures that programs written for TensorFlow's autograph rely on, and its environment variables."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from typing import Any

import pytest

import autograph
import autograph.experimental
import autograph.internal
from autograph import logs
from autograph.errors import ConversionWarning, SourceUnavailableError
from tests.autograph.comparing import module

SIGNATURES = {
    "to_graph": "(entity, recursive=True, experimental_optional_features=None)",
    "to_code": "(entity, recursive=True, experimental_optional_features=None)",
    "set_verbosity": "(level, alsologtostdout=False)",
    "trace": "(*args)",
    "experimental.do_not_convert": "(func=None)",
    "experimental.set_loop_options": "(parallel_iterations=UNSPECIFIED, swap_memory=UNSPECIFIED, "
    "maximum_iterations=UNSPECIFIED, shape_invariants=UNSPECIFIED, checkpoint_every=UNSPECIFIED, unroll=UNSPECIFIED)",
    "experimental.Feature.all": "()",
    "experimental.Feature.all_but": "(exclude)",
    "control_status_ctx": "()",
    "internal.control_status_ctx": "()",
    "internal.tf_convert": "(f, ctx, convert_by_default=True, user_requested=False)",
    "internal.convert": "(recursive=False, optional_features=None, user_requested=True, conversion_ctx=None, *, "
    "include=(), exclude=())",
    "convert": "(recursive=False, optional_features=None, user_requested=True, conversion_ctx=None, *, include=(), "
    "exclude=())",
    "converted_call": "(f, args, kwargs, caller_fn_scope=None, options=None)",
    "do_not_convert": "(func=None)",
    "set_element_type": "(entity, dtype, shape=None)",
    "stack": "(list_or_tensor, element_dtype=None, strict=True)",
    "tensor_list": "(elements, element_dtype=None, element_shape=None, use_tensor_array=False)",
    "StackTraceMapper": "(converted_fn=None)",
    "ConversionOptions": "(recursive=False, user_requested=False, internal_convert_user_code=True, "
    "optional_features=<Feature.ALL: 'ALL'>, include=(), exclude=())",
    "operators.converted_call": "(f, args, kwargs, caller_fn_scope=None, options=None)",
    "operators.if_stmt": "(cond, body, orelse, get_state, set_state, symbol_names, nouts)",
    "operators.while_stmt": "(test, body, get_state, set_state, symbol_names, opts)",
    "operators.for_stmt": "(iter_, extra_test, body, get_state, set_state, symbol_names, opts)",
    "operators.if_exp": "(cond, if_true, if_false, expr_repr, get_state=None, set_state=None, symbol_names=())",
    "operators.and_": "(a, b, get_state=None, set_state=None, symbol_names=(), *, test=False)",
    "operators.or_": "(a, b, get_state=None, set_state=None, symbol_names=(), *, test=False)",
    "operators.not_": "(a)",
    "operators.eq": "(a, b)",
    "operators.not_eq": "(a, b)",
    "operators.lt": "(a, b)",
    "operators.ge": "(a, b)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name: str) -> None:
    found: Any = autograph
    for part in name.split("."):
        found = getattr(found, part)
    signature = inspect.signature(found)
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)) == SIGNATURES[name]


def test_names_that_are_no_functions() -> None:
    features = ["ALL", "AUTO_CONTROL_DEPS", "ASSERT_STATEMENTS", "BUILTIN_FUNCTIONS", "EQUALITY_OPERATORS", "LISTS"]
    assert [feature.name for feature in autograph.Feature] == [*features, "NAME_SCOPES", "ORDER_OPERATORS"]
    assert autograph.experimental.Feature is autograph.Feature
    assert issubclass(autograph.ConversionError, autograph.AutoGraphError)
    assert issubclass(autograph.StagingError, autograph.AutoGraphError)
    standard = autograph.operators.STD
    assert standard == autograph.ConversionOptions(recursive=True, optional_features=None)  # type: ignore[arg-type]
    assert not any(standard.uses(feature) for feature in autograph.Feature)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(logs, "_settings", logs._Settings())
    monkeypatch.delenv("AUTOGRAPH_VERBOSITY", raising=False)
    monkeypatch.delenv("AUTOGRAPH_STRICT_CONVERSION", raising=False)
    return monkeypatch


def caller() -> Callable[[int], int]:
    """A function with source that calls one without."""
    namespace: dict[str, Any] = {}
    exec("def hidden(x):\n    return x + 1 if x else 1\n", namespace)
    hidden = namespace["hidden"]

    def calls(x: int) -> int:
        return int(hidden(x))

    return calls


@pytest.mark.parametrize(("level", "shown"), [(0, 0), (1, 1), (2, 2), (3, 3), (10, 3)])
def test_levels_of_the_environment(
    environment: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, level: int, shown: int
) -> None:
    """1: what is converted. 2: the generated code too, and why callees run as they are. 3 and more: the source too."""
    environment.setenv("AUTOGRAPH_VERBOSITY", str(level))
    caplog.set_level(logging.INFO, "autograph")

    names = {0: "rgb_to_yiq", 1: "yiq_to_rgb", 2: "rgb_to_hls", 3: "hls_to_rgb", 10: "rgb_to_hsv"}
    library = names[level]  # for each it is decided once
    text = f"import colorsys\ndef told(x):\n    return bool(colorsys.{library}(0.1, 0.2, 0.3)) + x + {level}\n"
    with module(text) as namespace:
        assert autograph.to_graph(namespace["told"])(2) >= 2 + level
    texts = ("converting told", "def tf__told(x):", f"{library} runs as it is", "\ndef told(x):")
    assert [text in caplog.text for text in texts] == [shown >= 1, shown >= 2, shown >= 2, shown >= 3]


def test_a_callee_without_source_runs_as_it_is_unless_the_conversion_is_strict(environment: pytest.MonkeyPatch) -> None:
    with pytest.warns(ConversionWarning, match="'hidden' runs as plain Python"):
        assert autograph.to_graph(caller())(1) == 2
    environment.setenv("AUTOGRAPH_STRICT_CONVERSION", "0")
    with pytest.warns(ConversionWarning, match="'hidden' runs as plain Python"):
        assert autograph.to_graph(caller())(1) == 2
    environment.setenv("AUTOGRAPH_STRICT_CONVERSION", "1")
    with pytest.raises(SourceUnavailableError, match="hidden"):
        autograph.to_graph(caller())(1)


def test_a_strictness_that_is_no_number_is_said_and_taken_as_one(
    environment: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    environment.setenv("AUTOGRAPH_STRICT_CONVERSION", "yes")
    with pytest.raises(SourceUnavailableError):
        autograph.to_graph(caller())(1)
    assert "AUTOGRAPH_STRICT_CONVERSION is to be a whole number, found 'yes'; taken as 1" in caplog.text
