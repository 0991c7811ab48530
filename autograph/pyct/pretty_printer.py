"""A tree as text that shows its nodes, fields and annotations, for people who write transformers.

Example:
    print(fmt(parser.parse("x = 1"), color=False))
    # Assign:
    # | targets=[
    # | | Name:
    # | | | id="x"
    # ...
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.pyct import anno

__all__ = ["fmt"]

_GREY, _GREEN, _END = "\033[90m", "\033[32m", "\033[0m"


def fmt(node: Any, color: bool = True, noanno: bool = False) -> str:
    """The text of a tree, a line for each node and field.

    color: with the escape codes of a terminal. noanno: without annotations.
    """
    lines: list[str] = []
    pending: list[tuple[int, str, Any]] = [(0, "", node)]
    while pending:
        depth, label, value = pending.pop()
        bar = "| " * depth
        prefix = (_GREY + bar + _END if color and bar else bar) + label
        if isinstance(value, gast.AST):
            name = type(value).__name__
            lines.append(prefix + (f"{_GREEN}{name}{_END}" if color else name) + (":" if value._fields else ""))
            pending += reversed(_parts(value, depth + 1, noanno))
        elif isinstance(value, list) and value:
            lines.append(prefix + "[")
            pending.append((depth, "]", None))
            pending += [(depth + 1, "", item) for item in reversed(value)]
        elif label == "]":
            lines.append(prefix)
        else:
            lines.append(prefix + (f'"{value}"' if isinstance(value, str) else repr(value)))
    return "\n".join(lines)


def _parts(node: Any, depth: int, noanno: bool) -> list[tuple[int, str, Any]]:
    """What stands below a node: its fields, then its annotations as text."""
    parts = [(depth, f"{field}=", getattr(node, field)) for field in node._fields if hasattr(node, field)]
    if not noanno:
        known = sorted(anno.keys(node), key=str)
        parts += [(depth, f"@{getattr(key, 'name', key)}=", _Shown(repr(anno.getanno(node, key)))) for key in known]
    return parts


class _Shown:
    """An annotation, shown as it prints itself."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text
