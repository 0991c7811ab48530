"""A reference interpreter for graphs: one operation after the other, with nothing clever about it.

    outputs = run_graph(graph, [np.float32(1), np.ones(3)])

It is slow and obviously right, so it serves as the oracle for the plans of the engine and for the passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation

Library = Mapping[str, Graph]


def run_graph(graph: Graph, arguments: Sequence[Any], library: Library | None = None) -> list[np.ndarray]:
    """The values of the graph's outputs for these values of its inputs. `library`: that of the outermost graph."""
    library = graph.functions if library is None else library
    assert len(arguments) == len(graph.inputs), f"{len(graph.inputs)} inputs, {len(arguments)} arguments"
    values = {
        id(tensor): np.asarray(value, tensor.dtype.numpy)
        for tensor, value in zip(graph.inputs, arguments, strict=True)
    }
    for operation in graph.operations:
        if operation.type == "placeholder":
            continue
        results = _run(operation, [values[id(tensor)] for tensor in operation.inputs], library)
        for tensor, result in zip(operation.outputs, results, strict=True):
            array = np.asarray(result, tensor.dtype.numpy)
            assert tensor.shape.is_compatible_with(array.shape), f"{operation}: {array.shape} is not {tensor.shape}"
            values[id(tensor)] = array
    return [values[id(tensor)] for tensor in graph.outputs]


def _run(operation: Operation, arrays: list[np.ndarray], library: Library) -> Sequence[Any]:
    attributes = operation.attributes
    if operation.type == "cond":
        return run_graph(attributes["then_graph" if arrays[0] else "else_graph"], arrays[1:], library)
    if operation.type == "call":
        return run_graph(library[attributes["function"]], arrays, library)
    if operation.type == "switch":
        branches = attributes["branches"]
        chosen = int(arrays[0])
        return run_graph(branches[chosen if 0 <= chosen < len(branches) else -1], arrays[1:], library)
    if operation.type == "while":
        return _loop(attributes, arrays, library)
    result = operation.op.run(arrays, attributes)
    return [result] if operation.op.outputs == 1 else result


def _loop(attributes: Any, arrays: list[np.ndarray], library: Library) -> list[np.ndarray]:
    test, body, limit = attributes["cond_graph"], attributes["body_graph"], attributes["maximum_iterations"]
    state, invariants = arrays[: len(body.outputs)], arrays[len(body.outputs) :]
    turns = 0
    while (limit is None or turns < limit) and run_graph(test, [*state, *invariants], library)[0]:
        state = run_graph(body, [*state, *invariants], library)
        turns += 1
    return state
