"""From functions and text to trees, and from trees to text.

The trees are gast trees, which look the same on every Python version; the nodes of a function have the line and column
numbers of its file.

Example:
    node, source = parse_entity(fn, future_features=())    # the definition of fn: verified, see autograph/source.py
    node = parse("x = 1")                                   # one statement
    expr = parse_expression("x + 1")
    print(unparse(node, include_encoding_marker=False))     # x = 1
"""

from __future__ import annotations

import functools
import inspect
import io
import linecache
import textwrap
import tokenize
from collections.abc import Iterable
from types import FunctionType, MethodType
from typing import Any, Final

import gast

from autograph import syntax
from autograph.errors import ConversionError, SourceUnavailableError
from autograph.pyct import positions
from autograph.source import find_definition

__all__ = ["STANDARD_PREAMBLE", "dedent_block", "parse", "parse_entity", "parse_expression", "unparse"]

STANDARD_PREAMBLE: Final = ""
"""What stands before parsed text: nothing here, for __future__ features change how code is compiled, not its tree."""

_TEXT: Final = "<text>"


def parse(src: str, preamble_len: int = 0, single_node: bool = True) -> Any:
    """The statement that a text holds; a list of all of them where `single_node` is false.

    preamble_len: so many statements at the start are left out. Raises SourceSyntaxError for what is not Python, and
    ValueError if there is not exactly one statement where one is wanted.
    """
    statements = [positions.complete(node) for node in syntax.parse_module(src, _TEXT).body[preamble_len:]]
    if not single_node:
        return statements
    if len(statements) != 1:
        raise ValueError(f"expected exactly one statement, found {len(statements)}; single_node=False takes them all")
    return statements[0]


def parse_expression(src: str) -> Any:
    """The tree of an expression. Raises ValueError if the text is something else."""
    statements = syntax.parse_module(src.strip(), _TEXT).body
    if len(statements) != 1 or not isinstance(statements[0], gast.Expr):
        raise ValueError(f"expected one expression, found {src!r}")
    return positions.complete(statements[0].value)


def parse_entity(entity: Any, future_features: Iterable[str] = ()) -> tuple[Any, str]:
    """The tree of a function, method, lambda, class or module, and its text, as the file holds it.

    Generator functions and async functions too. future_features: accepted, and not needed: the text is held against
    the running code under the features that it was compiled with. A function that a decorator made is the decorator's.
    Raises SourceUnavailableError (errors.InaccessibleSourceCodeError) or StaleSourceError.
    """
    while isinstance(entity, MethodType | functools.partial):
        entity = entity.__func__ if isinstance(entity, MethodType) else entity.func
    if isinstance(entity, FunctionType):
        return _function(entity)
    if inspect.ismodule(entity) or inspect.isclass(entity):
        return _other(entity)
    raise ConversionError(
        f"there is no source of {entity!r}: it is neither a function, a method, a lambda, a class nor a module. "
        "Give the Python function that is meant"
    )


def _function(function: FunctionType) -> tuple[Any, str]:
    definition = find_definition(function, any_kind=True)
    node = positions.complete(syntax.to_gast(definition.node))
    try:
        lines = linecache.getlines(definition.filename, function.__globals__) or inspect.findsource(function)[0]
    except OSError:  # the tree was made of the code alone
        return node, syntax.unparse(node)
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    chosen = lines[first - 1 : node.end_lineno]
    if not isinstance(node, gast.Lambda):
        return node, "".join(chosen)
    raw = [line.encode() for line in chosen]  # columns count bytes
    raw[-1] = raw[-1][: node.end_col_offset]
    raw[0] = raw[0][node.col_offset :]
    return node, b"".join(raw).decode()


def _other(entity: Any) -> tuple[Any, str]:
    try:
        lines, start = inspect.getsourcelines(entity)
        whole = "".join(inspect.findsource(entity)[0])
    except (OSError, TypeError) as error:
        reason = f"the source of {entity!r} cannot be found ({error}). Put it into a file"
        raise SourceUnavailableError(reason) from None
    tree = syntax.parse_module(whole, inspect.getsourcefile(entity) or _TEXT)
    if inspect.ismodule(entity):
        return positions.complete(tree), whole
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.ClassDef) and start <= node.lineno < start + len(lines):
            return positions.complete(node), "".join(lines)  # the outermost one there: those inside come later
        pending += reversed(list(syntax.children(node)))
    raise SourceUnavailableError(f"the source of {entity!r} holds no class at line {start}; the file may have changed")


def dedent_block(code_string: str) -> str:
    """The text without the indentation that its first statement has; strings over several lines stay as they are."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(code_string).readline):
        if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    lines = code_string.splitlines(keepends=True)
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    indentation = first[: len(first) - len(first.lstrip())]
    shown = [line if number in inside else line.removeprefix(indentation) for number, line in enumerate(lines, 1)]
    return "".join(shown)


def unparse(node: Any, indentation: str | None = None, include_encoding_marker: bool = True) -> str:
    """The text of a tree, or of a list of trees, ending with a line break.

    indentation: what every line starts with. include_encoding_marker: whether `# coding=utf-8` stands above it.
    """
    nodes = node if isinstance(node, list | tuple) else [node]
    text = "\n".join(_text(each).strip("\n") for each in nodes) + "\n"
    if indentation is not None:
        text = textwrap.indent(text, indentation)
    return "# coding=utf-8\n" + text if include_encoding_marker else text


def _text(node: Any) -> str:
    """The text of one tree; it needs positions, which a tree that is still to be placed has not."""
    copied = syntax.to_ast(positions.complete_fields(node))
    return syntax.unparse(positions.complete(copied))
