"""Programs in which exceptions and jumps take every way through `try` and `with`; part of every_statement.

Example: EXCEPTIONS["finally on every way out"] is the text of a function f, and its arguments.
"""

from __future__ import annotations

__all__ = ["EXCEPTIONS"]

EXCEPTIONS: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "an exception amid an assignment": (
        """
def f(a):
    x = 0
    y = 1
    try:
        x = (y := 2) + a.missing
    except AttributeError:
        return x, y
    return y
""",
        [(0,), (3,)],
    ),
    "an exception while the value of with is bound": (
        """
def f(a):
    b = 1
    with Swallows((0, 5)) as (Refuses().attribute, b):
        b = 3
    return b
""",
        [(0,)],
    ),
    "with that swallows, twice": (
        """
def f(a):
    x = y = 0
    with Swallows(), Swallows(4) as y:
        x = 1
        if a:
            fail(x)
        x = 2
        return x
    return x + y
""",
        [(0,), (1,)],
    ),
    "jumps through with": (
        """
def f(a):
    x = 0
    for i in range(a):
        with Swallows():
            if i == 1:
                continue
            if i == 3:
                break
            x = i
    return x
""",
        [(0,), (2,), (6,)],
    ),
    "finally on every way out": (
        """
def f(a):
    x = 0
    for i in range(4):
        try:
            x = i
            if a == 0:
                return x
            if a == 1:
                break
            if a == 2:
                continue
            if a == 3:
                fail(x)
            x = 9
        except TypeError:
            x = 8
        else:
            x = x + 1
        finally:
            y = x
        x = y
    return x
""",
        [(0,), (1,), (2,), (3,), (4,)],
    ),
    "a return in finally": (
        """
def f(a):
    x = 1
    while True:
        try:
            x = 2
            fail(x)
        finally:
            if a:
                break
            return x
    return x + 1
""",
        [(0,), (1,)],
    ),
    "handlers one after another": (
        """
def f(a):
    x = 1
    try:
        try:
            x = 2
            [fail, int, len][a](x)
            x = 3
        except KeyError as e:
            x = 4
        except ValueError as e:
            x = str(e)
        x = x, 5
    except:
        return x
    else:
        x = x, 6
    return x
""",
        [(0,), (1,), (2,)],
    ),
    "except star": (
        """
def f(a):
    x = 0
    try:
        x = 1
        if a:
            raise ExceptionGroup('g', [[ValueError()], [TypeError()], [ValueError(), TypeError()]][a - 1])
    except* ValueError as e:
        x = x, 2
        pass
    except* TypeError:
        y = x
        x = y, 3
    else:
        x = x, 4
    finally:
        x = x, 5
    return x
""",
        [(0,), (1,), (2,), (3,)],
    ),
}
