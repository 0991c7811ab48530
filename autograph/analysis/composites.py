"""Attributes and elements that are assigned to, which may be state of the statements around.

Example: `o.v = 1` notes the composite `o.v`; `o.v[i] = 1` notes `o.v[i]`, and `o.v`, which that may replace.

It counts only if it is made of plain names, attributes and literal or named keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autograph.analysis.places import composite_text, names_in, place_as_written, writes_element
from autograph.analysis.regions import Composite, Unit, Use
from autograph.syntax import children

if TYPE_CHECKING:
    from autograph.analysis.uses import UseReader

__all__ = ["read_place"]


def read_place(reader: UseReader, node: Any) -> None:
    """An attribute or element: where it is assigned to, it may be state."""
    if not isinstance(node.ctx, gast.Load) and reader.at_once():
        _note(reader, node, contains=False)
    if isinstance(node.ctx, gast.Store) and isinstance(reader.stack[-1], Unit) and writes_element(node):
        _note_containers(reader, reader.stack[-1], node.value)
    reader.visit_all(children(node))


def _note(reader: UseReader, node: Any, contains: bool) -> None:
    text = composite_text(node)
    if text is None:
        return
    saved, reader.use = reader.use, Use()
    reader.visit_all(children(node))
    inner, reader.use = reader.use, saved
    names = tuple(sorted({load.id for load in names_in(node)}))
    reader.use.composites.append(Composite(text, place_as_written(node), inner.reads, names, contains))


def _note_containers(reader: UseReader, unit: Unit, node: Any) -> None:
    """What an assignment to an element of `node` may replace: `node`, and so on if that is an element in turn."""
    while not isinstance(node, gast.Name):
        _note(reader, node, contains=True)
        if not writes_element(node):
            return
        node = node.value
    reader.use.items |= unit.bits.get(node.id, 0)
