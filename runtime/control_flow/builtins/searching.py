"""`items.index(x)` and `items.count(x)` of Python's lists and tuples, where a tensor is among them or is looked for.

    [a, b].count(2)        0 + cast(a == 2) + cast(b == 2)
    [a, b].index(2)        where(a == 2, 0, 1), and ValueError when the graph runs and neither is 2
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from runtime.control_flow.builtins.membership import contains
from runtime.control_flow.loops.iteration import as_literal
from runtime.ops.record import REGISTRY

__all__ = ["count", "index"]


def count(items: Sequence[Any], value: Any) -> Any:
    """How many items are equal to a value."""
    equal = [contains(value, [item]) for item in items]
    known = sum(flag for flag in equal if isinstance(flag, bool))
    staged = [REGISTRY["cast"](flag, "int32") for flag in equal if not isinstance(flag, bool)]
    return as_literal(sum(staged[1:], staged[0]) + known) if staged else known


def index(items: Sequence[Any], value: Any, start: int = 0, stop: int = sys.maxsize) -> Any:
    """The place of the first item that is equal. Raises ValueError, perhaps when the graph runs, if there is none."""
    found: list[tuple[int, Any]] = []
    for place in range(*slice(start, stop).indices(len(items))):
        equal = contains(value, [items[place]])
        if equal is not False:
            found.append((place, equal))
        if equal is True:
            break
    kind = type(items).__name__
    message = f"{kind}.index(x): x not in {kind}"
    if not found:
        raise ValueError(message)
    if found[-1][1] is not True:
        flags = [flag for _, flag in found]
        is_there = flags[0] if len(flags) == 1 else REGISTRY["reduce_any"](REGISTRY["stack"](flags))
        REGISTRY["check"](is_there, message=message, exception="ValueError")
    result: Any = found[-1][0]
    for place, equal in reversed(found[:-1]):
        result = REGISTRY["where"](equal, place, result)
    return as_literal(result)
