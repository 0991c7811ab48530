"""Colours for what goes to a terminal: diffs by line, Python text by token.

Taking the colour codes out again gives the text that went in, whatever it holds.

Example:
    color_python("return 1")  # '\\x1b[35mreturn\\x1b[0m 1'
"""

from __future__ import annotations

import os
import re
from typing import TextIO

from autograph.coloring import pieces

__all__ = ["color_diff", "color_python", "wants_color"]

_RESET = "\x1b[0m"
_DIFF_COLORS = {"---": "\x1b[1m", "+++": "\x1b[1m", "@@": "\x1b[36m", "-": "\x1b[31m", "+": "\x1b[32m"}
_COLORS = {"key": "\x1b[35m", "own": "\x1b[36m", "text": "\x1b[32m", "note": "\x1b[2m"}


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
    return "\n".join("".join(_colored(kind, piece) for kind, piece in line) for line in pieces(text))


def _colored(kind: str, piece: str) -> str:
    return f"{_COLORS[kind]}{piece}{_RESET}" if kind else piece
