"""Programs that jump: break, continue and return through loops, branches and `with`.

Each does the same converted and unconverted.
"""

from __future__ import annotations

import pytest

from .comparing import NUMBERS, assert_same

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
    "a finally with a jump that raises before it, after a return": """
        def f(n):
            for i in range(5):
                try:
                    try:
                        return log(i)
                    finally:
                        if i != n:
                            [][i]
                        log('at the end')
                        break
                except IndexError:
                    log('caught')
            return 'after', i
    """,
    "a jump through two finally, of which the outer one raises": """
        def f(n):
            found = []
            while len(found) < 4:
                try:
                    try:
                        try:
                            if len(found) == n:
                                return found
                            break
                        finally:
                            found.append(1)
                            continue
                    finally:
                        found.append(2 // (len(found) - n))
                except ZeroDivisionError:
                    found.append('zero')
            return 'after', found
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
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], *NUMBERS)
