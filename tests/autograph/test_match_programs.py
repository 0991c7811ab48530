"""Programs with match statements against Python's own: jumps in the arms, scopes, guards with effects."""

from __future__ import annotations

import pytest

from tests.autograph.comparing import assert_same
from tests.autograph.matched import CLASSES

PROGRAMS = {
    "break and continue in arms": """
        def f(n):
            found = []
            for item in [1, 'a', [2, 3], 4, 'stop', 5]:
                match item:
                    case int(x) if x > n:
                        continue
                    case 'stop':
                        break
                    case [a, *_]:
                        found.append(a)
                found.append(item)
            else:
                found.append('all')
            return found
        """,
    "return in arms, and what follows": """
        def f(n):
            match n:
                case 0:
                    return 'zero'
                case 1 | 2:
                    pass
                case x if x > 3:
                    return x
            n += 10
            match n:
                case 11:
                    return 'eleven'
                case _:
                    return n
        """,
    "different variables in the arms": """
        def f(n):
            match n:
                case 0:
                    a = 1
                case 1:
                    b = 2
                case [a, b]:
                    pass
            log(a if n == 0 else 'no a')
            return b
        """,
    "no case takes it": """
        def f(n):
            kind = 'old'
            match n:
                case 100:
                    kind = 'new'
            return kind
        """,
    "bound by a pattern whose guard fails": """
        def f(n):
            match (n, n + 1):
                case (a, b) if a > 2:
                    kind = 'big'
                case (c, _) if log(a, b) and False:
                    kind = 'never'
                case _:
                    kind = 'small'
            return kind, a, b, c
        """,
    "not bound by a pattern that fails": """
        def f(n):
            match [n, 5]:
                case [a, 6]:
                    pass
                case [1, b]:
                    pass
            return a
        """,
    "the subject is evaluated once": """
        def f(n):
            match log(n), log(n + 1):
                case (1, _):
                    return 'one'
                case (_, 1):
                    return 'other'
                case whole:
                    return whole
        """,
    "a pattern binds the name of its subject": """
        def f(x):
            match x:
                case [x] | x if x == 1:
                    return 'one', x
                case 2 as y:
                    return 'two', x, y
                case x:
                    return 'rest', x
        """,
    "a guard changes the subject": """
        def f(x):
            def change():
                nonlocal x
                x = 3
                return False
            match x:
                case 1 if change():
                    pass
                case 3:
                    return 'new'
                case 1:
                    return 'old'
            return x
        """,
    "a guard changes what was captured": """
        def f(n):
            def change():
                nonlocal a
                a += 10
                return True
            a = 0
            match [n]:
                case [a] if change():
                    return a
        """,
    "a nested match": """
        def f(n):
            match [n, [n, n * 2]]:
                case [a, [b, c]] if a == b:
                    match c:
                        case 0:
                            r = 'zero'
                        case 2 | 4:
                            r = 'few'
                        case _:
                            r = 'many'
                    return r, a
        """,
    "in try, with, while and nested functions": """
        def f(n):
            def inner(v):
                match v:
                    case 0:
                        raise ValueError('zero')
                    case [*_, last]:
                        return last
                return v
            out = []
            while n < 4:
                try:
                    match n:
                        case 1:
                            continue
                        case 2:
                            out.append(inner([1, n]))
                        case _:
                            out.append(inner(n))
                except ValueError as error:
                    out.append(str(error))
                finally:
                    n += 1
            return out
        """,
    "in a class body and in a generator": """
        def f(n):
            class K:
                match n:
                    case 0 | 1:
                        kind = 'few'
                    case x:
                        kind = 'many'
            def numbers():
                match n:
                    case 0:
                        yield 'zero'
                    case [a] | a:
                        yield a
            return K.kind, sorted(k for k in vars(K) if k == 'x'), list(numbers())
        """,
    "globals and nonlocals as captures": """
        g = 'old'
        def f(n):
            global g
            h = 'outer'
            def inner():
                nonlocal h
                match [n, n]:
                    case [h, 1]:
                        return 'one'
                    case [1 | 2 as h, _] if h:
                        return 'few'
            def read():
                return g
            match n:
                case 0 as g:
                    pass
                case g if read() > 2:
                    pass
            return inner(), h, g
        """,
    "a value whose comparison has a truth of its own": CLASSES + """
def f(n):
    match [Odd(), n]:
        case [0, _]:
            return 'zero'
        case [1, x] if x:
            return x
        case [1 | 2, x]:
            return 'few', x
""",
    "lambdas and comprehensions over captures": """
        def f(n):
            match [n, n + 1, n + 2]:
                case [a, *rest] if any(x > a for x in rest):
                    g = lambda: [a + x for x in rest]
                    a += 1
                    return g()
        """,
    "private names": """
        class K:
            __zero = 0
            def m(self, n):
                match n:
                    case K.__zero:
                        return 'zero'
                    case [__a, K(_K__b=__c)]:
                        return __a, __c
            def __init__(self):
                self.__b = 5
        def f(n):
            return K().m(n), K().m([n, K()])
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    assert_same(PROGRAMS[name], *((n,) for n in (0, 1, 2, 3, 4, 7)))
