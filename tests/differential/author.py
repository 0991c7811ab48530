"""Who writes a program: a stream of random numbers, the lines so far, and what is known about names at this point.

Knowing which names are bound keeps most programs alive: a program that dies on its first line tests nothing.  A small
share of reads ignores that knowledge on purpose, so unbound variables are tested too.  Example:

    author = Author(random.Random(3), INTEGERS, PYTHON)
    author.scope.known            # names that are surely bound here
    author.emit("a = 3")          # writes a line at the present indentation
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

__all__ = ["FLOATS", "INTEGERS", "LOCAL_NAMES", "PLACES", "Author", "Callee", "Family", "Grammar", "Menu", "Scope"]

T = TypeVar("T")

# Functions at each depth assign to their own letters, so a read of an outer letter is a read of a free variable.
LOCAL_NAMES = ("abcde", "pqrs", "uvw", "klm")


@dataclass(frozen=True)
class Family:
    """The numbers of a program: how literals look, and what keeps results small and exact."""

    name: str
    literals: tuple[str, ...]
    middles: tuple[str, ...]  # thresholds that values fall on both sides of
    wrap: str  # appended to arithmetic


INTEGERS = Family(
    "integers",
    tuple(str(n) for n in (0, 1, 2, 3, 5, 7, 11, 40, 96, -1, -2, -8, -97)),
    ("3", "12", "30", "48", "70"),
    " % 97",
)
FLOATS = Family(
    "floats",
    ("0.0", "0.25", "0.5", "1.0", "2.0", "4.0", "32.0", "-0.5", "-1.0", "-8.0"),
    ("0.25", "1.0", "4.0", "16.0"),
    " % 64.0",
)


@dataclass(frozen=True)
class Callee:
    """A function that the program may call: formats with {0} and {1} for two numbers."""

    formats: tuple[str, ...]


class Menu(Generic[T]):
    """Items with weights; `menu.pick(rng)` takes one."""

    def __init__(self, rows: Sequence[tuple[float, T]]) -> None:
        self.rows = tuple(rows)
        self.items = [item for _, item in rows]
        self.sums = list(accumulate(weight for weight, _ in rows))

    def pick(self, rng: Random) -> T:
        return self.items[bisect(self.sums, rng.random() * self.sums[-1])]

    def extended(self, rows: Sequence[tuple[float, T]]) -> Menu[T]:
        """A menu with more rows."""
        return Menu((*self.rows, *rows))


PLACES = ("box.v", "box.w", "items[0]", "items[1]", "items[-1]", "table['p']", "table['q']")


@dataclass(frozen=True)
class Grammar:
    """What may be written: menus of writers.  One grammar is for all of Python, one for what can be staged."""

    numbers: Menu[Callable[[Author, int], str]]
    simple_numbers: Menu[Callable[[Author, int], str]]
    conditions: Menu[Callable[[Author, int], str]]
    simple_conditions: Menu[Callable[[Author, int], str]]
    iterables: Menu[Callable[[Author, int], str]]
    simple: Menu[Callable[[Author], bool]]
    compound: Menu[Callable[[Author], bool]]
    jumps_in_loop: Menu[Callable[[Author], bool]]
    jumps_outside: Menu[Callable[[Author], bool]]
    else_share: float = 0.25  # loops that have an `else`
    skips: float = 0.0  # loops that begin with a jump under a condition and something that it skips
    shares: bool = True  # inner functions may change names and places outside them


@dataclass
class Scope:
    """One function while it is written."""

    depth: int
    known: list[str]  # surely bound numbers, own and outer
    own: str  # letters that this function may bind
    callees: dict[str, Callee] = field(default_factory=dict)
    extras: tuple[str, ...] = ()  # number-valued texts special to this function, such as len(rest)
    nonlocals: tuple[str, ...] = ()
    places: tuple[str, ...] = PLACES  # attributes and items that are numbers
    vectors: tuple[str, ...] = ()  # names of three numbers in a row, a tensor in the graph
    loops: int = 0  # loops around this statement, in this function
    branches: int = 0  # compound statements around this statement, in this function
    cleanups: int = 0  # bodies with a `finally` around this statement
    handlers: int = 0  # except clauses around this statement
    thunks: str = ""  # name of a list of functions, once there is one


class Author:
    """Writes lines; see the module's docstring."""

    def __init__(self, rng: Random, family: Family, grammar: Grammar) -> None:
        self.rng = rng
        self.grammar = grammar
        self.family = family
        self.lines: list[str] = []
        self.indent = ""
        self.budget = 0
        self.serial = 0
        self.scope = Scope(0, [], LOCAL_NAMES[0])

    def emit(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def fresh(self, stem: str) -> str:
        """A name that nothing else assigns to: loop counters, functions, context values."""
        self.serial += 1
        return f"{stem}{self.serial}"

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def choose(self, items: Sequence[T]) -> T:
        return items[int(self.rng.random() * len(items))]

    def literal(self) -> str:
        return self.choose(self.family.literals)

    def readable(self) -> str:
        """A name to read: known to be bound, but for a small share that may not be."""
        scope = self.scope
        if self.rng.random() < (0.005 if self.grammar.shares else 0.001) or not scope.known:
            return self.choose(scope.own)
        return self.choose(scope.known)

    def assignable(self) -> str:
        scope = self.scope
        if scope.nonlocals and self.rng.random() < 0.4:
            return self.choose(scope.nonlocals)
        return self.choose(scope.own)

    def bind(self, name: str) -> None:
        if name not in self.scope.known:
            self.scope.known.append(name)

    def unbind(self, name: str) -> None:
        if name in self.scope.known:
            self.scope.known.remove(name)

    @contextmanager
    def indented(self) -> Iterator[None]:
        before, self.indent = self.indent, self.indent + "    "
        yield
        self.indent = before

    def branch(self, write: Callable[[], bool]) -> tuple[bool, list[str]]:
        """Write an indented block; returns whether its end can be reached, and the names known there.

        What is known in this scope is left as it was before the block.
        """
        scope = self.scope
        before = list(scope.known), dict(scope.callees), scope.thunks
        scope.branches += 1
        with self.indented():
            reachable = write()
        scope.branches -= 1
        after = scope.known
        scope.known, scope.callees, scope.thunks = before
        return reachable, after

    def join(self, *ends: tuple[bool, list[str]]) -> bool:
        """Keep what is known at the end of every branch that can be reached; say whether any can."""
        reached = [known for reachable, known in ends if reachable]
        if reached:
            first, *rest = reached
            self.scope.known = [name for name in first if all(name in other for other in rest)]
        return bool(reached)
