"""Callees that live in files of their own: stale, unsupported, installed, or gone."""

from __future__ import annotations

import functools
import importlib.util
import json
import linecache
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph import operators as ag
from autograph.errors import ConversionError, StaleSourceError, UnsupportedSyntaxError
from autograph.operators import call as call_module

from .calling import call, calls_helper, is_converted


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[..., types.ModuleType]]:
    """Imports a text as a module, below a folder of the temporary directory."""
    names: list[str] = []

    def load_text(text: str, name: str = "helpers", folder: str = ".") -> types.ModuleType:
        path = tmp_path / folder / f"{name.replace('.', '_')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.is_converted = is_converted
        sys.modules[name] = module
        names.append(name)
        spec.loader.exec_module(module)
        return module

    yield load_text
    for name in names:
        sys.modules.pop(name, None)
    linecache.clearcache()


def test_a_stale_callee_is_an_error_that_names_the_line_of_the_caller(load: Any) -> None:
    module = load("def helper(x):\n    return x + 1\n")
    Path(module.__file__).write_text("def helper(x):\n    return x + 2222\n", encoding="utf-8")
    converted = autograph.to_graph(calls_helper)
    line = calls_helper.__code__.co_firstlineno + 1
    for _ in range(2):
        with pytest.raises(StaleSourceError, match=rf"calling.py:{line} in 'calls_helper'.*do_not_convert"):
            converted(module.helper, 1)
    assert converted(autograph.do_not_convert(module.helper), 1) == 2


def test_an_unsupported_callee_is_an_error_that_names_the_line_of_the_caller(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load("def helper(x):\n    return x + 1\n")

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise UnsupportedSyntaxError("'nonsense'", "helpers.py", 2, "it means nothing", "Leave it out.")

    converted = autograph.to_graph(calls_helper)
    monkeypatch.setattr("autograph.pipeline.convert_function", refuse)
    line = calls_helper.__code__.co_firstlineno + 1
    with pytest.raises(UnsupportedSyntaxError) as caught:
        converted(functools.partial(module.helper), 1)
    message = str(caught.value)
    assert message.startswith("helpers.py:2: 'nonsense' cannot be converted: it means nothing. Leave it out.")
    assert f"{calls_helper.__code__.co_filename}:{line} in 'calls_helper'" in message


INSTALLED = """
    def helper(x):
        return is_converted(), x

    def entry(x):
        return is_converted(), helper(x)
"""


@pytest.mark.parametrize("folder", ["site-packages", "dist-packages"])
def test_installed_packages_are_converted_only_from_within(load: Any, folder: str) -> None:
    module = load(INSTALLED, "installed.core", f"lib/{folder}/installed")
    assert autograph.to_graph(calls_helper)(module.helper, 1) == (False, 1)
    assert autograph.to_graph(module.entry)(1) == (True, (True, 1))
    assert autograph.to_graph(calls_helper)(module.helper, 1) == (False, 1)
    assert autograph.to_graph(calls_helper)(functools.partial(module.helper), 1) == (False, 1)
    assert autograph.converted(module.helper)(1) == (True, 1)
    assert autograph.converted(json.dumps, user_requested=False) is json.dumps


def test_a_users_file_may_have_the_name_of_a_library(load: Any) -> None:
    module = load(INSTALLED, "random_things.random", "project")
    assert autograph.to_graph(calls_helper)(module.helper, 1) == (True, 1)


def test_decisions_die_with_their_functions(load: Any) -> None:
    callees = call_module._callees_with(ag.STD)
    before = len(callees.decisions)
    for number in range(20):
        module = load(f"def helper(x):\n    return x + {number}\n")
        assert call(module.helper, 1) == 1 + number
    del module
    sys.modules.pop("helpers")
    import gc

    gc.collect()
    assert len(callees.decisions) <= before + 1


def test_conversion_error_is_raised_for_the_same_callee_again(load: Any) -> None:
    module = load("def helper(x):\n    return x or 1\n")
    Path(module.__file__).unlink()
    with pytest.raises(ConversionError):
        autograph.to_graph(module.helper)
