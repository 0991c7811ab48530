"""Colours for what goes to a terminal: diffs by line, Python text by token.

Taking the colour codes out again gives the text that went in, whatever it holds.

Example:
    color_python("return 1")  # '\\x1b[35mreturn\\x1b[0m 1'
"""

from __future__ import annotations

import io
import keyword
import os
import re
import tokenize
from collections.abc import Iterator
from typing import TextIO

__all__ = ["color_diff", "color_python", "wants_color"]

_RESET = "\x1b[0m"
_DIFF_COLORS = {"---": "\x1b[1m", "+++": "\x1b[1m", "@@": "\x1b[36m", "-": "\x1b[31m", "+": "\x1b[32m"}
_KEYWORD, _OPERATOR, _STRING, _COMMENT = "\x1b[35m", "\x1b[36m", "\x1b[32m", "\x1b[2m"
_TOKEN_COLORS = {tokenize.STRING: _STRING, tokenize.COMMENT: _COMMENT}


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to colour what goes to `stream`: "always", "never", or "auto" (a terminal, and NO_COLOR is not set)."""
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def color_diff(text: str) -> str:
    """A unified diff with coloured lines."""
    return "".join(_color_diff_line(line) for line in re.findall(r"[^\n]*\n|[^\n]+", text))


def _color_diff_line(line: str) -> str:
    for start, color in _DIFF_COLORS.items():
        if line.startswith(start):
            return f"{color}{line.removesuffix(chr(10))}{_RESET}" + ("\n" if line.endswith("\n") else "")
    return line


def color_python(text: str) -> str:
    """Python text with coloured keywords, strings, comments and operators; text without tokens as it is."""
    lines = text.split("\n")
    parts: list[str] = []
    row, column = 1, 0
    try:
        for color, (start_row, start_column), (end_row, end_column) in _colored_spans(text):
            parts.append(_between(lines, row, column, start_row, start_column))
            parts.append(f"{color}{_between(lines, start_row, start_column, end_row, end_column)}{_RESET}")
            row, column = end_row, end_column
    except (tokenize.TokenError, SyntaxError):
        return text
    return "".join(parts) + _between(lines, row, column, len(lines), len(lines[-1]))


def _colored_spans(text: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        color = _TOKEN_COLORS.get(token.type)
        if token.type == tokenize.NAME:
            color = _KEYWORD if keyword.iskeyword(token.string) else _OPERATOR if token.string == "ag__" else None
        if color is not None:
            yield color, token.start, token.end


def _between(lines: list[str], row: int, column: int, end_row: int, end_column: int) -> str:
    """The text from one place to another, in tokenize's rows (from 1) and columns (from 0)."""
    if row == end_row:
        return lines[row - 1][column:end_column]
    return "\n".join([lines[row - 1][column:], *lines[row : end_row - 1], lines[end_row - 1][:end_column]])
