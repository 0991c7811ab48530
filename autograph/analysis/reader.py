"""Reads a lowered function into units and parts: one walk over the tree, statement by statement.

Example:
    units = read_units(function, scopes, jumps)
    units[function].body.parts[0].head.reads     # names that the first statement reads

Choices: annotations are not read (they are evaluated outside of the function, or not at all). An attribute or element
counts as state of a statement only if it is made of plain names, attributes and literal or named keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast

from autograph.analysis.lowered import Jumps
from autograph.analysis.regions import Block, Composite, Part, PartKind, Unit, Use
from autograph.analysis.scopes import Kind, Scope, Scopes
from autograph.syntax import children

__all__ = ["read_units"]


def read_units(root: Any, scopes: Scopes, jumps: Jumps) -> dict[Any, Unit]:
    """The unit of each converted function in the tree; none for a lambda, which has no statements."""
    reader = _Reader(scopes, jumps)
    if isinstance(root, gast.Lambda):
        reader.lambda_(root)
    else:
        reader.function_body(root)
    return reader.units


def composite_text(node: Any) -> str | None:
    """The text of `o.v`, `d['a']`, `d[i]`, `a.b.c`, `x`; None for anything else."""
    endings: list[str] = []
    while not isinstance(node, gast.Name):
        if isinstance(node, gast.Attribute):
            endings.append(f".{node.attr}")
        elif isinstance(node, gast.Subscript) and (key := _key_text(node.slice)) is not None:
            endings.append(f"[{key}]")
        else:
            return None
        node = node.value
    return str(node.id) + "".join(reversed(endings))


def _key_text(key: Any) -> str | None:
    if isinstance(key, gast.Name):
        return str(key.id)
    if isinstance(key, gast.UnaryOp) and isinstance(key.op, gast.USub) and isinstance(key.operand, gast.Constant):
        return f"-{key.operand.value!r}"
    if isinstance(key, gast.Constant):
        return repr(key.value)
    return None


class _Reader:
    def __init__(self, scopes: Scopes, jumps: Jumps) -> None:
        self.scopes = scopes
        self.jumps = jumps
        self.units: dict[Any, Unit] = {}
        self.stack: list[Scope | Unit] = []
        self.use = Use()
        self.conditional = 0
        self.thunks = 0

    # -- units and blocks

    def function_body(self, node: Any) -> None:
        """Read a function as a unit of its own."""
        unit = Unit.of(self.scopes.table[node])
        self._declare(unit.scope)
        self.units[node] = unit
        saved = self.use, self.conditional, self.thunks
        self.conditional = self.thunks = 0
        self.stack.append(unit)
        unit.body = self.block(node.body)
        if node in self.jumps.returns:
            # The flags are set up at the start of the function and read at its end.
            flags = unit.set_of(self.jumps.returns[node])
            unit.body.parts.insert(0, Part(PartKind.STEP, node, Use(writes=flags)))
            unit.body.parts.append(Part(PartKind.STEP, node, Use(reads=flags)))
        self.stack.pop()
        self.use, self.conditional, self.thunks = saved

    def _declare(self, scope: Scope) -> None:
        """Names that a nested function declares nonlocal are assigned to at times that the outer one cannot know."""
        for name in sorted(scope.nonlocals):
            for unit, bit in self._owners(name):
                unit.captured |= bit
                unit.rebound |= bit

    def block(self, statements: Iterable[Any], first: Sequence[Part] = (), last: Part | None = None) -> Block:
        parts = list(first)
        for statement in statements:
            parts.append(_STATEMENTS.get(type(statement), _Reader.step)(self, statement))
        if last is not None:
            parts.append(last)
        return Block(parts)

    def used(self, *nodes: Any) -> Use:
        """What expressions and targets, in this order, do to the names of the unit."""
        before, self.use = self.use, Use()
        self.visit_all(nodes)
        use, self.use = self.use, before
        return use

    # -- statements

    def step(self, node: Any) -> Part:
        return Part(PartKind.STEP, node, self.used(node))

    def raise_(self, node: Any) -> Part:
        return Part(PartKind.RAISE, node, self.used(node))

    def return_(self, node: Any) -> Part:
        use = self.used(node.value)
        unit = self.stack[-1]
        assert isinstance(unit, Unit)
        use.writes |= unit.set_of(self.jumps.leaves[node])
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
        unit = self.stack[-1]
        assert isinstance(unit, Unit)
        unit.has_with = True
        # Each item sees what the ones before it bound: `with a as x, f(x) as y` is a `with` in a `with`.
        block, parts = self.block(node.body), []
        heads = [self.used(item.context_expr, item.optional_vars) for item in node.items]
        for item, head in reversed(list(zip([node, *node.items[1:]], heads, strict=True))):
            parts = [Part(PartKind.WITH, item, head, (block,))]
            block = Block(parts)
        return parts[0]

    def try_(self, node: Any) -> Part:
        blocks = [self.block(node.body)]
        for handler in node.handlers:
            entry = Part(PartKind.STEP, handler, self.used(handler.type))
            if handler.name is not None:
                entry.head.writes |= self._owners(handler.name.id)[0][1]
            exit_ = Part(PartKind.STEP, handler, Use(deletes=entry.head.writes)) if handler.name else None
            blocks.append(self.block(handler.body, [entry], exit_))
        blocks += [self.block(node.orelse), self.block(node.finalbody)]
        return Part(PartKind.TRY, node, Use(), tuple(blocks))

    def match(self, node: Any) -> Part:
        cases = []
        for case in node.cases:
            captures = Part(PartKind.STEP, case, self.used(case.pattern))
            guard = Part(PartKind.STEP, case, self.used(case.guard))
            cases.append(self.block(case.body, [captures, guard]))
        return Part(PartKind.MATCH, node, self.used(node.subject), tuple(cases))

    # -- expressions

    def visit(self, node: Any) -> None:
        special = _EXPRESSIONS.get(type(node))
        if special is not None:
            special(self, node)
        else:
            for child in children(node):
                self.visit(child)

    def visit_all(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _owners(self, name: str) -> list[tuple[Unit, int]]:
        """The units that a name at this place belongs to: the owner, and those between that declare it nonlocal."""
        found: list[tuple[Unit, int]] = []
        for place in range(len(self.stack) - 1, -1, -1):
            entry = self.stack[place]
            scope = entry.scope if isinstance(entry, Unit) else entry
            if scope.kind is Kind.CLASS and place != len(self.stack) - 1:
                continue
            if isinstance(entry, Unit) and (bit := entry.bits.get(name)):
                found.append((entry, bit))
            if name in scope.own or name in scope.globals:
                break
        return found

    def _at_once(self) -> Unit | None:
        """The unit whose statement this place runs with; None in code that runs later."""
        for entry in reversed(self.stack):
            if isinstance(entry, Unit):
                return entry
            if entry.lazy:
                return None
        return None

    def load(self, node: Any, name: str) -> None:
        for unit, bit in self._owners(name):
            if self._at_once() is unit:
                self.use.reads |= bit
                self.use.loads.append((node, bit))
                if self.thunks:
                    self.use.thunked |= bit
            else:
                unit.captured |= bit
                unit.late_loads.append((node, bit))

    def bind(self, name: str) -> None:
        for unit, bit in self._owners(name)[:1]:
            unit.assigned |= bit
            if self._at_once() is not unit:  # a walrus in a generator expression binds when that is asked for a value
                unit.captured |= bit
                unit.rebound |= bit
                self.use.maybes |= bit
            elif self.conditional:
                self.use.maybes |= bit
            else:
                self.use.writes |= bit

    def name(self, node: Any) -> None:
        if isinstance(node.ctx, gast.Load):
            self.load(node, node.id)
        elif isinstance(node.ctx, gast.Store):
            self.bind(node.id)
        elif isinstance(node.ctx, gast.Del):
            self.load(node, node.id)
            for unit, bit in self._owners(node.id)[:1]:
                if self._at_once() is unit:
                    self.use.deletes |= bit

    def augmented(self, node: Any) -> None:
        if isinstance(node.target, gast.Name):
            self.load(node.target, node.target.id)
        self.visit(node.target)
        self.visit(node.value)

    def annotated(self, node: Any) -> None:
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        elif not isinstance(node.target, gast.Name):
            self.visit_all(children(node.target))

    def place(self, node: Any) -> None:
        """An attribute or element: where it is assigned to, it may be state."""
        if not isinstance(node.ctx, gast.Load) and self._at_once() and (text := composite_text(node)) is not None:
            saved, self.use = self.use, Use()
            self.visit_all(children(node))
            inner, self.use = self.use, saved
            names = tuple(sorted({load.id for load in _names_in(node)}))
            self.use.composites.append(Composite(text, node, inner.reads, names))
        self.visit_all(children(node))

    def bool_op(self, node: Any) -> None:
        self.thunks += 1
        self.visit(node.values[0])
        self.conditional += 1
        self.visit_all(node.values[1:])
        self.conditional -= 1
        self.thunks -= 1

    def ternary(self, node: Any) -> None:
        self.visit(node.test)
        self.thunks += 1
        self.conditional += 1
        self.visit(node.body)
        self.visit(node.orelse)
        self.conditional -= 1
        self.thunks -= 1

    def compare(self, node: Any) -> None:
        chained = len(node.ops) > 1
        self.thunks += chained
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.conditional += chained
        self.visit_all(node.comparators[1:])
        self.conditional -= chained
        self.thunks -= chained

    def assert_(self, node: Any) -> None:
        self.visit(node.test)
        if node.msg is not None:
            self.thunks += 1
            self.conditional += 1
            self.visit(node.msg)
            self.conditional -= 1
            self.thunks -= 1

    def walrus(self, node: Any) -> None:
        self.visit(node.value)
        self.bind(node.target.id)

    def comprehension(self, node: Any) -> None:
        self.visit(node.generators[0].iter)
        self.stack.append(self.scopes.table[node])
        self.conditional += 1
        for position, generator in enumerate(node.generators):
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            self.visit_all(generator.ifs)
        self.visit_all([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt])
        self.conditional -= 1
        self.stack.pop()

    # -- what defines things

    def lambda_(self, node: Any) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        self.stack.append(self.scopes.table[node])
        self.visit(node.body)
        self.stack.pop()

    def function(self, node: Any) -> None:
        self.visit_all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        types = self.scopes.types.get(node)
        if types is not None:
            self.stack.append(types)
        scope = self.scopes.table[node]
        if scope.kind is Kind.FUNCTION and not self._inside_native():
            self.function_body(node)
        else:
            self._declare(scope)
            self.stack.append(scope)
            self.visit_all(node.body)
            self.stack.pop()
        if types is not None:
            self.stack.pop()
        self.bind(node.name)

    def _inside_native(self) -> bool:
        return any(not isinstance(entry, Unit) and entry.kind is Kind.NATIVE for entry in self.stack)

    def class_(self, node: Any) -> None:
        self.visit_all(node.decorator_list)
        types = self.scopes.types.get(node)
        if types is not None:
            self.stack.append(types)
        self.visit_all([*node.bases, *node.keywords])
        scope = self.scopes.table[node]
        self._declare(scope)
        self.stack.append(scope)
        self.visit_all(node.body)
        self.stack.pop()
        if types is not None:
            self.stack.pop()
        self.bind(node.name)

    def alias(self, node: Any) -> None:
        self.bind(node.asname or node.name.split(".")[0])

    def pattern_name(self, node: Any) -> None:
        self.visit_all(children(node))
        if node.name is not None:
            self.bind(node.name)

    def pattern_mapping(self, node: Any) -> None:
        self.visit_all(children(node))
        if node.rest is not None:
            self.bind(node.rest)


def _names_in(node: Any) -> list[Any]:
    pending, found = [node], []
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name):
            found.append(node)
        pending += children(node)
    return found


_STATEMENTS: dict[type, Callable[[_Reader, Any], Part]] = {
    gast.Raise: _Reader.raise_,
    gast.Return: _Reader.return_,
    gast.If: _Reader.if_,
    gast.While: _Reader.while_,
    gast.For: _Reader.for_,
    gast.With: _Reader.with_,
    gast.Try: _Reader.try_,
    gast.TryStar: _Reader.try_,
    gast.Match: _Reader.match,
}

_EXPRESSIONS: dict[type, Callable[[_Reader, Any], None]] = {
    gast.Name: _Reader.name,
    gast.AugAssign: _Reader.augmented,
    gast.AnnAssign: _Reader.annotated,
    gast.Attribute: _Reader.place,
    gast.Subscript: _Reader.place,
    gast.BoolOp: _Reader.bool_op,
    gast.IfExp: _Reader.ternary,
    gast.Compare: _Reader.compare,
    gast.Assert: _Reader.assert_,
    gast.NamedExpr: _Reader.walrus,
    gast.ListComp: _Reader.comprehension,
    gast.SetComp: _Reader.comprehension,
    gast.DictComp: _Reader.comprehension,
    gast.GeneratorExp: _Reader.comprehension,
    gast.Lambda: _Reader.lambda_,
    gast.FunctionDef: _Reader.function,
    gast.AsyncFunctionDef: _Reader.function,
    gast.ClassDef: _Reader.class_,
    gast.alias: _Reader.alias,
    gast.MatchAs: _Reader.pattern_name,
    gast.MatchStar: _Reader.pattern_name,
    gast.MatchMapping: _Reader.pattern_mapping,
}
