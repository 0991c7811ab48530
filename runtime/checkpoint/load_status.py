"""`LoadStatus`: what `Checkpoint.restore` returns, to say how much of a file and of the objects had to fit.

    checkpoint.restore(path).assert_consumed()                    # everything, on both sides
    checkpoint.restore(path).assert_existing_objects_matched()    # all Variables that there are by now
    checkpoint.restore(path).expect_partial()                     # whatever there is

Without any of them there is a warning: of Variables that the file has no value for when the status is dropped, and of
values that no object ever asked for when none can any more, or when the program ends.
"""

from __future__ import annotations

import contextlib
import weakref
from typing import Any

from runtime.checkpoint.ledger import Ledger, left_in_words, missing_in_words
from runtime.checkpoint.objects import path_text, tree_of
from runtime.checkpoint.restoring import Restoration
from runtime.checkpoint.tree import has_value, named_variables

__all__ = ["LoadStatus"]

class LoadStatus:
    """What came of a restore. All methods look again first, and return the status itself."""

    def __init__(self, root: Any, restoration: Restoration | None, ledger: Ledger) -> None:
        self._root = root
        self._restoration = restoration
        self._ledger = ledger
        if restoration is not None:
            weakref.finalize(self, _tell, root, restoration, ledger)

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError unless each value of the file has its object, and each Variable that is there by now
        its value."""
        self._ledger.left_told = True
        problems = self._problems()
        if self._ledger.left:
            problems.append(left_in_words(self._ledger.left))
        return self._raise(problems)

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError unless each Variable that is there by now has its value. Values of the file may be
        left: there is a warning if nobody ever asks for them."""
        return self._raise(self._problems())

    def assert_nontrivial_match(self) -> LoadStatus:
        """Raises AssertionError if nothing at all was restored."""
        restoration = self._of_a_file()
        restoration.settle()
        return self._raise([] if restoration.has_given_any() else [left_in_words(self._ledger.left)])

    def expect_partial(self) -> LoadStatus:
        """Nothing is said of what the file and the objects do not have in common."""
        self._ledger.missing_told = self._ledger.left_told = True
        return self

    def initialize_or_restore(self, session: Any = None) -> LoadStatus:
        """Nothing: values are given at once, and Variables have values from their beginning."""
        return self

    def run_restore_ops(self, session: Any = None) -> LoadStatus:
        """Nothing: values are given at once."""
        return self

    def _problems(self) -> list[str]:
        restoration = self._of_a_file()
        restoration.settle()
        self._ledger.missing_told = True
        missing = _missing(self._root, restoration)
        return [missing_in_words(missing)] if missing else []

    def _raise(self, problems: list[str]) -> LoadStatus:
        if problems:
            start = f"the checkpoint {self._ledger.path!r} was not restored completely"
            raise AssertionError(f"{start}: {'; '.join(problems)}")
        return self

    def _of_a_file(self) -> Restoration:
        if self._restoration is None:
            raise AssertionError("no checkpoint was given (the path is None), so nothing is restored")
        return self._restoration

    def __repr__(self) -> str:
        return f"<LoadStatus of {self._ledger.path!r}, {len(self._ledger.left)} values left>"


def _missing(root: Any, restoration: Restoration) -> list[str]:
    """The paths of Variables and iterators below the root that have got no value. The counter of saves needs none: what
    `write` wrote has none."""
    found: dict[str, Any] = {}
    for node in tree_of(root, has_value):
        path = path_text(node.path)
        if has_value(node.value) and path != "save_counter":
            found[path] = node.value
        if hasattr(type(node.value), "_saved_slots"):
            for _, name, number, slot, kept in named_variables(node.value._saved_slots()):
                found[f"{path}: the slot {slot!r} of {name!r}" + (f" ({number})" if number else "")] = kept
    return [path for path, value in found.items() if not restoration.has_given(value)]


def _tell(root: Any, restoration: Restoration, ledger: Ledger) -> None:
    """Called when a status is dropped, and when the program ends before that."""
    if not ledger.missing_told:
        with contextlib.suppress(ValueError):  # objects that cannot be saved any more
            ledger.tell_missing(_missing(root, restoration))
    if not restoration.waits():
        ledger.tell_left()
