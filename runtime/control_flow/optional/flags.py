"""`or` and `not` of flags: bools of Python where that is known, else bool tensors. (`both` is in values.py.)

    negated(either(a, b))
"""

from __future__ import annotations

from typing import Any

from runtime.ops.records.record import REGISTRY

__all__ = ["either", "negated"]


def either(a: Any, b: Any) -> Any:
    """`a or b`."""
    if a is True or b is False:
        return a
    if b is True or a is False:
        return b
    return REGISTRY["logical_or"](a, b)


def negated(flag: Any) -> Any:
    """`not flag`."""
    return not flag if isinstance(flag, bool) else REGISTRY["logical_not"](flag)
