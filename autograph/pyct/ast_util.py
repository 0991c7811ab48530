"""What transformers do to trees: clean copies, renamed variables, assignments one by one, two trees in step.

Example:
    other = copy_clean(node, preserve_annos=(anno.Basic.ORIGIN,))
    rename_symbols(node, {QN("x"): QN("x_1")})
    matches(parser.parse_expression("f(1)"), "f(_)")     # True
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import Any

import gast

from autograph.pyct import anno, parser, qual_names
from autograph.syntax import children

__all__ = [
    "apply_to_single_assignments",
    "copy_clean",
    "keywords_to_dict",
    "matches",
    "parallel_walk",
    "rename_symbols",
]


def copy_clean(node: Any, preserve_annos: Collection[Hashable] = ()) -> Any:
    """A copy of a tree, or of a list or tuple of trees, with the positions and the annotations that are named."""
    if isinstance(node, list | tuple):
        return type(node)([copy_clean(each, preserve_annos) for each in node])
    if not isinstance(node, gast.AST):
        return node
    root = [node]
    pending: list[tuple[Any, Any]] = [(root, 0)]  # where a copy replaces what stands there
    while pending:
        place, key = pending.pop()
        old = place[key] if isinstance(place, list) else place.__dict__[key]
        new = _shallow(old, preserve_annos)
        if isinstance(place, list):
            place[key] = new
        else:
            place.__dict__[key] = new
        for field in new._fields:
            value = new.__dict__.get(field)
            if isinstance(value, gast.AST):
                pending.append((new, field))
            elif isinstance(value, list):
                new.__dict__[field] = items = list(value)
                pending += [(items, index) for index, item in enumerate(items) if isinstance(item, gast.AST)]
    return root[0]


def _shallow(node: Any, preserve_annos: Collection[Hashable]) -> Any:
    kind: Any = type(node)
    new = kind.__new__(kind)  # its constructor warns of fields that are only set below
    for name in (*node._fields, *node._attributes):
        if name in node.__dict__:
            new.__dict__[name] = node.__dict__[name]
    for key in preserve_annos:
        anno.copyanno(node, new, key)
    return new


def rename_symbols(node: Any, name_map: Mapping[qual_names.QN, qual_names.QN]) -> Any:
    """Rename variables, in a tree or a list or tuple of trees; returns it, or what stands in place of it.

    name_map: from the old QNs to the new. An attribute or element may be renamed to a variable and the reverse. Which
    scope a name belongs to is not looked at.
    """
    if isinstance(node, list | tuple):
        return type(node)([rename_symbols(each, name_map) for each in node])
    qual_names.resolve(node)
    root = [node]
    pending: list[tuple[list[Any] | dict[str, Any], Any]] = [(root, 0)]
    while pending:
        place, key = pending.pop()
        current = place[key]
        new = name_map.get(anno.getanno(current, anno.Basic.QN, None))
        if new is not None:
            place[key] = _renamed(current, new)
            continue
        for field in current._fields:
            value = current.__dict__.get(field)
            if isinstance(value, gast.AST):
                pending.append((current.__dict__, field))
            elif isinstance(value, list):
                pending += [(value, index) for index, item in enumerate(value) if isinstance(item, gast.AST)]
                if isinstance(current, gast.Global | gast.Nonlocal):
                    value[:] = [str(name_map.get(qual_names.QN(name), name)) for name in value]
        if isinstance(current, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            current.name = str(name_map.get(qual_names.QN(current.name), current.name))
    return root[0]


def _renamed(node: Any, new: qual_names.QN) -> Any:
    made = new.ast()
    if isinstance(node, gast.Name) and isinstance(made, gast.Name):
        made.annotation, made.type_comment = node.annotation, node.type_comment
    made.ctx = node.ctx
    for part in [made, *_parts(made)]:
        for name in node._attributes:
            if name in node.__dict__:
                part.__dict__[name] = node.__dict__[name]
    anno.copyanno(node, made, anno.Basic.ORIGIN)
    return made


def _parts(node: Any) -> Iterator[Any]:
    pending = list(children(node))
    while pending:
        current = pending.pop()
        yield current
        pending += children(current)


def keywords_to_dict(keywords: Collection[Any]) -> Any:
    """The keyword arguments of a call as a tree of a dict with the names as keys; `**more` stays so."""
    names: list[Any] = [None if each.arg is None else gast.Constant(each.arg, None) for each in keywords]
    return gast.Dict(names, [each.value for each in keywords])


def matches(node: Any, pattern: Any) -> bool:
    """Whether a tree is as the pattern (a tree, or the text of an expression), in which `_` stands for anything."""
    tree = parser.parse_expression(pattern) if isinstance(pattern, str) else pattern
    pending: list[tuple[Any, Any]] = [(node, tree)]
    while pending:
        found, wanted = pending.pop()
        if isinstance(wanted, gast.Name) and wanted.id == "_":
            continue
        if isinstance(wanted, gast.AST):
            if type(found) is not type(wanted):
                return False
            pairs = [(getattr(found, field, None), getattr(wanted, field, None)) for field in wanted._fields]
            pending += [pair for field, pair in zip(wanted._fields, pairs, strict=True) if field != "ctx"]
        elif isinstance(wanted, list):
            if not isinstance(found, list) or len(found) != len(wanted):
                return False
            pending += zip(found, wanted, strict=True)
        elif type(found) is not type(wanted) or found != wanted:
            return False
    return True


def apply_to_single_assignments(targets: Any, values: Any, apply_fn: Callable[[Any, Any], None]) -> None:
    """Call `apply_fn(target, value)` for each single assignment that `targets = values` stands for.

    `a, b = c, d` stands for `a = c` and `b = d`; `a, b = f()` for `a = f()[0]` and `b = f()[1]`. A starred target, and
    what is unpacked beside it, gets the whole value: which part it takes is only known when it runs.
    """
    pending = [(target, values) for target in (targets if isinstance(targets, list | tuple) else [targets])][::-1]
    while pending:
        target, value = pending.pop()
        if not isinstance(target, gast.Tuple | gast.List):
            apply_fn(target.value if isinstance(target, gast.Starred) else target, value)
            continue
        items = target.elts
        aligned = isinstance(value, gast.Tuple | gast.List) and len(value.elts) == len(items)
        if any(isinstance(item, gast.Starred) for item in items + (value.elts if aligned else [])):
            parts = [value] * len(items)
        elif aligned:
            parts = value.elts
        else:
            parts = [gast.Subscript(value, gast.Constant(index, None), gast.Load()) for index in range(len(items))]
        pending += list(zip(items, parts, strict=True))[::-1]


def parallel_walk(node: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The nodes of two trees in step, from the root. Raises ValueError where the trees differ in their nodes."""
    pending = [(node, other)]
    if isinstance(node, list | tuple):
        pending = list(zip(node, other, strict=True))[::-1]
    while pending:
        ours, its = pending.pop()
        below, beside = list(children(ours)), list(children(its))
        if type(ours) is not type(its) or len(below) != len(beside):
            raise ValueError(f"the trees differ: {ours!r} and {its!r}")
        yield ours, its
        pending += list(zip(below, beside, strict=True))[::-1]
