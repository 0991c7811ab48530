"""Programs to convert, of any size, and fresh function objects of them that no cache knows.

    with module(sequential_ifs(100)) as fresh:
        autograph.to_graph(fresh())
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, cast

__all__ = ["module", "nested_ifs", "ordinary", "sequential_ifs", "straight_line", "sum_of_terms"]

# One paragraph of ordinary code, of ten lines: loops, ifs, a break, a continue, calls, an attribute.
PARAGRAPH = """\
    for i{n} in range(limit):
        if i{n} % 3 == 0 and total > {n}:
            total = total - abs(i{n})
            continue
        while total > limit:
            total = total // 2
            if total == {n}:
                break
        state.value = total + i{n}
        total += 1 if state.value else 2
"""


def ordinary(lines: int) -> str:
    """A function `f(total, limit, state)` of about `lines` lines: paragraphs of loops, breaks and ifs."""
    body = "".join(PARAGRAPH.format(n=n) for n in range(max(1, lines // 10)))
    return f"def f(total, limit, state):\n{body}    return total\n"


def sequential_ifs(count: int) -> str:
    """`count` ifs, one after another, that change one variable."""
    body = "".join(f"    if x > {n}:\n        y = y + x\n" for n in range(count))
    return f"def f(x, y):\n{body}    return y\n"


def nested_ifs(depth: int) -> str:
    """Ifs inside one another. Python itself allows 100 levels of indentation."""
    body = "".join(f"{' ' * (n + 1)}if x > {n}:\n" for n in range(depth))
    return f"def f(x, y):\n{body}{' ' * (depth + 1)}y = y + x\n return y\n"


def sum_of_terms(count: int) -> str:
    """One expression with `count` terms, which the parser makes into a tree as deep."""
    return f"def f(x):\n    return {' + '.join(['x'] * count)}\n"


def straight_line(operations: int) -> str:
    """A function `f(x, y)` of so many binary operations over tensors, each on a line of its own, none superfluous."""
    signs = "+-*"
    body = "".join(f"    x, y = y, x {signs[n % 3]} y\n" for n in range(operations))
    return f"def f(x, y):\n{body}    return x, y\n"


@contextmanager
def module(text: str) -> Iterator[Callable[[], Callable[..., Any]]]:
    """A file with `text`, and a function that gives its function `f` anew each time, with code of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")

        def fresh() -> FunctionType:
            namespace: dict[str, Any] = {"__name__": "program"}
            exec(compile(text, str(path), "exec"), namespace)
            return cast(FunctionType, namespace["f"])

        yield fresh
