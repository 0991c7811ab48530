"""Which parts of Python text are keywords, texts, comments and names of the operators: for terminals and for pages.

    list(spans("return 1  # one"))      # [("key", (1, 0), (1, 6)), ("note", (1, 10), (1, 15))]

Rows are counted from 1 and columns from 0, as `tokenize` does.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from typing import Final

__all__ = ["OPERATORS", "pieces", "spans"]

OPERATORS: Final = "ag__"

Span = tuple[str, tuple[int, int], tuple[int, int]]

_F_STRING: Final = ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "TSTRING_START", "TSTRING_MIDDLE", "TSTRING_END")
_KINDS: Final = {
    tokenize.STRING: "text",
    tokenize.COMMENT: "note",
    **{getattr(tokenize, name): "text" for name in _F_STRING if hasattr(tokenize, name)},
}


def spans(text: str) -> Iterator[Span]:
    """What has a colour, in order: its kind, where it begins and ends. Raises what `tokenize` does."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = _KINDS.get(token.type)
        if token.type == tokenize.NAME:
            kind = "key" if keyword.iskeyword(token.string) else "own" if token.string == OPERATORS else None
        if kind is not None and token.start != token.end:
            yield kind, token.start, token.end


def pieces(text: str) -> list[list[tuple[str, str]]]:
    """The lines of a text as pieces, each with its kind or ""; without kinds, where the text has no tokens."""
    lines = text.split("\n")
    found: list[list[tuple[str, str]]] = [[] for _ in lines]
    row, column = 1, 0

    def until(kind: str, end_row: int, end_column: int) -> None:
        nonlocal row, column
        while row < end_row:
            found[row - 1].append((kind, lines[row - 1][column:]))
            row, column = row + 1, 0
        found[row - 1].append((kind, lines[row - 1][column:end_column]))
        column = end_column

    try:
        for kind, start, end in spans(text):
            if start >= (row, column):  # in texts with values in braces, pieces may come twice
                until("", *start)
                until(kind, *end)
    except (tokenize.TokenError, SyntaxError):
        return [[("", line)] for line in lines]
    until("", len(lines), len(lines[-1]))
    return [[piece for piece in line if piece[1]] for line in found]
