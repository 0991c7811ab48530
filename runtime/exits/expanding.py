"""Operations in the place of others: what `runtime.exits.expansions` says of them, until only the rest is there.

    simpler = expanded(graph)

As a pass does, it makes a new graph with the same inputs and outputs. Lines of the user stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import variant
from runtime.errors import GraphError, OpError
from runtime.exits import expansions as _fill_table
from runtime.exits.rules import EXPANSIONS, arguments_of
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.ops.arrays.shape import cast, reshape
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.records.record import Array
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["alone", "expanded"]

ROUNDS: Final = 12
"""So many rules may stand behind each other."""

del _fill_table


def expanded(graph: Graph) -> Graph:
    """The same values and effects, without operations that have a rule of expansion."""
    for _ in range(ROUNDS):
        changed = False
        functions = {}
        for name, function in graph.functions.items():
            functions[name], again = _once(function, graph)
            changed = changed or again
        graph, again = _once(graph, graph)
        graph.functions = functions
        if not (changed or again):
            return graph
    raise GraphError(f"rules of expansion of {graph.name!r} have no end")


def alone(
    operation: Operation, operands: Sequence[Array | TensorSpec], attributes: Mapping[str, Any]
) -> Graph | None:
    """What stands for one operation, as a graph with an input for each operand that is a spec; None if there is no
    rule for operands like these. An operand that is an array is a constant of the graph."""
    graph = Graph(operation.name)
    given = [
        graph.placeholder(o.dtype, o.shape, "operand") if isinstance(o, TensorSpec) else graph.constant(np.asarray(o))
        for o in operands
    ]
    made = graph.add(operation.op, given, attributes, operation.name)
    made.location = operation.location
    graph.outputs = list(made.outputs)
    simpler, changed = _once(graph, graph)
    return simpler if changed else None


def _once(graph: Graph, outermost: Graph) -> tuple[Graph, bool]:
    done: dict[int, Graph] = {}
    changed = False
    for current in nested_graphs(graph):
        build = Rebuild(current)
        build.graph.functions = outermost.functions
        kept = {id(tensor) for tensor in current.outputs}
        for operation in current.operations:
            if _is_list(operation) and id(operation.outputs[0]) not in kept:
                continue
            made = _expansion(build, operation)
            changed = changed or made is not None
            if made is None:
                inputs = [_operand(build, tensor) for tensor in operation.inputs]
                copied = build.copy(operation, inputs, with_graphs(operation, done))
                for tensor in copied.outputs:
                    tensor.weak = False  # a rule is about dtypes, not about what a literal would adopt
            else:
                for old, new in zip(operation.outputs, made, strict=True):
                    build.replace(old, new)
        done[id(current)] = build.finish()
    return done[id(graph)], changed


def _is_list(operation: Operation) -> bool:
    """Whether it is a list that is known."""
    return operation.op is constant_node and operation.outputs[0].dtype is variant


def _operand(build: Rebuild, tensor: SymbolicTensor) -> SymbolicTensor:
    """An operand of a copy. A list that is known is made anew for each: without elements it may be of any kind."""
    if not _is_list(tensor.op):
        return build.tensor(tensor)
    made = build.graph.add(constant_node, (), tensor.op.attributes)
    made.location = tensor.op.location
    return made.outputs[0]


def _expansion(build: Rebuild, operation: Operation) -> Sequence[SymbolicTensor] | None:
    """What stands for the outputs of an operation; None if it stays."""
    rule = EXPANSIONS.get(operation.op)
    if rule is None or not all(_is_plain(t) for t in (*operation.inputs, *operation.outputs)):
        return None
    graph = build.graph
    given = [build.tensor(tensor) for tensor in operation.inputs]
    start = len(graph.operations)
    with graph.as_default():
        try:
            result = rule(**arguments_of(rule, operation, given))
            if result is NotImplemented:
                del graph.operations[start:]
                return None
            results = result if isinstance(result, tuple) else (result,)
            made = [_as(new, old) for new, old in zip(results, operation.outputs, strict=True)]
        except OpError:  # shapes of which too little is known; it stays, and the format says that it has no rule
            del graph.operations[start:]
            return None
    for added in graph.operations[start:]:
        added.location = operation.location
        for tensor in added.outputs:
            tensor.weak = False
        for inner in added.subgraphs:
            _place(inner, operation)
    return made


def _is_plain(tensor: SymbolicTensor) -> bool:
    """Rules are for real numbers and bools: no format that a graph leaves in computes with more."""
    return not tensor.dtype.is_complex and tensor.dtype.family != "string"


def _as(new: Any, old: SymbolicTensor) -> SymbolicTensor:
    """A result, in the dtype and with what was known of the shape of the one that it stands for."""
    tensor: SymbolicTensor = new if isinstance(new, SymbolicTensor) else reshape(new, [])
    if tensor.dtype is not old.dtype:
        tensor = cast(tensor, dtype=old.dtype)
    tensor.set_shape(old.shape)
    return tensor


def _place(graph: Graph, operation: Operation) -> None:
    for inner in nested_graphs(graph):
        for added in inner.operations:
            if added.op is not placeholder:
                added.location = operation.location
