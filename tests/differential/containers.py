"""Staged programs about containers, objects, and the names that share them.

Lists, lists of lists, dicts, objects and what may be None get further names, are changed in place through one of them,
and are looked at through all of them: what they hold, and which are one object.  What `program` makes is changed by
`work`, in statements and by helpers of the module, and looked at in both.  Example of what a form of SIMPLE may give:

    left[0], rows[abs(x) % 2][1] = rows[abs(x) % 2][1], left[0]

A part of these programs is refused, because in Python it depends on the numbers which object a name means, and a graph
has a copy of one of them.  The texts are in container_forms.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from . import statements as s
from .author import INTEGERS, LOCAL_NAMES, Author, Family, Menu, Scope
from .block import write_block
from .compounds import loop_body, loop_else, write_if, write_while
from .container_forms import ENTERED, FORMS, FUNCTIONS, HELPERS, MADE, MAKE, NAMES, NUMBERS, SEEN, SIMPLE, WORK
from .expressions import condition, number
from .grammar import CANDIDATES, Program
from .staged_exceptions import write_staged_raise, write_staged_try, write_staged_with
from .staged_grammar import STAGED, write_finally, write_staged_for
from .staged_language import write_match
from .staged_pairs import OUTER

__all__ = ["CONTAINERS", "container_program"]

HOLE = re.compile(r"\{([A-Za-z#])\}")


def fill(author: Author, form: str, depth: int = 3) -> str:
    """The form with a text of its kind for every letter."""
    if " for " in form:
        depth = min(depth, 2)  # no walrus: Python forbids it in what a comprehension goes through

    def text(hole: re.Match[str]) -> str:
        kind = hole[1]
        if kind == "#":
            return str(author.serial)
        if kind == "n":
            return number(author, max(0, min(1, depth - 2)))
        if kind == "c":
            return condition(author, 0)
        if kind in NAMES:
            return author.choose(NAMES[kind])
        forms = FORMS[kind] if depth > 0 else FORMS[kind][:1]
        return fill(author, author.choose(forms), depth - 1)

    return HOLE.sub(text, form).replace("{{", "{").replace("}}", "}")


def number_in(author: Author, depth: int) -> str:
    """A number that a container or object holds, or that is made of what it holds."""
    return f"({fill(author, author.choose(NUMBERS), depth)})"


def compared(author: Author, depth: int) -> str:
    """A condition on what containers hold, or on which object is which."""
    return fill(author, "{S}", depth)


def write_simple(author: Author) -> bool:
    for line in fill(author, FORM_MENU.pick(author.rng)).split("; "):
        author.emit(line)
    return True


def write_entered(author: Author) -> bool:
    """A branch or loop whose condition or items are containers, and which changes them."""
    head, first = ENTERED_MENU.pick(author.rng)
    author.fresh("t")
    author.emit(fill(author, head, 2))
    opening = fill(author, first, 2)

    def body() -> bool:
        if opening:
            author.emit(opening)
        return loop_body(author) if head.startswith("for") else write_block(author, 0.2)

    author.branch(body)
    if not head.startswith("if"):
        loop_else(author)
    elif author.chance(0.4):
        author.emit("else:")
        author.branch(lambda: write_block(author, 0.1))
    return True


def write_inner(author: Author) -> bool:
    """A function that changes what it is given, or what is around it; called at once, and sometimes again."""
    if author.scope.depth:
        return write_simple(author)
    serial = author.fresh("")
    head, change, result, called = author.choose(FUNCTIONS)
    author.emit(fill(author, head, 1))
    if change.startswith("nonlocal_"):
        name = fill(author, "{a}")
        lines = [f"nonlocal {name}", f"{name} = {fill(author, '{V}', 1)}"]
    else:
        lines = [fill(author, change, 1)]
    outer, author.scope = author.scope, Scope(1, ["n"], "n", places=())
    with author.indented():
        for line in lines:
            author.emit(line)
        if author.chance(0.5):
            author.emit(f"if {condition(author, 0)}:")
            author.emit(f"    {fill(author, '{A}[{I}] = {n}', 1)}")
        author.emit(fill(author, result, 1))
    author.scope = outer
    for _ in range(author.choose((1, 1, 2))):
        target = author.choose(("{a} = ", "{a} = ", "", "{g}[{i}] = "))
        author.emit(fill(author, target + called.replace("{#}", serial), 1))
    return True


def write_in_any(author: Author) -> bool:
    """A statement about containers in a compound statement that is rare by chance, and perhaps one after it."""

    def body() -> bool:
        write_simple(author)
        if author.chance(0.3):
            author.budget -= 1
            author.grammar.simple.pick(author.rng)(author)
        return True

    OUTER.pick(author.rng)(author, body)
    if author.chance(0.4):
        write_simple(author)
    return True


FORM_MENU: Menu[str] = Menu(SIMPLE)
ENTERED_MENU: Menu[tuple[str, str]] = Menu(tuple((weight, (head, first)) for weight, head, first in ENTERED))

CONTAINERS = replace(
    STAGED,
    numbers=STAGED.numbers.extended(((40, number_in),)),
    conditions=STAGED.conditions.extended(((25, compared),)),
    simple=Menu(((60, write_simple), (3, s.assign), (2, s.augment))),
    compound=Menu(
        (
            (30, write_if),
            (10, write_while),
            (16, write_staged_for),
            (3, write_finally),
            (7, write_staged_try),
            (3, write_staged_with),
            (4, write_match),
            (30, write_entered),
            (10, write_inner),
            (22, write_in_any),
        )
    ),
    jumps_in_loop=Menu(((38, s.write_break), (38, s.write_continue), (20, s.write_return), (4, write_staged_raise))),
    else_share=0.15,
    skips=0.15,
)


def container_program(seed: int, family: Family = INTEGERS) -> Program:
    """The program of a seed; `program(x, y)` takes two numbers."""
    rng = Random(f"containers {seed}")
    author = Author(rng, family, CONTAINERS)
    author.lines += HELPERS.strip().splitlines()
    _write_work(author)
    author.scope = Scope(0, ["x", "y"], LOCAL_NAMES[0][:2], places=())
    author.emit("def program(x, y):")
    with author.indented():
        for line in MAKE:
            text = re.sub(r"\{(\w\d)\}", lambda kind: author.choose(MADE[kind[1]]), line)
            author.emit(text.replace("{{", "{").replace("}}", "}"))
        author.emit(f"log(work({WORK}, x, y))")
        _write_seen(author, 0.8)
        author.emit("return 0")
    pools = ((-97, 97), (0, 97), (-3, 6))
    inputs = tuple(tuple(rng.randint(*author.choose(pools)) for _ in "xy") for _ in range(CANDIDATES))
    return Program(seed, "\n".join(author.lines) + "\n", inputs)


def _write_work(author: Author) -> None:
    """The function that changes what it is given."""
    author.emit(f"def work({WORK}, x, y):")
    author.scope = Scope(0, ["x", "y", "a", "b"], LOCAL_NAMES[0][:2], places=())
    author.budget = 2 + int(author.rng.random() * 9)
    with author.indented():
        author.emit("a = b = 1")
        reachable = write_block(author, 0)
        for _ in range(2):
            if reachable and author.chance(0.7):
                reachable = write_block(author, 0)
        if reachable:
            _write_seen(author, 0.5)
            author.emit(f"return {number(author, 1)}")


def _write_seen(author: Author, share: float) -> None:
    for line in SEEN:
        if author.chance(share):
            author.emit(line)
