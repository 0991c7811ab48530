"""Unusual but legal programs: scopes, class bodies, descriptors, generators, patterns, exceptions, order of evaluation.

Each does the same unconverted, converted, and as the command line prints it.
"""

from __future__ import annotations

import pytest

from .comparing import assert_same

PROGRAMS = {
    "class body scoping": """
        x = 'global'
        def f(n):
            x = 'local'
            class C:
                y = x
                x = 'class'
                z = x
                f = lambda self: x
                g = [x for _ in range(1)]
                def m(self): return x
                class D:
                    w = x
            return C.y, C.x, C.z, C().f(), C.g, C().m(), C.D.w
    """,
    "class body global and nonlocal": """
        x = 1
        def f(n):
            y = 1
            class C:
                global x
                nonlocal y
                x = 2
                y = 3
                for k in range(2): pass
                if k: z = [y, k]
                del k
            return x, y, hasattr(C, 'x'), C.z, 'k' in vars(C)
    """,
    "descriptors": """
        class D:
            def __set_name__(self, owner, name): self.name = name; owner.seen = getattr(owner, 'seen', ()) + (name,)
            def __get__(self, o, t=None):
                if o is None: return self
                return o.__dict__.get(self.name, 0)
            def __set__(self, o, v):
                if v < 0: raise ValueError(self.name)
                o.__dict__[self.name] = v
            def __delete__(self, o): del o.__dict__[self.name]
        class K:
            a = D(); b = D()
        def f(n):
            k = K()
            k.a = 3
            k.a += 2
            for k.b in range(4): pass
            try: k.a = -1
            except ValueError as e: s = str(e)
            if k.a > 2: del k.a
            try: del k.a
            except KeyError as e: s += str(e)
            return K.seen, k.a, k.b, s, isinstance(K.a, D)
    """,
    "generator send throw close": """
        def g():
            log = []
            try:
                while True:
                    try:
                        x = yield log
                        log.append(x)
                        if x == 3: return 'done'
                    except ValueError as e: log.append(str(e))
            finally: log.append('fin')
        def f(n):
            it = g(); next(it)
            it.send(1); it.throw(ValueError('v'))
            try: it.send(3)
            except StopIteration as s: r = s.value
            it2 = g(); a = next(it2); it2.close()
            def outer():
                r = yield from g()
                yield r
            o = outer(); next(o); o.send(2)
            return r, a, o.send(3)
    """,
    "walrus corners": """
        def f(n):
            if any((hit := n) > 2 for n in range(5)): pass
            total = 0
            vals = [total := total + v for v in range(4)]
            while (line := vals.pop() if vals else None) is not None: last = line
            x = (y := 3, z := 4)
            def f(a=(b := 5)): return a
            l = lambda: (q := 1) + q
            d = {(k := 'a'): (v := 2), k + 'b': v + 1}
            return hit, total, last, x, y, z, f(), b, l(), d, f'{(w:=7)}', w
    """,
    "match everything": """
        from dataclasses import dataclass
        import enum
        class E(enum.Enum): A = 1
        @dataclass
        class P: x: int; y: object = None
        def m(v):
            match v:
                case True | None: return 'singleton'
                case 0 | -1 | 1.5 | 1+2j: return 'num'
                case 'a' 'b' | b'c': return 'str'
                case E.A: return 'enum'
                case []: return 'empty'
                case [P(x=1), *_]: return 'p first'
                case [x, y] | (x, y, _) if x == y: return 'eq', x
                case [1, [2, *rest], {'k': [a, *_]}]: return rest, a
                case {'t': str(s), **kw} if len(kw) == 1: return s, kw
                case {}: return 'map'
                case P(int(n), P(y=str() | bytes() as q)): return n, q
                case P() as p: return 'p', p.x
                case int() | float() as num if num > 10: return 'big'
                case (list() | tuple()) as seq: return 'seq', len(seq)
                case _: return 'other'
        def f(n):
            return [m(v) for v in (
                True, None, 0, -1, 1.5, 1+2j, 'ab', b'c', E.A, [], [P(1), 2], [3, 3], (3, 3, 4), 11, 5, [1, 2], object,
            )] + [
                m(v) for v in ([1, [2, 5, 6], {'k': [7]}], {'t': 's', 'z': 1}, {'t': 1}, P(5, P(1, 'q')), P(7))]
    """,
    "exception groups": """
        def f(n):
            out = []
            try:
                try:
                    inner = ExceptionGroup('h', [KeyError(3), ValueError(4)])
                    raise ExceptionGroup('g', [ValueError(1), TypeError(2), inner])
                except* ValueError as eg: out.append([type(e) for e in eg.exceptions])
                except* (TypeError, OSError) as eg: out.append(len(eg.exceptions)); raise RuntimeError('x') from eg
                else: out.append('else')
                finally: out.append('fin')
            except BaseExceptionGroup as rest: out += [rest.message, [type(e).__name__ for e in rest.exceptions]]
            return out
    """,
    "nonlocal through several levels": """
        def f(n):
            a = 0
            def l1():
                def l2():
                    nonlocal a
                    def l3():
                        nonlocal a
                        a += 1
                        if a < 3: l3()
                        return lambda: a
                    return l3
                return l2()
            f = l1()()
            a += 10
            return f(), a
    """,
    "global nonlocal mixtures": """
        g = 0
        def f(n):
            g = 1
            def f():
                global g
                g += 5
                def h():
                    return g
                return h()
            def k():
                nonlocal g
                g += 7
                for i in range(2):
                    if i: g *= 2
                return g
            return f(), k(), g, globals()['g']
    """,
    "default args evaluated once and order": """
        def f(n):
            log = []
            def t(x): log.append(x); return x
            def deco(n):
                log.append('d%s' % n)
                def w(f): log.append('w%s' % n); return f
                return w
            @deco(1)
            @deco(2)
            def f(a=t('a'), /, b=t('b'), *, c=t('c'), d: t('ann') = t('d')) -> t('ret'): return [a, b, c, d]
            class C(t(object), metaclass=t(type)):
                log.append('body')
            t(1) if t(0) else t(2)
            t('x') < t('y') < t('w') < t('never')
            {t('k'): t('v')}
            t([0])[t(0)] = t('val')
            return log, f()
    """,
    "chained assignment and aug order": """
        def f(n):
            log = []
            class T(list):
                def __getitem__(s, i): log.append(('get', i)); return list.__getitem__(s, i)
                def __setitem__(s, i, v): log.append(('set', i, v)); list.__setitem__(s, i, v)
            a = b = T([1, 2, 3])
            i = 0
            i = a[i] = 2
            a[i], i = 5, 1
            a[i] += i
            i, b[i] = 0, 9
            a[(i := i + 1)] += (i := i + 1)
            x = a[:] is a
            return log, list(a), i, x
    """,
    "mro and super": """
        def f(n):
            log = []
            class A:
                def f(self): log.append('A'); return 'a'
            class B(A):
                def f(self): log.append('B'); return 'b' + super().f()
            class C(A):
                def f(self):
                    log.append('C')
                    g = lambda: super(C, self).f()
                    return 'c' + g()
            class D(B, C):
                def f(self):
                    for cls in type(self).__mro__:
                        if cls is B: return 'd' + super().f() + [super(D, self).f() for _ in [1]][0]
                @classmethod
                def k(cls): return super().__name__ if False else __class__.__name__
                @staticmethod
                def s(): return __class__
            return D().f(), log, D.k(), D.s() is D
    """,
    "while else continue deep": """
        def f(n):
            out = []
            n = 0
            while n < 5:
                n += 1
                m = 0
                while True:
                    m += 1
                    if m == n: break
                    if m > 3:
                        out.append('big'); break
                else: out.append('never')
                if n == 2: continue
                for q in range(n):
                    if q == 1: continue
                    for r in range(2):
                        if r: break
                    else: continue
                    if q == 3: break
                else: out.append(('else', n)); continue
                out.append((n, m, q))
            else: out.append('welse')
            return out
    """,
    "nested try in loops with closures": """
        def f(n):
            fs = []
            for i in range(4):
                try:
                    if i == 1: continue
                    if i == 3: raise KeyError(i)
                    fs.append(lambda: i)
                except KeyError as e:
                    fs.append(lambda e=e: e.args)
                    try: raise ValueError from e
                    except ValueError as e2: fs.append(lambda c=e2.__cause__: c.args)
                finally:
                    fs.append(i)
            return [f() if callable(f) else f for f in fs]
    """,
    "closures in class in closure": """
        def f(n):
            n = 1
            def outer():
                nonlocal n
                class A:
                    k = n
                    def get(self):
                        nonlocal n
                        n += 1
                        def deep():
                            if n > 2:
                                return [n + i for i in range(n) if i % 2 or self.k]
                            return n
                        return deep()
                    h = (lambda k=k: (k, n))()
                return A
            A = outer(); a = A()
            return a.get(), a.get(), A.h, n, A.k
    """,
    "shadowed builtins": """
        def f(n):
            range = lambda n: [n]
            len = 5
            def print(*a): return a
            for i in range(3): pass
            list = [1]
            def isinstance(a, b): return 'mine'
            tuple, dict, slice = 1, 2, 3
            super = 'sup'
            return i, len, print(1, *[2], **{}), isinstance(1, 2), list[0:1], tuple, dict, slice, super
    """,
    "exec class private and locals": """
        def f(n):
            class C:
                __p = 3
                exec('q = 4')
                r = locals().get('_C__p')
                s = sorted(k for k in vars() if not k.startswith('__'))
                def f(self):
                    exec('self.z = 1')
                    return eval('self.z + self._C__p'), [eval('i') for i in range(2)]
            return C.q, C.r, C.s, C().f()
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], (1,))
