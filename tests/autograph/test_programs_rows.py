"""Rare statements and declarations, each row of the language: private names, metaclasses, late `global`, `except*`, ...

Each does the same converted and unconverted.
"""

from __future__ import annotations

import sys

import pytest

from tests.autograph.comparing import assert_same

PROGRAMS = {
"private": """
class A:
    __x = 3
    def __p(self, __q=2):
        __z = __q
        def inner(__w):
            nonlocal __z
            __z += __w
            class B:
                __y = __z
                def get(self): return self.__y, __z
            return B().get()
        import os as __os
        try:
            raise ValueError(1)
        except ValueError as __e:
            log(str(__e))
        for __i in range(2): pass
        with open(__os.devnull) as __f: pass
        if (__n := __i): log(__n)
        return inner(1), self.__x, [__k for __k in range(2)], (lambda __a: __a)(1), locals().keys() >= {'_A__z'}
    def run(self): return self.__p(), self.__p(_A__q=5)
def f(n): return A().run()
""",
"class stuff": """
import typing, dataclasses, enum, functools
def f(n):
    T = typing.TypeVar('T')
    @dataclasses.dataclass(order=True)
    class D(typing.Generic[T]):
        x: int
        y: T = n
        z: list = dataclasses.field(default_factory=list)
        def bigger(self):
            return self.x if self.x > self.y else self.y
    class E(enum.Enum):
        A = n
        B = n + 1
        def up(self):
            if self is E.A:
                return E.B
            return self
    class M(type):
        def __call__(cls, *a):
            if a: return super().__call__(*a)
            return None
        @property
        def p(cls): return cls.__name__
    class K(metaclass=M):
        __slots__ = ('v', '__w')
        def __init__(self, v): self.v = v; self.__w = 1
        def __init_subclass__(cls, /, tag=None, **k): cls.tag = tag
        def __class_getitem__(cls, i): return i if i else None
        @functools.cached_property
        def w(self): return 1
    class L(K, tag=n): pass
    return D(1).bigger(), D(5, 2) > D(3, 4), E.A.up().name, K(), K(3).v, L.tag, K[n], K.p
""",
"annotations": """
def f(n):
    x: int
    y: 'str' = 'a'
    log.z: int = 3
    (w): int = 4
    d = {}
    d[log('k')]: log('ann') = 5
    try:
        x
    except UnboundLocalError as e:
        log(str(e))
    if n:
        x: int = 2
        v: float
    for i in range(n):
        q: int = i
    return y, w, d, sorted(locals())
""",
"imports": """
def f(n):
    try:
        import nothing_here
    except ImportError as e:
        log(type(e).__name__)
    if n:
        import os.path, os.path as p
        from os import sep as s, path as q
    else:
        os = p = q = None
    for k in range(n):
        import json as j
    return os is None or os.path is p is q, n and j.dumps([n])
""",
"except star": """
def f(n):
    a = b = None
    try:
        if n == 0: raise ExceptionGroup('g', [ValueError(1), TypeError(2), OSError(3)])
        if n == 1: raise ValueError(5)
        if n == 2: raise ExceptionGroup('h', [KeyError(1)])
        c = 3
    except* (ValueError, OSError) as g:
        a = len(g.exceptions)
        for x in g.exceptions:
            if isinstance(x, OSError):
                a += 10
    except* TypeError as g:
        b = g.exceptions[0].args
    else:
        a = 'else'
    finally:
        log('finally', a, b)
    return a, b
""",
"globals late": """
g = 1
def f(n):
    if n > 1:
        global g
        g = n
        del g
    else:
        g = 5
    try:
        return g
    except NameError as e:
        return str(e)
    finally:
        globals()['g'] = 1
""",
"del": """
def f(n):
    a = b = c = 1
    if n:
        del a, (b, [c])
    try:
        a
    except NameError as e: log(str(e))
    for i in range(n):
        z = i
        del z
    try: z
    except NameError as e: log(str(e))
    if n > 1:
        a = 2
        def g(): return a
        del a
        try: return g()
        except NameError as e: return str(e)
    return a
""",
"async": """
def f(n):
    async def agen():
        for i in range(n):
            if i % 2: continue
            yield i
    async def main():
        out = []
        async for v in agen():
            out.append(v)
        match out:
            case [a, *_]: out.append('m')
        return out + [w async for w in agen()], sorted(locals())
    import asyncio
    return asyncio.run(main())
""",
"walrus and lambdas": """
def f(n):
    fs = [lambda: n, lambda x=(y := n + 1): x + y, lambda *a, **k: (a, k)]; g = lambda i: lambda j: i * j
    gs = [g(k) for k in range(3)]
    return [g(2) for g in gs], fs[0](), fs[1](), fs[2](1, b=2), y, (lambda: (z := 3) + z)()
""",
"decorators": """
import functools
def plain(g):
    def w(*a, **k):
        log('plain')
        return g(*a, **k)
    return w
def wraps(g):
    @functools.wraps(g)
    def w(*a, **k):
        log(g.__name__)
        return g(*a, **k)
    return w
def arg(x, *, y):
    return lambda g: (log(x, y), wraps(g))[1]
@plain
@wraps
@arg(1, y=2)
def top(a, /, b, *, c=3):
    return a + b + c if a else b
def f(n):
    @arg(log('first'), y=log('second'))
    @plain
    def inner(a, /, b=n, *rest, c=log('default'), **more):
        return a, b, rest, c, more
    return top(n, 2), top(n, b=1, c=0), inner(1), inner(1, 2, 3, c=4, d=5), inner.__name__
""",
}

NEWER = {
    "type parameters": """
def f(n):
    type Alias[T] = list[T]
    def larger[T: (int, float)](a: T, b: T) -> T:
        if a > b:
            return a
        return b
    class Box[T, *Ts, **P](list[T]):
        items: Alias[T] = []
        def get[S](self, other: S) -> T | S:
            return self[0] if self else other
    for i in range(n):
        type Late = int
    return larger(n, 2), Box([n]).get(1), Box().get(n), Alias.__name__, larger.__type_params__, Box.__type_params__
""",
}
if sys.version_info >= (3, 12):
    PROGRAMS |= NEWER


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *((n,) for n in (0, 1, 2, 3)))
