"""What cannot be converted, found before anything is changed, so that a refused function stays as it was.

    def f():
        return locals()     # UnsupportedSyntaxError: it would see the names of the generated code

Refused: generators and async functions as targets (inside of a function they stay Python); builtins that read the frame
of their caller; break, continue and return that leave a `finally`; set_loop_options anywhere but at the top of a loop.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.scopes import Kind, Scope, Scopes
from autograph.converters.loop_options import OPTION_NAMES, is_loop_options
from autograph.errors import UnsupportedSyntaxError
from autograph.syntax import children

__all__ = ["FRAME_READERS", "check"]

FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})

_REMEDIES = {
    "locals": "Write out the variables that you need.",
    "vars": "Give it the object: vars(x).",
    "dir": "Give it the object: dir(x).",
    "eval": "Give it the names that it needs: eval(text, {'x': x}).",
    "exec": "Give it the names that it needs: exec(text, {'x': x}).",
}


def check(root: Any, scopes: Scopes, filename: str) -> None:
    """Raise UnsupportedSyntaxError for the first thing in the function that has no converted form."""
    scope = scopes.table[root]
    if scope.kind is Kind.NATIVE or scope.yields:
        raise _target_error(root, scope, filename)
    for call, around in scopes.suspects:
        _check_frame_reader(call, around, filename)
    _Walk(scopes, filename).run(root)


def _target_error(root: Any, scope: Scope, filename: str) -> UnsupportedSyntaxError:
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


def _check_frame_reader(call: Any, around: tuple[Scope, ...], filename: str) -> None:
    name = call.func.id
    functions = [scope for scope in around if scope.kind is not Kind.CLASS]
    if around[-1].kind is Kind.CLASS or any(scope.kind is Kind.NATIVE or name in scope.own for scope in functions):
        return
    given = len(call.args) + len(call.keywords)
    if (name in ("vars", "dir") and given) or (name in ("eval", "exec") and given > 1):
        return
    raise UnsupportedSyntaxError(
        f"'{name}()'", filename, call.lineno, "it reads the variables of generated code", _REMEDIES[name]
    )


class _Walk:
    """One walk over the statements, which knows what a jump at each place would leave."""

    def __init__(self, scopes: Scopes, filename: str) -> None:
        self.scopes = scopes
        self.filename = filename
        self.allowed: set[Any] = set()

    def run(self, root: Any) -> None:
        # (node, inside a `finally` of its function, inside a `finally` of its loop)
        pending = [(root, False, False)]
        while pending:
            node, function_cleanup, loop_cleanup = pending.pop()
            if node in self.scopes.table:
                if self.scopes.table[node].kind is Kind.NATIVE:
                    continue
                function_cleanup = loop_cleanup = False
            self._check(node, function_cleanup, loop_cleanup)
            if isinstance(node, gast.For | gast.While):
                self._note_options(node)
                pending += [(child, function_cleanup, loop_cleanup) for child in node.orelse]
                head = [node.test] if isinstance(node, gast.While) else [node.target, node.iter]
                pending += [(child, function_cleanup, False) for child in [*head, *node.body]]
            elif isinstance(node, gast.Try | gast.TryStar):
                pending += [(child, True, True) for child in node.finalbody]
                others = [*node.body, *node.handlers, *node.orelse]
                pending += [(child, function_cleanup, loop_cleanup) for child in others]
            else:
                pending += [(child, function_cleanup, loop_cleanup) for child in children(node)]

    def _note_options(self, node: Any) -> None:
        first = node.body[0]
        if isinstance(first, gast.Expr) and is_loop_options(first.value):
            self.allowed.add(first.value)

    def _check(self, node: Any, function_cleanup: bool, loop_cleanup: bool) -> None:
        if isinstance(node, gast.Return) and function_cleanup:
            self._refuse_jump(node, "return")
        elif isinstance(node, gast.Break | gast.Continue) and loop_cleanup:
            self._refuse_jump(node, "break" if isinstance(node, gast.Break) else "continue")
        elif is_loop_options(node):
            self._check_options(node)

    def _refuse_jump(self, node: Any, word: str) -> None:
        raise UnsupportedSyntaxError(
            f"'{word}' in a 'finally' block",
            self.filename,
            node.lineno,
            "it would silently drop the exception or the return value that is on its way",
            f"Move the '{word}' behind the 'try' statement.",
        )

    def _check_options(self, call: Any) -> None:
        if call not in self.allowed:
            raise UnsupportedSyntaxError(
                "'set_loop_options' in this place",
                self.filename,
                call.lineno,
                "the options of a loop are known before it runs",
                "Make it the first statement of the body of the loop.",
            )
        known = all(keyword.arg in OPTION_NAMES for keyword in call.keywords)
        if not known or any(isinstance(argument, gast.Starred) for argument in call.args):
            raise UnsupportedSyntaxError(
                "'set_loop_options' with these arguments",
                self.filename,
                call.lineno,
                f"its options are {', '.join(OPTION_NAMES)}, each written out",
                "Give the options by name.",
            )
