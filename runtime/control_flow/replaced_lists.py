"""Lists that a variable is bound to, of one length on one way and of another on the other: they become `TensorList`s.

    for i in range(n): items = items + [i]       # a new list in each iteration, which is longer
    if x > 0: items = [*items, x]                # one list or another

Unlike a list that is changed in place (promotion.py) only the variable gets a list that grows: the one that it was
bound to before may have other names, and stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.errors import StagingError, StagingTypeError
from runtime import structures as nest
from runtime.control_flow.merge import called
from runtime.control_flow.optional import inside_of, with_inside
from runtime.control_flow.promotion import has_other_names
from runtime.control_flow.tensor_list import TensorList
from runtime.control_flow.world import World

__all__ = ["as_growing", "check_copies", "copies_of", "lengths_differ"]


def lengths_differ(*values: Any) -> bool:
    """Whether the values are lists that a graph can only carry as one that grows."""
    if not all(type(value) in (list, TensorList) for value in values):
        return False
    kinds = {type(value) for value in values}
    return len(kinds) > 1 or (kinds == {list} and len({len(value) for value in values}) > 1)


def as_growing(name: str, value: Any) -> Any:
    """A list as one that grows. Raises StagingTypeError where its elements cannot be tensors of one kind."""
    items = inside_of(value)
    if type(items) is not list:
        return value
    try:
        return with_inside(value, TensorList(items))
    except (TypeError, ValueError) as error:
        raise StagingTypeError(
            f"the length of the list {called(name)} depends on a tensor, so that it would become a list that grows in"
            f" the graph, but its elements cannot be tensors of one kind: {error}"
        ) from None


def copies_of(rows: Iterable[tuple[str, Any, Any]], world: World) -> list[tuple[str, Any, list[Any]]]:
    """The lists and dicts that stand in a loop for those which variables are bound to before it, and others refer to.

    A change of such a copy in place would be lost for the other names. rows: the name of a variable, its value before
    the loop, and that in the loop.
    """
    return [
        (name, now, [part for _, part in nest.children(now)])
        for name, old, now in rows
        if isinstance(now, list | dict) and has_other_names(old, world)
    ]


def check_copies(copies: Sequence[tuple[str, Any, list[Any]]]) -> None:
    """Raises StagingError if one of them was changed."""
    for name, copy, before in copies:
        now = [part for _, part in nest.children(copy)]
        if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
            raise StagingError(
                f"{name!r} is changed in place and bound to another object in the body of a loop that depends on a"
                " tensor, and other names refer to the object that it is bound to before the loop: which of them"
                " see the change depends on the iteration. Make a copy before the loop"
            )
