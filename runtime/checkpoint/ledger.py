"""`Ledger`: what has still to be told of one restore, and the words for it.

    ledger = Ledger("training/ckpt-1", left={"model/w/.ATTRIBUTES/VARIABLE_VALUE"})
    ledger.tell_left()                 # warns: no object has asked for these values: 'model/w'
    ledger.tell_left()                 # once is enough
"""

from __future__ import annotations

import sys
import warnings
import weakref
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from autograph.rules import users_frame
from runtime.checkpoint.tree import path_of

__all__ = ["Ledger", "left_in_words", "missing_in_words"]

SHOWN: Final = 20
"""How many names a message lists."""

_REMEDY: Final = ". Call expect_partial() on what restore returns if that is meant, assert_consumed() if it must not be"


@dataclass(eq=False)
class Ledger:
    """See the module's docstring. path: of the checkpoint; left: the names of the values that no object has got."""

    path: str
    left: set[str] = field(default_factory=set)
    missing_told: bool = False
    left_told: bool = False

    def tell_left(self, known: Collection[str] = ()) -> None:
        """To be called when no object can ask for values any more. known: those that a later restore has, too."""
        names = self.left.difference(known)
        if names and not self.left_told:
            self._warn(left_in_words(names))
        self.left_told = True

    def tell_missing(self, paths: list[str]) -> None:
        """To be called when a program has not said what it thinks of Variables without a value."""
        if paths and not self.missing_told:
            self._warn(missing_in_words(paths))
        self.missing_told = True

    def tell_unsaved(self, path: str) -> None:
        """To be called where the objects are saved while values are left."""
        if self.left and not self.left_told:
            names = _listed(sorted(map(path_of, self.left)))
            self._warn(
                f"the new checkpoint {path!r} is without the values that wait for objects which have not been made yet"
                f" (build the layers and the optimizer first): {names}"
            )

    def _warn(self, text: str) -> None:
        message = f"restored from the checkpoint {self.path!r}: {text}{_REMEDY}"
        frame = users_frame(sys._getframe())
        while frame.f_code.co_filename == weakref.__file__ and frame.f_back is not None:
            frame = users_frame(frame.f_back)
        warnings.warn_explicit(message, UserWarning, frame.f_code.co_filename, frame.f_lineno)


def missing_in_words(paths: list[str]) -> str:
    """What is said of objects."""
    return f"the file has no values for these objects, which keep theirs: {_listed(paths)}"


def left_in_words(names: Iterable[str]) -> str:
    """What is said of values."""
    return f"no object has asked for these values: {_listed(sorted(map(path_of, names)))}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more
