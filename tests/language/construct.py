"""One row of the language table: a construct, how it stages, and a program that shows it. Tests and page both read it.

    @staged("Conditions", "ternary", "One `if` of the graph; ...", 1, -1, graph="if")
    def magnitude(x):
        return x if x > 0 else -x

The decorated name is then a `Construct`: the tests run its program, docs/language_page.py prints it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Construct", "arguments", "refused", "source_of", "staged"]


@dataclass(frozen=True)
class Construct:
    """What the page says of one construct, and the program that proves it.

    inputs: for each run the values of the program's parameters. graph: the operation that the trace must hold, if any.
    error, words: what refuses the program, for rows that show a refusal. uses: classes and functions shown above it.
    """

    section: str
    name: str
    how: str
    program: Callable[..., Any]
    inputs: tuple[tuple[Any, ...], ...]
    graph: str = ""
    error: type[Exception] | None = None
    words: str = ""
    uses: tuple[Any, ...] = ()


def staged(
    section: str, name: str, how: str, *inputs: Any, graph: str = "", uses: tuple[Any, ...] = ()
) -> Callable[[Callable[..., Any]], Construct]:
    """A construct that gives on tensors what Python gives on the same values; a single argument needs no tuple."""
    return lambda program: Construct(section, name, how, program, arguments(inputs), graph, uses=uses)


def refused(
    section: str, name: str, how: str, *inputs: Any, error: type[Exception], words: str, uses: tuple[Any, ...] = ()
) -> Callable[[Callable[..., Any]], Construct]:
    """A construct that is refused when the function is traced; `words` stand in the message of the error."""
    return lambda program: Construct(section, name, how, program, arguments(inputs), "", error, words, uses)


def arguments(inputs: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Each input as the tuple of arguments of one call."""
    return tuple(given if isinstance(given, tuple) else (given,) for given in inputs)


def source_of(thing: Any) -> str:
    """The text of a function or class, without the decorator that makes it a row."""
    text = textwrap.dedent(inspect.getsource(thing))
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    row = [d for d in node.decorator_list if isinstance(d, ast.Call) and getattr(d.func, "id", "") in __all__]
    first = (row[-1].end_lineno or 0) if row else 0
    return "\n".join(text.splitlines()[first:]) + "\n"
