"""The converters, one construct per file, and the table that says which one handles which node type.

jumps.py runs first, on the raw tree. All others run together in one walk (rewriter.py) over the lowered tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.assertion import convert_assert
from autograph.converters.augmented import convert_augmented
from autograph.converters.binding import convert_walrus
from autograph.converters.call import convert_call, convert_class_call
from autograph.converters.class_body import (
    convert_annotated_in_class,
    convert_loop_in_class,
    convert_test_in_class,
    convert_test_in_lambda,
)
from autograph.converters.comparison import convert_comparison
from autograph.converters.comprehension import convert_comprehension
from autograph.converters.displays import convert_dict, convert_list, convert_set, convert_star, convert_tuple
from autograph.converters.for_statement import convert_for
from autograph.converters.function import convert_definition, convert_lambda, convert_method
from autograph.converters.if_statement import convert_if
from autograph.converters.logic import convert_bool_op, convert_unary
from autograph.converters.native_statements import (
    convert_class,
    convert_class_in_class,
    drop,
    keep,
)
from autograph.converters.return_statement import convert_return
from autograph.converters.rewriter import Rewriter, Tables
from autograph.converters.strings import convert_binary, convert_joined
from autograph.converters.subscripts import convert_subscript
from autograph.converters.ternary import convert_ternary
from autograph.converters.try_statement import convert_try
from autograph.converters.variables import (
    convert_annotated,
    convert_assigned,
    convert_attribute,
    convert_delete,
    convert_name,
)
from autograph.converters.while_statement import convert_while
from autograph.converters.with_statement import convert_with

__all__ = ["TABLES"]

_STATEMENTS: dict[type, Callable[[Rewriter, Any], list[Any]]] = {
    gast.AnnAssign: convert_annotated,
    gast.Assert: convert_assert,
    gast.Assign: convert_assigned,
    gast.AsyncFunctionDef: convert_definition,
    gast.AugAssign: convert_augmented,
    gast.ClassDef: convert_class,
    gast.Delete: convert_delete,
    gast.For: convert_for,
    gast.FunctionDef: convert_definition,
    gast.Global: drop,
    gast.If: convert_if,
    gast.Nonlocal: drop,
    gast.Return: convert_return,
    gast.Try: convert_try,
    gast.TryStar: convert_try,
    gast.TypeAlias: keep,
    gast.While: convert_while,
    gast.With: convert_with,
}

_EXPRESSIONS: dict[type, Callable[[Rewriter, Any], Any]] = {
    gast.Attribute: convert_attribute,
    gast.BinOp: convert_binary,
    gast.BoolOp: convert_bool_op,
    gast.Call: convert_call,
    gast.Compare: convert_comparison,
    gast.Dict: convert_dict,
    gast.DictComp: convert_comprehension,
    gast.GeneratorExp: convert_comprehension,
    gast.IfExp: convert_ternary,
    gast.JoinedStr: convert_joined,
    gast.Lambda: convert_lambda,
    gast.List: convert_list,
    gast.ListComp: convert_comprehension,
    gast.Name: convert_name,
    gast.NamedExpr: convert_walrus,
    gast.Set: convert_set,
    gast.SetComp: convert_comprehension,
    gast.Starred: convert_star,
    gast.Subscript: convert_subscript,
    gast.Tuple: convert_tuple,
    gast.UnaryOp: convert_unary,
}

_IN_CLASS: dict[type, Callable[[Rewriter, Any], Any]] = {
    gast.AnnAssign: convert_annotated_in_class,
    gast.AsyncFunctionDef: convert_method,
    gast.BinOp: convert_binary,
    gast.Call: convert_class_call,
    gast.ClassDef: convert_class_in_class,
    gast.For: convert_loop_in_class,
    gast.FunctionDef: convert_method,
    gast.If: convert_test_in_class,
    gast.IfExp: convert_test_in_class,
    gast.JoinedStr: convert_joined,
    gast.Lambda: convert_lambda,
    gast.Name: convert_name,
    gast.While: convert_test_in_class,
}

TABLES = Tables(
    full=_EXPRESSIONS,
    native={gast.Name: convert_name},
    in_class=_IN_CLASS,
    in_lambda={**_IN_CLASS, gast.IfExp: convert_test_in_lambda},
    statements=_STATEMENTS,
)
