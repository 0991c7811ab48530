"""Instructions that make values: the expressions that they stand for.

    EXPRESSIONS["BINARY_OP"](stack, instruction)      # takes two values from the stack, and puts their sum there
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from autograph.straight.stack import Augmented, Converted, Null, Stack, Unknown

__all__ = ["EXPRESSIONS", "Reader", "literal", "slice_of"]

Reader = Callable[[Stack, dis.Instruction], None]

_BINARY: Final[dict[str, type[ast.operator]]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "@": ast.MatMult, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_UNARY: Final[dict[str, type[ast.unaryop]]] = {
    "UNARY_NEGATIVE": ast.USub, "UNARY_INVERT": ast.Invert, "UNARY_NOT": ast.Not,
}  # fmt: skip
_COMPARED: Final[dict[str, type[ast.cmpop]]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq,
    "IS_OP 0": ast.Is, "IS_OP 1": ast.IsNot, "CONTAINS_OP 0": ast.In, "CONTAINS_OP 1": ast.NotIn,
}  # fmt: skip
_CONVERSIONS: Final = (-1, ord("s"), ord("r"), ord("a"))


def _name(stack: Stack, at: dis.Instruction) -> None:
    for name in at.argval if isinstance(at.argval, tuple) else (at.argval,):
        stack.push(ast.Name(name, ast.Load()))


def _global_name(stack: Stack, at: dis.Instruction) -> None:
    (stack.push_called if (at.arg or 0) & 1 else stack.push)(ast.Name(at.argval, ast.Load()))


def _constant(stack: Stack, at: dis.Instruction) -> None:
    stack.items.append(at.argval if isinstance(at.argval, CodeType) else literal(stack, at.argval))


def literal(stack: Stack, value: Any) -> Any:
    if isinstance(value, tuple):
        return stack.put(ast.Tuple([literal(stack, item) for item in value], ast.Load()))
    return stack.put(ast.Constant(value))


def _null(stack: Stack, at: dis.Instruction) -> None:
    stack.items.append(Null())


def _attribute(stack: Stack, at: dis.Instruction) -> None:
    called = at.opname == "LOAD_METHOD" or (sys.version_info >= (3, 12) and (at.arg or 0) & 1)
    found = ast.Attribute(stack.value(), at.argval, ast.Load())
    if called:
        stack.push_called(found, of_method=True)
    else:
        stack.push(found)


def _binary(stack: Stack, at: dis.Instruction) -> None:
    left, right = stack.values(2)
    sign = at.argrepr
    if sign in _BINARY:
        stack.push(ast.BinOp(left, _BINARY[sign](), right))
    else:
        stack.items.append(Augmented(left, _BINARY[sign.removesuffix("=")](), right))


def _unary(stack: Stack, at: dis.Instruction) -> None:
    stack.push(ast.UnaryOp(_UNARY[at.opname](), stack.value()))


def _comparison(stack: Stack, at: dis.Instruction) -> None:
    left, right = stack.values(2)
    name = at.argval if at.opname == "COMPARE_OP" else f"{at.opname} {at.arg}"
    stack.push(ast.Compare(left, [_COMPARED[name]()], [right]))


def _intrinsic(stack: Stack, at: dis.Instruction) -> None:
    _INTRINSICS[at.argrepr](stack, at)


def _plus(stack: Stack, at: dis.Instruction) -> None:
    stack.push(ast.UnaryOp(ast.UAdd(), stack.value()))


def _item(stack: Stack, at: dis.Instruction) -> None:
    holder, key = stack.values(2)
    stack.push(ast.Subscript(holder, key, ast.Load()))


def _items(stack: Stack, at: dis.Instruction) -> None:
    holder, first, last = stack.values(3)
    stack.push(ast.Subscript(holder, slice_of(stack, first, last), ast.Load()))


def slice_of(stack: Stack, *ends: ast.expr) -> Any:
    bounds = [None if isinstance(end, ast.Constant) and end.value is None else end for end in ends]
    return stack.put(ast.Slice(*bounds))


def _slice_built(stack: Stack, at: dis.Instruction) -> None:
    stack.items.append(slice_of(stack, *stack.values(at.arg or 0)))


# -- displays ---------------------------------------------------------------------------------------------------


def _tuple(stack: Stack, at: dis.Instruction) -> None:
    count = at.arg or 0
    if count and all(isinstance(value, Null) for value in stack.items[-count:]):
        stack.take(count)
        stack.items.append(Null())
    else:
        stack.push(ast.Tuple(stack.values(count), ast.Load()))


def _list(stack: Stack, at: dis.Instruction) -> None:
    stack.push(ast.List(stack.values(at.arg or 0), ast.Load()))


def _set(stack: Stack, at: dis.Instruction) -> None:
    stack.push(ast.Set(stack.values(at.arg or 0)))


def _extended(stack: Stack, at: dis.Instruction) -> None:
    """[1, 2, 3] begins as [], and [x, *y] as [x]."""
    items, shown = stack.value(), stack.items[-1]
    if not isinstance(shown, ast.List):
        raise Unknown
    constant = isinstance(items, ast.Tuple) and all(isinstance(item, ast.Constant) for item in items.elts)
    shown.elts += items.elts if constant else [stack.put(ast.Starred(items, ast.Load()))]  # type: ignore[attr-defined]


def _as_tuple(stack: Stack, at: dis.Instruction) -> None:
    shown = stack.value()
    if not isinstance(shown, ast.List):
        raise Unknown
    stack.push(ast.Tuple(shown.elts, ast.Load()))


def _dict(stack: Stack, at: dis.Instruction) -> None:
    pairs = stack.values(2 * (at.arg or 0))
    stack.push(ast.Dict([*pairs[::2]], pairs[1::2]))


def _dict_of_constants(stack: Stack, at: dis.Instruction) -> None:
    keys = stack.value()
    if not isinstance(keys, ast.Tuple):
        raise Unknown
    stack.push(ast.Dict([*keys.elts], stack.values(len(keys.elts))))


def _dict_merged(stack: Stack, at: dis.Instruction) -> None:
    items, shown = stack.value(), stack.items[-1]
    if not isinstance(shown, ast.Dict):
        raise Unknown
    shown.keys.append(None)
    shown.values.append(items)


# -- text -------------------------------------------------------------------------------------------------------


def _formatted(stack: Stack, at: dis.Instruction) -> None:
    flags = at.arg or 0
    spec = stack.value() if flags & 4 else None
    _field(stack, stack.value(), _CONVERSIONS[flags & 3], spec)


def _converted(stack: Stack, at: dis.Instruction) -> None:
    stack.items.append(Converted(stack.value(), _CONVERSIONS[at.arg or 0]))


def _formatted_late(stack: Stack, at: dis.Instruction) -> None:
    spec = stack.value() if at.opname == "FORMAT_WITH_SPEC" else None
    (value,) = stack.take(1)
    if isinstance(value, Converted):
        _field(stack, value.value, value.conversion, spec)
    else:
        _field(stack, value, -1, spec)


def _field(stack: Stack, value: ast.expr, conversion: int, spec: ast.expr | None) -> None:
    if spec is not None and not isinstance(spec, ast.JoinedStr):
        spec = stack.put(ast.JoinedStr([spec]))
    stack.push(ast.JoinedStr([stack.put(ast.FormattedValue(value, conversion, spec))]))


def _text(stack: Stack, at: dis.Instruction) -> None:
    pieces: list[ast.expr] = []
    for value in stack.values(at.arg or 0):
        pieces += value.values if isinstance(value, ast.JoinedStr) else [value]
    stack.push(ast.JoinedStr(pieces))


_INTRINSICS: Final[dict[str, Reader]] = {"INTRINSIC_LIST_TO_TUPLE": _as_tuple, "INTRINSIC_UNARY_POSITIVE": _plus}
EXPRESSIONS: Final[dict[str, Reader]] = {
    "BINARY_OP": _binary, "BINARY_SLICE": _items, "BINARY_SUBSCR": _item, "BUILD_CONST_KEY_MAP": _dict_of_constants,
    "BUILD_LIST": _list, "BUILD_MAP": _dict, "BUILD_SET": _set, "BUILD_SLICE": _slice_built, "BUILD_STRING": _text,
    "BUILD_TUPLE": _tuple, "CALL_INTRINSIC_1": _intrinsic, "COMPARE_OP": _comparison, "CONTAINS_OP": _comparison,
    "CONVERT_VALUE": _converted, "DICT_MERGE": _dict_merged, "FORMAT_SIMPLE": _formatted_late,
    "FORMAT_VALUE": _formatted, "FORMAT_WITH_SPEC": _formatted_late, "IS_OP": _comparison, "LIST_EXTEND": _extended,
    "LIST_TO_TUPLE": _as_tuple, "LOAD_ATTR": _attribute, "LOAD_CLOSURE": _null, "LOAD_CONST": _constant,
    "LOAD_DEREF": _name, "LOAD_FAST": _name, "LOAD_FAST_LOAD_FAST": _name, "LOAD_GLOBAL": _global_name,
    "LOAD_METHOD": _attribute, "PUSH_NULL": _null, "UNARY_INVERT": _unary, "UNARY_NEGATIVE": _unary,
    "UNARY_NOT": _unary, "UNARY_POSITIVE": _plus,
}  # fmt: skip
