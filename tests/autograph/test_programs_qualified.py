"""Programs that look at the names of functions, which generated code around them must not show in.

Each does the same unconverted, converted, and as the command line prints it.
"""

from __future__ import annotations

import pytest

from .comparing import assert_same, module, printed

PROGRAMS = {
    "qualified names in every statement": """
        import contextlib
        def show(*functions): log([(f.__name__, f.__qualname__) for f in functions])
        def f(n):
            if n:
                def a(): return lambda x: x
                class A:
                    def m(self): return [lambda y: y for _ in [1]][0]
                    class B:
                        def k(self): pass
                show(a, a(), A, A.m, A().m(), A.B, A.B.k)
            else:
                async def b(): pass
                show(b)
            for i in range(1):
                def c(): yield
                show(c, lambda z: z)
                log(c().__qualname__, (v for v in [1]).__qualname__)
            else:
                def d():
                    def e():
                        if n >= 0:
                            def g():
                                try: pass
                                finally:
                                    def h(): pass
                                return h
                            return g
                    return e
                show(d, d(), d()(), d()()()) if n >= 0 else show(d)
            while True:
                def i2(): pass
                show(i2)
                break
            try:
                def j(): pass
                1 / n
            except ZeroDivisionError:
                def k(): pass
                show(j, k)
            finally:
                def l(): pass
                show(l)
            with contextlib.nullcontext():
                @contextlib.contextmanager
                def m(): yield
                show(m)
            match n:
                case 0:
                    def o(): pass
                    show(o)
                case _:
                    class P:
                        def m(self): pass
                        seen = __qualname__
                    show(P, P.m)
                    log(P.seen, repr(P))
            for q in range(1):
                global G
                def G(): return lambda w: w
                show(G, G())
            show(n and (lambda q: q) or (lambda w: w))
    """,
    "functions with the names that generated code has": """
        def f(n):
            def if_body(): return 1
            def loop_body(x):
                if x:
                    def get_state(): pass
                    return get_state.__qualname__
            if n:
                def try_body(): pass
                log(try_body.__qualname__)
            return if_body.__qualname__, loop_body(1)
    """,
    "methods, wrappers and a metaclass": """
        import functools
        class Meta(type):
            def __new__(m, name, bases, ns):
                log(ns['__qualname__'], [v.__qualname__ for v in ns.values() if callable(v)])
                return super().__new__(m, name, bases, ns)
        class K:
            def m(self):
                if self:
                    class L(K):
                        def __priv(self): pass
                        x = __priv.__qualname__
                    return L.x, L.m.__qualname__
            @property
            def p(self):
                for i in [1]: return (lambda a, *b, c=1, **d: 1).__qualname__
        @functools.singledispatch
        def s(x): return 1
        @s.register
        def _(x: int): return (lambda y: 0).__qualname__
        def f(n):
            for i in range(2):
                class C(metaclass=Meta):
                    def g(self): pass
                    for j in range(2):
                        def h(self): return lambda x: 0
            return K().m(), K().p, s(1), C().h().__qualname__
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], (0,), (2,))


def test_the_printed_text_says_what_a_function_defines() -> None:
    text = "def f(x):\n    class K: pass\n    def g(): return lambda a, b=1: K\n    return g\n"
    assert "@ag__.autograph_artifact(inner=('K', 'g', 'lambda a b'))\ndef f(x):" in printed(text)


def test_a_traceback_of_a_printed_module_names_the_functions_of_the_user() -> None:
    text = "def f(x):\n  for i in range(2):\n    if i:\n      try:\n        1 / x\n      finally: pass\n"
    with module(printed(text)) as namespace, pytest.raises(ZeroDivisionError) as raised:
        namespace["f"](0)
    assert [entry.name for entry in raised.traceback[1:]] == ["f"]
