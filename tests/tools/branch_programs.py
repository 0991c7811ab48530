"""Programs that hold every statement of control flow in many places, with calls that go some of their ways.

Each is a function `f(x, n)`; the calls of a row are made one after the other, and what one of them raises is caught.

Example:
    ROWS[0]  # ("if", "def f(x, n): ...", [(1, 0)])
"""

from __future__ import annotations

import textwrap

Calls = list[tuple[int, int]]

_BODIES: dict[str, str] = {
    "if": """
        y = 0
        if x > 0:
            y = 1
        return y
    """,
    "if at the end": """
        y = []
        if x > 0:
            y.append(1)
    """,
    "if else": """
        if x > 0:
            y = 1
        else:
            y = 2
        y = y + 1
        return y
    """,
    "elif": """
        if x > 2:
            y = 1
        elif x > 1:
            y = 2
        elif x > 0:
            y = 3
        return n
    """,
    "elif else": """
        if x > 2:
            y = 1
        elif x > 1:
            y = 2
        else:
            y = 3
        return y + n
    """,
    "early returns": """
        if x > 2:
            return 1
        if x > 1:
            if n > 1:
                return 2
            if n > 0:
                n = n - 1
        if x > 0:
            return n
        return x
    """,
    "if in if": """
        y = 0
        if x > 0:
            if n > 0:
                y = 1
        else:
            if n > 1:
                y = 2
        return y
    """,
    "ifs one after the other": """
        y = 0
        if x > 0:
            y = y + 1
        if n > 0:
            y = y + 2
        if x > n:
            y = y + 4
        return y
    """,
    "a test of many lines": """
        y = 0
        if (x > 0
                and n > 0
                or x < -1):
            y = (
                y + 1)
        return y
    """,
    "one line": """
        y = 0
        if x > 0: y = 1
        for i in range(n): y = y + i
        return y
    """,
    "for": """
        y = 0
        for i in range(n):
            y = y + i
        return y
    """,
    "for at the end": """
        y = []
        for i in range(n):
            y.append(i)
    """,
    "for with if at its end": """
        y = 0
        for i in range(n):
            y = y + i
            if i > x:
                y = y + 1
        return y
    """,
    "for with continue": """
        y = 0
        for i in range(n):
            if i == x:
                continue
            y = y + i
        return y
    """,
    "for with break": """
        y = 0
        for i in range(n):
            y = y + i
            if i == x:
                break
        return y
    """,
    "for else": """
        y = 0
        for i in range(n):
            if i == x:
                break
        else:
            y = 1
        return y
    """,
    "for else without break": """
        y = 0
        for i in range(n):
            y = y + i
        else:
            y = y + 1
        return y
    """,
    "for with return": """
        for i in range(n):
            if i == x:
                return i
        return -1
    """,
    "for with return at the end": """
        for i in range(n):
            if i == x:
                return i
    """,
    "for in for": """
        y = 0
        for i in range(n):
            for j in range(i):
                y = y + j
                if j > x:
                    break
        return y
    """,
    "while": """
        y = 0
        while n > x:
            n = n - 1
            y = y + n
        return y
    """,
    "while at the end": """
        while n > x:
            n = n - 1
    """,
    "while else": """
        y = 0
        while n > 0:
            n = n - 1
            if n == x:
                break
        else:
            y = 1
        return y
    """,
    "while true": """
        y = 0
        while True:
            y = y + 1
            if y > n:
                break
            if y == x:
                return -1
        return y
    """,
    "while true with return": """
        y = 0
        while True:
            y = y + 1
            if y > n:
                return y
    """,
    "while in if in for": """
        y = 0
        for i in range(n):
            if i > x:
                while y < i:
                    y = y + 1
            else:
                y = y - 1
        return y
    """,
    "match": """
        y = 0
        match x:
            case 0:
                y = 1
            case 1 | 2:
                y = 2
            case -1 if n > 1:
                y = 3
        return y
    """,
    "match with wildcard": """
        match (x, n):
            case (0, _):
                y = 1
            case (a, 1):
                y = a
            case _:
                y = 3
        return y
    """,
    "match with returns at the end": """
        match x:
            case 0:
                return 1
            case 1:
                if n > 0:
                    return 2
    """,
    "with": """
        import contextlib
        y = 0
        with contextlib.nullcontext():
            y = 1
            if x > 0:
                y = 2
        return y
    """,
    "with and return": """
        import contextlib
        with contextlib.nullcontext():
            if x > 0:
                return 2
        return 3
    """,
    "with in for": """
        import contextlib
        y = 0
        for i in range(n):
            with contextlib.nullcontext():
                if i == x:
                    break
                y = y + 1
        return y
    """,
    "try except": """
        y = 0
        try:
            y = 1 // x
            if n > 0:
                y = 7
        except ZeroDivisionError:
            y = 2
        return y
    """,
    "try with handlers": """
        y = 0
        try:
            y = [5][x] // x
        except ZeroDivisionError as error:
            y = 2
            if n > 0:
                y = 3
        except IndexError:
            y = 4
        else:
            y = 5
        return y
    """,
    "try finally": """
        y = 0
        try:
            y = 1
            if x > 0:
                y = 2
        finally:
            n = n + 1
        return y + n
    """,
    "return through finally": """
        y = []
        try:
            if x > 0:
                return y
        finally:
            y.append(n)
        return n
    """,
    "break through finally": """
        y = 0
        for i in range(n):
            try:
                if i == x:
                    break
                if i > 3:
                    continue
            finally:
                y = y + 1
            y = y + 2
        return y
    """,
    "if in finally": """
        y = 0
        try:
            y = 1 // x
        finally:
            if n > 0:
                y = 4
        return y
    """,
    "raise": """
        if x > 0:
            raise ValueError(x)
        if n > 0:
            n = n - 1
        return n
    """,
    "assert": """
        assert x > 0, x
        if n > 0:
            assert n > 1
        return n
    """,
    "a function inside": """
        def g(z):
            if z > 0:
                return 1
            for _ in range(n):
                if z < -1:
                    z = z + 1
        if n > 0:
            return g(x)
        return x
    """,
    "a decorated function inside": """
        import functools

        @functools.cache
        @functools.wraps(f)
        def g(z):
            if z > 0:
                return 1
        y = 0
        if n > 0:
            y = g(x)
        return y
    """,
    "a class inside": """
        class C:
            if n > 0:
                y = 1
            else:
                y = 2

            def m(self):
                if x > 0:
                    return self.y
                return 0

        return C().m()
    """,
    "a generator inside": """
        def g():
            for i in range(n):
                if i > x:
                    yield i
        y = 0
        for i in g():
            y = y + i
        return y
    """,
    "expressions": """
        y = [i for i in range(n) if i > x]
        z = x if n > 1 else n
        z = z and x or n
        if not y or z:
            y = 1
        return (lambda v: v if v else 0)(y)
    """,
    "a statement without effect": """
        "of what it does"
        global unused
        if x > 0:
            global other
            pass
        elif n > 0:
            "text"
        return x
    """,
    "walrus": """
        y = 0
        while (k := n - 1) > x:
            n = k
            if (m := k % 2):
                y = y + m
        return y
    """,
}
_CHAIN = "if x == -1:\n    y = -1\n" + "".join(f"elif x == {i}:\n    y = {i}\n" for i in range(70)) + "return n\n"

_CALLS: tuple[Calls, ...] = (
    [(1, 0)],
    [(0, 0)],
    [(0, 3)],
    [(-2, 2)],
    [(2, 5)],
    [(0, 1), (1, 1), (5, 0), (-1, 4)],
    [(3, 6), (2, 6), (-5, 7)],
)


def _program(body: str) -> str:
    return "def f(x, n):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"


PROGRAMS: dict[str, str] = {name: _program(body) for name, body in {**_BODIES, "a long chain": _CHAIN}.items()}
ROWS: list[tuple[str, Calls]] = [(name, calls) for name in PROGRAMS for calls in _CALLS]
