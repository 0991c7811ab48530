"""The text of a converted module: the converted functions are printed anew, every other line stays as it was written.

Comments, constants and classes keep their layout, so a diff shows what the conversion did and nothing else. The result
is parsed and compared with the tree of the whole converted module; where they differ, that tree is printed instead.

Example:
    # LIMIT is measured          # LIMIT is measured
    LIMIT = 3                    LIMIT = 3
                                 import autograph.operators as ag__
    def f(x):                    @ag__.autograph_artifact(inner=())
        return x                 def f(x): ...
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import Any

import gast

from autograph import syntax

__all__ = ["module_text"]

_TEXT = "<converted text>"
_PIECE = 1000  # lines


def module_text(converted: gast.Module, text: str, name: str) -> str:
    """The text of `converted`, which was made from `text`, the file `name`."""
    with syntax.deep_recursion(), syntax.unwarned(_TEXT):
        # Parsed anew, because the conversion may have used up the tree that it was given.
        pieces = _spliced(syntax.parse_module(text, name), converted, text)
        if pieces is not None and _is_program(pieces, converted):
            return "\n".join(pieces)
        return syntax.unparse(converted).rstrip("\n") + "\n"


def _spliced(original: gast.Module, converted: gast.Module, text: str) -> list[str] | None:
    """`text` with the converted functions in place of the original ones, or None where their places do not match.

    In pieces of many lines, each of which begins with a statement of the module.
    """
    before, after = list(_outer_functions(original)), list(_outer_functions(converted))
    if len(before) != len(after):
        return None
    lines = text.split("\n")
    edits = [_replacement(old, new, lines) for old, new in zip(before, after, strict=True) if _is_changed(old, new)]
    edits += _added_import(original, converted, lines)
    starts = sorted({_first_line(statement) for statement in original.body}, reverse=True)
    pieces: list[str] = []
    piece: list[str] = []
    row = 0
    for start, end, new_lines in [*sorted(edits, key=lambda edit: edit[:2]), (len(lines), len(lines), [])]:
        if start < row:
            return None
        while starts and starts[-1] <= start:
            first = starts.pop()
            if first >= row and len(piece) + first - row >= _PIECE:
                pieces.append("\n".join(piece + lines[row:first]))
                piece, row = [], first
        piece += lines[row:start]
        piece += new_lines
        row = end
    return [*pieces, "\n".join(piece)]


def _outer_functions(module: gast.Module) -> Iterator[Any]:
    """The functions of a module and of its classes that are in no other function, in the order of the text."""
    waiting: list[Any] = list(reversed(module.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            yield node
        elif not isinstance(node, gast.expr):
            waiting.extend(reversed(list(gast.iter_child_nodes(node))))


def _is_changed(old: Any, new: Any) -> bool:
    return bool(gast.dump(old) != gast.dump(new))


def _replacement(old: Any, new: Any, lines: list[str]) -> tuple[int, int, list[str]]:
    """First line, line after the last (from 0), and the new lines of one function."""
    start = _first_line(old)
    first_line = lines[start]
    margin = first_line[: len(first_line) - len(first_line.lstrip(" \t\f"))].replace("\f", "")
    return start, old.end_lineno, _indented(syntax.unparse(new).strip("\n"), margin)


def _indented(text: str, margin: str) -> list[str]:
    """The lines of `text` behind `margin`; lines that begin inside of a string stay as they are."""
    lines = text.split("\n")
    if not margin:
        return lines
    kept: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kept.update(range(token.start[0] + 1, token.end[0] + 1))
    return [line if number in kept or not line else margin + line for number, line in enumerate(lines, 1)]


def _added_import(original: Any, converted: Any, lines: list[str]) -> list[tuple[int, int, list[str]]]:
    """The edit that puts in the import that the conversion added; none if it added none."""
    first = _preamble(original)
    added = converted.body[first : first + len(converted.body) - len(original.body)]
    if not added:
        return []
    texts = [syntax.unparse(node).strip("\n") for node in added]
    if first:
        line = int(original.body[first - 1].end_lineno)
        return [(line, line, ["", *texts])]
    line = _first_line(original.body[0])
    # A comment that stands right above the first statement belongs to it, unless it is the head of the file.
    above = line
    while above and lines[above - 1].lstrip().startswith("#"):
        above -= 1
    line = above or line
    space = ["", ""] if isinstance(original.body[0], gast.FunctionDef | gast.ClassDef) else []
    return [(line, line, texts + space)]


def _preamble(module: gast.Module) -> int:
    """How many statements must stay first: the docstring and the imports from __future__."""
    count = 0
    for node in module.body:
        is_docstring = (
            count == 0
            and isinstance(node, gast.Expr)
            and isinstance(node.value, gast.Constant)
            and isinstance(node.value.value, str)
        )
        if not is_docstring and not (isinstance(node, gast.ImportFrom) and node.module == "__future__"):
            break
        count += 1
    return count


def _first_line(statement: Any) -> int:
    """The line (from 0) on which a statement begins, its decorators included."""
    decorators = getattr(statement, "decorator_list", ())
    return int(min([statement.lineno, *(node.lineno for node in decorators)])) - 1


def _is_program(pieces: list[str], module: gast.Module) -> bool:
    """Whether texts, one after the other, are the text of a module. Trees are many times as large as texts."""
    expected = iter(module.body)
    for piece in pieces:
        try:
            found = ast.parse(piece, _TEXT).body
        except SyntaxError:
            return False
        for statement in found:
            counterpart = next(expected, None)
            if counterpart is None or ast.dump(statement) != _dump(counterpart):
                return False
    return next(expected, None) is None


def _dump(statement: Any) -> str:
    return ast.dump(ast.parse(syntax.unparse(statement), _TEXT).body[0])
