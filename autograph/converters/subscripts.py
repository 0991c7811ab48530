"""Elements: reads by a key that is no literal, and writes.

    y = x[i]            --->    y = ag__.get_item(x, i)
    x[i] = v            --->    x = ag__.set_item(x, i, v)
    x[i] += v           --->    x = ag__.update_item(x, i, ag__.get_item(x, i), '+=', v)
    W[i] = v            --->    ag__.set_item(W, i, v, 'W')             where W is no variable of this function
    self.w[i] = v       --->    ag__.set_item_of(self, 'w', i, v)
    x[i][j] = v         --->    x = ag__.put(v, ag__.place(x).item(i), j)
    x[f()] += v         --->    x = ag__.place(x).read(f()).update('+=', v)
    del x[i]            --->    ag__.del_item(x, i)
    x[f()] = v          --->    x = ag__.put(v, ag__.place(x), f(), lambda: x)      where f may bind x

Python evaluates the value, then the container, then the key; an augmented assignment reads the element before it
evaluates its right side. Where the order of the arguments could show, they are given by keyword in Python's order, or
the place is built step by step. Elements by a string that is written out stay as they are: no tensor has them.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.uses import writes_element
from autograph.converters.logic import binds_names
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, unparse

__all__ = ["SIGNS", "again", "convert_subscript", "is_fixed", "item_assigned", "item_deleted", "item_updated"]

SIGNS: dict[type, str] = {
    gast.Add: "+=", gast.Sub: "-=", gast.Mult: "*=", gast.Div: "/=", gast.FloorDiv: "//=", gast.Mod: "%=",
    gast.Pow: "**=", gast.MatMult: "@=", gast.BitAnd: "&=", gast.BitOr: "|=", gast.BitXor: "^=", gast.LShift: "<<=",
    gast.RShift: ">>=",
}  # fmt: skip


def convert_subscript(rewriter: Rewriter, node: Any) -> Any:
    """A read; targets in comprehensions stay as they are."""
    if not isinstance(node.ctx, gast.Load) or _is_literal(node.slice):
        return rewriter.parts(node)
    at = At(node)
    return at.operator(rewriter.ag, "get_item", rewriter.expression(node.value), _key(rewriter, node.slice))


def item_deleted(rewriter: Rewriter, target: Any) -> Any:
    """The statement for `del x[k]`; None where Python can do it: the key is a literal, or it is no element."""
    if not isinstance(target, gast.Subscript) or _is_literal(target.slice):
        return None
    at = At(target)
    parts = [rewriter.expression(target.value), _key(rewriter, target.slice)]
    return at.expression(at.operator(rewriter.ag, "del_item", *parts))


def item_assigned(rewriter: Rewriter, target: Any, value: Any) -> Any:
    """The statement for `target = value`, where the target is x[k]; the value is not converted yet."""
    at, holder, key = At(target), target.value, target.slice
    in_order = not binds_names(key, value) and (
        is_fixed(rewriter, value) or (is_fixed(rewriter, holder) and is_fixed(rewriter, key))
    )
    known_holder = isinstance(holder, gast.Attribute) and is_fixed(rewriter, holder.value)
    if known_holder and is_fixed(rewriter, key) and not binds_names(value):
        parts = [rewriter.expression(holder.value), at.constant(holder.attr), _key(rewriter, key)]
        return at.expression(at.operator(rewriter.ag, "set_item_of", *parts, rewriter.expression(value)))
    now = _now(rewriter, holder, [key, value])
    if now or isinstance(holder, gast.Attribute | gast.Subscript):
        parts = [rewriter.expression(value), _path(rewriter, holder), _key(rewriter, key), *now]
        return _stored(rewriter, holder, at.operator(rewriter.ag, "put", *parts), at)
    outside = [] if _is_bound_here(rewriter, holder) else [at.constant(_shown(holder))]
    found = {"v": rewriter.expression(value), "x": rewriter.expression(holder), "k": _key(rewriter, key)}
    if in_order:
        call = at.operator(rewriter.ag, "set_item", found["x"], found["k"], found["v"], *outside)
    else:
        call = at.operator(rewriter.ag, "set_item")
        call.keywords = [at.keyword(name, part) for name, part in found.items()]
        call.keywords += [at.keyword("name", text) for text in outside]
    return _stored(rewriter, holder, call, at)


def item_updated(rewriter: Rewriter, node: Any) -> Any:
    """The statement for `x[k] += v`."""
    target, at = node.target, At(node)
    holder, key, sign = target.value, target.slice, at.constant(SIGNS[type(node.op)])
    now = _now(rewriter, holder, [key, node.value])
    if not now and isinstance(holder, gast.Name) and is_fixed(rewriter, holder) and is_fixed(rewriter, key):
        # Both are variables of this call alone, or constants: they may be read twice.
        item = rewriter.expression(At(target).put(gast.Subscript(again(holder), again(key), gast.Load())))
        parts = [rewriter.expression(holder), _key(rewriter, key), item, sign, rewriter.expression(node.value)]
        return _stored(rewriter, holder, at.operator(rewriter.ag, "update_item", *parts), at)
    read = at.call(at.attribute(_path(rewriter, holder), "read"), [_key(rewriter, key)])
    update = at.call(at.attribute(read, "update"), [sign, rewriter.expression(node.value), *now])
    return _stored(rewriter, holder, update, at)


def _stored(rewriter: Rewriter, holder: Any, call: Any, at: At) -> Any:
    """Bind the variable to what the operator returns, if a write may replace it."""
    root = _root(holder)
    if root is not None and _is_bound_here(rewriter, root):
        return at.assign(root.id, call)
    return at.expression(call)


def again(node: Any) -> Any:
    """A copy of something fixed."""
    at = At(node)
    if isinstance(node, gast.Name):
        return at.name(node.id)
    if isinstance(node, gast.Constant):
        return at.constant(node.value)
    if isinstance(node, gast.UnaryOp):
        return at.put(gast.UnaryOp(node.op, again(node.operand)))
    if isinstance(node, gast.Tuple):
        return at.tuple([again(part) for part in node.elts])
    return at.put(gast.Slice(*(None if p is None else again(p) for p in (node.lower, node.upper, node.step))))


def _now(rewriter: Rewriter, holder: Any, parts: list[Any]) -> list[Any]:
    """How to read the variable again after the write, where something in the statement may bind it to another value."""
    root, unit = _root(holder), rewriter.place.unit
    if root is None or unit is None or not _is_bound_here(rewriter, root):
        return []
    if unit.set_of([root.id]) & (unit.rebound | unit.shared) or binds_names(holder, *parts):
        at = At(root)
        return [at.thunk(at.name(root.id))]
    return []


def _root(holder: Any) -> Any:
    """The variable x in x[i][j]; None where an attribute or another object lies between."""
    while writes_element_of(holder):
        holder = holder.value
    return holder if isinstance(holder, gast.Name) else None


def writes_element_of(holder: Any) -> bool:
    """Whether a holder is an element itself, which is written back into its own holder if it is replaced."""
    return isinstance(holder, gast.Subscript) and writes_element(holder)


def _path(rewriter: Rewriter, holder: Any) -> Any:
    """`ag__.place(root).attr('a').item(i)`."""
    steps = []
    while isinstance(holder, gast.Attribute | gast.Subscript):
        steps.append(holder)
        holder = holder.value
    at = At(holder)
    # What holds an attribute stays what it is, so nothing beyond it is ever replaced.
    stays = any(isinstance(step, gast.Attribute) for step in steps)
    outside = [] if stays or _is_bound_here(rewriter, holder) else [at.constant(_shown(holder))]
    path = at.operator(rewriter.ag, "place", rewriter.expression(holder), *outside)
    for step in reversed(steps):
        at = At(step)
        if isinstance(step, gast.Attribute):
            path = at.call(at.attribute(path, "attr"), [at.constant(step.attr)])
        else:
            path = at.call(at.attribute(path, "item"), [_key(rewriter, step.slice)])
    return path


def is_fixed(rewriter: Rewriter, node: Any) -> bool:
    """Whether it makes no difference when an expression is evaluated: constants, and variables of this call alone."""
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.operand, gast.Constant)
    if isinstance(node, gast.Tuple):
        return all(is_fixed(rewriter, part) for part in node.elts)
    if isinstance(node, gast.Slice):
        return all(part is None or is_fixed(rewriter, part) for part in (node.lower, node.upper, node.step))
    unit = rewriter.place.unit
    if not isinstance(node, gast.Name) or unit is None or node in rewriter.facts.checked:
        return False
    return node.id in unit.scope.own and not unit.rebound & unit.set_of([node.id])


def _is_bound_here(rewriter: Rewriter, holder: Any) -> bool:
    """Whether this function may bind the variable: it is its own, or declared nonlocal or global."""
    unit = rewriter.place.unit
    return isinstance(holder, gast.Name) and unit is not None and holder.id in unit.bits


def _is_literal(key: Any) -> bool:
    if isinstance(key, gast.Tuple):
        return all(map(_is_literal, key.elts))
    if isinstance(key, gast.Slice):
        return all(part is None or _is_literal(part) for part in (key.lower, key.upper, key.step))
    if isinstance(key, gast.UnaryOp):
        key = key.operand
    return isinstance(key, gast.Constant)


def _key(rewriter: Rewriter, key: Any) -> Any:
    """The converted key as a value of its own: `i:j` is `slice(i, j)`."""
    if isinstance(key, gast.Tuple):
        return At(key).tuple([_key(rewriter, part) for part in key.elts])
    if not isinstance(key, gast.Slice):
        return rewriter.expression(key)
    at = At(key)
    lower, upper, step = (None if p is None else rewriter.expression(p) for p in (key.lower, key.upper, key.step))
    ends = [lower or at.constant(None), upper or at.constant(None), *([] if step is None else [step])]
    if "slice" in rewriter.bound_names:
        return at.operator(rewriter.ag, "slice_", *ends)
    return at.call(at.name("slice"), ends)


def _shown(node: Any) -> str:
    text = unparse(node)
    return text if len(text) <= 40 else f"{text[:37]}..."
