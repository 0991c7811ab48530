"""Programs that hold each statement of Python in the ways in which control and names can go through it.

Example:
    for name, (text, inputs) in PROGRAMS.items(): ...       # the function is called f; inputs are its arguments
"""

from __future__ import annotations

import sys

from .every_exception import EXCEPTIONS

__all__ = ["PROGRAMS"]

_NAMES = """
class Swallows:
    def __init__(self, entered=None): self.entered = entered
    def __enter__(self): return self.entered
    def __exit__(self, *error): return True
    async def __aenter__(self): return self.entered
    async def __aexit__(self, *error): return True

class Refuses:
    __slots__ = ()

async def items(n):
    for i in range(n):
        yield i

def fail(*values):
    raise ValueError(values)
"""

_TEXTS: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "a walrus on one side of and": (
        """
def f(a):
    x = 1
    a and (x := 2)
    y = x
    return y
""",
        [(0,), (1,)],
    ),
    "a walrus in a chain and a ternary": (
        """
def f(a):
    x = y = 1
    0 < a < (x := 5)
    (y := 3) if a else None
    return x, y
""",
        [(0,), (1,), (-1,)],
    ),
    "a walrus in a comprehension": (
        """
def f(a):
    x = 1
    found = [x := i for i in range(a)]
    return found, x
""",
        [(0,), (2,)],
    ),
    "an inner function that outlives its name": (
        """
def f(a):
    x = 1
    def g():
        return x
    keep = [g]
    g = None
    x = 5
    return keep[0]()
""",
        [(0,)],
    ),
    "an inner function that binds": (
        """
def f(a):
    x = 1
    def g():
        nonlocal x
        x = 7
    x = 2
    g()
    y = x
    return y
""",
        [(0,)],
    ),
    "a generator expression that reads later": (
        """
def f(a):
    x = 1
    lazy = (x + j for i in range(a) for j in [x, i])
    x = 2
    return list(lazy), x
""",
        [(0,), (3,)],
    ),
    "a generator expression that binds later": (
        """
def f(a):
    x = 1
    lazy = (x := i for i in range(a))
    x = 2
    list(lazy)
    return x
""",
        [(0,), (3,)],
    ),
    "else of loops": (
        """
def f(a):
    x = y = 0
    for i in range(3):
        if i == a:
            break
        x = i
    else:
        y = i
    while x:
        x = x - 1
        if y:
            continue
        break
    else:
        return y
    return x
""",
        [(0,), (1,), (2,), (5,)],
    ),
    "targets that are not bound": (
        """
def f(a):
    i = j = 5
    for i, *j in a:
        pass
    return i, j
""",
        [([],), ([(1, 2, 3)],)],
    ),
    "match": (
        """
def f(a):
    x = v = 0
    match a:
        case [1, *x] if x:
            v = x
        case {'k': v, **x} | [v, x]:
            v = v, x
        case complex(real=v) as x if v > 1:
            pass
        case None | True:
            return x
        case str():
            x = a
        case _:
            x = x, 1
    return x, v
""",
        [([1],), ([1, 2],), ({'k': 3, 'l': 4},), ([5, 6],), ((3+2j),), (2j,), (None,), ('t',), (object,)],
    ),
    "a match without a last case": (
        """
def f(a):
    x = 0
    match a:
        case [y, 1]:
            x = y
        case [z, 2] if z:
            x = z
    return x
""",
        [([4, 1],), ([0, 2],), ([3, 2],), (7,)],
    ),
    "async": (
        """
async def f(a):
    x = y = 0
    async with Swallows(3) as y:
        async for x in items(a):
            if x == 2:
                break
            y = x
        else:
            fail(y)
        return x, [i async for i in items(y)]
    return x, y
""",
        [(0,), (2,), (5,)],
    ),
    "a generator": (
        """
def f(a):
    x = 0
    while (y := (yield x)) is None and x < a:
        x = x + 1
    yield from [x, y]
""",
        [(0,), (3,)],
    ),
    "a class in a function": (
        """
def f(a):
    x = 1
    class C(dict if a else list):
        y = x
        def m(self):
            return x
        x = 3
    x = 2
    return C().m(), C.y
""",
        [(0,), (1,)],
    ),
    "del, imports, annotations, assertions": (
        """
def f(a):
    x: int = 1
    y: int
    import os.path as p, sys
    from math import pi as q
    assert (x := a) + 1
    del x
    x = [q]
    x[0] += 1
    y = x, p, sys
    global G
    G = y
    return y
""",
        [(0,), (1,)],
    ),
    "names that builtins see": (
        """
def f(a):
    x = 1
    y = 2
    eval('x + y')
    return sorted(locals())
""",
        [(0,)],
    ),
}
if sys.version_info >= (3, 12):
    _TEXTS["type alias"] = (
        """
def f(a):
    x = 1
    type L[T] = list[T] | x
    def g[T](y: T) -> L: return y, x
    x = int
    return g(L.__value__)
""",
        [(0,)],
    )

PROGRAMS = {name: (_NAMES + text, inputs) for name, (text, inputs) in {**_TEXTS, **EXCEPTIONS}.items()}
