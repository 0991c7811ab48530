"""Operands that an expression has evaluated already and still keeps, where no name leads to them.

    sizes = [len(t) for t in [a, grow(a, x), a]]  # while `grow` runs, the first `a` is the list that was there

A list that becomes one that grows is replaced under all its names. An operand is none: it would stay the old list. The
frames of the functions that are being traced say which call they are in, and the text what was evaluated before that.

    operand_holding(a, traced_frames())              # "'a', which `[a, grow(a, x), a]` evaluates before `grow(a, x)`,"
"""

from __future__ import annotations

import ast
import linecache
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import getattr_static
from itertools import pairwise
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, Final

from autograph.cache import kept_by_identity
from autograph.operators.frame_variables import variables_of
from autograph.template import displays_in
from runtime import structures as nest
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.optional.values import inside_of
from runtime.heap.store import World
from runtime.tensor.tensor import Tensor

__all__ = ["operand_holding"]

_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp)
_SCOPES: Final = {
    "<lambda>": ast.Lambda, "<genexpr>": ast.GeneratorExp, "<listcomp>": ast.ListComp, "<setcomp>": ast.SetComp,
    "<dictcomp>": ast.DictComp,
}  # fmt: skip
"""Expressions with a frame of their own, by its name: what is around them is in the frame around."""

_FRESH: Final = (ast.Constant, ast.JoinedStr, ast.Compare, ast.Lambda)
"""What these give holds no object of the program's."""

_PLAIN: Final = (Tensor, bool, int, float, complex, str, bytes, type(None), TensorList)
_COUNTS: Final = (len, int, float, bool, str, abs, round, isinstance, id, repr)
"""Builtins whose results hold no object of the program's."""


def operand_holding(value: Any, frames: Iterable[FrameType]) -> str:
    """What one of the frames has evaluated that may hold a list, and where, in words; else the empty text."""
    for frame in frames:
        path = _path_to_call(frame)
        look = _Look(frame, value, path)
        for whole, part in pairwise(path):
            is_given_it = look.is_given_what_is_new(whole)
            for operand in _before(whole, part):
                if look.may_hold(operand) and not (is_given_it and look.is_itself(operand)):
                    shown, around, later = (ast.unparse(tree).splitlines()[0] for tree in (operand, whole, path[-1]))
                    return f"`{shown}`, which `{around}` evaluates before `{later}`,"
    return ""


# -- which call a frame is in, and what it has evaluated before


def _path_to_call(frame: FrameType) -> Sequence[ast.AST]:
    """The expressions around the call that a frame is in: the statement first, the call last."""
    line, end_line, column, end_column = _positions(frame.f_code)[frame.f_lasti // 2]
    if line is None or end_line is None or column is None or end_column is None:
        return ()
    first, last = (line, column), (end_line, end_column)
    scope = _SCOPES.get(frame.f_code.co_name, ast.stmt)
    path: list[ast.AST] = []
    node: ast.AST | None = _parsed("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    while node is not None:
        if isinstance(node, (ast.stmt, scope)):
            path.clear()
        path.append(node)
        node = _inner(node, first, last)
    return path


@kept_by_identity
def _positions(code: CodeType) -> Sequence[tuple[int | None, ...]]:
    """The lines and columns of each instruction."""
    return list(code.co_positions())


@lru_cache(maxsize=64)
def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except SyntaxError:  # a text that is no module, such as that of a notebook's cell with its own commands
        return ast.Module([], [])


def _inner(node: ast.AST, first: tuple[int, int], last: tuple[int, int]) -> ast.AST | None:
    """The part of a tree that covers a range; None where that is in no part of it, or in several."""
    for name in node._fields:
        body = getattr(node, name, None)
        if isinstance(body, list) and body and isinstance(body[0], ast.stmt):  # many, in the order of the text
            found = body[max(bisect_right(body, first, key=_begin) - 1, 0)]
            if _covers(found, first, last):
                return found
    parts = (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt))
    return next((part for part in parts if _covers(part, first, last)), None)


def _begin(node: Any) -> tuple[int, int]:
    if getattr(node, "decorator_list", None):
        return min(decorator.lineno for decorator in node.decorator_list), 0
    return node.lineno, node.col_offset


def _covers(node: ast.AST, first: tuple[int, int], last: tuple[int, int]) -> bool:
    if isinstance(node, ast.arguments | ast.comprehension | ast.withitem | ast.match_case):  # these have no place
        return any(_covers(inner, first, last) for inner in ast.iter_child_nodes(node))
    if not isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.ExceptHandler):
        return False
    return _begin(node) <= first and last <= (node.end_lineno or 0, node.end_col_offset or 0)


def _before(whole: ast.AST, part: ast.AST) -> Iterator[ast.AST]:
    """The operands of an expression or statement that it keeps while it evaluates a part of it."""
    if isinstance(whole, _COMPREHENSIONS) and not isinstance(part, ast.comprehension):
        yield from (whole.key, whole.value) if isinstance(whole, ast.DictComp) else (whole.elt,)  # of earlier items
        yield whole.generators[0].iter
        return
    operands = [operand for operand in _OPERANDS.get(type(whole), lambda tree: ())(whole) if operand is not None]
    if part in operands:
        yield from operands[: operands.index(part)]


_OPERANDS: Final[dict[type, Callable[[Any], Iterable[Any]]]] = {
    ast.Call: lambda t: [t.func.value if isinstance(t.func, ast.Attribute) else None, *t.args, *t.keywords],
    ast.List: lambda t: t.elts,
    ast.Tuple: lambda t: t.elts,
    ast.Set: lambda t: t.elts,
    ast.Dict: lambda t: [part for pair in zip(t.keys, t.values, strict=True) for part in pair],
    ast.BinOp: lambda t: [t.left, t.right],
    ast.Compare: lambda t: [t.left, *t.comparators],
    ast.Subscript: lambda t: [t.value, t.slice],
    ast.Slice: lambda t: [t.lower, t.upper, t.step],
    ast.AugAssign: lambda t: [t.target, t.value],
    ast.Assign: lambda t: [t.value, *t.targets],
    ast.AnnAssign: lambda t: [t.value, t.target],
    ast.arguments: lambda t: [*t.defaults, *t.kw_defaults],
    ast.FunctionDef: lambda t: [*t.decorator_list, t.args],
    ast.ClassDef: lambda t: [*t.decorator_list, *t.bases, *t.keywords],
}
"""For each kind of tree what it evaluates and keeps, in this order."""


# -- whether an operand may hold a value


@dataclass(frozen=True)
class _Look:
    """Looks for `value` in the operands of a frame; `path` leads to the call that it is in."""

    frame: FrameType
    value: Any
    path: Sequence[ast.AST]

    def is_given_what_is_new(self, whole: ast.AST) -> bool:
        """Whether a display or a call has the new list in the place of the old one, once it is complete."""
        if isinstance(whole, ast.Call):
            function = self._known(whole.func)
            if function is _UNKNOWN and isinstance(whole.func, ast.Attribute):
                function = getattr_static(self._known(whole.func.value), whole.func.attr, None)
            return type(function) in (FunctionType, MethodType)
        return (getattr(whole, "lineno", 0), getattr(whole, "col_offset", 0)) in displays_in(self.frame.f_code)

    def is_itself(self, operand: ast.AST) -> bool:
        """Whether the operand is nothing but the value looked for."""
        return self._known(operand.value if isinstance(operand, ast.keyword) else operand) is self.value

    def may_hold(self, operand: ast.AST) -> bool:
        pending = [operand]
        while pending:
            tree = pending.pop()
            parts = _PARTS.get(type(tree))
            if parts is not None:
                pending += parts(tree)
            elif isinstance(tree, _FRESH) or self._is_plain(tree):
                continue
            elif (found := self._known(tree)) is not _UNKNOWN:
                if self._holds(found):
                    return True
            elif self._reaches(tree):
                return True
        return False

    def _holds(self, found: Any) -> bool:
        """Whether a value is the one looked for, or has it in tuples: other containers have been given the new list."""
        parts = nest.walked([inside_of(found)], lambda part: map(inside_of, part) if type(part) is tuple else ())
        return any(part is self.value for part in parts)

    def _is_plain(self, operand: ast.AST) -> bool:
        """Whether it is a number, a text or a tensor."""
        pending = [operand]
        while pending:
            tree = pending.pop()
            if isinstance(tree, ast.BinOp):
                pending += [tree.left, tree.right]
            elif isinstance(tree, ast.UnaryOp):
                pending.append(tree.operand)
            elif isinstance(tree, ast.Call):
                function = self._known(tree.func)
                module = str(getattr(function, "__module__", ""))
                if not any(function is count for count in _COUNTS) and not module.startswith(("runtime.", "numpy")):
                    return False
            elif not isinstance(tree, _FRESH) and not isinstance(self._known(tree), _PLAIN):
                return False
        return True

    def _known(self, tree: ast.AST) -> Any:
        """What a name, or a part of what it refers to, is; `_UNKNOWN` where code of the program might say that."""
        steps: list[Any] = []
        while isinstance(tree, ast.Attribute | ast.Subscript):
            steps.append(tree)
            tree = tree.value
        found = self._variable(tree.id) if isinstance(tree, ast.Name) else _UNKNOWN
        for step in reversed(steps):
            found = inside_of(found)
            if isinstance(step, ast.Attribute):
                found = getattr(found, "__dict__", {}).get(step.attr, _UNKNOWN)
            else:
                key = step.slice.value if isinstance(step.slice, ast.Constant) else self._known(step.slice)
                if type(found) is TensorList or isinstance(found, Tensor):
                    return None
                if type(found) not in (list, tuple, dict) or type(key) not in (int, str):
                    return _UNKNOWN
                try:
                    found = found[key]
                except LookupError:
                    return _UNKNOWN
        return found

    def _variable(self, name: str) -> Any:
        variables = variables_of(self.frame)
        if name in variables:
            return variables[name]
        return self.frame.f_globals.get(name, self.frame.f_builtins.get(name))

    def _reaches(self, tree: ast.AST) -> bool:
        """Whether the variables that an expression names lead to the value."""
        bound = self._targets() if tree is self.path[-1] else ()
        names = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and part.id not in bound}
        world = World(objects={name: self._variable(name) for name in names})
        return id(self.value) in world.by_owner

    def _targets(self) -> Container[str]:
        """The variables that a comprehension around the call gives another value for each item."""
        targets = (g.target for tree in self.path if isinstance(tree, _COMPREHENSIONS) for g in tree.generators)
        return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


_UNKNOWN: Final = object()

_PARTS: Final[dict[type, Callable[[Any], Iterable[ast.AST]]]] = {
    ast.List: lambda t: t.elts,
    ast.Tuple: lambda t: t.elts,
    ast.Set: lambda t: t.elts,
    ast.Dict: lambda t: [part for part in (*t.keys, *t.values) if part is not None],
    ast.IfExp: lambda t: [t.body, t.orelse],
    ast.BoolOp: lambda t: t.values,
    ast.NamedExpr: lambda t: [t.value],
    ast.keyword: lambda t: [t.value],
    ast.arguments: lambda t: [*t.defaults, *(d for d in t.kw_defaults if d is not None)],
}
"""For each kind of tree that gives one of its parts, or holds them."""
