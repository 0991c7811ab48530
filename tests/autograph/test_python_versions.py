"""What is new in a version of Python gives the same converted. Rows of versions to come wait for them."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph

Version = tuple[int, int]

ANNOTATIONS = """\
def function(x):
    if x > 0:
        T = int
    else:
        T = float

    def g(a: T, *rest: list[T], k: T = x) -> T:
        return a
    return g.__annotations__, g(x)


def class_body(x):
    T = None
    if x > 0:
        T = int

    class C:
        a: T = x
        b: dict[T, T]

        def m(self, c: T):
            return c
    return C.__annotations__, C.m.__annotations__, C.a


def call_in_annotation(x):
    def kind(y):
        if y > 0:
            return int
        return str

    class C:
        a: kind(x)
    return C.__annotations__


def local_variable(x):
    y: undefined = x
    z: undefined
    if x > 0:
        y: undefined.attribute = 5
    return y
"""

UNDEFINED = """\
def undefined_there(x):
    if x > 0:
        T = int

    def g(a: T):
        return a
    return g.__annotations__
"""

TEXT = """\
from __future__ import annotations


def forward(x):
    class C:
        a: Later = x
        b: Optional[Later, maker(x)]

        def m(self, c: Later) -> list[Later]:
            d: Later = c
            return d

    def g(a: Later) -> Later:
        return a
    if x > 0:
        class Later:
            pass
    return C.__annotations__, C.m.__annotations__, g.__annotations__, g(x)
"""

TYPES = """\
def bounds(x):
    if x > 0:
        T = int
    else:
        T = str

    def g[V: T](a: V) -> T:
        return a

    class C[W: list[T]]:
        pass
    parameter, = g.__type_params__
    return parameter.__bound__, g.__annotations__['return'], C.__type_params__[0].__bound__, g(x)


def alias(x):
    type L = list[T]
    if x > 0:
        T = int
    else:
        T = str
    return L.__value__


def quotes_in_text(x):
    return f"{'a' if x > 0 else f"{x + 1}"}"
"""

DEFAULTS = """\
def defaults(x):
    if x > 0:
        T = int
    else:
        T = str

    def g[V = T](a: V):
        return a
    return g.__type_params__[0].__default__, g(x)
"""

DEFERRED = """\
import annotationlib
from annotationlib import Format


def later(x):
    def g(a: T, b: Missing) -> list[T]:
        return a

    class C:
        a: T = x
        if x > 0:
            b: Missing
        else:
            c: g
    if x > 0:
        T = int
    else:
        T = str
    texts = [annotationlib.get_annotations(each, format=Format.STRING) for each in (g, C)]
    values = annotationlib.get_annotations(g, format=Format.FORWARDREF)
    return texts, values["a"], values["return"], type(values["b"]).__name__, g(x)


def asked_too_early(x):
    def g(a: T):
        return a
    try:
        return g.__annotations__
    except NameError as error:
        return str(error)
    T = x


def asked_too_early_of_a_class(x):
    class C:
        a: list[T] = x
        if x > 0:
            b: int
    found = [annotationlib.get_annotations(C, format=f) for f in (Format.STRING, Format.FORWARDREF)]
    try:
        found.append(C.__annotations__)
    except NameError as error:
        found.append(str(error))
    if x > 1:
        T = x
    try:
        return found[0], type(found[1]["a"]).__name__, found[2], C.__annotations__
    except NameError as error:
        return str(error)


def of_the_function(x: Missing, *, y: list[Missing] = ()) -> Missing:
    if x > 0:
        return x
    return annotationlib.get_annotations(of_the_function, format=Format.STRING)
"""

TEMPLATES = """\
def shown(template):
    parts = [(i.value, i.expression, i.conversion, i.format_spec) for i in template.interpolations]
    return template.strings, parts


def template(x):
    width = 5
    if x > 0:
        made = t"{x + 1!r:>{width}} and {shown(t'{x}')} {x if x > 1 else -x}"
    else:
        made = t"nothing" t"{x}"
    return shown(made)
"""

HANDLERS = """\
def handlers(x):
    try:
        return 6 // x + [1, 2][x]
    except ZeroDivisionError, IndexError:
        if x > 0:
            return "index"
        return "zero"
"""

ROWS: list[tuple[Version, str]] = [
    ((3, 11), TEXT),
    ((3, 12), TYPES),
    ((3, 13), DEFAULTS),
    ((3, 14), DEFERRED),
    ((3, 14), TEMPLATES),
    ((3, 14), HANDLERS),
    ((3, 11), ANNOTATIONS),
]
HERE = [text for version, text in ROWS if sys.version_info >= version]

_numbers = itertools.count()


def module_of(folder: Path, text: str) -> ModuleType:
    name = f"version_program_{next(_numbers)}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(function: Callable[..., Any], argument: int) -> Any:
    try:
        return repr(function(argument))
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("text", HERE)
def test_results_are_those_of_the_original(text: str, tmp_path: Path) -> None:
    module = module_of(tmp_path, text)
    functions = [value for name, value in vars(module).items() if f"\ndef {name}(x" in "\n" + text]
    assert functions
    for function in functions:
        converted = autograph.to_graph(function)
        for argument in (3, 1, 0, -2):
            assert outcome(converted, argument) == outcome(function, argument), (function, argument)


def test_an_annotation_that_is_undefined_raises_where_python_raises(tmp_path: Path) -> None:
    function = module_of(tmp_path, UNDEFINED).undefined_there
    converted = autograph.to_graph(function)
    assert outcome(converted, 1) == outcome(function, 1) == "{'a': <class 'int'>}"
    assert outcome(converted, 0).startswith("UnboundLocalError") or sys.version_info >= (3, 14)
    assert outcome(function, 0)[:9] in ("UnboundLo", "NameError")


def test_the_text_of_annotations_is_kept(tmp_path: Path) -> None:
    code = autograph.to_code(module_of(tmp_path, TEXT).forward)
    assert "a: Later = x" in code and "def g(a: Later) -> Later:" in code and "Optional[Later, maker(x)]" in code
