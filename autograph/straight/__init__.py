"""The tree of a function that nobody has the text of, if its code goes straight ahead: typed at a prompt, made by exec.

    tree_of(eval("lambda x: x * 2 + 1").__code__)      # the ast.Lambda, as it was written
    tree_of(eval("lambda x: x if x > 0 else -x").__code__)      # None: it has branches

The instructions are read as what they compute, on a stack of expressions. Whether that is right is not left to this
reading: the tree is compiled, and its code must be the function's, instruction by instruction. So an instruction that
is not known here, or is used in an unknown way, has no worse effect than that no tree is found.
"""

from __future__ import annotations

import ast
import dis
import inspect
from types import CodeType
from typing import Final

from autograph.code_names import inner_codes
from autograph.rules import future_flags
from autograph.straight.expressions import EXPRESSIONS
from autograph.straight.stack import FunctionNode, Stack, Unknown
from autograph.straight.statements import STATEMENTS
from autograph.syntax import unwarned

__all__ = ["tree_of"]

_NOTHING: Final = frozenset(
    {"CACHE", "COPY_FREE_VARS", "EXTENDED_ARG", "MAKE_CELL", "NOP", "PRECALL", "RESUME", "TO_BOOL"}
)
"""Instructions that say nothing of the text."""
_READERS: Final = {**EXPRESSIONS, **STATEMENTS}


def tree_of(code: CodeType) -> FunctionNode | None:
    """The definition that gives just this code, with its positions; None if there is none that can be found so."""
    return _tree_of(code, set())


def _tree_of(code: CodeType, imported: set[str]) -> FunctionNode | None:
    """imported: is given the names of modules in it."""
    first = code.co_consts[0] if code.co_consts else None
    for doc in (None, first) if isinstance(first, str) else (None,):
        try:
            node = _read(code, doc, imported)
            if _is_the_code_of(node, code, imported):
                return node
        except (Unknown, LookupError, SyntaxError, ValueError):
            pass
    return None


def _read(code: CodeType, doc: str | None, imported: set[str]) -> FunctionNode:
    stack = Stack(code, lambda inner: _tree_of(inner, imported), imported, _first_line(code))
    for instruction in dis.get_instructions(code):
        if instruction.opname not in _NOTHING:
            stack.place = _place_of(instruction) or stack.place
            _READERS[instruction.opname](stack, instruction)
    if stack.items or not stack.body:
        raise Unknown
    stack.place = _first_line(code)
    if code.co_name == "<lambda>":
        (result,) = stack.body
        if not isinstance(result, ast.Return) or result.value is None:
            raise Unknown
        return stack.put(ast.Lambda(_parameters(code), result.value))  # type: ignore[no-any-return]
    text = [] if doc is None else [stack.put(ast.Expr(stack.put(ast.Constant(doc))))]
    (made,) = ast.parse("def made(): pass").body
    assert isinstance(made, ast.FunctionDef)
    made.name, made.args, made.body = code.co_name, _parameters(code), [*text, *stack.body]
    return stack.put(made)  # type: ignore[no-any-return]


def _first_line(code: CodeType) -> dict[str, int]:
    line = code.co_firstlineno
    return {"lineno": line, "end_lineno": line, "col_offset": 0, "end_col_offset": 0}


def _place_of(at: dis.Instruction) -> dict[str, int] | None:
    """Where the text of an instruction stands, if that is known."""
    known = at.positions
    if known is None or None in known:
        return None
    line, end_line, column, end_column = known
    return {"lineno": line, "end_lineno": end_line, "col_offset": column, "end_col_offset": end_column}  # type: ignore[dict-item]


def _parameters(code: CodeType) -> ast.arguments:
    """The parameters. Their defaults are no part of the code."""
    names = iter(code.co_varnames)

    def taken(count: int) -> list[ast.arg]:
        return [ast.arg(next(names)) for _ in range(count)]

    first = taken(code.co_posonlyargcount)
    more = taken(code.co_argcount - code.co_posonlyargcount)
    named = taken(code.co_kwonlyargcount)
    rest = taken(1)[0] if code.co_flags & inspect.CO_VARARGS else None
    others = taken(1)[0] if code.co_flags & inspect.CO_VARKEYWORDS else None
    return ast.arguments(first, more, rest, named, [None] * len(named), others, [])


def _is_the_code_of(node: FunctionNode, code: CodeType, imported: set[str]) -> bool:
    """Whether Python makes the very code of a tree, where these modules are imported."""
    imports = "".join(f"import {name}\n" for name in sorted(imported))
    around = ast.parse(f"{imports}def around({', '.join(code.co_freevars)}): pass")
    made = node if isinstance(node, ast.FunctionDef) else ast.Expr(node)
    around.body[-1].body = [made]  # type: ignore[attr-defined]
    ast.fix_missing_locations(around)
    with unwarned(code.co_filename):
        module = compile(around, code.co_filename, "exec", future_flags(code), dont_inherit=True)
    return any(_same(own, code) for outer in inner_codes(module) for own in inner_codes(outer))


_OUTLINE: Final = (
    "co_name", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_varnames", "co_freevars", "co_cellvars",
)  # fmt: skip


def _same(code: CodeType, other: CodeType) -> bool:
    """Whether two codes do the same with the same names; where they stand does not count."""
    if any(getattr(code, name) != getattr(other, name) for name in _OUTLINE):
        return False
    if (code.co_flags ^ other.co_flags) & ~inspect.CO_NESTED or _doc(code) != _doc(other):
        return False
    pairs = zip(dis.get_instructions(code), dis.get_instructions(other), strict=False)
    inner = zip(inner_codes(code), inner_codes(other), strict=False)
    return (
        len(code.co_code) == len(other.co_code)
        and all(_alike(a, b) for a, b in pairs)
        and all(_same(a, b) for a, b in inner)
    )


def _doc(code: CodeType) -> object:
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None


def _alike(one: dis.Instruction, other: dis.Instruction) -> bool:
    if one.opname != other.opname:
        return False
    a, b = one.argval, other.argval
    return (isinstance(a, CodeType) and isinstance(b, CodeType)) or (type(a), repr(a)) == (type(b), repr(b))
