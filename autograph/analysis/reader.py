"""Reads a lowered function into units and parts: one walk over the tree, statement by statement.

Example:
    units = read_units(function, scopes, jumps)
    units[function].body.parts[0].head.reads     # names that the first statement reads

What the expressions in them do is read by uses.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import gast

from autograph.analysis.lowered import Jumps
from autograph.analysis.regions import Block, Part, PartKind, Unit, Use
from autograph.analysis.scopes import Scopes
from autograph.analysis.uses import UseReader
from autograph.syntax import SCOPES, children

__all__ = ["is_plain_with", "lets_pass", "read_units"]


def read_units(root: Any, scopes: Scopes, jumps: Jumps) -> dict[Any, Unit]:
    """The unit of each converted function in the tree; none for a lambda, which has no statements."""
    reader = _Reader(scopes, jumps)
    if isinstance(root, gast.Lambda):
        reader.uses.lambda_(root)
    else:
        reader.function_body(root)
    return reader.units


class _Reader:
    def __init__(self, scopes: Scopes, jumps: Jumps) -> None:
        self.scopes = scopes
        self.jumps = jumps
        self.units: dict[Any, Unit] = {}
        self.unit: Unit | None = None
        self.uses = UseReader(scopes, jumps, self.function_body)
        self.used = self.uses.used

    # -- units and blocks

    def function_body(self, node: Any) -> None:
        """Read a function as a unit of its own."""
        unit, outer = Unit.of(self.scopes.table[node]), self.unit
        self.uses.declare(unit.scope)
        self.units[node] = self.unit = unit
        with self.uses.inside(unit):
            unit.body = self.block(node.body)
        self.unit = outer
        if node in self.jumps.returns:
            # The flags are set up at the start of the function and read at its end.
            flags = unit.set_of(self.jumps.returns[node])
            unit.body.parts.insert(0, Part(PartKind.STEP, node, Use(writes=flags)))
            unit.body.parts.append(Part(PartKind.STEP, node, Use(reads=flags)))

    def block(self, statements: Iterable[Any], first: Sequence[Part] = (), last: Part | None = None) -> Block:
        parts = list(first)
        for statement in statements:
            parts.append(_STATEMENTS.get(type(statement), _Reader.step)(self, statement))
        if last is not None:
            parts.append(last)
        return Block(parts)

    # -- statements

    def step(self, node: Any) -> Part:
        return Part(PartKind.STEP, node, Use() if node in self.jumps.passes else self.used(node))

    def raise_(self, node: Any) -> Part:
        return Part(PartKind.RAISE, node, self.used(node))

    def return_(self, node: Any) -> Part:
        use = self.used(node.value)
        assert self.unit is not None
        use.writes |= self.unit.set_of(self.jumps.leaves[node])
        return Part(PartKind.STEP, node, use)

    def if_(self, node: Any) -> Part:
        return Part(PartKind.BRANCH, node, self.used(node.test), (self.block(node.body), self.block(node.orelse)))

    def while_(self, node: Any) -> Part:
        head = self.used(*self._loop_options(node))
        return Part(PartKind.LOOP, node, head, (self.block(node.body),), self.used(node.test))

    def _loop_options(self, node: Any) -> list[Any]:
        call = self.jumps.loop_options.get(node)
        return [] if call is None else [*call.args, *call.keywords]

    def for_(self, node: Any) -> Part:
        head = self.used(node.iter, *self._loop_options(node))
        target = Part(PartKind.STEP, node.target, self.used(node.target))
        test = self.used(self.jumps.extra_tests.get(node))
        return Part(PartKind.LOOP, node, head, (self.block(node.body, [target]),), test)

    def with_(self, node: Any) -> Part:
        assert self.unit is not None
        if not (node in self.jumps.native or is_plain_with(node)):
            head, target = self.used(node.items[0].context_expr), node.items[0].optional_vars
            first = [] if target is None else [Part(PartKind.STEP, target, self.used(target))]
            return Part(PartKind.MANAGED, node, head, (self.block(node.body, first),))
        # Each item sees what the ones before it bound: `with a as x, f(x) as y` is a `with` in a `with`.
        block, parts = self.block(node.body), []
        heads = [self.used(item.context_expr, item.optional_vars) for item in node.items]
        for place, head in reversed(list(enumerate(heads))):
            passes = lets_pass(node.items[place]) and node not in self.jumps.native
            self.unit.has_with |= not passes
            kind = PartKind.PASSING if passes else PartKind.WITH
            parts = [Part(kind, node.items[place] if place else node, head, (block,))]
            block = Block(parts)
        return parts[0]

    def try_(self, node: Any) -> Part:
        blocks = [self.block(node.body)]
        for handler in node.handlers:
            entry, exit_ = Part(PartKind.STEP, handler, self.used(handler.type)), None
            if handler.name is not None:
                entry.head.writes |= self.uses.owner(handler.name.id)
                exit_ = Part(PartKind.STEP, handler, self.uses.unbound(handler, handler.name.id))
            blocks.append(self.block(handler.body, [entry], exit_))
        blocks += [self.block(node.orelse), self.block(node.finalbody)]
        kind = PartKind.TRY if node in self.jumps.native or stays_native(node) else PartKind.GUARD
        return Part(kind, node, Use(), tuple(blocks))


PASSING: Final = frozenset(
    {"GradientTape", "control_dependencies", "device", "init_scope", "name_scope", "nullcontext"}
)
"""What managers are called that let exceptions pass: around them the statement stays as it is."""


ITERATORS: Final = frozenset({"nditer"})
"""What iterators are called that are managers, too: a call that makes one is converted as any other."""


def is_made_as_written(made: Any) -> bool:
    """Whether an item of a `with` is a call that stays as it was written, but for its arguments."""
    return isinstance(made, gast.Call) and name_of_call(made) not in ITERATORS


def name_of_call(call: Any) -> str:
    """The last name in what is called."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def is_plain_with(node: Any) -> bool:
    """Whether a `with` stays a statement: what has a `yield` for the function around, and what only names managers."""
    return all(map(lets_pass, node.items)) or stays_native(node)


def lets_pass(item: Any) -> bool:
    """Whether an item of a `with` is made by a call of such a name; `ag__.passing` sees to it that it is one."""
    made = item.context_expr
    if not isinstance(made, gast.Call):
        return False
    return name_of_call(made) in PASSING


def stays_native(node: Any) -> bool:
    """Whether a try statement can only be one: `except*`, and what has a `yield` or `await` for the function around."""
    if isinstance(node, gast.TryStar):
        return True
    pending = list(children(node))
    while pending:
        inner = pending.pop()
        if isinstance(inner, gast.Yield | gast.YieldFrom | gast.Await | gast.AsyncFor | gast.AsyncWith):
            return True
        if not isinstance(inner, SCOPES):
            pending += children(inner)
    return False


_STATEMENTS: dict[type, Callable[[_Reader, Any], Part]] = {
    gast.Raise: _Reader.raise_,
    gast.Return: _Reader.return_,
    gast.If: _Reader.if_,
    gast.While: _Reader.while_,
    gast.For: _Reader.for_,
    gast.With: _Reader.with_,
    gast.Try: _Reader.try_,
    gast.TryStar: _Reader.try_,
}
