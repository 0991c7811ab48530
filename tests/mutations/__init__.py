"""Breaks made by hand: each changes one line of ours, and the tests named with it must notice.

    $ python -m tests.mutations                  # all of them, in a copy of the tree; says which survived
    $ python -m tests.mutations state            # those of one list

A test checks that each line still stands where the list says, so that the list does not rot.
"""

from __future__ import annotations

from tests.mutations.break_ import Break
from tests.mutations.state import STATE

__all__ = ["LISTS", "Break"]

LISTS: dict[str, tuple[Break, ...]] = {"state": STATE}
