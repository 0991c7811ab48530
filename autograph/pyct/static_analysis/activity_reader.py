"""What expressions, targets and patterns read and change, noted in the scope that stands around them.

Example:
    reader = ExpressionReader(find_scopes(function), rebinding_names(function))
    with reader.part(scope, node):          # node gets its Static.SCOPE
        reader.visit(node)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import gast

from autograph.analysis.scopes import Kind, Scopes
from autograph.pyct import anno
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.activity_scope import Scope
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.syntax import children

__all__ = ["HIDDEN", "ExpressionReader", "rebinding_names"]

HIDDEN: Final = "names of comprehensions"
"""The key of an annotation: on a name of a comprehension; and on a lambda in one, the names that it sees of those."""

_DEFINITIONS: Final = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def rebinding_names(root: Any) -> dict[Any, set[str]]:
    """For each function and class in a tree: the names that it, or what is in it, declares nonlocal."""
    found: dict[Any, set[str]] = {}
    pending: list[tuple[Any, tuple[Any, ...]]] = [(root, ())]
    while pending:
        node, around = pending.pop()
        if isinstance(node, _DEFINITIONS):
            found[node] = set()
            around = (*around, node)
        elif isinstance(node, gast.Nonlocal):
            for definition in around:
                found[definition].update(node.names)
        pending += [(child, around) for child in children(node)]
    return found


class ExpressionReader:
    """Walks expressions. scope: where names are noted; hidden: the names of comprehensions around the place."""

    def __init__(self, scopes: Scopes, rebinding: dict[Any, set[str]]) -> None:
        self.scopes = scopes
        self.rebinding = rebinding
        self.scope = Scope(None)
        self.hidden: list[set[str]] = []
        self.conditional = 0
        self.is_annotation = False
        self.definitions: list[Any] = []  # functions, lambdas and classes that stand in what was read

    @contextmanager
    def part(self, *marks: tuple[Any, Any], isolated: bool = False) -> Iterator[Scope]:
        """Note names in a scope of its own, inside the present one. marks: nodes, and keys under which they get it."""
        around, self.scope = self.scope, Scope(self.scope, isolated)
        yield self.scope
        self.scope.finalize()
        for node, key in marks:
            anno.setanno(node, key, self.scope)
        self.scope = around

    def visit(self, node: Any) -> None:
        special = _EXPRESSIONS.get(type(node))
        if special is not None:
            special(self, node)
        else:
            self.visit_all(children(node))

    def visit_all(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def perhaps(self, *nodes: Any) -> None:
        """What is evaluated on some ways only."""
        self.conditional += 1
        self.visit_all(nodes)
        self.conditional -= 1

    # -- names

    def _is_hidden(self, names: Iterable[QN]) -> bool:
        return bool(self.hidden) and any(str(name) in hidden for name in names for hidden in self.hidden)

    def name(self, node: Any) -> None:
        qn = QN(node.id)
        if self._is_hidden([qn]):
            anno.setanno(node, HIDDEN, frozenset([node.id]))
            return
        if isinstance(node.ctx, gast.Store):
            self.scope.mark_modified(qn, bool(self.conditional))
        elif isinstance(node.ctx, gast.Del):
            self.scope.mark_read(qn)
            self.scope.mark_deleted(qn)
        elif isinstance(node.ctx, gast.Load):
            self._read(qn)

    def _read(self, qn: QN) -> None:
        if self.is_annotation:
            self.scope.annotations.add(qn)
        self.scope.mark_read(qn)

    def place(self, node: Any) -> None:
        """An attribute or element; without a name that stays the same, only what it is made of counts."""
        self.visit_all(children(node))
        qn = anno.getanno(node, anno.Basic.QN, None)
        if qn is None:
            return
        if self._is_hidden(qn.support_set):
            anno.setanno(node, HIDDEN, frozenset(str(name) for name in qn.support_set))
            return
        if isinstance(node.ctx, gast.Store):
            self.scope.mark_modified(qn, bool(self.conditional))
        elif isinstance(node.ctx, gast.Del):
            self.scope.mark_read(qn)
            self.scope.mark_deleted(qn)
        else:
            self._read(qn)

    def walrus(self, node: Any) -> None:
        self.visit(node.value)
        self.scope.mark_modified(QN(node.target.id), bool(self.conditional))

    def captures(self, pattern: Any) -> None:
        """The names that a pattern binds."""
        pending = [pattern]
        while pending:
            node = pending.pop()
            name = node.rest if isinstance(node, gast.MatchMapping) else getattr(node, "name", None)
            if name is not None:
                self.scope.mark_modified(QN(name))
            pending += [child for child in children(node) if isinstance(child, gast.pattern)]

    def alias(self, node: Any) -> None:
        if node.name != "*":
            self.scope.mark_modified(QN(node.asname or node.name.split(".")[0]))

    # -- what is evaluated on some ways only

    def bool_op(self, node: Any) -> None:
        self.visit(node.values[0])
        self.perhaps(*node.values[1:])

    def ternary(self, node: Any) -> None:
        self.visit(node.test)
        self.perhaps(node.body, node.orelse)

    def compare(self, node: Any) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.perhaps(*node.comparators[1:])

    def comprehension(self, node: Any) -> None:
        self.visit(node.generators[0].iter)
        own = self.scopes.table[node]
        self.hidden.append(own.own)
        before = set(self.scope.modified)
        for position, generator in enumerate(node.generators):
            self.perhaps(generator.target, generator.iter if position else None, *generator.ifs)
        self.perhaps(*([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]))
        self.hidden.pop()
        if own.kind is Kind.GENERATOR:  # runs whenever somebody asks for a value
            self._capture(own.free)
            self.scope.rebound |= {qn for qn in self.scope.modified - before if qn.is_simple()}

    # -- what defines things

    def call(self, node: Any) -> None:
        self.visit(node.func)
        with self.part((node, NodeAnno.ARGS_SCOPE), (node, anno.Static.ARGS_SCOPE)):
            self.visit_all([*node.args, *node.keywords])
        visible = self.scopes.visible.get(node)
        for name in visible.names if visible is not None else ():
            self._read(QN(name))  # a builtin that reads frames sees all variables

    def _capture(self, names: Iterable[str]) -> None:
        found = {QN(name) for name in names}
        found = {qn for qn in found if not self._is_hidden([qn])}
        self.scope.captured |= found
        self.scope.read |= found

    def lambda_(self, node: Any) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        self._capture(self.scopes.table[node].free)
        if self.hidden:
            anno.setanno(node, HIDDEN, frozenset().union(*self.hidden))
        self.definitions.append(node)

    def annotation(self, *nodes: Any) -> None:
        before, self.is_annotation = self.is_annotation, True
        self.visit_all(nodes)
        self.is_annotation = before

    def function(self, node: Any) -> None:
        """The statement `def`: what is evaluated where it stands."""
        self.visit_all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        stars = [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *stars]
        self._inner(node, [*(each.annotation for each in parameters), node.returns])

    def class_(self, node: Any) -> None:
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self._inner(node, [])

    def _inner(self, node: Any, annotations: Iterable[Any]) -> None:
        types = self.scopes.types.get(node)
        if types is not None:
            self.hidden.append(types.own)
            self._capture(types.free)
        self.annotation(*annotations)
        free = self.scopes.table[node].free
        self._capture(free)
        rebound = {QN(name) for name in self.rebinding.get(node, set()) & free}
        self.scope.rebound |= rebound
        if isinstance(node, gast.ClassDef):
            for qn in rebound:  # the body runs at once
                self.scope.mark_modified(qn, conditional=True)
        if types is not None:
            self.hidden.pop()
        self.scope.mark_modified(QN(node.name))
        self.definitions.append(node)

    def type_alias(self, node: Any) -> None:
        """`type X = ...`: the value is evaluated when somebody asks for it."""
        own = {parameter.name for parameter in node.type_params}
        self.hidden.append(own)
        before = set(self.scope.read)
        self.visit_all([*node.type_params, node.value])
        self.scope.captured |= {qn for qn in self.scope.read - before if qn.is_simple()}
        self.hidden.pop()
        self.visit(node.name)


_EXPRESSIONS: dict[type, Callable[[ExpressionReader, Any], None]] = {
    gast.Name: ExpressionReader.name,
    gast.Attribute: ExpressionReader.place,
    gast.Subscript: ExpressionReader.place,
    gast.NamedExpr: ExpressionReader.walrus,
    gast.BoolOp: ExpressionReader.bool_op,
    gast.IfExp: ExpressionReader.ternary,
    gast.Compare: ExpressionReader.compare,
    gast.ListComp: ExpressionReader.comprehension,
    gast.SetComp: ExpressionReader.comprehension,
    gast.DictComp: ExpressionReader.comprehension,
    gast.GeneratorExp: ExpressionReader.comprehension,
    gast.Call: ExpressionReader.call,
    gast.Lambda: ExpressionReader.lambda_,
    gast.alias: ExpressionReader.alias,
    gast.FunctionDef: ExpressionReader.function,
    gast.AsyncFunctionDef: ExpressionReader.function,
    gast.ClassDef: ExpressionReader.class_,
    gast.TypeAlias: ExpressionReader.type_alias,
}
