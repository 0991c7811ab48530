"""Which names belong to which function, class, lambda or comprehension: Python's own scoping rules, on the raw tree.

Example:
    scopes = find_scopes(function)
    scopes.table[function].own       # {'x', 'y'}: parameters and everything that is bound
    scopes.names                     # every identifier in the tree; fresh names keep clear of them

Choices: names of type parameters form a scope of their own around their function or class. Generator functions, async
functions and inner functions that are marked do_not_convert are native: they stay as they are, with everything in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.analysis.frames import Visible, find_visible, may_read
from autograph.analysis.numbers import makes_a_number
from autograph.analysis.scope import Kind, Scope
from autograph.syntax import children

__all__ = ["Kind", "Scope", "Scopes", "find_scopes", "mark_in", "mark_of"]


@dataclass(slots=True)
class Scopes:
    """The scope of each node that opens one.

    visible: for each call of a builtin that reads frames, the variables that it sees. text_annotations: whether
    annotations are kept as text (`from __future__ import annotations`). iterated: the names of variables and attributes
    in what loops and comprehensions go through. containers: the names of variables that are bound to a list, dict or
    set which is written out.
    """

    table: dict[Any, Scope] = field(default_factory=dict)
    types: dict[Any, Scope] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    visible: dict[Any, Visible] = field(default_factory=dict)
    text_annotations: bool = False
    iterated: set[str] = field(default_factory=set)
    containers: set[str] = field(default_factory=set)


def find_scopes(root: Any, around: Collection[str] = ()) -> Scopes:
    """The scopes of a function or lambda and of all that is nested in it; around: the variables of outer functions."""
    finder = _Finder()
    finder.visit(root)
    if finder.readers:
        finder.scopes.visible = find_visible(root, finder.readers, around)
    return finder.scopes


def parameter_names(arguments: Any) -> tuple[str, ...]:
    """The names of all parameters, in the order of a call."""
    stars = [node for node in (arguments.vararg, arguments.kwarg) if node is not None]
    return tuple(node.id for node in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars])


_MARKS = frozenset({"do_not_convert", "autograph_artifact"})


def mark_of(function: Any) -> str | None:
    """The mark by which a function says that it is not to be converted, if it has one."""
    return next((mark for decorator in function.decorator_list if (mark := mark_in(decorator))), None)


def mark_in(decorator: Any) -> str | None:
    """The mark that a decorator is, if it is one; known by its last name, called or not."""
    mark = decorator.func if isinstance(decorator, gast.Call) else decorator
    word = getattr(mark, "attr", getattr(mark, "id", None))
    return word if word in _MARKS else None


class _Finder:
    def __init__(self) -> None:
        self.scopes = Scopes()
        self.stack: list[Scope] = []
        self.readers: list[tuple[Any, tuple[Scope, ...]]] = []

    def visit(self, node: Any) -> None:
        special = _VISITORS.get(type(node))
        if special is not None:
            special(self, node)
        else:
            for child in children(node):
                self.visit(child)

    def visit_all(self, nodes: Any) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def bind(self, name: str, scope: Scope | None = None, to_number: bool = False) -> None:
        self.scopes.names.add(name)
        if scope is None:
            if not self.stack:
                return
            scope = self.stack[-1]
        if not to_number:
            scope.objects.add(name)
        if name not in scope.globals and name not in scope.nonlocals:
            scope.own.add(name)

    def open(self, node: Any, kind: Kind) -> Scope:
        scope = Scope(node, kind)
        self.scopes.table[node] = scope
        self.stack.append(scope)
        return scope

    def close(self) -> None:
        scope = self.stack.pop()
        # A declaration may stand below a use in a branch that the compiler accepts; it holds for the whole scope.
        scope.own -= scope.globals | scope.nonlocals
        if self.stack:
            self.stack[-1].inner |= scope.free
        for outer in self.stack if scope.nonlocals else ():
            outer.objects |= scope.nonlocals
        if scope.yields and scope.kind is Kind.FUNCTION:
            scope.kind = Kind.NATIVE

    def loop(self, node: Any) -> None:
        self._goes_through(node.iter)
        self.visit_all(children(node))

    def _goes_through(self, iterated: Any) -> None:
        parts = [part for part in gast.walk(iterated) if isinstance(part, gast.Name | gast.Attribute)]
        self.scopes.iterated.update(part.id if isinstance(part, gast.Name) else part.attr for part in parts)

    # -- scopes

    def _open_types(self, node: Any) -> bool:
        if not node.type_params:
            return False
        scope = Scope(node, Kind.TYPES)
        self.scopes.types[node] = scope
        self.stack.append(scope)
        for parameter in node.type_params:
            self.bind(parameter.name)
            self.visit_all(children(parameter))
        return True

    def function(self, node: Any) -> None:
        if self.stack:
            self.bind(node.name)
        self.visit_all(node.decorator_list)
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        typed = self._open_types(node)
        self._annotations(node)
        stays = isinstance(node, gast.AsyncFunctionDef) or bool(self.stack and mark_of(node))
        scope = self.open(node, Kind.NATIVE if stays else Kind.FUNCTION)
        self._parameters(scope, node.args)
        self.visit_all(node.body)
        self.close()
        if typed:
            self.close()

    def _annotations(self, node: Any) -> None:
        for parameter in children(node.args):
            if isinstance(parameter, gast.Name) and isinstance(parameter.ctx, gast.Param):
                self.visit_all([parameter.annotation])
        self.visit_all([node.returns])

    def _parameters(self, scope: Scope, arguments: Any) -> None:
        scope.parameters = parameter_names(arguments)
        for name in scope.parameters:
            self.bind(name)

    def lambda_(self, node: Any) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        scope = self.open(node, Kind.LAMBDA)
        self._parameters(scope, node.args)
        self.visit(node.body)
        self.close()

    def class_(self, node: Any) -> None:
        self.bind(node.name)
        self.visit_all(node.decorator_list)
        typed = self._open_types(node)
        self.visit_all([*node.bases, *node.keywords])
        self.open(node, Kind.CLASS)
        self.visit_all(node.body)
        self.close()
        if typed:
            self.close()

    def comprehension(self, node: Any) -> None:
        self.visit(node.generators[0].iter)
        self.open(node, Kind.GENERATOR if isinstance(node, gast.GeneratorExp) else Kind.COMPREHENSION)
        for position, generator in enumerate(node.generators):
            self._goes_through(generator.iter)
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            self.visit_all(generator.ifs)
        self.visit_all([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt])
        self.close()

    # -- names

    def name(self, node: Any) -> None:
        self.scopes.names.add(node.id)
        if not isinstance(node.ctx, gast.Load):
            self.bind(node.id)
        elif self.stack:
            self.stack[-1].reads.add(node.id)
            if node.id == "super" and self.stack[-1].kind not in (Kind.CLASS, Kind.TYPES):
                self.stack[-1].reads.add("__class__")  # as Python has it, for calls without arguments

    def assigned(self, node: Any) -> None:
        """The targets of one value."""
        to_number = makes_a_number(node.value)
        self._note_container(node.targets, node.value)
        for target in node.targets:
            if to_number and isinstance(target, gast.Name):
                self.bind(target.id, to_number=True)
            else:
                self.visit(target)
        self.visit(node.value)

    def _note_container(self, targets: Any, value: Any) -> None:
        if isinstance(value, _CONTAINERS):
            self.scopes.containers.update(target.id for target in targets if isinstance(target, gast.Name))

    def augmented(self, node: Any) -> None:
        """What changes the value of a target makes no container of a number."""
        if isinstance(node.target, gast.Name):
            self.bind(node.target.id, to_number=True)
        else:
            self.visit(node.target)
        self.visit(node.value)

    def annotated(self, node: Any) -> None:
        """`(x): int` binds nothing, as `x: int` does."""
        self._note_container([node.target], node.value)
        declares = node.simple or node.value is not None or not isinstance(node.target, gast.Name)
        self.visit_all([node.target if declares else None, node.annotation, node.value])

    def walrus(self, node: Any) -> None:
        self.visit(node.value)
        for scope in reversed(self.stack):
            if scope.kind not in (Kind.COMPREHENSION, Kind.GENERATOR):
                self.bind(node.target.id, scope)
                return

    def alias(self, node: Any) -> None:
        self.bind(node.asname or node.name.split(".")[0])

    def handler(self, node: Any) -> None:
        if node.name is not None and self.stack:
            self.stack[-1].caught.add(node.name.id)
        self.visit_all(children(node))

    def pattern_name(self, node: Any) -> None:
        if node.name is not None:
            self.bind(node.name)
        self.visit_all(children(node))

    def pattern_mapping(self, node: Any) -> None:
        if node.rest is not None:
            self.bind(node.rest)
        self.visit_all(children(node))

    def global_(self, node: Any) -> None:
        self.scopes.names.update(node.names)
        self.stack[-1].globals.update(node.names)

    def nonlocal_(self, node: Any) -> None:
        self.scopes.names.update(node.names)
        self.stack[-1].nonlocals.update(node.names)

    # -- what makes a function native, or refuses it

    def yield_(self, node: Any) -> None:
        for scope in reversed(self.stack):
            if scope.kind is not Kind.TYPES:
                scope.yields = True
                break
        self.visit_all(children(node))

    def call(self, node: Any) -> None:
        if self.stack and self.stack[-1].kind is not Kind.CLASS and may_read(node):
            self.readers.append((node, tuple(self.stack)))
        self.visit_all(children(node))


_CONTAINERS = gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp

_VISITORS: dict[type, Callable[[_Finder, Any], None]] = {
    gast.FunctionDef: _Finder.function,
    gast.AsyncFunctionDef: _Finder.function,
    gast.Lambda: _Finder.lambda_,
    gast.ClassDef: _Finder.class_,
    gast.ListComp: _Finder.comprehension,
    gast.SetComp: _Finder.comprehension,
    gast.DictComp: _Finder.comprehension,
    gast.GeneratorExp: _Finder.comprehension,
    gast.For: _Finder.loop,
    gast.Name: _Finder.name,
    gast.Assign: _Finder.assigned,
    gast.AugAssign: _Finder.augmented,
    gast.AnnAssign: _Finder.annotated,
    gast.NamedExpr: _Finder.walrus,
    gast.alias: _Finder.alias,
    gast.ExceptHandler: _Finder.handler,
    gast.MatchAs: _Finder.pattern_name,
    gast.MatchStar: _Finder.pattern_name,
    gast.MatchMapping: _Finder.pattern_mapping,
    gast.Global: _Finder.global_,
    gast.Nonlocal: _Finder.nonlocal_,
    gast.Yield: _Finder.yield_,
    gast.YieldFrom: _Finder.yield_,
    gast.Call: _Finder.call,
}
