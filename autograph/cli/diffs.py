"""The unified diff between a file and its converted text, in a form that `patch` accepts.

Example:
    unified("x = 1\\n", "x = 2\\n", "model.py")  # --- model.py / +++ model.py (converted) / @@ -1 +1 @@ ...
"""

from __future__ import annotations

import difflib

__all__ = ["unified"]

_NO_NEWLINE = "\\ No newline at end of file\n"


def unified(before: str, after: str, name: str) -> str:
    """The diff from `before` to `after`; the empty text when they are equal."""
    old, new = _lines(before), _lines(after)
    rows = difflib.unified_diff(old, new, fromfile=name, tofile=f"{name} (converted)")
    return "".join(row if row.endswith("\n") else f"{row}\n{_NO_NEWLINE}" for row in rows)


def _lines(text: str) -> list[str]:
    """Lines as Python and `patch` count them: only a newline ends one (str.splitlines knows more line ends)."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
