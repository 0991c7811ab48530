"""What expressions and targets do to the names of a function: which they read, bind and delete, at once or later.

Example:
    reader = UseReader(scopes, jumps, read_function)     # read_function is called for each nested function to convert
    reader.used(assignment)                       # Use(reads=..., writes=...)

Choices: annotations.py says when annotations are read, composites.py which attributes and elements may be state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import gast

from autograph.analysis.annotations import annotations_of, bounds_of, read_alias, read_annotations, read_later
from autograph.analysis.composites import read_place
from autograph.analysis.lowered import Jumps
from autograph.analysis.places import composite_text, values_in, writes_element
from autograph.analysis.regions import Unit, Use
from autograph.analysis.scope import INLINES
from autograph.analysis.scopes import Kind, Scope, Scopes
from autograph.syntax import children

__all__ = ["UseReader", "composite_text", "writes_element"]


class UseReader:
    """Walks expressions; `stack` holds the scopes around the place where it is, units among them."""

    def __init__(self, scopes: Scopes, jumps: Jumps, read_function: Callable[[Any], None]) -> None:
        self.scopes = scopes
        self.jumps = jumps
        self.read_function = read_function
        self.stack: list[Scope | Unit] = []
        self.use = Use()
        self.conditional = 0
        self.thunks = 0
        self.moved = 0

    def used(self, *nodes: Any) -> Use:
        """What expressions and targets, in this order, do to the names of the unit."""
        before, self.use = self.use, Use()
        self.visit_all(nodes)
        use, self.use = self.use, before
        return use

    @contextmanager
    def inside(self, unit: Unit) -> Iterator[None]:
        """Read the statements of a unit, which stands at the present place."""
        saved = self.use, self.conditional, self.thunks, self.moved
        self.conditional = self.thunks = self.moved = 0
        self.stack.append(unit)
        yield
        self.stack.pop()
        self.use, self.conditional, self.thunks, self.moved = saved

    def declare(self, scope: Scope) -> None:
        """Names that a nested function declares nonlocal are assigned to at times that the outer one cannot know."""
        for name in sorted(scope.nonlocals):
            for unit, bit in self._owners(name):
                unit.captured |= bit
                unit.rebound |= bit

    def owner(self, name: str) -> int:
        """The bit of a name that the innermost unit binds."""
        return self._owners(name)[0][1]

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

    def visit_moved(self, *nodes: Any) -> None:
        """Operands that may be skipped, and move into lambdas of the generated code."""
        self.conditional += 1
        self.moved += 1
        self.visit_all(nodes)
        self.moved -= 1
        self.conditional -= 1

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

    def at_once(self) -> Unit | None:
        """The unit whose statement this place runs with; None in code that runs later."""
        for entry in reversed(self.stack):
            if isinstance(entry, Unit):
                return entry
            if entry.lazy:
                return None
        return None

    def load(self, node: Any, name: str) -> None:
        owners = self._owners(name)
        if owners and self._is_free(name):
            owners[0][0].free_loads.add(node)
        for unit, bit in owners:
            if self.at_once() is unit:
                self.use.reads |= bit
                self.use.loads.append((node, bit))
                if self.thunks:
                    self.use.thunked |= bit
            else:
                unit.captured |= bit
                unit.late_loads.append((node, bit))

    def _is_free(self, name: str) -> bool:
        """Whether a variable belongs to a function around the code that is here."""
        scopes = [entry.scope if isinstance(entry, Unit) else entry for entry in self.stack]
        while INLINES and scopes[-1].kind is Kind.COMPREHENSION and scopes[-2].kind is not Kind.CLASS:
            scopes.pop()
        return name not in scopes[-1].own

    def _show(self, name: str) -> None:
        """A builtin that reads frames sees the variable, if it has a value."""
        for unit, bit in self._owners(name):
            if self.at_once() is unit:
                self.use.reads |= bit
                self.use.thunked |= bit
            else:
                unit.captured |= bit

    def bind(self, name: str) -> None:
        for unit, bit in self._owners(name)[:1]:
            unit.assigned |= bit
            if self.moved:
                self.use.stored |= bit
            if self.at_once() is not unit:  # a walrus in a generator expression binds when that is asked for a value
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
            self.unbind(node, node.id)

    def unbound(self, node: Any, name: str) -> Use:
        """What the end of a handler does to the name of its exception."""
        before, self.use = self.use, Use()
        self.unbind(node, name)
        use, self.use = self.use, before
        return use

    def unbind(self, node: Any, name: str) -> None:
        """`del name`, or the end of the handler of `except ... as name`."""
        owners = self._owners(name)
        if not owners or self.at_once() is not owners[0][0]:
            return
        self.use.deletes |= owners[0][1]
        if len(owners) > 1 and name in owners[-1][0].scope.own:
            owners[0][0].outer_deletes.add(node)
            for unit, bit in owners:
                unit.deleted |= bit

    def augmented(self, node: Any) -> None:
        if isinstance(node.target, gast.Name):
            self.load(node.target, node.target.id)
        self.visit(node.target)
        self.visit(node.value)

    def annotated(self, node: Any) -> None:
        if isinstance(self.stack[-1], Scope) and self.stack[-1].kind is Kind.CLASS:
            read_annotations(self, [node.annotation])
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        elif not isinstance(node.target, gast.Name):
            self.visit_all(children(node.target))

    def bool_op(self, node: Any) -> None:
        self.thunks += 1
        self.visit(node.values[0])
        self.visit_moved(*node.values[1:])
        self.thunks -= 1

    def ternary(self, node: Any) -> None:
        self.visit(node.test)
        self.thunks += 1
        self.visit_moved(node.body, node.orelse)
        self.thunks -= 1

    def compare(self, node: Any) -> None:
        chained = len(node.ops) > 1
        self.thunks += chained
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.visit_moved(*node.comparators[1:])
        self.thunks -= chained

    def assert_(self, node: Any) -> None:
        self.visit(node.test)
        if node.msg is not None:
            self.thunks += 1
            self.visit_moved(node.msg)
            self.thunks -= 1

    def call(self, node: Any) -> None:
        self.visit_all(children(node))
        visible = self.scopes.visible.get(node)
        for name in visible.names if visible is not None else ():
            self._show(name)
        pattern = self.jumps.patterns.get(node)
        if pattern is not None:
            self.thunks += 1
            self.conditional += 1
            self.visit_all(values_in(pattern))
            self.conditional -= 1
            self.thunks -= 1

    def walrus(self, node: Any) -> None:
        self.visit(node.value)
        self.bind(node.target.id)

    def comprehension(self, node: Any) -> None:
        self.visit(node.generators[0].iter)
        self.stack.append(self.scopes.table[node])
        self.conditional += 1
        self.thunks += 1
        self.moved += 1
        for position, generator in enumerate(node.generators):
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            self.visit_all(generator.ifs)
        self.visit_all([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt])
        self.moved -= 1
        self.thunks -= 1
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
            read_later(self, bounds_of(node))
        read_annotations(self, annotations_of(node))
        scope = self.scopes.table[node]
        if scope.kind is Kind.FUNCTION and not self._inside_native():
            self.read_function(node)
        else:
            self._read_body(node, scope)
        if types is not None:
            self.stack.pop()
        self.bind(node.name)

    def _read_body(self, node: Any, scope: Scope) -> None:
        self.declare(scope)
        self.stack.append(scope)
        self.visit_all(node.body)
        self.stack.pop()

    def _inside_native(self) -> bool:
        return any(not isinstance(entry, Unit) and entry.kind is Kind.NATIVE for entry in self.stack)

    def class_(self, node: Any) -> None:
        self.visit_all(node.decorator_list)
        types = self.scopes.types.get(node)
        if types is not None:
            self.stack.append(types)
            read_later(self, bounds_of(node))
        self.visit_all([*node.bases, *node.keywords])
        self._read_body(node, self.scopes.table[node])
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


_EXPRESSIONS: dict[type, Callable[[UseReader, Any], None]] = {
    gast.Name: UseReader.name,
    gast.AugAssign: UseReader.augmented,
    gast.AnnAssign: UseReader.annotated,
    gast.Attribute: read_place,
    gast.Subscript: read_place,
    gast.BoolOp: UseReader.bool_op,
    gast.IfExp: UseReader.ternary,
    gast.Compare: UseReader.compare,
    gast.Assert: UseReader.assert_,
    gast.Call: UseReader.call,
    gast.NamedExpr: UseReader.walrus,
    gast.ListComp: UseReader.comprehension,
    gast.SetComp: UseReader.comprehension,
    gast.DictComp: UseReader.comprehension,
    gast.GeneratorExp: UseReader.comprehension,
    gast.Lambda: UseReader.lambda_,
    gast.FunctionDef: UseReader.function,
    gast.AsyncFunctionDef: UseReader.function,
    gast.ClassDef: UseReader.class_,
    gast.alias: UseReader.alias,
    gast.TypeAlias: read_alias,
    gast.MatchAs: UseReader.pattern_name,
    gast.MatchStar: UseReader.pattern_name,
    gast.MatchMapping: UseReader.pattern_mapping,
}
