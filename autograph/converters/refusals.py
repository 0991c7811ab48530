"""What cannot be converted, found before anything is changed, so that a refused function stays as it was.

    def f():
        yield 1     # UnsupportedSyntaxError: it stops in the middle, between its caller's steps

Refused: generators and async functions as targets (inside of a function they stay Python); set_loop_options anywhere
but at the top of a loop.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import Kind, Scopes
from autograph.converters.loop_options import OPTION_NAMES, is_loop_options
from autograph.errors import UnsupportedSyntaxError
from autograph.syntax import children

__all__ = ["check"]

def check(root: Any, scopes: Scopes, filename: str) -> None:
    """Raise UnsupportedSyntaxError for the first thing in the function that has no converted form."""
    scope = scopes.table[root]
    if scope.kind is Kind.NATIVE or scope.yields:
        raise _target_error(root, filename)
    _check_options(root, scopes, filename)


def _target_error(root: Any, filename: str) -> UnsupportedSyntaxError:
    name = getattr(root, "name", "<lambda>")
    if isinstance(root, gast.AsyncFunctionDef):
        return UnsupportedSyntaxError(
            f"the async function '{name}'",
            filename,
            root.lineno,
            "the order in which its steps run is not its own",
            "Convert the plain functions that it awaits or calls.",
        )
    return UnsupportedSyntaxError(
        f"the generator '{name}'",
        filename,
        root.lineno,
        "it stops in the middle, between its caller's steps",
        "Return a list instead of using 'yield', or convert the function that does the work of one step.",
    )


def _check_options(root: Any, scopes: Scopes, filename: str) -> None:
    """set_loop_options stands at the top of loops only."""
    allowed: set[Any] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if node in scopes.table and scopes.table[node].kind is Kind.NATIVE:
            continue
        if isinstance(node, gast.For | gast.While):
            first = node.body[0]
            if isinstance(first, gast.Expr) and is_loop_options(first.value):
                allowed.add(first.value)
        elif is_loop_options(node):
            _check_call(node, node in allowed, filename)
        pending += children(node)


def _check_call(call: Any, allowed: bool, filename: str) -> None:
    if not allowed:
        raise UnsupportedSyntaxError(
            "'set_loop_options' in this place",
            filename,
            call.lineno,
            "the options of a loop are known before it runs",
            "Make it the first statement of the body of the loop.",
        )
    known = all(keyword.arg in OPTION_NAMES for keyword in call.keywords)
    if not known or any(isinstance(argument, gast.Starred) for argument in call.args):
        raise UnsupportedSyntaxError(
            "'set_loop_options' with these arguments",
            filename,
            call.lineno,
            f"its options are {', '.join(OPTION_NAMES)}, each written out",
            "Give the options by name.",
        )
