"""Instructions that call, make functions, store and return.

    STATEMENTS["STORE_FAST"](stack, instruction)      # the assignment is complete
"""

from __future__ import annotations

import ast
import dis
from types import CodeType
from typing import Any, Final

from autograph.straight.expressions import Reader, literal, slice_of
from autograph.straight.stack import Augmented, FunctionNode, Item, Null, Stack, Unknown

__all__ = ["STATEMENTS"]


def _argument_names(stack: Stack, at: dis.Instruction) -> None:
    stack.names = stack.code.co_consts[at.arg or 0]


def _call(stack: Stack, at: dis.Instruction) -> None:
    if at.opname == "CALL_KW":
        stack.names = ast.literal_eval(stack.value())
    given, names = stack.values(at.arg or 0), stack.names
    stack.names = ()
    first = len(given) - len(names)
    keywords = [stack.put(ast.keyword(n, v)) for n, v in zip(names, given[first:], strict=True)]
    stack.push(ast.Call(_called(stack), given[:first], keywords))


def _call_with_stars(stack: Stack, at: dis.Instruction) -> None:
    named = stack.value() if (at.arg or 0) & 1 else None
    given = stack.value()
    arguments = given.elts if isinstance(given, ast.Tuple) else [stack.put(ast.Starred(given, ast.Load()))]
    keywords = []
    if isinstance(named, ast.Dict):
        for key, value in zip(named.keys, named.values, strict=True):
            keywords.append(stack.put(ast.keyword(None if key is None else ast.literal_eval(key), value)))
    elif named is not None:
        raise Unknown
    stack.push(ast.Call(_called(stack), arguments, keywords))


def _called(stack: Stack) -> Any:
    one, other = stack.take(2)
    null, function = (one, other) if isinstance(one, Null) else (other, one)
    if not (isinstance(null, Null) and isinstance(function, ast.expr)):
        raise Unknown
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and not null.of_method:
        stack.imported.add(function.value.id)
    return function


def _function_made(stack: Stack, at: dis.Instruction) -> None:
    (code,) = stack.take(1)
    made = stack.inner(code) if isinstance(code, CodeType) else None
    if made is None:
        raise Unknown
    flags = at.arg or 0
    for flag in (8, 4, 2, 1):
        if flags & flag:
            _complete(stack, made, flag)
    stack.items.append(made)


def _function_completed(stack: Stack, at: dis.Instruction) -> None:
    (made,) = stack.take(1)
    _complete(stack, made, at.arg or 0)
    stack.items.append(made)


def _complete(stack: Stack, made: FunctionNode, flag: int) -> None:
    (part,) = stack.take(1)
    if flag == 1 and isinstance(part, ast.Tuple):
        made.args.defaults = part.elts
    elif flag == 2 and isinstance(part, ast.Dict):
        found = {ast.literal_eval(key): value for key, value in zip(part.keys, part.values, strict=True) if key}
        made.args.kw_defaults = [found.get(parameter.arg) for parameter in made.args.kwonlyargs]
    elif flag != 8:  # of the cells the names are known
        raise Unknown


# -- statements -------------------------------------------------------------------------------------------------


def _add(stack: Stack, statement: Any) -> None:
    stack.body.append(stack.put(statement))


def _stored(stack: Stack, at: dis.Instruction) -> None:
    if isinstance(at.argval, tuple):  # two instructions in one
        names = at.argval
        _store(stack, names[0])
        if at.opname == "STORE_FAST_STORE_FAST":
            _store(stack, names[1])
        else:
            stack.push(ast.Name(names[1], ast.Load()))
    else:
        _store(stack, at.argval)


def _store(stack: Stack, name: str) -> None:
    (value,) = stack.take(1)
    target = stack.put(ast.Name(name, ast.Store()))
    if isinstance(value, Item):
        value.names.elts.append(target)
    elif isinstance(value, Augmented):
        _add(stack, ast.AugAssign(target, value.operator, value.value))
    elif isinstance(value, ast.FunctionDef) and value.name == name:
        stack.body.append(value)
    elif isinstance(value, ast.expr):
        _add(stack, ast.Assign([target], value))
    else:
        raise Unknown


def _taken_apart(stack: Stack, at: dis.Instruction) -> None:
    names = stack.put(ast.Tuple([], ast.Store()))
    _add(stack, ast.Assign([names], stack.value()))
    stack.items += [Item(names)] * (at.arg or 0)


def _item_stored(stack: Stack, at: dis.Instruction) -> None:
    value, holder, key = stack.values(3)
    _add(stack, ast.Assign([stack.put(ast.Subscript(holder, key, ast.Store()))], value))


def _items_stored(stack: Stack, at: dis.Instruction) -> None:
    value, holder, first, last = stack.values(4)
    target = ast.Subscript(holder, slice_of(stack, first, last), ast.Store())
    _add(stack, ast.Assign([stack.put(target)], value))


def _attribute_stored(stack: Stack, at: dis.Instruction) -> None:
    value, holder = stack.values(2)
    _add(stack, ast.Assign([stack.put(ast.Attribute(holder, at.argval, ast.Store()))], value))


def _dropped(stack: Stack, at: dis.Instruction) -> None:
    _add(stack, ast.Expr(stack.value()))


def _returned(stack: Stack, at: dis.Instruction) -> None:
    _add(stack, ast.Return(stack.value()))


def _constant_returned(stack: Stack, at: dis.Instruction) -> None:
    _add(stack, ast.Return(literal(stack, at.argval)))


STATEMENTS: Final[dict[str, Reader]] = {
    "CALL": _call, "CALL_FUNCTION_EX": _call_with_stars, "CALL_KW": _call, "KW_NAMES": _argument_names,
    "MAKE_FUNCTION": _function_made, "POP_TOP": _dropped, "RETURN_CONST": _constant_returned,
    "RETURN_VALUE": _returned, "SET_FUNCTION_ATTRIBUTE": _function_completed, "STORE_ATTR": _attribute_stored,
    "STORE_DEREF": _stored, "STORE_FAST": _stored, "STORE_FAST_LOAD_FAST": _stored, "STORE_FAST_STORE_FAST": _stored,
    "STORE_SLICE": _items_stored, "STORE_SUBSCR": _item_stored, "UNPACK_SEQUENCE": _taken_apart,
}  # fmt: skip
