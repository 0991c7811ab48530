"""Cells with errors in staged statements, and the line at which a notebook's arrow is to stand for each."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["CELLS", "FIRST", "arrows"]

FIRST = "import runtime as tf\n"

CELLS = {
    "a branch": (
        """@tf.function
def f(x):
    y = x + 1
    if x > 0:
        y = y * 2
        z = tf.constant([1, 2]) + tf.constant([1, 2, 3])  # here
    else:
        z = y
    return z

f(tf.constant(1))
""",
    ),
    "a loop in a function without a decorator": (
        """def g(n):
    total = tf.constant(0)

    for i in tf.range(n):
        total += i
        total = tf.reshape(total, [7, 3])  # here
    return total
""",
        "tf.function(g)(tf.constant(3))",
    ),
    "a call in a loop in a branch": (
        """# Two functions.

def inner(x):
    if x > 0:
        x = missing(x)  # here
    return x

@tf.function
def outer(x):
    if x > 0:
        while x < 9:
            x = x + \\
                inner(x)
    return x
""",
        "outer(tf.constant(3))",
    ),
    "while it runs": (
        """@tf.function
def h(n):
    total = tf.constant(0)
    while total < n:
        total += 1
        tf.debugging.Assert(total < 3, [total])  # here
    return total
""",
        "h(tf.constant(9))",
    ),
}


def arrows(shown: str) -> Sequence[str]:
    """The lines of a traceback with an arrow, without arrow and number."""
    return [line.strip() for line in re.findall(r"^-+> \d+ (.*)$", re.sub(r"\x1b\[[0-9;]*m", "", shown), re.MULTILINE)]
