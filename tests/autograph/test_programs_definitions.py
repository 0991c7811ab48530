"""Programs that define things: classes, methods, nested functions, lambdas, generators.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import pytest

from .comparing import NUMBERS, assert_same

PROGRAMS = {
    "lambdas in lambdas that assign, and in classes": """
        def f(n):
            make = lambda a: (lambda b, d=3: sum([log(7) for c in (4, 5) if n < 4]))((r := a))
            class K:
                f = lambda self, x: sum([x, log(n)])
                g = staticmethod(lambda x: max(x, 1) if x > 2 else [log(y) for y in range(x)])
                if n > 1:
                    h = [lambda: len([n])]
            return make(n), K().f(2), K().g(n), [h() for h in getattr(K, 'h', [])]
    """,
    "super() after the first argument was deleted": """
        class K:
            def always(x):
                del x
                try: super()
                except RuntimeError as error: return str(error)
            def sometimes(x, n):
                if n > 0: del x
                try: return super().__init__()
                except RuntimeError as error: return str(error)
            def used_inside(x):
                def inner(): return x
                del x
                try: super()
                except RuntimeError as error: return str(error)
            def none(*a):
                try: super()
                except RuntimeError as error: return str(error)
            def attribute(x):
                del x
                try: return super().__init__
                except Exception as error: return repr(error)
            def assigned(x, n):
                if n > 0: del x
                try: super().m = 3
                except Exception as error: return repr(error)
            def passed_on(x):
                del x
                try: return getattr(super(), '__init__')
                except Exception as error: return repr(error)
        def f(n):
            unusual = K().attribute(), K().assigned(n), K().passed_on()
            return K().always(), K().sometimes(n), K().used_inside(), K().none(), unusual
    """,
    "super() in a lambda is about the lambda's own first argument": """
        class B:
            def __init__(self, name):
                self.name = name
            def who(self):
                return self.name
        class K(B):
            def who(self):
                return 'K'
            def ask(self, n):
                about = lambda other: super().who() if n else other.name
                none = lambda: super().who()
                try:
                    none()
                except RuntimeError as error:
                    log(str(error))
                def inner(other):
                    return super().who() if n > 1 else None
                return about(K('other')), inner(K('third'))
        def f(n):
            return K('first').ask(n)
    """,
    "classes": """
        class Base:
            def m(self, n):
                return n
        def f(n):
            k = n
            class C(Base):
                if n > 0:
                    a = log(k)
                for i in range(2):
                    if i:
                        break
                b = k and 3
                def m(self, n):
                    if n > 1:
                        return super().m(n) + self.__hidden()
                    return self.b
                def __hidden(self):
                    return [super(C, self).m(z) for z in range(3)][-1]
            return C().m(n), C.__dict__.get('a'), C.i, C.m.__name__
    """,
    "super": """
        class A:
            def m(self, n):
                return n
        class B(A):
            def __call__(self, n):
                if n > 0:
                    return super().m(n)
                self = 3
                return super().m(n)
        f = B()
    """,
    "private names": """
        class K:
            __secret = 5
            def __call__(self, n):
                __local = n
                if n > 0:
                    __local += self.__secret
                    self.__other = 1
                return __local, self.__dict__, dict(__key=1)
        f = K()
    """,
    "nested functions": """
        def f(n):
            def g(a, b=log('default'), *, c: int = n) -> int:
                '''doc'''
                if a > b:
                    return a
                for i in range(c):
                    if i == a:
                        return i, 'found'
            h = lambda x, y=n: g(x, y) or x
            return [h(i, 1) for i in range(4)], g.__name__, g.__doc__, g.__defaults__
    """,
    "decorators and defaults of nested functions": """
        import functools
        def times(k, *, by=1):
            log('times', k, by)
            def decorate(function):
                @functools.wraps(function)
                def wrapper(*a, **b):
                    return log(k), function(*a, **b)
                return wrapper
            return decorate
        def f(n):
            @times(2 if n > 0 else 3, by=n and log('by'))
            @times(*[log('inner')])
            def g(a=n if n > 1 else log('default'), *, b=not n or (n and log('keyword'))):
                return a, b
            class K(object if n else dict, metaclass=type if log('bases') else None):
                @times(n or 7)
                def m(self, a=n or 5):
                    return a
            h = lambda a, b=n if n > 1 else 4: (a, b)
            return g(), g(1, b=2), g.__name__, K().m(), K.__bases__, h(1)
    """,
    "generators inside": """
        def f(n):
            y = n
            def gen(k):
                for i in range(k):
                    if i == 2:
                        return
                    yield i * y
            async def co():
                return y
            if n > 1:
                y = 10
            return list(gen(3))
    """,
    "recursion": """
        def f(n):
            if n <= 1:
                return 1
            return n * f(n - 1)
    """,
    "docstring only": """
        def f(n):
            '''nothing else'''
    """,
    "lambda": "f = lambda n, k=2: n if 0 < n < k else [i or n for i in range(n)]",
    "lambda that binds": "f = lambda n: (y := n) and (y or 3) and [y for _ in range(2)]",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *NUMBERS)
