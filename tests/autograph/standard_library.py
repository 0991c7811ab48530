"""Sends every function of the standard library through the conversion, and every file through the printer.

    python -m tests.autograph.standard_library functions      # a table of what was converted and what refused, and why
    python -m tests.autograph.standard_library files          # also those of the installed packages
    python -m tests.autograph.standard_library files 1/2      # the first half

It ends with status 1 if anything fails in another way than by a documented error. The tests run a sample of both
(test_standard_library.py).
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import pkgutil
import re
import sys
import sysconfig
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import autograph
from autograph.errors import ConversionError, SourceSyntaxError
from autograph.syntax import deep_recursion, parse_module, unparse

__all__ = ["Report", "check_file", "check_function", "functions_of", "library_files", "library_functions"]

# Importing these opens a window or a browser, prints, or waits.
_NOT_IMPORTED = {"antigravity", "this", "idlelib", "turtledemo", "test", "tests", "__main__", "lib2to3", "_pyrepl"}


@dataclass
class Report:
    """What happened: how many went well, refusals by reason, and what must not happen."""

    fine: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def run(self, things: Iterable[Any], check: Callable[[Any], str | None], name: Callable[[Any], str]) -> Report:
        """check: gives None, or the reason of a refusal; anything that it raises is a failure."""
        for thing in things:
            try:
                reason = check(thing)
            except Exception as error:
                self.failures.append(f"{name(thing)}: {type(error).__name__}: {str(error)[:300]}")
                continue
            if reason is None:
                self.fine += 1
            else:
                self.refused[reason] += 1
        return self

    def __str__(self) -> str:
        rows = [f"{self.fine:7} fine"]
        rows += [f"{count:7} refused: {reason}" for reason, count in self.refused.most_common()]
        return "\n".join([*rows, f"{len(self.failures):7} failures", *self.failures])


# -- functions


def library_functions() -> Iterator[FunctionType]:
    """Every function that the importable modules of the standard library define, methods too, each once."""
    seen: set[Any] = set()
    for name in sorted(_module_names()):
        with contextlib.suppress(Exception, SystemExit):  # it is for another system, or wants a library
            module = _imported(name)
            for function in functions_of(module):
                if function.__code__ not in seen:
                    seen.add(function.__code__)
                    yield function


def _module_names() -> Iterator[str]:
    folder = sysconfig.get_paths()["stdlib"]
    for top in sys.stdlib_module_names - _NOT_IMPORTED:
        yield top
        if os.path.isdir(os.path.join(folder, top)):
            for found in pkgutil.walk_packages([os.path.join(folder, top)], f"{top}.", onerror=lambda name: None):
                if not _NOT_IMPORTED & set(found.name.split(".")):
                    yield found.name


def _imported(name: str) -> ModuleType:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """The Python functions that a module and its classes define, in the order of their definition."""
    pending: list[Any] = [vars(module)]
    classes: set[int] = set()  # by identity: some cannot be compared without a warning
    while pending:
        for value in list(pending.pop().values()):
            if isinstance(value, type) and value.__module__ == module.__name__ and id(value) not in classes:
                classes.add(id(value))
                pending.append(dict(vars(value)))
            for function in _held(value):
                if function.__module__ == module.__name__ and function.__code__.co_filename == module.__file__:
                    yield function


def _held(value: Any) -> Iterator[FunctionType]:
    for part in (value, *(getattr(value, name, None) for name in ("__func__", "fget", "fset", "fdel", "__wrapped__"))):
        if isinstance(part, FunctionType):
            yield part


def check_function(function: FunctionType) -> str | None:
    """Convert it; the text must parse and compile. Gives the reason if it is refused by a documented error."""
    try:
        text = autograph.to_code(function)
    except ConversionError as error:
        return _reason(error)
    with deep_recursion():
        compile(ast.parse(text), "<converted>", "exec", dont_inherit=True)
    return None


def _reason(error: ConversionError) -> str:
    """The kind of an error and its words, without the names and places of one function."""
    words = getattr(error, "reason", None) or str(error)
    words = re.sub(r"'[^']*'|\S+\.py:\d+:?|\d+|0x[0-9a-f]+", "..", words.splitlines()[0])
    return f"{type(error).__name__}: {words[:120]}"


# -- files


def library_files() -> list[Path]:
    """Every file of Python text in the standard library and in the installed packages."""
    folders = {sysconfig.get_paths()[key] for key in ("stdlib", "platlib", "purelib")}
    return sorted({path for folder in folders for path in Path(folder).rglob("*.py")})


def check_file(path: Path) -> str | None:
    """Print it again; the print must have the same tree. Gives the reason if Python itself refuses the text."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = ast.parse(data, str(path))
            text = io.TextIOWrapper(io.BytesIO(data), _encoding(data), newline=None).read()
    except (SyntaxError, UnicodeError, ValueError, RecursionError) as error:
        return f"no Python text: {type(error).__name__}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            printed = unparse(parse_module(text, str(path)))
        except SourceSyntaxError as error:
            return f"{type(error).__name__}: {error.msg[:60]}"
        with deep_recursion():
            if ast.dump(ast.parse(printed)) != ast.dump(expected):
                raise AssertionError("its print has another tree")
    return None


def _encoding(data: bytes) -> str:
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return encoding


def _part(things: list[Any], part: str) -> list[Any]:
    number, _, parts = part.partition("/")
    return things[(int(number) - 1) :: int(parts)]


def main(what: str, part: str = "1/1") -> int:
    """Run one of the two programmes and print its report."""
    if what == "functions":
        with deep_recursion():
            found: list[Any] = list(library_functions())
        report = Report().run(_part(found, part), check_function, lambda f: f"{f.__module__}.{f.__qualname__}")
    else:
        report = Report().run(_part(library_files(), part), check_file, str)
    print(report)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
