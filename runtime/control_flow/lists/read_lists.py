"""Lists that were read from a list of lists and are changed where they are, at a place that may depend on a tensor.

    buckets[x % 3].append(x)        # x is a tensor: `buckets` becomes a list that grows, with lists in it
    counts[-1][1] += 1              # `counts` grows, of lists of two numbers each: these become rows (rows.py)

What is read from such a list is a copy of it, so that the change has to be made where it came from.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from runtime.context import current_recorder
from runtime.control_flow.lists import rows
from runtime.control_flow.lists.array_elements import note_read as note_read_array
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.promotion import is_named
from runtime.control_flow.lists.taken_in import extend, grown_in_place, insert, pop
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph

__all__ = ["OVERLOADS", "note_read"]

_READ: Final[PerTrace[dict[int, tuple[Any, Any, Any, Graph, Callable[[], None]]]]] = PerTrace(dict)
"""By id: a list that was read, what it was read from, by which key, in which graph, and what forgets that."""


def note_read(found: Any, holder: Any, key: Any) -> Any:
    """To be called with what was read from a list, of which the program gets a copy if it is a list. Returns it."""
    graph = current_recorder()
    if type(found) is list and isinstance(graph, Graph):
        _READ.of(graph)[id(found)] = (found, holder, key, graph, rows.note("read", holder))
    if isinstance(holder, TensorList):
        note_read_array(found)
    return found


def _row(items: list[Any]) -> TensorList | None:
    """The row that a copy of one stands for; None where it is none, or has a name that would stay the copy's."""
    graph = current_recorder()
    known = _READ.of(graph).get(id(items)) if isinstance(graph, Graph) else None
    if known is None or known[3] is not graph:
        return None
    kept, holder, key, _, forget = known
    if kept is not items or is_named(items, None):
        return None
    if (row := _with_rows(holder, key)) is not None:
        forget()
    return row


def _with_rows(holder: Any, key: Any) -> TensorList | None:
    """The row at a place of a list, which becomes one with rows; None where its elements cannot be rows."""
    if type(holder) is list:
        holder = grown_in_place(holder)
    kind: ElementType | None = holder.elements
    if kind is None or not kind.can_be_rows:
        return None
    if not kind.is_row_itself:
        try:
            holder.become(kind.as_rows())
        except (TypeError, ValueError):  # of several dtypes
            return None
    row: TensorList = rows.read(holder, key)
    return row


def _in_place(name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """The method of lists with this name, for a copy of a row. otherwise: for any other list."""

    def change(method: Any, *args: Any) -> Any:
        row = _row(method.__self__) if type(method.__self__) is list else None
        return otherwise(method, *args) if row is None else getattr(row, name)(*args)

    return change


def _by_python(*args: Any) -> Any:
    return NotImplemented


def _read_to_change(x: Any, k: Any) -> Any:
    """`x[k]` of which an element is to be written; NotImplemented where it is as for any other use."""
    if not isinstance(x, TensorList) or isinstance(k, slice) or not isinstance(current_recorder(), Graph):
        return NotImplemented
    row = _with_rows(x, k)
    return NotImplemented if row is None else row


OVERLOADS: Final[dict[Any, Callable[..., Any]]] = {
    list.append: _in_place("append", _by_python),
    list.clear: _in_place("clear", _by_python),
    list.extend: _in_place("extend", extend),
    list.insert: _in_place("insert", insert),
    list.pop: _in_place("pop", pop),
    list.reverse: _in_place("reverse", _by_python),
    operator.getitem: _read_to_change,
}
"""What changes lists: by the method, or operator, what the stager does."""

CHANGES["note_read"] = note_read
