"""Programs that hold every statement of control flow in many places, with calls that go some of their ways.

Each is a function `f(x, n)`; the calls of a row are made one after the other, and what one of them raises is caught.

Example:
    ROWS[0]  # ("if", "def f(x, n): ...", [(1, 0)])
"""

from __future__ import annotations

import textwrap

from tests.tools.branches_of_compounds import COMPOUNDS
from tests.tools.branches_of_loops import LOOPS

Calls = list[tuple[int, int]]

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


PROGRAMS: dict[str, str] = {
    name: _program(body) for name, body in {**LOOPS, **COMPOUNDS, "a long chain": _CHAIN}.items()
}
ROWS: list[tuple[str, Calls]] = [(name, calls) for name in PROGRAMS for calls in _CALLS]
