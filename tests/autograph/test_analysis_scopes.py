"""Scopes: which names belong to which function."""

from __future__ import annotations

import sys
from typing import Any

import gast
import pytest

from autograph.analysis.scopes import Kind, Scope, find_scopes
from autograph.syntax import parse_module


def scopes_of(text: str) -> dict[str, Scope]:
    """Scopes by the name of their function or class; comprehensions and lambdas by the name of their node."""
    found = find_scopes(parse_module(text, "text.py").body[0])
    return {getattr(node, "name", type(node).__name__): scope for node, scope in found.table.items()}


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("x = 1", {"x"}),
        ("x += 1", {"x"}),
        ("x: int", {"x"}),
        ("(x, [y, *z]), o.v, d[i] = a", {"x", "y", "z"}),
        ("for x, y in a: pass", {"x", "y"}),
        ("with a as x, b as (y, z): pass", {"x", "y", "z"}),
        ("import x.y, z as w", {"x", "w"}),
        ("from x import y as z", {"z"}),
        ("try: pass\n    except E as x: y = 1", {"x", "y"}),
        ("del x", {"x"}),
        ("def x(y): z = 1", {"x"}),
        ("class x: y = 1", {"x"}),
        ("[x for x in y]", set()),
        ("[(x := y) for y in z]", {"x"}),
        ("lambda x: (y := x)", set()),
        ("match a:\n        case [x, *y] | {'k': z, **w} | K(v=v) as u: pass", {"x", "y", "z", "w", "v", "u"}),
        ("global x; x = 1", set()),
    ],
)
def test_names_that_a_statement_binds(statement: str, names: set[str]) -> None:
    assert scopes_of(f"def f():\n    {statement}\n")["f"].own == names


def test_parameters_of_all_kinds() -> None:
    scope = scopes_of("def f(a, /, b, *c, d=1, **e): pass")["f"]
    assert scope.parameters == ("a", "b", "d", "c", "e")
    assert scope.own == set("abcde")


def test_nonlocal_names_are_not_own() -> None:
    scopes = scopes_of("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n        y = 3\n")
    assert scopes["g"].own == {"y"} and scopes["g"].nonlocals == {"x"}
    assert scopes["f"].own == {"x", "g"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("def f(): return 1", Kind.FUNCTION),
        ("def f(): yield", Kind.NATIVE),
        ("def f(): x = yield from a", Kind.NATIVE),
        ("async def f(): pass", Kind.NATIVE),
        ("def f():\n    def g(): yield", Kind.FUNCTION),
    ],
)
def test_generators_and_async_functions_are_native(text: str, kind: Kind) -> None:
    assert scopes_of(text)["f"].kind is kind


def test_generator_expressions_run_later_and_comprehensions_at_once() -> None:
    scopes = scopes_of("def f(): return [a for a in b], (c for c in d), lambda e: e")
    assert not scopes["ListComp"].lazy and scopes["GeneratorExp"].lazy and scopes["Lambda"].lazy


def test_identifiers_cover_every_kind_of_name() -> None:
    text = "def f(a, *b):\n    import c.d as e\n    return a.g(h=1), lambda i: i\n"
    node: Any = parse_module(text, "text.py").body[0]
    assert {"a", "b", "e", "i"} <= find_scopes(node).names


READERS = """
def f(n, unused):
    class C:
        x = locals()
    top = n
    def inner(p):
        nonlocal top
        return locals(), around
    g = lambda q: (vars(), n)
    return eval('1'), eval('1', {}), dir(n)
"""


def test_calls_that_read_frames_see_the_variables_of_their_function() -> None:
    node = parse_module(READERS, "text.py").body[0]
    visible = find_scopes(node, {"around", "elsewhere"}).visible
    assert {call.func.id: (shown.names, shown.own) for call, shown in visible.items()} == {
        "locals": (("p", "around", "top"), frozenset({"p"})),
        "vars": (("q", "n"), None),
        "eval": (("n", "unused", "C", "inner", "g", "top", "around"), {"C", "g", "inner", "n", "top", "unused"}),
    }


GENERIC = "def f():\n    def g[T](x: T) -> T:\n        return T\n    type A = int\n"
GENERICS = [GENERIC] if sys.version_info >= (3, 12) else []


def test_type_parameters_have_a_scope_of_their_own() -> None:
    for text in GENERICS:
        node = parse_module(text, "text.py").body[0]
        scopes = find_scopes(node)
        (types,) = scopes.types.values()
        assert types.own == {"T"} and types.kind is Kind.TYPES
        assert scopes.table[node].own == {"g", "A"}
        assert isinstance(types.node, gast.FunctionDef)
