"""Calls.

    f(x, *a, k=1, **kw)    --->    ag__.converted_call(f, (x,) + tuple(a), dict(k=1, **kw), fscope)

Not converted: `breakpoint()` and `pdb.set_trace()`, which stop in the frame that calls them; `globals()`, which reads
it; calls of generated code; `super()`, which gets its arguments by name (super_call.py). Where the program binds
`tuple` or `dict` itself, displays `(x, *a)` and `{**kw}` are used. A starred argument is unpacked before the keywords
are evaluated, as the language reference has it (CPython unpacks a lone `*a` after them). Where a loop of the function
goes through `a`, it is `tuple(ag__.unpacked(a))`: it may be an iterator that the loop has left.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.displays import unpacked
from autograph.converters.patterns import convert_match_case
from autograph.converters.rewriter import Rewriter
from autograph.converters.super_call import convert_super, is_super
from autograph.naming import FRAME_READERS
from autograph.syntax import At

__all__ = ["SPELLED_BUILTINS", "convert_call", "convert_class_call"]

SPELLED_BUILTINS = frozenset({"tuple", "dict", "slice", "super"})
"""What generated code calls by the name that Python gives it, where the program does not bind that name."""

_KEPT = frozenset({"breakpoint", "globals", "ipdb.set_trace", "pdb.set_trace"})


def convert_call(rewriter: Rewriter, node: Any) -> Any:
    if is_super(rewriter, node):
        return convert_super(rewriter, node)
    name = _dotted(node.func)
    if node in rewriter.jumps.patterns:
        return convert_match_case(rewriter, node)
    if name is not None and (name.startswith(f"{rewriter.ag}.") or name in _KEPT or _is_take(rewriter, name)):
        return rewriter.parts(node)
    at = At(node)
    function = rewriter.expression(node.func)
    arguments = _positional(rewriter, node.args, at)
    keywords = _named(rewriter, node.keywords, at)
    fscope = at.name(rewriter.place.fscope)
    if node in rewriter.scopes.visible:
        shown = _shown(rewriter, node, at)
        return at.operator(rewriter.ag, "call_with_locals", function, arguments, keywords, fscope, shown)
    return at.operator(rewriter.ag, "converted_call", function, arguments, keywords, fscope)


def _shown(rewriter: Rewriter, node: Any, at: At) -> Any:
    """The variables that a builtin which reads its caller's frame finds there."""
    visible = rewriter.scopes.visible[node]
    values = [
        at.name(name)
        if name in (visible.own or ())
        else at.operator(rewriter.ag, "ldu", at.thunk(at.name(name)), at.constant(name))
        for name in visible.names
    ]
    shown = at.put(gast.Dict([at.constant(name) for name in visible.names], values))
    if visible.own is None:
        return shown
    return at.operator(rewriter.ag, "locals_of", at.name(rewriter.place.fscope), shown)


def _is_take(rewriter: Rewriter, name: str) -> bool:
    """Whether it is the call by which a generator hands an item over."""
    return rewriter.consumer is not None and name == f"{rewriter.consumer}.take"


def convert_class_call(rewriter: Rewriter, node: Any) -> Any:
    """A call in the body of a class, where `locals()` and the like read the names of the class."""
    if _dotted(node.func) in FRAME_READERS or _dotted(node.func) == "super":
        return rewriter.parts(node)
    return convert_call(rewriter, node)


def _dotted(node: Any) -> str | None:
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _positional(rewriter: Rewriter, arguments: list[Any], at: At) -> Any:
    starred = any(isinstance(argument, gast.Starred) for argument in arguments)
    if not starred or "tuple" in rewriter.bound_names:
        return at.tuple([rewriter.expression(argument) for argument in arguments])
    pieces: list[Any] = []
    plain: list[Any] = []
    for argument in arguments:
        if isinstance(argument, gast.Starred):
            if plain:
                pieces.append(at.tuple(plain))
                plain = []
            pieces.append(at.call(at.name("tuple"), [unpacked(rewriter, argument.value)]))
        else:
            plain.append(rewriter.expression(argument))
    if plain:
        pieces.append(at.tuple(plain))
    result = pieces[0]
    for piece in pieces[1:]:
        result = at.put(gast.BinOp(result, gast.Add(), piece))
    return result


def _named(rewriter: Rewriter, keywords: list[Any], at: At) -> Any:
    if not keywords:
        return at.constant(None)
    converted = [at.keyword(keyword.arg, rewriter.expression(keyword.value)) for keyword in keywords]
    if "dict" not in rewriter.bound_names:
        return at.call(at.name("dict"), [], converted)
    keys = [None if keyword.arg is None else at.constant(keyword.arg) for keyword in converted]
    return at.put(gast.Dict(keys, [keyword.value for keyword in converted]))
