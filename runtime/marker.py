"""Values that stand for something that is no value, and print as what that is called.

    MISSING: Final = Marker("MISSING")
    f"{[MISSING, 1]}"                      # [MISSING, 1]
"""

from __future__ import annotations

__all__ = ["Marker"]


class Marker:
    """See the module's docstring. Two of one text are two values."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text
