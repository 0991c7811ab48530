"""Trees made of code alone: those of functions without branches, and of no others."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from types import CodeType, FunctionType
from typing import Any

import pytest

import autograph
from autograph.code_names import codes_in
from autograph.errors import SourceUnavailableError
from autograph.source import find_definition
from autograph.straight import tree_of

LAMBDAS = [
    "lambda x: x + 1",
    "lambda: None",
    "lambda: -1",
    "lambda x: -x ** 2 % 3 // y @ z",
    "lambda x: (not x, ~x, +x, x << 2 | 3 & x ^ 1)",
    "lambda x: (x < 1, x >= y, x == 'a', x is None, x is not y, x in y, x not in y)",
    "lambda x, /, y, *rest, z, **more: f(x, *rest, z=y, **more)",
    "lambda x: f(*x)",
    "lambda x: tf.reduce_sum(x, axis=[0, 1], keepdims=True).numpy()",
    "lambda x: x[1:2, ::3, None, ..., x][y:]",
    "lambda x: {'a': 1, 'b': (x, [x, 2]), 3: {x, 'c'}}",
    "lambda x: {'a': x}",
    "lambda x: [x, *y]",
    "lambda x: (1, (2.0, 'a'), b'c', -0.0, ...)",
    "lambda x: f'{x}'",
    "lambda x: f'a{x!r:>3}b{x.y:{width}.2f}{x!s}'",
    "lambda x: '%d of %s' % (x, y)",
    "lambda x: tf.map_fn(lambda y: y + x, x)",
    "lambda x: (lambda y, z=x, *, u=2: (y, z, u))(x)",
]

FUNCTIONS = [
    '''
    def f(x, k=2):
        """What it does."""
        y = x + 1
        y += k
        a, (b) = g(y)
        return (a, b)
    ''',
    '''
    def f(x):
        x[0] = y = 3
    ''',
    '''
    def f(x):
        x[0] = 3
        x[1:2] = y
        x.a.b = 2
        print(x, end='')

        def h(z, *, u=3):
            return z + x + u
        return h(1)
    ''',
    '''
    def f():
        return 'no docstring'
    ''',
]

BRANCHES = [
    "lambda x: x if x else y",
    "lambda x: x and y",
    "lambda x: 0 < x < 1",
    "lambda x: [y for y in x]",
    "lambda x: f(lambda y: y or x)",
    "lambda x: (yield x)",
    "lambda x: (y := x) + y",
]


def made(text: str) -> FunctionType:
    names: dict[str, Any] = {}
    exec(f"f = {text}" if text.startswith("lambda") else textwrap.dedent(text), names)
    function = names["f"]
    assert isinstance(function, FunctionType)
    return function


@pytest.mark.parametrize("text", LAMBDAS)
def test_lambdas(text: str) -> None:
    tree = tree_of(made(text).__code__)
    assert tree is not None and ast.unparse(tree) == text


@pytest.mark.parametrize("text", [text for text in FUNCTIONS if "y = 3" not in text])
def test_functions(text: str) -> None:
    tree = tree_of(made(text).__code__)
    assert tree is not None
    wanted = textwrap.dedent(text).strip()
    ends = "\n    return None" if "return" not in wanted.splitlines()[-1] else ""
    assert ast.unparse(tree) == wanted.replace(", k=2", ", k").replace("(b)", "b") + ends
    assert tree.lineno == 2 and tree.body[-1].lineno > 2  # type: ignore[index]


@pytest.mark.parametrize("text", [*BRANCHES, FUNCTIONS[1]])
def test_what_is_not_read(text: str) -> None:
    function = made(text)
    assert tree_of(function.__code__) is None
    if not inspect.isgeneratorfunction(function):
        with pytest.raises(SourceUnavailableError, match=r"only those without branches.*IPython.*autograph=False"):
            find_definition(function)


@pytest.mark.parametrize("name", ["fractions", "statistics"])
def test_functions_of_real_programs(name: str) -> None:
    """A tree that is found has the code of the function that the file has; where the file has branches, none is."""
    module = importlib.import_module(name)
    code = compile(inspect.getsource(module), str(module.__file__), "exec", dont_inherit=True)
    found = 0
    for each in codes_in(code):
        tree = tree_of(each) if each.co_flags & inspect.CO_OPTIMIZED else None
        if tree is not None:
            found += 1
            again = compile(_around(tree, each), "<again>", "exec", dont_inherit=True)
            assert [each.co_names, each.co_varnames] in [[c.co_names, c.co_varnames] for c in codes_in(again)]
            branches = (ast.If, ast.IfExp, ast.For, ast.While, ast.BoolOp, ast.Try, ast.With)
            assert not any(isinstance(node, branches) for node in ast.walk(tree))
    assert found > 5


def _around(tree: Any, code: CodeType) -> ast.Module:
    module = ast.parse(f"def around({', '.join(code.co_freevars)}): pass")
    module.body[0].body = [tree if isinstance(tree, ast.FunctionDef) else ast.Expr(tree)]  # type: ignore[attr-defined]
    return ast.fix_missing_locations(module)


def test_what_is_made_of_text_is_converted() -> None:
    def clipped(x: Any) -> Any:
        return x if x > 0 else 0

    names: dict[str, Any] = {"clipped": clipped}
    exec("def f(x, k=2):\n    y = clipped(x)\n    return y + k\n", names)
    converted = autograph.to_graph(names["f"])
    assert converted(-1) == 2 and converted(5, k=1) == 6
    assert "ag__.converted_call" in autograph.to_code(names["f"])


def test_an_error_is_at_its_line() -> None:
    names: dict[str, Any] = {}
    exec("def f(x):\n    y = x + 1\n    return y.missing\n", names)
    with pytest.raises(AttributeError) as caught:
        autograph.to_graph(names["f"])(1)
    assert caught.traceback[-1].frame.code.path == "<string>" and caught.traceback[-1].lineno == 2
