"""Python lists that take in a list which grows in the graph: they become such lists, under all their names.

    items = [x]
    same = items
    items += grown          # `same` is longer, too

So does one that an element is taken from, or put into, at a position that only the run knows (`items.pop(i)`).
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError
from autograph.operators.frame_variables import variables_of
from runtime.context import current_recorder
from runtime.control_flow.builtins.characters import is_text
from runtime.control_flow.lists.keyed import known_key
from runtime.control_flow.lists.of_arrays import as_a_list
from runtime.control_flow.lists.promotion import promote
from runtime.control_flow.lists.replacements import moved_to, replacement_of
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.control_flow.statement.enclosing import world_before
from runtime.control_flow.statement.frames import traced_frames
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.heap.store import World
from runtime.tensor.symbolic import SymbolicTensor, is_counted
from runtime.tensor.tensor import Tensor

__all__ = [
    "add_in_place", "delete", "extend", "grown_in_place", "insert", "is_of_the_run", "pop", "replaced_in_place",
]  # fmt: skip


def add_in_place(items: Any, elements: Any) -> Any:
    """The list after `items += elements`; NotImplemented where Python can do it, or the operands by themselves."""
    if type(items) is not list or (isinstance(elements, Tensor) and not (is_counted(elements) or is_text(elements))):
        return NotImplemented
    if (taken := as_a_list(elements)) is NotImplemented:
        return NotImplemented
    if isinstance(taken, TensorList) and isinstance(current_recorder(), Graph):
        return grown_in_place(items).__iadd__(taken)
    items.extend(taken)
    return items


def extend(method: Any, elements: Any) -> Any:
    """`items.extend(elements)`, of which `method` is the method; NotImplemented where Python can do it by itself."""
    if not isinstance(current_recorder(), Graph) or (taken := as_a_list(elements)) is NotImplemented:
        return NotImplemented
    if isinstance(taken, TensorList):
        grown_in_place(method.__self__, method).extend(taken)
    else:
        method.__self__.extend(taken)
    return None


def insert(method: Any, place: Any, element: Any) -> Any:
    """`items.insert(place, element)`, of which `method` is the method; NotImplemented where the place is known."""
    return grown_in_place(method.__self__, method).insert(place, element) if is_of_the_run(place) else NotImplemented


def pop(method: Any, place: Any = -1) -> Any:
    """`items.pop(place)`, of which `method` is the method; NotImplemented where the place is known."""
    return grown_in_place(method.__self__, method).pop(place) if is_of_the_run(place) else NotImplemented


def delete(items: Any, key: Any) -> Any:
    """`del items[key]`."""
    if type(items) is list and is_of_the_run(key):
        items = grown_in_place(items)
    else:
        key = known_key(key)
    del items[key]
    return None


def is_of_the_run(key: Any) -> bool:
    """Whether a key or value depends on what only the run knows."""
    if isinstance(key, SymbolicTensor):
        return key.value is None
    if isinstance(key, slice):
        return any(map(is_of_the_run, (key.start, key.stop, key.step)))
    return isinstance(key, tuple | list) and any(map(is_of_the_run, key))


def grown_in_place(items: list[Any], method: Any = None) -> TensorList:
    """The list that grows which takes the place of a Python list. Raises StagingError where not all names are known.

    method: a bound method of the list that is being called.
    """
    made: TensorList = replaced_in_place(items, method)
    return made


def replaced_in_place(owner: Any, method: Any = None, is_statement: bool = False) -> Any:
    """What takes the place of a container of Python's. Raises StagingError where not all its names are known.

    method: a bound method of it that is being called. is_statement: see `promote`.
    """
    if (moved := moved_to(owner)) is not None:  # by another part of the statement
        return moved
    label = next((n for f in traced_frames() for n, v in variables_of(f).items() if v is owner), "")
    before = world_before()
    world = World(*(() if before is None else before.functions), objects={label: owner})
    holder = world.find(owner)

    def refusal() -> StagingError:
        word = type(owner).__name__
        named = f"the {word} {label!r}" if label else f"a {word}"
        unknown = replacement_of(owner).unknown
        return StagingError(f"{named} takes in elements of which only the run knows {unknown}{here()}.")

    if holder is None:
        raise refusal()
    return promote(holder, world, refusal, method, is_statement=is_statement)


CHANGES.update(grown_in_place=grown_in_place)
