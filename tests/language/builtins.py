"""Rows of the language table: Python's own functions, one row each."""

from __future__ import annotations

import functools
import math
import sys
from functools import partial

import runtime as tf
from tests.language import construct

staged = partial(construct.staged, "Built-in functions")


@staged("`abs`", "The operation on tensors.", -3)
def uses_abs(x):
    return abs(x)


@staged("`all`", "A loop that stops at the first false element.", [1, 2], [1, -2])
def uses_all(values):
    return all(v > 0 for v in values)


@staged("`any`", "A loop that stops at the first true element.", [1, 2], [1, -2])
def uses_any(values):
    return any(v < 0 for v in values)


@staged("`bool`", "Whether a tensor differs from zero.", 0, 2)
def uses_bool(x):
    return bool(x)


@staged("`divmod`", "Floors as in Python.", (7, 2), (-7, 2))
def uses_divmod(a, b):
    return divmod(a, b)


@staged("`bin`, `oct`, `hex`, `chr`, `ord`", "Text of the run, and numbers of it.", 65, 97)
def uses_bin(n):
    return bin(n), oct(n)[2:], hex(n).upper(), chr(n), ord(chr(n)) + 1


@staged("`str`, `format`, methods of `str`", "A text of the run is a sequence of characters.", 12321, 450)
def uses_text(n):
    text = str(n)
    return text[::-1] == text, sum(int(c) for c in text), text.zfill(8), format(n, ","), ",".join(text).split(",")[0]


@staged("`math`, `cmath`, `statistics`", "Operations, with Python's errors where they run.", 6.25, 0.25)
def uses_math(x):
    return math.floor(x), math.sqrt(x) if x > 0 else 0.0, math.gcd(math.ceil(x), 12), math.copysign(x, -1)


@staged("`float`", "A conversion; of an integer float64.", 3)
def uses_float(x):
    return float(x) / 2


@staged("`int`", "A conversion towards zero; of a float int64.", 2.5, -2.5)
def uses_int(x):
    return int(x)


@staged("`isinstance`, `type`", "Python's own; a scalar tensor is an int, float, bool or str, an array an ndarray.", 3)
def uses_isinstance(x):
    return isinstance(x, int), isinstance(x, str | float), type(x) is int


@staged("`len`", "The number if the shape tells it, else a tensor.", [4, 5, 6])
def uses_len(values):
    return len(values) * 2


@staged("`list`, `tuple`", "The rows of a tensor.", [4, 5, 6])
def uses_list(values):
    return list(values), tuple(values)


@staged(
    "`max`",
    "Of a tensor, or of several values; `key` and `default` too. Of an int and a float it is float64, whichever it is.",
    ([4, 6, 5], 7), ([4, 6, 5], 1),
)  # fmt: skip
def uses_max(values, x):
    return max(values), max(x, 3), max(values, key=lambda v: -v)


@staged(
    "`min`",
    "Of a tensor, or of several values; `key` and `default` too. Of an int and a float it is float64, whichever it is.",
    ([4, 6, 5], 7), ([4, 6, 5], 1),
)  # fmt: skip
def uses_min(values, x):
    return min(values), min(x, 3), min([], default=x)


@staged("`pow`", "With a modulus, too.", (3, 4), (2, 5))
def uses_pow(a, b):
    return pow(a, b), pow(a, b, 7)


@staged("`round`", "To the nearest, halves to even, an integer.", 2.5, 3.5)
def uses_round(x):
    return round(x)


@staged("`sorted`", "With `key` and `reverse`; stable.", [3, -5, 4])
def uses_sorted(values):
    return sorted(values), sorted(values, key=lambda v: v * v, reverse=True)


@staged("`sum`", "With a start, too.", [3, -5, 4])
def uses_sum(values):
    return sum(values), sum(values, 100)


@staged("`print`", "Python's own: it prints once, while tracing, and shows the tensors of the trace.", 3)
def uses_print(x):
    print("tracing")
    return x


@staged("`runtime.print`", "Prints when the graph runs, in the order of the program.", 3, 0, graph="while")
def uses_runtime_print(n):
    for i in range(n):
        tf.print("step", i, output_stream=sys.stdout)
    return n


@staged("`locals`, `vars`, `dir`", "Show your variables and no others.", 3)
def uses_locals(x):
    y = x + 1
    names = sorted(locals())
    return names, dir() == sorted(vars()), y


@staged("`exec`", "Runs as Python, while tracing, in copies of your namespaces: your variables keep their values.", 3)
def uses_exec(x):
    y, made = x + 1, {}
    exec("y = y * 10")
    exec("z = y + 1", {"y": y}, made)
    return y, made["z"]


@staged("`eval`", "Sees your variables.", 3)
def uses_eval(x):
    y = x + 1
    return eval("x * y")


@staged("`functools.reduce`", "What it calls is converted.", (3, 5), (5, 3))
def uses_reduce(x, y):
    return functools.reduce(lambda a, b: b if b > a else a, [x, y, 4])


@staged("`list.sort`", "In place; what the key gives may be known when the graph runs.", 3, -3)
def uses_sort(x):
    items = [x, 1, -2]
    items.sort(key=lambda v: -v if v < 0 else v)
    return items
