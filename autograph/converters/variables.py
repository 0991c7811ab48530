"""Reads of names that may be unassigned, `del`, and assignments with an annotation.

    print(y)      --->    print(ag__.ld(y))             only where a placeholder may be in y; ld_free if y belongs
                                                        to an outer function
    del y         --->    ag__.ld(y)                    only where y may be unassigned
                          y = ag__.Undefined('y')
    del x[i]      --->    ag__.del_item(x, i)           unless i is a literal
    y: int = 1    --->    y = 1                         where y is declared nonlocal
    frame.f_back  --->    ag__.outer_frame(frame)       f_locals likewise
    continue      --->    pass                          where the lowering of jumps left a flag that nothing reads

`del` of attributes, globals and variables of an outer function stays as it is.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.uses import writes_element
from autograph.converters.rewriter import Rewriter
from autograph.converters.subscripts import item_assigned, item_deleted
from autograph.converters.super_call import convert_super_attribute, is_super
from autograph.converters.unpacking import assigned
from autograph.syntax import At

__all__ = [
    "checked",
    "convert_annotated",
    "convert_assigned",
    "convert_attribute",
    "convert_delete",
    "convert_name",
]


def convert_name(rewriter: Rewriter, node: Any) -> Any:
    return checked(rewriter, node, node) if isinstance(node.ctx, gast.Load) else node


def convert_attribute(rewriter: Rewriter, node: Any) -> Any:
    """The attributes of frames that lead to the frames of operators, and those of `super()`."""
    if isinstance(node.ctx, gast.Load):
        if is_super(rewriter, node.value):
            return convert_super_attribute(rewriter, node)
        if node.attr in _OF_FRAMES:
            return At(node).operator(rewriter.ag, _OF_FRAMES[node.attr], rewriter.expression(node.value))
    return rewriter.parts(node)


_OF_FRAMES = {"f_back": "outer_frame", "f_locals": "frame_locals"}


def checked(rewriter: Rewriter, node: Any, read: Any) -> Any:
    """`read`, which reads the variable that `node` reads, through a check if that may have no value."""
    if node not in rewriter.facts.checked:
        return read
    return At(node).operator(rewriter.ag, "ld_free" if node in rewriter.facts.free else "ld", read)


def convert_assigned(rewriter: Rewriter, node: Any) -> list[Any]:
    return [At(node).pass_()] if node in rewriter.jumps.passes else assigned(rewriter, node)


def convert_annotated(rewriter: Rewriter, node: Any) -> list[Any]:
    target = node.target
    if isinstance(target, gast.Name):
        if target.id in rewriter.place.nonlocals:
            return [] if node.value is None else [At(node).assign(target, rewriter.expression(node.value))]
    elif node.value is not None and writes_element(target):
        return [item_assigned(rewriter, target, node.value)]
    else:
        node.target = rewriter.expression(target)
    if node.value is not None:
        node.value = rewriter.expression(node.value)
    return [node]


def convert_delete(rewriter: Rewriter, node: Any) -> list[Any]:
    unit = rewriter.place.unit
    assert unit is not None
    result: list[Any] = []
    for target in _flat(node.targets):
        at = At(target)
        outer = target in rewriter.facts.outer_deletes
        if not isinstance(target, gast.Name) or not (target.id in unit.scope.own or outer):
            result.append(item_deleted(rewriter, target) or At(node).put(gast.Delete([rewriter.expression(target)])))
            continue
        if target in rewriter.facts.checked:
            result.append(at.expression(checked(rewriter, target, at.name(target.id))))
        result.append(rewriter.placeholder(at, target.id))
    return result


def _flat(targets: list[Any]) -> list[Any]:
    found: list[Any] = []
    for target in targets:
        found += _flat(target.elts) if isinstance(target, gast.Tuple | gast.List) else [target]
    return found
