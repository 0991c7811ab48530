"""Bodies of functions `f(x, n)`: `if` and loops in each other, and every jump out of them. See branch_programs.py."""

from __future__ import annotations

LOOPS: dict[str, str] = {
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
}
