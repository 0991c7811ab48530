"""Programs of this folder that are refused, each with a part of the message, and why."""

from __future__ import annotations

from typing import Final

__all__ = ["REFUSED"]

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "first_word": ("a starred target takes as many elements", "only the run knows how many words there are"),
    "compound_interest": ("pow: x is float64 but y is int64", "tensors of two dtypes in one operator: runtime.cast"),
}
"""By name: words of the error, and the reason."""
