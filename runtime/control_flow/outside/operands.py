"""Right operands in code that is not converted: whether `a + b` or `a += b` asks, they cannot tell.

    items += grown      # would extend the Python list `items`; `items + grown` leaves it alone

Converted code says which of the two it is (autograph/operators/augmented.py).
"""

from __future__ import annotations

import sys
from collections import deque
from types import FrameType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.rules import is_user_code
from autograph.template import is_generated
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.location import user_location

__all__ = ["check_left_operand"]

_CHANGEABLE: Final = (list, set, dict, deque, bytearray)


def check_left_operand(left: Any) -> None:
    """Raises StagingError where code without conversion may mean to change a container in place."""
    if not isinstance(left, _CHANGEABLE) or not isinstance(current_recorder(), Graph):
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_user_code(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is not None and not is_generated(frame):
        place = user_location()
        raise StagingError(
            f"code that is not converted adds to a {type(left).__name__} what only the graph knows, or has another"
            f" operator between them{f' (at {place})' if place else ''}: it cannot be told whether that is to change"
            f" the {type(left).__name__} in place. Let the function be converted, or do it in the one that calls it"
        )
