"""A program from a seed: some helper functions, then `program(x, y, box, items, table)`, all as source text.

Example:

    print(program(12).text)
    program(12).candidates        # tuples of numbers for its arguments
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .author import FLOATS, INTEGERS, LOCAL_NAMES, Author, Callee, Family, Menu, Scope
from .block import COMPOUND
from .compounds import write_for, write_if, write_try, write_while, write_with
from .functions import SIGNATURES, write_body, write_class, write_function, write_lambda
from .statements import Statement

__all__ = ["Program", "program"]

COMPOUND_MENU: Menu[Statement] = Menu((
    (34, write_if), (15, write_while), (20, write_for), (11, write_try), (7, write_with), (6, write_function), (2.5, write_lambda),
    (1.5, write_class),
))  # fmt: skip
COMPOUND.append(COMPOUND_MENU)

SHARED = "box, items, table"  # what every function of the module receives first
CANDIDATES = 10  # tuples of inputs to choose from
INPUTS = 10  # x, y, box.v, box.w, four items, table["p"], table["q"]

Values = tuple[float, ...]


@dataclass(frozen=True)
class Program:
    """Source text that defines `program`, and the numbers to call it with."""

    seed: int
    text: str
    candidates: tuple[Values, ...]  # x, y, then the contents of box, items and table; the oracle takes the telling ones


def program(seed: int, family: Family = INTEGERS) -> Program:
    """The program of a seed; equal on every machine and Python version."""
    rng = Random(seed)
    author = Author(rng, family)
    author.emit(f"g0 = {author.literal()}")
    callees: dict[str, Callee] = {}
    for _ in range(int(rng.random() * 2.4)):
        _helper(author, callees)
    author.emit("def program(x, y, box, items, table):")
    scope = Scope(0, ["x", "y"], LOCAL_NAMES[0], callees)
    opening = "a = b = 1"
    if author.chance(0.15):
        author.emit("    global g0")
        scope.nonlocals = ("g0",)
        scope.known.append("g0")
    scope.known += ["a", "b"]
    write_body(author, scope, 6 + int(rng.random() * 18), opening)
    return Program(seed, "\n".join(author.lines) + "\n", tuple(_inputs(author) for _ in range(CANDIDATES)))


def _helper(author: Author, callees: dict[str, Callee]) -> None:
    """A function of the module; later ones may call earlier ones, so calls end."""
    signature = author.choose(SIGNATURES)
    name = author.fresh("helper")
    parameters = f"{SHARED}, {signature.parameters}" if signature.parameters else SHARED
    author.emit(f"def {name}({parameters}):")
    scope = Scope(1, [*signature.numbers, "s"], LOCAL_NAMES[1], dict(callees), signature.extras)
    write_body(author, scope, 2 + int(author.rng.random() * 5), f"s = {author.literal()}")
    calls = tuple(call.replace("{f}(", f"{{f}}({SHARED}, ").replace(", )", ")") for call in signature.calls)
    callees[name] = Callee(calls)


def _inputs(author: Author) -> Values:
    """Small numbers and large ones, equal ones sometimes: tests go both ways."""
    rng = author.rng
    if author.family is FLOATS:
        return tuple(float(author.literal()) for _ in range(INPUTS))
    pools = ((-97, 97), (-3, 6), (0, 2))
    return tuple(rng.randint(*author.choose(pools)) for _ in range(INPUTS))
