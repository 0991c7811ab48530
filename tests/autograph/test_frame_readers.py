"""locals, vars, dir, eval, exec: they see the user's variables, all of them and nothing else, wherever they stand."""

from __future__ import annotations

import pytest

from tests.autograph.comparing import assert_same, code

PROGRAMS = {
    "at the start and at the end": """
        def f(n):
            log(sorted(locals()))
            a = n + 1
            if n > 1:
                b = 2
            log(sorted(locals().items()), sorted(vars()), dir())
            del a
            return sorted(locals())
        """,
    "in branches and loops": """
        def f(n):
            total, unused = 0, 'seen'
            if n > 1:
                local = n
                log(sorted(locals()))
                for i in range(n):
                    step = i
                    log(eval('step + total + local + n'), sorted(locals()))
                    total += 1
                while total > 3:
                    total -= 1
                    log(dir())
            else:
                log(vars())
            return total
        """,
    "after early exits": """
        def f(n):
            for i in range(5):
                if i == n:
                    return sorted(locals().items())
                if i == 3:
                    break
            else:
                late = 1
            return sorted(locals().items())
        """,
    "in try, with and match": """
        import contextlib
        def f(n):
            try:
                got = 10 // n
            except ZeroDivisionError as error:
                log(sorted(locals()))
            finally:
                log(sorted(locals()))
            with contextlib.nullcontext(n) as entered:
                log(sorted(locals()))
            match [n, n]:
                case [a, b] if a > 1:
                    log(sorted(locals()))
            return sorted(locals())
        """,
    "closures and what they use": """
        def f(n):
            used, unused, later = n, 2, 3
            def inner(p):
                nonlocal later
                q = used
                log(sorted(locals()))
                later = 4
                def deeper():
                    return used
                return sorted(locals()), eval('used + q')
            g = lambda p, q=1: (sorted(locals()), used)
            return inner(5), g(6), sorted(key for key in locals() if len(key) < 7)
        """,
    "eval of a name of one branch": """
        def f(n):
            if n > 1:
                y = n * 10
            return eval('y')
        """,
    "eval with namespaces": """
        def f(n):
            a = 1
            given = {'a': 5}
            return eval('a', given), eval('a', None), eval('a + b', None, {'a': 7, 'b': 8}), eval('a', given, None)
        """,
    "eval with namespaces that are None, and under another name": """
        def f(n):
            a, none, run = 1, None, eval
            return eval('a + n', none), eval('a', none, {'a': 2}), run('a + n'), run('a', {'a': 3})
        """,
    "eval of other forms": """
        g = 100
        def f(n):
            a = 1
            return eval('g + a'), eval(*('a',)), eval(compile('a + n', 'x', 'eval')), eval('(lambda: g)()')
        """,
    "exec assigns nothing": """
        def f(n):
            x = 1
            exec('x = 5; z = 6; log(x, n)')
            return x
        """,
    "exec defines a global": """
        def f(n):
            exec('global made; made = 9')
            return made
        """,
    "exec with a namespace": """
        def f(n):
            space = {}
            exec('a = 3', space)
            exec('b = a', space, space)
            return space['a'], space['b']
        """,
    "own functions of these names": """
        def eval(text):
            return 'mine'
        def f(n):
            dir = lambda: ['mine']
            a = 1
            return eval('a'), dir()
        """,
    "errors are Python's": """
        def f(n):
            calls = [lambda: eval(), lambda: locals(1), lambda: eval('1', 2), lambda: exec('x', 3)]
            for call in [*calls, lambda: eval('what')]:
                try:
                    log(call())
                except (TypeError, NameError) as error:
                    log(type(error), str(error)[:12])
            return eval('nothing_here')
        """,
    "global names are no locals": """
        top = 1
        def f(n):
            global top
            top = n
            return sorted(locals()), eval('top')
        """,
    "in a class body and a generator": """
        def f(n):
            class K:
                a = 1
                b = sorted(k for k in locals() if not k.startswith('__'))
                c = eval('a + n') if n else None
            def numbers(a):
                yield sorted(locals())
            return K.b, list(numbers(1))
        """,
    "the first item of a comprehension": """
        def f(n):
            a = 2
            shown = [k for k in sorted(locals()) if k != 'k']
            return [eval('i') for i in range(n)], shown, {eval('i + 1') for i in (1, 2)}
        """,
    "methods, super and __class__": """
        class B:
            def name(self):
                return 'base'
        class K(B):
            def name(self):
                text = super().name()
                return text, __class__.__name__, sorted(locals()), eval('self') is self
        def f(n):
            return K().name()
        """,
    "globals": """
        def f(n):
            if n:
                here = 1
                return 'f' in globals(), 'here' in globals()
            return [name for name in globals() if name.startswith(('do_', 'fscope'))]
        """,
    "cells that have no value yet": """
        def f(n):
            def late():
                return value
            log(sorted(locals()))
            if n > 2:
                value = n
            def inside():
                log(value if n > 2 else 'none', sorted(locals()))
            inside()
            return sorted(locals())
        """,
    "what is written into locals": """
        def f(n):
            a = 1
            names = locals()
            names['a'] = 5
            names['b'] = 6
            return a, sorted(names)
        """,
    "nested evaluations": """
        def f(n):
            a = 5
            return eval('eval("a") + n'), eval('sorted(locals())')
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_they_see_the_variables_of_the_user(name: str) -> None:
    assert_same(PROGRAMS[name], *((n,) for n in (0, 1, 2, 4)))


KEPT = """
def f(n):
    a = 1
    first = locals()
    exec('made = 2')
    second = locals()
    return first is second, 'made' in second, sorted(first)
"""


def test_whether_locals_is_one_dict_depends_on_the_version() -> None:
    assert_same(KEPT, (1,))


COMPREHENSIONS = """
def f(n):
    outer, other = n, 2
    return [[k for k in sorted(locals()) if k not in ('k', '.0')] for i in range(1) if outer >= 0]
"""


def test_a_comprehension_is_part_of_the_function_or_one_of_its_own() -> None:
    assert_same(COMPREHENSIONS, (1,))


def test_the_generated_code_writes_out_the_variables() -> None:
    text = code("def f(n):\n    a = 1\n    if n:\n        b = 2\n    g = lambda q: eval('q', None)\n    return dir()\n")
    assert "ag__.locals_of(fscope, {'n': n, 'a': a, 'b': b, 'g': g})" in text
    assert "ag__.call_with_locals(eval, ('q', None), None, fscope, {'q': ag__.ldu(lambda: q, 'q')})" in text
