"""Whole modules, converted in place."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.errors import ConversionError, UnsupportedSyntaxError
from autograph.options import STANDARD_OPTIONS
from autograph.pipeline import ModuleConversion, convert_module
from autograph.syntax import parse_module, to_ast, unparse

MODULE = '''"""Doc."""
from __future__ import annotations

LIMIT = 3

def keep(function):
    return function

class Model:
    scale = 2

    def __init__(self, start):
        self.__start = start

    @property
    def doubled(self):
        return self.__start * self.scale if self.__start else 0

    @staticmethod
    def total(*values, by=LIMIT):
        s = 0
        for v in values:
            if v > by:
                break
            s += v
        return s

    class Inner:
        def name(self):
            return super().__repr__() and 'inner'

@keep
def numbers(n):
    for i in range(n):
        yield i

if LIMIT:
    def branch(n):
        return n and -n

result = [Model(4).doubled, Model.total(1, 2, 5, 1), Model.Inner().name(), list(numbers(2)), branch(3)]
'''


def converted(text: str, selected: list[str] | None = None) -> ModuleConversion:
    return convert_module(parse_module(text, "m.py"), options=STANDARD_OPTIONS, filename="m.py", selected=selected)


def test_a_converted_module_runs_as_before() -> None:
    conversion = converted(MODULE)
    text = unparse(conversion.tree)
    before: dict[str, Any] = {"__name__": "m"}
    after: dict[str, Any] = {"__name__": "m"}
    exec(MODULE, before)
    exec(text, after)
    assert after["result"] == before["result"]
    assert compile(to_ast(conversion.tree), "m.py", "exec")


def test_what_changed_and_what_did_not() -> None:
    conversion = converted(MODULE)
    assert conversion.changed == (
        "keep",
        "Model.__init__",
        "Model.doubled",
        "Model.total",
        "Model.Inner.name",
        "branch",
    )
    (note,) = conversion.notes
    assert (note.qualname, note.lineno) == ("numbers", 33) and "generator" in note.text


def test_the_import_comes_after_docstring_and_future() -> None:
    lines = unparse(converted(MODULE).tree).splitlines()
    assert lines[:3] == [
        '"""Doc."""',
        "from __future__ import annotations",
        "import autograph.operators as ag__",
    ]


def test_decorators_defaults_and_names_stay() -> None:
    text = unparse(converted(MODULE).tree)
    assert "    @staticmethod\n    @ag__.autograph_artifact(inner=())\n    def total(*values, by=LIMIT):\n" in text


def test_selected_functions_only() -> None:
    conversion = converted(MODULE, ["Model.total"])
    assert conversion.changed == ("Model.total",)
    assert unparse(conversion.tree).count("FunctionScope") == 1


def test_a_selected_function_that_cannot_be_converted_is_an_error() -> None:
    with pytest.raises(UnsupportedSyntaxError, match=r"m\.py:33"):
        converted(MODULE, ["numbers"])


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ConversionError, match=r"no function model.*Model\.total"):
        converted(MODULE, ["model"])


def test_a_module_without_functions_stays_as_it_is() -> None:
    conversion = converted("x = 1")
    assert conversion.changed == () and unparse(conversion.tree) == "x = 1"


def test_another_name_for_the_operators_if_theirs_is_taken() -> None:
    text = unparse(converted("ag__ = 1\ndef f(x):\n    return x and ag__\n").tree)
    assert "import autograph.operators as ag_1" in text and "ag_1.and_(lambda: x, lambda: ag__)" in text


@pytest.mark.parametrize("binding", ["def dict(**k): pass\n", "from m import x as dict\n", "for dict in []: pass\n"])
def test_builtins_that_the_module_hides_are_not_called(binding: str) -> None:
    text = unparse(converted(binding + "def f(x): return f(x, *x, k=1)\n").tree)
    assert "ag__.converted_call(f, (x,) + tuple(x), {'k': 1}, fscope)" in text


def test_a_refused_function_is_left_untouched() -> None:
    source = "def f(x):\n    if x:\n        return 1\n    yield locals()\n"
    assert unparse(converted(source).tree) == unparse(parse_module(source, "m.py"))


def test_long_and_deep_programs() -> None:
    many = "def f(x):\n" + "".join(f"    if x > {i}:\n        return {i}\n" for i in range(500)) + "    return x\n"
    deep = "def g(x):\n" + "".join(f"{' ' * (i + 1)}if x > {i}:\n" for i in range(90)) + f"{' ' * 91}return x\n"
    long = "def h(x):\n    return " + " + ".join(["x"] * 2500) + "\n"
    namespace: dict[str, Any] = {}
    exec(unparse(converted(many + deep + long).tree), namespace)
    assert (namespace["f"](-1), namespace["f"](400), namespace["g"](100), namespace["h"](1)) == (-1, 0, 100, 2500)
