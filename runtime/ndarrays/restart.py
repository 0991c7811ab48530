"""When arrays of numpy become traced ones: where something that only the graph knows is written to one.

    table = np.zeros(9)        # numpy's own array, for all that Python does with it
    table[0] = x               # x is symbolic: Restart(IsMemory(table))

The trace begins again then, and from there on numpy's functions in converted code make traced arrays, whose content is
an ndarray as long as all of it is known. An array that was there before the trace (a global, an attribute) is read at
the start of the graph, and written at its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from operator import is_
from typing import Any, NoReturn, Protocol

import numpy as np

from autograph.contexts import binding
from runtime.ndarrays.layout import memory_of, owner_of
from runtime.restarts import Restart
from runtime.tensor.array_classes import holds_numbers, is_plain_array
from runtime.tensor.numpy_protocol import WRITTEN
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "IsMemory", "KeepsIdentities", "Round", "are_traced", "as_seen", "can_be_memory", "keeps_identities",
    "memory_in_trace", "restart", "restart_for", "restart_for_identities", "restart_for_left", "restart_with",
    "tracing_arrays",
]  # fmt: skip


@dataclass(frozen=True)
class IsMemory:
    """What a `Restart` has learnt: this array or container is memory of the graph; None: all arrays that converted code
    makes are."""

    array: Any
    elements: Any = None
    """What is known of the elements of a list."""
    by_keys: bool = False
    """Whether the keys of a dict, or the members of a set, are tensors."""


class KeepsIdentities:
    """What a `Restart` has learnt: the program asks which objects the variables of loops have."""


class Round(Protocol):
    """One round of a trace."""

    keeps_identities: bool
    """Whether loops carry which objects their variables have."""

    are_traced: bool
    """Whether arrays that converted code makes are traced ones."""
    has_all: bool
    """Whether all arrays that can be reached are, too."""

    def seen(self, array: Any, function: Any, arguments: Iterable[Any]) -> Any:
        """What converted code gets for an array that other code has made, as the result of a function."""

    def can_add(self, array: Any) -> bool:
        """Whether another round would help, where something symbolic is written to this array of numpy's."""
        ...

    def standing_for(self, array: Any) -> Any:
        """What stands for an array that another trace captures; None where there is nothing yet."""

    def take(self, array: Any) -> NoReturn:
        """Begins again, with something that stands for such an array."""
        ...

    def can_take(self, container: Any, by_keys: bool) -> bool:
        """Whether another round would help, where a tensor decides what keys this dict or set has, or is one."""
        ...


_ROUND: ContextVar[Round | None] = ContextVar("runtime_round_of_the_trace", default=None)


def tracing_arrays(current: Round) -> binding[Any]:
    """A round of a trace."""
    return binding(_ROUND, current)


def can_be_memory(array: Any) -> bool:
    """Whether an array of numpy can become memory of a graph: numbers or bools, one after the other."""
    owner = owner_of(array)
    if not is_plain_array(array) or not is_plain_array(owner):
        return False
    return holds_numbers(owner) and bool(memory_of(owner).flags.c_contiguous)


def as_seen(value: Any, function: Any, arguments: Iterable[Any]) -> Any:
    """What converted code gets for a result of other code: in rounds where arrays are traced those for its arrays."""
    if not isinstance(value, np.ndarray | tuple) or not are_traced():
        return value
    current = _ROUND.get()
    assert current is not None
    if isinstance(value, np.ndarray):
        return current.seen(value, function, arguments)
    parts = [as_seen(part, function, arguments) for part in value]
    if all(map(is_, parts, value)):
        return value
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def are_traced() -> bool:
    """Whether arrays that converted code makes are to be traced ones."""
    current = _ROUND.get()
    return current is not None and current.are_traced


def restart_for_left(tensors: Iterable[Any], is_array: bool) -> Any:
    """Begins the trace again, where one of the tensors that are left in the program would be an array of numpy's, with
    all arrays as memory. Else returns the first tensor that stands for an array on some way: one of texts, which can be
    no memory, or beside what is no array; None if there is none. is_array: whether they all would be arrays."""
    current = _ROUND.get()
    if current is None:
        return None
    found = [tensor for tensor in tensors if is_array or getattr(tensor, "was_array", False)]
    if found and not current.has_all:
        raise Restart(IsMemory(None))
    return next((tensor for tensor in found if getattr(tensor, "was_array", False)), None)


def restart(array: Any) -> None:
    """Begins the trace again, if it is an ndarray and that helps; else returns."""
    current = _ROUND.get()
    if current is not None and isinstance(array, np.ndarray) and current.can_add(array):
        raise Restart(IsMemory(array))


def restart_with(container: Any, elements: Any = None, by_keys: bool = False) -> None:
    """Begins the trace again, where a tensor decides what a container has that was there before, if that helps; else
    returns. elements: what is known of those of a list; by_keys: whether tensors are keys of a dict, or members."""
    current = _ROUND.get()
    if current is not None and current.can_take(container, by_keys):
        raise Restart(IsMemory(container, elements, by_keys))


def keeps_identities() -> bool:
    """Whether loops carry which objects their variables have."""
    current = _ROUND.get()
    return current is not None and current.keeps_identities


def restart_for_identities() -> None:
    """Begins the trace again, so that loops carry which objects their variables have, if they do not; else returns."""
    current = _ROUND.get()
    if current is not None and not current.keeps_identities:
        raise Restart(KeepsIdentities())


def memory_in_trace(array: Any, begins_again: bool = False) -> Any:
    """What stands for an array that another trace captures; None where there is nothing, and where no function is
    traced. begins_again: whether the trace does, where there is nothing yet."""
    current = _ROUND.get()
    found = None if current is None else current.standing_for(array)
    if begins_again and found is None and current is not None:
        current.take(array)
    return found


def restart_for(*values: Any) -> None:
    """Begins the trace again where traced arrays meet others: so that these, and what numpy makes of tensors, are
    traced ones, too; else returns."""
    for value in values:
        restart(value)
    current = _ROUND.get()
    has_tensors = any(isinstance(value, SymbolicTensor) and value.shape.rank != 0 for value in values)
    if has_tensors and current is not None and not current.are_traced:
        raise Restart(IsMemory(None))


def restart_written(target: Any) -> None:
    """Begins the trace again, if what is written to is an ndarray, or a tensor where numpy would have made an array,
    and that helps; else returns."""
    if not isinstance(target, SymbolicTensor):
        restart(target)
    elif (current := _ROUND.get()) is not None and not current.has_all:
        raise Restart(IsMemory(None))


WRITTEN.append(restart_written)
