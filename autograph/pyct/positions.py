"""Positions and empty fields for nodes that a client made without them, so that every tree can be compiled.

A node without a position gets that of the node above it. So what a template put in place of a statement stands where
that statement stood, and what it took over from the user keeps the user's own lines.

Example:
    complete(tree, like=original)      # every node has a position and all fields; in place
"""

from __future__ import annotations

from typing import Any, Final

import gast

from autograph.syntax import children, copy_location

__all__ = ["complete", "complete_fields", "has_position", "line", "strip"]

_ATTRIBUTES: Final = ("lineno", "col_offset", "end_lineno", "end_col_offset")
# Fields that hold lists; all others hold a node, a value or None.
_LISTS: Final = frozenset(
    ("args", "bases", "body", "cases", "comparators", "decorator_list", "defaults", "elts", "finalbody", "generators")
    + ("handlers", "ifs", "items", "keys", "keywords", "kw_defaults", "kwd_attrs", "kwd_patterns", "kwonlyargs")
    + ("names", "ops", "orelse", "patterns", "posonlyargs", "targets", "type_ignores", "type_params", "values")
)
_FUNCTIONS: Final = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def has_position(node: Any) -> bool:
    """Whether a node says where it stands."""
    return node.__dict__.get("lineno") is not None


def strip(node: Any) -> Any:
    """Take the positions out of a tree, and return it."""
    pending = [node]
    while pending:
        current = pending.pop()
        for name in _ATTRIBUTES:
            current.__dict__.pop(name, None)
        pending += children(current)
    return node


def line(number: int) -> Any:
    """A node that stands at the start of a line."""
    node = gast.Pass()
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = number, 0, number, 0
    return node


def complete(node: Any, like: Any = None) -> Any:
    """Give every node in a tree a position and all of its fields; returns the tree.

    like: the node whose position the root gets if it has none; without it, the first line.
    """
    if like is None or not has_position(like):
        like = line(1)
    pending = [(node, like)]
    while pending:
        current, above = pending.pop()
        _fill(current)
        if "lineno" in current._attributes:
            if not has_position(current):
                copy_location(current, above)
            elif current.__dict__.get("end_lineno") is None:
                current.end_lineno, current.end_col_offset = current.lineno, current.col_offset
            above = current
        pending += [(child, above) for child in children(current)]
    return node


def complete_fields(node: Any) -> Any:
    """Give every node in a tree all of its fields, and leave the positions alone; returns the tree."""
    pending = [node]
    while pending:
        current = pending.pop()
        _fill(current)
        pending += children(current)
    return node


def _fill(node: Any) -> None:
    fields = node.__dict__
    for field in node._fields:
        if field in fields:
            continue
        if field == "args" and isinstance(node, _FUNCTIONS):
            fields[field] = gast.arguments([], [], None, [], [], None, [])
        else:
            fields[field] = [] if field in _LISTS else None
