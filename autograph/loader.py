"""From a converted tree to a template: code that stands for the user's.

The tree is compiled under the user's own file name, with the user's line and column numbers on every node, so that
tracebacks, debuggers, coverage and profilers show the user's lines. Nothing is executed, written or registered: the
code object is taken out of the compiled tree.

Example:
    template = load(converted_tree, fn.__code__)
"""

from __future__ import annotations

import ast
import dis
import inspect
import os
import sys
from collections.abc import Sequence
from types import CodeType
from typing import Any, cast

import gast

from autograph.as_written import add_written
from autograph.code_names import Names, codes_in, inner_codes, renamed
from autograph.errors import ConversionError
from autograph.naming import class_of, mangled
from autograph.rules import future_flags
from autograph.source import FunctionNode
from autograph.syntax import deep_recursion, nodes_of, to_ast, unwarned
from autograph.template import NAMESPACE, Template

__all__ = ["compile_function", "load"]

_FACTORY = "autograph_factory"
_OPERATORS = "\0autograph.operators"
"""The constant that stands for the operators until the code is compiled: Python's compiler takes no module for one."""

_PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "operators", "generated")
_DOING_NOTHING = frozenset(
    dis.opmap.get(name, 0)
    for name in ("RESUME", "COPY_FREE_VARS", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "CACHE")
)
"""The instructions of a function without statements."""


def load(tree: gast.FunctionDef | gast.Assign, original: CodeType, written: FunctionNode | None = None) -> Template:
    """Compile the converted form of the function whose code is `original`.

    written: the function as the user wrote it, for while nothing is staged (as_written.py).
    Raises ConversionError if Python's compiler refuses the generated code (too many statically nested blocks).
    """
    with deep_recursion():
        statement = cast(ast.stmt, to_ast(tree))
        function = _bare(statement)
        displays = _refer_to_operators(statement, _namespace(function))
        if written is not None:
            add_written(function, written, ast.Constant(_OPERATORS))
        code = _compile(statement, function, original.co_freevars, original)
        code = _with_names_of(code, original)
    own = original.co_freevars
    # Nobody reads a `__class__` that the original has no cell for.
    origins = tuple(own.index(name) if name in own else -1 for name in code.co_freevars)
    return Template(code, origins, frozenset((*original.co_varnames, *original.co_cellvars, *own)), displays)


def compile_function(tree: gast.stmt, names: Sequence[str], original: CodeType) -> CodeType:
    """The code of a function definition, or of `name = lambda ...`, made of the function whose code is `original`.

    names: the variables around it, so the code's free variables are among these. What is evaluated where a function is
    defined (decorators, defaults, annotations) is not part of its code. Raises ConversionError, as `load` does.
    """
    with deep_recursion():
        statement = cast(ast.stmt, to_ast(tree))
        code = _compile(statement, _bare(statement), names, original)
        return _moved(code, f"{code.co_qualname.rpartition('.')[0]}.", original.co_qualname.rpartition(".")[0])


def _compile(statement: ast.stmt, function: FunctionNode, names: Sequence[str], original: CodeType) -> CodeType:
    owner = class_of(original.co_qualname)
    if owner is not None and not any(_is_private(node, owner) for node in nodes_of(statement)):
        owner = None
    module = _module(statement, names, function, owner)
    try:
        with unwarned(original.co_filename):
            code: CodeType = compile(module, original.co_filename, "exec", future_flags(original), dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ConversionError(
            f"{original.co_filename}:{original.co_firstlineno}: Python cannot compile the converted form of "
            f"{original.co_qualname!r}: {error}. Split it into smaller functions, or mark it with "
            "@autograph.do_not_convert"
        ) from error
    for _ in range(2 if owner is None else 3):
        (code,) = inner_codes(code)
    return code


def _moved(code: CodeType, prefix: str, owner: str) -> CodeType:
    """`code`, and what is inside it, with qualified names that begin with `owner` instead of `prefix`."""
    qualname = f"{owner}.{code.co_qualname.removeprefix(prefix)}".lstrip(".")
    constants = list(code.co_consts)
    for index, constant in enumerate(constants):
        if isinstance(constant, CodeType):
            constants[index] = _moved(constant, prefix, owner)
        elif constant == code.co_qualname and not code.co_flags & inspect.CO_OPTIMIZED:
            constants[index] = qualname  # the body of a class holds the qualified name of the class
    return code.replace(co_qualname=qualname, co_consts=tuple(constants))


def _bare(statement: ast.stmt) -> FunctionNode:
    """The function in `statement`, with all taken off that is evaluated where it is defined, not where it runs."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        function: FunctionNode = statement
        statement.decorator_list = []
        statement.returns = None
        if sys.version_info >= (3, 12):
            statement.type_params = []
    else:
        function = cast(ast.Lambda, cast(ast.Assign, statement).value)
    arguments = function.args
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    others = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *others]:
        argument.annotation = None
    return function


def _namespace(function: FunctionNode) -> str:
    """The name by which generated code knows the operators: `ag__`, or another one if the user has taken that."""
    if isinstance(function, ast.Lambda):
        entry = function.body
    else:
        scope = next(statement for statement in function.body if isinstance(statement, ast.With))
        entry = scope.items[0].context_expr
    return cast(ast.Name, cast(ast.Attribute, cast(ast.Call, entry).func).value).id


def _refer_to_operators(statement: ast.stmt, namespace: str) -> frozenset[tuple[int, int]]:
    """Let generated code know the operators by a constant: a variable would be among those of the user's frames. Where
    the displays are that one of them is given."""
    displays: set[tuple[int, int]] = set()
    for node in nodes_of(statement):
        if node.__class__ is ast.Attribute and node.value.__class__ is ast.Name and node.value.id == namespace:
            node.value = ast.copy_location(ast.Constant(_OPERATORS), node.value)
            if node.attr == "displayed":
                displays.add((node.lineno, node.col_offset))
    return frozenset(displays)


def _is_private(node: ast.AST, owner: str) -> bool:
    """Whether the compiler takes a name for another one than was written."""
    names = [getattr(node, field, None) for field in ("name", "id", "attr", "arg")]
    return any(isinstance(name, str) and mangled(name, owner) != name for name in names)


def _module(statement: ast.stmt, names: Sequence[str], place: ast.AST, owner: str | None) -> ast.Module:
    """A module that defines `statement` inside a function whose parameters are its free variables.

    owner: the user's class, if what the function defines has private names. For these to be bound as there, it stands
    in one whose name is the same but for underscores at its start, which do not matter to them: it hides no variable.
    """
    if owner is not None:
        used = {node.id for node in nodes_of(statement) if isinstance(node, ast.Name)}
        while owner in used or owner in names:
            owner = f"_{owner}"
        holder = ast.ClassDef(name=owner, bases=[], keywords=[], body=[statement], decorator_list=[])
        if sys.version_info >= (3, 12):
            holder.type_params = []
        statement = ast.copy_location(holder, place)
    parameters = [ast.arg(arg=name) for name in dict.fromkeys(names) if name.isidentifier()]
    arguments = ast.arguments(posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[])
    factory = ast.FunctionDef(name=_FACTORY, args=arguments, body=[statement], decorator_list=[])
    if sys.version_info >= (3, 12):
        factory.type_params = []
    for node in (factory, *parameters):
        ast.copy_location(node, place)
    return ast.Module(body=[factory], type_ignores=[])


def _with_names_of(code: CodeType, original: CodeType) -> CodeType:
    """`code` and what is inside it under the user's names, so that tracebacks and messages show no others; and with the
    operators themselves in the place of the constant that stands for them.

    A function or class inside is the user's if the original holds one of the same name at the same line. What was
    generated (`loop_body`) is part of the function that it was generated for, and gets that function's name; what no
    statement of the user's is in (`get_state`) is part of this package, so that no breakpoint of the user's is there.

    In what is no file (a cell of a notebook) it gets the function's first line, too: notebooks look for the source of a
    frame from there. In a file it keeps its own: measurers of coverage take the first line for what is left at its end.
    """
    known = {_place(inner): inner.co_qualname for inner in codes_in(original) if inner is not original}
    is_file = os.path.exists(original.co_filename)

    def names_inside(inner: CodeType, around: Names) -> Names:
        name, qualname, filename, first = around
        if own := known.get(_place(inner)):
            return inner.co_name, own, filename, inner.co_firstlineno
        return name, qualname, filename if _is_users(inner) else _PACKAGE, inner.co_firstlineno if is_file else first

    names = original.co_name, original.co_qualname, original.co_filename, original.co_firstlineno
    return renamed(code, names, names_inside, {_OPERATORS: NAMESPACE.cell_contents})


def _is_users(code: CodeType) -> bool:
    """Whether there is a statement of the user in a generated function, or it stands for one."""
    if code.co_name.startswith("else_body"):  # of an `if` without else it has the line of the `if`, and nothing to do
        does_something = not _DOING_NOTHING.issuperset(code.co_code[::2])
        return does_something or {line for *_, line in code.co_lines() if line} != {code.co_firstlineno}
    return not code.co_name.startswith(("get_state", "set_state"))


def _place(code: CodeType) -> tuple[Any, ...]:
    """What tells functions apart: name, line and parameters, for a thunk may stand on the line of a user's lambda."""
    return code.co_name, code.co_firstlineno, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
