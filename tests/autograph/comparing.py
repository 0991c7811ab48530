"""Runs small programs as they are, converted, and as the command line prints them; compares all that can be seen.

A program is the text of a module that defines `f`; it may call `log(...)`. Example:

    assert_same("def f(x):\\n    return x if x else log(1)", (0,), (1,))
"""

from __future__ import annotations

import contextlib
import linecache
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import autograph
from autograph.cli.splicing import module_text
from autograph.options import ConversionOptions, Feature
from autograph.pipeline import convert_module
from autograph.syntax import parse_module

_numbers = count()
NUMBERS = tuple((n,) for n in (-1, 0, 1, 2, 3, 5))  # arguments that take most programs through all of their branches
REQUESTED = ConversionOptions(recursive=True, user_requested=True, optional_features=())


@contextlib.contextmanager
def module(text: str) -> Iterator[dict[str, Any]]:
    """Run the text of a module whose source can be found, for as long as the block lasts."""
    text = textwrap.dedent(text)
    filename = f"<program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    events: list[Any] = []
    namespace: dict[str, Any] = {"__name__": "program", "events": events}

    def log(*values: Any) -> Any:
        events.append(values)
        return values[-1] if values else None

    namespace["log"] = log
    try:
        exec(compile(text, filename, "exec", dont_inherit=True), namespace)
        yield namespace
    finally:
        del linecache.cache[filename]


def outcome(function: Callable[..., Any], namespace: dict[str, Any], arguments: tuple[Any, ...]) -> tuple[str, ...]:
    """The effects of a call, and its value or its exception with the exceptions behind it."""
    namespace["events"].clear()
    try:
        result = repr(function(*arguments))
    except Exception as error:
        result, behind = f"{type(error).__name__}: {error}", error.__context__
        while behind is not None:
            result += f" after {type(behind).__name__}"
            behind = behind.__context__
    return (*map(repr, namespace["events"]), result)


def assert_same(text: str, *inputs: tuple[Any, ...], features: tuple[Feature, ...] = ()) -> None:
    """The converted program does what the original does, on each of the inputs."""
    text_of_command = printed(text, features)
    for arguments in inputs or ((),):
        with module(text) as namespace:
            expected = outcome(namespace["f"], namespace, arguments)
        with module(text) as namespace:
            converted = autograph.to_graph(namespace["f"], experimental_optional_features=features)
            found = outcome(converted, namespace, arguments)
        assert found == expected, f"for {arguments}"
        with module(text_of_command) as namespace:
            found = outcome(namespace["f"], namespace, arguments)
        assert found == expected, f"for {arguments}, of the command line"


def printed(text: str, features: tuple[Feature, ...] = ()) -> str:
    """The text of the converted module, as the command line prints it."""
    text = textwrap.dedent(text)
    options = replace(REQUESTED, optional_features=features)
    converted = convert_module(parse_module(text, "program.py"), options=options, filename="program.py")
    return module_text(converted.tree, text, "program.py")


def code(text: str) -> str:
    """The converted code of `f`."""
    with module(text) as namespace:
        return autograph.to_code(namespace["f"])


def body(text: str) -> str:
    """The converted code of `f` without its `def` and `with` lines and their indentation."""
    lines = code(text).splitlines()
    return textwrap.dedent("\n".join(lines[2:])) + "\n"
