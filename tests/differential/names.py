"""Random statements about names: private ones, unbound ones, the order of variables, the names of functions, callers.

Each form is written for one kind of defect that only other people's programs had shown. Example:

    class Kind3:
        def put(self, p):
            self.__d = {0: p}
            self.__d[1] = 7
            return vars(self)
    log(Kind3().put(a))
"""

from __future__ import annotations

from .author import Author
from .expressions import number

__all__ = ["write_names"]

_FORMS = (
    """
    class {new}:
        def __init__(self, p): self.__d = {{0: p}}
        def put(self, k):
            if k > 30: self.__d[1] = k
            else: self.__e = self.__d[0]
            self.__d[0] += 1
            def __inner(): return self.__d, __inner.__name__
            return sorted(vars(self)), __inner()
    log({new}({n}).put({m}))
    """,
    "log(list(locals()))",
    "log([name for name, value in vars().items() if value is None], dir())",
    "log(who())",
    "log([who() for _ in range(2)], (lambda z: who())(1))",
    """
    {new} = {{}}
    exec("v: int = 1", {new})
    log({new}["__annotations__"], compile("v: int = 1", "text", "exec").co_flags)
    """,
    "({name}): int",
    "(g0): int",
    """
    try: raise Stop({n})
    except Stop as {new}: log({new}.code)
    try: log({read})
    except UnboundLocalError: log('local')
    except NameError: log('free')
    """,
    """
    def {new}(): return lambda z: z
    class {new}_: pass
    log({new}.__qualname__, {new}().__qualname__, {new}_.__qualname__)
    """,
    """
    {new} = {{0: {{0: 1}}, 1: [{n}]}}
    try: del {new}[{name}][{other}]
    except LookupError: log({new})
    """,
    """
    {new} = {n}
    def {new}_():
        nonlocal {new}
        if {m} > 30: del {new}
    {new}_()
    try: log({new})
    except UnboundLocalError: log('local')
    """,
)


def write_names(author: Author) -> bool:
    """One of the forms, in the words of this place."""
    new = author.fresh("named")
    read = author.choose((new, f"(lambda: {new})()", f"[{new} for _ in range(1)]"))
    words = {"new": new, "n": number(author, 1), "m": number(author, 1), "read": read}
    words |= {"name": author.readable(), "other": author.readable()}
    lines = author.choose(_FORMS).format(**words).splitlines()
    for line in lines if len(lines) == 1 else lines[1:-1]:
        author.emit(line.removeprefix("    "))
    return True
