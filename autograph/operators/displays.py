"""Lists that are written out with a star: `[*a, x]`, where only the stager of `a` may know how long it is.

Example (generated):
    items = ag__.list_with([], a) + [x]         # [*a, x]
"""

from __future__ import annotations

from typing import Any

from autograph.operators.builtins import call_builtin
from autograph.operators.stager import PYTHON, stager_of

__all__ = ["list_with"]


def list_with(items: Any, elements: Any) -> Any:
    """`[*items, *elements]` of a list that nobody else has."""
    if type(items) is list and stager_of(elements) is PYTHON:
        return [*items, *elements] if items else [*elements]
    return items + call_builtin(list, (elements,), {}, None, True)
