"""Programs about private names, whose meaning depends on the class that they are written in.

Each does the same unconverted, converted, and as the command line prints it.
"""

from __future__ import annotations

import pytest

import autograph

from .comparing import assert_same, module, outcome, printed

PROGRAMS = {
    "attributes that hold what is written into": """
        class K:
            def __init__(self):
                self.__d = {}
            def put(self, k):
                self.__d[k] = 1
                self.__d[k] += 1
                if k:
                    self.__e = [k]
                for self.__z in range(3):
                    self.__e[0] = self.__z
                del self.__z
                return vars(self)
        def f(n):
            return K().put(n)
    """,
    "in a class of a function": """
        def f(n):
            class K:
                __made = []
                def put(self, k):
                    def inner():
                        self.__d = [k]
                        self.__d[0] += 1
                        self.__made[:] = self.__d
                        return vars(self)
                    return inner()
            return K().put(n), K._K__made
    """,
    "of functions and classes": """
        class K:
            def __hidden(self):
                return 1
            def make(self):
                def __inner(): return __inner.__name__, __inner.__qualname__
                class __L:
                    __v = 1
                    def __m(self): return self.__v
                    def m(self): return self.__m()
                return __inner(), __L.__name__, __L.__qualname__, __L().m(), sorted(k for k in vars(__L) if 'v' in k)
            def name(self):
                return self.__hidden.__name__
        def f(n):
            return K().make(), K().name()
    """,
    "of generators": """
        class K:
            def run(self, n):
                self.__x = [n]
                def __g():
                    yield from self.__x
                return list(__g()), __g.__name__, __g.__qualname__
        def f(n):
            return K().run(n)
    """,
    "local, without value, in messages": """
        class K:
            def run(self, n):
                __x = 1
                if n:
                    del __x
                try:
                    return __x, sorted(locals())
                except NameError as __e:
                    log(str(__e))
                return __e
        def f(n):
            return K().run(n)
    """,
    "global and nonlocal": """
        __g = 1
        _K__g = 2
        class K:
            def run(self, n):
                global __g
                __n = 0
                def add():
                    nonlocal __n
                    for i in range(n):
                        __n += i
                    return __n
                if n > 1:
                    __g += 10
                return add(), __n, __g
        def f(n):
            return K().run(n), _K__g, globals()['__g']
    """,
    "imported": """
        import sys, types
        sys.modules['_K__m'] = types.ModuleType('_K__m')
        sys.modules['_K__m']._K__v = 9
        class K:
            def run(self):
                import __m
                from __m import __v
                from os import path as __p
                return __m.__name__, __v, __p.__name__
        def f(n):
            return K().run()
    """,
    "in patterns": """
        class P:
            __match_args__ = ('_K__x',)
            def __init__(self):
                self._K__x = 1
                vars(self)['__y'] = 2
        class K:
            def run(self, value):
                match value:
                    case {'a': __a, **__rest}: return __a, __rest
                    case [__f, *__r]: return __f, __r
                    case P(__y=3): return 3
                    case P(__y=__z) as __w: return __z, __w is value
                    case __other: return __other
        def f(n):
            return K().run({'a': n, 'b': 2}), K().run([n, 2]), K().run(P()), K().run(n)
    """,
    "keywords stay, parameters change": """
        class K:
            def run(self, __a, *, __b=2, **__c):
                return __a, __b, __c, dict(__x=1)
        def f(n):
            return K().run(n, _K__b=3, __b=4)
    """,
    "walrus, lambda, comprehension": """
        class K:
            __c = [1, 2]
            __t = [__x for __x in range(3)]
            add = lambda self, __p: __p + len(self.__c)
            def run(self, x):
                if (__a := x) and (__b := x + 1) > 2:
                    x = __b
                return [(__d := i) for i in range(2)], __a, __d, [lambda __q=__z: __q for __z in self.__c][0](), x
        def f(n):
            return K().run(n), K().add(n), K._K__t
    """,
    "classes with underscores only, or at the start": """
        class _:
            def run(self): self.__x = [1]; self.__x[0] = 2; return vars(self)
        class __P:
            def run(self): self.__x = [1]; self.__x[0] = 2; return vars(self)
        class Q:
            class R:
                def run(self): self.__x__ = self.__x_ = [1]; self.__x_[0] = 2; return vars(self)
        def f(n):
            return _().run(), __P().run(), Q.R().run()
    """,
    "annotations": """
        class K:
            __T = int
            __a: __T = 1
            def run(self, __x: __T = 2) -> __T:
                def g(y: self.__T) -> list[self.__T]: pass
                return g.__annotations__, __x
        def f(n):
            return K().run(n), K.run.__annotations__, K.__annotations__
    """,
    "annotations that are text": """
        from __future__ import annotations
        class K:
            __a: __T = 1
            def run(self, __x: __T = 2) -> __T:
                def g(__y: __T) -> list[__T]: pass
                class L:
                    __b: __T
                return g.__annotations__, L.__annotations__
        def f(n):
            return K().run(n), K.run.__annotations__, K.__annotations__
    """,
    "overridden": """
        class Base:
            def __hook(self): return 'base'
            def run(self): return self.__hook()
        class Derived(Base):
            __slots__ = ('__s',)
            def __hook(self): return 'derived'
            def both(self):
                self.__s = [0]
                self.__s[0] += 1
                return self.__hook(), super().run(), self.__s
        def f(n):
            return Derived().both()
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], (0,), (3,))


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_method_does_the_same(name: str) -> None:
    """Each method by itself, as it is in the class: its class is known by its qualified name."""
    with module(PROGRAMS[name]) as namespace:
        expected = outcome(namespace["f"], namespace, (3,))
    with module(PROGRAMS[name]) as namespace:
        for kind in [value for value in namespace.values() if isinstance(value, type)]:
            for key, value in list(vars(kind).items()):
                if callable(value) and not isinstance(value, type):
                    setattr(kind, key, autograph.to_graph(value))
        assert outcome(namespace["f"], namespace, (3,)) == expected


def test_a_function_that_stays_is_printed_as_it_was_written() -> None:
    text = "class K:\n    def gen(self):\n        yield self.__x\n    def f(self):\n        return 1\n"
    assert text.split("    def f")[0] in printed(text)
