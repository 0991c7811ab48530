"""One scope: what opens it, and the names that are bound and read in it.

Example: in `def f(x): return lambda y: x + y` the scope of the lambda has `own == {'y'}` and `free == {'x'}`.
"""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["INLINES", "Kind", "Scope"]

INLINES: Final = sys.version_info >= (3, 12)
"""Whether the code of a comprehension is a part of that of its function; but for one in the body of a class."""


class Kind(enum.Enum):
    """What opens a scope, and so how names in it are found."""

    FUNCTION = "function"  # converted
    NATIVE = "native function"  # a generator, an async function, or a function that is marked to stay
    LAMBDA = "lambda"
    COMPREHENSION = "comprehension"  # runs at once
    GENERATOR = "generator expression"  # runs when somebody asks for a value
    CLASS = "class"
    TYPES = "type parameters"


LAZY = frozenset({Kind.FUNCTION, Kind.NATIVE, Kind.LAMBDA, Kind.GENERATOR})


@dataclass(slots=True, eq=False)
class Scope:
    """The names of one scope. `own`: bound here; a class's own names are seen in its body only.

    caught: names of exceptions. reads: names that its own code reads. inner: names that the scopes in it read from
    outside of themselves. objects: names that are bound to what may be a container.
    """

    node: Any
    kind: Kind
    own: set[str] = field(default_factory=set)
    parameters: tuple[str, ...] = ()
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    yields: bool = False
    caught: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)

    @property
    def free(self) -> set[str]:
        """The names that belong to a scope around this one, or to none."""
        seen_here = {"__class__"} if self.kind is Kind.CLASS else self.own
        return (self.inner - seen_here) | ((self.reads | self.nonlocals) - self.own - self.globals)

    @property
    def numbers(self) -> set[str]:
        """Its names that are never bound to what may be a container."""
        return self.own - self.objects

    @property
    def lazy(self) -> bool:
        """Whether its code runs later than the place where it stands."""
        return self.kind in LAZY
