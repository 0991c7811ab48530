"""Programs about elements and unpacking: in what order they are read and written, what is evaluated once, what fails.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import textwrap

import pytest

from .comparing import NUMBERS, assert_same

WATCHED = """
class Items(dict):
    def __init__(self, name, *args):
        super().__init__(*args)
        object.__setattr__(self, 'name', name)
    def __getitem__(self, k):
        log(self.name, 'get', k)
        return super().__getitem__(k)
    def __setitem__(self, k, v):
        log(self.name, 'set', k, v)
        super().__setitem__(k, v)
    def __delitem__(self, k):
        log(self.name, 'del', k)
        super().__delitem__(k)

class Number:
    def __init__(self, value):
        self.value = value
    def __repr__(self):
        return f'Number({self.value})'
    def __add__(self, other):
        log('add', self.value, other)
        return Number(self.value + other)
    def __iadd__(self, other):
        log('iadd', self.value, other)
        self.value += other
        return self

class Holder:
    def __init__(self, **values):
        object.__setattr__(self, 'values', values)
    def __getattr__(self, name):
        log('read', name)
        return self.values[name]
    def __setattr__(self, name, value):
        log('write', name, value)
        self.values[name] = value

class Frozen:
    __slots__ = ('items',)
    def __init__(self, items):
        object.__setattr__(self, 'items', items)
    def __setattr__(self, name, value):
        raise AttributeError('frozen')
"""

PROGRAMS = {
    "order of a write": """
        def f(n):
            x = Items('x', {0: 0})
            x[log('key', n)] = log('value', 2)
            x[n + 1] = log('value', 3)
            x[log('key', n)] = n
            return dict(x)
    """,
    "order of an augmented write": """
        def f(n):
            x = Items('x', {n: 1})
            x[log('key', n)] += log('value', 2)
            x[n] -= log('value', 3)
            x[n] *= n
            x[n] **= 2
            x[n] //= 2
            return dict(x)
    """,
    "all the augmented operators": """
        def f(n):
            x = [7, n, 2.5, [1], {1, 2}, 3]
            x[0] += n; x[0] -= 1; x[0] *= 3; x[1] //= 2; x[0] %= 10; x[2] /= 2; x[2] **= 2
            x[3] += [n]; x[4] |= {n}; x[4] &= {1, n}; x[4] ^= {5}; x[5] <<= 2; x[5] >>= 1
            return x
    """,
    "an element that is changed in place stays the same object": """
        def f(n):
            inner, number = [n], Number(n)
            x = [inner, number]
            x[0] += [1]
            x[1] += log('one', 1)
            return x, x[0] is inner, x[1] is number
    """,
    "the element is read before the right side runs": """
        def f(n):
            x = [1, 2]
            def grow():
                x[0] = 100
                return 1
            x[0] += grow()
            try:
                x[9] += log('never')
            except IndexError as error:
                log(str(error))
            return x
    """,
    "the right side rebinds the container and the key": """
        def f(n):
            x, i = [1, 2, 3], 0
            x[i] = (i := 1)
            x[i] += (i := 2)
            y = x
            x[0] = (x := [7, 8, 9])[1]
            def other():
                nonlocal x
                x = [n]
                return 5
            x[0] = other()
            before = x
            x[0] += other()
            x[other() - 5] = n
            x[other() - 5] += 1
            x[0] = [x := [6]]
            x[(x := [1, 2])[0] - 1] += n
            return x, y, i, before
    """,
    "nested elements and attributes": """
        def f(n):
            o = Holder(a=Items('a', {0: Items('inner', {1: [n, n]})}))
            o.a[log(0)][log(1)][log(n % 2)] = log('value')
            o.a[0][1][1 - n % 2] += n
            o.a[log('new')] = n
            o.b = [[n], [n]]
            o.b[0][0] -= log(1)
            o.b[1] += [2]
            return o.values
    """,
    "no attribute of a Python object is assigned": """
        def f(n):
            o = Frozen([1, 2, 3])
            o.items[0] = n
            o.items[n % 3] += 1
            o.items[1:] = [n, n]
            if n > 1:
                o.items[0] = 'big'
            for i in range(2):
                o.items[i] = i
            return o.items
    """,
    "elements of what is not local": """
        TABLE = {}
        def f(n):
            inside = [0, 0]
            def g():
                inside[0] = n
                inside[log(1)] += 2
                TABLE[n] = inside
                TABLE[n][1] += 1
            g()
            make = lambda: inside
            make()[0] = log('made')
            return inside, TABLE, (lambda: TABLE[n][0])()
    """,
    "several targets": """
        def f(n):
            x = Items('x', {})
            i = 0
            i, x[i], x[n] = n, log('a'), log('b')
            x[0], i = i, 7
            x[i], x[i + 1] = x[n], i
            a = x[5] = (b, x[6]) = log((1, 2))
            x[8] = c, *x['rest'], d = [1, 2, 3, n]
            (x[1], (y, x[2])), z = (n, (1, 2)), x[0]
            return dict(x), i, a, b, c, d, y, z
    """,
    "swapping": """
        def f(n):
            x = [1, 2, 3]
            i, j = 0, n % 3
            x[i], x[j] = x[j], x[i]
            x[0], x = 5, [x]
            return x
    """,
    "targets of for and with": """
        import contextlib
        def f(n):
            x, total = [0, 0], 0
            for x[log(0)] in range(n):
                total += x[0]
            for i, x[1] in enumerate('abc'):
                log(i, x)
            for x[i - 2], *x[0:1] in [(1, 2, 3), (n,)]:
                log(x[:])
            use = contextlib.nullcontext
            with use(n) as x[0], use(x[0]) as y, use(1) as x[1]:
                log(x, y)
            with contextlib.nullcontext((n, 5)) as (a, x[0]):
                log(a, x)
            return x, total
    """,
    "a with target that fails leaves by way of the manager": """
        class M:
            def __enter__(self):
                return 1
            def __exit__(self, *error):
                log('exit', error[0])
                return True
        def f(n):
            x = [1]
            with M() as x[n]:
                log('inside', x)
            return x
    """,
    "deleting": """
        def f(n):
            x, y = Items('x', {1: 1, 2: 2}), [1, 2, 3]
            del x[log(1)], y[n % 3]
            del y[:1]
            return dict(x), y
    """,
    "errors say what Python says": """
        def f(n):
            found = []
            for write in range(9):
                try:
                    x = [1, 2]
                    if write == 0: x[n + 5] = 1
                    elif write == 1: x['a' + 'b'] = 1
                    elif write == 2: (1, 2)[n] = log('value')
                    elif write == 3: missing[n] = log('value')
                    elif write == 4: x[n + 5] += 1
                    elif write == 5: {}[n]
                    elif write == 6: x[n:n, 1]
                    elif write == 7: None[n] = 3
                    else: x[0:1:n - n] = [1]
                except Exception as error:
                    found.append((type(error).__name__, str(error)))
            return found
    """,
    "keys of every kind": """
        class Any:
            def __getitem__(self, k): return k
            def __setitem__(self, k, v): log(k, v)
        def f(n):
            a = Any()
            a[n:] = a[:n]; a[n:n + 1, ..., None, ::n] = a[n, :, 1:n:2]; a[()] = a[n,]; a[n, *[1, 2]] = a[*range(2)]
            a[::] += 'b' if isinstance(a[::], str) else type('S', (), {'__radd__': lambda s, o: o})()
            a[-1] = a[True]; a[1.5] = a[b'x']; a[lambda: n] if n else a[not n]
            return a[n if n > 1 else -n], a[n and 3], a[[n]], a[{n}], list[int], dict[str, 'n']
    """,
    "where slice is a variable": """
        def f(n):
            slice, x = 5, [1, 2, 3, 4]
            x[n:2] = [slice]
            return x[n:], x[1:slice]
    """,
    "unpacking": """
        def f(n):
            def numbers(stop):
                for i in range(stop):
                    log('next', i)
                    yield i
                log('end')
            a, b = numbers(2)
            c, (d, e), *g = [a, numbers(2), *numbers(n % 4)]
            [h, *_], (i,) = numbers(3), {n}
            (j, k), l = iter([iter('ab'), 'c'])
            return a, b, c, d, e, g, h, _, i, j, k, l
    """,
    "unpacking what does not fit": """
        def numbers(stop):
            for i in range(stop):
                log('next', i)
                yield i
        def f(n):
            found = []
            flat = numbers(n), [1] * n, (1,) * n, 'abc'[:n], {1: 1, 2: 2}, n, None
            for values in [*flat, [numbers(1), 2], [3, 4], ([1, 2], 3)]:
                for form in range(4):
                    try:
                        if form == 0: a, b = values
                        elif form == 1: a, *b, c = values
                        elif form == 2: (a, b), c = values
                        else: a, (b, *d), *c = values
                    except Exception as error:
                        found.append((type(error).__name__, str(error)))
            return found
    """,
    "elements in branches and loops": """
        def f(n):
            x, d, i = [0] * 4, {}, 0
            while i < 3:
                x[i] += n
                if x[i] > 1:
                    x[i + 1] = i
                    d[i] = x[:]
                elif n:
                    d[n] = i
                    d['last'] = d[n]
                i += 1
            for k in d:
                x[-1] = k
            return x, d
    """,
    "private attributes": """
        class C:
            def __init__(self):
                self.__items = [1, 2, 3]
            def set(self, i, v):
                self.__items[i] = v
                self.__items[i] += log(1)
                return self.__items
        def f(n):
            return C().set(n % 3, n)
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_python(name: str) -> None:
    assert_same(WATCHED + textwrap.dedent(PROGRAMS[name]), *NUMBERS)
