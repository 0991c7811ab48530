"""Lists, sets and dicts that are written out, where their elements or keys may be known to a stager only.

    [x, *a, y, *b]        --->    ag__.list_with(ag__.list_with([x], a) + [y], b)
    {x, *a}               --->    ag__.set_of(ag__.list_with([x], a))
    {k: v, **d, 1: w}     --->    ag__.dict_with(ag__.dict_with(ag__.dict_of((k, v)), d), {1: w})
    (x, *a)               --->    (x, *ag__.unpacked(a)), where a `for` goes through `a`, which may be an iterator
    [a, f(a), a]          --->    ag__.displayed([a, f(a), a]), where `a` is a list, whose place another may take in `f`

Each part is evaluated, and gone through, before the next one is, as Python does it. Lists without a star, tuples, whose
length is part of what they are, and sets and dicts of constants stay as they are.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_dict", "convert_list", "convert_set", "convert_star", "convert_tuple", "unpacked"]


def convert_list(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.ctx, gast.Load) or not any(isinstance(item, gast.Starred) for item in node.elts):
        return convert_tuple(rewriter, node)
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


def convert_star(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.ctx, gast.Load):
        return rewriter.parts(node)
    node.value = unpacked(rewriter, node.value)
    return node


def unpacked(rewriter: Rewriter, value: Any) -> Any:
    """What is behind a star in a tuple or a call: said, where it may be an iterator that a loop has left."""
    base = value
    while isinstance(base, gast.Subscript):
        base = base.value
    name = getattr(base, "id", getattr(base, "attr", None))
    made = rewriter.expression(value)
    return At(value).operator(rewriter.ag, "unpacked", made) if name in rewriter.scopes.iterated else made


def convert_tuple(rewriter: Rewriter, node: Any) -> Any:
    is_held = isinstance(node.ctx, gast.Load) and _holds_container(rewriter, node.elts, isinstance(node, gast.List))
    made = rewriter.parts(node)
    return At(node).operator(rewriter.ag, "displayed", made) if is_held else made


def _holds_container(rewriter: Rewriter, elements: list[Any], if_given: bool = False) -> bool:
    """Whether one of the elements is a container while a later one is evaluated, which calls something.

    if_given: whether what the call is given counts as one, whatever is known of it.
    """
    held: set[str] = set()
    for element in elements:
        calls: list[Any] = [part for part in gast.walk(element) if held and _may_change(rewriter, part)]
        if calls and not held.isdisjoint(rewriter.scopes.containers):
            return True
        if if_given and any(name in held for call in calls for name in _names_in(call.args)):
            return True
        held.update(_names_in([element]))
    return False


def _may_change(rewriter: Rewriter, part: Any) -> bool:
    """Whether it is a call, of more than a builtin that changes nothing."""
    if not isinstance(part, gast.Call):
        return False
    name = getattr(part.func, "id", "")
    return name not in _CHANGING_NOTHING or name in rewriter.bound_names


_CHANGING_NOTHING = frozenset({
    "abs", "all", "any", "bool", "enumerate", "float", "int", "isinstance", "len", "range", "reversed", "round", "str",
    "sum", "type", "zip",
})  # fmt: skip


def _names_in(operands: list[Any]) -> list[str]:
    return [operand.id for operand in operands if isinstance(operand, gast.Name)]


def convert_set(rewriter: Rewriter, node: Any) -> Any:
    if all(isinstance(item, gast.Constant) for item in node.elts):
        return node
    at = At(node)
    return at.operator(rewriter.ag, "set_of", convert_list(rewriter, at.put(gast.List(node.elts, gast.Load()))))


def convert_dict(rewriter: Rewriter, node: Any) -> Any:
    if all(isinstance(key, gast.Constant) for key in node.keys):  # None stands for `**`
        is_held = _holds_container(rewriter, node.values)
        shown = rewriter.parts(node)
        return At(node).operator(rewriter.ag, "displayed", shown) if is_held else shown
    at = At(node)
    made: Any = None
    pairs: list[tuple[Any, Any]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            pairs.append((rewriter.expression(key), rewriter.expression(value)))
            continue
        made = _merged(rewriter, at, made, pairs)
        made = at.operator(rewriter.ag, "dict_with", made, rewriter.expression(value))
        pairs = []
    return _merged(rewriter, at, made, pairs) if pairs else made


def _merged(rewriter: Rewriter, at: At, made: Any, pairs: list[tuple[Any, Any]]) -> Any:
    """The dict so far, and pairs behind it."""
    if made is not None and not pairs:
        return made
    if all(isinstance(key, gast.Constant) for key, _ in pairs):
        items = at.put(gast.Dict([key for key, _ in pairs], [value for _, value in pairs]))
    else:
        shown = [at.put(gast.Tuple([key, value], gast.Load())) for key, value in pairs]
        items = at.operator(rewriter.ag, "dict_of", *shown)
    return items if made is None else at.operator(rewriter.ag, "dict_with", made, items)
