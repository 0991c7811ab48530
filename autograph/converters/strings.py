"""Text: f-strings, and `%` where it surely formats text.

    f'a{x}'                --->    ag__.format_string('a', ag__.format_value(x))
    f'{x!r:>{width}}'      --->    ag__.format_value(x, 'r', ag__.format_string('>', ag__.format_value(width)))
    '%d of %s' % (n, s)    --->    ag__.mod('%d of %s', (n, s))

Calls keep Python's order: a field is formatted before the next one is evaluated. `a % b` is surely about text where a
string stands at its left, or a tuple or dict is written at its right.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_binary", "convert_joined"]


def convert_joined(rewriter: Rewriter, node: Any) -> Any:
    at = At(node)
    values = [value for value in node.values if not isinstance(value, gast.Constant) or value.value]
    pieces = [_piece(rewriter, value, at) for value in values]  # some Pythons write empty texts between fields
    if len(pieces) < 2:
        return pieces[0] if pieces else at.constant("")
    return at.operator(rewriter.ag, "format_string", *pieces)


def _piece(rewriter: Rewriter, value: Any, at: At) -> Any:
    if not isinstance(value, gast.FormattedValue):
        return at.constant(value.value)
    arguments = [rewriter.expression(value.value)]
    if value.conversion != -1 or value.format_spec is not None:
        arguments.append(at.constant("" if value.conversion == -1 else chr(value.conversion)))
    if value.format_spec is not None:
        arguments.append(convert_joined(rewriter, value.format_spec))
    return at.operator(rewriter.ag, "format_value", *arguments)


def convert_binary(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.op, gast.Mod) or not _is_text(node):
        return rewriter.parts(node)
    return At(node).operator(rewriter.ag, "mod", rewriter.expression(node.left), rewriter.expression(node.right))


def _is_text(node: Any) -> bool:
    if isinstance(node.left, gast.Constant):
        return isinstance(node.left.value, str)
    return isinstance(node.left, gast.JoinedStr) or isinstance(node.right, gast.Tuple | gast.Dict)
