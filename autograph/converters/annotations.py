"""Annotations of functions and classes inside of a function: they stay as they are, for people read them as text.

Where a name in them may hold a placeholder it is read through `ag__.ld`. From Python 3.14 on annotations are evaluated
when somebody asks for them, by value or as text; so their text must stay, and a decorator takes care of placeholders:

    def g(a: T): ...     --->    @ag__.late_annotations
                                 def g(a: T): ...          only where a placeholder may be in T
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.analysis.annotations import annotations_of, are_read_at_once, parameters_of
from autograph.converters.rewriter import Rewriter
from autograph.syntax import SCOPES, At, children

__all__ = ["convert_annotations", "late_in_class"]


def convert_annotations(rewriter: Rewriter, node: Any) -> list[Any]:
    """The annotations in the header of a function; the result is the decorators that these ask for."""
    if not are_read_at_once(rewriter.scopes):
        return _decorators(rewriter, node, annotations_of(node))
    for parameter in parameters_of(node.args):
        parameter.annotation = _converted(rewriter, parameter.annotation)
    node.returns = _converted(rewriter, node.returns)
    return []


def late_in_class(rewriter: Rewriter, node: Any) -> list[Any]:
    """The decorators that the annotations in the body of a class ask for."""
    if are_read_at_once(rewriter.scopes):
        return []
    found, pending = [], list(node.body)
    while pending:
        part = pending.pop()
        if isinstance(part, gast.AnnAssign):
            found.append(part.annotation)
        elif not isinstance(part, SCOPES):
            pending += children(part)
    return _decorators(rewriter, node, found)


def _converted(rewriter: Rewriter, node: Any) -> Any:
    return None if node is None else rewriter.native(node)


def _decorators(rewriter: Rewriter, node: Any, annotations: Iterable[Any]) -> list[Any]:
    pending = list(annotations)
    while pending:
        part = pending.pop()
        if part in rewriter.facts.checked:
            at = At(node)
            return [at.attribute(at.name(rewriter.ag), "late_annotations")]
        pending += children(part)
    return []
