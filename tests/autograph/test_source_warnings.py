"""What Python warns of when it compiles a file is not said again, nor made an error, by a conversion."""

from __future__ import annotations

import importlib.util
import sys
import threading
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import autograph

WARNED = """\
def literal(x):
    if x is 1:
        return "\\d"
    return x


def calls(x):
    return x if x is 5 else (lambda y: y is 2)(x)
"""

# Python 3.14 warns of each of these.
LEFT_FINALLY = """\
def literal(x):
    for i in range(x):
        try:
            x = x - 1
        finally:
            continue
    try:
        return 1 // x
    finally:
        return 5
"""


def loaded(path: Path, text: str) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        spec.loader.exec_module(module)
    assert given or (text == LEFT_FINALLY and sys.version_info < (3, 14))
    return module


@pytest.mark.parametrize("action", ["error", "always", "default"])
@pytest.mark.parametrize("text", [WARNED, LEFT_FINALLY])
def test_a_conversion_says_nothing(action: str, text: str, tmp_path: Path) -> None:
    module = loaded(tmp_path / f"warned_{action}.py", text)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter(action)  # type: ignore[arg-type]
        before = list(warnings.filters)
        converted = autograph.to_graph(module.literal)
        assert warnings.filters == before
    assert [str(warning.message) for warning in given] == []
    assert [converted(x) for x in (1, 0, 3)] == [module.literal(x) for x in (1, 0, 3)]


def test_lambdas_that_are_told_apart_by_compiling_them(tmp_path: Path) -> None:
    module = loaded(tmp_path / "warned_lambdas.py", "pair = (lambda x: x is 1), (lambda x: x is 2)\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = (autograph.to_graph(function) for function in module.pair)
    assert (first(1), first(2), second(1), second(2)) == (True, False, False, True)


def test_other_warnings_are_still_given_and_only_once(tmp_path: Path) -> None:
    module = loaded(tmp_path / "warned_once.py", WARNED)
    registry: dict[object, object] = {}
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("default")
        for function in (module.literal, module.calls):
            warnings.warn_explicit("of the user", UserWarning, "other.py", 1, registry=registry)
            autograph.to_graph(function)
    assert [str(warning.message) for warning in given] == ["of the user"]


def test_threads_leave_the_filters_as_they_were(tmp_path: Path) -> None:
    modules = [loaded(tmp_path / f"warned_{number}.py", WARNED) for number in range(8)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        errors: list[BaseException] = []

        def convert(module: ModuleType) -> None:
            try:
                autograph.to_graph(module.literal)
                autograph.to_graph(module.calls)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=convert, args=(module,)) for module in modules]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == [] and warnings.filters == before
