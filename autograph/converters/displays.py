"""Lists that are written out with a star: how many elements they have may be known to a stager only.

    [x, *a, y, *b]    --->    ag__.list_with(ag__.list_with([x], a) + [y], b)

Each part is evaluated, and gone through, before the next one is, as Python does it. Lists without a star, and tuples,
whose length is part of what they are, stay as they are.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_list"]


def convert_list(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.ctx, gast.Load) or not any(isinstance(item, gast.Starred) for item in node.elts):
        return rewriter.parts(node)
    at = At(node)
    made: Any = None
    plain: list[Any] = []
    for item in node.elts:
        if not isinstance(item, gast.Starred):
            plain.append(rewriter.expression(item))
            continue
        made = at.operator(rewriter.ag, "list_with", _joined(at, made, plain), rewriter.expression(item.value))
        plain = []
    return _joined(at, made, plain) if plain else made


def _joined(at: At, made: Any, plain: list[Any]) -> Any:
    """The list so far, and elements behind it."""
    if made is None or plain:
        items = at.put(gast.List(plain, gast.Load()))
        return items if made is None else at.put(gast.BinOp(made, gast.Add(), items))
    return made
