"""Python's `next` in a graph: the next item of a staged iterator, or the first for which a condition holds.

    next(rows)                                     # of iter(tensor): its next row
    next((v for v in values if v > x), None)       # a loop of the graph that ends with the first one
"""

from __future__ import annotations

import builtins
from types import FunctionType
from typing import Any, Final

from autograph.operators.branch import if_exp
from autograph.operators.call import converted_call
from autograph.operators.classes import as_written
from autograph.operators.consumer import Consumer
from autograph.operators.stager import stager_of
from autograph.operators.try_statement import try_stmt
from autograph.operators.variables import Undefined
from autograph.options import STANDARD_OPTIONS
from runtime.as_python import raise_as_python
from runtime.context import current_recorder
from runtime.control_flow.builtins.iterables import StagedIterator, push
from runtime.control_flow.optional.values import view
from runtime.control_flow.statement.reaching import Reaching, given
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["next_"]

_NO_DEFAULT: Final = object()


def next_(iterated: Any, default: Any = _NO_DEFAULT) -> Any:
    """`next(iterated, default)`; without a default, StopIteration where the graph finds no more items."""
    if hasattr(type(iterated), "__ag_next__"):
        return iterated.__ag_next__() if default is _NO_DEFAULT else iterated.__ag_next__(default)
    if not isinstance(iterated, StagedIterator):
        if hasattr(type(iterated), "__ag_push__") and not iterated.can_be_pulled:
            return _next_pushed(iterated, default)
        if isinstance(iterated, Tensor):
            raise TypeError("a tensor is not an iterator; use next(iter(tensor))")
        if hasattr(type(iterated), "__ag_begin_again__"):
            return _next_of_expression(iterated, default)
        if type(step := getattr(type(iterated), "__next__", None)) is FunctionType:
            return _next_of_users(as_written(step), iterated, default)
        return _of_python(iterated, default)
    length, position = iterated.items.length, iterated.position
    if not isinstance(length, Tensor) and not isinstance(position, Tensor):
        return _of_python(iterated, default)
    if length is None:
        iterated.cell[0] = position + 1
        return iterated.items.item(position)
    more = as_bool_scalar(REGISTRY["less"](position, length), "next")
    if default is _NO_DEFAULT:
        REGISTRY["check"](more, message="", exception="StopIteration")
        iterated.cell[0] = position + 1
        return iterated.items.item(position)
    iterated.cell[0] = position + REGISTRY["cast"](more, "int32" if isinstance(position, int) else position.dtype)
    return if_exp(more, lambda: iterated.items.item(position), given(default), "there is a next item")


def _of_python(iterated: Any, default: Any) -> Any:
    if default is not _NO_DEFAULT:
        return builtins.next(iterated, default)
    try:
        return builtins.next(iterated)
    except StopIteration as error:
        raise_as_python(error)


def _next_of_users(step: FunctionType, iterated: Any, default: Any) -> Any:
    """As `next_`, of an object with a `__next__` of the user's, in which StopIteration may be the graph's."""
    item: list[Any] = [Undefined("the next item")]
    state = State(tuple, lambda values: None, ()).with_cell(item, "the next item")

    def take() -> None:
        item[0] = converted_call(step, (iterated,), None, options=STANDARD_OPTIONS)

    def end() -> None:
        item[0] = default

    if default is _NO_DEFAULT:
        take()
    else:
        handlers = ((lambda: StopIteration, end, None),)
        body = Reaching(take, (step, iterated))
        try_stmt(body, handlers, None, None, state.get, state.put, state.names, 1)
    return item[0]


def _next_of_expression(iterated: Any, default: Any) -> Any:
    """As `next_`, of a generator expression over values of Python: if its condition is staged, that of a loop."""
    graph, begin_again = current_recorder(), iterated.__ag_begin_again__()
    start = len(graph.operations) if isinstance(graph, Graph) else 0
    try:
        return builtins.next(iterated) if default is _NO_DEFAULT else builtins.next(iterated, default)
    except OperatorNotAllowedInGraphError:
        if not isinstance(graph, Graph) or not begin_again():
            raise
    graph.recording.forget(start)
    return _next_pushed(iterated, default)


def _next_pushed(iterated: Any, default: Any) -> Any:
    """As `next_`, of what finds its items only by going on: a loop that ends with the first one."""
    item: list[Any] = [Undefined("the next item")]
    found: list[Any] = [False]
    state = State(tuple, lambda values: None, ()).with_cell(item, "the next item").with_cell(found, "found")

    def body(value: Any) -> None:
        item[0], found[0] = value, True

    def go_on() -> Any:
        return stager_of(found[0]).not_(found[0])

    push(iterated, Consumer(body, go_on, state.get, state.put, state.names, {}))
    value = view(item[0]).value
    if default is not _NO_DEFAULT:
        return if_exp(found[0], given(value), given(default), "there is a next item")
    if not isinstance(found[0], Tensor):
        return value if found[0] else _of_python(iter(()), _NO_DEFAULT)
    REGISTRY["check"](found[0], message="", exception="StopIteration")
    return value
