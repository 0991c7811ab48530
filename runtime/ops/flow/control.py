"""Control flow as operations: `cond`, `while` and `switch` hold graphs as attributes, `call` names one.

Their inputs are explicit, so nothing about a nested graph depends on what surrounds it:

- `cond`: inputs predicate (bool scalar), *values; attributes then_graph and else_graph, both take `values`; outputs
  are those of the branch that ran.
- `while`: inputs *state, *invariants; attributes cond_graph (its output is a bool scalar) and body_graph (its outputs
  are the next state), both take state and invariants; outputs are the last state.
- `call`: inputs *arguments; attribute function, the name of a graph in the library of the outermost graph
  (`Graph.functions`), which takes the arguments; outputs are its results. A graph in the library may call itself. Types
  and effects of the results are attributes, because the graph may be unfinished when it is called.
- `switch`: inputs index (integer scalar), *values; attribute branches, a tuple of graphs that take `values`; an index
  out of range takes the last; outputs are those of the branch that ran.

- `try`: inputs *values; attributes body_graph, handlers (a tuple of graphs) and classes (for each handler a tuple of
  terms class(...)), all graphs take `values`; a handler runs when the body raises an exception of its classes that no
  earlier one takes; outputs are those of the graph that came to its end.

They have no kernel: the engine writes them as Python `if`, `while` and `try`.
"""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.dtypes import EVERY, DType
from runtime.ops.records.raises import ANYTHING
from runtime.ops.records.record import Operand, op
from runtime.shapes import TensorShape

__all__ = ["call_node", "cond_node", "switch_node", "try_node", "while_node"]


def _joined_shapes(*graphs: Any) -> tuple[TensorShape, ...]:
    """What is known of each output whichever graph runs."""
    shapes = [t.shape for t in graphs[0].outputs]
    for graph in graphs[1:]:
        shapes = [s.relax_with(t.shape) for s, t in zip(shapes, graph.outputs, strict=True)]
    return tuple(shapes)


def _dtypes(graph: Any) -> tuple[DType, ...]:
    return tuple(t.dtype for t in graph.outputs)


def _no_kernel() -> NoReturn:
    raise RuntimeError("control flow is run by the engine, it has no kernel")


@op(
    name="cond",
    nests=True,
    shape=lambda *operands, then_graph, else_graph: _joined_shapes(then_graph, else_graph),
    result=lambda *operands, then_graph, else_graph: _dtypes(then_graph),
    dtypes=EVERY,
)
def cond_node(*operands: Operand, then_graph: Any = None, else_graph: Any = None) -> Any:
    """Runs one of two graphs. See the module's list."""
    _no_kernel()


@op(
    name="while",
    nests=True,
    shape=lambda *operands, cond_graph, body_graph, maximum_iterations: tuple(
        t.shape for t in body_graph.inputs[: len(body_graph.outputs)]
    ),
    result=lambda *operands, cond_graph, body_graph, maximum_iterations: _dtypes(body_graph),
    dtypes=EVERY,
)
def while_node(
    *operands: Operand, cond_graph: Any = None, body_graph: Any = None, maximum_iterations: int | None = None
) -> Any:
    """Runs body_graph on the state as long as cond_graph says so (at most maximum_iterations times)."""
    _no_kernel()


@op(
    name="switch",
    nests=True,
    shape=lambda *operands, branches: _joined_shapes(*branches),
    result=lambda *operands, branches: _dtypes(branches[0]),
    dtypes=EVERY,
)
def switch_node(*operands: Operand, branches: tuple[Any, ...] = ()) -> Any:
    """Runs the graph with the number that the first input gives. See the module's list."""
    _no_kernel()


@op(
    raises=ANYTHING,
    name="call",
    shape=lambda *operands, function, dtypes, shapes, stateful: shapes,
    result=lambda *operands, function, dtypes, shapes, stateful: dtypes,
    dtypes=EVERY, mixed=True, outputs=0, holds=True,
)  # fmt: skip
def call_node(
    *operands: Operand,
    function: str = "",
    dtypes: tuple[DType, ...] = (),
    shapes: tuple[TensorShape, ...] = (),
    stateful: bool = True,
) -> Any:
    """Runs a graph of the library. dtypes, shapes: those of its results; stateful: whether it has effects."""
    _no_kernel()


@op(
    name="try",
    nests=True,
    shape=lambda *operands, body_graph, handlers, classes: _joined_shapes(body_graph, *handlers),
    result=lambda *operands, body_graph, handlers, classes: _dtypes(body_graph),
    dtypes=EVERY,
)
def try_node(*operands: Operand, body_graph: Any = None, handlers: Any = (), classes: Any = ()) -> Any:
    """Runs body_graph, and where that raises one of handlers. See the module's list."""
    _no_kernel()
