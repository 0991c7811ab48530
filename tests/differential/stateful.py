"""Programs on objects with state: methods, or functions of an object, that are called again and again.

    print(stateful_program(7).text)
    check_stateful(stateful_program(7))    # compares all that can be reached after each call with NumPy's own

`program(see, T)` makes objects, calls what is decorated with `function`, changes things between the calls, and hands
all that it has to `see` after each of them. `T` makes a number, which is a tensor in the graph.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import runtime
from runtime.errors import TraceEffectWarning
from tests.runtime.heap.samples import Sample

from . import stateful_forms as forms
from .arrays import Writer
from .grammar import Program
from .oracle import Endless, Verdict, limited, loaded
from .reachable import Seen, difference, seen
from .staged import DOCUMENTED, TRACING, all_kept, reason_of

__all__ = ["check_stateful", "stateful_program"]

RESULTS = ("s", "a", "self.a", "c", "w", "(a, s)", "[self.a, c]", "None", "self.a.sum()", "self.t")
NUMBERS = ("1.5", "-1.25", "0.375", "2.0")
GIVEN = ("a", "b", "b[::-1]", "np.ones(4)", "b.copy()", "a[::-1]", "o.a * 0.5", "np.arange(4)",
         "np.ones(4, np.float32)", "b[:4]", "np.arange(8.0)[::2]")  # fmt: skip
OWN_ARRAYS = ("o.a", "o.b", "o.items[0]", "o.part.v", "p.a", "kept[-1]", "o.a[::-1]")
"""Arguments that the object has, too."""


class MethodWriter(Writer):
    """Writes a class and the calls of its methods."""

    outer = "nonlocal a, b, c, s, w; global TOTAL"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, forms.FORMS, forms.SIMPLE)
        self.sample: Sample | None = None

    def module(self) -> None:
        """The classes, the functions, and the program."""
        rng = self.rng
        self.lines += rng.choice(forms.PARTS).strip().splitlines()
        self.lines += rng.choice(forms.CLASSES).strip().splitlines()
        self.lines += ["class Model(Base):", "    def __init__(self, v):", f"        self.m = {self._matrix()}"]
        self.lines += [f"        self.{name} = {rng.choice(made)}" for name, made in forms.MADE.items()]
        self.sample = forms.TABLE[rng.choice(forms.KINDS)] if rng.random() < 0.25 else None
        if self.sample is not None:
            self.lines.append(f"        self.kind = {self.sample.make}")
        methods = [f"m{i}" for i in range(rng.choice((1, 1, 2)))]
        for name in methods:
            self.method(name, "    ")
        functions = [f"f{i}" for i in range(rng.choice((0, 0, 1)))]
        for name in functions:
            self.method(name, "")
        self.program([f"o.{name}(" for name in methods] + [f"{name}(o, " for name in functions])

    def _matrix(self) -> str:
        return self.rng.choice(("np.arange(6.0).reshape(2, 3)", "np.zeros((2, 3))", "np.arange(6.0).reshape(3, 2).T"))

    def method(self, name: str, indent: str) -> None:
        """A method, or a function of an object."""
        rng, inner = self.rng, indent + "    "
        self.result = f"return {rng.choice(RESULTS)}"
        self.lines += [f"{indent}@function", f"{indent}def {name}(self, b, x, n):", f"{inner}global TOTAL"]
        self.lines += [f"{inner}a, c, m = {rng.choice(forms.STARTS)}, {rng.choice(forms.STARTS)}, self.m"]
        self.lines += [f"{inner}s, w = 0.5 * x, {rng.choice(('self.a[1:]', 'self.m[0]', 'b', 'self.row'))}"]
        self.block(inner, rng.randint(1, 5))
        if self.sample is not None:
            named = {"o.": "self.kind.", "o[": "self.kind[", "(o)": "(self.kind)", "(o,": "(self.kind,"}
            changes = [change for change in self.sample.changes if "library" not in change]
            change, look = rng.choice(changes), self.sample.look
            for short, full in named.items():
                change, look = change.replace(short, full), look.replace(short, full)
            self.lines += [f"{inner}if {self.fill('{C}')}:", f"{inner}    {change}", f"{inner}s = s + {look}"]
        self.lines.append(inner + self.result)

    def program(self, calls: list[str]) -> None:
        """The caller."""
        rng = self.rng
        self.lines += ["def program(see, T):", "    global TOTAL"]
        self.lines += ["    a, b = np.array([3.0, 1.0, 4.0, 1.5]), np.array([-2.0, 0.5, 2.5, 0.0])"]
        self.lines += [f"    o, p, kept = Model({rng.choice(('a', *['a.copy()'] * 3))}), Model(b.copy()), [a]"]
        given, number = rng.choice(GIVEN[:2]), f"T({rng.choice(NUMBERS)})"
        for _ in range(rng.randint(3, 6)):
            if rng.random() < 0.3:
                given = rng.choice(GIVEN if rng.random() < 0.85 else OWN_ARRAYS)
            if rng.random() < 0.5:
                number = f"T({rng.choice(NUMBERS)})" if rng.random() < 0.8 else rng.choice(NUMBERS)
            self.lines.append(f"    r = {rng.choice(calls)}{given}, {number}, T({rng.choice((0, 1, 1, 2, 2, 3))}))")
            self.lines.append("    see(r, o, p, a, b, kept)")
            self.lines += [f"    {rng.choice(forms.BETWEEN)}" for _ in range(rng.choice((0, 0, 1, 1, 2)))]


def stateful_program(seed: int) -> Program:
    """The program of a seed."""
    writer = MethodWriter(Random(f"stateful {seed}"))
    writer.module()
    return Program(seed, "\n".join(writer.lines) + "\n", ((),))


def check_stateful(program: Program) -> Verdict:
    """Compares the Functions with the functions."""
    file = f"<stateful program {program.seed}>"
    wanted = _run(program.text, file, lambda function: function, _number)
    verdict = _judged(program.text, file, wanted)
    if verdict.kind != "differs" or wanted.error is None:
        return verdict
    with all_kept():  # a graph leaves out what nothing needs, with the error that it alone would raise
        return _judged(program.text, file, wanted)


def _judged(text: str, file: str, wanted: Run) -> Verdict:
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", TraceEffectWarning)
        found = _run(text, file, runtime.function, _tensor)
    if isinstance(wanted.error, Endless):
        return Verdict("same", "the original does not end")
    for call, (mine, theirs) in enumerate(zip(wanted.calls, found.calls, strict=False)):
        if parted := difference(mine, theirs):
            if caught:
                return Verdict("refused", f"warned: {_warned(caught)}")
            return Verdict("differs", f"{parted} after call {call}")
    if found.error is not None and type(found.error) is not type(wanted.error):
        if isinstance(found.error, (*DOCUMENTED, TypeError)):
            return Verdict("refused", reason_of(found.error))
        return Verdict("differs", f"error is {type(found.error).__name__}: {found.error}, not {wanted.error!r}")
    if len(wanted.calls) != len(found.calls):
        return Verdict("differs", f"error is {found.error!r}, not {wanted.error!r}")
    return Verdict("same")


def _warned(caught: list[warnings.WarningMessage]) -> str:
    return reason_of(Exception(str(caught[0].message)))


class Run:
    """What was seen after each call, and the exception that ended the program."""

    def __init__(self) -> None:
        self.calls: list[Seen] = []
        self.error: BaseException | None = None


def _number(value: Any) -> Any:
    return np.float64(value) if isinstance(value, float) else value


def _tensor(value: Any) -> Any:
    return runtime.constant(value, runtime.float64 if isinstance(value, float) else runtime.int64)


def _run(text: str, file: str, function: Callable[[Any], Any], number: Callable[[Any], Any]) -> Run:
    run = Run()
    try:
        with (
            limited(TRACING),
            warnings.catch_warnings(),
            loaded(f"{forms.HEADER}\n{text}", file, function=function, copy=copy, T=number) as names,
        ):

            def see(*values: Any) -> None:
                around = names["TOTAL"], names["GRID"], names["Base"].shared, names["Model"].shared, names["HOLDER"].v
                rest = names["remember"].__defaults__, names["cached"].__defaults__
                run.calls.append(seen([*values, *around, *rest]))

            names["program"](see, number)
    except (Exception, Endless) as raised:
        run.error = raised
    return run
