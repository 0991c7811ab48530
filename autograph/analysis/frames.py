"""What the builtins that read their caller's frame find there: which variables, and in which order.

    def f(b, a):
        c = 1
        return locals()        # Visible(names=('b', 'a', 'c'), own=...)

The order is that of Python's compiler, which is asked for it: parameters, then the others as its code comes upon them,
then those that inner functions use, by name, then those of outer functions.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

import gast

from autograph.analysis.scope import INLINES, Kind, Scope
from autograph.code_names import codes_in
from autograph.naming import FRAME_READERS
from autograph.syntax import deep_recursion, to_ast, unwarned

__all__ = ["Visible", "find_visible", "may_read"]

_Stack = tuple[Scope, ...]
_Names = tuple[str, ...]
_Place = tuple[str, int, _Names]
"""What is known of code: its name, its first line, its parameters."""


@dataclass(frozen=True, slots=True)
class Visible:
    """The variables that are seen somewhere, in the order of a frame.

    own: those of the function itself, but for names of exceptions, which Python unbinds; None in a scope inside it.
    """

    names: _Names
    own: frozenset[str] | None


def may_read(call: Any) -> bool:
    """Whether a call may be one of these builtins, and leaves it to that where it finds the variables."""
    if not isinstance(call.func, gast.Name) or call.func.id not in FRAME_READERS:
        return False
    given = len(call.args) + len(call.keywords)
    if any(isinstance(argument, gast.Starred) for argument in call.args) or any(not k.arg for k in call.keywords):
        return True
    if call.func.id in ("eval", "exec"):
        return given < 2 or any(isinstance(a, gast.Constant) and a.value is None for a in call.args[1:])
    return not given


def find_visible(root: Any, calls: Sequence[tuple[Any, _Stack]], around: Collection[str]) -> dict[Any, Visible]:
    """For each call in the function `root`, given with the scopes around it, the variables that it sees."""
    orders = _orders(root, around)
    found = {}
    for call, stack in calls:
        if all(call.func.id not in scope.own for scope in stack if scope.kind is not Kind.CLASS):
            own = frozenset(stack[-1].own - stack[-1].caught) if stack[-1].kind is Kind.FUNCTION else None
            found[call] = Visible(_ordered(_visible(stack, around), orders.get(_place_of(stack), [])), own)
    return found


def _visible(stack: _Stack, around: Collection[str]) -> set[str]:
    """What `locals()` shows in the innermost of some scopes: its own variables, and those of others that it uses."""
    scope, outer = stack[-1], stack[:-1]
    known = set(around).union(*(other.own for other in outer if other.kind is not Kind.CLASS))
    if any(other.kind is Kind.CLASS for other in outer):
        known.add("__class__")
    found = scope.own | (scope.free & known)
    return found | _visible(outer, around) if _is_inlined(stack) else found


def _is_inlined(stack: _Stack) -> bool:
    """Whether the innermost scope is a comprehension whose code is part of the function."""
    return INLINES and stack[-1].kind is Kind.COMPREHENSION and stack[-2].kind is not Kind.CLASS


def _ordered(names: set[str], orders: list[_Names]) -> _Names:
    """The names in the order of the code that knows most of them: two lambdas may stand on one line."""
    order = max(orders, key=lambda order: len(names.intersection(order)), default=())
    places = {name: place for place, name in enumerate(order)}
    return tuple(sorted(names, key=lambda name: (places.get(name, len(places)), name)))


_CODES: dict[type, str] = {
    gast.DictComp: "<dictcomp>",
    gast.GeneratorExp: "<genexpr>",
    gast.Lambda: "<lambda>",
    gast.ListComp: "<listcomp>",
    gast.SetComp: "<setcomp>",
}


def _place_of(stack: _Stack) -> _Place:
    while _is_inlined(stack):
        stack = stack[:-1]
    node = stack[-1].node
    lines = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]
    return _CODES.get(type(node)) or node.name, min(lines), stack[-1].parameters


def _orders(root: Any, around: Collection[str]) -> dict[_Place, list[_Names]]:
    """The variables of all code in a function, as its frames would show them."""
    found: dict[_Place, list[_Names]] = {}
    for code in codes_in(_compiled(root, around)):
        starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]
        place = code.co_name, code.co_firstlineno, tuple(name for name in parameters if name.isidentifier())
        order = tuple(dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars))
        found.setdefault(place, []).append(order)
    return found


def _compiled(root: Any, around: Collection[str]) -> CodeType:
    with deep_recursion():
        statement: Any = to_ast(root)
        if isinstance(statement, ast.Lambda):
            statement = ast.copy_location(ast.Expr(statement), statement)
        names = [ast.copy_location(ast.arg(name), statement) for name in around if name.isidentifier()]
        factory = ast.FunctionDef("factory", ast.arguments([], names, None, [], [], None, []), [statement], [])
        if sys.version_info >= (3, 12):
            factory.type_params = []
        module = ast.Module([ast.copy_location(factory, statement)], [])
        with unwarned("<frames>"):
            return compile(module, "<frames>", "exec", dont_inherit=True)
