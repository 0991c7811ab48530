"""The user's own statements, compiled in front of the converted ones: they run while nothing is staged.

    add_written(converted, definition, operators)    # if ag__.runs_as_written(x): <the user's> else: <the converted>

Both are one function, so frames, line numbers and variables are the user's whichever of the two run. Text for people
has the converted statements alone.
"""

from __future__ import annotations

import ast

from autograph.naming import FRAME_READERS, STACK_READERS
from autograph.source import FunctionNode

__all__ = ["add_written"]

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def add_written(converted: FunctionNode, written: FunctionNode, operators: ast.expr) -> None:
    """Put the statements of `written` into its converted form, in place, unless they need conversion at any time.

    operators: the expression for them.
    """
    if isinstance(converted, ast.Lambda) or isinstance(written, ast.Lambda) or _needs_conversion(written):
        return
    place = next(index for index, statement in enumerate(converted.body) if isinstance(statement, ast.With))
    scope = converted.body[place]
    test = ast.Call(ast.Attribute(operators, "runs_as_written", ast.Load()), _arguments(converted.args), [])
    body = written.body if ast.get_docstring(written, clean=False) is None else written.body[1:] or [ast.Pass()]
    choice = ast.If(test, body, [scope])
    for node in (choice, *body[:1], *ast.walk(test)):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, scope)
    converted.body[place:] = [choice]


def _arguments(parameters: ast.arguments) -> list[ast.expr]:
    named = (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
    values: list[ast.expr] = [ast.Name(parameter.arg, ast.Load()) for parameter in named]
    if parameters.vararg is not None:
        values.append(ast.Starred(ast.Name(parameters.vararg.arg, ast.Load()), ast.Load()))
    if parameters.kwarg is not None:
        read = ast.Attribute(ast.Name(parameters.kwarg.arg, ast.Load()), "values", ast.Load())
        values.append(ast.Starred(ast.Call(read, [], []), ast.Load()))
    return values


def _needs_conversion(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a statement of the function itself, not of those inside of it, cannot run as it was written.

    A `with` may begin a trace, whose values the statements after it would meet. What lists the variables of this frame
    would find them in another order: those that the converted statements share with their bodies come last. And what
    asks for the frames around it would find the operators of a converted function that called this one.
    """
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.With | ast.AsyncWith) or _reads_frames(node):
            return True
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _reads_frames(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in FRAME_READERS or node.id in STACK_READERS
    if isinstance(node, ast.Attribute):
        is_stack = node.attr == "stack" and isinstance(node.value, ast.Name) and node.value.id == "inspect"
        return is_stack or node.attr in STACK_READERS
    if isinstance(node, ast.Call):  # a warning or log record that names a caller
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        return any(each.arg == "stacklevel" for each in node.keywords) or (name == "warn" and len(node.args) > 2)
    return False
