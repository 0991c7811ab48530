"""Takes expressions apart: what stood inside comes out as assignments before, in the order in which Python evaluates.

Example:
    taker = ExpressionTaker(config, fresh_name, stable)
    expression = taker.value(statement, "value", tree)     # what stays
    taker.out                                              # the statements that come before it

Operands are read in their turn: where a later one gets a statement of its own, an earlier one that could change, or
fail, until then gets one too. What is evaluated on one way only (the second operand of `and`) comes into an `if`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

import gast

from autograph.pyct.ast_util import copy_clean
from autograph.pyct.common_transformers.anf_rules import Config, decides_to_replace
from autograph.syntax import At

__all__ = ["ExpressionTaker", "Operand", "operands_of"]


class Operand:
    """A place in an expression: the object and the field (and index) that hold an operand."""

    __slots__ = ("field", "holder", "index", "parent")

    def __init__(self, parent: Any, field: str, index: int | None = None, holder: Any = None) -> None:
        self.parent = parent
        self.holder = parent if holder is None else holder
        self.field = field
        self.index = index

    def get(self) -> Any:
        found = getattr(self.holder, self.field)
        return found if self.index is None else found[self.index]

    def put(self, node: Any) -> None:
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


# Fields that hold the operands of a node, in the order of evaluation. What is not here stays as it is: it has a scope
# of its own, or evaluates its parts between other things that it does.
_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    gast.Attribute: ("value",),
    gast.Await: ("value",),
    gast.BinOp: ("left", "right"),
    gast.Call: ("func", "args", "keywords"),
    gast.List: ("elts",),
    gast.NamedExpr: ("value",),
    gast.Set: ("elts",),
    gast.Slice: ("lower", "upper", "step"),
    gast.Starred: ("value",),
    gast.Subscript: ("value", "slice"),
    gast.Tuple: ("elts",),
    gast.UnaryOp: ("operand",),
    gast.Yield: ("value",),
    gast.YieldFrom: ("value",),
}


def operands_of(node: Any) -> list[Operand]:
    """The operands of a node, in the order in which Python evaluates them."""
    if isinstance(node, gast.Dict):
        pairs = [(field, index) for index in range(len(node.values)) for field in ("keys", "values")]
        found = [Operand(node, field, index) for field, index in pairs]
        return [operand for operand in found if operand.get() is not None]
    if isinstance(node, gast.Compare):
        return [Operand(node, "left"), Operand(node, "comparators", 0)]
    found = []
    for field in _FIELDS.get(type(node), ()):
        value = getattr(node, field)
        if field == "keywords":
            found += [Operand(node, "value", holder=keyword) for keyword in value]
        elif isinstance(value, list):
            found += [Operand(node, field, index) for index in range(len(value))]
        elif value is not None:
            found.append(Operand(node, field))
    return found


class ExpressionTaker:
    """out: the statements so far. stable: names of variables that keep their value, whatever runs."""

    def __init__(self, config: Config, fresh: Callable[[], str], stable: Collection[str]) -> None:
        self.config = config
        self.fresh = fresh
        self.stable = set(stable)
        self.out: list[Any] = []

    def apart(self, take: Callable[[], Any]) -> tuple[list[Any], Any]:
        """What `take` puts out, and its result."""
        before, self.out = self.out, []
        result = take()
        emitted, self.out = self.out, before
        return emitted, result

    def named(self, node: Any, name: str | None = None) -> Any:
        """Assign an expression to a name of its own; the name, to be read."""
        if name is None:
            name = self.fresh()
        self.stable.add(name)
        self.out.append(At(node).assign(name, node))
        return At(node).name(name)

    def value(self, parent: Any, field: str, node: Any) -> Any:
        """Take an expression apart; what stands in its place afterwards: a name, if the rules say so."""
        taken = self.flat(node)
        if taken is not node and isinstance(taken, gast.Name):
            return taken
        structural = isinstance(node, gast.Starred | gast.Slice) or _has_slice(node)
        if not structural and decides_to_replace(self.config, parent, field, node):
            return self.named(taken)
        return taken

    def flat(self, node: Any) -> Any:
        """Take the operands of an expression apart; the expression itself stays."""
        lazy = _LAZY.get(type(node))
        if lazy is not None and not (isinstance(node, gast.Compare) and len(node.ops) == 1):
            return lazy(self, node)
        self.operands(operands_of(node))
        return node

    def operands(self, operands: Sequence[Operand]) -> None:
        """Take operands apart, in their order."""
        read = 0  # those before are kept by names, or cannot change
        for position, operand in enumerate(operands):
            node = operand.get()
            emitted, taken = self.apart(partial(self.value, operand.parent, operand.field, node))
            if emitted:
                for earlier in operands[read:position]:
                    self.keep(earlier)
                read = position
                self.out += emitted
            operand.put(taken)

    def keep(self, operand: Operand) -> None:
        """Read an operand now, unless it cannot change."""
        node = operand.get()
        at = At(node)
        if isinstance(node, gast.Starred):
            node.value = self.named(at.put(gast.List([at.put(gast.Starred(node.value, gast.Load()))], gast.Load())))
        elif isinstance(node, gast.Slice):
            for part in operands_of(node):
                self.keep(part)
        elif _has_slice(node):
            for index in range(len(node.elts)):
                self.keep(Operand(node, "elts", index))
        elif _merges(operand):
            operand.put(self.named(at.put(gast.Dict([None], [node]))))
        elif not self.is_stable(node):
            operand.put(self.named(node))

    def is_stable(self, node: Any) -> bool:
        """Whether an expression gives the same value whenever it is evaluated from now on."""
        return isinstance(node, gast.Constant) or (isinstance(node, gast.Name) and node.id in self.stable)

    # -- what is evaluated on some ways only

    def truth(self, parent: Any, field: str, node: Any) -> Any:
        """Take a test apart; each operand of `and`, `or` and `not` is asked for its truth once, as Python does."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            node.operand = self.truth(node, "operand", node.operand)
            return node
        if not isinstance(node, gast.BoolOp):
            return self.value(parent, field, node)
        parts = [self.apart(partial(self.truth, node, "values", each)) for each in node.values]
        self.out += parts[0][0]
        node.values = [taken for _, taken in parts]
        if not any(emitted for emitted, _ in parts[1:]):
            return node
        at, name = At(node), self.fresh()
        is_and = isinstance(node.op, gast.And)
        self.out.append(at.assign(name, at.constant(not is_and)))
        block = self.out
        for position, (emitted, taken) in enumerate(parts):
            if position:
                block += emitted
            last = position == len(parts) - 1
            inner: list[Any] = [at.assign(name, at.constant(is_and))] if last else []
            block.append(At(taken).if_(taken if is_and else At(taken).not_(taken), inner))
            block = inner
        self.stable.add(name)
        return at.name(name)

    def bool_op(self, node: Any) -> Any:
        parts = [self.apart(partial(self.value, node, "values", each)) for each in node.values]
        self.out += parts[0][0]
        node.values = [taken for _, taken in parts]
        if not any(emitted for emitted, _ in parts[1:]):
            return node
        at, name = At(node), self.fresh()
        block = self.out
        for position, (emitted, taken) in enumerate(parts):
            if position:
                test = at.name(name) if isinstance(node.op, gast.And) else at.not_(at.name(name))
                inner: list[Any] = list(emitted)
                block.append(at.if_(test, inner))
                block = inner
            block.append(At(taken).assign(name, taken))
        self.stable.add(name)
        return at.name(name)

    def ternary(self, node: Any) -> Any:
        node.test = self.truth(node, "test", node.test)
        body, node.body = self.apart(partial(self.value, node, "body", node.body))
        orelse, node.orelse = self.apart(partial(self.value, node, "orelse", node.orelse))
        if not body and not orelse:
            return node
        at, name = At(node), self.fresh()
        branch = at.if_(node.test, [*body, At(node.body).assign(name, node.body)])
        branch.orelse = [*orelse, At(node.orelse).assign(name, node.orelse)]
        self.out.append(branch)
        self.stable.add(name)
        return at.name(name)

    def chain(self, node: Any) -> Any:
        """`a < b < c`: b is evaluated once, c only if the first comparison holds."""
        self.operands([Operand(node, "left"), Operand(node, "comparators", 0)])
        later = node.comparators[1:]
        parts = [self.apart(partial(self.value, node, "comparators", each)) for each in later]
        if not any(emitted for emitted, _ in parts):
            return node
        at, name = At(node), self.fresh()
        both = [Operand(node, "left"), Operand(node, "comparators", 0)]
        for operand in both:
            self.keep(operand)
        left, right = (operand.get() for operand in both)
        block = self.out
        block.append(at.assign(name, at.put(gast.Compare(left, [node.ops[0]], [right]))))
        for op, (emitted, taken) in zip(node.ops[1:], parts, strict=True):
            inner: list[Any] = list(emitted)
            kept = At(taken).name(self.fresh())
            inner.append(At(taken).assign(kept.id, taken))
            inner.append(at.assign(name, at.put(gast.Compare(copy_clean(right), [op], [kept]))))
            block.append(at.if_(at.name(name), inner))
            block, right = inner, At(taken).name(kept.id)
        self.stable.add(name)
        return at.name(name)


def _has_slice(node: Any) -> bool:
    """Whether it is a tuple that can only stand in a subscript."""
    return isinstance(node, gast.Tuple) and any(isinstance(each, gast.Slice) for each in node.elts)


def _merges(operand: Operand) -> bool:
    """Whether it is what follows `**`."""
    if isinstance(operand.parent, gast.Dict) and operand.index is not None:
        return operand.field == "values" and operand.parent.keys[operand.index] is None
    return isinstance(operand.holder, gast.keyword) and operand.holder.arg is None


_LAZY: Final[dict[type, Callable[[ExpressionTaker, Any], Any]]] = {
    gast.BoolOp: ExpressionTaker.bool_op,
    gast.IfExp: ExpressionTaker.ternary,
    gast.Compare: ExpressionTaker.chain,
}
