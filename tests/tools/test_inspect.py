"""inspect, help and pydoc show the user's function: its text, signature, documentation and place."""

from __future__ import annotations

import inspect
import pydoc
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.tools.program import PROGRAM, imported

DECORATED = '''\
"""Functions of every kind."""

import runtime


@runtime.function
def scaled(x, *, by: int = 2) -> int:
    """Multiplies."""
    return x * by


class Model:
    """Has methods."""

    @runtime.function
    def method(self, x, y=1):
        """Adds."""
        return x + y

    @runtime.function
    @staticmethod
    def static(x):
        return x

    @classmethod
    @runtime.function
    def made(cls, x):
        return x
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = imported(tmp_path, DECORATED, "decorated")
    monkeypatch.setitem(sys.modules, "decorated", made)
    return made


@pytest.mark.parametrize("convert", [autograph.to_graph, tf.function], ids=["to_graph", "function"])
def test_what_inspect_knows_of_a_converted_function(convert: Callable[..., Any], tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    converted = convert(module.steps)
    assert inspect.getsource(converted) == inspect.getsource(module.steps)
    assert inspect.getsource(converted).startswith("def steps(x, n):\n")
    assert inspect.getsourcelines(converted) == inspect.getsourcelines(module.steps)
    assert inspect.getdoc(converted) == "Adds up."
    assert inspect.signature(converted) == inspect.signature(module.steps)
    assert inspect.unwrap(converted) is module.steps
    assert inspect.isroutine(converted) and callable(converted)
    # As for any object that is no function of Python's (functools.lru_cache), the file is that of the wrapped one.
    assert inspect.getsourcefile(inspect.unwrap(converted)) == module.__file__
    assert inspect.getsourcefile(autograph.to_graph(module.steps)) == module.__file__


def test_the_text_of_a_decorated_function_has_its_decorators(module: ModuleType) -> None:
    assert inspect.getsource(module.scaled).startswith("@runtime.function\ndef scaled(")
    assert inspect.getsource(module.Model.method).startswith("    @runtime.function\n    def method(self")
    assert inspect.getsource(module.Model().method) == inspect.getsource(module.Model.method)
    assert inspect.getsource(module.Model.static).startswith("    @runtime.function\n    @staticmethod\n")
    assert inspect.getsource(module.Model.made).startswith("    @classmethod\n")
    again = autograph.to_graph(module.scaled.python_function)
    assert inspect.getsource(again) == inspect.getsource(module.scaled)


def test_the_signatures_are_those_of_the_undecorated(module: ModuleType) -> None:
    assert str(inspect.signature(module.scaled)) == "(x, *, by: int = 2) -> int"
    assert str(inspect.signature(module.Model.method)) == "(self, x, y=1)"
    assert str(inspect.signature(module.Model().method)) == "(x, y=1)"
    assert str(inspect.signature(module.Model.static)) == "(x)"
    assert int(module.Model().method(tf.constant(4))) == 5
    method = module.Model().method  # its object lives in it alone
    assert str(inspect.signature(method)) == "(x, y=1)" and int(method(tf.constant(1), 2)) == 3


def test_help(module: ModuleType) -> None:
    text = pydoc.render_doc(module.scaled, renderer=pydoc.plaintext)
    assert "Function in module decorated" in text and "scaled(x, *, by: int = 2) -> int\n    Multiplies." in text
    text = pydoc.render_doc(module.Model, renderer=pydoc.plaintext)
    assert "method(self, x, y=1)\n |      Adds." in text
    text = pydoc.render_doc(module, renderer=pydoc.plaintext)
    assert "FUNCTIONS\n    scaled(x, *, by: int = 2) -> int\n        Multiplies." in text
