"""Trees and what is known of them: annotations, names, templates, text, origins."""

from __future__ import annotations

import ast
import copy
import gc
import inspect
import math
import os.path
import sys
import textwrap
import weakref
from collections import namedtuple
from typing import Any

import gast
import pytest

import autograph
from autograph.pyct import anno, ast_util, inspect_utils, loader, origin_info, parser, pretty_printer, templates
from autograph.pyct.qual_names import QN, Literal, from_str, resolve
from autograph.syntax import to_ast


def text(node: Any) -> str:
    return parser.unparse(node, include_encoding_marker=False).strip()


# -- annotations


def test_annotations_are_beside_the_tree() -> None:
    node = parser.parse("x = 1")
    before = gast.dump(node)
    anno.setanno(node, "cost", 3)
    assert anno.getanno(node, "cost") == 3 and anno.keys(node) == {"cost"}
    assert gast.dump(node) == before and "cost" not in dict(gast.iter_fields(node))
    assert compile(ast.Module([to_ast(node)], []), "x", "exec")
    for other in (copy.copy(node), copy.deepcopy(node), ast_util.copy_clean(node)):
        assert not anno.hasanno(other, "cost")
        anno.setanno(other, "cost", 4)
    assert anno.getanno(node, "cost") == 3
    assert anno.getanno(ast_util.copy_clean(node, preserve_annos=["cost"]), "cost") == 3


def test_annotations_are_set_copied_and_deleted() -> None:
    a, b = parser.parse("x = y"), parser.parse("pass")
    anno.setanno(a, anno.Basic.QN, 1)
    anno.setanno(a, anno.Basic.QN, 2, field_name="of_mine")
    anno.copyanno(a, b, anno.Basic.QN)
    anno.copyanno(a, b, anno.Basic.ORIGIN)
    assert anno.keys(b) == {anno.Basic.QN} and anno.getanno(a, anno.Basic.QN, field_name="of_mine") == 2
    anno.delanno(b, anno.Basic.QN)
    assert anno.getanno(b, anno.Basic.QN, None) is None
    with pytest.raises(KeyError, match="Pass node at line 1 has no annotation QN"):
        anno.getanno(b, anno.Basic.QN)
    anno.setanno(a.value, "old", 7)
    anno.dup(a, {"old": "new"})
    assert anno.getanno(a.value, "new") == 7 and not anno.hasanno(a, "new")


def test_a_tree_dies_though_annotations_lead_back_to_it() -> None:
    node = parser.parse("x = y")
    anno.setanno(node.value, "parent", node)
    seen = weakref.ref(node)
    del node
    gc.collect()
    assert seen() is None


# -- qualified names


def test_names_are_values() -> None:
    a = QN("a")
    ab, ai, a1 = QN(a, attr="b"), QN(a, subscript=QN("i")), QN(a, subscript=QN(Literal("k")))
    assert [str(qn) for qn in (ab, ai, a1)] == ["a.b", "a[i]", "a['k']"]
    assert ab == QN(QN("a"), attr="b") and hash(ab) == hash(QN(QN("a"), attr="b")) and ab != ai
    assert QN(a, subscript=QN(Literal(1))) != QN(a, subscript=QN(Literal(True)))
    assert (a.is_symbol(), a.is_simple(), ab.is_composite(), ab.has_attr(), ai.has_subscript()) == (True,) * 5
    deep = from_str("a.b[i].c")
    assert deep.owner_set == {a, ab, QN(ab, subscript=QN("i"))} and deep.support_set == {a, QN("i")}
    assert (deep.attr, deep.parent, deep.parent.subscript) == ("c", QN(ab, subscript=QN("i")), QN("i"))
    assert [qn.ssf() for qn in (ab, ai, a1)] == ["a_b", "a_sub_i", "a_sub__k_"]
    assert sorted([ai, a, ab]) == [a, ab, ai] and ab > a
    assert text(deep.ast()) == "a.b[i].c" and deep.qn == (deep.parent, ".", "c")


def test_names_in_a_tree() -> None:
    node = resolve(parser.parse_expression("f(a.b)[0].c[-1][x:y].d"))
    named = {text(each) for each in gast.walk(node) if anno.hasanno(each, anno.Basic.QN)}
    assert named == {"f", "a", "a.b", "x", "y"}
    for wrong in ("f(x)", "a[x:y]", "a[...]", "1"):
        with pytest.raises(ValueError):
            from_str(wrong)
    for build in (lambda: QN("a", attr="b"), lambda: QN(QN("a"), attr="b", subscript=QN("c")), lambda: QN("a").parent):
        with pytest.raises(ValueError):
            build()


def test_long_names_take_no_recursion() -> None:
    text_of_it = "a" + ".b" * 20_000
    long = QN("a")
    for _ in range(20_000):
        long = QN(long, attr="b")
    other = QN("a")
    for _ in range(20_000):
        other = QN(other, attr="b")
    assert str(long) == text_of_it and long == other and len({long, other}) == 1 and len(long.owner_set) == 20_000


# -- templates


TWO = parser.parse("x = 1\ny = 2", single_node=False)


@pytest.mark.parametrize(
    ("template", "replacements", "expected"),
    [
        ("x = y", {"x": "a", "y": "b"}, "a = b"),
        ("x = y", {"x": QN(QN("a"), attr="b"), "y": parser.parse_expression("f(1)")}, "a.b = f(1)"),
        ("x, y = z", {"x": parser.parse_expression("(p, q.r)")}, "((p, q.r), y) = z"),
        ("def f(args):\n  body", {"f": "g", "args": ["a", "b"], "body": TWO}, "def g(a, b):\n    x = 1\n    y = 2"),
        ("f(args, k=v, more=1)", {"args": ["a", "b"], "k": "n", "more": []}, "f(a, b, n=v)"),
        ("f(kw=0)", {"kw": parser.parse_expression("g(a=1, b=2)").keywords}, "f(a=1, b=2)"),
        ("o.attr[k]", {"attr": "b", "o": "a"}, "a.b[k]"),
        ("def f():\n  nonlocal names\n  pass", {"names": ["a", "b"]}, "def f():\n    nonlocal a, b\n    pass"),
        ("if c:\n  body", {"body": []}, "if c:\n    pass"),
        ("try:\n  x\nexcept E as e:\n  raise e", {"e": "error"}, "try:\n    x\nexcept E as error:\n    raise error"),
    ],
)
def test_templates(template: str, replacements: dict[str, Any], expected: str) -> None:
    nodes = templates.replace(template, **replacements)
    assert ast.dump(ast.parse(text(nodes))) == ast.dump(ast.parse(expected))


def test_templates_copy_and_keep_places() -> None:
    value = parser.parse("\n\nx = f(a)").value
    anno.setanno(value, anno.Basic.ORIGIN, "here")
    first, second = templates.replace("y = v\nv = z", v=value, z="q")[:1][0], value
    assert first.value is not second and first.value.lineno == 3 and "lineno" not in first.__dict__
    assert anno.getanno(first.value, anno.Basic.ORIGIN) == "here"
    store = templates.replace("v = 1", v=parser.parse_expression("a.b"))[0].targets[0]
    assert isinstance(store.ctx, gast.Store) and isinstance(store.value.ctx, gast.Load)
    assert text(templates.replace_as_expression("not x", x=value)) == "not f(a)"


def test_templates_refuse_what_cannot_stand() -> None:
    with pytest.raises(ValueError, match="one expression"):
        templates.replace_as_expression("x = 1")
    with pytest.raises(TypeError, match=r"gast\.Constant\(3, None\)"):
        templates.replace("x = y", y=3)
    with pytest.raises(ValueError, match="an attribute"):
        templates.replace("a.b", b=parser.parse_expression("f()"))
    with pytest.raises(ValueError, match="2 trees cannot replace the one value of a Assign"):
        templates.replace("x = y", y=["a", "b"])
    with pytest.raises(TypeError, match="a template is a text"):
        templates.replace(3)  # type: ignore[arg-type]


# -- text and trees


class Holder:
    """A class with a method, for its source."""

    def method(self) -> str:
        return """
no indentation here
"""


def test_entities() -> None:
    pair = (lambda x: x + 1, lambda y: y * 2)
    node, source = parser.parse_entity(pair[1])
    assert source == "lambda y: y * 2" and isinstance(node, gast.Lambda)
    node, source = parser.parse_entity(Holder().method)
    assert node.name == "method" and source.lstrip().startswith("def method") and node.lineno > 1
    node, source = parser.parse_entity(Holder)
    assert node.name == "Holder" and source.startswith("class Holder")
    assert node.lineno == inspect.getsourcelines(Holder)[1]
    node, source = parser.parse_entity(textwrap)
    assert isinstance(node, gast.Module) and source == inspect.getsource(textwrap)
    with pytest.raises(autograph.ConversionError, match="neither a function"):
        parser.parse_entity(3)


def test_text() -> None:
    assert parser.unparse(parser.parse("x=1"), indentation="  ") == "# coding=utf-8\n  x = 1\n"
    assert text(parser.parse("a\nb", preamble_len=1)) == "b"
    dedented = parser.dedent_block(inspect.getsource(Holder.method))
    assert dedented.startswith("def method") and "\nno indentation here\n" in dedented
    assert parser.parse(dedented).body[0].value.value == Holder().method()
    for wrong in ("a; b", ""):
        with pytest.raises(ValueError, match="exactly one"):
            parser.parse(wrong)
    with pytest.raises(ValueError, match="one expression"):
        parser.parse_expression("x = 1")
    with pytest.raises(autograph.SourceSyntaxError):
        parser.parse("f(:")


def test_modules_of_trees() -> None:
    module, source, source_map = loader.load_ast(parser.parse("def f(x):\n    return 1 / x"), include_source_map=True)
    assert module.f(4) == 0.25 and "return 1 / x" in source and source_map == {}
    assert inspect.getsource(module.f) == "def f(x):\n    return 1 / x\n" and module.__name__ not in sys.modules
    assert autograph.to_graph(module.f)(2) == 0.5  # its source can be found


def test_origins() -> None:
    def f(x: int) -> int:
        if x:  # a comment
            return x
        return 0

    node, source = parser.parse_entity(f)
    origin_info.resolve_entity(node, source, f)
    origin = anno.getanno(node.body[0].test, anno.Basic.ORIGIN)
    assert origin.loc.filename == __file__ and origin.source_code_line.endswith("if x:  # a comment")
    assert (origin.comment, origin.function_name, origin.as_frame()[1]) == ("a comment", "f", origin.loc.lineno)
    lines = origin_info.create_source_map(node, parser.unparse(node), "g.py")
    assert lines[origin_info.LineLocation("g.py", 3)].source_code_line == origin.source_code_line
    with pytest.raises(ValueError, match="not printed from"):
        origin_info.create_source_map(node, "x = 1", "g.py")
    other = parser.parse("y = z")
    origin_info.copy_origin(node.body[0], other)
    assert anno.getanno(other.value, anno.Basic.ORIGIN) == origin._replace(loc=origin.loc._replace(col_offset=8))


def test_trees_as_text_for_people() -> None:
    node = parser.parse("x = f('a')")
    anno.setanno(node, anno.Basic.QN, "seen")
    shown = pretty_printer.fmt(node, color=False)
    assert shown.startswith("Assign:\n| targets=[\n| | Name:\n| | | id=\"x\"") and "@QN='seen'" in shown
    assert "@" not in pretty_printer.fmt(node, color=False, noanno=True) and "\033[" in pretty_printer.fmt(node)


def test_small_things_on_trees() -> None:
    node = ast_util.rename_symbols(parser.parse("x.y = f(x, y)"), {QN("y"): QN("z"), from_str("x.y"): QN("w")})
    assert text(node) == "w = f(x, z)"
    assert ast_util.matches(parser.parse_expression("f(1, g(2))"), "f(1, _)")
    assert not ast_util.matches(parser.parse_expression("f(True)"), "f(1)")
    call = parser.parse_expression("f(a=1, **b)")
    assert text(ast_util.keywords_to_dict(call.keywords)) == "{'a': 1, **b}"
    found: list[tuple[str, str]] = []
    for source in ("a, (b, *c) = d, e", "a, b = c = f()"):
        node = parser.parse(source)
        ast_util.apply_to_single_assignments(node.targets, node.value, lambda t, v: found.append((text(t), text(v))))
    assert found == [("a", "d"), ("b", "e"), ("c", "e"), ("a", "f()[0]"), ("b", "f()[1]"), ("c", "f()")]
    pairs = list(ast_util.parallel_walk(parser.parse("x = 1"), parser.parse("y = 2")))
    assert [type(a).__name__ for a, _ in pairs] == ["Assign", "Name", "Constant"]
    with pytest.raises(ValueError, match="differ"):
        list(ast_util.parallel_walk(parser.parse("x = 1"), parser.parse("x = y")))


def test_questions_about_objects() -> None:
    inner = 5

    def f() -> int:
        return inner

    class Base:
        def m(self) -> None: ...

        @classmethod
        def c(cls) -> None: ...

    class Derived(Base): ...

    namespace = inspect_utils.getnamespace(f)
    assert namespace["inner"] == 5 and namespace["math"] is math
    assert inspect_utils.getqualifiedname({"m": math, "os": os}, os.path.join) == "os.path.join"
    assert inspect_utils.getqualifiedname({"m": math}, object()) is None
    assert inspect_utils.getdefiningclass(Derived.m, Derived) is Base
    assert [inspect_utils.getmethodclass(each) for each in (Derived().m, Derived.c, f)] == [Derived, Derived, None]
    assert inspect_utils.isnamedtuple(namedtuple("P", "x")) and not inspect_utils.isnamedtuple(tuple)
    assert inspect_utils.islambda(lambda: 0) and not inspect_utils.islambda(f)
    assert inspect_utils.isbuiltin(len) and inspect_utils.isbuiltin(range) and not inspect_utils.isbuiltin(f)
    assert inspect_utils.isconstructor(Base) and not inspect_utils.isconstructor(Base())
    assert inspect_utils.getfutureimports(f) == ("annotations",)
    assert inspect_utils.getfutureimports(templates) == ("annotations",)
    assert inspect_utils.getimmediatesource(f).strip() == "def f() -> int:\n        return inner"


def test_autograph_does_not_load_the_toolkit_until_it_is_asked_for() -> None:
    import subprocess

    program = "import sys, autograph\nprint('autograph.pyct' in sys.modules)\nprint(autograph.pyct.cfg.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "autograph.pyct.cfg"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = autograph.nothing
