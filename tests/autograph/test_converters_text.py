"""What generated code looks like, where a form is promised; whole functions are in cases/."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import autograph
from autograph.errors import UnsupportedSyntaxError
from autograph.options import ConversionOptions, Feature
from autograph.pipeline import convert_function
from autograph.syntax import parse_module, unparse

from .comparing import REQUESTED, assert_same, body, module


def expression(text: str, *features: Feature) -> str:
    """The converted form of an expression over a, b, c, f, o."""
    options = ConversionOptions(recursive=True, user_requested=True, optional_features=features)
    node = parse_module(f"def f(a, b, c, f, o):\n    _ = {text}\n", "x.py").body[0]
    lines = unparse(convert_function(node, options=options, filename="x.py", qualname="f")).splitlines()
    return lines[-1].strip().removeprefix("_ = ")


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        ("a and b or not c", "ag__.or_(lambda: ag__.and_(lambda: a, lambda: b), lambda: ag__.not_(c))"),
        ("a and b and c", "ag__.and_(lambda: a, lambda: ag__.and_(lambda: b, lambda: c))"),
        ("a if b else c", "ag__.if_exp(b, lambda: a, lambda: c, 'b')"),
        ("a < b < c", "ag__.and_(lambda: a < b, lambda: b < c)"),
        ("a < f < c", "ag__.and_(lambda: a < f, lambda: f < c)"),
        (
            "a < -b < c",
            "(lambda left, middle: ag__.and_(lambda: left < middle, lambda: middle < c))(a, -b)",
        ),
        ("a == b", "a == b"),
        ("f(a, b=c)", "ag__.converted_call(f, (a,), dict(b=c), fscope)"),
        ("f(*a, b, *c, **o)", "ag__.converted_call(f, tuple(a) + (b,) + tuple(c), dict(**o), fscope)"),
        ("o.m(f(a))", "ag__.converted_call(o.m, (ag__.converted_call(f, (a,), None, fscope),), None, fscope)"),
        ("lambda x, y=a: x and y", "ag__.autograph_artifact(lambda x, y=a: ag__.and_(lambda: x, lambda: y))"),
        ("(y := a) and b", "(lambda left: ag__.and_(lambda: left, lambda: b))((y := a))"),
        (
            "a or (y := b) or c",
            "ag__.or_(lambda: a, lambda: ag__.or_(lambda: set_y(b), lambda: c), get_state, set_state, ('y',))",
        ),
        ("a and (y := b)", "ag__.and_(lambda: a, lambda: set_y(b), get_state, set_state, ('y',))"),
        (
            "(y := a) if b else c",
            "ag__.if_exp(b, lambda: set_y(a), lambda: c, 'b', get_state, set_state, ('y',))",
        ),
        (
            "f'{(y := a)}{y!r:>{b}}'",
            (
                "ag__.format_string(ag__.format_value((y := a)), ag__.format_value(ag__.ld(y), 'r', "
                "ag__.format_string('>', ag__.format_value(b))))"
            ),
        ),
        ("a not in b", "ag__.not_in(a, b)"),
        ("a in b < c", "ag__.and_(lambda: ag__.in_(a, b), lambda: b < c)"),
        ("a is None is b", "ag__.and_(lambda: ag__.is_(a, None), lambda: ag__.is_(None, b))"),
        ("a is b", "ag__.is_(a, b)"),
        ("None is not a", "ag__.is_not(None, a)"),
        ("'%s' % a", "ag__.mod('%s', a)"),
        ("a % (b, c)", "ag__.mod(a, (b, c))"),
        ("a % b", "ag__.mod(a, b)"),
        ("a % 2", "a % 2"),
        ("(a + 1) % b, (a - b) % c, -a % b, 7 % a", "((a + 1) % b, (a - b) % c, -a % b, 7 % a)"),
        ("('a' + b) % c", "ag__.mod('a' + b, c)"),
        ("f'a'", "'a'"),
        ("f'{a}'", "ag__.format_value(a)"),
        (
            "(y := a) < b < c",
            "(lambda left, middle: ag__.and_(lambda: left < middle, lambda: middle < c))((y := a), b)",
        ),
        (
            "a < b < (y := c)",
            "ag__.and_(lambda: a < b, lambda: b < set_y(c), get_state, set_state, ('y',))",
        ),
        ("breakpoint()", "breakpoint()"),
        ("globals()", "globals()"),
        ("[f(x) for x in [1, 2]]", "[ag__.converted_call(f, (x,), None, fscope) for x in [1, 2]]"),
        ("{x for x in range(3)}", "{x for x in ag__.converted_call(range, (3,), None, fscope)}"),
        (
            "[f(x) for x in a]",
            (
                "ag__.list_comp(a, lambda items: [ag__.converted_call(f, (x,), None, fscope) for x in items], "
                "lambda into, items: into.each(items, lambda x: into.take(ag__.converted_call(f, (x,), None, fscope))))"
            ),
        ),
        (
            "{k: v for k, v in a if v}",
            (
                "ag__.dict_comp(a, lambda items: {k: v for k, v in items if v}, lambda into, items: into.each(items, "
                "lambda itr: [into.when(v, lambda: into.take((k, v))) for k, v in [itr]], '(k, v)'), True)"
            ),
        ),
        (
            "list(x for r in a for x in r)",
            (
                "ag__.converted_call(list, (ag__.generator_exp(a, lambda items: (x for r in items for x in r), "
                "lambda into, items: into.each(items, lambda r: into.each(r, lambda x: into.take(x))), True),), None, "
                "fscope)"
            ),
        ),
    ],
)
def test_expressions(text: str, converted: str) -> None:
    assert expression(text) == converted


def test_equality_is_an_operator_where_asked_for() -> None:
    assert expression("a == b != c", Feature.EQUALITY_OPERATORS) == (
        "ag__.and_(lambda: ag__.eq(a, b), lambda: ag__.not_eq(b, c))"
    )
    assert expression("a < b >= c != d", Feature.ORDER_OPERATORS) == (
        "ag__.and_(lambda: ag__.lt(a, b), lambda: ag__.and_(lambda: ag__.ge(b, c), lambda: c != d))"
    )
    assert expression("(a, b) <= c, a > [b]") == "(ag__.le((a, b), c), ag__.gt(a, [b]))"
    assert_same(
        "def f(n):\n    return n == 1, n != 2, 1 == n != 3",
        (1,),
        (2,),
        features=(Feature.EQUALITY_OPERATORS,),
    )


def test_long_chains_are_halved() -> None:
    text = expression(" and ".join("a" for _ in range(64)))
    depth = max(text[:place].count("(") - text[:place].count(")") for place in range(len(text)))
    assert depth < 12


def test_a_defined_name_is_read_as_it_is() -> None:
    assert "ag__.ld(" not in body("def f(n):\n    y = 0\n    for i in range(n):\n        y += i\n    return y, n")


def test_options_of_a_loop() -> None:
    text = body(
        """
        def f(n):
            while n > 0:
                autograph.experimental.set_loop_options(maximum_iterations=n, swap_memory=True)
                n -= 1
            for i in range(n):
                set_loop_options(3)
        """
    )
    assert "{'maximum_iterations': n, 'swap_memory': True})" in text
    assert "{'iterate_names': 'i', 'parallel_iterations': 3})" in text
    assert "set_loop_options" not in text


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("set_loop_options(1)", "'set_loop_options' in this place"),
        ("for i in n:\n        set_loop_options(unknown=1)", "'set_loop_options' with these arguments"),
        ("for i in n:\n        pass\n        set_loop_options(1)", "'set_loop_options' in this place"),
        ("yield n", "generator"),
    ],
)
def test_refusals_name_the_construct_and_the_line(statement: str, words: str) -> None:
    with module(f"def f(n):\n    {statement}\n") as namespace:
        with pytest.raises(UnsupportedSyntaxError) as caught:
            autograph.to_code(namespace["f"])
    assert words in str(caught.value) and caught.value.lineno >= 1 and caught.value.remedy


@pytest.mark.parametrize(
    "program",
    [
        "def f(n):\n    def locals(): return n\n    return locals()",
        "def f(n):\n    class K:\n        a = 1\n        b = sorted(k for k in locals() if k == 'a')\n    return K.b",
        "def f(n):\n    def gen():\n        yield sorted(locals())\n    return list(gen())",
        "def f(n):\n    return eval('n', {'n': n})",
    ],
)
def test_what_reads_no_generated_frame_is_not_refused(program: str) -> None:
    assert_same(program, (1,))


def test_every_position_is_one_of_the_user() -> None:
    source = """def f(
    n,
):
    for i in (
        n
    ):
        if i and (
            n
        ):
            return print(
                i,
                n,
            )
        elif n:
            break
    y = [
        k if k
        else n
        for k in n
    ]
    try:
        return y
    finally:
        del y
"""
    node = parse_module(source, "x.py").body[0]
    converted = convert_function(node, options=REQUESTED, filename="x.py", qualname="f")
    last = len(source.splitlines())
    pending = [converted]
    while pending:
        current = pending.pop()
        if "lineno" in getattr(type(current), "_attributes", ()):
            assert 1 <= current.lineno <= current.end_lineno <= last, type(current)
            end = (current.end_lineno, current.end_col_offset)
            assert (current.lineno, current.col_offset) <= end, type(current)
        for field in current._fields:
            value = getattr(current, field, None)
            pending += [item for item in (value if isinstance(value, list) else [value]) if hasattr(item, "_fields")]


def test_the_text_is_the_same_under_every_hash_seed() -> None:
    program = (
        "from autograph.pipeline import *; from autograph.syntax import *; from autograph.options import *\n"
        "names = ['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o', 'p']\n"
        "lines = ['def f(a):'] + [f'    if a:\\n        {n} = a; a.{n} = 1' for n in names]\n"
        "lines += ['    def g():', '        nonlocal ' + ', '.join(names), '        ' + ' = '.join(names) + ' = 1']\n"
        "lines += ['    return ' + ', '.join(names)]\n"
        "node = parse_module('\\n'.join(lines), 'x.py').body[0]\n"
        "print(unparse(convert_function(node, options=STANDARD_OPTIONS, filename='x.py', qualname='f')))\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(texts) == 1 and "nonlocal e, i, o, p, q, r, t, u, w, y" in texts.pop()
