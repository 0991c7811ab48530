"""What graphs of saved models may hold: checked when they are written and again, with less trust, when they are read.

    described = describe_graph(graph, keep)             # NotSavable: py_function at model.py:12 ...
    graph_of(described, arrays, {}, allow_files=False)   # FormatError for all that no graph would be

    {"text": "graph step(%x: float32[?], %w: resource[]) -> (%Identity) { ... }", "places": {...}, "recompute": [], ...}

Files bring no code: an operation is one of the registry, its attributes are plain values, and a term that stands for
an object of the process that wrote it is refused, but for the few that a graph can do without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.autodiff.custom import rule_graph
from runtime.dtypes import DType, from_numpy
from runtime.errors import FailedPreconditionError, FormatError
from runtime.graph.assembly import DEEPEST
from runtime.graph.graph import Graph
from runtime.graph.location import Location
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.text import Keep, parse_graph, print_graph
from runtime.ops.flow.custom import custom_gradient_node
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.records.attributes import checked
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term
from runtime.ops.text.output import FILE
from runtime.saved_model.exceptions import Classes, describe_classes, give_classes
from runtime.saved_model.places import CONTROL, describe_places, give_places
from runtime.saved_model.values import NotSavable, text_of
from runtime.shapes import TensorShape

__all__ = ["all_graphs", "check_savable", "describe_graph", "graph_of"]

MOST_OPERATIONS: Final = 1_000_000
"""So many operations a trace has, those of a branch or a loop counted each time that it stands somewhere."""

LONGEST_TEXT: Final = 1 << 28
"""So many characters the text of a graph has."""

PLAIN: Final = frozenset({type(None), bool, int, float, complex, str, bytes, tuple, DType, TensorShape})
"""The types of attributes that the text of a graph has words for, besides arrays and terms."""

FILES: Final = frozenset({"read_file", "write_file"})

PYTHON: Final = {
    "py_function": "it calls Python code, the py_function {name!r}, which files do not hold",
    "print": "it prints to {name!r}, an object of this process; print to sys.stderr or sys.stdout",
    "dataset": "it holds a {name} of runtime.data, which is a part of this process; give the function tensors",
    "structure": "it raises an exception that holds an object; give it tensors, numbers, strings, lists and dicts",
}
"""What cannot be saved, by the operation or the word of a term."""


def describe_graph(graph: Graph, keep: Keep) -> Any:
    """A graph as JSON. keep: what stands for an array in its text. Raises NotSavable, with the user's line."""
    check_savable(graph)
    graphs = all_graphs(graph)
    text = print_graph(graph, locations=False, keep=keep)
    if len(text) > LONGEST_TEXT:
        raise NotSavable(f"the text of its graph has {len(text)} characters, more than {LONGEST_TEXT}")
    return {
        "text": text,
        "places": describe_places(graphs),
        "recompute": [i for i, inner in enumerate(graphs) if inner.recompute],
        "distinct_handles": graph.distinct_handles,
        "exceptions": describe_classes(graphs),
    }


def check_savable(graph: Graph) -> None:
    """Raises NotSavable, with the user's line, for what the text of a graph does not hold."""
    graphs = all_graphs(graph)
    if (problem := _too_large(graphs)) is not None:
        raise NotSavable(problem)
    for inner in graphs:
        if CONTROL.search(inner.name):
            raise NotSavable(f"the name {inner.name!r} has control characters; give it another one")
        for operation in inner.operations:
            problem = next(filter(None, (_problem(operation, v) for v in _values(operation.attributes.values()))), None)
            if problem is None and CONTROL.search(operation.name):
                problem = f"its operation {operation.name!r} has a name with control characters; give it another one"
            if problem is not None:
                raise NotSavable(f"{problem}{_at(operation.location)}")


def all_graphs(graph: Graph) -> list[Graph]:
    """The graph, its functions and all graphs inside of them, inner ones first."""
    return [inner for root in (graph, *graph.functions.values()) for inner in nested_graphs(root)]


def _at(location: Location | None) -> str:
    return "" if location is None else f" ({location})"


def _values(values: Any) -> Iterator[Any]:
    """Attributes and their parts, but for the graphs among them."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, Graph):
            continue
        yield value
        if isinstance(value, tuple):
            waiting += value
        elif isinstance(value, Term):
            waiting += value.parts


def _problem(operation: Operation, value: Any) -> str | None:
    if isinstance(value, Term):
        if value.head == "python" and operation.type == "custom_gradient":
            return None  # it runs; its gradient is an error that says so
        if value.head in ("python", "dataset", "structure"):
            kind = operation.type if value.head == "python" else value.head
            words = PYTHON.get(kind, "it holds {name!r}, an object of this process")
            return words.format(name=".".join(map(str, value.parts)))
        return None
    if type(value) in PLAIN:
        return None
    if isinstance(value, np.ndarray):
        return _array_problem(value)
    return f"the operation {operation.name!r} holds {value!r:.80}, an object of this process"


def _array_problem(array: Array) -> str | None:
    if from_numpy(array.dtype) is None:
        return f"it holds an array of dtype {array.dtype}"
    held = array.item()[0] if array.dtype.names is not None else None
    if held is None or isinstance(held, ListValue):
        return None
    return f"it holds an object of type {type(held).__name__} of this process"


# -- reading --------------------------------------------------------------------------------------------------------


def graph_of(described: Any, arrays: Mapping[str, Array], classes: Classes, allow_files: bool) -> Graph:
    """The graph of a description that may be anybody's; nothing is run, nothing is imported but operations.

    classes: the stand-ins for exceptions that other graphs of the model have, to which those of this one are added.

    allow_files: whether it may use files when it runs. Raises FormatError, FailedPreconditionError for files.
    """
    text = text_of(described, "text")
    if len(text) > LONGEST_TEXT:
        raise FormatError(f"the text of a graph has {len(text)} characters, more than {LONGEST_TEXT}")
    graph = parse_graph(text, arrays)
    graphs = all_graphs(graph)
    _check_size(graphs)
    try:
        for number in described["recompute"]:
            graphs[number].recompute = True
        give_places(graphs, described["places"])
        graph.distinct_handles = described["distinct_handles"] is True
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"the graph {graph.name!r:.80} of a saved model cannot be read: {error}") from None
    _check_contents(graph, graphs, allow_files)
    try:
        give_classes(graphs, described["exceptions"], classes)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"the exceptions of the graph {graph.name!r:.80} cannot be read: {error}") from None
    return graph


def _check_rules(operation: Operation, allow_files: bool) -> None:
    """A saved rule is the text of a graph, which is held to what holds for others. It has no saved rules itself."""
    rule = operation.attributes["rule"]
    if rule.head != "rule":
        return
    if len(rule.parts) != 2 or type(rule.parts[0]) is not str or type(rule.parts[1]) is not tuple:
        raise FormatError(f"a saved graph has a rule that is none: {rule.parts!r:.80}")
    graph = rule_graph(rule.parts[0])
    graphs = all_graphs(graph)
    _check_size(graphs)
    if any(_has_rule(o) for inner in graphs for o in inner.operations):
        raise FormatError("the rule of a gradient in a saved graph has a rule itself")
    _check_contents(graph, graphs, allow_files)


def _has_rule(operation: Operation) -> bool:
    return operation.op is custom_gradient_node and operation.attributes["rule"].head == "rule"


def _check_contents(graph: Graph, graphs: Sequence[Graph], allow_files: bool) -> None:
    for inner in graphs:
        _check_name("graph", inner.name)
        for operation in inner.operations:
            _check_operation(operation)
            if operation.op is custom_gradient_node:
                _check_rules(operation, allow_files)
            if not allow_files and _uses_files(operation):
                raise FailedPreconditionError(
                    f"the saved graph {graph.name!r:.80} reads or writes files when it runs ({operation.type}"
                    f"{_at(operation.location)}); if that is meant, load it with"
                    " options=runtime.saved_model.LoadOptions(allow_files=True)"
                )
    for name in graph.functions:
        _check_name("function", name)


def _uses_files(operation: Operation) -> bool:
    stream = operation.attributes.get("stream")
    return operation.type in FILES or (isinstance(stream, str) and stream.startswith(FILE))


def _too_large(graphs: Sequence[Graph]) -> str | None:
    """What is said of graphs that are too large, or nested too deep; None if they are not. Inner ones come first.

    Graphs that stand in several places count there: what runs is as long as that.
    """
    sizes: dict[int, int] = {}
    depths: dict[int, int] = {}
    for graph in graphs:
        inner = [id(g) for operation in graph.operations for g in operation.subgraphs]
        sizes[id(graph)] = len(graph.operations) + sum(map(sizes.__getitem__, inner))
        depths[id(graph)] = 1 + max(map(depths.__getitem__, inner), default=0)
    most = max(sizes.values())
    if most > MOST_OPERATIONS:
        return f"a graph of {most} operations, of {MOST_OPERATIONS} at the most"
    return f"graphs are nested more than {DEEPEST} deep" if max(depths.values()) > DEEPEST else None


def _check_size(graphs: Sequence[Graph]) -> None:
    problem = _too_large(graphs)
    if problem is not None:
        raise FormatError(problem)


def _check_name(what: str, name: str) -> None:
    if CONTROL.search(name):
        raise FormatError(f"the {what} {name!r:.80} has a name with control characters")


def _check_operation(operation: Operation) -> None:
    _check_name("operation", operation.name)
    if operation.type == "caught_part":
        _check_attributes(operation.attributes["path"])
    for name, value in operation.attributes.items():
        try:
            checked(operation.type, name, value, operation.op.kinds[name])
        except TypeError as error:
            raise FormatError(str(error)) from None
        for part in _values((value,)):
            if isinstance(part, Term):
                _check_term(part)
            problem = _problem(operation, part)
            if problem is not None:
                raise FormatError(f"the operation {operation.name!r} of a saved graph cannot be run: {problem}")


def _check_term(term: Term) -> None:
    """Terms make objects when the graph runs: each must have the parts `runtime.ops.flow.exceptions` makes it of."""
    if term.head == "class":
        if not (len(term.parts) == 2 and all(type(part) is str for part in term.parts)):
            raise FormatError(f"a saved graph has the class {term.parts!r:.80}, which is no module and name")
    elif term.head == "error":
        known = len(term.parts) == 6 and isinstance(term.parts[0], Term) and type(term.parts[2]) is tuple
        pairs = term.parts[2] if known else ()
        if not known or not all(type(pair) is tuple and len(pair) == 2 for pair in pairs):
            raise FormatError(f"a saved graph has an exception that cannot be made: {term.parts!r:.80}")
        _check_attributes([name for name, _ in pairs])


def _check_attributes(names: Any) -> None:
    """Those of an exception, which a graph reads or sets: none that Python itself gives a meaning."""
    for name in names:
        if type(name) is str and name.startswith("__"):
            raise FormatError(f"a saved graph uses the attribute {name!r:.80} of an exception, which none would")
