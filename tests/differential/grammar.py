"""A program from a seed: some helper functions, then `program(x, y, box, items, table)`, all as source text.

Example:

    print(program(12).text)
    program(12).candidates        # tuples of numbers for its arguments
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from . import expressions as e
from . import statements as s
from .author import FLOATS, INTEGERS, LOCAL_NAMES, Author, Callee, Family, Grammar, Menu, Scope
from .compounds import write_for, write_if, write_try, write_while, write_with
from .functions import SIGNATURES, write_body, write_class, write_function, write_lambda
from .names import write_names

__all__ = ["PYTHON", "Program", "Values", "program"]

PYTHON = Grammar(
    numbers=Menu(
        (
            (24, e.name),
            (8, e.literal),
            (10, e.place),
            (4, e.extra),
            (26, e.arithmetic),
            (9, e.noted),
            (4, e.ternary),
            (3, e.and_or),
            (2, e.negated),
            (7, e.call),
            (4, e.builtin),
            (2.5, e.comprehension),
            (1.5, e.walrus),
            (1.5, e.lambda_value),
            (2, e.fixed_index),
        )
    ),
    simple_numbers=Menu(((50, e.name), (14, e.literal), (14, e.place), (4, e.extra))),
    conditions=Menu(
        (
            (11, e.compare),
            (20, e.parity),
            (18, e.sign),
            (7, e.chain),
            (7, e.logic),
            (2, e.long_logic),
            (4, e.negation),
            (2, e.member),
            (3, e.truth),
            (2, e.walrus_compare),
        )
    ),
    simple_conditions=Menu(((10, e.compare), (10, e.parity), (10, e.sign), (2, e.truth))),
    iterables=Menu(((30, e.fixed_range), (20, e.counted), (12, e.listed), (20, e.items), (5, e.lazy))),
    simple=Menu(
        (
            (26, s.assign),
            (6, s.assign_place),
            (4, s.assign_many),
            (1, s.annotate),
            (9, s.augment),
            (4, s.augment_place),
            (14, s.write_log),
            (3, s.write_call),
            (1, s.write_bare_expression),
            (1.5, s.write_assert),
            (2.5, s.delete),
            (1.5, s.use_thunks),
            (2, write_names),
        )
    ),
    compound=Menu(
        (
            (34, write_if),
            (15, write_while),
            (20, write_for),
            (11, write_try),
            (7, write_with),
            (6, write_function),
            (2.5, write_lambda),
            (5.5, write_class),
        )
    ),
    jumps_in_loop=Menu(((35, s.write_break), (35, s.write_continue), (18, s.write_return), (8, s.write_raise))),
    jumps_outside=Menu(((80, s.write_return), (20, s.write_raise))),
)

SHARED = "box, items, table"  # what every function of the module receives first
CANDIDATES = 16  # tuples of inputs to choose from
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
    author = Author(rng, family, PYTHON)
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
    pools = ((-97, 97), (0, 97), (-3, 6))
    return tuple(rng.randint(*author.choose(pools)) for _ in range(INPUTS))
