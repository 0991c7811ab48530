"""Programs about expressions and assignments: logic, comparisons, calls, attributes, elements, comprehensions.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import pytest

from .comparing import NUMBERS, assert_same

PROGRAMS = {
    "chained comparison": """
        def f(n):
            return 0 < log(n) < log(3) < 10, log(1) < n < log(5), 0 <= n <= 2 != 7, n in (1, 2) in [True, False]
    """,
    "logic": """
        def f(n):
            a = log(n) and log(2) or log(3)
            b = not log(n)
            c = n and n > 1 and n > 2 and n > 3 and n > 4 and n > 5 and n > 6 and n > 7 and log(n) and n
            return a, b, c, n or n - 1 or 'last'
    """,
    "ternary": """
        def f(n):
            return (log('a') if n > 0 else log('b')) if log(n) else [x if x > n else -x for x in range(4)]
    """,
    "calls": """
        def g(*a, **k):
            return a, k
        def f(n):
            t, d = (1, 2), {'p': 1}
            r = [g(), g(1, *t, n, *t), g(k=n, **d), g(*t, k=1, **d, **{'q': 2}), g(*(log(i) for i in t), z=n)]
            try:
                g(p=1, **d)
            except TypeError:
                r.append('twice')
            try:
                g(*n)
            except TypeError:
                r.append('not iterable')
            return r, sorted([3, 1, 2], key=lambda v: -v), max(t, key=lambda v: v if n else -v)
    """,
    "calls where tuple and dict are variables": """
        def g(*a, **k):
            return a, k
        def f(n):
            tuple, dict = 1, {'a': n}
            return g(*[1, 2], tuple, b=n, **dict)
    """,
    "calls where the module has its own tuple and dict": """
        def tuple(*a):
            return 'mine'
        dict = tuple
        def g(*a, **k):
            return a, k
        def f(n):
            return g(*[1, n], 2, b=n, **{'c': 3})
    """,
    "a walrus in the test of an if whose branches bind names too": """
        def f(n):
            if n > 1 or (m := n + 1):
                pass
            else:
                k = 0
            while n > 2 or (j := n + 1) > 9:
                n = i = n - 1
            try:
                return m, k
            except UnboundLocalError as error:
                return str(error), j, n, i
    """,
    "operators over a walrus": """
        def f(n):
            a = (m := n + 1) > 1 and m < 4 and log(m)
            b = (p := n) or (q := log('second')) or log('third')
            c = 0 < (k := log(n)) < log(k + 1) < 9
            d = (first := log(n)) < first + 1 < 3
            i = 0
            while (i := i + 1) < 4 and i != n:
                log(i)
            return a, m, b, p, c, k, d, first, i, (r := n) and [s for s in range(3) if (t := s) and t > 1], r, t
    """,
    "attributes and elements": """
        class O:
            v = 0
        def f(n):
            o, d, a = O(), {'a': 1}, [0, 1, 2]
            i = 1
            if n > 0:
                o.v = n
                d['a'] += n
                a[i] = o
                a[-1] = 3
                d['new'] = 2
            for o.w in range(n):
                d[o.w] = o.w
                o.v += 1
            for i, a[0] in enumerate('xy'):
                a[i] = n
            return o.v, d, i, a[0], hasattr(o, 'w')
    """,
    "assignments": """
        def f(n):
            a = b = [n]
            c, *d = 1, 2, n
            if n > 0:
                a += [1]
                (x, y), z = (n, 2), 3
                n: int = n + 1
                b[0]: int = 3
            else:
                x = y = z = 0
            n <<= 1
            return a, b, c, d, x, y, z, n, a is b
    """,
    "asserts": """
        def f(n):
            assert n > 0, log('message', n)
            assert log(n)
            return n
    """,
    "comprehensions": """
        def f(n):
            x = 5
            s = {x % 3 for x in range(n)}
            d = {k: v for k, v in zip('ab', [n, x]) if v}
            return s, d, x, [[i * j for j in range(i)] for i in range(n)], sum(i for i in range(n) if i > 0)
    """,
    "f-strings": """
        def f(n):
            w = 6
            return f"{n!r:>{w}} {'a' if n else 'b'} {log(n):03d} {n and 1}"
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *NUMBERS)
