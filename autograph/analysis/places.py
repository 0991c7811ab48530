"""Attributes and elements that are assigned to, and the names and values that targets and patterns are made of.

    composite_text(node)      # "o.v", "d['a']", "d[i]": what can be state of a statement; None for anything else
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph.syntax import children, copy_location

__all__ = ["composite_text", "names_in", "place_as_written", "values_in", "writes_element"]


def composite_text(node: Any) -> str | None:
    """The text of `o.v`, `d['a']`, `d[i]`, `a.b.c`, `x`; None for anything else."""
    endings: list[str] = []
    while not isinstance(node, gast.Name):
        if isinstance(node, gast.Attribute):
            endings.append(f".{node.attr}")
        elif isinstance(node, gast.Subscript) and (key := _key_text(node.slice)) is not None:
            endings.append(f"[{key}]")
        else:
            return None
        node = node.value
    return str(node.id) + "".join(reversed(endings))


def place_as_written(node: Any) -> Any:
    """A copy of a place that has a text: the node itself is used up where its statement is converted."""
    steps = []
    while not isinstance(node, gast.Name):
        steps.append(node)
        node = node.value
    made = copy_location(gast.Name(node.id, gast.Load(), None, None), node)
    for step in reversed(steps):
        end = step.attr if isinstance(step, gast.Attribute) else step.slice
        made = copy_location(type(step)(made, end, gast.Load()), step)
    return made


def _key_text(key: Any) -> str | None:
    if isinstance(key, gast.Name):
        return str(key.id)
    if isinstance(key, gast.UnaryOp) and isinstance(key.op, gast.USub) and isinstance(key.operand, gast.Constant):
        return f"-{key.operand.value!r}"
    if isinstance(key, gast.Constant):
        return repr(key.value)
    return None


def writes_element(target: Any) -> bool:
    """Whether an assignment to this target may replace the container: x[k], but for a string that is written out.

    In x[k]['a'] the key k may choose the container: then that one is written to of which x[k] is a copy.
    """
    if not isinstance(target, gast.Subscript):
        return False
    if not (isinstance(target.slice, gast.Constant) and isinstance(target.slice.value, str | bytes)):
        return True
    return isinstance(target.value, gast.Subscript) and not isinstance(target.value.slice, gast.Constant)


def values_in(pattern: Any) -> Iterator[Any]:
    """The expressions in a pattern: values, keys and classes."""
    pending = [pattern]
    while pending:
        for node in children(pending.pop()):
            if isinstance(node, gast.expr):
                yield node
            else:
                pending.append(node)


def names_in(node: Any) -> list[Any]:
    pending, found = [node], []
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name):
            found.append(node)
        pending += children(node)
    return found
