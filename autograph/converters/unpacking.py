"""Assignments: to elements, of one value to several targets, and to parts of a value.

    a, b = v            --->    (a, b) = ag__.unpack(v, 2)
    x[i] = v            --->    x = ag__.set_item(x, i, v)              see subscripts.py
    x[i], y = v         --->    (target, target_1) = ag__.unpack(v, 2)
                                x = ag__.set_item(x, i, target)
                                y = target_1
                                del target, target_1
    a = x[i] = v        --->    value = v
                                a = value
                                x = ag__.set_item(x, i, value)
                                del value

A tuple that is written out on the right, with a part for each target, is taken apart by Python.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.uses import writes_element
from autograph.converters.rewriter import Rewriter
from autograph.converters.subscripts import item_assigned
from autograph.syntax import At

__all__ = ["assigned", "needs_statements"]


def assigned(rewriter: Rewriter, node: Any) -> list[Any]:
    """The statements for `a = b = value`."""
    special = [needs_statements(target) or _is_unpacked(target, node.value) for target in node.targets]
    if not any(special):
        return [rewriter.parts(node)]
    if len(node.targets) == 1:
        return _to_target(rewriter, node.targets[0], node.value)
    at = At(node)
    name = rewriter.namer.passing("value")
    result = [at.assign(name, rewriter.expression(node.value))]
    for target in node.targets:
        result += _to_target(rewriter, target, at.name(name))
    return [*result, _forget(at, [name])]


def needs_statements(target: Any) -> bool:
    """Whether there is an element among the targets, which a statement of its own assigns to."""
    if isinstance(target, gast.Tuple | gast.List):
        return any(map(needs_statements, target.elts))
    return writes_element(target.value if isinstance(target, gast.Starred) else target)


def _to_target(rewriter: Rewriter, target: Any, value: Any) -> list[Any]:
    if writes_element(target):
        return [item_assigned(rewriter, target, value)]
    at = At(target)
    names: list[str] = []
    later: list[Any] = []
    if needs_statements(target):
        target = _named(rewriter, target, names, later)
    unpacked = _is_unpacked(target, value)
    value = rewriter.expression(value)
    if unpacked:
        value = at.operator(rewriter.ag, "unpack", value, _written(at, target))
    result = [at.assign(rewriter.expression(target), value)]
    for place, name in later:
        result += _to_target(rewriter, place, at.name(name))
    return [*result, _forget(at, names)] if names else result


def _named(rewriter: Rewriter, target: Any, names: list[str], later: list[Any]) -> Any:
    """The target with a name in the place of each element, and of all that Python assigns to after it."""
    at = At(target)
    if isinstance(target, gast.Starred):
        return at.put(gast.Starred(_named(rewriter, target.value, names, later), gast.Store()))
    if isinstance(target, gast.Tuple | gast.List):
        return at.put(gast.Tuple([_named(rewriter, part, names, later) for part in target.elts], gast.Store()))
    if not names and not writes_element(target):
        return target
    names.append(rewriter.namer.fresh("target"))
    later.append((target, names[-1]))
    return at.store(names[-1])


def _forget(at: At, names: list[str]) -> Any:
    return at.delete(*names)


def _is_unpacked(target: Any, value: Any) -> bool:
    """Whether a value that is known only at run time is taken apart."""
    if not isinstance(target, gast.Tuple | gast.List):
        return False
    if not isinstance(value, gast.Tuple | gast.List) or len(target.elts) != len(value.elts):
        return True
    if any(isinstance(part, gast.Starred) for part in [*target.elts, *value.elts]):
        return True
    return any(_is_unpacked(*pair) for pair in zip(target.elts, value.elts, strict=True))


def _written(at: At, target: Any) -> Any:
    """The second argument of `unpack`."""
    nested = [isinstance(part, gast.Tuple | gast.List | gast.Starred) for part in target.elts]
    if not any(nested):
        return at.constant(len(target.elts))
    entries = []
    for part, special in zip(target.elts, nested, strict=True):
        if isinstance(part, gast.Starred):
            entries.append(at.constant(...))
        else:
            entries.append(_written(at, part) if special else at.constant(None))
    return at.tuple(entries)
