"""What the user includes and excludes: `set_conversion_rules`, `convert(include=..., exclude=...)`."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

import autograph
from autograph.operators.call import converted_call
from autograph.options import ConversionOptions
from autograph.selection import conversion_rules, set_conversion_rules, spell_rules
from autograph.template import is_artifact

HERE = os.path.dirname(autograph.__file__)


class Model:
    def predict(self) -> bool:
        return is_converted()

    def summary(self) -> bool:
        return is_converted()


@autograph.do_not_convert
def is_converted() -> bool:
    """Whether the caller is generated code."""
    frame: Any = sys._getframe(1)
    while frame.f_code.co_filename.startswith(HERE):
        frame = frame.f_back
    return is_artifact(frame.f_code)


def helper() -> bool:
    return is_converted()


def caller() -> tuple[bool, bool, bool]:
    return helper(), Model().predict(), Model().summary()


@pytest.fixture(autouse=True)
def no_rules() -> Iterator[None]:
    set_conversion_rules()
    yield
    set_conversion_rules()


def test_without_rules_the_users_functions_are_converted() -> None:
    assert autograph.to_graph(caller)() == (True, True, True)


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), __name__, (False, False, False)),
        ((), [Model], (True, False, False)),
        ((), Model.summary, (True, True, False)),
        (Model.summary, Model, (True, False, True)),
        (helper, __name__, (True, False, False)),
        (Model, f"{__name__}:Model", (True, False, False)),  # equal length: not converted
        ((), __name__.rpartition(".")[0] or __name__, (False, False, False)),
        ((), __name__[:-1], (True, True, True)),  # a name is no prefix of another name
    ],
)
def test_the_longest_rule_decides(include: Any, exclude: Any, expected: tuple[bool, ...]) -> None:
    set_conversion_rules(include=include, exclude=exclude)
    assert autograph.to_graph(caller)() == expected
    set_conversion_rules()
    assert autograph.to_graph(caller)() == (True, True, True)
    assert autograph.convert(recursive=True, include=include, exclude=exclude)(caller)() == expected


def test_rules_of_the_decorator_go_before_those_of_the_process() -> None:
    set_conversion_rules(exclude=helper)
    assert autograph.convert(recursive=True, include=helper)(caller)() == (True, True, True)
    assert autograph.convert(recursive=True, exclude=Model)(caller)() == (False, False, False)


def test_the_standard_library_can_be_included() -> None:
    fn = textwrap.shorten
    options = ConversionOptions(recursive=True)
    assert converted_call(fn, ("a b c", 30), None, options=options) == fn("a b c", 30)
    set_conversion_rules(include=textwrap)
    assert converted_call(fn, ("a b c", 30), None, options=options) == fn("a b c", 30)
    assert autograph.operators.call._callees_with(options).decisions.get(fn.__code__).__class__.__name__ == "Template"  # type: ignore[attr-defined]


def test_do_not_convert_wins() -> None:
    @autograph.do_not_convert
    def plain() -> bool:
        return is_converted()

    def outer() -> bool:
        return plain()

    set_conversion_rules(include=__name__)
    assert autograph.to_graph(outer)() is False


def test_rules_as_text() -> None:
    assert spell_rules([Model.predict, json, "a.b:C.d"]) == ("a.b:C.d", "json", f"{__name__}:Model.predict")
    set_conversion_rules(include="x", exclude=["y", "y"])
    assert conversion_rules() == (("x",), ("y",))


@pytest.mark.parametrize("wrong", ["a b", "", 3, ["a.b", 4], "a:b:c"])
def test_what_is_no_rule(wrong: Any) -> None:
    with pytest.raises(autograph.ConversionError, match="a conversion rule is a module, function or class"):
        set_conversion_rules(exclude=wrong)
    assert conversion_rules() == ((), ())


def test_the_text_of_the_options_holds_the_rules() -> None:
    options = ConversionOptions(recursive=True, optional_features=(), include="a", exclude=Model)
    assert eval(options.as_text(), {"ag__": autograph.operators}) == options
    assert options.call_options().exclude == options.exclude
    assert "include" not in ConversionOptions(recursive=True).as_text()


def test_rules_of_the_decorator_hold_for_a_runtime_that_converts_the_function() -> None:
    """`@runtime.function` above `@autograph.convert(exclude=...)`: the runtime asks for the converted form."""
    given = autograph.convert(exclude=Model.summary)(caller)
    assert autograph.api.converted(given)() == (True, True, False)
    assert autograph.api.converted(autograph.convert()(caller))() == (True, True, True)


def test_a_function_is_no_module() -> None:
    with pytest.raises(autograph.ConversionError, match=f"for 'helper' in it write '{__name__}:helper'"):
        set_conversion_rules(exclude=f"{__name__}.helper")
