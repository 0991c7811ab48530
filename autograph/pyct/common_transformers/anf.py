"""A-normal form: every operation stands in a statement of its own, and its operands are names and constants.

Example:
    node = anf.transform(node, ctx)
    # return f(g(x) + 1)   becomes
    # tmp = f
    # tmp_1 = g(x)
    # tmp_2 = tmp_1 + 1
    # tmp_3 = tmp(tmp_2)
    # return tmp_3

The result does what the original does: the same effects in the same order (`f` is read before g is called), laziness of
`and`, `or`, ternaries and chained comparisons included. `config` says which expressions get a statement (anf_rules).
Left as they are, with all in them: lambdas, comprehensions, f-strings, assertions, decorators, defaults, annotations,
guards, types of handlers, class bodies but for their methods, and targets that are tuples: their parts run amid other
work, or in a scope of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import gast

from autograph.naming import Namer, identifiers
from autograph.pyct import positions
from autograph.pyct.ast_util import copy_clean
from autograph.pyct.common_transformers.anf_expressions import ExpressionTaker, Operand, operands_of
from autograph.pyct.common_transformers.anf_rules import ANY, DEFAULT, LEAVE, REPLACE, ASTEdgePattern, Config
from autograph.syntax import At, children, deep_recursion

__all__ = ["ANY", "DEFAULT", "LEAVE", "REPLACE", "ASTEdgePattern", "transform"]

_FUNCTIONS: Final = (gast.FunctionDef, gast.AsyncFunctionDef)


def transform(node: Any, ctx: Any = None, config: Config | None = None) -> Any:
    """A function, a module, or a list of statements in a-normal form; a lambda can hold none, and stays as it is.

    ctx: the transformer.Context, for names that are free in it too. config: pairs of an ASTEdgePattern or ANY, and
    REPLACE, LEAVE or a function from parent, field and child to whether it is replaced; the first that fits decides.
    The tree is changed in place.
    """
    if isinstance(node, gast.Lambda):
        return node
    with deep_recursion():
        statements = list(node) if isinstance(node, list | tuple) else [node]
        names = Namer(set().union(*(identifiers(each) for each in statements)))

        def fresh() -> str:
            name = names.fresh("tmp")
            return name if ctx is None else str(ctx.namer.new_symbol(name))

        taker = _StatementTaker(DEFAULT if config is None else config, fresh, ())
        for statement in statements:
            positions.complete(statement)
        if isinstance(node, gast.Module):
            node.body = taker.block(node.body)
            return node
        found = taker.block(statements)
        return found if isinstance(node, list | tuple) or len(found) > 1 else found[0]


def _stable_parameters(function: Any) -> set[str]:
    """The parameters that nothing ever binds or deletes: they have a value, and it stays."""
    stars = [each for each in (function.args.vararg, function.args.kwarg) if each is not None]
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs, *stars]
    bound: set[str] = set()
    pending = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load | gast.Param):
            bound.add(node.id)
        for field in ("name", "asname", "rest"):
            text = getattr(node, field, None)
            if isinstance(text, str):
                bound.add(text.split(".")[0])
        pending += children(node)
    return {parameter.id for parameter in parameters} - bound


class _StatementTaker(ExpressionTaker):
    """Goes through statements; `out` collects those that take the place of the present one."""

    def block(self, statements: Sequence[Any]) -> list[Any]:
        """The statements that take the place of a block."""
        found: list[Any] = []
        for statement in statements:
            emitted, _ = self.apart(partial(self._statement, statement))
            found += emitted
        return found

    def _statement(self, node: Any) -> None:
        special = _STATEMENTS.get(type(node))
        if special is None or not special(self, node):
            self.out.append(node)

    # -- simple statements

    def expression(self, node: Any) -> None:
        node.value = self.flat(node.value)

    def return_(self, node: Any) -> None:
        if node.value is not None:
            node.value = self.value(node, "value", node.value)

    def raise_(self, node: Any) -> None:
        if node.exc is not None:
            self.operands([Operand(node, "exc"), *([Operand(node, "cause")] if node.cause is not None else [])])

    def delete(self, node: Any) -> None:
        for target in node.targets[:-1]:
            single = At(node).put(gast.Delete([target]))
            self.delete(single)
            self.out.append(single)
        node.targets = node.targets[-1:]
        if isinstance(node.targets[0], gast.Attribute | gast.Subscript):
            self.operands(operands_of(node.targets[0]))

    def assign(self, node: Any) -> None:
        node.value = self.flat(node.value)
        if all(isinstance(target, gast.Name) for target in node.targets):
            return
        if len(node.targets) > 1 and not self.is_stable(node.value):
            node.value = self.named(node.value)
        for target in node.targets[:-1]:
            single = At(node).assign(target, copy_clean(node.value))
            self._target(single)
            self.out.append(single)
        node.targets = node.targets[-1:]
        self._target(node)

    def _target(self, node: Any) -> None:
        """The one target of an assignment: what it is made of is evaluated after the value."""
        target = node.targets[0]
        if not isinstance(target, gast.Attribute | gast.Subscript):
            return
        emitted, _ = self.apart(partial(self.operands, operands_of(target)))
        if emitted and not self.is_stable(node.value):
            node.value = self.named(node.value)
        self.out += emitted

    def annotated(self, node: Any) -> None:
        if node.value is not None and isinstance(node.target, gast.Name):
            node.value = self.flat(node.value)

    def augmented(self, node: Any) -> bool:
        """The target is read before the value is evaluated."""
        if not isinstance(node.target, gast.Name):
            self.operands(operands_of(node.target))
        emitted, node.value = self.apart(partial(self.flat, node.value))
        if not emitted:
            return False
        if not isinstance(node.target, gast.Name):
            for operand in operands_of(node.target):
                self.keep(operand)
        current = copy_clean(node.target)
        current.ctx = gast.Load()
        name = self.named(current).id
        at = At(node)
        change = at.put(gast.AugAssign(at.store(name), node.op, node.value))
        self.out += [*emitted, change, at.assign(node.target, at.name(name))]
        return True

    # -- blocks

    def if_(self, node: Any) -> None:
        node.test = self.truth(node, "test", node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)

    def while_(self, node: Any) -> bool:
        """A test that needs statements is made in the body; then Python no longer knows when to run an `else`."""
        at = At(node.test)
        emitted, test = self.apart(partial(self.truth, node, "test", node.test))
        node.body, orelse = self.block(node.body), self.block(node.orelse)
        if not emitted:
            node.test, node.orelse = test, orelse
            return False
        leave: list[Any] = [at.put(gast.Break())]
        after: list[Any] = []
        if orelse:
            ended = self.fresh()
            self.out.append(at.assign(ended, at.constant(False)))
            leave.insert(0, at.assign(ended, at.constant(True)))
            after = [At(orelse[0]).if_(at.name(ended), orelse)]
        node.body = [*emitted, at.if_(at.not_(test), leave), *node.body]
        node.test, node.orelse = at.constant(True), []
        self.out += [node, *after]
        return True

    def for_(self, node: Any) -> None:
        node.iter = self.value(node, "iter", node.iter)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)

    def with_(self, node: Any) -> None:
        first = node.items[0]
        first.context_expr = self.value(first, "context_expr", first.context_expr)
        if len(node.items) == 1:
            node.body = self.block(node.body)
            return
        inner = At(node).put(type(node)(node.items[1:], node.body, None))
        emitted, _ = self.apart(partial(self.with_, inner))
        if emitted:
            node.items, node.body = [first], [*emitted, inner]
        else:
            node.items, node.body = [first, *inner.items], inner.body

    def try_(self, node: Any) -> None:
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        node.finalbody = self.block(node.finalbody)
        for handler in node.handlers:
            handler.body = self.block(handler.body)

    def match(self, node: Any) -> None:
        node.subject = self.value(node, "subject", node.subject)
        for case in node.cases:
            case.body = self.block(case.body)

    def function(self, node: Any) -> None:
        inner = _StatementTaker(self.config, self.fresh, _stable_parameters(node))
        node.body = inner.block(node.body)

    def class_(self, node: Any) -> None:
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS):
                self.function(statement)


_STATEMENTS: Final[dict[type, Callable[[_StatementTaker, Any], bool | None]]] = {
    gast.Expr: _StatementTaker.expression,
    gast.Return: _StatementTaker.return_,
    gast.Raise: _StatementTaker.raise_,
    gast.Delete: _StatementTaker.delete,
    gast.Assign: _StatementTaker.assign,
    gast.AnnAssign: _StatementTaker.annotated,
    gast.AugAssign: _StatementTaker.augmented,
    gast.If: _StatementTaker.if_,
    gast.While: _StatementTaker.while_,
    gast.For: _StatementTaker.for_,
    gast.AsyncFor: _StatementTaker.for_,
    gast.With: _StatementTaker.with_,
    gast.AsyncWith: _StatementTaker.with_,
    gast.Try: _StatementTaker.try_,
    gast.TryStar: _StatementTaker.try_,
    gast.Match: _StatementTaker.match,
    gast.FunctionDef: _StatementTaker.function,
    gast.AsyncFunctionDef: _StatementTaker.function,
    gast.ClassDef: _StatementTaker.class_,
}
