"""Expressions that became stageable one by one: membership, text, assignment in operands.

Like the writers of expressions.py: `staged_member(author, 1)` may give `(a + 1) not in (3, b, -2)`.
"""

from __future__ import annotations

from .author import Author
from .expressions import number

__all__ = ["staged_member", "staged_text", "staged_walrus"]


def staged_member(author: Author, depth: int) -> str:
    """Whether a number is among numbers of Python and of the graph."""
    container = author.choose(
        ("({0}, {1}, 3)", "[{0}, {1}]", "range(0, 40, 3)", "range(-9, 9)", "items", "{{'p': 1, 2: 3}}")
    )
    shown = container.format(number(author, depth), author.literal())
    return f"{number(author, depth)} {author.choose(('in', 'not in'))} {shown}"


def staged_text(author: Author, depth: int) -> str:
    """A comparison of texts that hold numbers."""
    form = author.choose(("'%d' % ({0})", "'{{}}'.format({0})", "format({0}, '03d')", "f'{{{1}}}'", "f'{{{1}:>4}}'"))
    left = form.format(number(author, depth), author.readable())
    right = author.choose(("'1'", "'000'", "'   2'", "f'{{{0}}}'")).format(author.readable())
    return f"{left} {author.choose(('==', '!=', 'in'))} {right}"


def staged_walrus(author: Author, depth: int) -> str:
    """A number that an operand, a choice or a test also assigns to a variable."""
    return f"({author.choose(author.scope.own)} := {number(author, depth)})"
