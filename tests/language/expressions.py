"""Rows of the language table: what stands inside of a statement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tests.language import construct

staged = partial(construct.staged, "Expressions")


@dataclass(order=True)
class Version:
    """A dataclass whose comparisons Python writes."""

    major: int
    minor: int


@staged("`in`, `not in`", "Compares with each element; also a tensor in a tuple and a value in a tensor.",
        ([1, 2, 3], 2), ([1, 2, 3], 7))
def is_known(values, x):
    return x in values and x not in (1, 5)


@staged("`==`, `<` of tuples, dicts, dataclasses and objects", "As Python compares their parts, and no further.",
        (1, 2), (3, 1), (3, 2), uses=(Version,))
def is_newer(major, minor):
    version, last = Version(major, minor), Version(3, 1)
    pair = (major, minor)
    return version > last, version == last, pair < (3, 2), sorted([version, last])[0].minor


@staged("`is None`", "Asked while the graph runs if it depends on the run.", 5, -5)
def best_of(x):
    best = None
    if x > 0:
        best = x
    return 0 if best is None else best


@staged("`:=`", "Binds in its own scope, and only where it is evaluated.", 100, 3, graph="while")
def root(n):
    i = 0
    while (square := i * i) < n:
        i += 1
    return i, square


@staged("list comprehensions", "Over a tensor: a list that grows in the graph; conditions may be tensors.",
        [1, 2, 3, 4], graph="while")
def even_squares(values):
    return [v * v for v in values if v % 2 == 0]


@staged("generator expressions", "Lazy, as in Python; a function that consumes one loops over it.", [1, 2, 3],
        graph="while")
def sum_of_squares(values):
    return sum(v * v for v in values)


@staged("dict and set displays and comprehensions", "Keys and members may be tensors, too.", 3, 2)
def powers(x):
    table = {k: x**k for k in (1, 2, 3)}
    return table[1] + table[2] + table[3], {x: 5, 2: 7}[2], len({x, 2})


@staged("f-strings", "The text is made when the graph runs.", 3, 12)
def sentence(x):
    return f"{x} squared is {x * x:>5}"


@staged("`%` with a text", "The text is made when the graph runs.", 3, 12)
def percent(x):
    return "%5d is below %d" % (x, x + 1)


@staged("`str.format`, `format`", "The text is made when the graph runs.", 3, 12)
def formatted(x):
    return "{0} and {0:>4}".format(x), format(x, "04d")


@staged("templates that depend on the run", "Filled in when the graph runs, by tensors, numbers and text.", 3, 12)
def chosen_template(x):
    template = "%s is small" if x < 10 else "large: %s"
    template %= f"{x}"
    return template


@staged("unpacking", "`a, b = t` and `a, *rest = t` take the rows of a tensor.", [1, 2, 3], [4, 5, 6])
def unpacked(t):
    a, b, c = t
    first, *rest = t
    return a * b * c, first, rest[1]


@staged("`f(*t)` and `[*t]`", "The rows become arguments or elements; their number is known while tracing.", [1, 2, 3])
def spread(t):
    def volume(a, b, c):
        return a * b * c

    return volume(*t), [*t, 0]


@staged("reads of elements", "Index, slice, negative and stepped; the positions may be tensors.",
        (np.array([5, 6, 7, 8]), 1), (np.array([5, 6, 7, 8]), 2))
def reads(x, i):
    return x[i], x[-1], x[i:], x[::2], x[..., 0]


@staged("a Python list indexed by a tensor", "The element is chosen when the graph runs; so is IndexError.", 0, 2, -1)
def chosen(i):
    return [10, 20, 30][i]


@staged("calls of numpy", "numpy takes tensors as sizes, in lists and as positions.", 2, 5, graph="reduce_sum")
def squares(n):
    table = np.add(np.zeros((n, 2)), np.array([n, 1]))
    return np.sum(table[np.arange(n)], axis=0), np.float64(n)


@staged("views and writes of arrays that the function makes",
        "Arrays are memory: all views see what is written, in branches, too.",
        (3.0, 1), (-3.0, 2))
def through_views(x, i):
    table = np.zeros((2, 3))
    flat, top = table.ravel(), table[0]
    if x > 0:
        flat[i] = x
    else:
        table.T[i] -= x
    return top, table.sum()


@staged("writes of elements", "Each write gives the variable a new tensor; the caller's tensor stays as it was.",
        (np.array([5, 6, 7, 8]), 1), (np.array([5, 6, 7, 8]), 3))
def writes(x, i):
    x[i] = 0
    x[0] += 100
    x[-2:] = 9
    return x


@staged("writes in a loop", "The tensor is a variable of the loop.",
        (np.array([1, 2, 3, 4]), 4), (np.array([1, 2, 3, 4]), 2), graph="while")
def running_sum(x, n):
    for i in range(1, n):
        x[i] += x[i - 1]
    return x


@staged("reads and writes by a mask", "A tensor of booleans chooses the elements.", np.array([5, -6, 7, -8]))
def masked(x):
    positive = x[x > 0]
    x[x < 0] = 0
    return x, positive


@staged("operators", "Arithmetic, comparison and bit operators of tensors; dtypes never mix, Python numbers adapt.",
        (7, 3), (-7, 3))
def arithmetic(a, b):
    return a // b, a % b, a * b - 1, a & b, abs(a) ** b


@staged("functions that differ", "A ternary or branch may choose a function; the call becomes an `if`.", 3, -3)
def chosen_function(x):
    f = abs if x < 0 else (lambda v: v * 10)
    return f(x)


@staged("texts that differ", "A text that depends on a tensor becomes a tensor of a text.", 3, -3, graph="cond")
def chosen_text(x):
    return "positive" if x > 0 else "not positive"
