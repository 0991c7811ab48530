"""Programs that do the same converted and unconverted: one for each way that constructs meet."""

from __future__ import annotations

import pytest

from .comparing import assert_same

NUMBERS = tuple((n,) for n in (-1, 0, 1, 2, 3, 5))

PROGRAMS = {
    "break, continue and else": """
        def f(n):
            s = 0
            for i in range(6):
                if i == n:
                    break
                if i % 2:
                    continue
                s += log(i)
            else:
                s = -s
            while s < 9:
                s += 1
                if s == n + 5:
                    break
            else:
                log('end')
            return s, i
    """,
    "jumps in with": """
        import contextlib
        def f(n):
            for i in range(4):
                with contextlib.nullcontext(i) as k:
                    if k == n:
                        break
                    if k == n - 1:
                        continue
                    log(k)
                log('after', k)
            return i
    """,
    "return in nested loops": """
        def f(n):
            for i in range(3):
                j = 0
                while True:
                    j += 1
                    if i * j == n:
                        return i, j
                    if j > 3:
                        break
                log(i, j)
            log('none')
    """,
    "return in try with else and finally": """
        def f(n):
            for i in range(3):
                try:
                    if i == n:
                        return log('value')
                    if n == 5:
                        raise ValueError(i)
                except ValueError as e:
                    log(e.args)
                    if i == 1:
                        break
                else:
                    log('else', i)
                finally:
                    log('finally', i)
            return -1
    """,
    "an exception overtakes a return": """
        class Raises:
            def __enter__(self):
                return self
            def __exit__(self, *exc):
                raise KeyError('exit')
        def f(n):
            try:
                with Raises():
                    if n > 0:
                        return log('lost')
                    log('body')
            except KeyError:
                log('caught')
            log('goes on')
            return 7 if n > 1 else None
    """,
    "a finally overtakes a break": """
        def f(n):
            for i in range(3):
                try:
                    try:
                        if i == 1:
                            break
                    finally:
                        if n > 0:
                            raise ValueError
                except ValueError:
                    log('caught', i)
                log('next', i)
            else:
                log('else')
            return i
    """,
    "a swallowed exception": """
        import contextlib
        def f(n):
            y = 1
            if n > 0:
                y = 2
            with contextlib.suppress(ZeroDivisionError):
                y = 3 // n
                z = y
            if n > 1:
                log(z)
            return y
    """,
    "a swallowed exception in a loop": """
        import contextlib
        def f(n):
            for i in range(n):
                with contextlib.suppress(ZeroDivisionError):
                    y = 6 // (i - 2)
                log(y)
            return i
    """,
    "a swallowed return": """
        import contextlib
        def f(n):
            with contextlib.suppress(ZeroDivisionError):
                return 1 // n
            return 'swallowed'
    """,
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
    "exception names": """
        def f(n):
            for i in range(2):
                try:
                    raise ValueError(i)
                except ValueError as e:
                    if n > 0:
                        e = str(e)
                    log(e)
                try:
                    raise KeyError(i)
                except KeyError as e:
                    log(repr(e))
            if n > 1:
                log(e)
            return n
    """,
    "exception name shared with a closure": """
        def f(n):
            e = 'before'
            g = lambda: e
            for i in range(n):
                try:
                    raise ValueError(i)
                except ValueError as e:
                    log(g())
                if n > 1:
                    e = 'set'
            return g()
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
    "exception groups": """
        def f(n):
            try:
                if n > 0:
                    raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
                log('fine')
            except* ValueError as e:
                for x in e.exceptions:
                    if n == 2:
                        break
                    log(repr(x))
                y = 1
            except* KeyError:
                y = 2
            return y
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
    "augmented unassigned": """
        def f(n):
            if n > 0:
                y = 1
            y += log(n)
            return y
    """,
    "asserts": """
        def f(n):
            assert n > 0, log('message', n)
            assert log(n)
            return n
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
    "imports": """
        def f(n):
            if n > 0:
                import os.path as p
                from math import floor, ceil as c
            else:
                p, c = None, abs
            return p is None, c(n)
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
    "globals and dir": """
        here = 1
        def f(n):
            return 'here' in globals(), bool(dir(n)), vars(type('T', (), {'a': 1}))['a'], eval('n + 1', {'n': n})
    """,
    "many flat returns": "def f(n):\n"
    + "".join(f"    if n == {i - 3}:\n        return log({i})\n    log('not', {i})\n" for i in range(14)),
    "a chain of many elifs": "def f(n):\n    if n == 0:\n        y = 0\n"
    + "".join(f"    elif log({i}) == n:\n        y = {i}\n" for i in range(-1, 2))
    + "".join(f"    elif log({i}) == n + 30:\n        return {i}\n" for i in range(30, 150))
    + "    else:\n        y = 'else'\n    return y\n",
    "return and raise": """
        def f(n):
            if n > 3:
                raise ValueError(n)
            elif n > 2:
                return 'three'
            else:
                if n == 1:
                    return 'one'
                elif n == 0:
                    raise KeyError(n)
            log('rest')
            if n < 0:
                x = 'minus'
            else:
                raise IndexError
            return x
    """,
    "return value fails": """
        def f(n):
            try:
                return 1 // n
            except ZeroDivisionError:
                log('handled')
            return 'after'
    """,
    "docstring only": """
        def f(n):
            '''nothing else'''
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
    "lambda": "f = lambda n, k=2: n if 0 < n < k else [i or n for i in range(n)]",
    "lambda that binds": "f = lambda n: (y := n) and (y or 3) and [y for _ in range(2)]",
    "global in a branch": """
        g = 0
        def f(n):
            if n > 0:
                global g
                g = n
            return g
    """,
    "star except in loops": """
        def f(n):
            for i in range(3):
                try:
                    if i == n:
                        continue
                    raise ExceptionGroup('g', [ValueError(i)])
                except* ValueError:
                    while True:
                        log(i)
                        break
            return i
    """,
    "while with else and return": """
        def f(n):
            i = 0
            while i < 3:
                i += 1
                if i == n:
                    return i
            else:
                for j in range(3):
                    if j == -n:
                        break
                else:
                    return 'else'
                return 'broken'
    """,
    "break of the outer loop in an else": """
        def f(n):
            for i in range(3):
                for j in range(2):
                    if j == n:
                        break
                else:
                    if i == 1:
                        break
                    continue
                log(i, j)
            else:
                log('all')
            return i, j
    """,
    "state in a handler": """
        def f(n):
            k = 0
            try:
                for i in range(4):
                    if i == n:
                        k = i
                        raise ValueError
                    k = -i
            except ValueError:
                log(k)
            finally:
                if n > 1:
                    k += 100
            return k
    """,
    "jumps in finally": """
        def f(n):
            for i in range(3):
                try:
                    log(i)
                    if i == n:
                        raise ValueError(i)
                    if n == 5:
                        return 'try'
                finally:
                    if i == 1:
                        break
                    if n == 3:
                        continue
                    log('kept')
                    if n == 0:
                        return log('finally')
            else:
                return 'else'
            return i, n
    """,
    "finally takes the place of a return": """
        def f(n):
            while True:
                try:
                    return log('lost')
                finally:
                    n -= 1
                    if n > 0:
                        continue
                    try:
                        1 // (n + 1)
                    finally:
                        break
            log('left')
    """,
    "finally after a handler": """
        def f(n):
            try:
                try:
                    return 1 // n
                except ZeroDivisionError:
                    raise KeyError
                else:
                    log('else')
                finally:
                    if n == 2:
                        return 'two'
                    log('finally')
            except KeyError:
                return 'key'
            finally:
                for i in range(3):
                    if i == n:
                        break
                else:
                    return 'outer'
            return i
    """,
    "raise from and bare raise": """
        def f(n):
            try:
                try:
                    return [][n]
                except IndexError as e:
                    if n > 1:
                        raise
                    raise KeyError(n) from e
            except LookupError as e:
                return type(e).__name__, type(e.__cause__).__name__
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *NUMBERS)
