"""The control structure of a function as data: a tree of parts, each with what it reads, binds and deletes.

Sets of names are Python integers, one bit for each name of the function (`Unit.bits`). Example, for `if a: y = 1`:
    part.kind is PartKind.BRANCH, part.head.reads == bit('a'), part.blocks[0].kill == bit('y')

`gen`: names that may be read before they are bound inside. `kill`: names that are bound or deleted on every way
through. A block that ends in `raise` kills everything, because nothing is read after it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from autograph.analysis.scopes import Scope

__all__ = ["ALL", "Block", "Composite", "Part", "PartKind", "Unit", "Use", "add_composite", "names_of"]

ALL = -1  # every bit
"""The set of all names: what is known where control never comes."""


class PartKind(enum.Enum):
    """How control passes through a statement."""

    STEP = "step"  # straight on
    RAISE = "raise"  # never on
    BRANCH = "if"  # one of the blocks
    LOOP = "loop"  # the block, any number of times
    TRY = "try"  # body, handlers, else, finally
    GUARD = "guard"  # the same, each of them a function of its own
    WITH = "with"  # the block, which may be left anywhere
    PASSING = "passing"  # the block: exceptions pass
    MANAGED = "managed"  # the same, the block a function of its own


@dataclass(frozen=True, slots=True)
class Composite:
    """An attribute or element that is assigned to: its text, a node to copy, and the names that it is made of.

    contains: it is not assigned to itself, but an element of it is: it is state only where that replaces it.
    """

    text: str
    node: Any
    support: int
    names: tuple[str, ...]
    contains: bool = False


@dataclass(slots=True)
class Use:
    """What straight-line code does to the names of a function. All reads count as coming before all bindings."""

    reads: int = 0
    writes: int = 0
    maybes: int = 0  # bound by a walrus that may be skipped
    items: int = 0  # elements of them are written, which gives a tensor's name a new value
    deletes: int = 0
    thunked: int = 0  # reads that move into a lambda of the generated code
    stored: int = 0  # bound by a walrus that moves into such a lambda: functions made before the statement assign it
    loads: list[tuple[Any, int]] = field(default_factory=list)
    composites: list[Composite] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Part:
    """One statement. `head` runs once, before; `test` runs before each round of a loop, in its own function."""

    kind: PartKind
    node: Any
    head: Use
    blocks: tuple[Block, ...] = ()
    test: Use | None = None
    gen: int = 0
    kill: int = 0
    modified: int = 0
    inside: int = 0  # modified by its blocks or its test, not only by its head
    assigned: int = 0  # those of them that are modified in another way than by writing elements
    reads: int = 0
    lost: int = 0  # names that may have lost their value
    unbound: int = 0  # those of them that hold nothing then, not even a placeholder
    live_in: int = 0
    live_out: int = 0
    composites: dict[str, Composite] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Block:
    """Statements in a row, with the sums over them."""

    parts: list[Part]
    gen: int = 0
    kill: int = 0
    modified: int = 0
    assigned: int = 0
    reads: int = 0
    lost: int = 0
    unbound: int = 0
    live_in: int = 0
    composites: dict[str, Composite] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Unit:
    """One converted function: its names as bits, and its parts."""

    node: Any
    scope: Scope
    bits: dict[str, int]
    body: Block = field(default_factory=lambda: Block([]))
    captured: int = 0  # names that code which runs later reads
    rebound: int = 0  # names that nested functions assign to
    assigned: int = 0  # names that are bound in any other way than `except E as name`
    late_loads: list[tuple[Any, int]] = field(default_factory=list)
    deleted: int = 0  # names that inner functions delete, and so may leave a placeholder in their place
    outer_deletes: set[Any] = field(default_factory=set)  # where this function does that to names of outer ones
    free_loads: set[Any] = field(default_factory=set)  # those that Python makes from a scope inside of the owner's
    has_with: bool = False
    order: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, scope: Scope) -> Unit:
        """The unit of a function, whose names get their bits in sorted order."""
        order = sorted(scope.own | scope.globals | scope.nonlocals)
        return cls(scope.node, scope, {name: 1 << place for place, name in enumerate(order)}, order=order)

    @property
    def shared(self) -> int:
        """Names that live outside of the function too: declared global or nonlocal."""
        return self.set_of(self.scope.globals | self.scope.nonlocals)

    def set_of(self, names: Any) -> int:
        found = 0
        for name in names:
            found |= self.bits.get(name, 0)
        return found


def add_composite(table: dict[str, Composite], composite: Composite) -> None:
    """Note a composite; one that is assigned to itself outdoes one that is only written into."""
    known = table.get(composite.text)
    if known is None or known.contains:
        table[composite.text] = composite


def names_of(unit: Unit, names: int) -> list[str]:
    """The names of a set, sorted; the cost grows with the size of the set."""
    order, found = unit.order, []
    names &= (1 << len(order)) - 1
    while names:
        lowest = names & -names
        found.append(order[lowest.bit_length() - 1])
        names ^= lowest
    return found
