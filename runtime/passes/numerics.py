"""A graph that finds where NaN and infinity come from: a check after every operation that computes floats.

%y = log(%x)
check_finite(%y) {message="log: ... of the function 'step', made at model.py:12 in step (`y = log(x)`), gave"}

It is no part of the optimiser: `runtime.debugging.enable_check_numerics` asks for it.
"""

from __future__ import annotations

from typing import Final

from runtime.graph.graph import Graph
from runtime.graph.location import shown_line
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.ops.elementwise.numerics import check_finite
from runtime.ops.flow.core import constant_node, placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["with_numeric_checks"]

_PASS_ON: Final = frozenset({placeholder, constant_node})
"""Operations that compute nothing."""


def with_numeric_checks(graph: Graph) -> Graph:
    """The same values and effects, unless an operation gives NaN or infinity: then NotFinite, which says where.

    What control flow gives has been checked inside of it.
    """
    checked = _checked(graph, graph.name)
    checked.functions = {name: _checked(function, function.name) for name, function in graph.functions.items()}
    return checked


def _checked(graph: Graph, function: str) -> Graph:
    done: dict[int, Graph] = {}
    for current in nested_graphs(graph):
        build = Rebuild(current)
        for operation in current.operations:
            attributes = with_graphs(operation, done)
            copied = build.copy(operation, attributes=attributes)
            if attributes is operation.attributes and operation.op not in _PASS_ON:
                for tensor in copied.outputs:
                    if tensor.dtype.is_floating or tensor.dtype.is_complex:
                        _add_check(build.graph, copied, tensor, function)
        done[id(current)] = build.finish()
    return done[id(graph)]


def _add_check(graph: Graph, operation: Operation, tensor: SymbolicTensor, function: str) -> None:
    place = f"{operation.location or 'an unknown line'}{shown_line(operation.location)}"
    message = f"{operation.type}: operation {operation.name!r} of the function {function!r}, made at {place}, gave"
    check = Operation(
        graph,
        check_finite,
        graph.unique_name("check_finite"),
        (tensor,),
        {"message": message, "escapes": True},
        operation.location,
    )
    graph.operations.append(check)
