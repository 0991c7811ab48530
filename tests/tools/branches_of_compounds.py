"""Bodies of functions `f(x, n)`: match, with, try, raise, definitions, expressions. See branch_programs.py."""

from __future__ import annotations

COMPOUNDS: dict[str, str] = {
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
