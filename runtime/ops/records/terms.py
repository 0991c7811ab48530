"""`Term`: an attribute that is more than a number or a text, as plain data that prints and parses back.

>>> Term("class", ("builtins", "ValueError"))          in the text of a graph: class("builtins", "ValueError")

A term is a word and its parts, which are attributes themselves. `held` is a Python object that the term stands for in
this process, such as a class that no module can be asked for; it is no part of the text and does not count when terms
are compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["HEADS", "Term"]

HEADS: Final = frozenset({"caught", "class", "dataset", "dict", "error", "hole", "list", "python", "rule", "structure"})
"""The words that terms begin with; `runtime.ops.flow.exceptions` and `runtime.ops.flow.custom` say what each means."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word and its parts. See the module's docstring."""

    head: str
    parts: tuple[Any, ...]
    held: Any = field(default=None, compare=False, repr=False)
