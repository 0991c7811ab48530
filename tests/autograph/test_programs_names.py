"""Programs about names: unassigned, deleted, captured, global, bound by a walrus, a case or an import.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import pytest

import autograph

from .comparing import NUMBERS, assert_same

PROGRAMS = {
    "unassigned in one branch": """
        def f(n):
            if n > 0:
                y = n
            if n > 1:
                log(y)
            return y
    """,
    "unassigned after a loop": """
        def f(n):
            for i in range(n):
                y = i
            return i + y
    """,
    "unassigned in a test": """
        def f(n):
            if y > n:
                y = 1
            return y
    """,
    "unassigned in a lambda of generated code": """
        def f(n):
            return n > 0 and y or n
            y = 1
    """,
    "unassigned after try": """
        def f(n):
            try:
                if n == 0:
                    raise ValueError
                y = 1 // (n - 1)
            except ZeroDivisionError:
                z = 1
            except ValueError:
                pass
            if n:
                log(y)
            return z
    """,
    "augmented unassigned": """
        def f(n):
            if n > 0:
                y = 1
            y += log(n)
            return y
    """,
    "only annotated": """
        def f(n):
            y: int
            if n > 0:
                y
            if n == 0:
                y: int = 3
            return y
    """,
    "bindings that are never reached": """
        x = 'global'
        def f(n):
            if n > 1:
                return x
            return n
            x = 2
    """,
    "del": """
        def f(n):
            y = 1
            if n > 0:
                del y
            if n > 1:
                del y
            if n == 1:
                y = 2
            d = {1: 2, 'k': 3}
            for k in list(d):
                del d[k]
            return y, d
    """,
    "del of several": """
        def f(n):
            a = b = c = n
            del (a, [b]), c
            if n:
                c = 3
            return c
    """,
    "captured variables": """
        def f(n):
            c = 0
            def inc():
                nonlocal c
                c += 1
                return c
            for i in range(n):
                inc()
                if i > 1:
                    c += 10
            return c, [g() for g in [inc]]
    """,
    "late binding": """
        def f(n):
            fs = []
            for i in range(n):
                fs.append(lambda: i)
                j = i * 2
                def g():
                    return j
                fs.append(g)
            i = 50
            return [h() for h in fs]
    """,
    "bound by a nested function": """
        def f(n):
            def init():
                nonlocal x
                x = 1
            init()
            if n > 0:
                log(x)
            if n > 9:
                x = 0
            return x
    """,
    "generator expression sees later values": """
        def f(n):
            k = 1
            g = (k * i for i in range(3))
            if n > 0:
                k = 5
            return list(g)
    """,
    "globals": """
        g = 1
        def f(n):
            global g, h
            if n > 0:
                g += 1
                h = n
            if n > 1:
                del h
            return g, h
    """,
    "global in a branch": """
        g = 0
        def f(n):
            if n > 0:
                global g
                g = n
            return g
    """,
    "globals and dir": """
        here = 1
        def f(n):
            return 'here' in globals(), bool(dir(n)), vars(type('T', (), {'a': 1}))['a'], eval('n + 1', {'n': n})
    """,
    "walrus": """
        def f(n):
            if (m := n + 1) > 2:
                log(m)
            i = 0
            while (k := i * 2) < n and k < 6:
                i += 1
                log(k)
            a = (n > 0 and (q := n)) or 7
            return m, k, a, [last := j for j in range(3)], last, (r := 1 if n else 2), r
    """,
    "walrus in tests": """
        def f(n):
            if (a := n + 1) > 1:
                b = a
            elif (b := n) and (c := a - b):
                log(c)
            for i in (d := range(3)):
                if (e := i) == n:
                    break
            return a, b, d, e
    """,
    "walrus in a generator expression": """
        def f(n):
            e = 0
            for i in range(n):
                s = sum((e := e + j) for j in range(3) if e < 9)
                g = ((late := j) for j in range(2))
                if n > 2:
                    list(g)
            return e, late
    """,
    "match": """
        def f(n):
            for x in [n, (n, 2), {'k': n}, 'text', None]:
                match x:
                    case 0 | 1:
                        y = 'small'
                    case (a, b) if a > 1:
                        y = a + b
                        continue
                    case {'k': v, **rest}:
                        y = (v, rest)
                        if v == 3:
                            return y
                    case str() as t:
                        y = t
                        break
                    case _:
                        y = 'other'
                log(y)
            return y, n
    """,
    "match that binds nothing": """
        def f(n):
            match n:
                case 1:
                    y = 1
                case [z]:
                    pass
            if n > 0:
                log(y)
            return z
    """,
    "imports": """
        def f(n):
            if n > 0:
                import os.path as p
                from math import floor, ceil as c
            else:
                p, c = None, abs
            return p is None, c(n)
    """,
    "names of generated code": """
        def f(ag__):
            get_state = if_body = fscope = do_return = retval_ = vars_ = itr = break_ = 1
            for loop_body in range(3):
                if loop_body == ag__:
                    vars_ = 7
                    break
            return get_state, if_body, fscope, do_return, retval_, vars_, itr, break_, loop_body, ag__
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *NUMBERS)


def test_a_thunk_beside_a_lambda_is_no_function_of_the_user() -> None:
    def program(x, y):
        a = (lambda q: x)(e) or y  # noqa: F821
        for e in [a]:
            pass
        return e

    for run in (program, autograph.to_graph(program)):
        with pytest.raises(UnboundLocalError, match="cannot access local variable 'e'"):
            run(1, 2)
