"""The structures of the elements of lists that grow: which parts are leaves, and the structure that holds for two.

    with_rows((0, [0]), (0, [0, 0]))     # (0, 0): the lists, which differ in length, are rows of their own

A structure has 0 for each of its leaves, and is None where an element is one leaf.
"""

from __future__ import annotations

from typing import Any

from runtime import structures as nest
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.tensor import Tensor

__all__ = ["are_same", "flat_up_to", "has_lists", "is_row", "is_walked", "of_columns", "with_rows"]


def is_row(value: Any) -> bool:
    """Whether an element, or a part of one, is a list of a length of its own: one that grows, or is empty yet."""
    return hasattr(type(value), "handles_as") or (type(value) is list and not value)


def is_walked(value: Any) -> bool:
    """Whether an element, or a part of one, is a structure that the list keeps leaf by leaf."""
    return nest.is_nested(value) and not is_row(value)


def has_lists(model: Any) -> bool:
    """Whether there is a list in a structure, or it is one."""
    return type(model) is list or (is_walked(model) and any(has_lists(part) for _, part in nest.children(model)))


def are_same(a: Any, b: Any) -> bool:
    """Whether two structures are of the same types, with leaves in the same places."""
    if a is b or not is_walked(a) or not is_walked(b):
        return a is b or (not is_walked(a) and not is_walked(b))
    parts, others = nest.children(a), nest.children(b)
    if type(a) is not type(b) or [step for step, _ in parts] != [step for step, _ in others]:
        return False
    return all(are_same(part, other) for (_, part), (_, other) in zip(parts, others, strict=True))


def with_rows(a: Any, b: Any) -> Any:
    """The structure of both, with a leaf in the place of lists that differ, or are rows in one of them."""
    if not is_walked(found := _merged(a, b)):
        return None
    return found


def _merged(a: Any, b: Any) -> Any:
    if (type(a) is list) != (type(b) is list) or (type(a) is list and len(a) != len(b)):
        return 0
    if not is_walked(a) or not is_walked(b):
        return a
    parts, others = nest.children(a), nest.children(b)
    if len(parts) != len(others):
        return a
    return nest.rebuild(a, [_merged(part, other) for (_, part), (_, other) in zip(parts, others, strict=True)])


def flat_up_to(model: Any, element: Any) -> list[Any]:
    """What stands where a structure has its leaves. Raises TypeError if the element has another structure."""
    try:
        return nest.flatten_up_to(model, element, nested=is_walked)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the elements of a list that grows in a graph have one structure.\n\n{error}") from None


def of_columns(columns: Any) -> Any:
    """The rows of lists and tuples of which each column is given, as one tensor; None where it is none."""
    columns = present_value(columns)
    if isinstance(columns, Tensor):
        return columns
    if type(columns) not in (list, tuple) or not columns:
        return None
    parts = [of_columns(column) for column in columns]
    return None if any(part is None for part in parts) else REGISTRY["stack"](parts, axis=1)
