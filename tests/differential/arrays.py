"""Programs on ndarrays that write to their arguments, to globals and to what they make, through views of all kinds.

    print(array_program(7).text)
    check_arrays(array_program(7))       # compares results, arguments and globals with numpy's own

`program(a, b, m, x, n)` takes two vectors, a matrix and two numbers, which are tensors in the graph.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

import runtime

from .array_forms import FORMS, HEADER, SHARED, SIMPLE
from .author import Menu
from .forms import Filler
from .grammar import Program, Values
from .oracle import Endless, Verdict, limited, loaded
from .staged import DOCUMENTED, TRACING, reason_of

__all__ = ["array_program", "check_arrays"]

RESULT = "return a, b, c, m, s"
KINDS = (
    "if", "if", "if", "for", "for", "rows", "while", "fixed", "try", "with", "return", "caught", "closure", "items",
)  # fmt: skip
INSIDE = "    a, b, m = np.array([3.0, 1.0, 4.0, 1.5]), np.ones(4), np.arange(6.0).reshape(2, 3)"
"""Arrays that the program makes itself, of which all is known at first."""


class Writer(Filler):
    """Writes the statements of one program. outer: what an inner function says of the names around it."""

    outer = "nonlocal a, b, c, s, w"

    def __init__(
        self, rng: Random, forms: Mapping[str, Sequence[str]] = FORMS, simple: Sequence[tuple[float, str]] = SIMPLE
    ) -> None:
        super().__init__(rng, forms, "SE")
        self.simple = Menu(simple)
        self.lines: list[str] = []
        self.loops = 0
        self.result = RESULT

    def block(self, indent: str, budget: int) -> None:
        for _ in range(budget):
            if len(indent) < 16 and self.rng.random() < 0.3:
                self.compound(indent, max(1, budget - 2))
            else:
                for line in self.fill(self.simple.pick(self.rng)).split("; "):
                    self.lines.append(indent + line)

    def compound(self, indent: str, budget: int) -> None:
        rng, inner = self.rng, indent + "    "
        kind = rng.choice(KINDS)
        size = rng.randint(1, min(3, budget))
        self.loops += 1
        name = f"i{self.loops}"
        if kind == "return":
            self.lines += [f"{indent}if {self.fill('{C}')}:", inner + self.result]
            return
        heads = {
            "if": f"if {self.fill('{C}')}:", "for": f"for {name} in range(n):",
            "rows": f"for row in {self.fill('{M}')}:", "fixed": f"for {name} in range(2):",
            "try": "try:", "with": f"with Scope({self.fill('{V}')}):", "while": f"while {name} < n:", "caught": "try:",
            "closure": f"def f{name}(k={self.fill('{S}')}):",
            "items": f"for {name}, k in enumerate({self.fill('{V}')}):",
        }  # fmt: skip
        if kind == "while":
            self.lines.append(f"{indent}{name} = 0")
        self.lines.append(indent + heads[kind])
        if kind == "rows":
            self.lines.append(f"{inner}row[{rng.randint(0, 2)}] += {self.fill('{S}')}")
        if kind == "while":
            self.lines.append(f"{inner}{name} += 1")
        if kind == "closure":
            outer, self.result = self.result, f"return {self.fill('{P}')}"
            self.lines.append(f"{inner}{self.outer}")
            self.block(inner, size)
            self.lines += [inner + self.result, f"{indent}f{name}()[0] = {self.fill('{S}')}"]
            self.result = outer
            return
        if kind == "caught":
            self.lines.append(f"{inner}s += 0.5 * (100 // (n % 3))")
        if kind in ("for", "fixed"):
            self.lines.append(f"{inner}{self.fill('{V}')}[{name} % 4] += {self.fill('{S}', 1)} * 0.5")
        self.block(inner, size)
        if kind == "if" and rng.random() < 0.5:
            self.lines.append(f"{indent}else:")
            self.block(inner, size)
        if kind in ("try", "caught"):
            self.lines.append(f"{indent}finally:" if kind == "try" else f"{indent}except ZeroDivisionError:")
            self.block(inner, 1)
        if kind in ("for", "while", "items") and rng.random() < 0.3:
            self.lines += [f"{inner}if {self.fill('{C}')}:", f"{inner}    {rng.choice(('break', 'continue'))}"]


def array_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"arrays {seed}")
    writer = Writer(rng)
    writer.lines += [
        "def program(a, b, m, x, n):",
        *([INSIDE] if rng.random() < 0.3 else []),
        "    s = 0.5 * x",
        f"    c = {rng.choice(('a', 'b', 'a * 0.5', 'np.zeros(4)', 'a.copy()', 'b[::-1]'))}",
        f"    w = {rng.choice(('a[1:]', 'm[0]', 'b', 'm.T[1]'))}",
    ]
    writer.block("    ", rng.randint(2, 7))
    writer.lines.append(f"    {RESULT}")
    inputs = tuple((rng.choice((1.5, -1.25, 0.375)), rng.choice((0, 1, 2, 3))) for _ in range(3))
    return Program(seed, "\n".join(writer.lines) + "\n", inputs)


def check_arrays(program: Program) -> Verdict:
    """Compares the Function with the function."""
    parts = HEADER + "\n" + program.text, f"<array program {program.seed}>"
    with loaded(*parts) as names:
        with loaded(*parts) as staged, np.errstate(all="ignore"):
            function = runtime.function(staged["program"])
            for values in program.candidates:
                verdict = _compare(names, staged, function, program.seed, values)
                if verdict is not None:
                    return verdict
    return Verdict("same")


def _shared(seed: int) -> str:
    """How the arguments of this program share memory; empty for most."""
    rng = Random(f"memory {seed}")
    return rng.choice(SHARED) if rng.random() < 0.25 else ""


def _compare(
    names: dict[str, Any], staged: dict[str, Any], function: Any, seed: int, values: Values
) -> Verdict | None:
    shared = _shared(seed)
    try:
        with limited():
            expected = _outcome(names, names["program"], shared, *values)
    except (Exception, Endless):  # such as numpy's own refusals; the graph raises where it runs or is traced
        return None
    x, n = values
    try:
        with warnings.catch_warnings(), limited(TRACING):
            warnings.simplefilter("ignore")
            tensors = runtime.constant(x, runtime.float64), runtime.constant(n, runtime.int64)
            found = _outcome(staged, function, shared, *tensors)
    except (*DOCUMENTED, TypeError) as error:
        return Verdict("refused", reason_of(error), values)
    except (Exception, Endless) as error:
        return Verdict("differs", f"error is {type(error).__name__}: {error}", values)
    for name, wanted in expected.items():
        if not np.allclose(np.asarray(found[name]), wanted, rtol=1e-9, atol=1e-9, equal_nan=True):
            return Verdict("differs", f"{name} is {np.asarray(found[name])}, not {wanted}", values)
    return None


def _outcome(names: dict[str, Any], function: Callable[..., Any], shared: str, x: Any, n: Any) -> dict[str, Any]:
    """All that a run leaves. shared: how the first arguments share memory; empty where they do not."""
    names["TOTAL"][:] = 0.0
    names["GRID"][...] = np.arange(6.0).reshape(2, 3)
    names["HOLDER"].v = np.ones(4)
    names["Holder"].shared[:] = 0.0
    names["cached"].__defaults__[0][:] = 0.0
    a, b, m = np.array([3.0, 1.0, 4.0, 1.5]), np.array([-2.0, 0.5, 2.5, 0.0]), np.arange(6.0).reshape(2, 3) - 2.0
    if shared:
        a, b = eval(shared, {"np": np, "v": np.concatenate([a, b])})
    result = function(a, b, m, x, n)
    seen = {f"result {i}": np.array(value) for i, value in enumerate(result)}
    state = {"TOTAL": names["TOTAL"], "GRID": names["GRID"], "HOLDER.v": names["HOLDER"].v}
    state["Holder.shared"] = names["Holder"].shared
    return {**seen, "a": a, "b": b, "m": m, **{name: np.array(value) for name, value in state.items()}}
