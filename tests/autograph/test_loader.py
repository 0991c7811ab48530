"""Generated trees become functions with the user's file, lines, names and cells. The trees here are written by hand."""

from __future__ import annotations

import inspect
import sys
import traceback
from types import FunctionType
from typing import Any

import gast
import pytest

from autograph.errors import ConversionError
from autograph.loader import load
from autograph.template import Template, bind, is_artifact, rebuild

HEAD = "def tf__f({}):\n  with ag__.FunctionScope('f', 'fscope', ag__.STD) as fscope:\n"


def template(function: FunctionType, parameters: str, body: str) -> Template:
    """A template of hand-made code for `function`, at its lines."""
    text = HEAD.format(parameters) + "\n".join("    " + line for line in body.splitlines())
    (tree,) = gast.parse(text).body
    gast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    return load(tree, function.__code__)


def plain(x: int, y: int = 2, *rest: int, key: str = "k", **more: Any) -> tuple[Any, ...]:
    """Its documentation."""
    return x, y, rest, key, more


plain.attribute = "kept"  # type: ignore[attr-defined]


def test_the_function_looks_like_the_original() -> None:
    made = rebuild(
        template(plain, "x, y=0, *rest, key=0, **more", "return fscope.ret((x, y, rest, key, more), True)"), plain
    )
    assert made(1) == plain(1)
    assert made(1, 5, 6, key="other", z=3) == plain(1, 5, 6, key="other", z=3)
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__defaults__", "__kwdefaults__"):
        assert getattr(made, name) == getattr(plain, name)
    assert made.__annotations__ == plain.__annotations__
    assert made.attribute == "kept"
    assert made.__wrapped__ is plain
    assert made.__globals__ is globals()
    assert inspect.signature(made) == inspect.signature(plain)
    assert made.__code__.co_name == "plain"
    assert made.__code__.co_qualname == plain.__code__.co_qualname
    assert made.__code__.co_filename == __file__
    assert is_artifact(made.__code__)
    if sys.version_info >= (3, 12):
        assert made.__type_params__ == plain.__type_params__


def test_wrong_arguments_are_reported_in_the_words_of_the_original() -> None:
    made = rebuild(template(plain, "x, y=0, *rest, key=0, **more", "return fscope.ret(x, True)"), plain)
    with pytest.raises(TypeError) as ours:
        made()
    with pytest.raises(TypeError) as pythons:
        plain()  # type: ignore[call-arg]
    assert str(ours.value) == str(pythons.value)


def test_cells_are_shared_both_ways() -> None:
    count = 0

    def f(step: int) -> int:
        nonlocal count
        count += step
        return count

    made = rebuild(template(f, "step", "nonlocal count\ncount += step\nreturn fscope.ret(count, True)"), f)
    assert (made(1), f(10), made(100), count) == (1, 11, 111, 111)
    count = 1000
    assert made(1) == 1001
    assert any(cell is f.__closure__[0] for cell in made.__closure__)


def test_a_free_variable_may_still_be_empty() -> None:
    def f() -> int:
        return later

    made = rebuild(template(f, "", "return fscope.ret(later, True)"), f)
    with pytest.raises(NameError, match="later"):
        made()
    later = 3
    assert made() == 3


class Base:
    def name(self) -> str:
        return "base"


class Child(Base):
    def name(self) -> str:
        return "child of " + super().name()


def test_super_finds_its_class() -> None:
    body = "return fscope.ret('converted ' + super(__class__, self).name(), True)"
    assert rebuild(template(Child.name, "self", body), Child.name)(Child()) == "converted base"
    body = "return fscope.ret('converted ' + ag__.converted_call(super, (), None, fscope).name(), True)"
    assert rebuild(template(Child.name, "self", body), Child.name)(Child()) == "converted base"


def test_tracebacks_show_the_users_line_and_names() -> None:
    def f(x: int) -> float:
        if x:
            return 1 / 0
        return 0.0

    made = rebuild(template(f, "x", "ag__.if_stmt(x, lambda: 1 / 0, lambda: 0, None, None, (), 0)"), f)
    with pytest.raises(ZeroDivisionError) as caught:
        made(1)
    frames = [frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename == __file__]
    assert [frame.name for frame in frames[1:]] == ["f"]
    assert {frame.lineno for frame in frames[1:]} == {f.__code__.co_firstlineno + 2}


def test_inner_functions_and_classes_keep_their_names_and_generated_ones_have_that_of_the_function() -> None:
    def f() -> Any:
        def inner() -> int:
            return 1

        class Inner:
            pass

        return inner, Inner

    text = """
def tf__f():
  with ag__.FunctionScope('f', 'fscope', ag__.STD) as fscope:
    def if_body():
      def inner(): return 2


      class Inner: pass
      return if_body, inner, Inner
    return if_body()
"""
    (tree,) = gast.parse(text).body
    gast.increment_lineno(tree, f.__code__.co_firstlineno + 1 - 5)
    body, inner, kind = rebuild(load(tree, f.__code__), f)()
    assert (inner.__qualname__, kind.__qualname__) == (f()[0].__qualname__, f()[1].__qualname__)
    assert (inner(), kind.__module__) == (2, __name__)
    assert (body.__name__, body.__qualname__) == ("f", f.__qualname__)


def test_a_lambda_is_loaded() -> None:
    offset = 5
    f = lambda x, y=1: x + y + offset
    text = "tf__lam = lambda x, y=None: ag__.with_function_scope(lambda lscope: x + y + offset, 'lscope', ag__.STD)"
    (tree,) = gast.parse(text).body
    made = rebuild(load(tree, f.__code__), f)
    assert (made(1), made(1, 2), made.__name__) == (7, 8, "<lambda>")


def test_the_operators_may_have_another_name() -> None:
    def f(ag__: int) -> int:
        return ag__

    text = HEAD.format("ag__").replace("ag__.", "ag_1.") + "    return fscope.ret(ag__ + 1, True)"
    (tree,) = gast.parse(text).body
    assert rebuild(load(tree, f.__code__), f)(1) == 2


def test_what_is_evaluated_at_the_definition_is_not_evaluated_again() -> None:
    def f(x: Any) -> Any:
        return x

    tree = gast.parse(
        "@never\ndef tf__f(x: never = never()) -> never:\n"
        "  with ag__.FunctionScope('f', 'fscope', ag__.STD) as fscope:\n    return x"
    ).body[0]
    assert rebuild(load(tree, f.__code__), f)(3) == 3


def test_keyword_defaults_and_defaults_come_from_the_original_at_each_call() -> None:
    def f(x: int = 1, *, k: int = 2) -> tuple[int, int]:
        return x, k

    converted = template(f, "x=0, *, k=0", "return fscope.ret((x, k), True)")
    assert bind(converted, f)() == (1, 2)
    f.__defaults__ = (10,)
    f.__kwdefaults__ = {"k": 20}
    assert bind(converted, f)() == (10, 20)


def test_code_that_python_cannot_compile_is_a_conversion_error() -> None:
    def f() -> None: ...

    body = "\n".join("  " * depth + "for i in ():" for depth in range(21)) + "\n" + "  " * 21 + "pass"
    with pytest.raises(ConversionError, match=r"test_loader.py:\d+: Python cannot compile .*'f'|too many") as caught:
        template(f, "", body)
    assert isinstance(caught.value.__cause__, SyntaxError)


def test_nothing_is_registered() -> None:
    before = set(sys.modules)
    rebuild(template(plain, "x", "return fscope.ret(x, True)"), plain)(1)
    assert set(sys.modules) == before
