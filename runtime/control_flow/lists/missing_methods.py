"""Methods of Python's lists that a list which grows in a graph has not: what to write in their place.

    values.sort()        # values has grown in the graph: StagingTypeError, ... Write `l = sorted(l)`
"""

from __future__ import annotations

from typing import Final

from autograph.errors import StagingTypeError

__all__ = ["missing"]

_REMEDIES: Final = {
    "sort": "Write `l = sorted(l)`",
    "index": "Compare all elements at once, `runtime.equal(l.stack(), x)`, and take `runtime.argmax` of that as int32",
    "count": "Add up a comparison of all elements: `sum(1 if t == x else 0 for t in l)`",
    "remove": "Write a list without it: `l = [t for t in l if t != x]`",
}


def missing(name: str) -> Exception:
    """The error for an attribute that such lists have not."""
    if name in _REMEDIES:
        return StagingTypeError(
            f"a list that grows in a graph has no `{name}`, which compares elements one by one in Python."
            f" {_REMEDIES[name]}"
        )
    return AttributeError(f"'TensorList' object has no attribute {name!r}")
