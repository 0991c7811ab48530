"""Programs about what is unbound: elements and attributes in statements, names of exceptions, `(x): int`, `locals()`.

Each does the same unconverted, converted, and as the command line prints it.
"""

from __future__ import annotations

import pytest

from .comparing import assert_same

PROGRAMS = {
    "an element of an element is deleted in a try": """
        def f(n):
            d, u, v = {1: {2: 3}}, n, 2
            try:
                del d[u][v]
            except KeyError:
                log('missing')
            return d
    """,
    "elements of attributes of elements": """
        class O: pass
        def f(n):
            o = O()
            o.p = [[{'k': [1, 2, 3]}]]
            i = j = 0
            try:
                del o.p[i][j]['k'][n]
                del o.p[i][j]
                del o.p[i][n][1]
            except IndexError as e:
                return str(e), vars(o)
    """,
    "elements that are deleted and assigned in every statement": """
        import contextlib
        def f(n):
            d, u, v = {1: {2: 3, 3: 4}, 2: {}}, 1, 2
            with contextlib.suppress(KeyError):
                del d[u][v]
                del d[u][v]
            while d[u]:
                del d[u][v + 1]
            try:
                d[u][v] = 1
                d[u][v] += n
                d[u][v] %= 3
                del (d[u][v], [d[u][3]])
            except* KeyError:
                del d[u]
            match d:
                case {1: x}:
                    del d[u], x
                case _:
                    del d[-u][n]
            return d
    """,
    "an exception's name is read after its handler": """
        def f(n):
            try:
                raise ValueError
            except ValueError as e:
                pass
            try:
                e
            except UnboundLocalError as g:
                log(str(g))
            try:
                (lambda: [e for _ in [1]])()
            except UnboundLocalError:
                log('local')
            except NameError as g:
                log(str(g), g.name)
            def inner():
                try:
                    e
                except UnboundLocalError:
                    log('local')
                except NameError as g:
                    log(str(g))
            inner()
            def gen():
                yield e
            if n == 0: return [e for i in range(n)], [e for i in range(1)]
            if n == 1: return list(gen())
            if n == 2:
                class C: x = e
            if n == 3: e += 1
            if n == 5: del e
    """,
    "a variable of an outer function is deleted": """
        def f(n):
            e = 0
            def inner():
                nonlocal e
                if n: del e
                try:
                    del e
                except NameError as error:
                    log(type(error), str(error))
            inner()
            try:
                if n > 1: return e
                e += 1
            except UnboundLocalError as error:
                log(str(error))
            return (lambda: e)()
    """,
    "an exception has the name of a variable of an outer function": """
        def f(n):
            e = 0
            def inner():
                nonlocal e
                try:
                    if n: raise KeyError
                except KeyError as e:
                    log('caught')
            inner()
            for i in range(2):
                e
            return e
    """,
    "an exception has the name of a global": """
        def f(n):
            global e
            e = 1
            for i in range(1):
                try:
                    if n: raise KeyError
                except KeyError as e:
                    log('caught')
            log('e' in globals())
            while True:
                try:
                    del e
                except NameError as error:
                    return str(error), error.name
    """,
    "annotated in parentheses": """
        x = 5
        def f(n):
            (x): int
            for i in range(2):
                (x): int
                (i): undefined_name
            def g():
                while True:
                    (n): str
                    return n
            def h():
                (x): int = 3
                return x
            class C:
                (x): int
                (y): int = 1
                z: log('annotation') = x
            return x, g(), h(), C.__annotations__, C.y, locals().keys() - {'C'}
    """,
    "annotated in parentheses elsewhere": """
        x = 5
        def f(n):
            d = {}
            (d['k']): int = 1
            d['q']: int
            (d[log('key')]): int
            try:
                (x): int
                log(x, d)
            finally:
                (y): str
            if n > 1:
                def g():
                    (x): int
                    del x
                g()
            x: int
            return x
    """,
    "locals() in the order of the parameters and assignments": """
        def g(z, /, y, *x, w, **v): return list(locals())
        def h(b, a):
            def inner(): return b, q
            d = 1; c = 2; q = 3
            del a
            before = list(locals())
            a = 1
            return before, list(locals())
        def i(b, a):
            if a:
                def inner(e, d):
                    nonlocal b
                    b = 2
                    return list(vars())
                def both(g, h): return g(1, 2), h(1, 2)
                return inner(1, 2), list(locals()), both(lambda d, c: list(locals()), lambda c, d: list(vars()))
        def j(b, a):
            try:
                m = 1 / a
            except ZeroDivisionError as e:
                k = list(locals())
            return eval('list(locals())'), dir()
        def k(b):
            w, (v, *u) = 1, (2, 3)
            import os as p
            if (r := 1): pass
            with open(p.devnull) as q: pass
            class n: pass
            match [1, 2]:
                case [l, *m]: pass
            exec('late = 1')
            return list(locals()), [name for name in locals() if name != '.0']
        class B:
            def m(self, c, b):
                __p = 1
                return list(locals()), super().__init__()
            def n(self, c, b):
                return list(locals()), [__class__ for _ in [1]]
        def f(n):
            log(g(1, 2, 3, w=4, q=5), h(1, 2), i(1, 2), j(1, 0), k(1), B().m(1, 2), B().n(1, 2))
            return locals()
    """,
    "super() shows __class__ in locals()": """
        class B:
            def name(self): return 'base'
        class K(B):
            def name(self): return super().name(), sorted(locals())
            def mention(self): return super, sorted(locals())
            def in_lambda(self): return (lambda: (super, sorted(locals())))()
            def in_class(self):
                class L(B):
                    def name(self): return super().name(), sorted(locals())
                return L().name(), sorted(name for name in locals() if name != 'L')
        def f(n):
            k = K()
            return k.name(), k.mention(), k.in_lambda(), k.in_class()
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *((n,) for n in (0, 1, 2, 3, 5)))
