"""Text to tree and back, and the builders."""

from __future__ import annotations

import ast
import gc
import itertools
import sys
from pathlib import Path

import pytest

from autograph.errors import SourceSyntaxError
from autograph.naming import Namer, class_of, mangled
from autograph.syntax import At, deep_recursion, dump, negated, parse_module, paused_collection, to_ast, unparse

LIBRARY = Path(ast.__file__).parent
FILES = ["ast.py", "dataclasses.py", "argparse.py", "asyncio/tasks.py", "typing.py", "statistics.py", "textwrap.py"]


@pytest.mark.parametrize("name", FILES)
def test_a_tree_survives_the_way_to_gast_and_back(name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    assert ast.dump(to_ast(parse_module(text, name)), include_attributes=True) == ast.dump(
        ast.parse(text), include_attributes=True
    )


@pytest.mark.parametrize(
    "text",
    [
        "def f(a, /, b: int = 1, *c: str, d, e=2, **g) -> int:\n    pass",
        "try:\n    pass\nexcept* (A, B) as e:\n    pass",
        "match x:\n    case [1, *y] | {'k': K(z=3), **w} if w:\n        pass",
        "lambda *, a=1: (yield)",
        "async def f():\n    async with a as b:\n        return [x async for x in y]",
        "x[1:2, ..., None] = a[*b]",
        "print(f'{x!r:>{w}} {y}')",
    ],
)
def test_text_survives_the_way_there_and_back(text: str) -> None:
    assert unparse(parse_module(text, "x.py")) == ast.unparse(ast.parse(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:\n", "x.py:1: cannot parse"),
        ("a = 1\nb = = 2\n", "x.py:2: cannot parse"),
        ("a\0b", "x.py"),
        ("-" * 100_000 + "1", "x.py"),
        ("(" * 1000, "x.py"),
    ],
)
def test_what_the_parser_refuses_is_one_clear_error(text: str, words: str) -> None:
    with pytest.raises(SourceSyntaxError) as caught:
        parse_module(text, "x.py")
    assert words in str(caught.value)


def test_tree_view_shows_one_node_per_line() -> None:
    assert "BinOp(" in dump(parse_module("a + b", "x.py"))


def test_deep_trees_and_the_recursion_limit() -> None:
    before = sys.getrecursionlimit()
    text = " + ".join(["x"] * 2500)
    with deep_recursion():
        assert sys.getrecursionlimit() > before
        with deep_recursion():
            assert unparse(parse_module(text, "x.py")) == text
    assert sys.getrecursionlimit() == before


def test_a_limit_that_somebody_else_set_stays() -> None:
    before = sys.getrecursionlimit()
    try:
        with deep_recursion():
            sys.setrecursionlimit(12_345)
        assert sys.getrecursionlimit() == 12_345
    finally:
        sys.setrecursionlimit(before)


def test_garbage_collection_pauses_and_goes_on() -> None:
    assert gc.isenabled()
    with paused_collection():
        with paused_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_builders_put_nodes_where_they_are_told() -> None:
    statement = parse_module("\n  \nwhile a:\n    b = 1\n", "x.py").body[0]
    built = At(statement, statement.test).assign("y", At(statement).call(At(statement).name("g"), []))
    assert (built.lineno, built.end_lineno, built.value.end_lineno) == (3, 3, 4)
    assert unparse(built) == "y = g()"
    assert unparse(negated(["a", "b"], At(statement))) == "not a and (not b)"
    assert unparse(At(statement).function("f", ["x"], [])) == "def f(x):\n    pass"


def test_operators_over_many_lines_stay_on_the_first() -> None:
    call = parse_module("f(\n  1,\n  2)", "x.py").body[0].value
    built = At(call).operator("ag__", "converted_call", call)
    # Python gives the call of a method the line on which the method's name ends.
    assert built.func.end_lineno == 1 and built.end_lineno == 3


def test_fresh_names() -> None:
    names = Namer({"if_body", "if_body_2"})
    assert [names.fresh("if_body") for _ in range(3)] == ["if_body_1", "if_body_3", "if_body_4"]
    assert [names.fresh("break_") for _ in range(2)] == ["break_", "break_1"]


def test_names_of_functions_take_turns() -> None:
    names = Namer({"if_body_2"})
    given = [names.passing("if_body") for _ in range(300)]
    assert given[:3] == ["if_body", "if_body_1", "if_body_3"]
    assert 1 < len(set(given)) < 100 and all(a != b for a, b in itertools.pairwise(given))


@pytest.mark.parametrize(
    ("qualname", "name"),
    [
        ("f", None),
        ("K.f", "K"),
        ("A.B.f", "B"),
        ("f.<locals>.g", None),
        ("K.f.<locals>.g", "K"),
        ("f.<locals>.K.g", "K"),
        ("K.f.<locals>.<lambda>", "K"),
        ("<lambda>", None),
    ],
)
def test_class_of_a_qualified_name(qualname: str, name: str | None) -> None:
    assert class_of(qualname) == name


@pytest.mark.parametrize(
    ("name", "owner", "expected"),
    [
        ("__x", "K", "_K__x"),
        ("__x", "_K", "_K__x"),
        ("__x__", "K", "__x__"),
        ("_x", "K", "_x"),
        ("__x", "__", "__x"),
    ],
)
def test_mangled_names_are_those_of_the_compiler(name: str, owner: str, expected: str) -> None:
    assert mangled(name, owner) == expected
    namespace: dict[str, type] = {}
    exec(f"class {owner}:\n    {name} = 1", namespace)
    assert expected in vars(namespace[owner])
