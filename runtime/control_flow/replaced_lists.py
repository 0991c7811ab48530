"""Lists that a variable is bound to, of one length on one way and of another on the other: they become `TensorList`s.

    for i in range(n): items = items + [i]       # a new list in each iteration, which is longer
    if x > 0: items = [*items, x]                # one list or another

Unlike a list that is changed in place (promotion.py) only the variable gets a list that grows: the one that it was
bound to before may have other names, and stays what it is.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingTypeError
from runtime.control_flow.merge import called
from runtime.control_flow.tensor_list import TensorList

__all__ = ["as_growing", "lengths_differ"]


def lengths_differ(*values: Any) -> bool:
    """Whether the values are lists that a graph can only carry as one that grows."""
    if not all(type(value) in (list, TensorList) for value in values):
        return False
    kinds = {type(value) for value in values}
    return len(kinds) > 1 or (kinds == {list} and len({len(value) for value in values}) > 1)


def as_growing(name: str, value: Any) -> Any:
    """A list as one that grows. Raises StagingTypeError where its elements cannot be tensors of one kind."""
    if type(value) is not list:
        return value
    try:
        return TensorList(value)
    except (TypeError, ValueError) as error:
        raise StagingTypeError(
            f"the length of the list {called(name)} depends on a tensor, so that it would become a list that grows in"
            f" the graph, but its elements cannot be tensors of one kind: {error}"
        ) from None
