"""Programs about text, membership and assignment in operands: the same converted and unconverted, and recorded.

What Python lets be seen is the order: a field of an f-string is formatted before the next one is evaluated.
"""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

import autograph
from autograph import operators as ag
from autograph.operators.stager import tracing_stager

from .comparing import NUMBERS, assert_same, module
from .recording_stager import RecordingStager

WATCHED = """
    class Watched:
        def __init__(self, name):
            self.name = name
        def __str__(self):
            return log('str ' + self.name)
        def __repr__(self):
            return log('repr ' + self.name)
        def __format__(self, spec):
            return log('format ' + self.name + spec)
        def __contains__(self, item):
            log('contains', item)
            return item
        def __eq__(self, other):
            log('equal', self.name)
            return self.name == getattr(other, 'name', None)
        def __hash__(self):
            return hash(log(self.name))
"""

PROGRAMS = {
    "order of f-strings": """
        def f(n):
            w = Watched('w')
            items = [1, 2]
            a = f'{items}{items.pop()}{items} {w}{w!s}{w!r}{w!a}{w:x{log(n)}y}{w!s:>{12}}'
            return a, f'{w}', f'{w!s}', f'', f'{{{n}}}', f'{n=}', f'{n = !s:>5}', f'{f"{n}" f"{w:{n}}"}'
    """,
    "errors of f-strings": """
        class Bad:
            def __format__(self, spec):
                return 1
            def __str__(self):
                return 2
        def g(n):
            if n == 0:
                return f'{log(n)} {missing} {log(2)}'
            if n == 1:
                return f'{Bad()}'
            if n == 2:
                return f'{Bad()!s}'
            if n == 3:
                return f'{n:zz}'
            return f'{None:5}' if n == 5 else f'{[n]:5}'
        def f(n):
            try:
                return g(n)
            except Exception as e:
                return type(e).__name__, str(e)
    """,
    "subclasses of str": """
        class Text(str):
            def __format__(self, spec):
                return Text('formatted')
            def __str__(self):
                return Text('str')
            def __mod__(self, other):
                return 'mine'
            def __rmod__(self, other):
                return 'reflected'
        def f(n):
            t = Text('t')
            return ([(v, type(v).__name__) for v in (f'{t}', f'{t!s}', f'{t}.', str(t), format(t), '{}'.format(t))],
                    t % n, t % (n,), '%s' % t, 'a' % t)
    """,
    "percent": """
        def f(n):
            w = Watched('w')
            r = ['%s %r %d%%' % (w, w, n), '%(a)s%(b)05d' % {'a': w, 'b': n}, '%*.*f' % (9, 2, n)]
            r += ['%s' % w, '%s' % (w,)]
            for template, values in [('%d', ()), ('%d', (1, 2)), ('%q', 1), ('%', 1), ('%(a)s', 1), ('%s', [1])]:
                try:
                    r.append(template % values)
                except Exception as e:
                    r.append((type(e).__name__, str(e)))
            return r, 7 % (n or 2), b'%d' % n, [1, 2] and '%s' % n
    """,
    "format, str and join": """
        def f(n):
            w = Watched('w')
            r = ['{} {!r:>9} {a.name} {b[0]:{c}}'.format(w, w, a=w, b=[n], c=4), '{0}{1}{0}'.format(n, w)]
            r += [str(), str(n)]
            r += [str(b'a', 'ascii'), str(object=n), format(n, '03d'), format(w), '{a}'.format_map({'a': n}), str(w)]
            r.append(', '.join(str(i) for i in range(n if n > 0 else 0)))
            for template in ('{', '{}{1}', '{a}', '{0.x}', '{:zz}'):
                try:
                    r.append(template.format(n))
                except Exception as e:
                    r.append((type(e).__name__, str(e)))
            try:
                ','.join([n])
            except TypeError as e:
                r.append(str(e))
            return r
    """,
    "membership": """
        def f(n):
            w = Watched('w')
            r = [n in w, n not in w, w in [Watched('v'), w, Watched('u')], n in {1: 2}, 'a' in 'bac', n in range(3)]
            try:
                n in n
            except TypeError as e:
                r.append(str(e))
            try:
                [] in {1}
            except TypeError as e:
                r.append(str(e))
            it = iter([1, 2, 3])
            r += [n in it, list(it), log(n) in (log(1), log(2)), 0 < log(n) in [1, 2] != log(3)]
            return r, w is None, None is n
    """,
    "walrus in operands": """
        def f(n):
            a = log(n) and (y := log(n - 1)) and log(y)
            b = (z := 1) if n > 1 else (z := log(2))
            c = 0 <= n < (w := n + 1) < (v := 4) if n < 3 else None
            d = [log(q) for i in range(3) if i and (q := i * n) > 1]
            try:
                e = y, v
            except NameError as error:
                e = type(error).__name__, str(error)
            return a, b, c, d, e, z
    """,
    "walrus before an exception": """
        def f(n):
            try:
                n > 0 and log(y := n) and 1 // (x := n - 1)
            except ZeroDivisionError:
                return y, x
            return [name for name in ('x', 'y') if name in locals()]
    """,
    "walrus in loop tests": """
        def f(n):
            i = 0
            while i < 5 and (j := log(i + n)) < 4 or i < (k := 2):
                i += 1
            else:
                i += 10
            return i, j if n else k
    """,
    "walrus and closures": """
        def f(n):
            g = lambda: y
            y = 0
            n and (y := n)
            def h():
                nonlocal y
                return n > 1 and (y := y + 1)
            return g(), h(), y, (lambda a: a and (b := a) and b)(n)
    """,
    "walrus in other places": """
        def f(n):
            t = 0
            for i in (n > 0 and (s := [n, n])) or (s := [0]):
                t += i
            with open(__import__('os').devnull) if n and (m := n) else open(__import__('os').devnull) as file:
                t += len(s)
            assert n < 100, (u := 'large')
            def g(a=n and (d := n)):
                return a
            return t, s, g(), [1, 2][0 if n > 1 or (e := n) else 1]
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_same(name: str) -> None:
    assert_same(textwrap.dedent(WATCHED) + textwrap.dedent(PROGRAMS[name]), *NUMBERS)


def test_a_global_is_bound() -> None:
    assert_same("y = 0\ndef f(n):\n    global y\n    n > 1 and (y := n)\n    return y, globals()['y']", *NUMBERS)


RECORDED = {
    "f'{x}'": "text(x, '', '')",
    "f'a{x!r:>4}b'": "join('', [a, text(x, 'r', '>4'), b])",
    "f'{x:{x}}'": "text(x, '', \"text(x, '', '')\")",
    "'%s %5d%%' % (x, 1)": "join('', [, text(x, '%', '%s'),  ,     1, , %, ])",
    "'%(a)s' % {'a': x}": "join('', [, text(x, '%', '%s'), ])",
    "'{} {a!s:{b}}'.format(1, a=x, b=3)": "join('', [1,  , text(x, 's', '3')])",
    "str(x)": "text(x, 's', '')",
    "format(x, 'd')": "text(x, '', 'd')",
    "x in [1]": "(x in [1])",
    "1 not in x": "(not (1 in x))",
    "x in (y := [1]) and y": "((x in [1]) and [1])",
}


@pytest.mark.parametrize("expression", RECORDED)
def test_recorded(expression: str) -> None:
    stager = RecordingStager()
    with module(f"def f(x):\n    return {expression}") as namespace:
        assert str(autograph.to_graph(namespace["f"])(stager.symbol("x"))) == RECORDED[expression]


def test_what_operands_bind_is_state() -> None:
    stager = RecordingStager()
    lines = ["y = z = 0", "r = x > 0 and (y := x + 1) > 2", "s = (z := 1) if x else (z := 2)", "return r, y, s, z"]
    text = "\n    ".join(["def f(x):", *lines])
    with module(text) as namespace:
        result = autograph.to_graph(namespace["f"])(stager.symbol("x"))
    assert [str(value) for value in result] == ["the value of `and`", "y", "x", "z"]
    assert stager.lines == [
        "if (x > 0)", "  the value of `and` = ((x + 1) > 2)", "  y = (x + 1)",
        "else", "  the value of `and` = False", "  y = 0",
        "if x", "  x = 1", "  z = 1", "else", "  x = 2", "  z = 2",
    ]  # fmt: skip


def test_containers_are_looked_into_while_something_is_traced() -> None:
    stager = RecordingStager()
    x = stager.symbol("x")
    token = tracing_stager.set(stager)  # type: ignore[arg-type]
    try:
        values: list[Any] = [ag.in_(1, [2, x]), ag.in_(1, (2, 1)), ag.in_("a", {"a": x}), ag.in_(1, {"a": x}.values())]
    finally:
        tracing_stager.reset(token)
    assert [str(v) for v in values] == ["(1 in [2, x])", "True", "True", "(1 in dict_values([x]))"]


def test_none_is_asked_for_only_where_a_type_says_so() -> None:
    class Maybe:
        __ag_maybe_none__ = True
        __ag_stager__ = RecordingStager()

        def __repr__(self) -> str:
            return "maybe"

    value = Maybe()
    assert str(ag.is_(value, None)) == str(ag.is_(None, value)) == "(maybe is None)"
    assert str(ag.is_not(value, None)) == "(not (maybe is None))"
    assert ag.is_(None, None) is True and ag.is_not(1, None) is True and ag.is_(1, None) is False
