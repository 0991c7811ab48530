"""`try` around staged code: exceptions that come while a graph runs pass Python's `except`, so those are refused.

    try:
        if x > 0: y = x                 # x is a tensor
        else: raise ValueError("no")    # an operation of the graph: no `except` of Python's will see it
    except ValueError:                  # StagingError: it names both lines
        y = -x

What the trace itself raises outside of staged parts is caught as in Python, and a `finally` with nothing to do in the
graph may stand around anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from autograph.errors import AutoGraphError, StagingError
from autograph.operators.handlers import matches, run_try
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.check import EXCEPTIONS, check
from runtime.ops.control import call_node
from runtime.ops.exceptions import resolve_class
from runtime.ops.raising import raise_

if TYPE_CHECKING:
    from autograph.operators.stager import Handlers

__all__ = ["stage_try"]

Thunk = Callable[[], Any]


def stage_try(body: Thunk, handlers: Handlers, orelse: Thunk | None, cleanup: Thunk | None) -> None:
    """Runs the statement while a function is traced. Raises StagingError for what only a running graph could catch."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        run_try(body, handlers, orelse, cleanup)
        return
    inside, after = _Recorded(graph, body), None if cleanup is None else _Recorded(graph, cleanup)
    refusal: StagingError | None = None
    try:
        run_try(inside, handlers, orelse, after)
    except AutoGraphError:
        raise
    except BaseException:
        refusal = _refusal(inside, handlers, after)
        if refusal is None:
            raise
    else:
        refusal = _refusal(inside, handlers, after)
    if refusal is not None:
        raise refusal


class _Recorded:
    """A part of the statement, and the operations that it adds to the graph."""

    def __init__(self, graph: Graph, code: Thunk) -> None:
        self._graph, self._code = graph, code
        self.operations: list[Operation] = []

    def __call__(self) -> None:
        start = len(self._graph.operations)
        try:
            self._code()
        finally:
            self.operations = self._graph.operations[start:]


def _refusal(body: _Recorded, handlers: Handlers, cleanup: _Recorded | None) -> StagingError | None:
    for operation, kind in _raised(body.operations):
        where = f"the {kind.__name__} of {operation.location or 'an operation'} comes when the graph runs"
        if any(wanted is None or matches(kind, wanted()) for wanted, _, _ in handlers):
            return StagingError(
                f"{where}, where the `except` around it cannot catch it. Test the condition, and do what the handler"
                " does in an `else`."
            )
        if cleanup is not None and any(o.stateful for o in cleanup.operations):
            return StagingError(
                f"{where}, and what the `finally` around it records would then not run. Do that before and after the"
                " statement, or test the condition first."
            )
    return None


def _raised(operations: list[Operation]) -> Iterator[tuple[Operation, type[BaseException]]]:
    """The operations that raise or check, also in nested graphs and called functions, each with its exception class."""
    pending, called = list(operations), set[str]()
    while pending:
        operation = pending.pop()
        graphs = list(operation.subgraphs)
        if operation.op is raise_:
            yield operation, resolve_class(operation.attributes["error"].parts[0])
        elif operation.op is check:
            yield operation, EXCEPTIONS[operation.attributes["exception"]]
        elif operation.op is call_node and operation.attributes["function"] not in called:
            called.add(operation.attributes["function"])
            graphs.append(operation.graph.root.functions[operation.attributes["function"]])
        for graph in graphs:
            for nested in nested_graphs(graph):
                pending += [o for o in nested.operations if o.op in (raise_, check, call_node)]
