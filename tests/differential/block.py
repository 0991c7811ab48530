"""A block of random statements: takes from the table until the budget or a jump ends it.

Which statements there are is said by the author's grammar.  Example: `write_block(author, 0.3)` writes some statements
and, in three of ten cases, ends them with a jump.
"""

from __future__ import annotations

from .author import Author
from .statements import jump

__all__ = ["write_block"]

MAXIMUM_DEPTH = 5


def write_block(author: Author, jump_share: float) -> bool:
    """Write at least one statement; returns whether the end of the block can be reached."""
    scope = author.scope
    count = 1 + int(author.rng.random() * (3 if scope.branches else 12))
    jumps = author.rng.random() < jump_share * (1.5 if scope.loops else 1)
    written = False
    for _ in range(count):
        if author.budget <= 0 and written:
            break
        author.budget -= 1
        written = True
        compound = scope.branches < MAXIMUM_DEPTH and author.budget > 0 and author.rng.random() < 0.5
        if jumps and author.rng.random() < 0.5:
            break
        menu = author.grammar.compound if compound else author.grammar.simple
        if not menu.pick(author.rng)(author) and not author.chance(0.04):
            return False
    if jumps:
        return jump(author)
    return True
