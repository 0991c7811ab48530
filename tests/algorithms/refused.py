"""Programs of this folder that are refused, each with a part of the message, and why."""

from __future__ import annotations

from typing import Final

__all__ = ["REFUSED", "REFUSED_LISTS", "REFUSED_MIXED"]

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "first_word": ("a starred target takes as many elements", "only the run knows how many words there are"),
    "compound_interest": ("pow: x is float64 but y is int64", "tensors of two dtypes in one operator: runtime.cast"),
}
"""By name: words of the error, and the reason."""

REFUSED_MIXED: Final[dict[tuple[str, int], tuple[str, str]]] = {}
"""By name and number of the argument that is a tensor beside values: words of the error, and the reason."""

_STRICT: Final = ("nothing is cast silently", "an integer tensor beside a float that another tensor made: runtime.cast")

REFUSED_LISTS: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("heap_sort", "tensors"): ("cannot be assigned here", "a tensor that an inner function writes to never changes"),
    ("pancake_sort", "tensors"): ("has no attribute 'index'", "a tensor is no list"),
    ("mean_and_deviation", "tensors"): _STRICT,
    ("mean_and_deviation", "items"): _STRICT,
    ("monthly_payment", "tensors"): _STRICT,
    ("islands_by_sinking", "tensors"): ("is changed in place", "rows of a list that grows, under two names"),
    ("determinant", "tensors"): ("is changed in place", "the same"),
}
"""By name and mode of test_list_programs.py: words of the error, and the reason."""
