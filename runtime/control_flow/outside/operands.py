"""Right operands in code that is not converted: whether `a + b` or `a += b` asks, they cannot tell.

    items += grown      # would extend the Python list `items`; `items + grown` leaves it alone

Converted code says which of the two it is (autograph/operators/augmented.py).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError, StagingTypeError
from autograph.rules import is_user_code
from autograph.template import is_generated
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.symbolic import is_counted

__all__ = ["check_left_operand", "check_lists", "check_no_array"]

_CHANGEABLE: Final = (list, set, dict, deque, bytearray)
_NO_LISTS: Final = (tuple, set, frozenset, dict, str, bytes, range, Iterator, deque)


def check_lists(left: Any, right: Any) -> None:
    """Raises TypeError where one operand of `left + right` is a list, and the other one is nothing to add to it."""
    if isinstance(left, _NO_LISTS) or isinstance(right, _NO_LISTS):
        kind, other = (type(each).__name__ if isinstance(each, _NO_LISTS) else "list" for each in (left, right))
        raise TypeError(f'can only concatenate {kind} (not "{other}") to {kind}')
    for other in (left, right):
        if is_counted(other):
            raise TypeError('can only concatenate list (not "range") to list')
        check_no_array(other)


def check_no_array(other: Any) -> None:
    """Raises StagingTypeError for what numpy adds to a list element by element, with `+=`, too."""
    if isinstance(other, np.ndarray | TracedArray):
        raise StagingTypeError(
            "a list that grows in the graph is added to an ndarray: numpy adds the elements, and only the run knows how"
            " many there are. Write np.array(the list) + the array"
        )


def check_left_operand(left: Any) -> None:
    """Raises StagingError where code without conversion may mean to change a container in place."""
    if not isinstance(left, _CHANGEABLE) or not isinstance(current_recorder(), Graph):
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_user_code(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is not None and not is_generated(frame):
        raise StagingError(
            f"code that is not converted adds to a {type(left).__name__} what only the graph knows, or has another"
            f" operator between them{here()}: it cannot be told whether that is to change"
            f" the {type(left).__name__} in place. Let the function be converted, or do it in the one that calls it"
        )
