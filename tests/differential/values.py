"""Programs on Python's numbers, texts and tables, as people write them; the numbers they are given are tensors.

    print(value_program(7, "text").text)
    check_values(value_program(7, "text"))       # compares results and exceptions with Python's own

`program(n, k, x)` takes two integers and a float.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import runtime

from .forms import Filler
from .grammar import Program, Values
from .oracle import Endless, Verdict, limited, loaded
from .staged import DOCUMENTED, TRACING, reason_of
from .value_forms import EXTRA, FORMS, SIMPLE

__all__ = ["check_values", "value_program"]

HEADER = """\
import copy
import math
import operator
import statistics
from collections import Counter, OrderedDict, deque
from itertools import dropwhile, groupby, islice, takewhile

"""
RETURNED = {
    "numbers": "a, b, x, y, z", "text": "a, b, y, s, u, z", "tables": "a, b, x, g, h, d, z",
    "keyed": "a, b, sorted(m.items()), sorted(w), list(q), sorted(c.items()), sorted(e.items()), sorted(p),"
             " list(o.items()), z",
}  # fmt: skip
COMPOUNDS = ("if", "if", "else", "for", "items", "while", "long", "try", "return", "break")
KEYED = ("members", "pairs", "tuples", "drain")
LARGEST = 1 << 62
"""Beyond it Python's integers go on, and those of a graph do not."""


class Writer(Filler):
    """Writes one program."""

    def __init__(self, rng: Random, family: str) -> None:
        more, statements = EXTRA[family]
        forms = {letter: (*forms, *more.get(letter, ()), *more.get(letter, ())) for letter, forms in FORMS.items()}
        super().__init__(rng, {**forms, "C": (*forms["C"], "n > k")}, "IFSG")
        self.statements = (*SIMPLE, *statements, *statements)
        self.result = RETURNED[family]
        self.compounds = (*COMPOUNDS, *KEYED * (family == "keyed"))
        self.lines: list[str] = []
        self.loops = 0

    def block(self, indent: str, budget: int) -> None:
        for _ in range(budget):
            if len(indent) < 16 and self.rng.random() < 0.35:
                self.compound(indent, max(1, budget - 1))
            else:
                self.lines.append(indent + self.fill(self.rng.choice(self.statements)))

    def compound(self, indent: str, budget: int) -> None:
        rng, inner = self.rng, indent + "    "
        kind = rng.choice(self.compounds)
        size = rng.randint(1, min(3, budget))
        self.loops += 1
        i = f"i{self.loops}"
        if kind == "return":
            self.lines += [f"{indent}if {self.fill('{C}')}:", f"{inner}return {self.result}"]
            return
        heads = {
            "if": f"if {self.fill('{C}')}:", "else": f"if {self.fill('{C}')}:", "try": "try:",
            "for": f"for {i} in range(abs({self.fill('{I}', 1)}) % 6):", "items": f"for {i} in t:",
            "while": f"while {i} < abs(n) % 5 and {self.fill('{C}', 1)}:", "long": f"for {i} in range(70):",
            "break": f"for {i}, v{i} in enumerate(t):", "members": f"for {i} in sorted({rng.choice('mw')}):",
            "pairs": f"for {i}, v{i} in list(m.items()):", "tuples": f"for {i}, v{i} in sorted(p):",
            "drain": f"while q and {i} < 6:",
        }  # fmt: skip
        counts = kind in ("while", "drain")
        self.lines += [f"{indent}{i} = 0"] * counts + [indent + heads[kind]]
        self.lines += [f"{inner}{i} += 1"] * counts
        self.lines += [f"{inner}b = (b + q.{rng.choice(('pop', 'popleft'))}()) % 1000"] * (kind == "drain")
        if kind in ("for", "items", "long", "break", *KEYED) and kind != "drain":
            self.lines.append(f"{inner}a = (a + {i} * {self.fill('{I}', 1)}) % 1000")
        if kind == "long":
            return
        if kind == "break":
            self.lines += [f"{inner}if {self.fill('{C}', 1)}:", f"{inner}    {rng.choice(('break', 'continue'))}"]
        if kind == "try":
            self.lines.append(f"{inner}z += 100 // ({self.fill('{I}', 1)} % 3)")
        self.block(inner, size)
        if kind == "else":
            self.lines.append(f"{indent}else:")
            self.block(inner, size)
        if kind == "try":
            self.lines.append(f"{indent}except {rng.choice(('ZeroDivisionError', 'ArithmeticError', 'ValueError'))}:")
            self.block(inner, 1)


def value_program(seed: int, family: str) -> Program:
    """The program of a seed. family: "numbers", "text", "tables" or "keyed"."""
    rng = Random(f"{family} {seed}")
    writer = Writer(rng, family)
    writer.lines += ["def program(n, k, x):", "    a, b, y, z = n % 1000, 2, 0.5, 0", "    t = [n, 3, k, 1]"]
    if family == "text":
        writer.lines.append("    s, u = str(n), '3102'")
    if family == "tables":
        writer.lines += ["    g, h = [2, 7, 1], [0] * 2", "    d = [[0] * 4 for _ in range(3)]"]
    if family == "keyed":
        writer.lines += ["    g, h = [2, 7, 1], [0] * 2", "    d = [[0] * 4 for _ in range(3)]"]
        writer.lines += ["    m, w, q, c = {n: k, 1: 2}, {n % 9, k}, deque([k, 2]), Counter([n % 5, 3])"]
        writer.lines += ["    e, p, o = {(n % 3, 1): 5}, {(n % 3, k % 3)}, OrderedDict([(n % 5, k), (7, 2)])"]
    writer.block("    ", rng.randint(2, 6))
    writer.lines.append(f"    return {writer.result}")
    numbers = (0, 1, -1, 2, 3, 7, -12, 40, 123)
    inputs = tuple((rng.choice(numbers), rng.choice(numbers), rng.choice((1.5, -2.25, 0.0, 30.125))) for _ in range(3))
    return Program(seed, "\n".join(writer.lines) + "\n", inputs)


def check_values(program: Program) -> Verdict:
    """Compares the Function with the function."""
    with loaded(HEADER + program.text, f"<value program {program.seed}>") as names:
        function = runtime.function(names["program"])
        for values in program.candidates:
            verdict = _compare(names["program"], function, values)
            if verdict is not None:
                return verdict
    return Verdict("same")


def _compare(program: Callable[..., Any], function: Any, values: Values) -> Verdict | None:
    wanted: Any = None
    error: BaseException | None = None
    try:
        with limited():
            wanted = program(*values)
    except Endless:
        return None
    except Exception as raised:
        error = raised
    if error is None and not _within(wanted):
        return None
    tensors = [runtime.constant(v, runtime.float64 if isinstance(v, float) else runtime.int64) for v in values]
    try:
        with warnings.catch_warnings(), limited(TRACING):
            warnings.simplefilter("ignore")
            found = _plain(function(*tensors))
    except (Exception, Endless) as raised:
        if error is not None and isinstance(raised, type(error)):
            return None
        if isinstance(raised, (*DOCUMENTED, TypeError)):
            return Verdict("refused", reason_of(raised), values)
        return Verdict("differs", f"error is {type(raised).__name__}: {raised}, not {error!r}", values)
    if error is not None:
        return Verdict("differs", f"result is {found}, not {error!r}", values)
    return None if _is_same(found, wanted) else Verdict("differs", f"result is {found}, not {wanted}", values)


def _within(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_within, value))
    return not isinstance(value, int) or abs(value) < LARGEST


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, runtime.Tensor) and value.dtype is runtime.float32:  # a literal that is returned as it stands
        return value.numpy()
    value = np.asarray(value).tolist() if isinstance(value, runtime.Tensor) else value
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _is_same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list | tuple):
        same = isinstance(found, list) and len(found) == len(wanted)
        return same and all(map(_is_same, found, wanted))
    if isinstance(found, np.float32):
        return bool(found == np.float32(wanted))
    if isinstance(wanted, float) and isinstance(found, float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(found) and math.isnan(wanted))
    return bool(found == wanted)
