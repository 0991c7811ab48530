"""What cannot be an element of a list that grows in a graph: the errors that say so, and what to do instead."""

from __future__ import annotations

from typing import Any, Final

from autograph.errors import StagingTypeError
from runtime.control_flow.optional.values import MaybeNone

__all__ = ["REMEDY", "no_tensor", "of_another_structure"]

REMEDY: Final = (
    "Keep one list of all items and the number of the row in a second one, or rows of a fixed length as tensors"
    " (runtime.zeros, x[i, j] = v)"
)


def no_tensor(leaf: Any) -> StagingTypeError:
    """The error for what no graph can keep."""
    kinds = "the elements of a list that grows in a graph are tensors, numbers, strings and structures of them"
    if hasattr(type(leaf), "handles_as"):
        return StagingTypeError(f"{kinds}; got another such list. {REMEDY}")
    if leaf is None or isinstance(leaf, MaybeNone):
        may_be = "None" if leaf is None else "a value that is None in some runs"
        advice = "a number that stands for None (-1, nan), or a second list of flags that says which elements are there"
        return StagingTypeError(f"{kinds}; got {may_be}. Keep {advice}")
    found = type(leaf).__name__
    return StagingTypeError(f"{kinds}; got a value of type {found}. Keep a tuple or dataclass of what it holds")


def of_another_structure(known: Any, value: Any) -> StagingTypeError:
    """The error for a list or tuple among numbers. known: what the elements are."""
    what = f"some elements of a list that grows in a graph are {known}, and one is a {type(value).__name__}"
    return StagingTypeError(f"{what}. Keep those in a list of their own")
