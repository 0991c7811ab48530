"""Walks a lowered function once and hands each node to the converter of its construct.

A converter is a function `(rewriter, node)`. For expressions it returns the new expression; for statements, the list of
statements that take its place. A node type without a converter keeps its form, and its parts are converted. Which file
handles which node type is one table, in converters/__init__.py.

Example (a converter):
    def convert_not(rewriter, node):
        return At(node).operator(rewriter.ag, "not_", rewriter.expression(node.operand))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gast

from autograph.analysis.lowered import Jumps
from autograph.analysis.regions import Unit
from autograph.analysis.scopes import Scopes
from autograph.analysis.state import Facts
from autograph.converters.binding import Binding, begin, definitions
from autograph.naming import Namer
from autograph.options import ConversionOptions
from autograph.syntax import At

__all__ = ["Analyses", "Expressions", "Place", "Rewriter", "Statements", "Tables"]

Expressions = Mapping[type, Callable[["Rewriter", Any], Any]]
Statements = Mapping[type, Callable[["Rewriter", Any], list[Any]]]


@dataclass(frozen=True, slots=True)
class Tables:
    """Converters by node type. full: everything. native: reads of names only. in_class: the body of a class.

    in_lambda: the body of a lambda that has variables of its own.
    """

    full: Expressions
    native: Expressions
    in_class: Expressions
    in_lambda: Expressions
    statements: Statements


@dataclass(frozen=True, slots=True)
class Analyses:
    """The side tables, by node."""

    scopes: Scopes
    jumps: Jumps
    units: dict[Any, Unit]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Place:
    """Where the statements being converted stand: their function, its scope variable, and the names declared there."""

    unit: Unit | None
    fscope: str
    nonlocals: frozenset[str] = frozenset()
    first_parameter: str | None = None


class Rewriter:
    """The walk, and what every converter needs: the analyses, fresh names, the options, the place."""

    def __init__(
        self,
        tables: Tables,
        analyses: Analyses,
        namer: Namer,
        options: ConversionOptions,
        ag: str,
        fscope: str,
        around: Collection[str],
    ) -> None:
        self.tables = tables
        self.scopes = analyses.scopes
        self.jumps = analyses.jumps
        self.units = analyses.units
        self.facts = analyses.facts
        self.namer = namer
        self.options = options
        self.ag = ag
        self.place = Place(None, fscope)
        self.keeps_asserts = True
        self.consumer: str | None = None  # of a generator that a loop runs
        self.feeding: Collection[Any] = ()  # statements of that generator in which items are handed over
        self.binding: Binding | None = None  # what operands of the present statement may assign to
        self.moves = False  # whether the present expression moves into a lambda
        self.bound_names = frozenset(around).union(*(scope.own for scope in analyses.scopes.table.values()))
        self.tests: set[Any] = set()  # expressions of which only the truth is asked
        self._table = tables.full

    def test(self, node: Any) -> Any:
        """The converted form of the condition of a statement or expression."""
        return self.expression(self.asked_for_truth(node))

    def asked_for_truth(self, node: Any) -> Any:
        """Note that nothing but its truth is asked of an expression, nor of the operands that its truth comes from."""
        pending = [node]
        while pending:
            part = pending.pop()
            if isinstance(part, gast.BoolOp):
                pending += part.values
            elif isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.Not):
                pending.append(part.operand)
            elif isinstance(part, gast.IfExp):
                pending += [part.body, part.orelse]
            elif not isinstance(part, gast.Compare):
                continue
            self.tests.add(part)
        return node

    def expression(self, node: Any) -> Any:
        """The converted form of an expression or of any part of one."""
        convert = self._table.get(type(node))
        return self.parts(node) if convert is None else convert(self, node)

    def parts(self, node: Any) -> Any:
        """Convert the parts of a node in place; the node itself keeps its form."""
        for field in node._fields:
            value = getattr(node, field, ())
            if value.__class__ is list:
                setattr(node, field, [self.expression(item) if isinstance(item, gast.AST) else item for item in value])
            elif isinstance(value, gast.AST) and value._fields:
                setattr(node, field, self.expression(value))
        return node

    def native(self, node: Any) -> Any:
        """Keep the code of a node as it is, but for reads of names that may hold a placeholder."""
        with self.using(self.tables.native):
            return self.expression(node)

    def twin(self, node: Any) -> Any:
        """A copy of an expression about which the analyses say the same, for code that is written twice."""
        kind: Any = type(node)
        copied = kind.__new__(kind)
        for key, value in node.__dict__.items():
            if value.__class__ is list:
                value = [self.twin(item) if isinstance(item, gast.AST) else item for item in value]
            elif isinstance(value, gast.AST):
                value = self.twin(value)
            copied.__dict__[key] = value
        if node in self.scopes.table:
            self.scopes.table[copied] = self.scopes.table[node]
        if node in self.scopes.visible:
            self.scopes.visible[copied] = self.scopes.visible[node]
        for noted in (self.facts.checked, self.facts.free, self.tests):
            if node in noted:
                noted.add(copied)
        return copied

    @property
    def table(self) -> Expressions:
        """The table by which expressions are converted at present."""
        return self._table

    @contextmanager
    def using(self, table: Expressions) -> Iterator[None]:
        """Convert expressions by another table for a while."""
        before, self._table = self._table, table
        try:
            yield
        finally:
            self._table = before

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Convert statements of another function for a while."""
        before, self.place = self.place, place
        try:
            yield
        finally:
            self.place = before

    def block(self, statements: list[Any]) -> list[Any]:
        """The converted form of statements in a row, with the placeholders that they need before them."""
        result: list[Any] = []
        for node in statements:
            for name in self.facts.inits.get(node, ()):
                result.append(self.placeholder(At.start_of(node), name))
            with self.storing(self._stored(node), At.start_of(node)) as functions:
                convert = self.tables.statements.get(type(node))
                converted = [self.parts(node)] if convert is None else convert(self, node)
            result += functions
            result += converted
        return result

    def _stored(self, node: Any) -> tuple[str, ...]:
        """The names that the head of a statement assigns to in operands that move; a loop's test has its own."""
        if not self.facts.stored or isinstance(node, gast.While):
            return ()
        parts = [node, *getattr(node, "items", ()), *getattr(node, "handlers", ())]
        return tuple(sorted({name for part in parts for name in self.facts.stored.get(part, ())}))

    @contextmanager
    def storing(self, names: tuple[str, ...], at: At) -> Iterator[list[Any]]:
        """Convert expressions whose operands may assign to `names`; gives the functions to define before them."""
        before = self.binding, self.moves
        self.binding, self.moves = begin(self, names) if names else None, False
        try:
            yield [] if self.binding is None else definitions(self, self.binding, at)
        finally:
            self.binding, self.moves = before

    @contextmanager
    def moving(self, moved: bool = True) -> Iterator[None]:
        """Convert an operand that moves into a lambda of the generated code."""
        before, self.moves = self.moves, self.moves or moved
        try:
            yield
        finally:
            self.moves = before

    def stager(self, node: Any) -> str:
        """The name of what offers the operator of a statement: `ag__`, or the consumer of what happens in it."""
        return self.consumer if self.consumer is not None and node in self.feeding else self.ag

    def placeholder(self, at: At, name: str) -> Any:
        """`name = ag__.Undefined('name')`."""
        return at.assign(name, at.operator(self.ag, "Undefined", at.constant(name)))

    def forgotten(self, at: At, name: str, deleted: Any) -> list[Any]:
        """The statements by which a variable loses its value, where `deleted` is the node that says so."""
        assert self.place.unit is not None
        if name in self.place.unit.scope.own or deleted in self.facts.outer_deletes:
            return [self.placeholder(at, name)]
        return [at.assign(name, at.constant(None)), at.delete(name)]  # others than converted code may read it

    def starting(self, at: At, key: tuple[Any, str]) -> list[Any]:
        """The placeholders at the start of a generated function."""
        return [self.placeholder(at, name) for name in self.facts.starts.get(key, ())]
