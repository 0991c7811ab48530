"""Programs that raise: try with all its parts, jumps in them, contexts that swallow, exception groups.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import pytest

import autograph

from .comparing import NUMBERS, assert_same

PROGRAMS = {
    "a handler that raises, whose name is a variable": """
        def f(n):
            e = 'old'
            for i in range(2):
                try:
                    try:
                        if n > 1:
                            raise ValueError(n)
                        e = n
                    except ValueError as e:
                        log(e.args)
                        raise
                except ValueError:
                    try:
                        log(e)
                    except UnboundLocalError:
                        log('unbound')
            return e
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
    "exception name read where it is unbound": """
        def f(n):
            try:
                if n == 5:
                    return 'early'
                1 // n
            except ZeroDivisionError as e:
                log(repr(e))
            try:
                e
            except UnboundLocalError as error:
                log(str(error), error.name)
            return n
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
    "return value fails": """
        def f(n):
            try:
                return 1 // n
            except ZeroDivisionError:
                log('handled')
            return 'after'
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


class GradientTape:
    """A manager of the user that has the name of one that lets exceptions pass."""

    def __init__(self, swallows: bool) -> None:
        self.swallows = swallows

    def __enter__(self) -> GradientTape:
        return self

    def __exit__(self, *error: object) -> bool:
        return self.swallows


@pytest.mark.parametrize("swallows", [False, True])
def test_a_manager_of_the_user_with_the_name_of_another_one(swallows: bool) -> None:
    def f(n: int) -> int:
        y = 1
        if n > 0:
            with GradientTape(swallows):
                y = 10 // (n - 1)
            n = y + 5
        return n

    converted = autograph.to_graph(f)
    assert converted(3) == f(3) == 10
    if swallows:
        with pytest.raises(autograph.StagingError, match="GradientTape.*swallows a ZeroDivisionError"):
            converted(1)
    else:
        with pytest.raises(ZeroDivisionError):
            converted(1)
