"""Finding the definition of a running function, and refusing text that it was not made from."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import os
import subprocess
import sys
import textwrap
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import autograph
from autograph import source
from autograph.errors import SourceUnavailableError, StaleSourceError, UnsupportedSyntaxError
from autograph.source import find_definition

Loader = Callable[[str], ModuleType]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Loader]:
    """Imports a text as a module of its own file."""
    names: list[str] = []

    def load_text(text: str) -> ModuleType:
        name = f"loaded_{len(names)}"
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        names.append(name)
        return module

    yield load_text
    linecache.clearcache()


def text_of(function: Any) -> str:
    return ast.unparse(find_definition(function).node)


def keep(function: Any) -> Any:
    return function


class Outer:
    class Inner:
        def method(self) -> str:
            return "method"

        @staticmethod
        @functools.cache
        def static() -> str:
            return "static"


def test_functions_methods_and_nested_functions_are_found() -> None:
    def inner(a: int) -> int:
        return a + 1

    assert text_of(inner) == "def inner(a: int) -> int:\n    return a + 1"
    assert text_of(Outer.Inner.method) == "def method(self) -> str:\n    return 'method'"
    assert "@functools.cache" in text_of(Outer.Inner.static.__wrapped__)
    definition = find_definition(inner)
    assert definition.filename == __file__
    assert definition.node.lineno == inner.__code__.co_firstlineno


def test_functions_of_one_name_are_told_apart_by_their_lines() -> None:
    def f() -> int:
        return 1

    first = f

    def f() -> int:
        return 2

    assert text_of(first).endswith("return 1")
    assert text_of(f).endswith("return 2")


def test_decorated_function() -> None:
    @keep
    @(keep)
    def decorated() -> int:
        return 3

    assert text_of(decorated).endswith("return 3")


def test_instrumented_functions_are_found_by_their_outline() -> None:
    def checks(a: int) -> int:
        assert a > 0, "pytest rewrites this statement"
        return a

    assert any(name.startswith("@py") for name in checks.__code__.co_varnames + checks.__code__.co_names)
    assert "assert a > 0" in text_of(checks)

    def holds_one() -> Callable[[], None]:
        def inner() -> None:
            assert True

        return inner

    assert "assert True" in text_of(holds_one)


def test_a_file_edited_after_import_is_stale(load: Loader) -> None:
    module = load("def f(x):\n    return x + 1\n")
    Path(str(module.__file__)).write_text("def f(x):\n    return x * 100\n\n", encoding="utf-8")
    with pytest.raises(StaleSourceError, match=r"loaded_0.py:1: the source of 'f' .* has changed .* [Rr]eload"):
        find_definition(module.f)


def test_another_function_moved_to_the_line_is_stale(load: Loader) -> None:
    module = load("def f(x):\n    return x + 1\ndef g(x):\n    return x + 2\n")
    Path(str(module.__file__)).write_text("# moved\ndef g(x):\n    return x + 2\n\n\n", encoding="utf-8")
    for function in (module.f, module.g):
        with pytest.raises(StaleSourceError):
            find_definition(function)


def test_text_that_linecache_still_remembers_is_good(load: Loader) -> None:
    module = load("def f(x):\n    return x + 1\n")
    linecache.getlines(str(module.__file__))
    Path(str(module.__file__)).write_text("def f(x):\n    return x * 100\n\n", encoding="utf-8")
    assert text_of(module.f).endswith("x + 1")


def test_old_text_in_linecache_is_read_again(load: Loader) -> None:
    module = load("def f(x):\n    return x + 1\n")
    path = str(module.__file__)
    linecache.cache[path] = (1, 1.0, ["def f(x):\n", "    return x - 1\n"], path)
    assert text_of(module.f).endswith("x + 1")


@pytest.mark.parametrize("text", ["def f(x:\n", "def f(x):\n    return x + 1\0\n", ""])
def test_a_file_that_is_no_longer_python_is_stale(load: Loader, text: str) -> None:
    module = load("def f(x):\n    return x + 1\n")
    Path(str(module.__file__)).write_text(text, encoding="utf-8")
    with pytest.raises((StaleSourceError, SourceUnavailableError)):
        find_definition(module.f)


def test_equal_code_of_another_file_is_not_mixed_up(load: Loader) -> None:
    first = load("def f(x):\n    return x + 1\n")
    second = load("def f(x):\n    return x + 1\n")
    assert first.f.__code__ == second.f.__code__
    Path(str(first.__file__)).write_text("def f(x):\n    return x * 100\n\n", encoding="utf-8")
    assert text_of(second.f).endswith("x + 1")
    with pytest.raises(StaleSourceError):
        find_definition(first.f)


def test_future_statements_of_the_file_count(load: Loader) -> None:
    module = load(
        "from __future__ import annotations\ndef f(x: undefined_name) -> 'int':\n    y: also = x\n    return y\n"
    )
    assert "undefined_name" in text_of(module.f)


def made_by_exec(text: str, filename: str = "<string>") -> FunctionType:
    namespace: dict[str, Any] = {}
    exec(compile(textwrap.dedent(text), filename, "exec"), namespace)
    return namespace["f"]


def test_exec_has_no_source_and_the_error_says_what_to_do() -> None:
    with pytest.raises(SourceUnavailableError, match=r"<string>:1: the source of 'f'.*exec.*linecache") as caught:
        find_definition(made_by_exec("def f(x): return x or 1"))
    assert isinstance(caught.value, ValueError)


def test_text_under_a_name_that_all_exec_shares_is_no_source(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "print('what python -c was given')\n"
    monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, [text], "<string>"))
    with pytest.raises(SourceUnavailableError, match=r"<string>:1: the source of 'f'"):
        find_definition(made_by_exec("def f(x): return x or 1"))


def test_text_registered_in_linecache_is_source() -> None:
    text = "def f(x):\n    return x + 41\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
    try:
        assert text_of(made_by_exec(text, "<cell 1>")).endswith("x + 41")
    finally:
        del linecache.cache["<cell 1>"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("def f():\n    yield 1", "generator function"),
        ("async def f():\n    return 1", "async function"),
        ("async def f():\n    yield 1", "async generator function"),
    ],
)
def test_functions_whose_call_does_not_run_them_are_refused(load: Loader, text: str, kind: str) -> None:
    module = load(text)
    with pytest.raises(UnsupportedSyntaxError, match=kind) as caught:
        find_definition(module.f)
    assert isinstance(caught.value, NotImplementedError)
    assert (caught.value.filename, caught.value.lineno) == (module.__file__, 1)
    assert "do_not_convert" in caught.value.remedy


def test_a_long_sum_is_found(load: Loader) -> None:
    module = load("def f(x):\n    return " + " + ".join(["x"] * 2500) + "\n")
    assert isinstance(find_definition(module.f).node, ast.FunctionDef)


def test_the_standard_library_verifies() -> None:
    import argparse
    import json.decoder
    import pathlib
    import textwrap as wrap

    count = 0
    for module in (argparse, json.decoder, wrap, linecache, pathlib):
        for thing in vars(module).values():
            for function in [thing, *vars(thing).values()] if isinstance(thing, type) else [thing]:
                is_own = isinstance(function, FunctionType) and function.__module__ == module.__name__
                if is_own and not source.syntax_kind(function.__code__):
                    assert find_definition(function).node.lineno >= function.__code__.co_firstlineno
                    count += 1
    assert count > 150


def test_few_files_are_kept(load: Loader) -> None:
    modules = [load(f"def f(x):\n    return x + {number}\n") for number in range(30)]
    for module in modules:
        find_definition(module.f)
    assert len(source._files) <= source._KEPT_FILES


def test_a_file_is_parsed_once(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("def f(x):\n    return x + 1\ndef g(x):\n    return lambda: x\n")
    parses: list[str] = []
    real = source._parse
    monkeypatch.setattr(source, "_parse", lambda name, *rest: parses.append(name) or real(name, *rest))
    for function in (module.f, module.g, module.f, module.g(1)):
        find_definition(function)
    assert parses == [module.__file__]


def test_threads_find_the_same_nodes(load: Loader) -> None:
    module = load("\n".join(f"def f{number}(x):\n    return x + {number}" for number in range(50)))
    found: list[tuple[int, str]] = []

    def look() -> None:
        for number in range(50):
            found.append((number, text_of(getattr(module, f"f{number}"))))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(found) == 400
    assert all(text.endswith(f"x + {number}") for number, text in found)


def test_modules_in_zip_files_have_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "bundle.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr("zipped_module.py", "def f(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(str(archive))
    module = importlib.import_module("zipped_module")
    try:
        assert text_of(module.f).endswith("x + 1")
    finally:
        del sys.modules["zipped_module"]


GENERIC = """
class Kind[U]:
    def f[V](self, x: V) -> tuple[U, V] | None:
        if x:
            return (U.__name__, V.__name__, __class__.__name__)

def f[T](x: T, *, y: list[T] | None = None) -> T:
    return (T.__name__, x) if x else Kind().f(1)
"""
GENERICS = [GENERIC] if sys.version_info >= (3, 12) else []


def test_generic_functions(load: Loader) -> None:
    for text in GENERICS:
        module = load(text)
        converted = autograph.to_graph(module.f)
        assert (converted(1), converted(0)) == (module.f(1), module.f(0)) == (("T", 1), ("U", "V", "Kind"))
        assert converted.__type_params__ == module.f.__type_params__


def test_generators_inside_of_converted_functions_are_found() -> None:
    def outer(n):
        def pairs(k):
            try:
                for i in range(k):
                    yield textwrap.dedent(str(i)), [functools.reduce(max, [i]) for _ in range(2)]
            except ValueError:
                textwrap.dedent("")

        return pairs

    inner = autograph.to_graph(outer)(3)
    assert find_definition(inner, generator=True).node.name == "pairs"
    assert list(inner(2)) == [("0", [0, 0]), ("1", [1, 1])]


def test_what_python_c_was_given_is_source() -> None:
    program = "import autograph\ndef f(x):\n    return 1 if x else 2\nprint(autograph.to_graph(f)(3))\n"
    program += "print(autograph.to_graph(lambda x: x + 1)(2))"
    environment = os.environ | {"PYTHONPATH": str(Path(autograph.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["1", "3"], run.stderr
