"""Text: f-strings, and `%` where it may format text.

    f'a{x}'                --->    ag__.format_string('a', ag__.format_value(x))
    f'{x!r:>{width}}'      --->    ag__.format_value(x, 'r', ag__.format_string('>', ag__.format_value(width)))
    '%d of %s' % (n, s)    --->    ag__.mod('%d of %s', (n, s))

Calls keep Python's order: a field is formatted before the next one is evaluated. `x % 2` and `(i - 1) % n` stay as they
are: a str asks its operands for their text without a way to have a say in it, but only a str does.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_binary", "convert_joined", "may_be_text"]


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
    if not isinstance(node.op, gast.Mod) or not may_be_text(node.left, node.right):
        return rewriter.parts(node)
    return At(node).operator(rewriter.ag, "mod", rewriter.expression(node.left), rewriter.expression(node.right))


def may_be_text(left: Any, right: Any) -> bool:
    """Whether `left % right` may make text, as far as it is written."""
    return isinstance(right, gast.Tuple | gast.Dict) or (_may_be_text(left) and not _is_number(right))


def _may_be_text(node: Any) -> bool:
    """Whether the value of an expression may be a str, as far as it is written."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, gast.BinOp):
        adds = isinstance(node.op, gast.Add | gast.Mod)
        return adds and _may_be_text(node.left) and (_may_be_text(node.right) or isinstance(node.op, gast.Mod))
    return not isinstance(node, gast.UnaryOp | gast.Compare | gast.Lambda)


def _is_number(node: Any) -> bool:
    return isinstance(node, gast.Constant) and not isinstance(node.value, str | bytes)
