"""What each part of a function reads and changes: names of variables, attributes and elements, as scopes.

Example:
    node = activity.resolve(qual_names.resolve(node), ctx)
    anno.getanno(node.body[0], anno.Static.SCOPE).read              # {x, model, model.rate}
    anno.getanno(loop, annos.NodeAnno.BODY_SCOPE).modified          # {total}

Choices: names of comprehensions are not seen outside of them. A function or class in a statement reads, where it
stands, the names that it takes from outside; they are `captured`, as it may read them whenever it is called. What may
or may not happen when an expression is evaluated (the second operand of `and`) is `conditional`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import gast

from autograph.analysis.scopes import find_scopes
from autograph.pyct import anno, qual_names
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.activity_reader import ExpressionReader, rebinding_names
from autograph.pyct.static_analysis.activity_scope import Scope
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.syntax import deep_recursion

__all__ = ["EMPTY", "Scope", "node_scope", "resolve"]

_SCOPE: Final = anno.Static.SCOPE
EMPTY: Final = Scope(None)
# Statements whose node in a graph stands for control alone; their Static.SCOPE is that of all that is in them.
_CONTROL: Final = (gast.For, gast.AsyncFor, gast.With, gast.AsyncWith, gast.Try, gast.TryStar, gast.Module)


def resolve(node: Any, context: Any = None, parent_scope: Scope | None = None) -> Any:
    """Annotate a function, class or module with scopes; returns it.

    context: the transformer.Context, accepted and not needed. parent_scope: a scope to be around that of `node`.
    Static.SCOPE is set on each statement, and on each other node of a control flow graph; the keys of annos.NodeAnno
    (and those of the same names in anno.Static) on what has a body.
    """
    with deep_recursion():
        qual_names.resolve(node)
        reader = _StatementReader(find_scopes(node), rebinding_names(node))
        if parent_scope is not None:
            reader.scope = parent_scope
        waiting = [node]
        while waiting:
            reader.definitions = []
            reader.owner(waiting.pop())
            waiting += reversed(reader.definitions)
    return node


def node_scope(ast_node: Any) -> Scope:
    """What a node of a control flow graph reads and changes by itself. ast_node: the tree of the node."""
    if isinstance(ast_node, _CONTROL):
        return EMPTY
    scope: Scope = anno.getanno(ast_node, _SCOPE)
    return scope


class _StatementReader(ExpressionReader):
    """Walks the statements of one function after another."""

    def owner(self, node: Any) -> None:
        """A function, lambda, class or module."""
        lexical = self.scopes.table.get(node)
        marks = [(node, NodeAnno.ARGS_AND_BODY_SCOPE)]
        with self.part(*marks, isolated=True) as scope:
            scope.function_name = getattr(node, "name", None)
            arguments = None if isinstance(node, gast.ClassDef | gast.Module) else node.args
            if arguments is not None:
                with self.part((node, NodeAnno.ARGS_SCOPE), (node, anno.Static.ARGS_SCOPE), (arguments, _SCOPE)):
                    for name in lexical.parameters if lexical is not None else ():
                        self.scope.mark_param(QN(name), node)
            with self.part((node, NodeAnno.BODY_SCOPE), (node, anno.Static.BODY_SCOPE)):
                if isinstance(node, gast.Lambda):
                    self._expression(node.body)
                else:
                    self.block(node.body)
            if lexical is not None:
                scope.globals |= {QN(name) for name in lexical.globals}
                scope.nonlocals |= {QN(name) for name in lexical.nonlocals}
                scope.bound |= {QN(name) for name in lexical.own}
        if isinstance(node, gast.Module):
            anno.setanno(node, _SCOPE, scope)

    def block(self, statements: Sequence[Any]) -> None:
        for statement in statements:
            _STATEMENTS.get(type(statement), _StatementReader._simple)(self, statement)

    def _simple(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            self.visit(node) if isinstance(node, _DEFINING) else self.visit_all(_parts(node))
            target = node.target if isinstance(node, gast.AugAssign) else None
            qn = anno.getanno(target, anno.Basic.QN, None) if target is not None else None
            if qn is not None:
                self.scope.mark_read(qn)

    def _expression(self, node: Any, *keys: tuple[Any, Any]) -> None:
        """A test, an iterated value, a target: a node of the graph by itself."""
        with self.part((node, _SCOPE), *keys):
            self.visit(node)

    def _block(self, owner: Any, statements: Sequence[Any], *keys: Any) -> None:
        with self.part(*((owner, key) for key in keys)):
            self.block(statements)

    def _body(self, node: Any) -> None:
        self._block(node, node.body, NodeAnno.BODY_SCOPE, anno.Static.BODY_SCOPE)

    def _orelse(self, node: Any) -> None:
        self._block(node, node.orelse, NodeAnno.ORELSE_SCOPE, anno.Static.ORELSE_SCOPE)

    # -- statements

    def annotated(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            if node.value is not None:
                self.visit(node.value)
            elif isinstance(node.target, gast.Name):
                self.annotation(node.annotation)
                return
            self.visit(node.target)
            self.annotation(node.annotation)

    def assertion(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            self.perhaps(node.test, node.msg)  # nothing of it is evaluated under -O

    def declaration(self, node: Any) -> None:
        with self.part((node, _SCOPE)) as scope:
            names = scope.globals if isinstance(node, gast.Global) else scope.nonlocals
            names.update(QN(name) for name in node.names)

    def test(self, node: Any) -> None:
        """`if` and `while`."""
        with self.part((node, _SCOPE)):
            self._expression(node.test, (node, NodeAnno.COND_SCOPE), (node, anno.Static.COND_SCOPE))
            self._body(node)
            self._orelse(node)

    def for_(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            self._expression(node.iter)
            extra = anno.getanno(node, anno.Basic.EXTRA_LOOP_TEST, None)
            if extra is not None:
                self._expression(extra)
            self._expression(node.target, (node, NodeAnno.ITERATE_SCOPE))
            self._body(node)
            self._orelse(node)

    def with_(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            for item in node.items:
                self._expression(item)
            self._body(node)

    def try_(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            self._body(node)
            for handler in node.handlers:
                if handler.type is not None:
                    self._expression(handler.type)
                with self.part((handler, _SCOPE)):
                    if handler.name is not None:
                        self.scope.mark_modified(QN(handler.name.id))
                        self.scope.isolated_names.add(QN(handler.name.id))
                self._body(handler)
            self._orelse(node)
            self._block(node, node.finalbody, NodeAnno.FINALBODY_SCOPE)

    def match(self, node: Any) -> None:
        with self.part((node, _SCOPE)):
            self._expression(node.subject)
            for case in node.cases:
                self._expression(case.pattern)
                with self.part((case, _SCOPE)):
                    self.captures(case.pattern)
                if case.guard is not None:
                    self._expression(case.guard)
                self._body(case)


_DEFINING: Final = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.TypeAlias)


def _parts(node: Any) -> list[Any]:
    """What a simple statement evaluates, then what it binds."""
    parts = [getattr(node, field, None) for field in ("value", "exc", "cause", "target")]
    parts += [*getattr(node, "targets", ()), *getattr(node, "names", ())]
    return [part for part in parts if isinstance(part, gast.AST)]


_STATEMENTS: dict[type, Callable[[_StatementReader, Any], None]] = {
    gast.AnnAssign: _StatementReader.annotated,
    gast.Assert: _StatementReader.assertion,
    gast.Global: _StatementReader.declaration,
    gast.Nonlocal: _StatementReader.declaration,
    gast.If: _StatementReader.test,
    gast.While: _StatementReader.test,
    gast.For: _StatementReader.for_,
    gast.AsyncFor: _StatementReader.for_,
    gast.With: _StatementReader.with_,
    gast.AsyncWith: _StatementReader.with_,
    gast.Try: _StatementReader.try_,
    gast.TryStar: _StatementReader.try_,
    gast.Match: _StatementReader.match,
}
