"""A-normal form: operands are names and constants, and the function does what it did, in the same order.

Random programs are judged by the oracle of the differential tests: results, exceptions, every effect and its place.
"""

from __future__ import annotations

import textwrap
import types
from typing import Any

import gast
import pytest

from autograph.pyct import parser, transpiler
from autograph.pyct.common_transformers import anf
from autograph.syntax import children
from tests.differential.campaign import campaign
from tests.differential.oracle import Verdict, check

from .every_statement import PROGRAMS
from .test_analyses_are_true import outcome


class ToANF(transpiler.PyToPy):
    """Transforms functions to a-normal form. user_context: the rules."""

    def transform_ast(self, node: Any, ctx: Any) -> Any:
        return anf.transform(node, ctx, ctx.user)


def in_anf(function: Any, config: Any = None) -> Any:
    return ToANF().transform(function, config)[0]


def text_of(body: str, config: Any = None) -> str:
    node = parser.parse("def f(a, b):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    "))
    lines = parser.unparse(anf.transform(node, None, config), include_encoding_marker=False)
    return textwrap.dedent(lines.partition("\n")[2]).strip()


def test_random_programs_do_what_they_did() -> None:
    def judge(program: Any) -> Verdict:
        if any(call in program.text for call in ("dir()", "locals()", "who()")):  # they see operands and frames
            return Verdict("same")
        return check(program, in_anf)

    report = campaign(range(1000, 1080), judge=judge)
    assert not report.failures, report.failures[0]
    assert not report.refusals


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_statement_does_what_it_did(name: str) -> None:
    text, inputs = PROGRAMS[name]
    original: dict[str, Any] = {}
    exec(text, original)
    changed: dict[str, Any] = {}
    tree = parser.parse(text, single_node=False)
    anf.transform([node for node in tree if getattr(node, "name", "") == "f"])
    exec(parser.unparse(tree), changed)
    for values in inputs:
        results = []
        for namespace in (original, changed):
            try:
                results.append(repr(outcome(namespace["f"], values)))
            except Exception as error:
                results.append(repr(error))
        if "builtins" in name:  # sees the new names too
            results = ["['a', 'x', 'y']" in result for result in results[:1]] * 2
        assert results[0] == results[1]


def trivial(node: Any) -> bool:
    return isinstance(node, gast.Name | gast.Constant | gast.Starred | gast.Slice | gast.expr_context | gast.keyword)


@pytest.mark.parametrize("seed", range(12))
def test_operands_are_names_and_constants(seed: int) -> None:
    from tests.differential.grammar import program

    tree = anf.transform(parser.parse(program(seed).text, single_node=False))
    pending, operations = list(tree), 0
    while pending:
        node = pending.pop()
        below = list(children(node))
        if isinstance(node, gast.Lambda | gast.ClassDef | gast.Assert | gast.JoinedStr | gast.arguments):
            continue
        if type(node).__name__.endswith("Comp") or isinstance(node, gast.GeneratorExp | gast.ExceptHandler):
            pending += getattr(node, "body", [])
            continue
        if isinstance(node, gast.Call | gast.BinOp | gast.Attribute):
            operations += 1
            assert all(trivial(child) for child in below if not isinstance(child, gast.operator)), gast.dump(node)
        pending += below
    assert operations


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a + b", "tmp = a + b\nreturn tmp"),
        ("x = a + b", "x = a + b"),
        ("a.m(b * 2)", "tmp = a.m\ntmp_1 = b * 2\ntmp(tmp_1)"),
        ("x = b[a:b + 1, 0]", "tmp = b + 1\nx = b[a:tmp, 0]"),
        ("x = a and b", "x = a and b"),
        ("x = a and -b", "tmp_1 = a\nif tmp_1:\n    tmp = -b\n    tmp_1 = tmp\nx = tmp_1"),
        ("del a.b.c, a", "tmp = a.b\ndel tmp.c\ndel a"),
    ],
)
def test_text(body: str, expected: str) -> None:
    assert text_of(body) == expected


def test_what_was_read_before_a_call_is_read_before_it() -> None:
    order: list[str] = []

    def change() -> int:
        nonlocal value
        order.append("changed")
        value = 100
        return 1

    value = 5

    def f(box: Any, x: int) -> Any:
        box[0] += change()
        box.append(value)
        chains = box[0] < change() < value, 1 < value < change() + 50
        return value, (value, change(), value), chains, [x, abs((x := 2)), x]

    def g(boxes: Any, x: int) -> Any:
        boxes[value] += change() + 0
        return boxes

    def h(boxes: Any, x: int) -> Any:
        return 1 < value < change() + 50

    def again() -> Any:
        nonlocal value
        results: list[Any] = []
        for function, argument in ((f, [2]), (g, {5: 1, 100: 2}), (h, ())):
            value = 5
            order.clear()
            results.append((function(argument, 7), list(order)))
        return results

    expected = again()
    f, g, h = in_anf(f), in_anf(g), in_anf(h)
    assert again() == expected


def test_rules_choose_what_gets_a_statement() -> None:
    only_calls_in_calls = [(anf.ASTEdgePattern(gast.Call, "args", gast.Call), anf.REPLACE), (anf.ANY, anf.LEAVE)]
    expected = "tmp_1 = b(1) + 2\ntmp = b(3)\nreturn a(tmp_1, tmp)"  # the sum is read before b is called again
    assert text_of("return a(b(1) + 2, b(3))", only_calls_in_calls) == expected
    by_function = [(anf.ANY, lambda parent, field, child: isinstance(child, gast.BinOp))]
    assert text_of("return a(b + 1)(2)", by_function) == "tmp = b + 1\nreturn a(tmp)(2)"


def test_new_names_meet_no_others() -> None:
    def f(tmp: int) -> int:
        tmp_1 = 3
        return -(tmp * tmp_1) + tmp_1

    assert in_anf(f)(2) == f(2) == -3


LIBRARY = {
    "textwrap": lambda m: m.fill(m.__doc__ * 9 + m.dedent("   a\n    b  c"), 31, initial_indent="> ", max_lines=7),
    "difflib": lambda m: list(m.unified_diff("one two three".split(), "zero two four three".split(), lineterm="")),
    "fractions": lambda m: [m.Fraction("3/7") ** 3, m.Fraction(0.3).limit_denominator(99), m.Fraction(5, 3) % 2],
    "statistics": lambda m: [m.median([3, 1, 2]), m.quantiles(range(17), n=5), m.stdev([1.5, 2.5, 4.0])],
    "heapq": lambda m: [m.nsmallest(3, [5, 2, 8, 1], key=lambda x: -x), list(m.merge([1, 4], [2, 3], reverse=False))],
    "base64": lambda m: [m.b85decode(m.b85encode(b"abc" * 9)), m.a85encode(b"0000wxyz", wrapcol=4)],
    "shlex": lambda m: m.split("a 'b c' \"d\\\"e\" f\\ g # h", comments=True),
    "string": lambda m: m.Formatter().format("{0:>{w}}|{x[k]}", 7, w=4, x={"k": m.Template("$a$$").substitute(a=1)}),
    "ast": lambda m: m.unparse(m.parse("def f(a, *b, c=1):\n    return [x for x in a if x] or {**c, 1: (yield)}")),
    "json.decoder": lambda m: m.JSONDecoder().decode('{"a": [1, 2.5e3, "\\u00e9\\n", null, {"b": true}]}'),
}


@pytest.mark.parametrize("name", LIBRARY)
def test_modules_of_the_standard_library_do_what_they_did(name: str) -> None:
    module = __import__(name, fromlist=["_"])
    tree, _ = parser.parse_entity(module)
    changed = types.ModuleType(name)
    changed.__file__ = module.__file__
    changed.__package__ = module.__package__
    changed.__doc__ = module.__doc__
    text = parser.unparse(anf.transform(tree))
    assert "tmp_9 = " in text
    exec(compile(text, name, "exec"), changed.__dict__)
    assert repr(LIBRARY[name](changed)) == repr(LIBRARY[name](module))
