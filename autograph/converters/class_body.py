"""Control flow directly in the body of a class: it stays Python, for its variables are those of the class.

    class K:                    class K:
        if x > 0:       --->        if ag__.in_class(x > 0, 'bool'):
            y = 1                       y = 1

What it decides on must be known while the class is made: `ag__.in_class` refuses a symbolic value, with the remedy.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.annotations import are_read_at_once
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = [
    "convert_annotated_in_class",
    "convert_loop_in_class",
    "convert_test_in_class",
    "convert_test_in_lambda",
]


def convert_test_in_class(rewriter: Rewriter, node: Any) -> Any:
    """An `if`, a `while` or a ternary."""
    node = rewriter.parts(node)
    node.test = _operands_known(rewriter, node.test)
    return node


def _operands_known(rewriter: Rewriter, test: Any) -> Any:
    """A test whose operands are known: Python asks each of them for its truth, and once."""
    if isinstance(test, gast.BoolOp):
        test.values = [_operands_known(rewriter, value) for value in test.values]
        return test
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        test.operand = _operands_known(rewriter, test.operand)
        return test
    return _known(rewriter, test, "bool")


def convert_test_in_lambda(rewriter: Rewriter, node: Any) -> Any:
    """A ternary in a lambda that has variables of its own: the choices cannot move into other lambdas."""
    node = rewriter.parts(node)
    node.test = _known(rewriter, node.test, "lambda")
    return node


def convert_annotated_in_class(rewriter: Rewriter, node: Any) -> Any:
    """`name: annotation = value`; the annotation stays as it is, for people read it as text."""
    if are_read_at_once(rewriter.scopes):
        node.annotation = rewriter.native(node.annotation)
    node.target = rewriter.expression(node.target)
    node.value = None if node.value is None else rewriter.expression(node.value)
    return node


def convert_loop_in_class(rewriter: Rewriter, node: Any) -> Any:
    """A `for`."""
    node = rewriter.parts(node)
    node.iter = _known(rewriter, node.iter, "iter")
    return node


def _known(rewriter: Rewriter, value: Any, use: str) -> Any:
    if isinstance(value, gast.Constant | gast.List | gast.Tuple):
        return value
    return At(value).operator(rewriter.ag, "in_class", value, At(value).constant(use))
