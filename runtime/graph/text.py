"""Graphs as text that people read and that parses back to an equal graph; tests of passes are written in it.

    graph triangle(%n: int32[]) -> (%while:1) {
      %zero = constant() {value=array int32[] [0]} : int32[]
      %while = while(%zero, %zero, %n)
        {cond_graph=@while_cond, body_graph=@while_body, maximum_iterations=None} : int32[], int32[]  # model.py:3 in f
    }

    graph while_cond(%i: int32[], %s: int32[], %n: int32[]) -> (%less) {
      %less = less(%i, %n) : bool[]
    }
    ...

    function fact(%n: int32[]) -> (%Identity) { ... }

The first graph is the whole, a `function` is one of its library, which `call` operations name; the others are those
inside of operations. `%a` is the first result of operation a, `%a:1` the second; a name with other characters than
letters, digits, `_ . / -` is quoted: `%"my name"`. After the colon come the types of the results, with `?` for an
unknown dimension, `*` for unknown rank, `weak` for what came from a Python literal. The user's line is a comment.
Placeholders are the parameters; a graph's captures are not part of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.dtypes import from_numpy
from runtime.graph.assembly import parse_graph
from runtime.graph.graph import Graph
from runtime.graph.literals import print_array, print_attribute, print_type
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["parse_graph", "print_graph"]

Keep = Callable[[Array], str]

_PLAIN = re.compile(r"[A-Za-z0-9_./-]+")


def print_graph(graph: Graph, *, locations: bool = True, keep: Keep = print_array) -> str:
    """The text of a graph. `locations`: with the user's lines as comments. `keep`: what stands for an array, by default
    its elements; `array float32[100] @"weights"` for one that the text does not hold, which `parse_graph` is given.
    """
    library = {id(function): name for name, function in graph.functions.items()}
    graphs = [inner for root in (graph, *graph.functions.values()) for inner in nested_graphs(root)[::-1]]
    style = _Style(_labels(graphs, library), locations, keep)
    return "\n".join(_print_one(g, style, "function" if id(g) in library else "graph") for g in graphs)


@dataclass(frozen=True, slots=True)
class _Style:
    """The labels of the graphs by their ids, and what `print_graph` was asked for."""

    labels: Mapping[int, str]
    locations: bool
    keep: Keep


def _labels(graphs: list[Graph], library: Mapping[int, str]) -> dict[int, str]:
    """A name for each graph that no other one has; those of the library keep theirs."""
    labels = dict(library)
    taken = dict.fromkeys(library.values(), 1)
    for graph in graphs:
        if id(graph) in library:
            continue
        count = taken.get(graph.name, 0)
        label = graph.name if not count else f"{graph.name}.{count}"
        while count and label in taken:
            count += 1
            label = f"{graph.name}.{count}"
        taken[graph.name] = count + 1
        taken.setdefault(label, 1)
        labels[id(graph)] = label
    return labels


def _print_one(graph: Graph, style: _Style, keyword: str) -> str:
    label = style.labels[id(graph)]
    name = "" if label == graph.name else f" {json.dumps(graph.name)}"
    inputs = ", ".join(f"{_print_ref(t)}: {_print_result(t)}" for t in graph.inputs)
    outputs = ", ".join(map(_print_ref, graph.outputs))
    lines = [f"{keyword} {_quoted(label)}{name}({inputs}) -> ({outputs}) {{"]
    for operation in graph.operations:
        if operation.op is not placeholder:
            line = _print_operation(operation, style)
            shown = style.locations and operation.location is not None
            lines.append(f"{line}  # {' '.join(str(operation.location).split())}" if shown else line)
    return "\n".join([*lines, "}", ""])


def _print_operation(operation: Operation, style: _Style) -> str:
    inputs = ", ".join(map(_print_ref, operation.inputs))
    text = f"  %{_quoted(operation.name)} = {_quoted(operation.type)}({inputs})"
    attributes = [f"{_quoted(k)}={_print_value(v, style)}" for k, v in operation.attributes.items()]
    if attributes:
        text += f" {{{', '.join(attributes)}}}"
    if operation.outputs:
        text += f" : {', '.join(map(_print_result, operation.outputs))}"
    return text


def _print_value(value: Any, style: _Style) -> str:
    if isinstance(value, Graph):
        return f"@{_quoted(style.labels[id(value)])}"
    if isinstance(value, tuple) and value and all(isinstance(v, Graph) for v in value):
        return f"({', '.join(_print_value(v, style) for v in value)},)"
    if isinstance(value, np.ndarray) and from_numpy(value.dtype) is not None:
        return style.keep(value)
    return print_attribute(value)


def _print_ref(tensor: SymbolicTensor) -> str:
    return f"%{_quoted(tensor.op.name)}{f':{tensor.value_index}' if tensor.value_index else ''}"


def _print_result(tensor: SymbolicTensor) -> str:
    return f"{print_type(tensor.dtype, tensor.shape)}{' weak' if tensor.weak else ''}"


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else json.dumps(name)
