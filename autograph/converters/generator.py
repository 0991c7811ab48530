"""Generators in the form in which a converted `for` runs them: their code hands each item to the body of the loop.

    def count(n):                   def tf__count(consumer, /, n):
        i = 0                           i = 0
        while i < n:        --->        while i < n:
            yield i                         if consumer.take(i):
            i += 1                              return
                                            i += 1

This is a plain function, which is then converted like any other, so that its control flow can be staged; statements
that an item is handed over in are staged by the consumer, which carries the variables that the body of the loop
changes. `take` says whether the loop is done. A loop that is never left early needs no such `if`: there are two forms.

It means the same as the generator where nothing notices that the body runs inside of the generator's code. So refused
are: a `yield` whose value is used, since nobody sends one, and a `yield` inside `try` or `with`, where errors and jumps
of the body would be caught. In a generator under `contextlib.contextmanager` that is what they are for; such a one may
yield once, and not in a loop.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.errors import UnsupportedSyntaxError
from autograph.naming import Namer
from autograph.syntax import SCOPES, At, children

__all__ = ["feeding_statements", "make_pushing"]

_BLOCKS: dict[type, tuple[str, ...]] = {
    gast.For: ("body", "orelse"),
    gast.FunctionDef: ("body",),
    gast.If: ("body", "orelse"),
    gast.While: ("body", "orelse"),
    gast.match_case: ("body",),
}
"""Where a `yield` may stand, by the kind of statement."""

_AROUND: dict[type, tuple[str, ...]] = {
    gast.ExceptHandler: ("body",),
    gast.FunctionDef: ("body",),
    gast.If: ("body", "orelse"),
    gast.Try: ("body", "orelse", "finalbody"),
    gast.With: ("body",),
    gast.match_case: ("body",),
}
"""The same in a manager."""


def make_pushing(node: Any, namer: Namer, filename: str, stoppable: bool | None) -> str:
    """Rewrite the definition of a generator in place; the result is the name of its consumer.

    stoppable: whether the loop may be done before the generator is; None for the manager of a `with`. Raises
    UnsupportedSyntaxError, and then the tree is used up.
    """
    maker = _Maker(namer, filename, namer.fresh("consumer"), stoppable)
    maker.blocks(node)
    parameter = At(node).parameters([maker.consumer]).args[0]
    node.args.posonlyargs.insert(0, parameter)
    return maker.consumer


class _Maker:
    def __init__(self, namer: Namer, filename: str, consumer: str, stoppable: bool | None) -> None:
        self.namer = namer
        self.filename = filename
        self.consumer = consumer
        self.stoppable = stoppable
        self.yields = 0
        self.around = _BLOCKS if stoppable is not None else _AROUND

    def blocks(self, node: Any) -> None:
        """Rewrite the statements inside of a node."""
        for field in self.around[type(node)]:
            rewritten: list[Any] = []
            for statement in getattr(node, field):
                rewritten += self.statement(statement)
            setattr(node, field, rewritten)

    def statement(self, node: Any) -> list[Any]:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield | gast.YieldFrom):
            return self.handed_over(node.value)
        if isinstance(node, gast.Return):
            return self.returned(node)
        inner = self.around.get(type(node))
        if isinstance(node, gast.Match):
            self.check(node.subject)
            for case in node.cases:
                self.check(case.pattern, case.guard)
                self.blocks(case)
        elif inner is None or isinstance(node, SCOPES):
            self.check(node)
        else:
            blocks = [*(item for field in inner for item in getattr(node, field)), *getattr(node, "handlers", ())]
            self.check(*(part for part in children(node) if part not in blocks))
            self.blocks(node)
            for handler in getattr(node, "handlers", ()):
                self.blocks(handler)
        return [node]

    def handed_over(self, node: Any) -> list[Any]:
        """`yield x`, `yield from items`."""
        at = At(node)
        value = at.constant(None) if node.value is None else node.value
        self.check(value)
        self.yields += 1
        if self.stoppable is None and (self.yields > 1 or isinstance(node, gast.YieldFrom)):
            raise self.refusal(node, node)
        if isinstance(node, gast.Yield):
            return [self.take(at, value)]
        item = self.namer.fresh("item")
        return [at.put(gast.For(at.store(item), value, [self.take(at, at.name(item))], [], None))]

    def take(self, at: At, item: Any) -> Any:
        taken = at.call(at.attribute(at.name(self.consumer), "take"), [item])
        return at.if_(taken, [at.returns(None)]) if self.stoppable else at.expression(taken)

    def returned(self, node: Any) -> list[Any]:
        """A loop has no use for the value that a generator returns."""
        self.check(node)
        at = At(node)
        evaluated = [] if node.value is None else [at.expression(node.value)]
        return [*evaluated, at.returns(None)]

    def check(self, *nodes: Any) -> None:
        """Raise UnsupportedSyntaxError if there is a `yield` in any other place."""
        pending = [(node, node) for node in nodes if node is not None]
        while pending:
            node, root = pending.pop()
            if isinstance(node, gast.Yield | gast.YieldFrom):
                raise self.refusal(node, root)
            if not isinstance(node, SCOPES):
                pending += [(child, root) for child in children(node)]

    def refusal(self, node: Any, root: Any) -> UnsupportedSyntaxError:
        if self.stoppable is None:
            construct, reason = "this 'yield'", "a context manager yields once, not in a loop, as a statement"
        elif isinstance(root, gast.Try | gast.TryStar | gast.With):
            word = "with" if isinstance(root, gast.With) else "try"
            construct, reason = f"'yield' inside '{word}'", "it would see the errors and jumps of the loop"
        else:
            construct, reason = "a 'yield' whose value is used", "a 'for' statement sends none"
        remedy = "Such a generator runs as plain Python; return a list, or take the 'yield' out of it, to stage it."
        return UnsupportedSyntaxError(construct, self.filename, node.lineno, reason, remedy)


def feeding_statements(root: Any, consumer: str) -> set[Any]:
    """The statements of control flow in whose blocks items are handed over, in the lowered form of a generator."""
    found: set[Any] = set()
    order: list[tuple[Any, Any]] = [(root, None)]
    for node, _ in order:  # grows while it is read: parents come before children
        if node is root or not isinstance(node, SCOPES):
            order += [(child, node) for child in children(node)]
    for node, parent in reversed(order):
        if node in found or (isinstance(node, gast.Name) and node.id == consumer and parent is not root.args):
            found.add(parent)
    return {node for node in found if isinstance(node, gast.stmt)}
