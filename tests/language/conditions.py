"""Rows of the language table: branches, jumps out of them, and match."""

from __future__ import annotations

from functools import partial

from tests.language import construct

staged = partial(construct.staged, "Conditions")


@staged(
    "`if` / `elif` / `else`",
    "One `if` of the graph for each condition that is a tensor; each branch is traced once.",
    5, -5, 0, graph="cond",
)
def sign(x):
    if x > 0:
        y = 1
    elif x < 0:
        y = -1
    else:
        y = 0
    return y


@staged("`if` on a Python value", "Plain Python while tracing: only the branch that is taken gets into the graph.", 3)
def doubled(x):
    mode = "double"
    if mode == "double":
        x = x * 2
    else:
        x = x.no_such_attribute
    return x


@staged(
    "`if` on a number or a tensor of numbers",
    "True as `bool` has it: a number other than 0, a text that is not empty. Several values have no truth.",
    3, 0, graph="cond",
)
def truth_of_a_number(x):
    if x % 2:
        x = 10 // x
    return x


@staged("`a if c else b`", "One `if` of the graph; only the operand that is chosen is evaluated.", 6, 0, graph="cond")
def safe_inverse(x):
    return 12 // x if x != 0 else 0


@staged(
    "`and`, `or`, `not`",
    "Lazy as in Python: the right operand is evaluated when the left one does not decide.",
    0, 3, 30, graph="cond",
)
def divides_twelve(x):
    return x != 0 and (12 % x == 0 or not x < 20)


@staged("comparison chains", "As `and` of the comparisons; the middle operand is evaluated once.", -1, 5, 10)
def in_range(x):
    return 0 <= x < 10


@staged("`return` in some branches", "The rest of the function becomes the other branch.", 7, 1, -4, graph="cond")
def classify(x):
    if x > 0:
        if x > 5:
            return x * 100
        x = x + 1
    return -x


@staged("`return` of nothing", "The result is None on some paths and a tensor on the others.", 4, -4)
def positive(x):
    if x > 0:
        return x


@staged(
    "`match` on values",
    "Cases become branches: values, `|`, captures, guards, wildcard.",
    0, 2, 7, -7, graph="cond",
)
def name_of(x):
    match x:
        case 0:
            return 100
        case 1 | 2:
            return 200
        case n if n > 5:
            return n
        case _:
            return -1


@staged("`match` on tensors and objects", "A tensor is a sequence of its rows; classes by their attributes.",
        [0, 4], [3, 4], graph="cond")
def distance(x):
    match x:
        case [0, y]:
            return y
        case [a, b]:
            return a + b
        case _:
            return -1


@staged("`match` on structures", "The structure is known while tracing; what it holds may be tensors.", 0, 3,
        graph="cond")
def area(x):
    shape = {"kind": "square", "size": (x, x + 1)}
    match shape:
        case {"kind": "square", "size": (0, side)}:
            return side
        case {"kind": str(), "size": (a, *rest)}:
            return a * 10
        case _:
            return 0
